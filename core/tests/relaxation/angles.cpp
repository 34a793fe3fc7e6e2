// Networks of angles stay finite from any state.

#include "../support/random.hpp"

#include "../../relaxation/relaxation.hpp"

namespace limbik::test {
namespace {

// A network of two segments, from any state: the triangle and the two directions.
inline void check_angles(std::uint64_t seed) {
    Random random(seed);
    const double pi = PI;
    // variables 0..2: angles of the triangle, 3: third side, 4 and 5: two directions; 6 and 7: the segments
    const std::vector<Computation> rows = {{Rule::cosine_angle, 0, 0.0, 3, {6, 3, 7, 0}, {}, -1},
                                           {Rule::linear, 0, pi, 2, {1, 2, 0, 0}, {-1, -1, 0, 0}, -1},
                                           {Rule::cosine_angle, 1, 0.0, 3, {6, 7, 3, 0}, {}, -1},
                                           {Rule::linear, 1, pi, 2, {0, 2, 0, 0}, {-1, -1, 0, 0}, -1},
                                           {Rule::cosine_angle, 2, 0.0, 3, {3, 7, 6, 0}, {}, -1},
                                           {Rule::linear, 2, pi, 2, {0, 1, 0, 0}, {-1, -1, 0, 0}, -1},
                                           {Rule::cosine_side, 3, 0.0, 3, {6, 7, 1, 0}, {}, -1},
                                           {Rule::linear, 4, 0.0, 2, {5, 0, 0, 0}, {1, 1, 0, 0}, -1},
                                           {Rule::linear, 5, 0.0, 2, {4, 0, 0, 0}, {1, -1, 0, 0}, -1}};
    const AngleNetwork network(rows, {true, true, true, false, true, true}, {1.0, random.uniform(0.2, 2.0)});
    double start[6];
    bool clamped[6];
    double low[6], high[6], value[6];
    for (int k = 0; k < 6; ++k) {
        start[k] = random.uniform(-10.0, 10.0), value[k] = random.uniform(-3.0, 3.0), clamped[k] = random.chance(0.3);
        low[k] = -std::numeric_limits<double>::infinity(), high[k] = std::numeric_limits<double>::infinity();
    }
    NetworkSettings settings;
    settings.parallel = random.chance(0.5), settings.mean = Mean(random.integer(0, 3)),
    settings.nearest = random.chance(0.5);
    settings.damping = random.uniform(-0.9, 0.9), settings.noise = random.chance(0.3) ? 0.1 : 0.0, settings.seed = seed;
    const std::vector<unsigned char> some(rows.size(), random.chance(0.3) ? 1 : 0);
    const AngleInputs in = {clamped, value, low, high, random.chance(0.2) ? some.data() : nullptr, some.data()};
    const AngleTrace trace = relax(network, start, in, 100, 1e-9, settings, 0);
    HOLDS(trace.states.size() <= 6 * 101 && trace.states.size() >= 6, double(trace.states.size()));
    for (const double x : trace.states) HOLDS(std::isfinite(x), x);
    HOLDS(std::isfinite(trace.disagreement), trace.disagreement);
}

LAW("angles stay finite from any state", 300, check_angles);

}  // namespace
}  // namespace limbik::test
