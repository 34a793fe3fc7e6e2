// The nearest posture to a target that cannot be reached: position first, then rotation.
//
// Minimises |p|^2/2 + weight^2 (1 - cos angle), p in lengths, from many starts, in the lanes. The right side of a step is
// (p, weight * sin(angle) axis), the exact gradient: the logarithm's Jacobian may be taken as the identity only while the
// residual goes to 0. Steps that do not lower the cost are taken back and damped more. After a short
// look from many starts the best go three rounds: position alone, both, position alone again, so that the rotation never
// costs position. The best lane has the least position error and,
// among equals, the least rotation error.
#pragma once

#include "levenberg_marquardt.hpp"

namespace limbik {

// One round: how much rotation weighs against position, and how many steps it takes.
struct Round {
    double weight;
    int steps;
};
// A short look from many starts, then the way from the best of them.
inline constexpr Round LOOK[] = {{0.0, 10}};
inline constexpr Round ROUNDS[] = {{0.0, 12}, {0.02, 20}, {0.0, 40}};
inline constexpr int STARTS = 64;
// So many of them near the target, by the seed table; the others anywhere.
inline constexpr int FROM_TABLE = 16;

// Damping at the start, and how it falls and rises.
inline constexpr double FIRST_DAMPING = 1e-2, EASE = 0.25, STIFFEN = 6.0;

// The cost and its right side b at a posture.
template <class R> inline R cost_of(const Pose<R>& T, const Pose<R>& target, double length, double weight, R b[6]) {
    Vector3<R> c[3];
    relative_rotation(target, T, c);
    const Vector3<R> p = scaled(target.origin - T.origin, R(1.0 / length));
    const double half = 0.5 * weight;
    b[0] = p.x, b[1] = p.y, b[2] = p.z;
    b[3] = R(half) * (c[1].z - c[2].y), b[4] = R(half) * (c[2].x - c[0].z), b[5] = R(half) * (c[0].y - c[1].x);
    const R angle_cost = R(1.0) - R(0.5) * (c[0].x + c[1].y + c[2].z - R(1.0));
    return madd(R(weight * weight), angle_cost, R(0.5) * dot(p, p));
}

template <int N, class R, int COUNT>
inline void approach(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                     const double* upper, const Pose<R>& target, const Round (&rounds)[COUNT], R q[N]) {
    for (const Round& round : rounds) {
        Axis<R> axes[N];
        R J[6][N], b[6], damping = R(FIRST_DAMPING);
        auto look = [&](const R* at, R rows[6][N], R* side) {
            const Pose<R> T = forward_chain<true, R>(chain, frame, at, axes);
            weighed_jacobian<N, R>(chain, axes, T.origin, effort.length, rows);
            for (int k = 3; k < 6; ++k)
                for (int i = 0; i < N; ++i) rows[k][i] = rows[k][i] * R(round.weight);
            return cost_of(T, target, effort.length, round.weight, side);
        };
        R cost = look(q, J, b);
        for (int step = 0; step < round.steps; ++step) {
            R work[6][N], side[6], trial[N];
            for (int k = 0; k < 6; ++k) {
                side[k] = b[k];
                for (int i = 0; i < N; ++i) work[k][i] = J[k][i];
            }
            const R scale = damping * (cost + R(LEAST_DAMPING));
            bounded_step<N, R>(chain, effort, lower, upper, work, side, scale, q, trial);
            R new_J[6][N], new_b[6];
            const R new_cost = look(trial, new_J, new_b);
            const auto better = new_cost < cost;
            cost = select(better, new_cost, cost);
            damping = select(better, damping * R(EASE), damping * R(STIFFEN));
            for (int i = 0; i < N; ++i) {
                q[i] = select(better, trial[i], q[i]);
                for (int k = 0; k < 6; ++k) J[k][i] = select(better, new_J[k][i], J[k][i]);
            }
            for (int k = 0; k < 6; ++k) b[k] = select(better, new_b[k], b[k]);
        }
    }
}

// Is (p1, r1) nearer than (p2, r2)? Positions that agree to this part count as equal.
inline bool nearer(double p1, double r1, double p2, double r2, double tolerance) {
    constexpr double EQUAL = 1e-5;
    if (p1 < p2 * (1.0 - EQUAL) - tolerance) return true;
    if (p2 < p1 * (1.0 - EQUAL) - tolerance) return false;
    return r1 < r2;
}

}  // namespace limbik
