// Angles that differ by whole turns are 2-pi copies of each other: the same configuration of a joint.
#pragma once

#include "spatial.hpp"

namespace limbik::geometry {

inline constexpr double TURN = 2.0 * PI;

// The 2-pi copy of an angle in [-pi, pi], without rounding; quick_wrap rounds twice.
inline double wrap(double angle) { return std::remainder(angle, TURN); }
inline double quick_wrap(double angle) { return angle - TURN * std::nearbyint(angle / TURN); }

// The 2-pi copy of q nearest to `wish`, and the nearest of those inside the bounds; q itself where none is.
inline double nearest_copy(double q, double wish) { return q + TURN * std::nearbyint((wish - q) / TURN); }
inline double nearest_copy(double q, double wish, double lower, double upper) {
    double x = nearest_copy(q, wish);
    if (x < lower) x = q + TURN * std::ceil((lower - q) / TURN);
    if (x > upper) x = q + TURN * std::floor((upper - q) / TURN);
    return x >= lower && x <= upper ? x : q;
}

// x + ROUNDER - ROUNDER is the nearest whole number.
template <class R> LIMBIK_INLINE R whole(R x) { return (x + R(ROUNDER)) - R(ROUNDER); }

// The same in the lanes: the 2-pi copy inside the limits that is nearest to `wish`; where there is none, the nearest of
// all. `edge`: what counts as inside, and is put onto the limits. Seen from a wish inside the limits the nearest copy
// lies at most half a turn away, so if it is outside, the next one back is the only other that can be the nearest
// inside.
template <class R>
LIMBIK_INLINE R nearest_copy(R q, R wish, bool turns, double lower, double upper, double edge, MaskOf<R>& inside) {
    constexpr double PER_TURN = 1.0 / TURN;
    const R low = R(lower - edge), high = R(upper + edge);
    R x = q;
    if (turns) {
        const R near = clamp(wish, low, high);
        x = madd(whole((near - q) * R(PER_TURN)), R(TURN), q);
        const R back = x + select(x < low, R(TURN), select(x > high, R(-TURN), R(0.0)));
        x = select((back >= low) & (back <= high), back, x);
    }
    const auto fits = (x >= low) & (x <= high);
    inside = inside & fits;
    return select(fits, clamp(x, R(lower), R(upper)), x);
}

}  // namespace limbik::geometry
