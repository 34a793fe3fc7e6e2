// Cholesky factorization of small symmetric positive definite systems: A = L L', then A x = b by two substitutions.
//
//     d_j  = A_jj - sum L_jk^2,  L_jj = sqrt(d_j)        sums over k < j, from k = 0 upward, products fused
//     L_ij = (A_ij - sum L_ik L_jk) / L_jj               for i > j
//
// The formula is written once, for one problem or one per lane, for sizes that the compiler knows or not. L overwrites
// the lower half of A; its diagonal is stored inverted, so that a solution divides by nothing. Where A is not positive
// definite the mask is false and the results are NaN or meaningless.
//
// Skyline (skyline.hpp) is a different storage: its rows begin late, and its sums run along a row, several columns in
// one register.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

#include "../simd/trigonometry.hpp"

namespace limbik::linalg {

// A storage gives the place of entry (i, j) of the lower half, row(i) + j, and the loops over its indices: each(from,
// to, body) calls body(i) for i from `from` to `to` - 1; tiles(first, body) calls body(count, i) for groups of `count`
// rows i .. i + count - 1 from `first` to the last row. The sums of a group run side by side.
//
// Triangle: the rows of the lower triangle one after the other. The compiler knows N and unrolls every loop, so that
// entries stay in registers.
template <int N> struct Triangle {
    static constexpr int size = N;
    static constexpr std::size_t row(int i) { return std::size_t(i * (i + 1) / 2); }
    template <class Body> LIMBIK_INLINE static void each(int from, int to, const Body& body) {
        LIMBIK_EACH(i, N) if (i >= from && i < to) body(i);
    }
    template <class Body> LIMBIK_INLINE static void tiles(int first, const Body& body) {
        LIMBIK_EACH(i, N) if (i >= first) body(std::integral_constant<int, 1>(), i);
    }
};
// FullRows: full rows, `stride` apart. A single sum would wait for each of its products, so four run side by side.
struct FullRows {
    int size, stride;
    std::size_t row(int i) const { return std::size_t(i) * std::size_t(stride); }
    template <class Body> LIMBIK_INLINE void each(int from, int to, const Body& body) const {
        for (int i = from; i < to; ++i) body(i);
    }
    template <class Body> LIMBIK_INLINE void tiles(int first, const Body& body) const {
        constexpr int TILE = 4;
        int i = first;
        for (; i + TILE <= size; i += TILE) body(std::integral_constant<int, TILE>(), i);
        for (; i < size; ++i) body(std::integral_constant<int, 1>(), i);
    }
};

// Factor A in place. `pivot(d)` may change d_j before its root is taken. Returns the mask of the problems in which
// every d_j is positive.
template <class Storage, class R, class Pivot = std::identity>
LIMBIK_INLINE MaskOf<R> cholesky_factor(const Storage& storage, R* a, const Pivot& pivot = {}) {
    const auto at = [&](int i, int j) LIMBIK_INLINE_LAMBDA -> R& { return a[storage.row(i) + std::size_t(j)]; };
    MaskOf<R> positive = R(0.0) == R(0.0);
    storage.each(0, storage.size, [&](int j) LIMBIK_INLINE_LAMBDA {
        R inverse = R(0.0);
        storage.tiles(j, [&]<int COUNT>(std::integral_constant<int, COUNT>, int i) LIMBIK_INLINE_LAMBDA {
            R sum[COUNT];
            LIMBIK_EACH(t, COUNT) sum[t] = at(i + t, j);
            storage.each(0, j, [&](int k) LIMBIK_INLINE_LAMBDA {
                LIMBIK_EACH(t, COUNT) sum[t] = nmadd(at(i + t, k), at(j, k), sum[t]);
            });
            if (i == j) {
                const R d = pivot(sum[0]);
                positive = positive & (d > R(0.0));
                inverse = R(1.0) / square_root(d);
            }
            LIMBIK_EACH(t, COUNT) at(i + t, j) = i + t == j ? inverse : sum[t] * inverse;
        });
    });
    return positive;
}

// Solve L L' x = b in place.
template <class Storage, class R> LIMBIK_INLINE void cholesky_solve(const Storage& storage, const R* L, R* b) {
    const auto at = [&](int i, int j) LIMBIK_INLINE_LAMBDA { return L[storage.row(i) + std::size_t(j)]; };
    const int n = storage.size;
    storage.each(0, n, [&](int i) LIMBIK_INLINE_LAMBDA {
        R x = b[i];
        storage.each(0, i, [&](int k) LIMBIK_INLINE_LAMBDA { x = nmadd(at(i, k), b[k], x); });
        b[i] = x * at(i, i);
    });
    storage.each(0, n, [&](int back) LIMBIK_INLINE_LAMBDA {
        const int i = n - 1 - back;
        R x = b[i];
        storage.each(i + 1, n, [&](int k) LIMBIK_INLINE_LAMBDA { x = nmadd(at(k, i), b[k], x); });
        b[i] = x * at(i, i);
    });
}

// Solve an N x N system in place: a is its lower triangle by rows, b becomes the solution.
template <int N, class R> LIMBIK_INLINE void solve_spd(R a[N * (N + 1) / 2], R b[N]) {
    cholesky_factor(Triangle<N>(), a);
    cholesky_solve(Triangle<N>(), a, b);
}

}  // namespace limbik::linalg
