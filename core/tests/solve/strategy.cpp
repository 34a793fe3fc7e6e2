// The order of the strategy: the closed form, then proposals, then attempts by their numbers; then the closest
// configuration.

#include "../support/solvers.hpp"

namespace limbik::test {
namespace {

inline Solvable some_solvable(Random& random, std::uint64_t seed) {
    return Solvable(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
}

// The largest distance of answers that count as the same, in general and near singular configurations [rad].
constexpr double SAME = 2e-4, NEARLY_SINGULAR = 2e-2;

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

// A seed that reaches the target is the answer, singular or not. Where the axes of joints are nearly collinear (in any
// chain, or in a singular arm with a swivel), the closed form may divide their rotation differently.
inline void check_seed(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const bool swivel = arm.postures->solves() && arm.n() == SWIVEL_JOINTS;
    const bool any_chain = Arms(seed % std::uint64_t(Arms::COUNT)) == Arms::chain;
    for (const double special : {0.0, 0.5, 1.0}) {
        const std::vector<double> made = configuration(random, arm, special);
        const Pose<double> target = arm.forward(made);
        std::vector<double> q(made.size());
        const double same = special == 0.0 ? SAME : NEARLY_SINGULAR;
        const Outcome out = arm.solver->solve(target, made.data(), Request{}, Deadline(), q.data());
        HOLDS(out.status == Status::solved, int(out.status), special);
        if (!any_chain && (!swivel || special == 0.0))
            HOLDS(farthest_joint(q, made.data()) <= same, farthest_joint(q, made.data()), special, out.closed);
        const Outcome step = arm.solver->solve(target, made.data(), iterative_only(), Deadline(), q.data());
        HOLDS(step.status == Status::solved, int(step.status), step.attempt, special);
        if (special == 0.0)  // a singular one at its limits may be left by the first step
            HOLDS(step.attempt == 0 && farthest_joint(q, made.data()) <= SAME, step.attempt,
                  farthest_joint(q, made.data()));
    }
}

// A seed at a limit whose 2-pi copy is inside, with the wrist nearly aligned: rounding moves the joint past its limit,
// and the closed form lists the copy. The answer is still the seed.
inline void check_seed_at_limit(std::uint64_t seed) {
    Random random(seed);
    const Mechanism m = upright_arm(random);
    std::vector<double> made(6), q(6);
    for (double& x : made) x = random.uniform(-2.5, 2.5);
    made[4] = random.sign() * random.magnitude(-6.0, -5.0);
    Limits limits = no_limits(m);
    const std::size_t j = random.chance(0.5) ? 3 : 5;
    limits.lower[j] = limits.draw_low[j] = made[j];
    limits.upper[j] = limits.draw_high[j] = made[j] + TURN + 0.2;
    const Solvable arm(m, limits);
    const Pose<double> target = arm.forward(made);
    Listing all;
    arm.postures->all(target, made.data(), std::nullopt, std::nullopt, 0.0, all);
    if (all.postures.count > 0 && all.postures.found[0].gap < 1e-4) return;  // singular in another way, too
    const Outcome out = arm.solver->solve(target, made.data(), Request{}, Deadline(), q.data());
    HOLDS(out.status == Status::solved && farthest_joint(q, made.data()) <= NEARLY_SINGULAR, int(out.status),
          farthest_joint(q, made.data()));
    check_answer(arm, target, q, out);
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

// With no time, a target that is solved neither in closed form nor from its seed has the seed as its answer.
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

// Proposals come before attempts, in their order: a proposal that reaches the target is the answer.
inline void check_proposals(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm = some_solvable(random, seed);
    const std::vector<double> made = configuration(random, arm, 0.0), from = some_seed(random, arm);
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
        HOLDS(std::fabs(wrap(q[j] - made[j])) <= NEARLY_SINGULAR, int(j), q[j], made[j]);
        HOLDS(std::fabs(q[j] - from[j]) <= std::fabs(arm.nearest_copy_of(made, from)[j] - from[j]) + NEARLY_SINGULAR,
              int(j), q[j]);
    }
    check_answer(arm, target, q, out);
}

// For a target out of reach: the ratio of the weighted sums of squares, with weights and without.
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
    const Outcome weighted = arm.solver->solve(target, from.data(), request, Deadline(), q.data());
    HOLDS(weighted.status == plain.status, int(weighted.status), int(plain.status));
    check_answer(arm, target, q, weighted);
    auto cost = [&](const Outcome& out) {
        const double p = request.weights.position * out.errors.position;
        const double r = request.weights.rotation * out.errors.rotation;
        return p * p + r * r;
    };
    return cost(weighted) / cost(plain);
}
inline void check_weights(std::uint64_t seed) { gain_of_weights(seed); }

// Both are searches from many starts, which seldom fail.
TEST_CASE("weights find a lower weighted sum than the closest position") {
    int better = 0, worse = 0;
    for (std::uint64_t k = 0; k < 8; ++k) {
        const double gain = gain_of_weights(FIXED + k);
        better += gain<0.999, worse += gain> 1.0 + 1e-9;
    }
    HOLDS(better >= 3 && worse == 0, better, worse);
}

// The closed form uses the attempts of the solver that was made with it, as long as that solver exists.
TEST_CASE("a solver is the fallback as long as it exists") {
    Random random(FIXED);
    Solvable arm(random, upright_arm(random));
    HOLDS(arm.postures->fallback() == &*arm.solver);
    arm.solver.reset();
    HOLDS(arm.postures->fallback() == nullptr);
}

LAW_AT_LEAST("the closed form comes before attempts", 60, 3, check_order);
LAW_AT_LEAST("a seed that reaches the target is the answer", 120, 6, check_seed);
LAW_AT_LEAST("a seed at its limit is the answer", 300, 30, check_seed_at_limit);
LAW_AT_LEAST("the answer is the listed configuration closest to the seed", 120, 6, check_closest);
LAW_AT_LEAST("the lowest attempt that succeeds answers", 36, 2, check_attempts);
LAW_AT_LEAST("without time the seed is the answer", 60, 6, check_late);
LAW_AT_LEAST("proposals come before attempts", 60, 6, check_proposals);
LAW_AT_LEAST("weights change no status", 24, 2, check_weights);

}  // namespace
}  // namespace limbik::test
