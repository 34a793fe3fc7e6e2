// Rows in memory to lanes and back: number j of W rows is one register.
#pragma once

#include <cstring>
#include <initializer_list>

#include "lanes.hpp"

namespace limbik::simd {

// Transpose a W x W matrix whose rows are registers, in place.
template <int W> LIMBIK_INLINE void transpose(Lanes<W> m[W]) {
#if defined(LIMBIK_SHUFFLES)
    if constexpr (W == 2) {
        const auto a = m[0].v, b = m[1].v;
        m[0].v = __builtin_shufflevector(a, b, 0, 2);
        m[1].v = __builtin_shufflevector(a, b, 1, 3);
        return;
    } else if constexpr (W == 4) {
        Lanes<4> t[4];
        for (int i = 0; i < 4; i += 2) {
            t[i].v = __builtin_shufflevector(m[i].v, m[i + 1].v, 0, 4, 2, 6);
            t[i + 1].v = __builtin_shufflevector(m[i].v, m[i + 1].v, 1, 5, 3, 7);
        }
        for (int i = 0; i < 2; ++i) {
            m[i].v = __builtin_shufflevector(t[i].v, t[i + 2].v, 0, 1, 4, 5);
            m[i + 2].v = __builtin_shufflevector(t[i].v, t[i + 2].v, 2, 3, 6, 7);
        }
        return;
    } else if constexpr (W == 8) {
        Lanes<8> t[8], u[8];
        for (int i = 0; i < 8; i += 2) {
            t[i].v = __builtin_shufflevector(m[i].v, m[i + 1].v, 0, 8, 2, 10, 4, 12, 6, 14);
            t[i + 1].v = __builtin_shufflevector(m[i].v, m[i + 1].v, 1, 9, 3, 11, 5, 13, 7, 15);
        }
        for (int i : {0, 1, 4, 5}) {
            u[i].v = __builtin_shufflevector(t[i].v, t[i + 2].v, 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + 2].v = __builtin_shufflevector(t[i].v, t[i + 2].v, 2, 3, 10, 11, 6, 7, 14, 15);
        }
        for (int i = 0; i < 4; ++i) {
            m[i].v = __builtin_shufflevector(u[i].v, u[i + 4].v, 0, 1, 2, 3, 8, 9, 10, 11);
            m[i + 4].v = __builtin_shufflevector(u[i].v, u[i + 4].v, 4, 5, 6, 7, 12, 13, 14, 15);
        }
        return;
    }
#endif
    for (int i = 0; i < W; ++i)
        for (int j = i + 1; j < W; ++j) {
            const double a = m[i][j], b = m[j][i];
            m[i].set(j, b);
            m[j].set(i, a);
        }
}

template <int W> inline Lanes<W> load_lanes(const double* from) {
    Lanes<W> x;
    std::memcpy(&x.v, from, sizeof x.v);
    return x;
}
template <int W> inline void store_lanes(Lanes<W> x, double* to) { std::memcpy(to, &x.v, sizeof x.v); }

// The first number of each of W rows. One expression: an array in between would stall on store forwarding.
template <int W> inline Lanes<W> gather(const double* const row[W]) {
#if defined(LIMBIK_VECTOR_EXTENSION)
    if constexpr (W == 2) return Lanes<W>(typename Native<W>::real{*row[0], *row[1]});
    if constexpr (W == 4) return Lanes<W>(typename Native<W>::real{*row[0], *row[1], *row[2], *row[3]});
    if constexpr (W == 8)
        return Lanes<W>(
            typename Native<W>::real{*row[0], *row[1], *row[2], *row[3], *row[4], *row[5], *row[6], *row[7]});
#endif
    Lanes<W> x;
    for (int i = 0; i < W; ++i) x.set(i, *row[i]);
    return x;
}

// Load `count` rows of n numbers: out[j] has number j of each. Spare lanes repeat the last row.
template <class R> LIMBIK_INLINE void load_rows(const double* rows, int n, int count, R* out) {
    if constexpr (width<R> == 1) {
        for (int j = 0; j < n; ++j) out[j] = rows[j];
    } else {
        constexpr int W = width<R>;
        const double* row[W];
        for (int i = 0; i < W; ++i) row[i] = rows + long(i < count ? i : count - 1) * n;
        for (int j = 0; j < n; ++j) {
            out[j] = gather<W>(row);
            for (int i = 0; i < W; ++i) ++row[i];
        }
    }
}

// Store the first `count` lanes as rows of `size` numbers, `stride` apart: number j of row i is lane i of values[j].
template <class R> LIMBIK_INLINE void store_rows(const R* values, int size, int count, double* out, long stride) {
    constexpr int W = width<R>;
    int j = 0;
    if constexpr (W > 1) {
        if (count == W)
            for (; j + W <= size; j += W) {
                Lanes<W> block[W];
                for (int i = 0; i < W; ++i) block[i] = values[j + i];
                transpose<W>(block);
                for (int i = 0; i < W; ++i) store_lanes<W>(block[i], out + i * stride + j);
            }
    }
    for (; j < size; ++j)
        for (int i = 0; i < count; ++i) out[i * stride + j] = lane(values[j], i);
}

}  // namespace limbik::simd
