// A start for a redundant chain whose feasible postures lie in a corner of its limits.
//
// Steps that end at the bounds get caught at a wrong corner. So the bounds are left open at first: each step reduces
// what the pose lacks and, more weakly, by how much joints pass their limits; with the tip in place a redundant chain
// slides along its self-motion towards its limits. Where it comes to rest is where an attempt starts.
#pragma once

#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

// Steps, and how much a joint outside its limits counts beside the pose at first and at last.
inline constexpr int SLIDES = 36;
inline constexpr double SLIDE_WEIGHT = 0.5, SLIDE_WEIGHT_LAST = 0.02;

template <int N> inline void slide_inside(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort,
                                          const double* lower, const double* upper, const Pose<double>& target,
                                          double q[N]) {
    auto unit = [&](int j) { return chain.joints[std::size_t(j)].kind == Kind::prismatic ? effort.length : 1.0; };
    for (int step = 0; step < SLIDES; ++step) {
        const double share = double(step) / SLIDES, weight = SLIDE_WEIGHT + share * (SLIDE_WEIGHT_LAST - SLIDE_WEIGHT);
        Axis<double> axes[N];
        const Pose<double> T = forward_chain_noinline<true, double>(chain, frame, q, axes);
        const Residual<double> e = residual(T, target, effort.length);
        const double b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
        double J[6][N];
        weighed_jacobian<N, 6, double>(chain, axes, T.origin, effort.length, J);
        // (J'J + D + damping) dq = J'e - D violation, D the weights of joints outside
        double a[N * (N + 1) / 2], dq[N];
        for (int i = 0, m = 0; i < N; ++i) {
            const double outside = (q[i] - std::clamp(q[i], lower[i], upper[i])) / unit(i);
            const double held = outside != 0.0 ? weight * weight : 0.0;
            dq[i] = -held * outside;
            for (int k = 0; k < 6; ++k) dq[i] += J[k][i] * b[k];
            for (int j = 0; j <= i; ++j, ++m) {
                a[m] = i == j ? held + 1e-6 + effort.damping * std::min(e.squared, FAR) : 0.0;
                for (int k = 0; k < 6; ++k) a[m] += J[k][i] * J[k][j];
            }
        }
        solve_spd<N, double>(a, dq);
        for (int i = 0; i < N; ++i) q[i] += std::clamp(dq[i], -effort.largest_step, effort.largest_step) * unit(i);
    }
}

}  // namespace limbik::iterative
