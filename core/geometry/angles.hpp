// Angles that differ by whole turns: the same configuration of a joint, and which of them is meant.
#pragma once

#include "spatial.hpp"

namespace limbik::geometry {

// The value of a turning joint nearest to `wish` among those that differ by whole turns and lie inside the bounds.
inline double nearest_turn(double q, double wish, double lower, double upper) {
    constexpr double TURN = 2.0 * PI;
    double x = q + TURN * std::nearbyint((wish - q) / TURN);
    if (x < lower) x = q + TURN * std::ceil((lower - q) / TURN);
    if (x > upper) x = q + TURN * std::floor((upper - q) / TURN);
    return x >= lower && x <= upper ? x : q;
}

// x + ROUNDER - ROUNDER is the nearest whole number.
template <class R> LIMBIK_INLINE R whole(R x) { return (x + R(ROUNDER)) - R(ROUNDER); }

// Bring a joint to the whole turn inside its limits that is nearest to `wish`; where there is none, to the nearest of
// all. Seen from a wish inside the limits the nearest turn lies at most half a turn away, so if it is outside, the next
// one back is the only other that can be the nearest inside.
template <class R>
LIMBIK_INLINE R choose_turn(R q, R wish, bool turns, double lower, double upper, double edge, MaskOf<R>& inside) {
    constexpr double TURN = 2.0 * PI, PER_TURN = 1.0 / TURN;
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
