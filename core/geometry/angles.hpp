// Angles modulo 2 pi. Angles that differ by whole turns are 2-pi copies: the same configuration of a revolute joint.
#pragma once

#include "spatial.hpp"

namespace limbik::geometry {

inline constexpr double TURN = 2.0 * PI;

// The 2-pi copy of an angle in [-pi, pi], exact; quick_wrap rounds twice.
inline double wrap(double angle) { return std::remainder(angle, TURN); }
inline double quick_wrap(double angle) { return angle - TURN * std::nearbyint(angle / TURN); }

// The 2-pi copy of q nearest to `seed`.
inline double nearest_copy(double q, double seed) { return q + TURN * std::nearbyint((seed - q) / TURN); }
// The nearest copy inside the bounds; q itself where there is none.
inline double nearest_copy(double q, double seed, double lower, double upper) {
    double x = nearest_copy(q, seed);
    if (x < lower) x = q + TURN * std::ceil((lower - q) / TURN);
    if (x > upper) x = q + TURN * std::floor((upper - q) / TURN);
    return x >= lower && x <= upper ? x : q;
}

// x + ROUNDER - ROUNDER is the nearest whole number.
template <class R> LIMBIK_INLINE R whole(R x) { return (x + R(ROUNDER)) - R(ROUNDER); }

// The same in the lanes, and for prismatic joints: the 2-pi copy inside the limits nearest to `seed`; where there is
// none, the nearest of all, and `inside` becomes false. Values outside by no more than `edge` are clamped to the
// limits. The copy nearest to a seed inside the limits is at most half a turn from it, so if that copy is outside, the
// next one towards the limits is the only other candidate.
template <class R>
LIMBIK_INLINE R nearest_copy(R q, R seed, bool revolute, double lower, double upper, double edge, MaskOf<R>& inside) {
    constexpr double PER_TURN = 1.0 / TURN;
    const R low = R(lower - edge), high = R(upper + edge);
    R x = q;
    if (revolute) {
        const R near = clamp(seed, low, high);
        x = madd(whole((near - q) * R(PER_TURN)), R(TURN), q);
        const R back = x + select(x < low, R(TURN), select(x > high, R(-TURN), R(0.0)));
        x = select((back >= low) & (back <= high), back, x);
    }
    const auto fits = (x >= low) & (x <= high);
    inside = inside & fits;
    return select(fits, clamp(x, R(lower), R(upper)), x);
}

}  // namespace limbik::geometry
