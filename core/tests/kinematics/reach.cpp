// The reach bounds every configuration inside the limits; home and the ranges to draw from keep the limits.

#include "../../kinematics/reach.hpp"

#include "../support/mechanisms.hpp"

namespace limbik::test {
namespace {

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();

double point_distance(const Vector3<double>& a, const Vector3<double>& b) {
    const Vector3<double> d = a - b;
    return std::sqrt(dot(d, d));
}

LAW("no configuration inside the limits takes a frame beyond its reach", 100, [](std::uint64_t seed) {
    Random random(seed);
    const Mechanism m =
        random.chance(0.5) ? random_chain(random, random.integer(1, 9)) : random_tree(random, random.integer(1, 9));
    Limits limits = random_limits(random, m.n);
    const double *lower = limits.lower.data(), *upper = limits.upper.data();
    for (const Frame& frame : m.frames) {
        const Reach reach = reach_of(m, frame, lower, upper);
        if (goes_anywhere(m, frame, lower, upper)) continue;
        for (int k = 0; k < 20; ++k) {
            std::vector<double> q = random_posture(random, m);
            for (const Element& e : m.elements)
                if (size_of(e.kind) == 1) {
                    const std::size_t j = std::size_t(e.first);
                    if (random.chance(0.3)) q[j] = random.chance(0.5) ? limits.draw_low[j] : limits.draw_high[j];
                    q[j] = std::clamp(q[j], lower[j], upper[j]);
                }
            std::vector<Pose<double>> poses(m.elements.size());
            forward_elements(m, q.data(), poses.data());
            const Vector3<double> tip = frame_pose(frame, poses.data()).origin;
            const double rounding = 1e-12 * (1.0 + reach.from_base + reach.span);
            HOLDS(point_distance(tip, {0, 0, 0}) <= reach.from_base + rounding, point_distance(tip, {0, 0, 0}),
                  reach.from_base);
            HOLDS(point_distance(tip, reach.centre) <= reach.span + rounding, point_distance(tip, reach.centre),
                  reach.span);
        }
    }
});

TEST_CASE("a stretched arm attains its reach") {
    const Pose<double> one_on = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    Mechanism m;
    m.n = 3;
    for (int i = 0; i < 3; ++i) m.elements.push_back({i - 1, Kind::revolute, i, 1.0, 0.0, false, one_on});
    m.elements[2].kind = Kind::prismatic;
    m.frames.push_back({2, one_on});
    const double lower[] = {-1.0, -UNBOUNDED, -0.5}, upper[] = {1.0, UNBOUNDED, 0.25},
                 half[] = {-1.0, -1.0, -UNBOUNDED};
    const Reach reach = reach_of(m, m.frames[0], lower, upper);
    CHECK(reach.from_base == doctest::Approx(4.5));
    CHECK(reach.span == doctest::Approx(3.5));
    CHECK(reach.centre.x == doctest::Approx(1.0));
    CHECK(reach_by_limits(m, m.frames[0]));
    CHECK(!goes_anywhere(m, m.frames[0], lower, upper));
    CHECK(goes_anywhere(m, m.frames[0], half, upper));
    CHECK(!goes_anywhere(m, Frame{1, one_on}, half, upper));
    CHECK(!reach_by_limits(m, Frame{1, one_on}));
    const Reach nothing = reach_of(m, Frame{-1, one_on}, lower, upper);  // a frame that no joint moves
    CHECK(nothing.from_base == 1.0);
    CHECK(nothing.span == 0.0);
}

LAW("home and the ranges to draw from keep the limits", 500, [](std::uint64_t seed) {
    Random random(seed);
    auto end = [&](double sign) {
        const double size = random.chance(0.2) ? FARTHEST_LIMIT * random.uniform(0.5, 2.0) : random.uniform(-3.0, 3.0);
        return random.chance(0.3) ? sign * UNBOUNDED : sign * size;
    };
    const double a = end(-1.0), b = end(1.0), low = std::min(a, b), high = std::max(a, b), span = random.uniform(0, 4);
    const double home = home_of({low}, {high}, {})[0];
    HOLDS(std::isfinite(home) && low <= home && home <= high, low, high, home);
    if (std::isfinite(low) && std::isfinite(high))
        HOLDS(std::fabs((home - low) - (high - home)) <= 1e-15 * (std::fabs(low) + std::fabs(high)), low, high, home);
    else HOLDS(home == 0.0 || home == low || home == high, low, high, home);
    const DrawRange range = draw_range(low, high, span);
    HOLDS(std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high, range.low, range.high);
    if (std::fabs(low) < FARTHEST_LIMIT) HOLDS(range.low == low, range.low, low);
    if (std::fabs(high) < FARTHEST_LIMIT) HOLDS(range.high == high, range.high, high);
    HOLDS(range.high - range.low >= std::min(span, high - low) * (1 - 1e-9), range.low, range.high, span);
});

TEST_CASE("the home of a ball joint is in its cone") {
    const Cone cone = {0, {0, 0, 1}, 0.5, 0.25, 0.75};
    const std::vector<double> home =
        home_of({-UNBOUNDED, -UNBOUNDED, -UNBOUNDED}, {UNBOUNDED, UNBOUNDED, UNBOUNDED}, {cone});
    CHECK(home[0] == 0.0);
    CHECK(home[1] == 0.0);
    CHECK(home[2] == doctest::Approx(0.25));
    CHECK(home[2] >= 0.25);
}

}  // namespace
}  // namespace limbik::test
