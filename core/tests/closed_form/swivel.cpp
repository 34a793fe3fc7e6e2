// Ranges of the swivel against configurations.

#include "../support/arms.hpp"

#include "../../closed_form/swivel_ranges.hpp"

namespace limbik::test {
namespace {

// A swivel is in a range of its branch exactly where the configuration at it is inside the limits.
inline void check_swivel(std::uint64_t seed) {
    Random random(seed);
    Loop chain;
    chain.n = SWIVEL_JOINTS, chain.scale = 1.0;
    double along = 0.0;
    for (int i = 0; i < SWIVEL_JOINTS; ++i) {
        Pose<double> placement = turned_about_z_and_x(random);
        const bool inside = i == 1 || i == 2 || i == 5 || i == 6;
        if (inside) {
            const double next = random.uniform(-0.2, 0.2);
            placement.origin = {0, 0, 0};
            placement = shifted_along_z(-along) * placement * shifted_along_z(next);
            along = next;
        } else {
            placement.origin = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
            along = 0.0;
        }
        chain.joints[i] = {i, 1.0, true, placement, 0.0, 0.0};
    }
    chain.tip = turned_about_z_and_x(random);
    const auto arm = SwivelArm::of(chain);
    if (!arm) return;
    double lower[SWIVEL_JOINTS], upper[SWIVEL_JOINTS], q[SWIVEL_JOINTS];
    Pose<double> T = identity_pose();
    for (int i = 0; i < SWIVEL_JOINTS; ++i) {
        lower[i] = random.uniform(-3, -0.5), upper[i] = random.uniform(0.5, 3),
        q[i] = random.uniform(lower[i], upper[i]);
        T = T * chain.joints[i].placement;
        rotate_about_z(T, std::sin(q[i]), std::cos(q[i]));
    }
    T = T * chain.tip;
    auto margin = [&](int joint, double angle) {  // how far inside the limits, at the best 2-pi copy
        const double middle = 0.5 * (lower[joint] + upper[joint]);
        return 0.5 * (upper[joint] - lower[joint]) - std::fabs(std::remainder(angle - middle, 2.0 * PI));
    };
    constexpr int MOST = 12;
    Arc arcs[SWIVEL_BRANCHES][MOST];
    int counts[SWIVEL_BRANCHES];
    SwivelRanges(*arm, lower, upper).find<MOST>(T, arcs, counts);
    const auto line = arm->line(T);
    const double zeros[SWIVEL_JOINTS] = {};
    for (int k = 0; k < 200; ++k) {
        const double swivel = random.uniform(-PI, PI);
        for (int b = 0; b < SWIVEL_BRANCHES; ++b) {
            const auto p =
                arm->posture(T, line, swivel, b & 4 ? -1.0 : 1.0, b & 2 ? -1.0 : 1.0, b & 1 ? -1.0 : 1.0, zeros);
            double worst = 10.0;
            for (int j = 0; j < SWIVEL_JOINTS; ++j) worst = std::min(worst, margin(j, p.q[j]));
            bool in_range = false;
            for (int a = 0; a < counts[b]; ++a) {
                HOLDS(arcs[b][a].low <= arcs[b][a].high && arcs[b][a].high <= arcs[b][a].low + 2.0 * PI + 1e-12,
                      arcs[b][a].low);
                const double x = swivel - 2.0 * PI * std::floor((swivel - arcs[b][a].low) / (2.0 * PI));
                in_range = in_range || x <= arcs[b][a].high;
            }
            // roots and limits that rounding decides are not compared
            if (p.exists && std::fabs(worst) > 1e-7 && p.gap > 1e-9)
                HOLDS(in_range == (worst > 0.0), in_range, worst, swivel, b);
        }
    }
}

LAW("ranges of the swivel agree with the configurations in them", 100, check_swivel);

}  // namespace
}  // namespace limbik::test
