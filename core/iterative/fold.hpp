// Across a fold: the second of two configurations that lie close together near a singularity.
//
// Searches from different starts tend to end at the same one. Let v be the direction in joint space that moves the tip
// least, and u the direction in which the tip moves least. At a distance t along v the error along u is a t + b t^2, so
// there is another root near t = -a / b.
#pragma once

#include <algorithm>

#include "../linalg/elimination.hpp"
#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

// The other root is searched for where it is expected within FOLD_AHEAD [rad]. Its distance is estimated by finite
// differences over FOLD_PROBE [rad].
inline constexpr double FOLD_AHEAD = 0.5, FOLD_PROBE = 1e-3;
// Rounds of the inverse iteration for the weakest directions, and the shift that keeps it regular.
inline constexpr int WEAKEST_ROUNDS = 3;
inline constexpr double WEAKEST_SHIFT = 1e-9;

// The unit vector x of least |A x|; product(i, j) is entry (i, j) of A' A.
template <int N, class R, class Product> LIMBIK_INLINE void weakest_of(const Product& product, R x[N]) {
    for (int j = 0; j < N; ++j) x[j] = R(1.0 + 0.1 * j);  // a direction that is unlikely to be orthogonal to the result
    for (int round = 0; round < WEAKEST_ROUNDS; ++round) {
        R a[N * (N + 1) / 2], sum = R(0.0);
        for (int i = 0, m = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j, ++m) a[m] = product(i, j) + R(i == j ? WEAKEST_SHIFT : 0.0);
        solve_spd<N>(a, x);
        for (int j = 0; j < N; ++j) sum = madd(x[j], x[j], sum);
        const R size = square_root(sum);
        for (int j = 0; j < N; ++j) x[j] = x[j] / size;
    }
}

// The unit directions u of least |J' u| and v of least |J v|.
template <int N, int M, class R> LIMBIK_INLINE void weakest(const R J[M][N], R u[M], R v[N]) {
    weakest_of<N, R>(
        [&](int i, int j) {
            R sum = J[0][i] * J[0][j];
            for (int k = 1; k < M; ++k) sum = madd(J[k][i], J[k][j], sum);
            return sum;
        },
        v);
    weakest_of<M, R>(
        [&](int i, int j) {
            R sum = J[i][0] * J[j][0];
            for (int k = 1; k < N; ++k) sum = madd(J[i][k], J[j][k], sum);
            return sum;
        },
        u);
}

// The side of the folds on which a configuration lies: the sign of the determinant of its M x N Jacobian, 0 where
// M != N.
template <int N, int M>
inline int side_of_folds(const ScalarChain& chain, const ChainFrame& frame, double length, const double* q) {
    if constexpr (N != M) {
        (void)chain, (void)frame, (void)length, (void)q;
        return 0;
    } else {
        Axis<double> axes[N];
        const Pose<double> T = forward_chain_noinline<true, double>(chain, frame, q, axes);
        double J[M][N];
        weighted_jacobian<N, M, double>(chain, axes, T.origin, length, J);
        return eliminate<N, N>(J);
    }
}

// The distance along v of the other root, from the errors along u at +FOLD_PROBE and -FOLD_PROBE.
template <class R> LIMBIK_INLINE R distance_across_fold(R ahead, R behind) {
    const R slope = (ahead - behind) * R(0.5 / FOLD_PROBE),
            bend = (ahead + behind) * R(0.5 / (FOLD_PROBE * FOLD_PROBE));
    return -slope / bend;
}

}  // namespace limbik::iterative
