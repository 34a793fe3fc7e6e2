// Goals of every kind, compiled once for all that use them.

#include "goals.hpp"

#include "../../goals/balance.hpp"
#include "../../goals/clearance.hpp"
#include "../../goals/manipulability.hpp"
#include "../../goals/point_constraints.hpp"
#include "../../goals/pointing.hpp"
#include "../../goals/pose.hpp"
#include "../../goals/posture.hpp"

namespace limbik::test {

static std::vector<Part> random_parts(Random& random, std::initializer_list<int> rows) {
    std::vector<Part> parts;
    for (const int count : rows) {
        const double free = random.chance(0.3) ? random.uniform(0.0, 0.2) : 0.0;
        parts.push_back({count, random.chance(0.5), random.uniform(0.1, 2.0), 1e-8, -free, free});
    }
    return parts;
}

std::unique_ptr<Goal> random_goal(Random& random, const Mechanism& m, std::vector<double>& aims) {
    const int frames = int(m.frames.size()), frame = random.integer(0, frames - 1),
              from = random.integer(-1, frames - 1);
    const auto add = [&](int count) {
        for (int k = 0; k < count; ++k) aims.push_back(random.uniform(-1.0, 1.0));
    };
    const auto add_direction = [&] {
        const Vector3<double> d = random_direction(random);
        aims.insert(aims.end(), {d.x, d.y, d.z});
    };
    const auto add_pose = [&] {
        const Pose<double> T = random_placement(random);
        aims.insert(aims.end(), {T.x.x, T.y.x, T.z.x, T.origin.x, T.x.y, T.y.y, T.z.y, T.origin.y, T.x.z, T.y.z, T.z.z,
                                 T.origin.z});
    };
    RelativeFrame view(m, frame, {random.uniform(-0.2, 0.2), 0.0, 0.1}, from);
    const Part one = {1, true, 1.0, 1e-8, -std::numeric_limits<double>::infinity(), 0.0};
    switch (random.integer(0, 11)) {
        case 0: add_pose(); return std::make_unique<PoseGoal>(std::move(view), random_parts(random, {3, 3}));
        case 1: add(3); return std::make_unique<PositionGoal>(std::move(view), random_parts(random, {3}));
        case 2: add_pose(); return std::make_unique<OrientationGoal>(std::move(view), random_parts(random, {3}));
        case 3:
            add_direction();
            return std::make_unique<AxisGoal>(std::move(view), random_parts(random, {2}), random_direction(random));
        case 4:
            add(3);
            return std::make_unique<LookAtGoal>(std::move(view), random_parts(random, {2}), random_direction(random));
        case 5: add(3), add_direction(); return std::make_unique<PlaneGoal>(std::move(view), random_parts(random, {1}));
        case 6: add(3), add_direction(); return std::make_unique<LineGoal>(std::move(view), random_parts(random, {2}));
        case 7: add(4); return std::make_unique<DistanceGoal>(std::move(view), random_parts(random, {1}));
        case 8: {
            std::vector<int> elements;
            std::vector<Part> parts;
            int last = -1;
            for (int e = 0; e < int(m.elements.size()); ++e) {
                const Element& element = m.elements[std::size_t(e)];
                if (element.first <= last) continue;  // a mimic joint
                last = element.first;
                elements.push_back(e);
                for (int k = 0; k < size_of(element.kind); k += 3)
                    parts.push_back({std::min(3, size_of(element.kind)), false, 0.3, 1e-8, 0.0, 0.0});
                add(size_of(element.kind));
            }
            return std::make_unique<PostureGoal>(m, std::move(elements), std::move(parts));
        }
        case 9: return std::make_unique<ManipulabilityGoal>(m, frame, random.chance(0.7), true, 0.7, one);
        case 10: {
            std::vector<Mass> masses;
            for (int k = 0; k < 3; ++k)
                masses.push_back(
                    {random.integer(-1, int(m.elements.size()) - 1), random.uniform(0.1, 2.0), {0.1, 0.2, -0.1}});
            aims.insert(aims.end(), {0.4, 0.3, 0.0, -0.3, 0.4, 0.1, -0.2, -0.4, 0.0});
            return std::make_unique<BalanceGoal>(m, std::move(masses),
                                                 Frame{-1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
                                                 Vector3<double>{0, 0, 1}, 3, one);
        }
        default: {
            std::vector<Solid> bodies;
            for (int k = 0; k < 3; ++k) {
                bodies.push_back({random.integer(-1, int(m.elements.size()) - 1),
                                  {0, 0, 0.05},
                                  {random.uniform(-0.3, 0.3), 0.1, 0},
                                  0.1});
                if (random.chance(0.5)) continue;
                const Vector3<double> along = bodies.back().end - bodies.back().start;
                bodies.back().across = {scaled(cross(along, {0, 0, 1}), random.uniform(0.2, 1.0)),
                                        scaled(cross(cross(along, {0, 0, 1}), along), 2.0)};
            }
            aims.insert(aims.end(), {0.5, 0.2, 0.1, 0.5, 0.2, 0.1, 0.2});
            const double wide = random.chance(0.5) ? random.uniform(0.1, 0.5) : 0.0;
            aims.insert(aims.end(), {wide, 0, 0, 0, 0.5 * wide, 0});
            return std::make_unique<ClearanceGoal>(m, std::move(bodies), 1, std::vector<int>{0, 2},
                                                   std::vector<double>{0.2}, Part{1, true, 1.0, 1e-3, 0.3, 1e300});
        }
    }
}

std::vector<std::unique_ptr<Goal>> several_goals(Random& random, const Mechanism& m, std::vector<double>& aims) {
    std::vector<std::unique_ptr<Goal>> goals;
    for (int count = random.integer(1, 4); count > 0; --count) {
        goals.push_back(random_goal(random, m, aims));
        goals.back()->level = random.integer(0, int(goals.size()) - 1);
        goals.back()->required = random.chance(0.7);
        if (!goals.back()->required) goals.back()->level += 10;
    }
    std::vector<int> levels;
    for (const auto& goal : goals) levels.push_back(goal->level);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const auto& goal : goals)
        goal->level = int(std::lower_bound(levels.begin(), levels.end(), goal->level) - levels.begin());
    return goals;
}

}  // namespace limbik::test
