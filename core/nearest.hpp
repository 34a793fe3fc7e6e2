// The nearest posture to a target that cannot be reached: position first, then rotation.
//
// Minimises |p|^2/2 + weight^2 (1 - cos angle), p in lengths, from many starts, in the lanes. The right side of a step is
// (p, weight * sin(angle) axis), the exact gradient: the logarithm's Jacobian may be taken as the identity only while the
// residual goes to 0. Steps that do not lower the cost are taken back and damped more. The position
// alone is sought from many starts; the best of them go on with both and then with the position alone, so that the
// rotation never costs position, and the very best is brought to rest by Newton's method. The winner has the least position
// error and, among equals, the least rotation error.
#pragma once

#include <algorithm>

#include "levenberg_marquardt.hpp"

namespace limbik {

// One round: how much rotation weighs against position, and how many steps it takes.
struct Round {
    double weight;
    int steps;
};
// A look from many starts, then the way on from the best of them.
inline constexpr Round LOOK[] = {{0.0, 20}};
inline constexpr Round ROUNDS[] = {{0.02, 14}, {0.0, 8}};
inline constexpr int STARTS = 40;
// So many of them near the target, by the seed table; the others anywhere.
inline constexpr int FROM_TABLE = 16;

// Damping at the start, and how it falls and rises.
inline constexpr double FIRST_DAMPING = 1e-2, EASE = 0.25, STIFFEN = 6.0;

// The cost and its right side b at a posture; without weight, the three rows of the position alone.
template <class R> inline R cost_of(const Pose<R>& T, const Pose<R>& target, double length, double weight, R* b) {
    const Vector3<R> p = scaled(target.origin - T.origin, R(1.0 / length));
    b[0] = p.x, b[1] = p.y, b[2] = p.z;
    const R cost = R(0.5) * dot(p, p);
    if (weight == 0.0) return cost;
    Vector3<R> c[3];
    relative_rotation(target, T, c);
    const double half = 0.5 * weight;
    b[3] = R(half) * (c[1].z - c[2].y), b[4] = R(half) * (c[2].x - c[0].z), b[5] = R(half) * (c[0].y - c[1].x);
    return madd(R(weight * weight), R(1.0) - R(0.5) * (c[0].x + c[1].y + c[2].z - R(1.0)), cost);
}

// One round in every lane, with M = 3 rows for the position alone and 6 for both.
template <int N, int M, class R>
inline void descend(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                    const double* upper, const Pose<R>& target, const Round& round, R q[N]) {
    Axis<R> axes[N];
    R J[M][N], b[M], damping = R(FIRST_DAMPING);
    auto look = [&](const R* at, R rows[M][N], R* side) {
        const Pose<R> T = forward_chain<true, R>(chain, frame, at, axes);
        weighed_jacobian<N, M, R>(chain, axes, T.origin, effort.length, rows);
        for (int k = 3; k < M; ++k)
            for (int i = 0; i < N; ++i) rows[k][i] = rows[k][i] * R(round.weight);
        return cost_of(T, target, effort.length, round.weight, side);
    };
    R cost = look(q, J, b);
    for (int step = 0; step < round.steps; ++step) {
        R work[M][N], side[M], trial[N];
        for (int k = 0; k < M; ++k) {
            side[k] = b[k];
            for (int i = 0; i < N; ++i) work[k][i] = J[k][i];
        }
        const R scale = damping * (cost + R(LEAST_DAMPING));
        bounded_step<N, M, R>(chain, effort, lower, upper, work, side, scale, q, trial);
        R new_J[M][N], new_b[M];
        const R new_cost = look(trial, new_J, new_b);
        const auto better = new_cost < cost;
        cost = select(better, new_cost, cost);
        damping = select(better, damping * R(EASE), damping * R(STIFFEN));
        for (int i = 0; i < N; ++i) {
            q[i] = select(better, trial[i], q[i]);
            for (int k = 0; k < M; ++k) J[k][i] = select(better, new_J[k][i], J[k][i]);
        }
        for (int k = 0; k < M; ++k) b[k] = select(better, new_b[k], b[k]);
    }
}

template <int N, class R, int COUNT>
inline void approach(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                     const double* upper, const Pose<R>& target, const Round (&rounds)[COUNT], R q[N]) {
    for (const Round& round : rounds) {
        if (round.weight == 0.0)
            descend<N, 3, R>(chain, frame, effort, lower, upper, target, round, q);
        else
            descend<N, 6, R>(chain, frame, effort, lower, upper, target, round, q);
    }
}

// Steps of the exact Newton method at the end, and how its damping rises when a step does not help.
inline constexpr int NEWTON_STEPS = 16;

// Bring a posture that is nearest in position, or nearly, to rest: Newton's method with the true second derivatives. At the
// edge of the reach the residual stays large, and the steps above, which leave its curvature out, only creep there.
// d2p / dqi dqj = wi x Jj for a turning joint i at or before j, and 0 for a sliding one.
template <int N>
inline void come_to_rest(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                         const double* upper, const Vector3<double>& target, double q[N]) {
    Axis<double> axes[N];
    double damping = 1e-9, best = 1e300;
    double kept[N], step[N];
    std::copy_n(q, N, kept);
    for (int round = 0; round < NEWTON_STEPS; ++round) {
        const Pose<double> T = forward_chain<true, double>(chain, frame, q, axes);
        const Vector3<double> e = scaled(target - T.origin, 1.0 / effort.length);
        const double cost = dot(e, e);
        if (!(cost < best)) {  // back to where it was better, more carefully
            std::copy_n(kept, N, q);
            damping = std::max(damping * 100.0, 1e-6);
            if (damping > 1e6) return;
            best = 1e300;
            continue;
        }
        const double gain = best - cost;
        best = cost;
        std::copy_n(q, N, kept);
        damping *= 0.1;
        double J[3][N], a[N * (N + 1) / 2];
        weighed_jacobian<N, 3, double>(chain, axes, T.origin, effort.length, J);
        bool held[N];
        for (int i = 0; i < N; ++i) {
            step[i] = J[0][i] * e.x + J[1][i] * e.y + J[2][i] * e.z;
            held[i] = (q[i] <= lower[i] && step[i] < 0.0) || (q[i] >= upper[i] && step[i] > 0.0);
            if (held[i]) step[i] = 0.0;
        }
        double largest = 0.0;
        for (int j = 0, m = 0; j < N; ++j)
            for (int i = 0; i <= j; ++i, ++m) {  // i is nearer the base
                const Vector3<double> Jj = {J[0][j], J[1][j], J[2][j]};
                const bool turns = chain.joints[std::size_t(i)].kind == Kind::revolute;
                const double bend = turns ? dot(e, cross(axes[i].direction, Jj)) : 0.0;
                const double h = J[0][i] * J[0][j] + J[1][i] * J[1][j] + J[2][i] * J[2][j] - bend;
                a[m] = held[i] || held[j] ? 0.0 : h;
                if (i == j) largest = std::max(largest, std::fabs(h));
            }
        // Make it positive definite: the smallest of a few shifts that a factorisation accepts.
        double work[N * (N + 1) / 2], d[N];
        for (double shift = damping * largest + 1e-14;; shift = shift * 30.0 + 1e-12) {
            std::copy_n(a, N * (N + 1) / 2, work);
            std::copy_n(step, N, d);
            for (int j = 0; j < N; ++j) work[j * (j + 3) / 2] += held[j] ? 1.0 : shift;
            solve_spd<N>(work, d);
            bool fine = true;
            for (int j = 0; j < N; ++j) fine = fine && std::isfinite(d[j]);
            if (fine || shift > 1e6) break;
        }
        for (int i = 0; i < N; ++i) {
            if (!std::isfinite(d[i])) return;
            const double unit = chain.joints[std::size_t(i)].kind == Kind::prismatic ? effort.length : 1.0;
            q[i] = std::clamp(q[i] + std::clamp(d[i], -0.3, 0.3) * unit, lower[i], upper[i]);
        }
        if (round > 1 && gain < 1e-14 * cost) return;
    }
    const Pose<double> T = forward_chain<true, double>(chain, frame, q, axes);
    const Vector3<double> e = scaled(target - T.origin, 1.0 / effort.length);
    if (!(dot(e, e) <= best)) std::copy_n(kept, N, q);
}

// Is (p1, r1) nearer than (p2, r2)? Positions that agree to this part count as equal.
inline bool nearer(double p1, double r1, double p2, double r2, double tolerance) {
    constexpr double EQUAL = 1e-5;
    if (p1 < p2 * (1.0 - EQUAL) - tolerance) return true;
    if (p2 < p1 * (1.0 - EQUAL) - tolerance) return false;
    return r1 < r2;
}

}  // namespace limbik
