// The distance to which a two-bone limb follows its target: soft reach near full extension, and stretch.
//
// The target is at distance x from the root, and the straight limb has length L. Followed exactly, the elbow's height
// is about sqrt(L - x): its slope is unbounded, and the joint snaps straight. Soft reach gives the tip another distance
// y(x). With w = soft L:
//     y = x                                          for x <= L - w
//     y = (L - w) + w (1 - exp(-(x - (L - w)) / w))  beyond.
// At x = L - w both give y = x and dy/dx = 1, so y is continuously differentiable, and y < L for every x. The elbow no
// longer snaps: d(height)/dx is about dy/dx / sqrt(L - y), and dy/dx = (L - y) / w, so it is about sqrt(L - y) / w,
// which tends to 0. (Soft reach is an animators' method, urchn.org/post/softik-revisited; the formula is our own.) The
// tip stays x - y behind the target.
//
// A limb that may stretch has length f L, with 1 <= f <= most. Stretching begins where the tip is `start` of the length
// away:
//     f = 1 + y / L - start,   clamped to [1, most].
// So start = 1 stretches a straight limb, and start < 1 one that is still bent. With both, y approaches most L softly,
// and f follows y.
#pragma once

#include "../simd/hyperbolic.hpp"

namespace limbik::two_bone {

struct ReachSettings {
    double soft = 0.0;   // share of the length that is softened, 0 <= soft < 1
    double start = 1.0;  // share of the length from which the bones stretch, 0 < start <= 1
    double most = 1.0;   // greatest stretch, 1 for none
};

// 1 - exp(-v), v >= 0, by t = tanh(v / 2): 2 t / (1 + t). Accurate near 0, and never above 1.
template <class R> LIMBIK_INLINE R eased(R v) {
    const R t = hyperbolic_tangent(v * R(0.5));
    return R(2.0) * t / (R(1.0) + t);
}

template <class R> struct ReachedDistance {
    R distance, factor;  // y and f
};

// x: the target's distance, above 0. longest: the length L, or 0.
template <class R> LIMBIK_INLINE ReachedDistance<R> soft_reach(const ReachSettings& set, R x, R longest) {
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
