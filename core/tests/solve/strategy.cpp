// The strategy's order: the closed form, then proposals, then attempts by their numbers; the closest configuration
// where nothing is reached.

#include "../support/solvers.hpp"

namespace limbik::test {
namespace {

inline Solvable some_solvable(Random& random, std::uint64_t seed) {
    return Solvable(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
}

inline Request iterative_only() {
    Request request;
    request.closed = false;
    return request;
}

// Where there is a closed form, no attempt is made for a target that is not singular; without it, there is one.
inline void check_order(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const std::vector<double> made = configuration(random, arm, 0.0), from = some_seed(random, arm);
    const Pose<double> target = arm.forward(made);
    std::vector<double> q(made.size());
    const Outcome out = arm.solver->solve(target, from.data(), Request{}, Deadline(), q.data());
    if (arm.postures->solves())
        HOLDS(out.closed && out.attempt == -1 && out.tried == 0 && out.steps == 0, out.closed, out.attempt, out.tried);
    else HOLDS(!out.closed && (out.status != Status::solved || out.attempt >= 0), out.closed, out.attempt);
    const Outcome without = arm.solver->solve(target, from.data(), iterative_only(), Deadline(), q.data());
    HOLDS(!without.closed && (without.status != Status::solved || without.attempt >= 0), without.attempt);
}

// A seed that reaches the target is the answer, singular or not. Of an arm with a swivel that is singular, joints that
// turn about nearly the same axis may share their turn in another way.
inline void check_seed(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const bool swivel = arm.postures->solves() && arm.n() == SWIVEL_JOINTS;
    for (const double special : {0.0, 0.5, 1.0}) {
        const std::vector<double> made = configuration(random, arm, special);
        const Pose<double> target = arm.forward(made);
        std::vector<double> q(made.size());
        // a double root is known to the square root of the tolerance
        constexpr double SAME = 2e-4;
        const Outcome out = arm.solver->solve(target, made.data(), Request{}, Deadline(), q.data());
        HOLDS(out.status == Status::solved, int(out.status), special);
        if (!swivel || special == 0.0)
            HOLDS(farthest_joint(q, made.data()) <= SAME, farthest_joint(q, made.data()), special, out.closed);
        const Outcome step = arm.solver->solve(target, made.data(), iterative_only(), Deadline(), q.data());
        HOLDS(step.status == Status::solved && step.attempt == 0, int(step.status), step.attempt, special);
        HOLDS(farthest_joint(q, made.data()) <= SAME, farthest_joint(q, made.data()), special);
    }
}

// The answer in closed form is the listed configuration closest to the seed.
inline void check_closest(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, random.chance(0.5) ? Arms::upright : Arms::group));
    if (!arm.postures->exists()) return;
    const Pose<double> target = arm.forward(configuration(random, arm, 0.1));
    const std::vector<double> from = some_seed(random, arm);
    std::vector<double> q(from.size());
    const Outcome out = arm.solver->solve(target, from.data(), Request{}, Deadline(), q.data());
    Listing all;
    arm.postures->all(target, from.data(), std::nullopt, std::nullopt, 0.0, all);
    for (int k = 0; k < all.postures.count; ++k)
        HOLDS(farthest_joint(q, from.data()) <= farthest_joint(from, all.postures.found[k].q) + 1e-6,
              farthest_joint(q, from.data()), farthest_joint(from, all.postures.found[k].q), int(out.status));
}

// Attempts count by their numbers: the answer is that of the lowest that succeeds, made alone or among others, with a
// time limit or without.
inline void check_attempts(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const Pose<double> target = arm.forward(configuration(random, arm, 0.1));
    const std::vector<double> from = some_seed(random, arm);
    std::vector<double> q(from.size()), other(from.size());
    const Request request = iterative_only();
    const Outcome out = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    const Outcome timed = arm.solver->solve(target, from.data(), request, Deadline(1e6), other.data());
    HOLDS(same_outcome(out, timed) && farthest_joint(q, other.data()) == 0.0, out.attempt, timed.attempt);
    const Solver& solver = arm.solver->iterative();
    for (int k = 0; out.status == Status::solved && k <= std::min(out.attempt, Solvable::ATTEMPTS - 1); ++k) {
        const Outcome one = solver.solve(target, from.data(), k, k + 1, other.data());
        HOLDS((one.status == Status::solved) == (k == out.attempt), k, out.attempt);
        if (k == out.attempt) HOLDS(farthest_joint(q, other.data()) == 0.0, k);
    }
    const int first = random.integer(1, Solvable::ATTEMPTS + 1);
    const Outcome later = arm.solver->solve_from(first, target, from.data(), Deadline(), other.data());
    if (later.status == Status::solved) {
        HOLDS(later.attempt >= first && later.attempt < Solvable::ATTEMPTS, first, later.attempt);
        check_answer(arm, target, other, later);
    } else {
        HOLDS(later.tried >= std::min(first, Solvable::ATTEMPTS), first, later.tried);
    }
    if (first >= Solvable::ATTEMPTS) HOLDS(farthest_joint(other, from.data()) == 0.0 && later.tried == first, first);
}

// No time at all: a target that is not solved in closed form or from its seed stays there.
inline void check_late(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const Pose<double> target = some_target(random, arm);
    const std::vector<double> from = some_seed(random, arm);
    std::vector<double> q(from.size());
    const Outcome out = arm.solver->solve(target, from.data(), Request{}, Deadline(0.0), q.data());
    check_answer(arm, target, q, out);
    HOLDS(out.status == Status::solved || out.timed_out, int(out.status));
    if (out.status != Status::solved)
        for (std::size_t j = 0; j < q.size(); ++j)
            HOLDS(q[j] == std::clamp(from[j], arm.limits.lower[j], arm.limits.upper[j]), int(j));
}

// Proposals come before attempts, in their order: what is proposed is the answer where it reaches the target.
inline void check_proposals(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const std::vector<double> made = configuration(random, arm, 0.1), from = some_seed(random, arm);
    const Pose<double> target = arm.forward(made);
    std::vector<double> q(made.size());
    Request request = iterative_only();
    const Proposals exact(arm, {made});
    request.starts = &exact;
    const Outcome out = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    HOLDS(out.status == Status::solved, int(out.status));
    if (out.attempt >= 0) {  // its 2-pi copy nearest the seed did not verify: ordinary attempts followed
        check_answer(arm, target, q, out);
        return;
    }
    HOLDS(out.tried == 1, out.tried);
    for (const Element& e : arm.mechanism().elements) {
        const std::size_t j = std::size_t(e.first);
        if (e.kind != Kind::revolute) continue;
        HOLDS(std::fabs(wrap(q[j] - made[j])) <= 2e-4, int(j), q[j], made[j]);
        HOLDS(std::fabs(q[j] - from[j]) <= std::fabs(arm.nearest_copy_of(made, from)[j] - from[j]) + 2e-4, int(j),
              q[j]);
    }
    check_answer(arm, target, q, out);
}

// What is not reached: by weights the weighed sum of squares is no greater than without. Returns both, as a ratio.
inline double gain_of_weights(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, upright_arm(random));
    Pose<double> target = arm.forward(configuration(random, arm, 0.0));
    target.origin = scaled(target.origin, random.uniform(1.5, 3.0));
    const std::vector<double> from = some_seed(random, arm);
    std::vector<double> q(from.size());
    Request request;
    const Outcome plain = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    if (plain.status == Status::solved) return 1.0;
    request.weights = {1.0, random.uniform(0.05, 1.0)};
    const Outcome weighed = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    HOLDS(weighed.status == plain.status, int(weighed.status), int(plain.status));
    check_answer(arm, target, q, weighed);
    auto cost = [&](const Outcome& out) {
        const double p = request.weights.position * out.errors.position;
        const double r = request.weights.rotation * out.errors.rotation;
        return p * p + r * r;
    };
    HOLDS(cost(weighed) <= cost(plain) * (1.0 + 1e-9), cost(weighed), cost(plain));
    return cost(weighed) / cost(plain);
}
inline void check_weights(std::uint64_t seed) { gain_of_weights(seed); }

TEST_CASE("weights find another configuration than the closest position") {
    int better = 0;
    for (std::uint64_t k = 0; k < 8; ++k) better += gain_of_weights(FIXED + k) < 0.999;
    HOLDS(better >= 3, better);
}

// A closed form asks the attempts of the solver that was made with it, as long as that is there.
TEST_CASE("a solver is asked as long as it lives") {
    Random random(FIXED);
    Solvable arm(random, upright_arm(random));
    HOLDS(arm.postures->asked() == &*arm.solver);
    arm.solver.reset();
    HOLDS(arm.postures->asked() == nullptr);
}

LAW_AT_LEAST("the closed form comes before attempts", 60, 3, check_order);
LAW_AT_LEAST("a seed that reaches the target is the answer", 120, 6, check_seed);
LAW_AT_LEAST("the answer is the listed configuration closest to the seed", 120, 6, check_closest);
LAW_AT_LEAST("the lowest attempt that succeeds answers", 36, 2, check_attempts);
LAW_AT_LEAST("without time the seed is the answer", 60, 6, check_late);
LAW_AT_LEAST("proposals come before attempts", 60, 6, check_proposals);
LAW_AT_LEAST("weights decide what is not reached", 24, 2, check_weights);

}  // namespace
}  // namespace limbik::test
