// The tracker keeps joint speeds and limits.

#include "../support/goals.hpp"

#include "../../motion/tracker.hpp"

namespace limbik::test {
namespace {

LAW("a tracker keeps joint speeds and limits", 200, [](std::uint64_t seed) {
    Random random(seed);
    const GoalScene scene(random);
    const Mechanism& m = scene.k.mechanism;
    if (m.n == 0) return;
    std::vector<double> aims, speed(scene.q.size());
    for (double& v : speed) v = random.chance(0.2) ? std::numeric_limits<double>::infinity() : random.uniform(0.1, 3.0);
    const Tracker tracker(scene.k, scene.limits, several_goals(random, m, aims), scene.frozen, speed, 0.8);
    constexpr double TIME = 0.01;
    std::vector<double> at = scene.q, to(at.size()), difference(at.size()), errors;
    for (int step = 0; step < 20; ++step) {
        tracker.step(aims.data(), at.data(), TIME, to.data(), errors);
        difference_rows(m, at.data(), to.data(), 1, difference.data());
        for (std::size_t j = 0; j < at.size(); ++j)
            HOLDS(std::isfinite(to[j]) && std::fabs(difference[j]) <= speed[j] * TIME * (1 + 1e-12), difference[j],
                  speed[j]);
        scene.check_inside(to);
        at = to;
    }
});

}  // namespace
}  // namespace limbik::test
