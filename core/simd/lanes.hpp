// Lanes: one number type that stands for W independent problems.
//
// A kernel is written once, as a template on the number type `R`, and instantiated for `double` (one problem) and
// for `Lanes<W>` (W problems in the lanes of one register). Both instantiations perform the same IEEE operations in
// the same order, so lane i of a batch equals the single call bit for bit. Two rules ensure it:
//   - the compiler may not fuse a*b + c (-ffp-contract=off); a kernel calls `madd` where it needs a fused product;
//   - an `if` may depend on the model, never on the data: data choose by `select`.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "../layers.hpp"

// Doubles in the widest register that the compiler may use.
#if !defined(LIMBIK_WIDTH)
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define LIMBIK_WIDTH 8
#elif defined(__AVX2__)
#define LIMBIK_WIDTH 4
#else
#define LIMBIK_WIDTH 2
#endif
#endif

#if defined(__GNUC__) && !defined(LIMBIK_PLAIN_LANES)
#define LIMBIK_VECTOR_EXTENSION 1
#endif

#if defined(LIMBIK_VECTOR_EXTENSION) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define LIMBIK_SHUFFLES 1
#endif
#endif

// LIMBIK_INLINE: kernels for which a call would cost more than their arithmetic. LIMBIK_NOINLINE: kernels so long that
// callers share one copy. With LIMBIK_CALLS the compiler decides: builds with sanitizers then take a fifth of the time.
#if defined(__GNUC__) && !defined(LIMBIK_CALLS)
#define LIMBIK_INLINE [[gnu::always_inline]] inline
#define LIMBIK_INLINE_LAMBDA __attribute__((always_inline))
#if defined(__clang__)
#define LIMBIK_NOINLINE [[gnu::noinline]]
#else
#define LIMBIK_NOINLINE [[gnu::noinline, gnu::noclone]]
#endif
#else
#define LIMBIK_INLINE inline
#define LIMBIK_INLINE_LAMBDA
#define LIMBIK_NOINLINE
#endif

namespace limbik::simd {

// ---- one problem ---------------------------------------------------------------------------------------------------

inline double madd(double a, double b, double c) {
#if defined(__FMA__) || defined(__aarch64__)
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}
inline double square_root(double x) { return std::sqrt(x); }
inline double absolute(double x) { return std::fabs(x); }
inline double select(bool chosen, double yes, double no) { return chosen ? yes : no; }
inline bool any(bool mask) { return mask; }

// Doubles of the form ROUNDER + k hold the integer k in the low bits of their mantissa. These two functions read it.
inline constexpr double ROUNDER = 6755399441055744.0;  // 1.5 * 2^52

inline bool is_odd(double counter) { return (std::bit_cast<std::int64_t>(counter) & 1) != 0; }
// -x where bit 1 of k + add is set, else x.
inline double flip_sign(double x, double counter, int add) {
    const std::uint64_t bit = (std::bit_cast<std::uint64_t>(counter) + std::uint64_t(add)) & 2;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (bit << 62));
}

// ---- W problems ----------------------------------------------------------------------------------------------------

#if defined(LIMBIK_VECTOR_EXTENSION)

template <int W> struct Native {
    typedef double real __attribute__((vector_size(W * sizeof(double))));
    typedef std::int64_t integer __attribute__((vector_size(W * sizeof(std::int64_t))));
};

template <int W> struct Mask { typename Native<W>::integer bits; };

template <int W> struct Lanes {
    typename Native<W>::real v;
    Lanes() = default;
    Lanes(typename Native<W>::real x) : v(x) {}
    Lanes(double x) { v = x - typename Native<W>::real{}; }
    double operator[](int i) const { return v[i]; }
    void set(int i, double x) { v[i] = x; }
};

#define LIMBIK_ARITHMETIC(op)                                                                             \
    template <int W> inline Lanes<W> operator op(Lanes<W> a, Lanes<W> b) { return Lanes<W>(a.v op b.v); } \
    template <int W> inline Lanes<W> operator op(Lanes<W> a, double b) { return Lanes<W>(a.v op b); }     \
    template <int W> inline Lanes<W> operator op(double a, Lanes<W> b) { return Lanes<W>(a op b.v); }
#define LIMBIK_COMPARISON(op)                                                                    \
    template <int W> inline Mask<W> operator op(Lanes<W> a, Lanes<W> b) { return {a.v op b.v}; } \
    template <int W> inline Mask<W> operator op(Lanes<W> a, double b) { return {a.v op Lanes<W>(b).v}; }

template <int W> inline Lanes<W> operator-(Lanes<W> a) { return Lanes<W>(-a.v); }
template <int W> inline Mask<W> operator&(Mask<W> a, Mask<W> b) { return {a.bits & b.bits}; }
template <int W> inline Mask<W> operator|(Mask<W> a, Mask<W> b) { return {a.bits | b.bits}; }
template <int W> inline Mask<W> operator!(Mask<W> a) { return {~a.bits}; }

template <int W> inline Lanes<W> select(Mask<W> chosen, Lanes<W> yes, Lanes<W> no) {
    return Lanes<W>(chosen.bits ? yes.v : no.v);
}
// Bit i is set where lane i is true.
template <int W> inline unsigned lane_bits(Mask<W> mask) {
#if defined(__AVX512F__)
    if constexpr (W == 8) return _mm512_test_epi64_mask((__m512i)mask.bits, (__m512i)mask.bits);
#endif
#if defined(__AVX__)
    if constexpr (W == 4) return unsigned(_mm256_movemask_pd((__m256d)mask.bits));
#endif
    unsigned out = 0;
    for (int i = 0; i < W; ++i) out |= unsigned(mask.bits[i] & 1) << i;
    return out;
}
template <int W> inline Mask<W> is_odd(Lanes<W> counter) { return {((typename Native<W>::integer)counter.v & 1) != 0}; }
template <int W> inline Lanes<W> flip_sign(Lanes<W> x, Lanes<W> counter, int add) {
    using Integer = typename Native<W>::integer;
    const Integer bit = ((Integer)counter.v + add) & 2;
    return Lanes<W>((typename Native<W>::real)((Integer)x.v ^ (bit << 62)));
}
template <int W> inline Lanes<W> madd(Lanes<W> a, Lanes<W> b, Lanes<W> c) {
#if defined(__AVX512F__)
    if constexpr (W == 8) return Lanes<W>(_mm512_fmadd_pd(a.v, b.v, c.v));
#endif
#if defined(__FMA__)
    if constexpr (W == 4) return Lanes<W>(_mm256_fmadd_pd(a.v, b.v, c.v));
    if constexpr (W == 2) return Lanes<W>(_mm_fmadd_pd(a.v, b.v, c.v));
#endif
    Lanes<W> r;
    for (int i = 0; i < W; ++i) r.v[i] = madd(double(a.v[i]), double(b.v[i]), double(c.v[i]));
    return r;
}

#else  // a plain array of doubles, for a compiler without vector types

template <int W> struct Mask { bool bits[W]; };

template <int W> struct Lanes {
    double v[W];
    Lanes() = default;
    Lanes(double x) {
        for (double& lane : v) lane = x;
    }
    double operator[](int i) const { return v[i]; }
    void set(int i, double x) { v[i] = x; }
};

#define LIMBIK_ARITHMETIC(op)                                                                       \
    template <int W> inline Lanes<W> operator op(Lanes<W> a, Lanes<W> b) {                          \
        for (int i = 0; i < W; ++i) a.v[i] = a.v[i] op b.v[i];                                      \
        return a;                                                                                   \
    }                                                                                               \
    template <int W> inline Lanes<W> operator op(Lanes<W> a, double b) { return a op Lanes<W>(b); } \
    template <int W> inline Lanes<W> operator op(double a, Lanes<W> b) { return Lanes<W>(a) op b; }
#define LIMBIK_COMPARISON(op)                                             \
    template <int W> inline Mask<W> operator op(Lanes<W> a, Lanes<W> b) { \
        Mask<W> m;                                                        \
        for (int i = 0; i < W; ++i) m.bits[i] = a.v[i] op b.v[i];         \
        return m;                                                         \
    }                                                                     \
    template <int W> inline Mask<W> operator op(Lanes<W> a, double b) { return a op Lanes<W>(b); }

template <int W> inline Lanes<W> operator-(Lanes<W> a) {
    for (double& lane : a.v) lane = -lane;
    return a;
}
template <int W> inline Mask<W> operator&(Mask<W> a, Mask<W> b) {
    for (int i = 0; i < W; ++i) a.bits[i] = a.bits[i] && b.bits[i];
    return a;
}
template <int W> inline Mask<W> operator|(Mask<W> a, Mask<W> b) {
    for (int i = 0; i < W; ++i) a.bits[i] = a.bits[i] || b.bits[i];
    return a;
}
template <int W> inline Mask<W> operator!(Mask<W> a) {
    for (int i = 0; i < W; ++i) a.bits[i] = !a.bits[i];
    return a;
}
template <int W> inline Lanes<W> select(Mask<W> chosen, Lanes<W> yes, Lanes<W> no) {
    for (int i = 0; i < W; ++i) no.v[i] = chosen.bits[i] ? yes.v[i] : no.v[i];
    return no;
}
template <int W> inline unsigned lane_bits(Mask<W> mask) {
    unsigned out = 0;
    for (int i = 0; i < W; ++i) out |= unsigned(mask.bits[i]) << i;
    return out;
}
template <int W> inline Mask<W> is_odd(Lanes<W> counter) {
    Mask<W> m;
    for (int i = 0; i < W; ++i) m.bits[i] = is_odd(counter.v[i]);
    return m;
}
template <int W> inline Lanes<W> flip_sign(Lanes<W> x, Lanes<W> counter, int add) {
    for (int i = 0; i < W; ++i) x.v[i] = flip_sign(x.v[i], counter.v[i], add);
    return x;
}
template <int W> inline Lanes<W> madd(Lanes<W> a, Lanes<W> b, Lanes<W> c) {
    for (int i = 0; i < W; ++i) c.v[i] = madd(a.v[i], b.v[i], c.v[i]);
    return c;
}

#endif

template <int W> inline bool any(Mask<W> mask) { return lane_bits(mask) != 0; }

LIMBIK_ARITHMETIC(+)
LIMBIK_ARITHMETIC(-)
LIMBIK_ARITHMETIC(*)
LIMBIK_ARITHMETIC(/)
LIMBIK_COMPARISON(<)
LIMBIK_COMPARISON(<=)
LIMBIK_COMPARISON(>)
LIMBIK_COMPARISON(>=)
LIMBIK_COMPARISON(==)
#undef LIMBIK_ARITHMETIC
#undef LIMBIK_COMPARISON

template <int W> inline Lanes<W> madd(double a, Lanes<W> b, Lanes<W> c) { return madd(Lanes<W>(a), b, c); }
template <int W> inline Lanes<W> madd(Lanes<W> a, double b, Lanes<W> c) { return madd(a, Lanes<W>(b), c); }
template <int W> inline Lanes<W> madd(Lanes<W> a, Lanes<W> b, double c) { return madd(a, b, Lanes<W>(c)); }

template <int W> LIMBIK_INLINE Lanes<W> square_root(Lanes<W> x) {
    for (int i = 0; i < W; ++i) x.set(i, std::sqrt(x[i]));
    return x;
}
template <int W> inline Lanes<W> absolute(Lanes<W> x) {
#if defined(LIMBIK_VECTOR_EXTENSION)
    using Integer = typename Native<W>::integer;
    return Lanes<W>((typename Native<W>::real)((Integer)x.v & INT64_MAX));
#else
    for (int i = 0; i < W; ++i) x.set(i, std::fabs(x[i]));
    return x;
#endif
}

// ---- what a kernel needs of its number type ------------------------------------------------------------------------

template <class R> struct width_of { static constexpr int value = 1; };
template <int W> struct width_of<Lanes<W>> { static constexpr int value = W; };
template <class R> inline constexpr int width = width_of<R>::value;

inline double lane(double x, int) { return x; }
template <int W> inline double lane(Lanes<W> x, int i) { return x[i]; }
inline void set_lane(double& x, int, double value) { x = value; }
template <int W> inline void set_lane(Lanes<W>& x, int i, double value) { x.set(i, value); }

// The type of comparisons of R.
template <class R> using MaskOf = decltype(R(0.0) < R(0.0));

template <class R> inline R clamp(R x, R low, R high) { return select(x < low, low, select(x > high, high, x)); }

// c - a*b, fused like madd.
template <class R, class A, class B> inline R nmadd(A a, B b, R c) { return madd(-R(a), R(b), c); }

// True where x is finite: x - x is NaN for NaN and the infinities.
template <class R> inline auto finite(R x) { return (x - x) == R(0.0); }

// The widest lanes of the instruction level that this file is compiled for.
using Wide = Lanes<LIMBIK_WIDTH>;

}  // namespace limbik::simd
