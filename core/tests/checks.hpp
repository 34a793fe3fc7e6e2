// What every test uses: a check that prints what it saw, random numbers that a seed brings back, and a slow, plain
// reference in long double that shares no code with the core.
#pragma once

#if defined(__x86_64__)
// GCC reads its own intrinsics headers as using uninitialised values (_mm512_undefined_pd); only they are excused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "../kinematics/kinematics.hpp"

namespace limbik::test {

// ---- checks --------------------------------------------------------------------------------------------------------

inline long checks = 0, failures = 0;
inline std::uint64_t current_seed = 0;  // the seed of the case at work, for the failure message

// Failures printed in full; a broken kernel would otherwise fill the screen.
inline constexpr long PRINTED_FAILURES = 20;

inline void print_value(double x) { std::printf(" %.17g", x); }
inline void print_value(long double x) { std::printf(" %.21Lg", x); }
inline void print_value(bool x) { std::printf(x ? " true" : " false"); }
inline void print_value(int x) { std::printf(" %d", x); }
inline void print_value(long x) { std::printf(" %ld", x); }
inline void print_value(std::uint64_t x) { std::printf(" %llu", static_cast<unsigned long long>(x)); }
inline void print_value(const char* x) { std::printf(" %s", x); }

template <class... Values>
[[gnu::noinline, gnu::cold]] void failed(const char* file, int line, const char* law, const char* names,
                                         const Values&... values) {
    if (++failures > PRINTED_FAILURES) return;
    std::printf("%s:%d: seed %llu: not true: %s\n", file, line, static_cast<unsigned long long>(current_seed), law);
    if constexpr (sizeof...(values) > 0) {
        std::printf("    %s =", names);
        (print_value(values), ...);
        std::printf("\n");
    }
    std::fflush(stdout);
}

// CHECK(law, values to print where it does not hold...)
#define CHECK(law, ...)                                                                                                \
    do {                                                                                                               \
        ++::limbik::test::checks;                                                                                      \
        if (!(law)) ::limbik::test::failed(__FILE__, __LINE__, #law, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__);         \
    } while (false)

// Equal to the last bit; one NaN is as good as another, since hardware is free in the bits it gives them.
inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

// A heap block of exactly `count` places: one place further is a red zone of the address sanitizer.
template <class T = double> inline std::vector<T> places(long count, const T& value = T()) {
    return std::vector<T>(std::size_t(count), value);
}

// ---- random numbers ------------------------------------------------------------------------------------------------

// Number k of a seed is a hash of both, so that a case depends on its seed alone and not on what ran before it.
class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_(mixed(seed + 1)) { current_seed = seed; }

    std::uint64_t bits() { return mixed(seed_ + 0x9e3779b97f4a7c15u * ++count_); }
    double uniform(double low, double high) { return low + (high - low) * (double(bits() >> 11) * 0x1p-53); }
    int integer(int low, int high) { return low + int(bits() % std::uint64_t(high - low + 1)); }  // both ends included
    bool chance(double p) { return uniform(0.0, 1.0) < p; }
    double sign() { return chance(0.5) ? 1.0 : -1.0; }
    // 10^low .. 10^high, evenly in the exponent.
    double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }

  private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
    std::uint64_t seed_, count_ = 0;
};

// ---- the reference -------------------------------------------------------------------------------------------------

using Real = long double;

inline constexpr Real PI_L = 3.14159265358979323846264338327950288L;

struct Rotation {
    Real m[3][3];
};
struct Rigid {
    Rotation R;
    Real p[3];
};

inline Rotation operator*(const Rotation& a, const Rotation& b) {
    Rotation c{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}
inline Rigid operator*(const Rigid& a, const Rigid& b) {
    Rigid c{a.R * b.R, {}};
    for (int i = 0; i < 3; ++i) {
        c.p[i] = a.p[i];
        for (int k = 0; k < 3; ++k) c.p[i] += a.R.m[i][k] * b.p[k];
    }
    return c;
}

// Rodrigues, with 1 - cos written as 2 sin^2 of half the angle so that small angles keep their digits.
inline Rotation about_axis(const Real axis[3], Real angle) {
    const Real s = sinl(angle), h = sinl(angle / 2), v = 2 * h * h, x = axis[0], y = axis[1], z = axis[2];
    return {{{1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y},
             {v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x},
             {v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y)}}};
}
inline Rotation about_z(Real angle) {
    const Real axis[3] = {0, 0, 1};
    return about_axis(axis, angle);
}
inline Rotation about_x(Real angle) {
    const Real axis[3] = {1, 0, 0};
    return about_axis(axis, angle);
}
inline Rotation from_vector(Real x, Real y, Real z) {
    const Real length = sqrtl(x * x + y * y + z * z);
    const Real axis[3] = {length > 0 ? x / length : 1, length > 0 ? y / length : 0, length > 0 ? z / length : 0};
    return about_axis(axis, length);
}
inline Rotation from_vector(const double* w) { return from_vector(w[0], w[1], w[2]); }

inline Rigid rigid(const Pose<double>& T) {
    return {{{{T.x.x, T.y.x, T.z.x}, {T.x.y, T.y.y, T.z.y}, {T.x.z, T.y.z, T.z.z}}},
            {T.origin.x, T.origin.y, T.origin.z}};
}
inline Pose<double> rounded(const Rigid& T) {
    auto column = [&](int j) { return Vector3<double>{double(T.R.m[0][j]), double(T.R.m[1][j]), double(T.R.m[2][j])}; };
    return {column(0), column(1), column(2), {double(T.p[0]), double(T.p[1]), double(T.p[2])}};
}

inline double distance(const Rotation& a, const Rotation& b) {
    Real most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) most = fmaxl(most, fabsl(a.m[i][j] - b.m[i][j]));
    return double(most);
}
inline double distance(const Real a[3], const Real b[3]) {
    return double(fmaxl(fabsl(a[0] - b[0]), fmaxl(fabsl(a[1] - b[1]), fabsl(a[2] - b[2]))));
}

inline void random_direction(Random& random, Real axis[3]) {
    Real length = 0;
    do {
        length = 0;
        for (int i = 0; i < 3; ++i) axis[i] = random.uniform(-1.0, 1.0), length += axis[i] * axis[i];
    } while (length < 0.01L || length > 1);
    for (int i = 0; i < 3; ++i) axis[i] /= sqrtl(length);
}
inline Rotation random_rotation(Random& random) {
    Real axis[3];
    random_direction(random, axis);
    return about_axis(axis, random.uniform(0.0, PI));
}

// ---- the numbers of a pose, one after the other --------------------------------------------------------------------

template <class R> struct Numbers {
    R v[12];
};
template <class R> inline Numbers<R> numbers(const Pose<R>& T) {
    return {{T.x.x, T.x.y, T.x.z, T.y.x, T.y.y, T.y.z, T.z.x, T.z.y, T.z.z, T.origin.x, T.origin.y, T.origin.z}};
}

}  // namespace limbik::test
