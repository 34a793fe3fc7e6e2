// The small problems that closed forms are made of: a line and a circle, a quadratic, a conic and a circle.
//
// A joint's unknown is kept as a pair of numbers in which the equations are linear: (cosine, sine) of a turn, (q, q^2)
// of a slide. `sign` chooses between two roots; it is minus the sign of the equation's derivative, so it stays the same
// as long as the posture moves without meeting the place where the two roots fall together.
#pragma once

#include <algorithm>
#include <array>

#include "../geometry/spatial.hpp"

namespace limbik::closed_form {

// A discriminant below zero by no more than this part is taken for a double root that rounding has lost: the posture is
// corrected and checked afterwards, so this may be generous.
inline constexpr double LOST_ROOT = 1e-6;
// A discriminant within this part of zero is rounding: roots farther apart than 2e-7 rad are not joined by it.
inline constexpr double ONE_ROOT_PART = 3e-14;
// A coefficient this small beside its scale is noise and says nothing about its unknown: any value will do.
inline constexpr double NO_HOLD = 1e-12;
// Below this part of the scale the values that the unknown may take still differ by more than rounding, but all of them
// pass for solved: a family.
inline constexpr double FAMILY = 5e-9;

// One unknown of a joint, and how it was found.
template <class R> struct Unknown {
    R u, v;            // cosine and sine, or q and q^2
    MaskOf<R> exists;  // there is such a root (or nearly)
    MaskOf<R> free;    // the equation does not hold it at all,
    MaskOf<R> family;  // or hardly
    R gap;             // squared distance to the other root, without units; 0 where they are one
};

// What the joints of a group must do, in one of the two ways that there may be.
template <class R> struct GroupMotion {
    R q[3], gap;
    MaskOf<R> exists, family;
};

// a cos + b sin = d. `scale` is the size that a and b have when they matter. `disc` is a^2 + b^2 - d^2: where the
// caller knows it from elsewhere it is exact also for nearly equal roots, where the difference is not.
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
    // a double root beyond the circle goes back onto it
    const R norm = R(1.0) / square_root((madd(d, d, inside)) * inverse);
    out.u = (nmadd(b, root, a * d)) * inverse * norm;
    out.v = (madd(a, root, b * d)) * inverse * norm;
    out.gap = inside * inverse;
    return out;
}

// Where the difference is rounding the two roots are one.
template <class R> LIMBIK_INLINE Unknown<R> on_circle(R a, R b, R d, R sign, R scale) {
    const R rho2 = madd(a, a, b * b), disc = nmadd(d, d, rho2);
    return on_circle(a, b, d, select(absolute(disc) <= R(ONE_ROOT_PART) * rho2, R(0.0), disc), sign, scale);
}

// a q + b q^2 = d. With b = 0 there is one root, and it counts for sign > 0.
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

// The turn about z that brings `from` onto the direction of `to`, both looked at from above. Their lengths should be
// equal; `scale` is what they are when they matter.
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

// How far roots are looked for: past 1, so that one at 1 is not lost from both sides. A root that is nearly double or
// triple lies off by the square or cubic root of rounding, so the halves overlap by far more than that.
inline constexpr double PAST_ONE = 1.05;

// Roots of a polynomial p[0] + p[1] x + ... p[degree] x^degree between -1 and 1, or a little past: between neighbouring
// roots of its derivative it is monotone, so each is found by halving and Newton, and none is missed. Where it turns
// round within `touch` of zero without meeting it, the turning point stands for a double root that rounding may have
// lost.
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
    double derivative[5], turning[5], place[7];
    for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * p[k];
    const int turns = roots_inside(derivative, degree - 1, 0.0, turning);
    place[0] = -PAST_ONE;
    std::copy_n(turning, turns, place + 1);
    place[turns + 1] = PAST_ONE;
    int found = 0;
    bool met = false;  // the interval before the turning point holds a root
    for (int k = 0; k <= turns; ++k) {
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

// Room for the roots of such a polynomial: it has 4 at the most, but one that is nearly double may be found twice in
// each half.
inline constexpr int CIRCLE_ROOTS = 8;

// The angles where it is zero, as (cosine, sine): in t = tan(half the angle) it is a quartic, looked at in two
// halves of the circle (|t| <= 1) so that nothing lies near infinity.
// A turning point within `wide` of zero counts too, or within TOUCH of the polynomial's size.
inline int roots_on_circle(const TrigonometricPolynomial& f, std::array<double, 2> out[CIRCLE_ROOTS],
                           double wide = 0.0) {
    constexpr double TOUCH = 1e-9;  // generous: what is no root is found out when the posture is verified
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
