// Beside a fold two roots lie close together, and searches that begin in different places tend to end at the same one.
// From the one that was found the other is found by going across.
//
// Along the direction v in which the tip moves least, the error is a t + b t^2, measured along u, in which it moves
// least: so at t = -a / b, to first order, there is another root.
#pragma once

#include <algorithm>

#include "../linalg/elimination.hpp"
#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

// A posture whose other root would be nearer than this has it looked for [rad]; the fold is felt out by so much to both
// sides.
inline constexpr double FOLD_AHEAD = 0.5, FEELER = 1e-3;
// The weakest directions are found by inverse iteration in so many rounds, with so much added to keep it going.
inline constexpr int WEAKEST_ROUNDS = 3;
inline constexpr double WEAKEST_SHIFT = 1e-9;

// The unit vector x for which |A x| is least, for A' A given by its products.
template <int N, class R, class Product> LIMBIK_INLINE void weakest_of(const Product& product, R x[N]) {
    for (int j = 0; j < N; ++j) x[j] = R(1.0 + 0.1 * j);  // a direction that no chain is likely to be square to
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

// The unit directions u of the tip and v of the joints for which u' J v is least. Each by itself: v may move nothing at
// all.
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

// On which side of the folds a posture lies: the sign of its Jacobian's determinant, of M equations. 0 where as many
// joints are not at hand.
template <int N, int M>
inline int side_of_folds(const ScalarChain& chain, const ChainFrame& frame, double length, const double* q) {
    if constexpr (N != M) {
        (void)chain, (void)frame, (void)length, (void)q;
        return 0;
    } else {
        Axis<double> axes[N];
        const Pose<double> T = forward_chain_noinline<true, double>(chain, frame, q, axes);
        double J[M][N];
        weighed_jacobian<N, M, double>(chain, axes, T.origin, length, J);
        return eliminate<N, N>(J);
    }
}

// How far along v the other root is, from the error along u a feeler ahead and a feeler behind.
template <class R> LIMBIK_INLINE R way_across(R ahead, R behind) {
    const R slope = (ahead - behind) * R(0.5 / FEELER), bend = (ahead + behind) * R(0.5 / (FEELER * FEELER));
    return -slope / bend;
}

}  // namespace limbik::iterative
