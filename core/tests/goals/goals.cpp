// Goals: derivatives against differences, and invariants of the solver.

#include "../support/goals.hpp"

#include "../../goals/goal_solver.hpp"

namespace limbik::test {
namespace {

inline void check_derivatives(Random& random, const Mechanism& m, const Goal& goal, const std::vector<double>& aims,
                              const std::vector<double>& q) {
    constexpr double STEP = 1e-6, NEAR = 5e-5;
    const std::size_t rows = std::size_t(goal.rows()), n = goal.columns().size();
    const auto evaluate = [&](double share, const std::vector<double>& dq, std::vector<double>& e,
                              std::vector<double>& J) {
        MechanismState state(m);
        std::vector<double> along = dq;
        for (double& x : along) x *= share;
        for (const Element& element : m.elements)
            integrate_joint(element.kind, q.data() + element.first, along.data() + element.first,
                            state.q.data() + element.first);
        state.update();
        goal.evaluate(state, aims.data(), e.data(), J.data());
    };
    std::vector<double> dq(static_cast<std::size_t>(m.n)), e(rows), ahead(rows), behind(rows), J(rows * n),
        unused(rows * n);
    for (double& x : dq) x = random.uniform(-1.0, 1.0);
    evaluate(0.0, dq, e, J), evaluate(STEP, dq, ahead, unused), evaluate(-STEP, dq, behind, unused);
    for (std::size_t r = 0; r < rows; ++r) {
        double along = 0.0, size = 1.0;
        for (std::size_t j = 0; j < n; ++j)
            along += J[r * n + j] * dq[std::size_t(goal.columns()[j])], size += std::fabs(J[r * n + j]);
        const double numeric = (ahead[r] - behind[r]) / (2 * STEP);
        HOLDS(std::isfinite(e[r]) && std::isfinite(along), e[r], along);
        // not across a kink: where a range begins, where the closest edge changes, at a rotation of pi
        const double left = (e[r] - behind[r]) / STEP, right = (ahead[r] - e[r]) / STEP;
        if (std::fabs(left - right) < NEAR * size * size)
            HOLDS(std::fabs(along - numeric) < NEAR * size * size, along, numeric, size);
    }
}

LAW("the derivatives of a goal are its differences", 200, [](std::uint64_t seed) {
    Random random(seed);
    const GoalScene scene(random);
    if (scene.k.n() == 0) return;
    std::vector<double> aims;
    const auto goal = random_goal(random, scene.k.mechanism, aims);
    check_derivatives(random, scene.k.mechanism, *goal, aims, scene.q);
});

LAW("an answer to goals is finite, inside the limits, and keeps frozen joints", 200, [](std::uint64_t seed) {
    Random random(seed);
    const GoalScene scene(random);
    if (scene.k.n() == 0) return;
    std::vector<double> aims, out(scene.q.size());
    const GoalSolver solver(scene.k, scene.limits, several_goals(random, scene.k.mechanism, aims), scene.frozen, 0.8);
    const GoalOutcome outcome = solver.solve(aims.data(), scene.q.data(), 0, 3, Deadline(1e300), out.data());
    scene.check_inside(out);
    for (const double error : outcome.errors) HOLDS(std::isfinite(error) && error >= 0.0, error);
    for (std::size_t j = 0; j < out.size(); ++j)
        if (scene.frozen[j]) HOLDS(out[j] == scene.q[j]);
});

}  // namespace
}  // namespace limbik::test
