// Lists of configurations: each reaches the target by the reference, no two are the same, the one behind the target is
// among them, batches have the bits of single calls, and each is at its reported swivel.

#include <thread>

#include "../support/solvers.hpp"

namespace limbik::test {
namespace {

inline std::vector<double> numbers_of(const Posture& p, int n) { return std::vector<double>(p.q, p.q + n); }

inline void check_list(const Solvable& arm, const Pose<double>& target, const Listing& all) {
    const int n = arm.n();
    HOLDS((all.status == Status::solved) == (all.postures.count > 0), int(all.status), all.postures.count);
    for (int k = 0; k < all.postures.count; ++k) {
        const Posture& p = all.postures.found[k];
        Outcome as_answer;
        as_answer.status = Status::solved, as_answer.errors = p.errors;
        check_answer(arm, target, numbers_of(p, n), as_answer);
    }
}

// The distance of two configurations modulo 2 pi.
inline double joint_distance(const Solvable& arm, const double* a, const double* b) {
    double most = 0.0;
    for (const Element& e : arm.mechanism().elements) {
        const double gap = a[e.first] - b[e.first];
        most = std::max(most, std::fabs(e.kind == Kind::revolute ? wrap(gap) : gap));
    }
    return most;
}

inline void check_all(std::uint64_t seed) {
    Random random(seed);
    const Arms kinds[] = {Arms::upright, Arms::group, Arms::swivel, Arms::held};
    const Solvable arm(random, some_arm(random, kinds[seed % 4]));
    if (!arm.postures->exists()) return;
    const double special = random.chance(0.5) ? 0.0 : 0.3;
    const std::vector<double> made = configuration(random, arm, special);
    const Pose<double> target = arm.forward(made);
    const std::vector<double> from = some_seed(random, arm);
    Listing all;
    arm.postures->all(target, from.data(), std::nullopt, std::nullopt, 0.0, all);
    check_list(arm, target, all);
    const Postures& found = all.postures;
    const Redundancy redundancy = arm.postures->finder().redundancy();
    bool again = !all.listed, family = false;
    for (int k = 0; k < found.count; ++k) {
        again = again || joint_distance(arm, found.found[k].q, made.data()) < 1e-5;
        family = family || found.found[k].family;
        if (redundancy == Redundancy::joint) continue;  // sampled: the ends of a whole turn are listed as 2-pi copies
        for (int i = 0; i < k; ++i)
            HOLDS(joint_distance(arm, found.found[i].q, found.found[k].q) > 1e-9, i, k, found.found[i].branch);
    }
    // of a redundant arm only one of each range is listed; rounding may move a joint at its limit past it
    if (redundancy == Redundancy::none && special == 0.0) HOLDS(again || family, found.count);
}

// Rows of lists are single calls, also on threads.
inline void check_rows_of_lists(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, random.chance(0.5) ? Arms::upright : Arms::group));
    if (!arm.postures->exists() || arm.postures->finder().redundancy() != Redundancy::none) return;
    const int rows = random.integer(1, 2 * width<Wide> + 3), most = arm.postures->finder().most();
    std::vector<double> targets, seeds;
    for (int row = 0; row < rows; ++row) {
        double T[16];
        store_pose(some_target(random, arm), 1, T, 16);
        targets.insert(targets.end(), T, T + 16);
        const std::vector<double> from = some_seed(random, arm);
        seeds.insert(seeds.end(), from.begin(), from.end());
    }
    auto q = places(long(rows) * most * 6);
    std::vector<std::int32_t> branch(std::size_t(rows * most)), count(static_cast<std::size_t>(rows)), outside(count);
    std::vector<std::uint8_t> family(std::size_t(rows * most)), open(static_cast<std::size_t>(rows));
    OverflowRows wide;
    const BranchArrays out{6,           most, q.data(), branch.data(), family.data(), count.data(), outside.data(),
                           open.data(), &wide};
    const std::atomic<bool> stop{false};
    const long middle = random.integer(0, rows);
    long ends[2] = {};
    {
        std::jthread other(
            [&] { ends[1] = arm.postures->rows(targets.data(), 0.0, seeds.data(), 6, middle, rows, out, stop); });
        ends[0] = arm.postures->rows(targets.data(), 0.0, seeds.data(), 6, 0, middle, out, stop);
    }
    HOLDS(ends[0] == middle && ends[1] == rows, ends[0], ends[1]);
    for (int row = 0; row < rows; ++row) {
        const double* from = seeds.data() + row * 6;
        double doubt = 0.0;
        const auto target = geometry::rigid(targets.data() + row * 16, &doubt);
        Postures one;
        BranchOptions options = arm.postures->options();
        options.doubt = doubt;
        arm.postures->finder().all(*target, from, options, one);
        if (one.count == 0) arm.postures->finder().conclude(*target, from, options, one);
        HOLDS(one.count == count[std::size_t(row)], row, one.count, count[std::size_t(row)]);
        HOLDS(one.outside == outside[std::size_t(row)] && one.open == (open[std::size_t(row)] != 0), row);
        for (int k = 0; k < std::min(one.count, most); ++k) {
            HOLDS(one.found[k].branch == branch[std::size_t(row * most + k)], row, k);
            for (int j = 0; j < 6; ++j)
                HOLDS(same_bits(one.found[k].q[j], q[std::size_t((row * most + k) * 6 + j)]), row, k, j);
        }
    }
    // a row that is no rigid pose is reported, and nothing is written
    const long bad = random.integer(0, rows - 1);
    targets[std::size_t(bad * 16 + 5)] += 0.1;
    std::fill(count.begin(), count.end(), -7);
    HOLDS(arm.postures->rows(targets.data(), 0.0, seeds.data(), 6, 0, rows, out, stop) == bad, bad);
    for (const std::int32_t c : count) HOLDS(c == -7, int(c));
}

// At a given swivel the elbow is at it; the ranges contain every listed swivel; a listed branch and swivel is found
// again.
inline void check_swivels(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, swivel_arm(random));
    HOLDS(arm.postures->finder().redundancy() == Redundancy::swivel);
    const std::vector<double> made = configuration(random, arm, 0.0), from = some_seed(random, arm);
    const Pose<double> target = arm.forward(made);
    const double swivel = random.chance(0.5) ? arm.postures->elbow_of(made.data()) : random.uniform(-PI, PI);
    Listing at, ranged;
    arm.postures->all(target, from.data(), swivel, std::nullopt, 0.0, at);
    check_list(arm, target, at);
    HOLDS(!at.listed, at.postures.count);
    std::vector<SwivelChoice> choices;
    for (int k = 0; k < at.postures.count; ++k) {
        const Posture& p = at.postures.found[k];
        HOLDS(std::fabs(wrap(arm.postures->elbow_of(p.q) - swivel)) < 1e-6, arm.postures->elbow_of(p.q), swivel);
        choices.push_back({p.branch, swivel});
    }
    Listing named;
    arm.postures->at_choices(target, from.data(), choices, named);
    HOLDS(named.postures.count == at.postures.count, named.postures.count, at.postures.count);
    auto swung = places(long(SWIVEL_BRANCHES) * SWIVEL_JOINTS, std::numeric_limits<double>::quiet_NaN());
    arm.postures->swing(target, from.data(), swivel, swung.data());
    for (int k = 0; k < std::min(named.postures.count, at.postures.count); ++k)
        for (int j = 0; j < SWIVEL_JOINTS; ++j) {
            const Posture& p = at.postures.found[k];
            HOLDS(same_bits(named.postures.found[k].q[j], p.q[j]), k, j);
            HOLDS(same_bits(swung[std::size_t(p.branch * SWIVEL_JOINTS + j)], p.q[j]), k, j);
        }
    SwivelFinder::Ranges ranges;
    arm.postures->ranges(target, ranges);
    arm.postures->all(target, from.data(), std::nullopt, std::nullopt, 0.0, ranged);
    check_list(arm, target, ranged);
    for (const Listing* list : {&at, &ranged})
        for (int k = 0; k < list->postures.count; ++k) {
            const Posture& p = list->postures.found[k];
            if (p.gap < 1e-6) continue;  // between two branches: it may belong to either
            bool inside = false;
            for (int a = 0; a < ranges.counts[p.branch]; ++a) {
                const Arc& arc = ranges.arcs[p.branch][a];
                const double half = 0.5 * (arc.high - arc.low);
                inside = inside || std::fabs(wrap(p.swivel - arc.low - half)) <= half + 1e-6;
            }
            HOLDS(inside, p.swivel, p.branch, ranges.counts[p.branch]);
        }
}

// In a chain with a held joint that joint has the given value.
inline void check_held(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, held_arm(random));
    if (arm.postures->finder().redundancy() != Redundancy::joint) return;
    const std::vector<double> made = configuration(random, arm, 0.1), from = some_seed(random, arm);
    const Pose<double> target = arm.forward(made);
    const int held = arm.postures->finder().held();
    Listing all;
    arm.postures->all(target, from.data(), made[std::size_t(held)], std::nullopt, 0.0, all);
    check_list(arm, target, all);
    HOLDS(!all.listed && all.status != Status::out_of_reach && all.status != Status::limits, int(all.status));
    for (int k = 0; k < all.postures.count; ++k) {
        const Posture& p = all.postures.found[k];
        HOLDS(std::fabs(wrap(p.q[held] - made[std::size_t(held)])) < 1e-4, p.q[held], made[std::size_t(held)]);
        HOLDS(p.swivel == p.q[held], p.swivel, p.q[held]);
    }
}

LAW_AT_LEAST("lists have the configurations that reach the target, each once", 200, 8, check_all);
LAW_AT_LEAST("rows of lists are single calls", 60, 4, check_rows_of_lists);
LAW_AT_LEAST("a configuration is at its reported swivel", 100, 4, check_swivels);
LAW_AT_LEAST("a held joint has the given value", 40, 4, check_held);

}  // namespace
}  // namespace limbik::test
