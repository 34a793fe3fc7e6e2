// Goals: derivatives against differences, banded systems against full ones, and the promises of the solver and the tracker.
#pragma once

#include "../goals/goal_solver.hpp"
#include "../goals/balance.hpp"
#include "../goals/clearance.hpp"
#include "../goals/manipulability.hpp"
#include "../goals/place.hpp"
#include "../goals/pointing.hpp"
#include "../goals/pose.hpp"
#include "../goals/posture.hpp"
#include "../motion/tracker.hpp"
#include "test_solvers.hpp"

namespace limbik::test {

// A random symmetric system whose rows begin anywhere: solved in its skyline and by elimination in long double.
inline void check_skyline(std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 24);
    Skyline shape(n);
    for (int k = random.integer(0, 3 * n); k > 0; --k) shape.couple(random.integer(0, n - 1), random.integer(0, n - 1));
    std::vector<double> a(std::size_t(n * n), 0.0), b(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        for (int j = shape.first(i); j < i; ++j) a[std::size_t(i * n + j)] = random.uniform(-1.0, 1.0);
        a[std::size_t(i * n + i)] = double(n) + random.uniform(0.0, 1.0);
        b[std::size_t(i)] = random.uniform(-1.0, 1.0);
    }
    const auto full = [&](int i, int j) { return a[std::size_t(std::max(i, j) * n + std::min(i, j))]; };
    std::vector<double> L = a, x = b;
    CHECK(shape.factor(L.data()));
    shape.solve(L.data(), x.data());
    for (int i = 0; i < n; ++i) {
        Real sum = 0;
        for (int j = 0; j < n; ++j) sum += Real(full(i, j)) * x[std::size_t(j)];
        CHECK(std::fabs(double(sum) - b[std::size_t(i)]) < 1e-12, i, double(sum), b[std::size_t(i)]);
    }
}

inline std::vector<Part> random_parts(Random& random, std::initializer_list<int> rows) {
    std::vector<Part> parts;
    for (const int count : rows) {
        const double free = random.chance(0.3) ? random.uniform(0.0, 0.2) : 0.0;
        parts.push_back({count, random.chance(0.5), random.uniform(0.1, 2.0), 1e-8, -free, free});
    }
    return parts;
}

inline Vector3<double> random_direction(Random& random) {
    const Vector3<double> v = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0)};
    return scaled(v, 1.0 / std::sqrt(dot(v, v)));
}

// A goal of any kind, with numbers to aim at.
inline std::unique_ptr<Goal> random_goal(Random& random, const Mechanism& m, std::vector<double>& aims) {
    const int frames = int(m.frames.size()), frame = random.integer(0, frames - 1), from = random.integer(-1, frames - 1);
    const auto add = [&](int count) {
        for (int k = 0; k < count; ++k) aims.push_back(random.uniform(-1.0, 1.0));
    };
    const auto add_direction = [&] {
        const Vector3<double> d = random_direction(random);
        aims.insert(aims.end(), {d.x, d.y, d.z});
    };
    const auto add_pose = [&] {
        const Pose<double> T = random_mount(random);
        aims.insert(aims.end(), {T.x.x, T.y.x, T.z.x, T.origin.x, T.x.y, T.y.y, T.z.y, T.origin.y, T.x.z, T.y.z, T.z.z, T.origin.z});
    };
    Sight sight(m, frame, {random.uniform(-0.2, 0.2), 0.0, 0.1}, from);
    const Part one = {1, true, 1.0, 1e-8, -std::numeric_limits<double>::infinity(), 0.0};
    switch (random.integer(0, 11)) {
        case 0: add_pose(); return std::make_unique<PoseGoal>(std::move(sight), random_parts(random, {3, 3}));
        case 1: add(3); return std::make_unique<PositionGoal>(std::move(sight), random_parts(random, {3}));
        case 2: add_pose(); return std::make_unique<OrientationGoal>(std::move(sight), random_parts(random, {3}));
        case 3: add_direction(); return std::make_unique<AxisGoal>(std::move(sight), random_parts(random, {2}), random_direction(random));
        case 4: add(3); return std::make_unique<LookAtGoal>(std::move(sight), random_parts(random, {2}), random_direction(random));
        case 5: add(3), add_direction(); return std::make_unique<PlaneGoal>(std::move(sight), random_parts(random, {1}));
        case 6: add(3), add_direction(); return std::make_unique<LineGoal>(std::move(sight), random_parts(random, {2}));
        case 7: add(4); return std::make_unique<DistanceGoal>(std::move(sight), random_parts(random, {1}));
        case 8: {
            std::vector<int> elements;
            std::vector<Part> parts;
            int last = -1;
            for (int e = 0; e < int(m.elements.size()); ++e) {
                const Element& element = m.elements[std::size_t(e)];
                if (element.first <= last) continue;  // a follower
                last = element.first;
                elements.push_back(e);
                for (int k = 0; k < size_of(element.kind); k += 3) parts.push_back({std::min(3, size_of(element.kind)), false, 0.3, 1e-8, 0.0, 0.0});
                add(size_of(element.kind));
            }
            return std::make_unique<PostureGoal>(m, std::move(elements), std::move(parts));
        }
        case 9: return std::make_unique<ManipulabilityGoal>(m, frame, random.chance(0.7), true, 0.7, one);
        case 10: {
            std::vector<Mass> masses;
            for (int k = 0; k < 3; ++k) masses.push_back({random.integer(-1, int(m.elements.size()) - 1), random.uniform(0.1, 2.0), {0.1, 0.2, -0.1}});
            aims.insert(aims.end(), {0.4, 0.3, 0.0, -0.3, 0.4, 0.1, -0.2, -0.4, 0.0});
            return std::make_unique<BalanceGoal>(m, std::move(masses), Frame{-1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}, Vector3<double>{0, 0, 1}, 3, one);
        }
        default: {
            std::vector<Solid> bodies;
            for (int k = 0; k < 3; ++k) {
                bodies.push_back({random.integer(-1, int(m.elements.size()) - 1), {0, 0, 0.05}, {random.uniform(-0.3, 0.3), 0.1, 0}, 0.1});
                if (random.chance(0.5)) continue;
                const Vector3<double> along = bodies.back().end - bodies.back().start;
                bodies.back().across = {scaled(cross(along, {0, 0, 1}), random.uniform(0.2, 1.0)), scaled(cross(cross(along, {0, 0, 1}), along), 2.0)};
            }
            aims.insert(aims.end(), {0.5, 0.2, 0.1, 0.5, 0.2, 0.1, 0.2});
            const double wide = random.chance(0.5) ? random.uniform(0.1, 0.5) : 0.0;
            aims.insert(aims.end(), {wide, 0, 0, 0, 0.5 * wide, 0});
            return std::make_unique<ClearanceGoal>(m, std::move(bodies), 1, std::vector<int>{0, 2}, std::vector<double>{0.2}, Part{1, true, 1.0, 1e-3, 0.3, 1e300});
        }
    }
}

inline void check_derivatives(Random& random, const Mechanism& m, const Goal& goal, const std::vector<double>& aims, const std::vector<double>& q) {
    constexpr double STEP = 1e-6, NEAR = 5e-5;
    const std::size_t rows = std::size_t(goal.rows()), n = goal.columns().size();
    const auto look = [&](double share, const std::vector<double>& dq, std::vector<double>& e, std::vector<double>& J) {
        Stance stance(m);
        std::vector<double> along = dq;
        for (double& x : along) x *= share;
        for (const Element& element : m.elements) integrate_joint(element.kind, q.data() + element.first, along.data() + element.first, stance.q.data() + element.first);
        stance.stand();
        goal.look(stance, aims.data(), e.data(), J.data());
    };
    std::vector<double> dq(static_cast<std::size_t>(m.n)), e(rows), ahead(rows), behind(rows), J(rows * n), unused(rows * n);
    for (double& x : dq) x = random.uniform(-1.0, 1.0);
    look(0.0, dq, e, J), look(STEP, dq, ahead, unused), look(-STEP, dq, behind, unused);
    for (std::size_t r = 0; r < rows; ++r) {
        double along = 0.0, size = 1.0;
        for (std::size_t j = 0; j < n; ++j) along += J[r * n + j] * dq[std::size_t(goal.columns()[j])], size += std::fabs(J[r * n + j]);
        const double numeric = (ahead[r] - behind[r]) / (2 * STEP);
        CHECK(std::isfinite(e[r]) && std::isfinite(along), e[r], along);
        // not across a kink: where a range begins, where the nearest edge changes, at half a turn
        const double left = (e[r] - behind[r]) / STEP, right = (ahead[r] - e[r]) / STEP;
        if (std::fabs(left - right) < 1e-3 * size) CHECK(std::fabs(along - numeric) < NEAR * size * size, along, numeric, size);
    }
}

inline void check_goals(std::uint64_t seed) {
    Random random(seed);
    check_skyline(seed);
    const Kinematics k(random.chance(0.5) ? random_chain(random, random.integer(1, 9)) : random_tree(random, random.integer(1, 9)));
    const Mechanism& m = k.mechanism;
    if (m.n == 0) return;
    Limits limits = random_limits(random, m.n);
    for (const Element& e : m.elements)
        for (int j = 0; size_of(e.kind) > 1 && j < size_of(e.kind); ++j)
            limits.lower[std::size_t(e.first + j)] = -std::numeric_limits<double>::infinity(), limits.upper[std::size_t(e.first + j)] = std::numeric_limits<double>::infinity();
    for (const Element& e : m.elements)
        if (size_of(e.kind) > 1 && random.chance(0.5)) limits.cones.push_back({e.first + size_of(e.kind) - 3, {0, 0, 1}, 1.0, -1.0, 1.5});
    std::vector<double> q(static_cast<std::size_t>(m.n)), aims;
    for (std::size_t j = 0; j < q.size(); ++j) q[j] = limits.draw_low[j] + (limits.draw_high[j] - limits.draw_low[j]) * random.uniform(0.0, 1.0);

    const auto several = [&] {
        std::vector<std::unique_ptr<Goal>> goals;
        aims.clear();
        for (int count = random.integer(1, 4); count > 0; --count) {
            goals.push_back(random_goal(random, m, aims));
            goals.back()->level = random.integer(0, int(goals.size()) - 1);
            goals.back()->required = random.chance(0.7);
            if (!goals.back()->required) goals.back()->level += 10;  // wishes come last
        }
        std::vector<int> levels;  // without gaps
        for (const auto& goal : goals) levels.push_back(goal->level);
        std::sort(levels.begin(), levels.end());
        levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
        for (const auto& goal : goals) goal->level = int(std::lower_bound(levels.begin(), levels.end(), goal->level) - levels.begin());
        return goals;
    };
    {
        std::vector<double> own;
        const auto goal = random_goal(random, m, own);
        check_derivatives(random, m, *goal, own, q);
    }
    const auto inside = [&](const std::vector<double>& at) {
        for (std::size_t j = 0; j < at.size(); ++j) CHECK(std::isfinite(at[j]) && at[j] >= limits.lower[j] && at[j] <= limits.upper[j], at[j]);
    };
    std::vector<bool> frozen(q.size(), false);
    if (m.elements[0].kind == Kind::revolute && random.chance(0.3)) frozen[std::size_t(m.elements[0].first)] = true;
    {
        const GoalSolver solver(k, limits, several(), frozen, 0.8);
        std::vector<double> out(q.size());
        const GoalOutcome outcome = solver.solve(aims.data(), q.data(), 0, 3, Deadline(1e300), out.data());
        inside(out);
        for (const double error : outcome.errors) CHECK(std::isfinite(error) && error >= 0.0, error);
        for (std::size_t j = 0; j < q.size(); ++j)
            if (frozen[j]) CHECK(out[j] == q[j]);
    }
    {
        std::vector<double> speed(q.size());
        for (double& v : speed) v = random.chance(0.2) ? std::numeric_limits<double>::infinity() : random.uniform(0.1, 3.0);
        const Tracker tracker(k, limits, several(), frozen, speed, 0.8);
        constexpr double TIME = 0.01;
        std::vector<double> at = q, to(q.size()), way(q.size()), errors;
        for (int step = 0; step < 20; ++step) {
            tracker.step(aims.data(), at.data(), TIME, to.data(), errors);
            difference_rows(m, at.data(), to.data(), 1, way.data());
            for (std::size_t j = 0; j < q.size(); ++j) CHECK(std::isfinite(to[j]) && std::fabs(way[j]) <= speed[j] * TIME * (1 + 1e-12), way[j], speed[j]);
            inside(to);
            at = to;
        }
    }
}

}  // namespace limbik::test
