// Sine, cosine and arc tangent for any lane width, with absolute errors below 2.5e-16 (arc tangent 5e-16).
//
// sincos: x = k pi/2 + r with |r| <= pi/4 (Cody and Waite: pi/2 in parts of 30, 30 and 53 bits, so that k times a part
// is exact), then one minimax polynomial each for sin r and cos r, then the quadrant. Beyond LARGE_ANGLE the reduction
// would lose digits, and libm computes lane by lane.
// arc_tangent2: the quotient is brought below tan(pi/8) by the addition theorem, then one minimax polynomial.
// The coefficients were computed for this file by the Remez exchange in 50 digits; their relative errors are
// 4e-18 (sin), 5e-20 (cos) and 4e-17 (atan).
#pragma once

#include "lanes.hpp"

// A loop with a small constant count, unrolled.
#if defined(__GNUC__) && !defined(__clang__)
#define LIMBIK_EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < (count); ++i)
#else
#define LIMBIK_EACH(i, count) for (int i = 0; i < (count); ++i)
#endif

namespace limbik::simd {

inline constexpr double PI = 3.141592653589793;

// Largest angle [rad] for which the three-part reduction keeps full accuracy.
inline constexpr double LARGE_ANGLE = 1e5;

template <class R> struct SineCosine { R sine, cosine; };
// Replace sine and cosine of large angles by libm's. By value, so that the caller's stay in registers.
template <class R> LIMBIK_NOINLINE SineCosine<R> by_libm(R x, SineCosine<R> found) {
    for (int i = 0; i < width<R>; ++i) {
        const double angle = lane(x, i);
        if (!(std::fabs(angle) > LARGE_ANGLE)) continue;
        set_lane(found.sine, i, std::sin(angle));
        set_lane(found.cosine, i, std::cos(angle));
    }
    return found;
}

// Sine and cosine of K angles, step by step for all: a single polynomial would wait for each of its products.
template <int K, class R> LIMBIK_INLINE void sincos(const R x[K], R sine[K], R cosine[K]) {
    constexpr double TWO_OVER_PI = 0.6366197723675814;
    constexpr double PART_1 = 1.570796325802803;
    constexpr double PART_2 = 9.920935791635221e-10;
    constexpr double PART_3 = 5.170182981794105e-19;
    constexpr double SINE[] = {-0x1.ae5e663ab9e93p-26, 0x1.71de3577b6dd2p-19, -0x1.a01a019c1199bp-13,
                               0x1.111111110f87ap-7, -0x1.5555555555549p-3};
    constexpr double COSINE[] = {0x1.1ee9ebe926f89p-29, -0x1.27e4f809f0918p-22, 0x1.a01a019cb1bd9p-16,
                                 -0x1.6c16c16c1517ep-10, 0x1.555555555554cp-5};

    R counter[K], k[K], r[K], z[K], s[K], c[K];
    LIMBIK_EACH(i, K) counter[i] = madd(x[i], R(TWO_OVER_PI), R(ROUNDER));
    LIMBIK_EACH(i, K) k[i] = counter[i] - R(ROUNDER);
    LIMBIK_EACH(i, K) r[i] = nmadd(k[i], PART_1, x[i]);
    LIMBIK_EACH(i, K) r[i] = nmadd(k[i], PART_2, r[i]);
    LIMBIK_EACH(i, K) r[i] = nmadd(k[i], PART_3, r[i]);

    LIMBIK_EACH(i, K) z[i] = r[i] * r[i];
    LIMBIK_EACH(i, K) s[i] = R(0x1.5d930105c4072p-33), c[i] = R(-0x1.8fae9c74fecdcp-37);
    LIMBIK_EACH(j, 5) {
        LIMBIK_EACH(i, K) s[i] = madd(s[i], z[i], R(SINE[j]));
        LIMBIK_EACH(i, K) c[i] = madd(c[i], z[i], R(COSINE[j]));
    }
    LIMBIK_EACH(i, K) s[i] = madd(z[i] * r[i], s[i], r[i]);
    LIMBIK_EACH(i, K) c[i] = madd(z[i] * z[i], c[i], madd(R(-0.5), z[i], R(1.0)));

    auto large = absolute(x[0]) > R(LARGE_ANGLE);
    LIMBIK_EACH(i, K) {
        const auto odd = is_odd(counter[i]);
        sine[i] = flip_sign(select(odd, c[i], s[i]), counter[i], 0);
        cosine[i] = flip_sign(select(odd, s[i], c[i]), counter[i], 1);
        large = large | (absolute(x[i]) > R(LARGE_ANGLE));
    }
    if (any(large)) [[unlikely]]
        for (int i = 0; i < K; ++i) {
            const SineCosine<R> exact = by_libm(x[i], {sine[i], cosine[i]});
            sine[i] = exact.sine, cosine[i] = exact.cosine;
        }
}
template <class R> LIMBIK_INLINE void sincos(R x, R& sine, R& cosine) { sincos<1>(&x, &sine, &cosine); }

// The angles of the points (x, y), in [-pi, pi]; 0 at the origin. |x| + |y| must not overflow.
template <int K, class R> LIMBIK_INLINE void arc_tangents2(const R y[K], const R x[K], R angle[K]) {
    constexpr double TAN_PI_8 = 0.41421356237309503;
    constexpr double TERMS[] = {-0x1.6537f37223a66p-5, 0x1.d2608c15e2d25p-5,  -0x1.100658f6e09a1p-4,
                                0x1.3afc59804e604p-4,  -0x1.745bc5e2b0e95p-4, 0x1.c71c65eeb6e52p-4,
                                -0x1.24924905e2a5ap-3, 0x1.999999994ab98p-3,  -0x1.5555555555323p-2};
    R t[K], z[K], a[K];
    LIMBIK_EACH(i, K) {
        const R ax = absolute(x[i]), ay = absolute(y[i]);
        const auto steep = ay > ax;
        const R low = select(steep, ax, ay), high = select(steep, ay, ax);
        const auto reduced = low > high * R(TAN_PI_8);
        const R numerator = select(reduced, low - high, low);
        R denominator = select(reduced, low + high, high);
        denominator = select(denominator == R(0.0), R(1.0), denominator);
        t[i] = numerator / denominator;
    }
    LIMBIK_EACH(i, K) z[i] = t[i] * t[i];
    LIMBIK_EACH(i, K) a[i] = R(0x1.5c9a8bb5da4bep-6);
    LIMBIK_EACH(j, 9) LIMBIK_EACH(i, K) a[i] = madd(a[i], z[i], R(TERMS[j]));
    LIMBIK_EACH(i, K) a[i] = madd(z[i] * t[i], a[i], t[i]);
    LIMBIK_EACH(i, K) {
        const R ax = absolute(x[i]), ay = absolute(y[i]);
        const auto steep = ay > ax;
        const R low = select(steep, ax, ay), high = select(steep, ay, ax);
        a[i] = select(low > high * R(TAN_PI_8), a[i] + R(PI / 4), a[i]);
        a[i] = select(steep, R(PI / 2) - a[i], a[i]);
        a[i] = select(x[i] < R(0.0), R(PI) - a[i], a[i]);
        angle[i] = select(y[i] < R(0.0), -a[i], a[i]);
    }
}
template <class R> inline R arc_tangent2(R y, R x) {
    R angle;
    arc_tangents2<1>(&y, &x, &angle);
    return angle;
}

}  // namespace limbik::simd
