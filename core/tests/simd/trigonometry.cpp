// Sine, cosine and arc tangent against long double, and every lane against the single call.

#include "../support/reference.hpp"

#include "../../simd/trigonometry.hpp"

namespace limbik::test {
namespace {

inline constexpr double SINCOS_ERROR = 3e-16;       // absolute
inline constexpr double REDUCTION_ERROR = 1e-29;    // absolute; 63662 quarter turns times half a digit of the last part
inline constexpr double ARC_TANGENT_ERROR = 4e-16;  // times pi

inline void check_sincos_at(double x) {
    double s, c;
    sincos(x, s, c);
    const Real exact_s = sinl(Real(x)), exact_c = cosl(Real(x));
    const double error_s = double(fabsl(s - exact_s)), error_c = double(fabsl(c - exact_c));
    HOLDS(error_s <= SINCOS_ERROR, x, s, exact_s, error_s);
    HOLDS(error_c <= SINCOS_ERROR, x, c, exact_c, error_c);
    // Near a zero the error must shrink with the value, down to what the last digits of pi/2 in three parts leave.
    HOLDS(error_s <= 2.0 * SINCOS_ERROR * double(fabsl(exact_s)) + REDUCTION_ERROR, x, s, exact_s, error_s);
    HOLDS(error_c <= 2.0 * SINCOS_ERROR * double(fabsl(exact_c)) + REDUCTION_ERROR, x, c, exact_c, error_c);
    double s_back, c_back;
    sincos(-x, s_back, c_back);
    HOLDS(s_back == -s && same_bits(c_back, c), x, s, s_back, c, c_back);
}

inline void check_sincos_lanes(const double* angles) {
    constexpr int W = width<Wide>;
    Wide s, c;
    sincos(load_lanes<W>(angles), s, c);
    for (int i = 0; i < W; ++i) {
        double s1, c1;
        sincos(angles[i], s1, c1);
        HOLDS(same_bits(s[i], s1) && same_bits(c[i], c1), i, angles[i], s[i], s1, c[i], c1);
    }
}

inline double random_angle(Random& random) {
    switch (random.integer(0, 5)) {
        case 0: return random.uniform(-4.0, 4.0);
        case 1: return random.uniform(-LARGE_ANGLE, LARGE_ANGLE);
        case 2: return random.sign() * random.magnitude(-320.0, 5.0);
        case 3: return random.sign() * random.magnitude(5.0, 300.0);
        case 4: return double(PI_L / 2 * random.integer(-63661, 63661));
        default: return double(PI_L / 2 * random.integer(-63661, 63661)) + random.uniform(-1e-6, 1e-6);
    }
}

LAW_AT_LEAST("sine and cosine are those of long double", 400, 400, [](std::uint64_t seed) {
    Random random(seed);
    for (int k = 0; k < 50; ++k) check_sincos_at(random_angle(random));
});

TEST_CASE("sine and cosine near multiples of 90 degrees, of large angles, of infinity and of NaN") {
    for (int k = -1000; k <= 1000; ++k) {
        const double x = double(PI_L / 4 * k);
        for (double y : {x, std::nextafter(x, 1e9), std::nextafter(x, -1e9)}) check_sincos_at(y);
    }
    for (int k = 1; k <= 63661; k += 7) check_sincos_at(double(PI_L / 2 * k));
    const double above = std::nextafter(LARGE_ANGLE, 1e9), below = std::nextafter(LARGE_ANGLE, 0.0);
    for (double x : {LARGE_ANGLE, above, below, 1e6, 1e22, 1.7e308}) check_sincos_at(x);
    for (double x : {5e-324, 1e-310, 2.3e-308, 1e-100, 1e-8, 1e-4}) check_sincos_at(x);
    double s, c;
    for (double x : {0.0, -0.0}) {
        sincos(x, s, c);
        HOLDS(s == 0.0 && c == 1.0, x, s, c);
    }
    for (double x : {double(NAN), -double(NAN), HUGE_VAL, -HUGE_VAL}) {
        sincos(x, s, c);
        HOLDS(s != s && c != c, x, s, c);
    }
}

inline void check_arc_tangent_at(double y, double x) {
    const double a = arc_tangent2(y, x);
    // atan2 reads the sign of a zero, limbik does not: the negative x axis is +pi, the origin 0.
    const Real exact = x == 0.0 && y == 0.0 ? 0 : atan2l(y == 0.0 ? 0.0L : Real(y), x);
    const double error = double(fabsl(a - exact));
    HOLDS(error <= ARC_TANGENT_ERROR * PI, y, x, a, exact, error);
    // Small angles keep their digits. (Results below the normal range cannot.)
    HOLDS(error <= 6e-16 * double(fabsl(exact)) + 1e-323, y, x, a, exact, error);
    HOLDS(std::fabs(a) <= PI, y, x, a);
}

inline void random_point(Random& random, double& y, double& x) {
    const double angle = random.uniform(-PI, PI);
    y = std::sin(angle), x = std::cos(angle);
    switch (random.integer(0, 4)) {
        case 0: break;
        case 1: y *= random.magnitude(-30.0, 30.0); break;  // near an axis
        case 2: y *= random.magnitude(-300.0, 300.0), x *= random.magnitude(-300.0, 300.0); break;
        case 3: x = random.sign() * y * (1.0 + random.sign() * random.magnitude(-17.0, -1.0)); break;  // a diagonal
        default: x = random.sign() * y * (0.41421356237309503 + random.uniform(-1e-14, 1e-14));        // tan(pi/8)
    }
}

LAW_AT_LEAST("the arc tangent is that of long double", 400, 400, [](std::uint64_t seed) {
    Random random(seed);
    for (int k = 0; k < 50; ++k) {
        double y, x;
        random_point(random, y, x);
        check_arc_tangent_at(y, x);
    }
});

TEST_CASE("the arc tangent at the borders of octants and at every scale") {
    // Every octant border and both axes, at every scale: half the largest number, because the core adds the two.
    for (double scale : {5e-324, 1e-308, 1e-200, 1.0, 1e200, 8.9e307})
        for (double u : {-1.0, -0.0, 0.0, 1.0})
            for (double v : {-1.0, -0.0, 0.0, 1.0}) {
                check_arc_tangent_at(u * scale, v * scale);
                check_arc_tangent_at(u, v * scale);
                check_arc_tangent_at(u * scale, v);
            }
    for (int degree = -180; degree <= 180; ++degree)
        check_arc_tangent_at(double(sinl(PI_L / 180 * degree)), double(cosl(PI_L / 180 * degree)));
    for (double y : {double(NAN), HUGE_VAL, -HUGE_VAL, 0.0, 1.0})  // nothing is promised but that the call returns
        for (double x : {double(NAN), HUGE_VAL, -HUGE_VAL, -0.0, -1.0}) (void)arc_tangent2(y, x);
}

inline void check_trigonometry_lanes(std::uint64_t seed) {
    constexpr int W = width<Wide>;
    Random random(seed);
    double angles[W], y[W], x[W];
    for (int i = 0; i < W; ++i) {
        angles[i] = random.chance(0.05) ? (random.chance(0.5) ? double(NAN) : HUGE_VAL) : random_angle(random);
        random_point(random, y[i], x[i]);
        if (random.chance(0.1)) x[i] = random.sign() * 0.0;
        if (random.chance(0.1)) y[i] = random.sign() * 0.0;
    }
    check_sincos_lanes(angles);
    const Wide a = arc_tangent2(load_lanes<W>(y), load_lanes<W>(x));
    for (int i = 0; i < W; ++i) HOLDS(same_bits(a[i], arc_tangent2(y[i], x[i])), i, y[i], x[i], a[i]);
}

LAW("a lane of sine, cosine and arc tangent is the single call", 1000, check_trigonometry_lanes);

}  // namespace
}  // namespace limbik::test
