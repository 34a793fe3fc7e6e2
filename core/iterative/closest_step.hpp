// Damped steps towards the closest configuration to an unreachable target, in the lanes.
//
// Minimises |p|^2/2 + weight^2 (1 - cos angle), p in lengths. The right side of a step is (p, weight * sin(angle)
// axis), the exact gradient: the logarithm's Jacobian is near the identity only where the residual goes to 0. Steps
// that do not lower the cost are rejected, and the damping increases.
#pragma once

#include <algorithm>

#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

// One round: the weight of rotation against position, and the number of steps.
struct Round {
    double weight;
    int steps;
};
// The first damping, and its factors after accepted and rejected steps.
inline constexpr double FIRST_DAMPING = 1e-2, DAMPING_DECREASE = 0.25, DAMPING_INCREASE = 6.0;

// The cost and the right side b of a step. M = 3: position alone, 6: position and rotation.
template <int M, class R>
inline R cost_of(const Pose<R>& T, const Pose<R>& target, double length, double weight, R* b) {
    const Vector3<R> p = scaled(target.origin - T.origin, R(1.0 / length));
    b[0] = p.x, b[1] = p.y, b[2] = p.z;
    const R cost = R(0.5) * dot(p, p);
    if constexpr (M == 3) {
        (void)weight;
        return cost;
    } else {
        Vector3<R> c[3];
        relative_rotation(target, T, c);
        const double half = 0.5 * weight;
        b[3] = R(half) * (c[1].z - c[2].y), b[4] = R(half) * (c[2].x - c[0].z), b[5] = R(half) * (c[0].y - c[1].x);
        return madd(R(weight * weight), R(1.0) - R(0.5) * (c[0].x + c[1].y + c[2].z - R(1.0)), cost);
    }
}

// One round in every lane.
template <int N, int M, class R> LIMBIK_NOINLINE void descend(const ScalarChain& chain, const ChainFrame& frame,
                                                              const StepSettings& settings, const double* lower,
                                                              const double* upper, const Pose<R>& target,
                                                              const Round& round, R q[N]) {
    Axis<R> axes[N];
    R J[M][N], b[M], damping = R(FIRST_DAMPING);
    auto linearise = [&](const R* at, R rows[M][N], R* side) {
        const Pose<R> T = forward_chain_noinline<true, R>(chain, frame, at, axes);
        weighted_jacobian<N, M, R>(chain, axes, T.origin, settings.length, rows);
        for (int k = 3; k < M; ++k)
            for (int i = 0; i < N; ++i) rows[k][i] = rows[k][i] * R(round.weight);
        return cost_of<M>(T, target, settings.length, round.weight, side);
    };
    R cost = linearise(q, J, b);
    for (int step = 0; step < round.steps; ++step) {
        R work[M][N], side[M], trial[N];
        for (int k = 0; k < M; ++k) {
            side[k] = b[k];
            for (int i = 0; i < N; ++i) work[k][i] = J[k][i];
        }
        const R scale = damping * (cost + R(LEAST_DAMPING));
        bounded_step<N, M, R>(chain, settings, lower, upper, work, side, scale, q, trial);
        R new_J[M][N], new_b[M];
        const R new_cost = linearise(trial, new_J, new_b);
        const auto better = new_cost < cost;
        cost = select(better, new_cost, cost);
        damping = select(better, damping * R(DAMPING_DECREASE), damping * R(DAMPING_INCREASE));
        for (int i = 0; i < N; ++i) {
            q[i] = select(better, trial[i], q[i]);
            for (int k = 0; k < M; ++k) J[k][i] = select(better, new_J[k][i], J[k][i]);
        }
        for (int k = 0; k < M; ++k) b[k] = select(better, new_b[k], b[k]);
    }
}

// Positions that agree to this part are equally close: then the rotation decides.
inline constexpr double EQUALLY_NEAR = 1e-5;

// Whether (p1, r1) is closer than (p2, r2).
inline bool nearer(double p1, double r1, double p2, double r2, double tolerance) {
    if (p1 < p2 * (1.0 - EQUALLY_NEAR) - tolerance) return true;
    if (p2 < p1 * (1.0 - EQUALLY_NEAR) - tolerance) return false;
    return r1 < r2;
}

}  // namespace limbik::iterative
