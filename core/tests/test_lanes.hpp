// Lanes do what doubles do, lane by lane, and rows go in and out of them without touching a neighbour's memory.
#pragma once

#include "checks.hpp"

namespace limbik::test {

template <int W> inline bool mask_lane(const Mask<W>& m, int i) { return m.bits[i] != 0; }

// Ordinary numbers mixed with those that break shortcuts: zeros of both signs, subnormals, the largest, inf and NaN.
inline double awkward(Random& random) {
    constexpr double INF = std::numeric_limits<double>::infinity();
    constexpr double special[] = {0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1.7e308, -1.7e308, INF, -INF, NAN, 0.5};
    if (random.chance(0.3)) return special[random.integer(0, int(std::size(special)) - 1)];
    return random.sign() * random.magnitude(-20.0, 20.0);
}

template <int W> inline void check_arithmetic(Random& random) {
    double a[W], b[W], c[W];
    for (int i = 0; i < W; ++i) a[i] = awkward(random), b[i] = awkward(random), c[i] = awkward(random);
    const Lanes<W> A = load_lanes<W>(a), B = load_lanes<W>(b), C = load_lanes<W>(c);
    const double one = awkward(random);
    double stored[W];
    store_lanes<W>(A, stored);
    for (int i = 0; i < W; ++i) {
        CHECK(same_bits(stored[i], a[i]), W, i, stored[i], a[i]);
        CHECK(same_bits(Lanes<W>(one)[i], one), W, i, Lanes<W>(one)[i], one);
        CHECK(same_bits((A + B)[i], a[i] + b[i]), W, i, a[i], b[i]);
        CHECK(same_bits((A - B)[i], a[i] - b[i]), W, i, a[i], b[i]);
        CHECK(same_bits((A * B)[i], a[i] * b[i]), W, i, a[i], b[i]);
        CHECK(same_bits((A / B)[i], a[i] / b[i]), W, i, a[i], b[i]);
        CHECK(same_bits((A * one)[i], a[i] * one), W, i, a[i], one);
        CHECK(same_bits((one - A)[i], one - a[i]), W, i, a[i], one);
        CHECK(same_bits((-A)[i], -a[i]), W, i, a[i]);
        CHECK(same_bits(absolute(A)[i], absolute(a[i])), W, i, a[i]);
        CHECK(same_bits(square_root(A)[i], square_root(a[i])), W, i, a[i]);
        CHECK(same_bits(madd(A, B, C)[i], madd(a[i], b[i], c[i])), W, i, a[i], b[i], c[i], madd(A, B, C)[i]);
        CHECK(same_bits(madd(one, B, C)[i], madd(one, b[i], c[i])), W, i, one, b[i], c[i]);
        CHECK(same_bits(madd(A, one, C)[i], madd(a[i], one, c[i])), W, i, a[i], one, c[i]);
        CHECK(same_bits(madd(A, B, one)[i], madd(a[i], b[i], one)), W, i, a[i], b[i], one);
        CHECK(same_bits(nmadd(A, B, C)[i], nmadd(a[i], b[i], c[i])), W, i, a[i], b[i], c[i]);
        CHECK(mask_lane(A < B, i) == (a[i] < b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane(A <= B, i) == (a[i] <= b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane(A > B, i) == (a[i] > b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane(A >= B, i) == (a[i] >= b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane(A == B, i) == (a[i] == b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane(A < one, i) == (a[i] < one), W, i, a[i], one);
        CHECK(mask_lane(!(A < B), i) == !(a[i] < b[i]), W, i, a[i], b[i]);
        CHECK(mask_lane((A < B) & (B < C), i) == (a[i] < b[i] && b[i] < c[i]), W, i, a[i], b[i], c[i]);
        CHECK(mask_lane((A < B) | (B < C), i) == (a[i] < b[i] || b[i] < c[i]), W, i, a[i], b[i], c[i]);
        CHECK(same_bits(select(A < B, B, C)[i], select(a[i] < b[i], b[i], c[i])), W, i, a[i], b[i], c[i]);
        CHECK(mask_lane(finite(A), i) == bool(std::isfinite(a[i])), W, i, a[i]);
        CHECK(finite(a[i]) == bool(std::isfinite(a[i])), a[i]);
    }
    // The integer that a rounded double carries: its parity, and the sign it turns.
    double k[W];
    Lanes<W> counter(ROUNDER);
    for (int i = 0; i < W; ++i) k[i] = random.integer(-70000, 70000), counter.set(i, ROUNDER + k[i]);
    for (int i = 0; i < W; ++i) {
        const long whole = long(k[i]);
        CHECK(mask_lane(is_odd(counter), i) == ((whole & 1) != 0), W, i, whole);
        CHECK(is_odd(ROUNDER + k[i]) == ((whole & 1) != 0), whole);
        for (int add : {0, 1}) {
            const double turned = ((whole + add) & 2) != 0 ? -a[i] : a[i];
            CHECK(same_bits(turn_sign(A, counter, add)[i], turned), W, i, whole, add, a[i]);
            CHECK(same_bits(turn_sign(a[i], ROUNDER + k[i], add), turned), whole, add, a[i]);
        }
    }
}

template <int W> inline void check_masks() {
    CHECK(!any(Lanes<W>(1.0) < Lanes<W>(0.0)), W);
    for (int i = 0; i < W; ++i) {
        Lanes<W> x(0.0);
        x.set(i, 1.0);
        CHECK(any(x > 0.5), W, i);
        CHECK(any(!(x < 0.5)), W, i);
        for (int j = 0; j < W; ++j) {
            CHECK(select(x > 0.5, Lanes<W>(3.0), Lanes<W>(4.0))[j] == (i == j ? 3.0 : 4.0), W, i, j);
            CHECK(lane(x, j) == (i == j ? 1.0 : 0.0), W, i, j);
        }
    }
}

template <int W> inline void check_rows() {
    Lanes<W> m[W];
    for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) m[i].set(j, 100.0 * i + j);
    transpose<W>(m);
    for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) CHECK(m[i][j] == 100.0 * j + i, W, i, j, m[i][j]);

    constexpr double UNTOUCHED = -12345.0;
    for (int n = 0; n <= 2 * W + 3; ++n)
        for (int count = 1; count <= W; ++count) {
            std::vector<double> rows = places(n * count);
            for (int i = 0; i < n * count; ++i) rows[std::size_t(i)] = 1.0 + i;
            std::vector<Lanes<W>> loaded = places<Lanes<W>>(n);
            load_rows(rows.data(), n, count, loaded.data());
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < W; ++i) {
                    const double expected = 1.0 + (i < count ? i : count - 1) * n + j;
                    CHECK(loaded[std::size_t(j)][i] == expected, W, n, count, j, i, loaded[std::size_t(j)][i]);
                }
            for (int gap : {0, 1, 5})
                for (int shifted : {0, 1}) {  // by one number: a block that no register would find aligned
                    const int stride = n + gap, size = n == 0 ? 0 : (count - 1) * stride + n;
                    std::vector<double> block = places(size + shifted, UNTOUCHED);
                    double* out = block.data() + shifted;
                    store_rows(loaded.data(), n, count, out, stride);
                    for (int k = 0; k < size; ++k) {
                        const int i = k / stride, j = k % stride;
                        const double expected = j < n ? rows[std::size_t(i * n + j)] : UNTOUCHED;
                        CHECK(out[k] == expected, W, n, count, stride, k, out[k], expected);
                    }
                    if (shifted) CHECK(block[0] == UNTOUCHED, W, n, count, block[0]);
                }
        }
    std::vector<double> row = {1.0, 2.0, 3.0}, copy(3);
    double loaded[3];
    load_rows(row.data(), 3, 1, loaded);
    store_rows(loaded, 3, 1, copy.data(), 3);
    CHECK(copy == row);
}

template <int W> inline void check_width(std::uint64_t seed) {
    check_masks<W>();
    check_rows<W>();
    for (std::uint64_t k = 0; k < 200; ++k) {
        Random random(seed + k);
        check_arithmetic<W>(random);
    }
}

inline void check_lanes(std::uint64_t seed) {
    check_width<LIMBIK_WIDTH>(seed);
    // Narrower lanes exist beside the widest ones. Wider ones than the processor level has are only sound as arrays.
    if constexpr (LIMBIK_WIDTH > 4) check_width<4>(seed);
    if constexpr (LIMBIK_WIDTH > 2) check_width<2>(seed);
#if !defined(LIMBIK_VECTOR_EXTENSION)
    if constexpr (LIMBIK_WIDTH != 8) check_width<8>(seed);
#endif
}

// ---- the search for numbers that are not finite --------------------------------------------------------------------

inline void check_first_not_finite(std::uint64_t seed) {
    constexpr int W = width<Wide>;
    constexpr double INF = std::numeric_limits<double>::infinity();
    constexpr double LARGEST = std::numeric_limits<double>::max();
    constexpr double bad[] = {NAN, -NAN, INF, -INF, LARGEST, -LARGEST, TOO_LARGE, -TOO_LARGE};
    Random random(seed);
    // The largest numbers that are taken must pass, however many there are.
    constexpr double BELOW = 0x1.fffffffffffffp332;
    static_assert(BELOW < TOO_LARGE && 1e100 < BELOW);
    constexpr double fine[] = {0.0, -0.0, 1.0, -3.5, 5e-324, 1e100, BELOW, -BELOW};
    auto shape = [&](long rows, long size, bool every_position) {
        const long total = rows * size;
        std::vector<double> values{};
        for (long i = 0; i < total; ++i) values.push_back(fine[random.integer(0, int(std::size(fine)) - 1)]);
        values.shrink_to_fit();
        CHECK(first_not_finite(values.data(), rows, size) == -1, rows, size);
        for (long k = 0; k < total; k += every_position ? 1 : random.integer(1, 97)) {
            const double kept = values[std::size_t(k)];
            for (double x : bad) {
                values[std::size_t(k)] = x;
                const long found = first_not_finite(values.data(), rows, size);
                CHECK(found == k / size, rows, size, k, x, found);
            }
            if (k + 1 < total) {  // a second one, later, does not hide the first
                const long later = k + 1 + long(random.bits() % std::uint64_t(total - k - 1));
                const double kept_later = values[std::size_t(later)];
                values[std::size_t(later)] = bad[random.integer(0, int(std::size(bad)) - 1)];
                const long found = first_not_finite(values.data(), rows, size);
                CHECK(found == k / size, rows, size, k, later, found);
                values[std::size_t(later)] = kept_later;
            }
            values[std::size_t(k)] = kept;
        }
    };
    for (long size : {1, 2, 3, 6, 7, 16})
        for (long rows = 0; rows * size <= 8 * W + 5; ++rows) shape(rows, size, true);
    shape(0, 0, true);
    shape(5, 0, true);
    shape(1, 8 * W + 3, true);
    shape(1000, 7, false);
    shape(4097, 3, false);
}

}  // namespace limbik::test
