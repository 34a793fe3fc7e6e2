// Random goals of every kind, and mechanisms for them.
#pragma once

#include <memory>

#include "../../goals/goal.hpp"
#include "mechanisms.hpp"

namespace limbik::test {

// A goal of any kind; its target numbers are appended to `aims`.
std::unique_ptr<Goal> random_goal(Random& random, const Mechanism& m, std::vector<double>& aims);
// Up to four of them, in levels without gaps; optional goals come last.
std::vector<std::unique_ptr<Goal>> several_goals(Random& random, const Mechanism& m, std::vector<double>& aims);

// A mechanism, its limits, and an initial configuration. Ball joints have cones instead of limits.
struct GoalScene {
    Kinematics k;
    Limits limits;
    std::vector<double> q;
    std::vector<bool> frozen;

    explicit GoalScene(Random& random)
        : k(random.chance(0.5) ? random_chain(random, random.integer(1, 9))
                               : random_tree(random, random.integer(1, 9))),
          limits(random_limits(random, k.n())), q(std::size_t(k.n())), frozen(q.size(), false) {
        constexpr double INF = std::numeric_limits<double>::infinity();
        for (const Element& e : k.mechanism.elements) {
            const int size = size_of(e.kind);
            if (size == 1) continue;
            for (int j = e.first; j < e.first + size; ++j)
                limits.lower[std::size_t(j)] = -INF, limits.upper[std::size_t(j)] = INF;
            if (random.chance(0.5)) limits.cones.push_back({e.first + size - 3, {0, 0, 1}, 1.0, -1.0, 1.5});
        }
        for (std::size_t j = 0; j < q.size(); ++j) q[j] = random.uniform(limits.draw_low[j], limits.draw_high[j]);
        if (q.empty()) return;
        const Element& first = k.mechanism.elements[0];
        if (first.kind == Kind::revolute && random.chance(0.3)) frozen[std::size_t(first.first)] = true;
    }

    void check_inside(const std::vector<double>& at) const {
        for (std::size_t j = 0; j < at.size(); ++j)
            HOLDS(std::isfinite(at[j]) && at[j] >= limits.lower[j] && at[j] <= limits.upper[j], at[j]);
    }
};

}  // namespace limbik::test
