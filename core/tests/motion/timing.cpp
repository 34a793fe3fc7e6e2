// Timing: no joint exceeds its speed or its acceleration at either end of an interval, and a straight path is timed
// optimally.

#include "../support/random.hpp"

#include "../../motion/path_timing.hpp"

namespace limbik::test {
namespace {

struct TimedPath {
    int n;
    long count;
    std::vector<double> s, slope, bend, speed, acceleration, most;

    Timing timing() const {
        return {n, count, s.data(), slope.data(), bend.data(), speed.data(), acceleration.data(), most.data()};
    }
};

// A smooth trajectory: sums of sines, with their derivatives.
inline TimedPath random_path(Random& random) {
    TimedPath path{random.integer(1, 5), random.integer(2, 60), {}, {}, {}, {}, {}, {}};
    double at = random.uniform(-1.0, 1.0);
    for (long i = 0; i < path.count; ++i) path.s.push_back(at), at += random.uniform(0.01, 0.2);
    std::vector<double> size, rate, shift;
    for (int j = 0; j < path.n; ++j) {
        size.push_back(random.chance(0.1) ? 0.0 : random.uniform(0.1, 2.0));
        rate.push_back(random.uniform(0.1, 4.0)), shift.push_back(random.uniform(-3.0, 3.0));
        path.speed.push_back(random.chance(0.2) ? HUGE_VAL : random.magnitude(-1.0, 1.0));
        path.acceleration.push_back(random.chance(0.2) ? HUGE_VAL : random.magnitude(-1.0, 1.0));
    }
    for (long i = 0; i < path.count; ++i) {
        for (std::size_t j = 0; j < size.size(); ++j) {
            const double angle = rate[j] * path.s[std::size_t(i)] + shift[j];
            path.slope.push_back(size[j] * rate[j] * std::cos(angle));
            path.bend.push_back(-size[j] * rate[j] * rate[j] * std::sin(angle));
        }
        path.most.push_back(i == 0 || i + 1 == path.count || random.chance(0.05) ? 0.0 : 100.0);
    }
    return path;
}

LAW("no joint exceeds its speed or its acceleration", 300, [](std::uint64_t seed) {
    constexpr double NEAR = 1e-9;
    Random random(seed);
    const TimedPath path = random_path(random);
    const Timing timing = path.timing();
    const std::vector<double> x = PathTimer(timing).find();
    HOLDS(long(x.size()) == path.count, path.count);
    for (long i = 0; i < path.count; ++i) {
        const double here = x[std::size_t(i)];
        HOLDS(here >= 0.0 && here <= path.most[std::size_t(i)], i, here);
        for (int j = 0; j < path.n; ++j) {
            const std::size_t at = std::size_t(i * path.n + j), joint = std::size_t(j);
            HOLDS(std::fabs(path.slope[at]) * std::sqrt(here) <= path.speed[joint] * (1.0 + NEAR), i, j, here);
            if (i + 1 == path.count) continue;
            const double next = x[std::size_t(i) + 1], ds = path.s[std::size_t(i) + 1] - path.s[std::size_t(i)];
            const double u = (next - here) / (2.0 * ds);
            const double first = path.slope[at] * u + path.bend[at] * here;
            const std::size_t then = at + std::size_t(path.n);
            const double last = path.slope[then] * u + path.bend[then] * next;
            const double room = path.acceleration[joint] * (1.0 + NEAR) + NEAR;
            HOLDS(std::fabs(first) <= room && std::fabs(last) <= room, i, j, first, last, path.acceleration[joint],
                  here, next);
        }
    }
});

LAW("a straight path has the trapezoidal speed profile", 200, [](std::uint64_t seed) {
    Random random(seed);
    TimedPath path{1, random.integer(2, 80), {}, {}, {}, {random.magnitude(-1.0, 1.0)}, {random.magnitude(-1.0, 1.0)},
                   {}};
    double at = 0.0;
    for (long i = 0; i < path.count; ++i) {
        path.s.push_back(at), at += random.uniform(0.01, 0.2);
        path.slope.push_back(1.0), path.bend.push_back(0.0);
        path.most.push_back(i == 0 || i + 1 == path.count ? 0.0 : 1e6);
    }
    const Timing timing = path.timing();
    const std::vector<double> x = PathTimer(timing).find();
    const double v = path.speed[0], a = path.acceleration[0], end = path.s.back();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double best = std::fmin(v * v, 2.0 * a * std::fmin(path.s[i], end - path.s[i]));
        HOLDS(std::fabs(x[i] - best) <= 1e-9 * (1.0 + best), std::uint64_t(i), x[i], best);
    }
});

}  // namespace
}  // namespace limbik::test
