// Sine, cosine and arc tangent for any lane width, with absolute errors below 2.5e-16 (arc tangent 5e-16).
//
// sincos: x = k pi/2 + r with |r| <= pi/4 (Cody and Waite: pi/2 in parts of 30, 30 and 53 bits, so that k times a part
// is exact), then one minimax polynomial each for sin r and cos r, then the quadrant. Beyond LARGE_ANGLE the reduction
// would lose digits, and libm is asked lane by lane.
// arc_tangent2: the quotient is brought below tan(pi/8) by the addition theorem, then one minimax polynomial.
// The coefficients were computed for this file by the Remez exchange in 50 digits; their relative errors are
// 4e-18 (sin), 5e-20 (cos) and 4e-17 (atan).
#pragma once

#include "lanes.hpp"

namespace limbik {

inline constexpr double PI = 3.141592653589793;

// Largest angle [rad] for which the three-part reduction keeps full accuracy.
inline constexpr double LARGE_ANGLE = 1e5;

template <class R> LIMBIK_INLINE void sincos(R x, R& sine, R& cosine) {
    constexpr double TWO_OVER_PI = 0.6366197723675814;
    constexpr double PART_1 = 1.570796325802803;
    constexpr double PART_2 = 9.920935791635221e-10;
    constexpr double PART_3 = 5.170182981794105e-19;

    const R counter = madd(x, R(TWO_OVER_PI), R(ROUNDER));
    const R k = counter - R(ROUNDER);
    R r = nmadd(k, PART_1, x);
    r = nmadd(k, PART_2, r);
    r = nmadd(k, PART_3, r);

    const R z = r * r;
    R s = R(0x1.5d930105c4072p-33);
    s = madd(s, z, R(-0x1.ae5e663ab9e93p-26));
    s = madd(s, z, R(0x1.71de3577b6dd2p-19));
    s = madd(s, z, R(-0x1.a01a019c1199bp-13));
    s = madd(s, z, R(0x1.111111110f87ap-7));
    s = madd(s, z, R(-0x1.5555555555549p-3));
    s = madd(z * r, s, r);
    R c = R(-0x1.8fae9c74fecdcp-37);
    c = madd(c, z, R(0x1.1ee9ebe926f89p-29));
    c = madd(c, z, R(-0x1.27e4f809f0918p-22));
    c = madd(c, z, R(0x1.a01a019cb1bd9p-16));
    c = madd(c, z, R(-0x1.6c16c16c1517ep-10));
    c = madd(c, z, R(0x1.555555555554cp-5));
    c = madd(z * z, c, madd(R(-0.5), z, R(1.0)));

    const auto odd = is_odd(counter);
    sine = turn_sign(select(odd, c, s), counter, 0);
    cosine = turn_sign(select(odd, s, c), counter, 1);

    const auto large = absolute(x) > R(LARGE_ANGLE);
    if (any(large)) [[unlikely]] {
        for (int i = 0; i < width<R>; ++i) {
            const double angle = lane(x, i);
            if (std::fabs(angle) > LARGE_ANGLE) {
                set_lane(sine, i, std::sin(angle));
                set_lane(cosine, i, std::cos(angle));
            }
        }
    }
}

// The angle of the point (x, y), in [-pi, pi]; 0 at the origin. |x| + |y| must not overflow.
template <class R> inline R arc_tangent2(R y, R x) {
    constexpr double TAN_PI_8 = 0.41421356237309503;
    const R ax = absolute(x), ay = absolute(y);
    const auto steep = ay > ax;
    const R low = select(steep, ax, ay), high = select(steep, ay, ax);
    const auto turned = low > high * R(TAN_PI_8);
    const R numerator = select(turned, low - high, low);
    R denominator = select(turned, low + high, high);
    denominator = select(denominator == R(0.0), R(1.0), denominator);
    const R t = numerator / denominator;
    const R z = t * t;
    R a = R(0x1.5c9a8bb5da4bep-6);
    a = madd(a, z, R(-0x1.6537f37223a66p-5));
    a = madd(a, z, R(0x1.d2608c15e2d25p-5));
    a = madd(a, z, R(-0x1.100658f6e09a1p-4));
    a = madd(a, z, R(0x1.3afc59804e604p-4));
    a = madd(a, z, R(-0x1.745bc5e2b0e95p-4));
    a = madd(a, z, R(0x1.c71c65eeb6e52p-4));
    a = madd(a, z, R(-0x1.24924905e2a5ap-3));
    a = madd(a, z, R(0x1.999999994ab98p-3));
    a = madd(a, z, R(-0x1.5555555555323p-2));
    a = madd(z * t, a, t);
    a = select(turned, a + R(PI / 4), a);
    a = select(steep, R(PI / 2) - a, a);
    a = select(x < R(0.0), R(PI) - a, a);
    return select(y < R(0.0), -a, a);
}

}  // namespace limbik
