// A start for a redundant chain whose feasible configurations lie in a corner of its limits.
//
// Steps that are clamped to the bounds end in a wrong corner. Here the limits are a penalty: each step reduces the pose
// error and, with a smaller weight, the violation of the limits. Once the tip is in place, a redundant chain moves
// along its self-motion manifold into its limits. The attempt starts at the end of this descent.
#pragma once

#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

// The number of steps, and the weight of limit violations against the pose error at the first and the last step.
inline constexpr int DESCENT_STEPS = 36;
inline constexpr double FIRST_LIMIT_WEIGHT = 0.5, LAST_LIMIT_WEIGHT = 0.02;

template <int N> inline void descend_into_limits(const ScalarChain& chain, const ChainFrame& frame,
                                                 const StepSettings& settings, const double* lower, const double* upper,
                                                 const Pose<double>& target, double q[N]) {
    auto unit = [&](int j) { return chain.joints[std::size_t(j)].kind == Kind::prismatic ? settings.length : 1.0; };
    for (int step = 0; step < DESCENT_STEPS; ++step) {
        const double share = double(step) / DESCENT_STEPS,
                     weight = FIRST_LIMIT_WEIGHT + share * (LAST_LIMIT_WEIGHT - FIRST_LIMIT_WEIGHT);
        Axis<double> axes[N];
        const Pose<double> T = forward_chain_noinline<true, double>(chain, frame, q, axes);
        const Residual<double> e = residual(T, target, settings.length);
        const double b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
        double J[6][N];
        weighted_jacobian<N, 6, double>(chain, axes, T.origin, settings.length, J);
        // (J'J + D + damping) dq = J'e - D violation; D: squared weights of the joints outside
        double a[N * (N + 1) / 2], dq[N];
        for (int i = 0, m = 0; i < N; ++i) {
            const double outside = (q[i] - std::clamp(q[i], lower[i], upper[i])) / unit(i);
            const double held = outside != 0.0 ? weight * weight : 0.0;
            dq[i] = -held * outside;
            for (int k = 0; k < 6; ++k) dq[i] += J[k][i] * b[k];
            for (int j = 0; j <= i; ++j, ++m) {
                a[m] = i == j ? held + 1e-6 + settings.damping * std::min(e.squared, FAR) : 0.0;
                for (int k = 0; k < 6; ++k) a[m] += J[k][i] * J[k][j];
            }
        }
        solve_spd<N, double>(a, dq);
        for (int i = 0; i < N; ++i) q[i] += std::clamp(dq[i], -settings.largest_step, settings.largest_step) * unit(i);
    }
}

}  // namespace limbik::iterative
