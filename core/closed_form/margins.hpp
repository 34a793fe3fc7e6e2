// Bounds on roots of perturbed equations: the margins of proofs.
//
// An equation f(x) = 0 is known up to eps: |f| <= eps at the root of the exact equation. Each function reports that no
// x has |f(x)| <= eps, or the largest distance of such an x from the computed root of the same sign.
#pragma once

#include <algorithm>
#include <limits>

#include "../geometry/angles.hpp"

namespace limbik::closed_form {

// The spread of an undetermined angle or length.
inline constexpr double ANY_ANGLE = PI, ANY_LENGTH = std::numeric_limits<double>::infinity();
// A factor for the rounding of the margins themselves.
inline constexpr double MARGIN_ROUNDING = 1.0 + 1e-6;

struct Spread {
    bool none;  // there is surely no root
    double by;  // its largest distance from the computed one [rad, or a length]
};

// The spreads of a group's joints.
struct GroupSpread {
    bool none;
    double by[3];
};

// a cos + b sin = d.
inline Spread spread_on_circle(double a, double b, double d, double eps) {
    const double rho = std::hypot(a, b);
    if (std::fabs(d) - rho > eps) return {true, 0.0};
    if (!(rho > 4.0 * eps)) return {false, ANY_ANGLE};
    const double x = std::clamp(d / rho, -1.0, 1.0), e = eps / rho, angle = std::acos(x);
    const double far = std::acos(std::max(x - e, -1.0)) - angle, near = angle - std::acos(std::min(x + e, 1.0));
    return {false, std::max(far, near) * MARGIN_ROUNDING};
}

// a x + b x^2 = d, or a x = d where b = 0.
inline Spread spread_on_line(double a, double b, double d, double eps) {
    if (b == 0.0) return {false, std::fabs(a) > 0.0 ? eps / std::fabs(a) * MARGIN_ROUNDING : ANY_LENGTH};
    const double half = 0.5 * a / b, square = d / b + half * half, e = eps / std::fabs(b);
    if (square + e < 0.0) return {true, 0.0};
    const double root = std::sqrt(std::max(square, 0.0));
    const double far = std::sqrt(square + e) - root, near = root - std::sqrt(std::max(square - e, 0.0));
    return {false, std::max(far, near) * MARGIN_ROUNDING};
}

// The spread of the direction of a vector of this length in a plane, known up to `by` [rad].
inline double spread_of_direction(double length, double by) {
    constexpr double HARDLY_KNOWN = 0.9;
    return by < HARDLY_KNOWN * length ? std::asin(by / length) * MARGIN_ROUNDING : ANY_ANGLE;
}

// The distance of an angle from its limits, by the closest 2-pi copy; negative inside [rad].
inline double angle_outside(double q, double lower, double upper) {
    const double half = 0.5 * (upper - lower);
    if (!(half < PI)) return -ANY_LENGTH;
    return std::fabs(wrap(q - (lower + half))) - half;
}

}  // namespace limbik::closed_form
