// Closed forms: the generating posture is found, every posture is one by the reference's forward kinematics, limits hold, one
// target and many give the same bits, and no target, however odd, gives a number that is none.
#pragma once

#include "../closed_form/chain_branches.hpp"
#include "../closed_form/decomposition.hpp"
#include "../closed_form/swivel_ranges.hpp"
#include "test_mechanisms.hpp"

namespace limbik::test {

inline Pose<double> turned_about_z_and_x(Random& random) {
    Rigid T{about_z(random.uniform(-3, 3)) * about_x(random.uniform(-3, 3)) * about_z(random.uniform(-3, 3)), {0, 0, 0}};
    return rounded(T);
}

// Six joints, three of which meet (`meeting` of them from `first`) or are parallel; the others lie anywhere.
inline Mechanism arm_with_group(Random& random, bool meeting, int first) {
    Mechanism m;
    m.n = 6;
    double along = 0.0;
    for (int i = 0; i < 6; ++i) {
        Pose<double> mount = turned_about_z_and_x(random);
        mount.origin = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
        const bool inside = i > first && i < first + 3;
        if (inside && meeting) {
            mount.origin = {0, 0, 0};
            const double next = random.uniform(-0.5, 0.5);
            mount = shifted_along_z(-along) * mount * shifted_along_z(next);
            along = next;
        } else if (inside) {
            const double angle = random.uniform(-3, 3);
            mount = {{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}, mount.origin};
            if (random.chance(0.3)) mount = mount * half_turn_about_x();
        }
        const bool turns = inside || i == first || random.chance(0.8);
        m.elements.push_back({i - 1, turns ? Kind::revolute : Kind::prismatic, i, 1.0, 0.0, false, mount});
    }
    Pose<double> tip = turned_about_z_and_x(random);
    tip.origin = {0.1, -0.2, 0.05};
    m.frames.push_back({5, tip});
    return m;
}

inline void check_closed_form(std::uint64_t seed) {
    current_seed = seed;
    Random random(seed);
    const Kinematics k(arm_with_group(random, random.chance(0.5), random.integer(0, 3)));
    const auto loop = loop_of(k.mechanism, k.mechanism.frames[0], 1.0);
    CHECK(loop.has_value(), false);
    const auto form = take_apart(*loop);
    if (!form) return;  // slides may leave the others without hold
    const ChainBranches<6> branches(*k.chain, 0, Effort{0.5, DAMPING, LARGEST_STEP});
    std::vector<double> lower(6), upper(6), starts, targets;
    for (int j = 0; j < 6; ++j) lower[std::size_t(j)] = random.uniform(-4, -1), upper[std::size_t(j)] = random.uniform(1, 4);
    const BranchOptions options{lower.data(), upper.data(), 1e-8, 1e-8};
    const int rows = 2 * width<Wide> + 3;
    std::vector<double> made;
    for (int r = 0; r < rows; ++r) {
        double q[6];
        for (int j = 0; j < 6; ++j) q[j] = random.uniform(lower[std::size_t(j)], upper[std::size_t(j)]);
        if (r % 5 == 0) q[random.integer(0, 5)] = 0.0;  // a special place
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
    WideRows wide;
    branches.rows(*form, targets.data(), starts.data(), 6, rows, options,
                  {6, most, q_out.data(), branch.data(), family.data(), counts.data(), outside.data(), open.data(), &wide}, stop);
    std::vector<Pose<double>> poses(6);
    for (int r = 0; r < rows; ++r) {
        const Pose<double> T = load_pose<double>(targets.data() + r * 16, 1);
        Postures found;
        branches.all(*form, T, starts.data() + r * 6, options, found);
        CHECK(found.count == counts[std::size_t(r)] && found.outside == outside[std::size_t(r)], found.count, counts[std::size_t(r)]);
        CHECK(found.open == (open[std::size_t(r)] != 0), found.open);
        bool again = r % 7 == 3, any_family = false;
        for (int p = 0; p < found.count; ++p) {
            const double* q = found.found[p].q;
            double off = 0.0;
            for (int j = 0; j < 6; ++j) {
                CHECK(q[j] >= lower[std::size_t(j)] && q[j] <= upper[std::size_t(j)], q[j]);
                CHECK(same_bits(q[j], q_out[std::size_t((r * most + p) * 6 + j)]), q[j]);
                const double gap = q[j] - made[std::size_t(r * 6 + j)];
                const bool turns = k.mechanism.elements[std::size_t(j)].kind == Kind::revolute;
                off = std::max(off, std::fabs(turns ? std::remainder(gap, 2.0 * PI) : gap));
            }
            again = again || off < 1e-5;
            any_family = any_family || found.found[p].family;
            forward_elements(k.mechanism, q, poses.data());
            Vector3<double> e, w;
            pose_error(frame_pose(k.mechanism.frames[0], poses.data()), T, e, w);
            CHECK(std::sqrt(dot(e, e)) <= 2e-8 && std::sqrt(dot(w, w)) <= 2e-8, std::sqrt(dot(e, e)), std::sqrt(dot(w, w)));
        }
        CHECK(again || any_family || found.open, r, found.count);
    }
}

// Ranges of a swivel hold what postures say in their middles, and outside of them.
inline void check_swivel(std::uint64_t seed) {
    current_seed = seed;
    Random random(seed);
    Loop chain;
    chain.n = SWIVEL_JOINTS, chain.scale = 1.0;
    double along = 0.0;
    for (int i = 0; i < SWIVEL_JOINTS; ++i) {
        Pose<double> mount = turned_about_z_and_x(random);
        const bool inside = i == 1 || i == 2 || i == 5 || i == 6;
        if (inside) {
            const double next = random.uniform(-0.2, 0.2);
            mount.origin = {0, 0, 0};
            mount = shifted_along_z(-along) * mount * shifted_along_z(next);
            along = next;
        } else {
            mount.origin = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
            along = 0.0;
        }
        chain.joints[i] = {i, 1.0, true, mount, 0.0, 0.0};
    }
    chain.tip = turned_about_z_and_x(random);
    const auto arm = SwivelArm::of(chain);
    if (!arm) return;
    double lower[SWIVEL_JOINTS], upper[SWIVEL_JOINTS], q[SWIVEL_JOINTS];
    Pose<double> T = no_motion();
    for (int i = 0; i < SWIVEL_JOINTS; ++i) {
        lower[i] = random.uniform(-3, -0.5), upper[i] = random.uniform(0.5, 3), q[i] = random.uniform(lower[i], upper[i]);
        T = T * chain.joints[i].mount;
        turn_about_z(T, std::sin(q[i]), std::cos(q[i]));
    }
    T = T * chain.tip;
    auto margin = [&](int joint, double angle) {  // how far inside the limits, at the best turn
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
            const auto p = arm->posture(T, line, swivel, b & 4 ? -1.0 : 1.0, b & 2 ? -1.0 : 1.0, b & 1 ? -1.0 : 1.0, zeros);
            double worst = 10.0;
            for (int j = 0; j < SWIVEL_JOINTS; ++j) worst = std::min(worst, margin(j, p.q[j]));
            bool said = false;
            for (int a = 0; a < counts[b]; ++a) {
                CHECK(arcs[b][a].low <= arcs[b][a].high && arcs[b][a].high <= arcs[b][a].low + 2.0 * PI + 1e-12, arcs[b][a].low);
                const double x = swivel - 2.0 * PI * std::floor((swivel - arcs[b][a].low) / (2.0 * PI));
                said = said || x <= arcs[b][a].high;
            }
            // a root that exists only by the grace of rounding is a matter of rounding
            if (p.exists && std::fabs(worst) > 1e-7 && p.gap > 1e-9) CHECK(said == (worst > 0.0), said, worst, swivel, b);
        }
    }
}

}  // namespace limbik::test
