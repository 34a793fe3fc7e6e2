// Newton's method for the closest configuration, one problem per lane, with the exact Hessian.
//
// Minimises wp^2 |e|^2 / 2 + wr^2 |r|^2 / 2 inside the limits, e = (target - p(q)) / length and r the rotation vector
// of the error. At an unreachable target the residuals stay large, and Gauss-Newton steps, which leave out their
// curvature, converge slowly. With wi the axis of joint i, Ji its column of the position's Jacobian, and i <= j, the
// entries of the Hessian are
//   position   Ji . Jj - wi . (Jj x e), since the second derivative of p is wi x Jj for a revolute joint i, 0 for a
//              prismatic one;
//   rotation   wi . S wj - r . (wi x wj) / 2, S = I + c (r r' - |r|^2 I), c = (1 - (|r|/2) cot(|r|/2)) / |r|^2.
//              The gradient is -wj . r. The inverse Jacobian of the logarithm gives S and half of r . (wi x wj); the
//              rotation of wj by joint i subtracts the whole of it.
// The Hessian is shifted until it is positive definite and the step lowers the cost. Where it is not, its Cholesky
// factors are NaN, the step is rejected, and the shift increases.
#pragma once

#include "../geometry/pose_error.hpp"
#include "levenberg_marquardt.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// The first and the least shift of the Hessian, and its factors after accepted and rejected steps.
inline constexpr double FIRST_SHIFT = 0.1, LEAST_SHIFT = 1e-9, SHIFT_DECREASE = 0.1, SHIFT_INCREASE = 5.0;

inline double unit_of(const ScalarChain& chain, const StepSettings& settings, int joint) {
    return chain.joints[std::size_t(joint)].kind == Kind::prismatic ? settings.length : 1.0;
}

// Clamp the joints whose step exceeds a bound or the largest step, and minimise again over the others: with their old
// steps the cost would often rise.
template <int N, class R> LIMBIK_INLINE void end_at_bounds(const ScalarChain& chain, const StepSettings& settings,
                                                           const double* lower, const double* upper, const R q[N],
                                                           const R H[N * (N + 1) / 2], const R gradient[N], R d[N]) {
    R ended[N], free[N], some = R(0.0);
    for (int i = 0; i < N; ++i) {
        const double per_unit = 1.0 / unit_of(chain, settings, i);
        const R low = (R(lower[i]) - q[i]) * R(per_unit), high = (R(upper[i]) - q[i]) * R(per_unit);
        ended[i] = clamp(clamp(d[i], R(-settings.largest_step), R(settings.largest_step)), low, high);
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
        const R rest = clamp(b[i], R(-settings.largest_step), R(settings.largest_step));
        d[i] = select(free[i] > R(0.0), rest, ended[i]);
    }
}

// Axes, position Jacobian, errors and cost of a configuration.
template <int N, bool ROTATION, class R> struct Linearisation {
    Axis<R> axes[N];
    R J[3][N], cost;
    Vector3<R> e, r;

    LIMBIK_NOINLINE void evaluate(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings,
                                  const Pose<R>& target, const Weights& weights, const R q[N]) {
        const Pose<R> T = forward_chain_noinline<true, R>(chain, frame, q, axes);
        weighted_jacobian<N, 3, R>(chain, axes, T.origin, settings.length, J);
        e = scaled(target.origin - T.origin, R(1.0 / settings.length));
        if constexpr (ROTATION) {
            Vector3<R> c[3];
            relative_rotation(target, T, c);
            r = rotation_logarithm(c[0], c[1], c[2]);
            cost = madd(R(weights.position * weights.position), dot(e, e),
                        R(weights.rotation * weights.rotation) * dot(r, r));
        } else {
            cost = dot(e, e);
        }
    }
};

// c = (1 - x cot x) / (2x)^2 for x = angle / 2, of the inverse Jacobian of the logarithm.
template <class R> LIMBIK_INLINE R logarithm_bend(R angle_squared) {
    constexpr double SMALL = 1e-3;  // below, the series is exact to 1e-11
    const auto small = angle_squared < R(SMALL);
    const R squared = select(small, R(1.0), angle_squared);
    const R half = R(0.5) * square_root(squared);
    R s, c;
    sincos(half, s, c);
    return select(small, madd(angle_squared, R(1.0 / 720.0), R(1.0 / 12.0)), (R(1.0) - half * c / s) / squared);
}

// Take `steps` steps in every lane. Returns the weighted squared error where they end, in lengths.
template <int N, bool ROTATION, class R>
LIMBIK_NOINLINE R newton(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings,
                         const double* lower, const double* upper, const Pose<R>& target, const Weights& weights,
                         int steps, R q[N], double first_shift = FIRST_SHIFT) {
    const R wp = R(weights.position * weights.position), wr = R(weights.rotation * weights.rotation);
    Linearisation<N, ROTATION, R> now, then;
    R shift = R(first_shift);
    now.evaluate(chain, frame, settings, target, weights, q);
    for (int step = 0; step < steps; ++step) {
        R H[N * (N + 1) / 2], gradient[N], a[N * (N + 1) / 2], d[N], trial[N];
        const R size = madd(shift, square_root(now.cost), R(LEAST_SHIFT));
        Vector3<R> bend[N], rotation_term[N];
        R c = R(0.0), around = R(0.0);
        if constexpr (ROTATION) {
            const R squared = dot(now.r, now.r);
            c = logarithm_bend(squared);
            around = R(1.0) - c * squared;
        }
        for (int j = 0; j < N; ++j) {
            const Vector3<R> Jj = {now.J[0][j], now.J[1][j], now.J[2][j]};
            const Vector3<R> w = now.axes[j].direction;
            R slope = dot(Jj, now.e);
            if constexpr (ROTATION) {
                slope = slope * wp;
                if (chain.joints[std::size_t(j)].kind == Kind::revolute) slope = madd(wr, dot(w, now.r), slope);
            }
            const auto held = ((q[j] <= R(lower[j])) & (slope < R(0.0))) | ((q[j] >= R(upper[j])) & (slope > R(0.0)));
            // The axis and the Jacobian column of a held joint count as 0, so that only the shift is left in its row.
            const R moves = select(held, R(0.0), R(1.0));
            gradient[j] = slope * moves;
            for (int k = 0; k < 3; ++k) now.J[k][j] = now.J[k][j] * moves;
            now.axes[j].direction = scaled(w, moves);
            bend[j] = scaled(cross(Jj, now.e), moves);
            if constexpr (ROTATION) {  // S w - (w x r) / 2, to be multiplied by the axis of an earlier joint
                const Vector3<R> S = scaled(w, around) + scaled(now.r, c * dot(now.r, w));
                rotation_term[j] = scaled(S - scaled(cross(w, now.r), R(0.5)), moves);
            }
        }
        for (int j = 0, m = 0; j < N; ++j)
            for (int i = 0; i <= j; ++i, ++m) {
                const bool revolute = chain.joints[std::size_t(i)].kind == Kind::revolute;
                R h = madd(now.J[0][i], now.J[0][j], madd(now.J[1][i], now.J[1][j], now.J[2][i] * now.J[2][j]));
                if (revolute) h = h - dot(now.axes[i].direction, bend[j]);
                if constexpr (ROTATION) {
                    h = h * wp;
                    if (revolute && chain.joints[std::size_t(j)].kind == Kind::revolute)
                        h = madd(wr, dot(now.axes[i].direction, rotation_term[j]), h);
                }
                H[m] = a[m] = i == j ? h + size : h;
            }
        for (int j = 0; j < N; ++j) d[j] = gradient[j];
        solve_spd<N>(a, d);
        end_at_bounds<N, R>(chain, settings, lower, upper, q, H, gradient, d);
        for (int i = 0; i < N; ++i)
            trial[i] = clamp(q[i] + d[i] * R(unit_of(chain, settings, i)), R(lower[i]), R(upper[i]));
        then.evaluate(chain, frame, settings, target, weights, trial);
        const auto better = then.cost < now.cost;
        // A lane whose step is rejected keeps the zeros of its held joints.
        now.cost = select(better, then.cost, now.cost);
        shift = select(better, shift * R(SHIFT_DECREASE), shift * R(SHIFT_INCREASE));
        now.e = select(better, then.e, now.e);
        if constexpr (ROTATION) now.r = select(better, then.r, now.r);
        for (int i = 0; i < N; ++i) {
            q[i] = select(better, trial[i], q[i]);
            now.axes[i].direction = select(better, then.axes[i].direction, now.axes[i].direction);
            for (int k = 0; k < 3; ++k) now.J[k][i] = select(better, then.J[k][i], now.J[k][i]);
        }
    }
    return now.cost;
}

}  // namespace limbik::iterative
