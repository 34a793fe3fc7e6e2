// Newton's method for the nearest position, one problem per lane, with the true second derivatives.
//
// Minimises |e|^2 / 2, e = (target - p(q)) / length, inside the limits. Where a target cannot be reached e stays large, and
// steps that leave its curvature out only creep; Newton's end in a few. The second derivative of p for joints i <= j is
// wi x Jj where joint i turns and 0 where it slides, so that
//     H_ij = Ji . Jj - e . (wi x Jj) = Ji . Jj - wi . (Jj x e),
// shifted until it is positive definite and the step lowers the cost: where it is not, the factorisation
// gives no number, no number is no improvement, and the shift grows.
#pragma once

#include "levenberg_marquardt.hpp"

namespace limbik {

// The shift of the second derivatives at first and at the least, and how it falls and rises.
inline constexpr double FIRST_SHIFT = 0.1, LEAST_SHIFT = 1e-9, SHIFT_EASE = 0.1, SHIFT_STIFFEN = 5.0;

inline double unit_of(const ScalarChain& chain, const Effort& effort, int joint) {
    return chain.joints[std::size_t(joint)].kind == Kind::prismatic ? effort.length : 1.0;
}

// Shorten the joints of a step that would pass a bound, or go too far, and let the others make the best of it: they were
// reckoning with all of it, and left as they are they often make things worse.
template <int N, class R>
LIMBIK_INLINE void end_at_bounds(const ScalarChain& chain, const Effort& effort, const double* lower, const double* upper,
                                 const R q[N], const R H[N * (N + 1) / 2], const R gradient[N], R d[N]) {
    R ended[N], free[N], some = R(0.0);
    for (int i = 0; i < N; ++i) {
        const double per_unit = 1.0 / unit_of(chain, effort, i);
        const R low = (R(lower[i]) - q[i]) * R(per_unit), high = (R(upper[i]) - q[i]) * R(per_unit);
        ended[i] = clamp(clamp(d[i], R(-effort.largest_step), R(effort.largest_step)), low, high);
        free[i] = select(ended[i] == d[i], R(1.0), R(0.0));
        some = some + (R(1.0) - free[i]);
    }
    if (!any(some > R(0.0))) return;
    auto at = [](int i, int j) { return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; };
    R a[N * (N + 1) / 2], b[N];
    for (int i = 0; i < N; ++i) {
        b[i] = gradient[i];
        for (int j = 0; j < N; ++j) b[i] = nmadd(H[at(i, j)], ended[j] * (R(1.0) - free[j]), b[i]);
        b[i] = b[i] * free[i];
        for (int j = 0; j <= i; ++j) {
            const R h = H[at(i, j)] * (free[i] * free[j]);
            a[at(i, j)] = i == j ? h + (R(1.0) - free[i]) : h;
        }
    }
    solve_spd<N>(a, b);
    for (int i = 0; i < N; ++i) {
        const R rest = clamp(b[i], R(-effort.largest_step), R(effort.largest_step));
        d[i] = select(free[i] > R(0.0), rest, ended[i]);
    }
}

// Takes `steps` steps in every lane; the squared error, in lengths, of where they end.
template <int N, class R>
inline R newton_to_position(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                            const double* upper, const Vector3<R>& target, int steps, R q[N],
                            double first_shift = FIRST_SHIFT) {
    Axis<R> axes[N], new_axes[N];
    R J[3][N], shift = R(first_shift);
    const R per_length = R(1.0 / effort.length);
    Pose<R> T = forward_chain<true, R>(chain, frame, q, axes);
    weighed_jacobian<N, 3, R>(chain, axes, T.origin, effort.length, J);
    Vector3<R> e = scaled(target - T.origin, per_length);
    R cost = dot(e, e);
    for (int step = 0; step < steps; ++step) {
        R H[N * (N + 1) / 2], gradient[N], a[N * (N + 1) / 2], d[N], trial[N];
        const R size = madd(shift, square_root(cost), R(LEAST_SHIFT));
        Vector3<R> bend[N];
        for (int j = 0; j < N; ++j) {
            const Vector3<R> Jj = {J[0][j], J[1][j], J[2][j]};
            const R slope = dot(Jj, e);
            const auto held = ((q[j] <= R(lower[j])) & (slope < R(0.0))) | ((q[j] >= R(upper[j])) & (slope > R(0.0)));
            // A held joint's row and column become those of the shift: its axis and its Jacobian count as 0.
            const R moves = select(held, R(0.0), R(1.0));
            gradient[j] = slope * moves;
            bend[j] = scaled(cross(Jj, e), moves);
            for (int k = 0; k < 3; ++k) J[k][j] = J[k][j] * moves;
            axes[j].direction = scaled(axes[j].direction, moves);
        }
        for (int j = 0, m = 0; j < N; ++j)
            for (int i = 0; i <= j; ++i, ++m) {
                R h = madd(J[0][i], J[0][j], madd(J[1][i], J[1][j], J[2][i] * J[2][j]));
                if (chain.joints[std::size_t(i)].kind == Kind::revolute) h = h - dot(axes[i].direction, bend[j]);
                H[m] = a[m] = i == j ? h + size : h;
            }
        for (int j = 0; j < N; ++j) d[j] = gradient[j];
        solve_spd<N>(a, d);
        end_at_bounds<N, R>(chain, effort, lower, upper, q, H, gradient, d);
        for (int i = 0; i < N; ++i) {
            const R by = d[i] * R(unit_of(chain, effort, i));
            trial[i] = clamp(q[i] + by, R(lower[i]), R(upper[i]));
        }
        T = forward_chain<true, R>(chain, frame, trial, new_axes);
        const Vector3<R> new_e = scaled(target - T.origin, per_length);
        const R new_cost = dot(new_e, new_e);
        const auto better = new_cost < cost;
        R new_J[3][N];
        weighed_jacobian<N, 3, R>(chain, new_axes, T.origin, effort.length, new_J);
        // A lane that stays where it was keeps its held joints out: what is 0 stays 0.
        cost = select(better, new_cost, cost);
        shift = select(better, shift * R(SHIFT_EASE), shift * R(SHIFT_STIFFEN));
        e = select(better, new_e, e);
        for (int i = 0; i < N; ++i) {
            q[i] = select(better, trial[i], q[i]);
            axes[i].direction = select(better, new_axes[i].direction, axes[i].direction);
            for (int k = 0; k < 3; ++k) J[k][i] = select(better, new_J[k][i], J[k][i]);
        }
    }
    return cost;
}

}  // namespace limbik
