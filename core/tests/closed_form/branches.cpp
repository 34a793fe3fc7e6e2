// Closed forms: the configuration behind a target is found, every configuration reaches its target by the general path
// of forward kinematics, limits hold, and one target and many give the same bits.

#include "../support/arms.hpp"

#include "../../closed_form/chain_branches.hpp"
#include "../../closed_form/decomposition.hpp"

namespace limbik::test {
namespace {

inline void check_closed_form(std::uint64_t seed) {
    Random random(seed);
    const Kinematics k(arm_with_group(random, random.chance(0.5), random.integer(0, 3)));
    const auto loop = loop_of(k.mechanism, k.mechanism.frames[0], 1.0);
    HOLDS(loop.has_value(), false);
    const auto form = decompose(*loop);
    if (!form) return;  // prismatic joints may leave the others undetermined
    const ChainBranches branches(*k.chain, 0, StepSettings{0.5, DAMPING, LARGEST_STEP});
    std::vector<double> lower(6), upper(6), starts, targets;
    for (int j = 0; j < 6; ++j)
        lower[std::size_t(j)] = random.uniform(-4, -1), upper[std::size_t(j)] = random.uniform(1, 4);
    const BranchOptions options{lower.data(), upper.data(), {1e-8, 1e-8}};
    const int rows = 2 * width<Wide> + 3;
    std::vector<double> made;
    for (int r = 0; r < rows; ++r) {
        double q[6];
        for (int j = 0; j < 6; ++j) q[j] = random.uniform(lower[std::size_t(j)], upper[std::size_t(j)]);
        if (r % 5 == 0) q[random.integer(0, 5)] = 0.0;  // a singular configuration
        Pose<double> T = forward_chain<false, double>(*k.chain, k.chain->frames[0], q, nullptr);
        if (r % 7 == 3) T.origin = scaled(T.origin, 40.0);
        double row[16];
        store_pose(T, 1, row, 16);
        targets.insert(targets.end(), row, row + 16);
        made.insert(made.end(), q, q + 6);
        for (int j = 0; j < 6; ++j) starts.push_back(random.uniform(-3, 3));
    }
    const int most = form->most();
    auto q_out = places(long(rows) * most * 6);
    std::vector<std::int32_t> branch(std::size_t(rows * most)), counts(static_cast<std::size_t>(rows)), outside(counts);
    std::vector<std::uint8_t> family(std::size_t(rows * most)), open(static_cast<std::size_t>(rows));
    const std::atomic<bool> stop{false};
    OverflowRows wide;
    branches.rows(
        *form, targets.data(), starts.data(), 6, rows, options,
        {6, most, q_out.data(), branch.data(), family.data(), counts.data(), outside.data(), open.data(), &wide}, stop);
    std::vector<Pose<double>> poses(6);
    for (int r = 0; r < rows; ++r) {
        const Pose<double> T = load_pose<double>(targets.data() + r * 16, 1);
        Postures found;
        branches.all(*form, T, starts.data() + r * 6, options, found);
        if (found.count == 0) branches.conclude(*form, T, starts.data() + r * 6, options, found);  // as rows do
        HOLDS(found.count == counts[std::size_t(r)] && found.outside == outside[std::size_t(r)], found.count,
              counts[std::size_t(r)]);
        HOLDS(found.open == (open[std::size_t(r)] != 0), found.open);
        bool again = r % 7 == 3, any_family = false;
        for (int p = 0; p < found.count; ++p) {
            const double* q = found.found[p].q;
            double off = 0.0;
            for (int j = 0; j < 6; ++j) {
                HOLDS(q[j] >= lower[std::size_t(j)] && q[j] <= upper[std::size_t(j)], q[j]);
                HOLDS(same_bits(q[j], q_out[std::size_t((r * most + p) * 6 + j)]), q[j]);
                const double gap = q[j] - made[std::size_t(r * 6 + j)];
                const bool revolute = k.mechanism.elements[std::size_t(j)].kind == Kind::revolute;
                off = std::max(off, std::fabs(revolute ? std::remainder(gap, 2.0 * PI) : gap));
            }
            again = again || off < 1e-5;
            any_family = any_family || found.found[p].family;
            forward_elements(k.mechanism, q, poses.data());
            Vector3<double> e, w;
            pose_error(frame_pose(k.mechanism.frames[0], poses.data()), T, e, w);
            HOLDS(std::sqrt(dot(e, e)) <= 2e-8 && std::sqrt(dot(w, w)) <= 2e-8, std::sqrt(dot(e, e)),
                  std::sqrt(dot(w, w)));
        }
        HOLDS(again || any_family || found.open, r, found.count);
    }
}

LAW("the configuration behind a target is found, in a single call and in a batch", 100, check_closed_form);

}  // namespace
}  // namespace limbik::test
