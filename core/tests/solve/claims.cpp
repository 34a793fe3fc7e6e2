// The claims of a status: OUT_OF_REACH and LIMITS are never given for a target that a configuration reaches, and
// OUT_OF_REACH is given for targets that are far away.

#include "../support/solvers.hpp"

namespace limbik::test {
namespace {

inline bool denies(const Outcome& out) { return out.status == Status::out_of_reach || out.status == Status::limits; }

// A target made from a configuration inside the limits is never reported as unreachable; the closed form solves it.
inline void check_reachable(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    const double special[] = {0.0, 0.3, 0.6, 1.0};
    for (const double share : special) {
        const std::vector<double> made = configuration(random, arm, share);
        const Pose<double> target = arm.forward(made);
        const std::vector<double> from = some_seed(random, arm);
        std::vector<double> q(made.size());
        for (const bool closed : {true, false}) {
            Request request;
            request.closed = closed;
            const Outcome out = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
            HOLDS(!denies(out), int(out.status), closed, share);
            if (closed && arm.postures->solves()) HOLDS(out.status == Status::solved, int(out.status), share);
            check_answer(arm, target, q, out);
        }
        if (!arm.postures->exists()) continue;
        Listing all;
        arm.postures->all(target, from.data(), std::nullopt, std::nullopt, 0.0, all);
        HOLDS(all.status != Status::out_of_reach && all.status != Status::limits, int(all.status), share);
        if (arm.postures->solves()) HOLDS(all.status == Status::solved, int(all.status), share);
    }
}

// A target made from a configuration outside the limits is in reach, whatever blocks it. The closed form relies on the
// limits of prismatic joints; attempts do not.
inline void check_outside(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    std::vector<double> made = configuration(random, arm, 0.2), q(made.size());
    Request request;
    request.closed = random.chance(0.7);
    for (const Element& e : arm.mechanism().elements) {
        if (e.kind == Kind::revolute && random.chance(0.5)) made[std::size_t(e.first)] = random.uniform(-PI, PI);
        if (e.kind == Kind::prismatic && !request.closed) made[std::size_t(e.first)] *= random.uniform(1.0, 9.0);
    }
    const Pose<double> target = arm.forward(made);
    const std::vector<double> from = some_seed(random, arm);
    const Outcome out = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    HOLDS(out.status != Status::out_of_reach, int(out.status), request.closed);
    check_answer(arm, target, q, out);
}

// A target beyond the sum of all lengths is out of reach, by the closed form or by the bound. Where the bound relies on
// the limits of prismatic joints, nothing is claimed.
inline void check_far(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    const std::vector<double> from = some_seed(random, arm);
    std::vector<double> q(from.size());
    Pose<double> target = arm.forward(configuration(random, arm, 0.2));
    target.origin =
        arm.reach.centre + scaled(random_direction(random), arm.reach.span * random.uniform(1.001, 3.0) + 1e-3);
    for (const bool closed : {true, false}) {
        Request request;
        request.closed = closed;
        const Outcome out = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
        HOLDS(out.status != Status::solved, closed);
        if (!reach_by_limits(arm.mechanism(), arm.mechanism().frames[0]))
            HOLDS(out.status == Status::out_of_reach, int(out.status), closed);
        else if (!closed) HOLDS(out.status != Status::out_of_reach, int(out.status));
        check_answer(arm, target, q, out);
    }
}

// The widest part of the circle between two of some angles.
struct Gap {
    double low, high;
};
inline Gap widest_gap(std::vector<double> angles) {
    for (double& x : angles) x = wrap(x);
    std::sort(angles.begin(), angles.end());
    angles.push_back(angles[0] + TURN);
    Gap widest{0.0, 0.0};
    for (std::size_t k = 0; k + 1 < angles.size(); ++k)
        if (angles[k + 1] - angles[k] > widest.high - widest.low) widest = {angles[k], angles[k + 1]};
    return widest;
}

// Find every branch without limits, then give one joint limits that exclude all of them. The target is blocked by its
// limits; where margins are too wide for a proof, nothing is claimed. Returns how many were tried and proven.
struct Blocked {
    int tried = 0, proven = 0;
};
inline Blocked blocked_targets(std::uint64_t seed) {
    Random random(seed);
    Blocked count;
    const Mechanism m = some_arm(random, random.chance(0.5) ? Arms::upright : Arms::group);
    const Solvable unlimited(m, no_limits(m));
    if (!unlimited.postures->exists()) return count;
    for (int k = 0; k < 8; ++k) {
        std::vector<double> made(6), q(6), angles;
        for (double& x : made) x = random.uniform(-3.0, 3.0);
        const Pose<double> target = unlimited.forward(made);
        const int joint = random.integer(0, 5);
        if (m.elements[std::size_t(joint)].kind != Kind::revolute) continue;
        Listing all;
        unlimited.postures->all(target, made.data(), std::nullopt, std::nullopt, 0.0, all);
        HOLDS(all.status == Status::solved, int(all.status));
        bool plain = all.listed;
        for (int i = 0; i < all.postures.count; ++i) {
            const Posture& p = all.postures.found[i];
            plain = plain && !p.family && p.gap > 1e-4;  // a branch of its own
            angles.push_back(p.q[joint]);
        }
        if (!plain) continue;
        const Gap gap = widest_gap(angles);
        const double margin = 0.1 * (gap.high - gap.low);
        const std::size_t j = std::size_t(joint);
        Limits limits = no_limits(m);
        limits.lower[j] = limits.draw_low[j] = gap.low + margin;
        limits.upper[j] = limits.draw_high[j] = gap.high - margin;
        const Solvable arm(m, limits);
        const std::vector<double> from = some_seed(random, arm);
        const Outcome out = arm.solver->solve(target, from.data(), Request{}, Deadline(), q.data());
        HOLDS((out.status == Status::limits && out.closed) || out.status == Status::not_found, int(out.status), joint);
        check_answer(arm, target, q, out);
        ++count.tried, count.proven += out.status == Status::limits;
    }
    return count;
}
inline void check_blocked(std::uint64_t seed) { blocked_targets(seed); }

TEST_CASE("limits that block a target are nearly always proven") {
    Blocked all;
    for (std::uint64_t k = 0; k < 6; ++k) {
        const Blocked some = blocked_targets(FIXED + k);
        all.tried += some.tried, all.proven += some.proven;
    }
    HOLDS(all.tried > 10 && 10 * all.proven >= 9 * all.tried, all.proven, all.tried);
}

LAW_AT_LEAST("no reachable target is reported as unreachable", 100, 3, check_reachable);
LAW_AT_LEAST("a target that a configuration outside the limits reaches is in reach", 120, 3, check_outside);
LAW_AT_LEAST("a target whose branches are all outside the limits is blocked by them", 40, 2, check_blocked);
LAW_AT_LEAST("a target farther away than all lengths is out of reach", 60, 2, check_far);

}  // namespace
}  // namespace limbik::test
