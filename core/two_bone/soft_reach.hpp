// How far a limb goes after a target: up to its full length, softly or not, and by stretching where that is allowed.
//
// The target stands at a distance x from the limb's root, and the limb reaches L when it is straight. Followed exactly,
// the elbow's height is about sqrt(L - x): it falls ever faster, and the joint snaps straight. Soft reach gives the end
// another distance y(x) to go to. With w = s L the width of the last part, s of the length:
//     y = x                                          for x <= L - w
//     y = (L - w) + w (1 - exp(-(x - (L - w)) / w))  beyond.
// At x = L - w both give y = x and dy/dx = 1, so y has no kink, and y < L for every x: the limb never gets quite
// straight. And the elbow no longer snaps: d(height)/dx is about dy/dx / sqrt(L - y), and dy/dx = (L - y) / w, so it is
// about sqrt(L - y) / w, which tends to 0. (The idea: soft reach as animators use it, urchn.org/post/softik-revisited.
// The formula: ours.) The end stays x - y behind the target.
//
// A limb that may stretch is as long as f L, with 1 <= f <= most. It begins to grow where the end is `start` of its
// length away,
//     f = 1 + y / L - start,   not below 1, not above most,
// so that start = 1 grows a straight limb and start < 1 one that is still bent. It reaches most L, and where both are
// asked for the softness stands before that: y is eased towards most L, and f follows y.
#pragma once

#include "../simd/hyperbolic.hpp"

namespace limbik::two_bone {

struct ReachSettings {
    double soft = 0.0;   // part of the length that is eased, 0 <= soft < 1
    double start = 1.0;  // part of the length from which the bones stretch, 0 < start <= 1
    double most = 1.0;   // greatest factor, 1 for none
};

// 1 - exp(-v), v >= 0, by t = tanh(v / 2): 2 t / (1 + t). No digits are lost near 0, and it never exceeds 1.
template <class R> LIMBIK_INLINE R eased(R v) {
    const R t = hyperbolic_tangent(v * R(0.5));
    return R(2.0) * t / (R(1.0) + t);
}

template <class R> struct Reached {
    R distance, factor;  // y and f
};

// x: how far the target is, above 0. longest: the length L, 0 for a limb without any.
template <class R> LIMBIK_INLINE Reached<R> soft_reach(const ReachSettings& set, R x, R longest) {
    const R whole = longest * R(set.most);
    R y = select(x < whole, x, whole);
    if (set.soft > 0.0) {
        const R width = whole * R(set.soft), from = whole - width;
        const auto some = width > R(0.0);
        const R beyond = select(x > from, x - from, R(0.0));
        const R inside = from + width * eased(beyond / select(some, width, R(1.0)));
        y = select((x > from) & some, select(inside < whole, inside, whole), y);
    }
    R factor = R(1.0);
    if (set.most > 1.0) {
        const auto some = longest > R(0.0);
        factor = R(1.0) + (y / select(some, longest, R(1.0)) - R(set.start));
        factor = select(factor > R(1.0), factor, R(1.0));
        factor = select(factor < R(set.most), factor, R(set.most));
        factor = select(some, factor, R(1.0));
    }
    return {y, factor};
}

}  // namespace limbik::two_bone
