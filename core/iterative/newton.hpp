// Newton's method for the nearest posture, one problem per lane, with the true second derivatives.
//
// Minimises wp^2 |e|^2 / 2 + wr^2 |r|^2 / 2 inside the limits, e = (target - p(q)) / length and r the rotation vector
// that is missing. Where a target cannot be reached these stay large, and steps that leave their curvature out only
// creep; Newton's end in a few. With wi the axis of joint i, Ji its column of the position's Jacobian, and i <= j:
//   position   Ji . Jj - wi . (Jj x e), because the second derivative of p is wi x Jj where joint i turns, 0 where it
//   slides; rotation   wi . S wj - r . (wi x wj) / 2, S = I + c (r r' - |r|^2 I), c = (1 - (|r|/2) cot(|r|/2)) / |r|^2.
//   The gradient is
//              -wj . r; the inverse Jacobian of the logarithm gives S and half of r . (wi x wj), and the turning of wj
//              with joint i takes the whole of it off.
// Their sum is shifted until it is positive definite and the step lowers the cost: where it is not, the factorisation
// gives no number, no number is no improvement, and the shift grows.
#pragma once

#include "../geometry/pose_error.hpp"
#include "levenberg_marquardt.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// The shift of the second derivatives at first and at the least, and how it falls and rises.
inline constexpr double FIRST_SHIFT = 0.1, LEAST_SHIFT = 1e-9, SHIFT_EASE = 0.1, SHIFT_STIFFEN = 5.0;

inline double unit_of(const ScalarChain& chain, const Effort& effort, int joint) {
    return chain.joints[std::size_t(joint)].kind == Kind::prismatic ? effort.length : 1.0;
}

// Shorten the joints of a step that would pass a bound, or go too far, and let the others make the best of it: they
// were reckoning with all of it, and left as they are they often make things worse.
template <int N, class R> LIMBIK_INLINE void end_at_bounds(const ScalarChain& chain, const Effort& effort,
                                                           const double* lower, const double* upper, const R q[N],
                                                           const R H[N * (N + 1) / 2], const R gradient[N], R d[N]) {
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

// What the method needs to know of a posture.
template <int N, bool TURNS, class R> struct Standing {
    Axis<R> axes[N];
    R J[3][N], cost;
    Vector3<R> e, r;

    LIMBIK_NOINLINE void stand(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort,
                               const Pose<R>& target, const Weights& weights, const R q[N]) {
        const Pose<R> T = forward_chain_noinline<true, R>(chain, frame, q, axes);
        weighed_jacobian<N, 3, R>(chain, axes, T.origin, effort.length, J);
        e = scaled(target.origin - T.origin, R(1.0 / effort.length));
        if constexpr (TURNS) {
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

// (1 - x cot x) / (2x)^2 for x = angle / 2: how the inverse Jacobian of the logarithm bends.
template <class R> LIMBIK_INLINE R logarithm_bend(R angle_squared) {
    constexpr double SMALL = 1e-3;  // below, the series is exact to 1e-11
    const auto small = angle_squared < R(SMALL);
    const R squared = select(small, R(1.0), angle_squared);
    const R half = R(0.5) * square_root(squared);
    R s, c;
    sincos(half, s, c);
    return select(small, madd(angle_squared, R(1.0 / 720.0), R(1.0 / 12.0)), (R(1.0) - half * c / s) / squared);
}

// Takes `steps` steps in every lane; the weighed square, in lengths, of where they end.
template <int N, bool TURNS, class R>
LIMBIK_NOINLINE R newton(const ScalarChain& chain, const ChainFrame& frame, const Effort& effort, const double* lower,
                         const double* upper, const Pose<R>& target, const Weights& weights, int steps, R q[N],
                         double first_shift = FIRST_SHIFT) {
    const R wp = R(weights.position * weights.position), wr = R(weights.rotation * weights.rotation);
    Standing<N, TURNS, R> now, then;
    R shift = R(first_shift);
    now.stand(chain, frame, effort, target, weights, q);
    for (int step = 0; step < steps; ++step) {
        R H[N * (N + 1) / 2], gradient[N], a[N * (N + 1) / 2], d[N], trial[N];
        const R size = madd(shift, square_root(now.cost), R(LEAST_SHIFT));
        Vector3<R> bend[N], turned[N];
        R c = R(0.0), around = R(0.0);
        if constexpr (TURNS) {
            const R squared = dot(now.r, now.r);
            c = logarithm_bend(squared);
            around = R(1.0) - c * squared;
        }
        for (int j = 0; j < N; ++j) {
            const Vector3<R> Jj = {now.J[0][j], now.J[1][j], now.J[2][j]};
            const Vector3<R> w = now.axes[j].direction;
            R slope = dot(Jj, now.e);
            if constexpr (TURNS) {
                slope = slope * wp;
                if (chain.joints[std::size_t(j)].kind == Kind::revolute) slope = madd(wr, dot(w, now.r), slope);
            }
            const auto held = ((q[j] <= R(lower[j])) & (slope < R(0.0))) | ((q[j] >= R(upper[j])) & (slope > R(0.0)));
            // A held joint's row and column become those of the shift: its axis and its Jacobian count as 0.
            const R moves = select(held, R(0.0), R(1.0));
            gradient[j] = slope * moves;
            for (int k = 0; k < 3; ++k) now.J[k][j] = now.J[k][j] * moves;
            now.axes[j].direction = scaled(w, moves);
            bend[j] = scaled(cross(Jj, now.e), moves);
            if constexpr (TURNS) {  // S w - (w x r) / 2, to be met with the axis of an earlier joint
                const Vector3<R> S = scaled(w, around) + scaled(now.r, c * dot(now.r, w));
                turned[j] = scaled(S - scaled(cross(w, now.r), R(0.5)), moves);
            }
        }
        for (int j = 0, m = 0; j < N; ++j)
            for (int i = 0; i <= j; ++i, ++m) {
                const bool turns = chain.joints[std::size_t(i)].kind == Kind::revolute;
                R h = madd(now.J[0][i], now.J[0][j], madd(now.J[1][i], now.J[1][j], now.J[2][i] * now.J[2][j]));
                if (turns) h = h - dot(now.axes[i].direction, bend[j]);
                if constexpr (TURNS) {
                    h = h * wp;
                    if (turns && chain.joints[std::size_t(j)].kind == Kind::revolute)
                        h = madd(wr, dot(now.axes[i].direction, turned[j]), h);
                }
                H[m] = a[m] = i == j ? h + size : h;
            }
        for (int j = 0; j < N; ++j) d[j] = gradient[j];
        solve_spd<N>(a, d);
        end_at_bounds<N, R>(chain, effort, lower, upper, q, H, gradient, d);
        for (int i = 0; i < N; ++i)
            trial[i] = clamp(q[i] + d[i] * R(unit_of(chain, effort, i)), R(lower[i]), R(upper[i]));
        then.stand(chain, frame, effort, target, weights, trial);
        const auto better = then.cost < now.cost;
        // A lane that stays where it was keeps its held joints out: what is 0 stays 0.
        now.cost = select(better, then.cost, now.cost);
        shift = select(better, shift * R(SHIFT_EASE), shift * R(SHIFT_STIFFEN));
        now.e = select(better, then.e, now.e);
        if constexpr (TURNS) now.r = select(better, then.r, now.r);
        for (int i = 0; i < N; ++i) {
            q[i] = select(better, trial[i], q[i]);
            now.axes[i].direction = select(better, then.axes[i].direction, now.axes[i].direction);
            for (int k = 0; k < 3; ++k) now.J[k][i] = select(better, then.J[k][i], now.J[k][i]);
        }
    }
    return now.cost;
}

}  // namespace limbik::iterative
