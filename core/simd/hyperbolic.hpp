// The hyperbolic tangent for any lane width, to a few units of the last digit, near 0 too.
//
// With a = |x| and e = exp(-2a): tanh a = (1 - e) / (1 + e). The exponent is -2a = k ln 2 + r with |r| <= ln 2 / 2, and
// with p = exp(r) - 1, a polynomial without a constant, e = 2^k (1 + p). So 1 - e = (1 - 2^k) - 2^k p, where 1 - 2^k is
// exact, and is 0 for small x: nothing cancels.
#pragma once

#include "lanes.hpp"

namespace limbik::simd {

// 2^k from a double of the form ROUNDER + k, for k from -1022 to 1023.
inline double power_of_two(double counter) {
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(counter) + 1023) << 52);
}
#if defined(LIMBIK_VECTOR_EXTENSION)
template <int W> LIMBIK_INLINE Lanes<W> power_of_two(Lanes<W> counter) {
    using Integer = typename Native<W>::integer;
    return Lanes<W>((typename Native<W>::real)(((Integer)counter.v + 1023) << 52));
}
#else
template <int W> inline Lanes<W> power_of_two(Lanes<W> counter) {
    for (int i = 0; i < W; ++i) counter.v[i] = power_of_two(counter.v[i]);
    return counter;
}
#endif

// NaN stays NaN.
template <class R> LIMBIK_INLINE R hyperbolic_tangent(R x) {
    constexpr double SATURATED = 20.0;  // tanh is 1 to the last digit from here on
    constexpr double ONE_OVER_LN_2 = 1.4426950408889634;
    constexpr double LN_2_HIGH = 0x1.62e42fefap-1,
                     LN_2_LOW = 0x1.cf79abc9e3b39p-40;  // the first in 33 bits: k times it is exact
    constexpr double FACTORIALS[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
    const R a = absolute(x);
    const R exponent = R(-2.0) * select(a > R(SATURATED), R(SATURATED), a);
    const R counter = madd(exponent, R(ONE_OVER_LN_2), R(ROUNDER));
    const R k = counter - R(ROUNDER);
    const R r = nmadd(k, LN_2_LOW, nmadd(k, LN_2_HIGH, exponent));
    R sum = R(1.0 / 6227020800.0);
    for (const double factorial : FACTORIALS) sum = madd(sum, r, R(factorial));
    const R p = madd(r * r, sum, r);
    const R power = power_of_two(counter);
    const R y = nmadd(power, p, R(1.0) - power) / madd(power, p, R(1.0) + power);
    return select(x < R(0.0), -y, y);
}

}  // namespace limbik::simd
