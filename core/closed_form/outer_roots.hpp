// The roots of two equations in two outer joints that do not decouple: a conic and a circle.
//
// Both equations are linear in (ua, va, uc, vc), with u^2 + v^2 = 1 for a revolute joint and v = u^2 for a prismatic
// one. One joint is eliminated. For a revolute joint the two equations give its pair as a linear function of the other
// pair, and its constraint remains. For a prismatic joint the equation without its square gives u, and the other
// equation remains. What remains is one equation in the other joint: a trigonometric polynomial of degree 2 if that
// joint is revolute, else a quadratic. So there are at most 4 roots.
#pragma once

#include "../kinematics/chain.hpp"
#include "margins.hpp"
#include "subproblems.hpp"

namespace limbik::closed_form {

// a1 ua + a2 va + c1 uc + c2 vc = d, where (u, v) is (cos q, sin q) of a revolute joint or (q, q^2) of a prismatic one.
template <class R> struct Equation { R a1, a2, c1, c2, d; };

// Bounds on the roots of equations known up to `eps`, each in its own size: every such root lies within (a, c) of a
// computed one. `doubtful`: there may be others.
struct OuterSpread {
    double eps[2];
    double a[CIRCLE_ROOTS], c[CIRCLE_ROOTS];
    bool doubtful = false;
};

// Rounding of a polynomial's coefficients, as a part of its size.
inline constexpr double ROOTS_ROUNDING = 64.0 * ROUNDING;

// Whether |f| <= eps is possible on the whole circle. Its mean square is a0^2 + (a1^2 + b1^2 + a2^2 + b2^2) / 2, at
// least a fifth of size^2.
inline bool is_flat(const TrigonometricPolynomial& f, double eps) { return f.size() * f.size() <= 5.0 * eps * eps; }

// The half width of |f| <= eps around a root: the interval ends before two points on both sides where |f| is greater.
inline double spread_of_root(const TrigonometricPolynomial& f, const std::array<double, 2>& z, double eps) {
    constexpr double WIDEST = 0.5;  // [rad]
    auto value = [&](double c, double s) {
        return f.a0 + f.a1 * c + f.b1 * s + f.a2 * (c * c - s * s) + 2.0 * f.b2 * s * c;
    };
    const double c = z[0], s = z[1], slope = -f.a1 * s + f.b1 * c + 2.0 * (f.b2 * (c * c - s * s) - 2.0 * f.a2 * s * c);
    const double first = slope != 0.0 ? 2.0 * (eps + std::fabs(value(c, s))) / std::fabs(slope) : WIDEST;
    for (double by = std::max(first, 4.0 * ROUNDING); by < WIDEST; by *= 4.0) {
        const double cw = std::cos(by), sw = std::sin(by);
        if (std::fabs(value(c * cw - s * sw, s * cw + c * sw)) > eps &&
            std::fabs(value(c * cw + s * sw, s * cw - c * sw)) > eps)
            return by;
    }
    return ANY_ANGLE;
}

// Eliminate one unknown and solve for the other. Returns the number of pairs (ua, va, uc, vc), up to CIRCLE_ROOTS. The
// equations have a common size and are overwritten.
inline int roots_together(Equation<double> e[2], bool a_revolute, bool c_revolute, double out[CIRCLE_ROOTS][4],
                          OuterSpread* spread = nullptr) {
    // eliminate a prismatic joint rather than a revolute one, else the better determined one
    const double det_a = e[0].a1 * e[1].a2 - e[0].a2 * e[1].a1, det_c = e[0].c1 * e[1].c2 - e[0].c2 * e[1].c1;
    const bool drop_a = a_revolute != c_revolute ? !a_revolute : !a_revolute || std::fabs(det_a) >= std::fabs(det_c);
    if (!drop_a)
        for (int k = 0; k < 2; ++k) e[k] = {e[k].c1, e[k].c2, e[k].a1, e[k].a2, e[k].d};
    const bool dropped_revolute = drop_a ? a_revolute : c_revolute, kept_revolute = drop_a ? c_revolute : a_revolute;
    int found = 0;
    const double eps[2] = {spread ? spread->eps[0] : 0.0, spread ? spread->eps[1] : 0.0};
    auto emit = [&](double u1, double v1, double u2, double v2, double dropped_by, double kept_by) {
        if (spread) spread->a[found] = drop_a ? dropped_by : kept_by, spread->c[found] = drop_a ? kept_by : dropped_by;
        double* r = out[found++];
        if (drop_a) r[0] = u1, r[1] = v1, r[2] = u2, r[3] = v2;
        else r[0] = u2, r[1] = v2, r[2] = u1, r[3] = v1;
    };
    std::array<double, 2> z[CIRCLE_ROOTS];
    if (dropped_revolute) {  // both revolute: (u1, v1) = adj (d - C z) / det, of length 1
        const double det = e[0].a1 * e[1].a2 - e[0].a2 * e[1].a1;
        // rows of adj C and adj d
        const double x0 = e[1].a2 * e[0].d - e[0].a2 * e[1].d, xc = -(e[1].a2 * e[0].c1 - e[0].a2 * e[1].c1),
                     xs = -(e[1].a2 * e[0].c2 - e[0].a2 * e[1].c2);
        const double y0 = e[0].a1 * e[1].d - e[1].a1 * e[0].d, yc = -(e[0].a1 * e[1].c1 - e[1].a1 * e[0].c1),
                     ys = -(e[0].a1 * e[1].c2 - e[1].a1 * e[0].c2);
        const double Qcc = xc * xc + yc * yc, Qss = xs * xs + ys * ys, Qcs = xc * xs + yc * ys;
        const TrigonometricPolynomial f = {x0 * x0 + y0 * y0 - det * det + 0.5 * (Qcc + Qss), 2.0 * (x0 * xc + y0 * yc),
                                           2.0 * (x0 * xs + y0 * ys), 0.5 * (Qcc - Qss), Qcs};
        // the exact equations are A (u1, v1) = d - C z + eta, |eta| <= eps: adj (d - C z) has length |det| up to |adj
        // eta| and rounding, where the determinant is small beside what it is the difference of
        const double eta =
            std::hypot(std::fabs(e[1].a2) * eps[0] + std::fabs(e[0].a2) * eps[1],
                       std::fabs(e[0].a1) * eps[1] + std::fabs(e[1].a1) * eps[0]) +
            ROOTS_ROUNDING * (std::hypot(e[0].a1, e[0].a2) + std::hypot(e[1].a1, e[1].a2)) *
                (std::fabs(e[0].d) + std::fabs(e[1].d) + std::hypot(e[0].c1, e[0].c2) + std::hypot(e[1].c1, e[1].c2));
        const double off = eta * (2.0 * std::fabs(det) + eta) + ROOTS_ROUNDING * f.size();
        if (spread) spread->doubtful = is_flat(f, off);
        const int count = roots_on_circle(f, z, off);
        for (int k = 0; k < count; ++k) {
            const double c = z[k][0], s = z[k][1], x = x0 + xc * c + xs * s, y = y0 + yc * c + ys * s;
            const double length = std::copysign(std::hypot(x, y), det);
            if (length == 0.0) {
                if (spread) spread->doubtful = true;
                continue;
            }
            const double by = spread ? spread_of_root(f, z[k], off) : 0.0;
            emit(x / length, y / length, c, s,
                 spread ? spread_of_direction(std::fabs(length), eta + by * std::sqrt(Qcc + Qss)) : 0.0, by);
        }
        return found;
    }
    // a prismatic joint is eliminated by the equation without its square
    const int linear = e[0].a2 == 0.0 && (e[1].a2 != 0.0 || std::fabs(e[0].a1) >= std::fabs(e[1].a1)) ? 0 : 1;
    const Equation<double>&one = e[linear], &rest = e[1 - linear];
    if (one.a1 == 0.0) {
        if (spread) spread->doubtful = true;
        return 0;
    }
    // its displacement is off by eta where its equation is, and the other equation by `off`
    const double eta = eps[linear] / std::fabs(one.a1) +
                       ROOTS_ROUNDING * (std::fabs(one.d) + std::hypot(one.c1, one.c2)) / std::fabs(one.a1);
    auto off_at = [&](double most) {
        return eps[1 - linear] +
               (std::fabs(rest.a1) + 2.0 * std::fabs(rest.a2) * most + std::fabs(rest.a2) * eta) * eta;
    };
    const double q0 = one.d / one.a1, q1 = -one.c1 / one.a1, q2 = -one.c2 / one.a1;  // q = q0 + q1 u + q2 v
    if (kept_revolute) {
        const TrigonometricPolynomial f = {
            rest.a1 * q0 + rest.a2 * (q0 * q0 + 0.5 * (q1 * q1 + q2 * q2)) - rest.d,
            rest.a1 * q1 + rest.a2 * 2.0 * q0 * q1 + rest.c1,
            rest.a1 * q2 + rest.a2 * 2.0 * q0 * q2 + rest.c2,
            rest.a2 * 0.5 * (q1 * q1 - q2 * q2),
            rest.a2 * q1 * q2,
        };
        const double swing = std::hypot(q1, q2), off = off_at(std::fabs(q0) + swing) + ROOTS_ROUNDING * f.size();
        if (spread) spread->doubtful = is_flat(f, off);
        const int count = roots_on_circle(f, z, off);
        for (int k = 0; k < count; ++k) {
            const double q = q0 + q1 * z[k][0] + q2 * z[k][1], by = spread ? spread_of_root(f, z[k], off) : 0.0;
            emit(q, q * q, z[k][0], z[k][1], eta + by * swing, by);
        }
        return found;
    }
    // two prismatic joints: q = q0 + q1 u, and a quadratic in u
    const double A = rest.a2 * q1 * q1 + rest.c2, B = rest.a1 * q1 + 2.0 * rest.a2 * q0 * q1 + rest.c1,
                 C = rest.a1 * q0 + rest.a2 * q0 * q0 - rest.d;
    double u[2];
    int count = 0;
    if (std::fabs(A) <= NO_HOLD * std::fabs(rest.a2) || A == 0.0) {
        if (B != 0.0) u[count++] = -C / B;
    } else {
        const double disc = B * B - 4.0 * A * C, size = B * B + std::fabs(4.0 * A * C);
        if (disc >= -LOST_ROOT * size) {
            const double root = std::sqrt(std::max(disc, 0.0));
            const double t = -0.5 * (B + std::copysign(root, B));
            u[count++] = t / A;
            if (t != 0.0) u[count++] = C / t;
            else u[count++] = 0.0;
        }
    }
    if (spread && count == 0) {
        const double vertex = A != 0.0 ? std::fabs(0.5 * B / A) : 0.0;
        spread->doubtful = !spread_on_line(B, A, -C, off_at(std::fabs(q0) + std::fabs(q1) * vertex)).none;
    }
    for (int k = 0; k < count; ++k) {
        const double q = q0 + q1 * u[k], by = spread ? spread_on_line(B, A, -C, off_at(std::fabs(q))).by : 0.0;
        emit(q, q * q, u[k], u[k] * u[k], eta + by * std::fabs(q1), by);
    }
    return found;
}

// How two equations intersect in a root, from the determinant of their derivatives by a and c. Both measures are
// squared, without units, and 0 at a double root.
struct Crossing {
    double square;  // relative to the derivatives at the root: the squared sine between them
    double steep;   // relative to the largest derivatives: small also where one unknown has no influence at the root
    double sign;
};
inline Crossing crossing_of(const Equation<double> e[2], bool a_revolute, bool c_revolute, double scale,
                            const double root[4]) {
    struct Slope {
        double here, most_squared;
    };
    auto slope = [&](double first, double second, bool revolute, double u, double v) -> Slope {
        if (revolute) return {second * u - first * v, first * first + second * second};
        const double most = (std::fabs(first) + 2.0 * std::fabs(second * u)) * scale;
        return {(first + 2.0 * second * u) * scale, most * most};
    };
    const Slope a0 = slope(e[0].a1, e[0].a2, a_revolute, root[0], root[1]),
                c0 = slope(e[0].c1, e[0].c2, c_revolute, root[2], root[3]);
    const Slope a1 = slope(e[1].a1, e[1].a2, a_revolute, root[0], root[1]),
                c1 = slope(e[1].c1, e[1].c2, c_revolute, root[2], root[3]);
    const double det = a0.here * c1.here - c0.here * a1.here;
    const double here = (a0.here * a0.here + a1.here * a1.here) * (c0.here * c0.here + c1.here * c1.here);
    const double most = (a0.most_squared + a1.most_squared) * (c0.most_squared + c1.most_squared);
    auto beside = [&](double size) { return size > 0.0 ? det * det / size : 0.0; };
    return {beside(here), beside(most), det < 0.0 ? -1.0 : 1.0};
}

}  // namespace limbik::closed_form
