// The subproblems of closed forms: a line and a circle, a quadratic, a conic and a circle.
//
// An unknown is a pair of numbers in which the equations are linear: (cosine, sine) of a revolute joint, (q, q^2) of a
// prismatic one. `sign` chooses between two roots: minus the sign of the equation's derivative, so that it is constant
// along a motion that does not pass the double root.
#pragma once

#include <algorithm>
#include <array>

#include "../geometry/spatial.hpp"

namespace limbik::closed_form {

// A discriminant below zero by no more than this part counts as a double root lost by rounding. Generous, since
// configurations are corrected and verified afterwards.
inline constexpr double LOST_ROOT = 1e-6;
// A discriminant within this part of zero is set to zero: it joins no roots farther apart than 2e-7 rad.
inline constexpr double ONE_ROOT_PART = 3e-14;
// A coefficient below this part of its scale is rounding: its unknown is undetermined.
inline constexpr double NO_HOLD = 1e-12;
// Below this part of the scale all values of the unknown are within the tolerances: a family (self-motion).
inline constexpr double FAMILY = 5e-9;

// One unknown, and how well it is determined.
template <class R> struct Unknown {
    R u, v;            // cosine and sine, or q and q^2
    MaskOf<R> exists;  // there is such a root, or nearly
    MaskOf<R> free;    // undetermined
    MaskOf<R> family;  // undetermined within the tolerances
    R gap;             // squared distance to the other root, without units; 0 at a double root
};

// The joint values of a group for one of its two solutions.
template <class R> struct GroupMotion {
    R q[3], gap;
    MaskOf<R> exists, family;
};

// Solve a cos + b sin = d. `scale`: the typical size of a and b. `disc` = a^2 + b^2 - d^2, given by callers that know
// it more accurately than the difference.
template <class R> LIMBIK_INLINE Unknown<R> on_circle(R a, R b, R d, R disc, R sign, R scale) {
    Unknown<R> out;
    const R rho2 = madd(a, a, b * b);
    out.free = rho2 <= R(NO_HOLD * NO_HOLD) * scale * scale;
    out.family = rho2 <= R(FAMILY * FAMILY) * scale * scale;
    const R safe = select(out.free, R(1.0), rho2);
    const R inverse = R(1.0) / safe;
    out.exists = (disc >= R(-LOST_ROOT) * safe) | out.free;
    const R inside = select(disc > R(0.0), disc, R(0.0));
    const R root = sign * square_root(inside);
    // a double root off the circle is projected onto it
    const R norm = R(1.0) / square_root((madd(d, d, inside)) * inverse);
    out.u = (nmadd(b, root, a * d)) * inverse * norm;
    out.v = (madd(a, root, b * d)) * inverse * norm;
    out.gap = inside * inverse;
    return out;
}

// A discriminant that is rounding is set to zero.
template <class R> LIMBIK_INLINE Unknown<R> on_circle(R a, R b, R d, R sign, R scale) {
    const R rho2 = madd(a, a, b * b), disc = nmadd(d, d, rho2);
    return on_circle(a, b, d, select(absolute(disc) <= R(ONE_ROOT_PART) * rho2, R(0.0), disc), sign, scale);
}

// Solve a q + b q^2 = d. With b = 0 there is one root, that of sign > 0.
template <class R> LIMBIK_INLINE Unknown<R> on_line(R a, R b, bool quadratic, R d, R sign, R scale) {
    Unknown<R> out;
    if (!quadratic) {
        out.free = out.family = absolute(a) <= R(NO_HOLD) * scale;
        out.u = d / select(out.free, R(1.0), a);
        out.exists = (sign > R(0.0)) | out.free;
        out.gap = R(1.0);
    } else {
        const R size = madd(a, a, R(4.0) * absolute(b * d));
        R disc = madd(a, a, R(4.0) * b * d);
        disc = select(absolute(disc) <= R(ONE_ROOT_PART) * size, R(0.0), disc);
        out.free = out.family = size < R(0.0);
        out.exists = disc >= R(-LOST_ROOT) * size;
        const R inside = select(disc > R(0.0), disc, R(0.0));
        // minus the sign of the derivative a + 2 b q
        out.u = (-a - sign * square_root(inside)) / (R(2.0) * b);
        out.gap = inside / select(size > R(0.0), size, R(1.0));
    }
    out.v = out.u * out.u;
    return out;
}

// The rotation about z that takes the direction of `from` to that of `to`, in the xy plane. `scale`: the typical length
// of both.
template <class R> struct Alignment {
    R c, s;
    MaskOf<R> free, family;
};
template <class R> LIMBIK_INLINE Alignment<R> align(R from_x, R from_y, R to_x, R to_y, double scale) {
    const R c = madd(from_x, to_x, from_y * to_y), s = nmadd(from_y, to_x, from_x * to_y);
    const R n2 = madd(c, c, s * s);
    auto below = [&](double part) { return n2 <= R(part * part * part * part * scale * scale * scale * scale); };
    const auto free = below(NO_HOLD * 10.0);
    const R inverse = R(1.0) / square_root(select(free, R(1.0), n2));
    return {c * inverse, s * inverse, free, below(FAMILY)};
}

// ---- a conic and the unit circle -----------------------------------------------------------------------------------

// a0 + a1 cos t + b1 sin t + a2 cos 2t + b2 sin 2t.
struct TrigonometricPolynomial {
    double a0, a1, b1, a2, b2;

    double size() const { return std::fabs(a0) + std::hypot(a1, b1) + std::hypot(a2, b2); }
};

// The end of the search interval, past 1, so that a root at 1 is not lost by both halves. Rounding moves a nearly
// double or triple root by its square or cubic root; the halves overlap by far more.
inline constexpr double PAST_ONE = 1.05;

// The roots of p[0] + p[1] x + ... p[degree] x^degree in [-PAST_ONE, PAST_ONE]. Between neighbouring roots of the
// derivative it is monotone, so bisection with Newton steps misses none. An extremum within `touch` of zero counts as a
// double root that rounding may have lost.
inline int roots_inside(const double* p, int degree, double touch, double* out) {
    auto value = [&](double x) {
        double y = p[degree];
        for (int k = degree - 1; k >= 0; --k) y = y * x + p[k];
        return y;
    };
    if (degree == 1) {
        if (p[1] == 0.0) return 0;
        const double x = -p[0] / p[1];
        if (std::fabs(x) > PAST_ONE) return 0;
        out[0] = x;
        return 1;
    }
    double derivative[5], extremum[5], place[7];
    for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * p[k];
    const int extrema = roots_inside(derivative, degree - 1, 0.0, extremum);
    place[0] = -PAST_ONE;
    std::copy_n(extremum, extrema, place + 1);
    place[extrema + 1] = PAST_ONE;
    int found = 0;
    bool met = false;  // the interval before the extremum contains a root
    for (int k = 0; k <= extrema; ++k) {
        double low = place[k], high = place[k + 1];
        const double f_low = value(low), f_high = value(high);
        const bool meets = f_low == 0.0 || f_high == 0.0 || (f_low > 0.0) != (f_high > 0.0);
        if (k > 0 && !met && !meets && std::fabs(f_low) <= touch) out[found++] = low;
        met = meets;
        if (!meets) continue;
        double x = f_low == 0.0 ? low : f_high == 0.0 ? high : 0.5 * (low + high);
        constexpr int HALVINGS = 60;
        for (int step = 0; step < HALVINGS; ++step) {
            const double y = value(x);
            if (y == 0.0) break;
            ((y > 0.0) == (f_low > 0.0) ? low : high) = x;
            double slope = derivative[degree - 1];
            for (int j = degree - 2; j >= 0; --j) slope = slope * x + derivative[j];
            double next = slope != 0.0 ? x - y / slope : low - 1.0;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (next == x || !(next > low && next < high)) break;
            x = next;
        }
        if (found == 0 || out[found - 1] != x) out[found++] = x;
    }
    return found;
}

// The most roots returned: there are at most 4, but a nearly double one may be found twice in each half.
inline constexpr int CIRCLE_ROOTS = 8;

// The roots on the circle as (cosine, sine). In t = tan(angle / 2) the polynomial is a quartic; the two halves |t| <= 1
// of the circle are solved separately. An extremum within `wide`, or TOUCH times the polynomial's size, of zero counts
// as a root.
inline int roots_on_circle(const TrigonometricPolynomial& f, std::array<double, 2> out[CIRCLE_ROOTS],
                           double wide = 0.0) {
    constexpr double TOUCH = 1e-9;  // generous: verification rejects what is no root
    // (1 + t^2)^2 is 4 at the most
    const double touch = std::max(TOUCH * f.size(), 4.0 * wide);
    std::array<double, 2> all[16];
    int found = 0;
    for (const double side : {1.0, -1.0}) {
        // (1 + t^2)^2 f; on the other side cos and sin change their sign
        const double a1 = side * f.a1, b1 = side * f.b1;
        const double p[5] = {f.a0 + a1 + f.a2, 2.0 * b1 + 4.0 * f.b2, 2.0 * f.a0 - 6.0 * f.a2, 2.0 * b1 - 4.0 * f.b2,
                             f.a0 - a1 + f.a2};
        double t[8];
        const int count = roots_inside(p, 4, touch, t);
        for (int k = 0; k < count; ++k) {
            const double n = 1.0 + t[k] * t[k];
            all[found++] = {side * (1.0 - t[k] * t[k]) / n, side * 2.0 * t[k] / n};
        }
    }
    int kept = 0;
    for (int k = 0; k < found && kept < CIRCLE_ROOTS; ++k) {
        constexpr double SAME = 1e-10;  // the halves overlap
        bool seen = false;
        for (int j = 0; j < kept; ++j)
            seen = seen || std::fabs(all[k][0] - out[j][0]) + std::fabs(all[k][1] - out[j][1]) < SAME;
        if (!seen) out[kept++] = all[k];
    }
    return kept;
}

}  // namespace limbik::closed_form
