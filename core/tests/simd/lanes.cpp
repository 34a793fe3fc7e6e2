// Lanes compute what doubles compute, lane by lane. Transfers between rows and lanes touch no other memory.

#include "../support/random.hpp"

#include "../../simd/rows.hpp"

namespace limbik::test {
namespace {

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
        HOLDS(same_bits(stored[i], a[i]), W, i, stored[i], a[i]);
        HOLDS(same_bits(Lanes<W>(one)[i], one), W, i, Lanes<W>(one)[i], one);
        HOLDS(same_bits((A + B)[i], a[i] + b[i]), W, i, a[i], b[i]);
        HOLDS(same_bits((A - B)[i], a[i] - b[i]), W, i, a[i], b[i]);
        HOLDS(same_bits((A * B)[i], a[i] * b[i]), W, i, a[i], b[i]);
        HOLDS(same_bits((A / B)[i], a[i] / b[i]), W, i, a[i], b[i]);
        HOLDS(same_bits((A * one)[i], a[i] * one), W, i, a[i], one);
        HOLDS(same_bits((one - A)[i], one - a[i]), W, i, a[i], one);
        HOLDS(same_bits((-A)[i], -a[i]), W, i, a[i]);
        HOLDS(same_bits(absolute(A)[i], absolute(a[i])), W, i, a[i]);
        HOLDS(same_bits(square_root(A)[i], square_root(a[i])), W, i, a[i]);
        HOLDS(same_bits(madd(A, B, C)[i], madd(a[i], b[i], c[i])), W, i, a[i], b[i], c[i], madd(A, B, C)[i]);
        HOLDS(same_bits(madd(one, B, C)[i], madd(one, b[i], c[i])), W, i, one, b[i], c[i]);
        HOLDS(same_bits(madd(A, one, C)[i], madd(a[i], one, c[i])), W, i, a[i], one, c[i]);
        HOLDS(same_bits(madd(A, B, one)[i], madd(a[i], b[i], one)), W, i, a[i], b[i], one);
        HOLDS(same_bits(nmadd(A, B, C)[i], nmadd(a[i], b[i], c[i])), W, i, a[i], b[i], c[i]);
        HOLDS(mask_lane(A < B, i) == (a[i] < b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane(A <= B, i) == (a[i] <= b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane(A > B, i) == (a[i] > b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane(A >= B, i) == (a[i] >= b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane(A == B, i) == (a[i] == b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane(A < one, i) == (a[i] < one), W, i, a[i], one);
        HOLDS(mask_lane(!(A < B), i) == !(a[i] < b[i]), W, i, a[i], b[i]);
        HOLDS(mask_lane((A < B) & (B < C), i) == (a[i] < b[i] && b[i] < c[i]), W, i, a[i], b[i], c[i]);
        HOLDS(mask_lane((A < B) | (B < C), i) == (a[i] < b[i] || b[i] < c[i]), W, i, a[i], b[i], c[i]);
        HOLDS(same_bits(select(A < B, B, C)[i], select(a[i] < b[i], b[i], c[i])), W, i, a[i], b[i], c[i]);
        HOLDS(mask_lane(finite(A), i) == bool(std::isfinite(a[i])), W, i, a[i]);
        HOLDS(finite(a[i]) == bool(std::isfinite(a[i])), a[i]);
    }
    // The integer in the low bits of a double of the form ROUNDER + k: its parity, and the sign that it flips.
    double k[W];
    Lanes<W> counter(ROUNDER);
    for (int i = 0; i < W; ++i) k[i] = random.integer(-70000, 70000), counter.set(i, ROUNDER + k[i]);
    for (int i = 0; i < W; ++i) {
        const long whole = long(k[i]);
        HOLDS(mask_lane(is_odd(counter), i) == ((whole & 1) != 0), W, i, whole);
        HOLDS(is_odd(ROUNDER + k[i]) == ((whole & 1) != 0), whole);
        for (int add : {0, 1}) {
            const double turned = ((whole + add) & 2) != 0 ? -a[i] : a[i];
            HOLDS(same_bits(flip_sign(A, counter, add)[i], turned), W, i, whole, add, a[i]);
            HOLDS(same_bits(flip_sign(a[i], ROUNDER + k[i], add), turned), whole, add, a[i]);
        }
    }
}

template <int W> inline void check_masks() {
    HOLDS(!any(Lanes<W>(1.0) < Lanes<W>(0.0)), W);
    for (int i = 0; i < W; ++i) {
        Lanes<W> x(0.0);
        x.set(i, 1.0);
        HOLDS(any(x > 0.5), W, i);
        HOLDS(any(!(x < 0.5)), W, i);
        HOLDS(lane_bits(x > 0.5) == 1u << i, W, i);
        HOLDS((lane_bits(!(x > 0.5)) ^ lane_bits(x > 0.5)) == (1u << W) - 1, W, i);
        for (int j = 0; j < W; ++j) {
            HOLDS(select(x > 0.5, Lanes<W>(3.0), Lanes<W>(4.0))[j] == (i == j ? 3.0 : 4.0), W, i, j);
            HOLDS(lane(x, j) == (i == j ? 1.0 : 0.0), W, i, j);
        }
    }
}

template <int W> inline void check_rows() {
    Lanes<W> m[W];
    for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) m[i].set(j, 100.0 * i + j);
    transpose<W>(m);
    for (int i = 0; i < W; ++i)
        for (int j = 0; j < W; ++j) HOLDS(m[i][j] == 100.0 * j + i, W, i, j, m[i][j]);

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
                    HOLDS(loaded[std::size_t(j)][i] == expected, W, n, count, j, i, loaded[std::size_t(j)][i]);
                }
            for (int gap : {0, 1, 5})
                for (int shifted : {0, 1}) {  // by one number: a block that is not aligned to registers
                    const int stride = n + gap, size = n == 0 ? 0 : (count - 1) * stride + n;
                    std::vector<double> block = places(size + shifted, UNTOUCHED);
                    double* out = block.data() + shifted;
                    store_rows(loaded.data(), n, count, out, stride);
                    for (int k = 0; k < size; ++k) {
                        const int i = k / stride, j = k % stride;
                        const double expected = j < n ? rows[std::size_t(i * n + j)] : UNTOUCHED;
                        HOLDS(out[k] == expected, W, n, count, stride, k, out[k], expected);
                    }
                    if (shifted) HOLDS(block[0] == UNTOUCHED, W, n, count, block[0]);
                }
        }
    std::vector<double> row = {1.0, 2.0, 3.0}, copy(3);
    double loaded[3];
    load_rows(row.data(), 3, 1, loaded);
    store_rows(loaded, 3, 1, copy.data(), 3);
    HOLDS(copy == row);
}

// Narrower lanes exist beside the widest ones. Lanes wider than the registers are tested only as plain arrays.
template <class Check> inline void for_each_width(const Check& check) {
    check.template operator()<LIMBIK_WIDTH>();
    if constexpr (LIMBIK_WIDTH > 4) check.template operator()<4>();
    if constexpr (LIMBIK_WIDTH > 2) check.template operator()<2>();
#if !defined(LIMBIK_VECTOR_EXTENSION)
    if constexpr (LIMBIK_WIDTH != 8) check.template operator()<8>();
#endif
}

TEST_CASE("masks choose lane by lane") {
    for_each_width([]<int W>() { check_masks<W>(); });
}
TEST_CASE("transfers between rows and lanes touch no other memory") {
    for_each_width([]<int W>() { check_rows<W>(); });
}
LAW_AT_LEAST("a lane computes what a double computes", 200, 200, [](std::uint64_t seed) {
    for_each_width([seed]<int W>() {
        Random random(seed);
        check_arithmetic<W>(random);
    });
});

}  // namespace
}  // namespace limbik::test
