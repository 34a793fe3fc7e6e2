// The hyperbolic tangent against long double, and every lane against the single call.

#include "../support/reference.hpp"

#include "../../simd/hyperbolic.hpp"
#include "../../simd/rows.hpp"

namespace limbik::test {
namespace {

inline constexpr double TANGENT_ERROR = 1e-15;  // relative

inline double random_argument(Random& random) {
    switch (random.integer(0, 3)) {
        case 0: return random.uniform(-1.0, 1.0);
        case 1: return random.uniform(-25.0, 25.0);
        case 2: return random.sign() * random.magnitude(-300.0, 3.0);
        default:
            return 0.5 * double(logl(2.0L)) * random.integer(-60, 60) +
                   random.uniform(-1e-12, 1e-12);  // where the power changes
    }
}

inline void check_tangent_at(double x) {
    const double y = hyperbolic_tangent(x);
    const Real exact = tanhl(Real(x));
    const double error = double(fabsl(y - exact));
    HOLDS(error <= TANGENT_ERROR * double(fabsl(exact)), x, y, exact, error);
    HOLDS(std::fabs(y) <= 1.0, x, y);
    HOLDS(hyperbolic_tangent(-x) == -y, x, y);
}

LAW("the hyperbolic tangent is that of long double", 200, [](std::uint64_t seed) {
    Random random(seed);
    for (int k = 0; k < 50; ++k) check_tangent_at(random_argument(random));
    constexpr int W = width<Wide>;
    double x[W];
    for (double& each : x) each = random.chance(0.05) ? double(NAN) : random_argument(random);
    const Wide y = hyperbolic_tangent(load_lanes<W>(x));
    for (int i = 0; i < W; ++i) HOLDS(same_bits(y[i], hyperbolic_tangent(x[i])), i, x[i], y[i]);
});

TEST_CASE("the hyperbolic tangent at 0, at large arguments and of NaN") {
    for (double x : {0.0, -0.0, 5e-324, 1e-300, 19.999, 20.0, 20.001, 1e300, HUGE_VAL}) check_tangent_at(x);
    HOLDS(hyperbolic_tangent(double(NAN)) != hyperbolic_tangent(double(NAN)));
}

}  // namespace
}  // namespace limbik::test
