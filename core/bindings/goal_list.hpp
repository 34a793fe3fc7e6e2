// Goals from Python: a list that is filled goal by goal, every number checked.
#pragma once

#include "kernel.hpp"

#include "../goals/balance.hpp"
#include "../goals/clearance.hpp"
#include "../goals/manipulability.hpp"
#include "../goals/point_constraints.hpp"
#include "../goals/pointing.hpp"
#include "../goals/pose.hpp"
#include "../goals/posture.hpp"
#include "limits.hpp"
#include "targets.hpp"

namespace limbik::bindings {

// The goals of one mechanism, in order.
class GoalList {
  public:
    explicit GoalList(const Kernel& kernel) : kernel_(kernel) {}
    GoalList(const GoalList&) = delete;

    // `parts`: six numbers each, see Part. `from`: the observer's frame, or -1 for the base.
    void sight(const std::string& kind, int frame, const Numbers& at, int from, const Numbers& axis,
               const Numbers& parts, int level, bool required) {
        check_frame(frame), check_frame(from < 0 ? frame : from);
        if (at.size() != 3 || axis.size() != 3) raise("BadModel", "a point and an axis have three numbers");
        RelativeFrame view(kernel_.kinematics().mechanism, frame, vector_at(at.data()), from);
        const Vector3<double> along = vector_at(axis.data());
        std::unique_ptr<Goal> goal;
        std::vector<Part> own = parts_of(parts);
        std::vector<int> rows;
        for (const Part& part : own) rows.push_back(part.rows);
        const auto expect = [&](const std::vector<int>& wanted) {
            if (rows != wanted) raise("BadModel", "a goal of the kind " + kind + " takes other parts");
        };
        if (kind == "pose") expect({3, 3}), goal = std::make_unique<PoseGoal>(std::move(view), std::move(own));
        else if (kind == "position")
            expect({3}), goal = std::make_unique<PositionGoal>(std::move(view), std::move(own));
        else if (kind == "orientation")
            expect({3}), goal = std::make_unique<OrientationGoal>(std::move(view), std::move(own));
        else if (kind == "axis") expect({2}), goal = std::make_unique<AxisGoal>(std::move(view), std::move(own), along);
        else if (kind == "look_at")
            expect({2}), goal = std::make_unique<LookAtGoal>(std::move(view), std::move(own), along);
        else if (kind == "plane") expect({1}), goal = std::make_unique<PlaneGoal>(std::move(view), std::move(own));
        else if (kind == "line") expect({2}), goal = std::make_unique<LineGoal>(std::move(view), std::move(own));
        else if (kind == "distance")
            expect({1}), goal = std::make_unique<DistanceGoal>(std::move(view), std::move(own));
        else raise("BadModel", "no goal of the kind " + kind);
        add(std::move(goal), level, required);
    }

    void posture(const std::vector<int>& elements, const Numbers& parts, int level, bool required) {
        const auto& all = kernel_.kinematics().mechanism.elements;
        int numbers = 0, rows = 0, last = -1;
        for (const int e : elements) {
            if (e < 0 || e >= int(all.size())) raise("BadModel", "no such element");
            if (e != elements.front() && all[std::size_t(e)].first <= last)
                raise("BadModel", "joints must be listed in the order of q");
            last = all[std::size_t(e)].first;
            numbers += size_of(all[std::size_t(e)].kind);
        }
        std::vector<Part> own = parts_of(parts);
        for (const Part& part : own) rows += part.rows;
        if (rows != numbers) raise("BadModel", "the parts of a posture differ in size from its joints");
        add(std::make_unique<PostureGoal>(kernel_.kinematics().mechanism, elements, std::move(own)), level, required);
    }

    void manipulability(int frame, bool position, bool rotation, double length, const Numbers& part, int level,
                        bool required) {
        check_frame(frame);
        if (!position && !rotation) raise("BadModel", "manipulability counts position, rotation or both");
        add(std::make_unique<ManipulabilityGoal>(kernel_.kinematics().mechanism, frame, position, rotation, length,
                                                 only(part)),
            level, required);
    }

    // `masses`: five numbers each: element, mass [kg], centre [m].
    void balance(const Numbers& masses, int ground, const Numbers& up, int corners, const Numbers& part, int level,
                 bool required) {
        const Mechanism& m = kernel_.kinematics().mechanism;
        if (ground >= 0) check_frame(ground);
        if (masses.empty() || masses.size() % 5 || up.size() != 3 || corners < 1)
            raise("BadModel", "balance needs masses of five numbers, a direction of three and a support point");
        std::vector<Mass> all;
        for (std::size_t k = 0; k < masses.size(); k += 5) {
            check_element(masses[k]);
            all.push_back({int(masses[k]), masses[k + 1], vector_at(&masses[k + 2])});
        }
        const Frame still = {-1, pose_from_rows(IDENTITY)};
        add(std::make_unique<BalanceGoal>(m, std::move(all), ground < 0 ? still : m.frames[std::size_t(ground)],
                                          vector_at(up.data()), corners, only(part)),
            level, required);
    }

    // `bodies`: fourteen numbers each: element, then those of a solid.
    void clearance(const Numbers& bodies, int obstacles, const std::vector<int>& pairs, const Numbers& apart,
                   const Numbers& part, int level, bool required) {
        constexpr std::size_t each = 1 + SOLID_SIZE;
        if (bodies.size() % each || obstacles < 0 || pairs.size() != 2 * apart.size())
            raise("BadModel", "a body has fourteen numbers, a pair two and a distance");
        std::vector<Solid> all;
        for (std::size_t k = 0; k < bodies.size(); k += each) {
            check_element(bodies[k]);
            all.push_back(solid_at(int(bodies[k]), &bodies[k + 1]));
        }
        for (const int body : pairs)
            if (body < 0 || std::size_t(body) >= all.size())
                raise("BadModel", "a pair refers to a body that does not exist");
        add(std::make_unique<ClearanceGoal>(kernel_.kinematics().mechanism, std::move(all), obstacles, pairs, apart,
                                            only(part)),
            level, required);
    }

    const Kernel& kernel() const { return kernel_; }
    std::vector<std::unique_ptr<Goal>> take() { return std::move(goals_); }

  private:
    static constexpr double IDENTITY[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

    void add(std::unique_ptr<Goal> goal, int level, bool required) {
        if (level < 0) raise("BadModel", "levels count from 0");
        goal->level = level, goal->required = required;
        goals_.push_back(std::move(goal));
    }
    void check_frame(int frame) const {
        if (frame < 0 || frame >= kernel_.kinematics().frames())
            raise("UnknownFrame", "there is no frame number " + std::to_string(frame));
    }
    void check_element(double element) const {
        if (!(element >= -1 && element < double(kernel_.kinematics().mechanism.elements.size())))
            raise("BadModel", "no such element");
    }
    static std::vector<Part> parts_of(const Numbers& x) {
        if (x.empty() || x.size() % 6) raise("BadModel", "a part has six numbers");
        std::vector<Part> parts;
        for (std::size_t k = 0; k < x.size(); k += 6) {
            if (!(x[k] >= 1 && x[k] <= 3)) raise("BadModel", "a part has one to three rows");
            parts.push_back({int(x[k]), x[k + 1] != 0.0, x[k + 2], x[k + 3], x[k + 4], x[k + 5]});
        }
        return parts;
    }
    static Part only(const Numbers& x) {
        const std::vector<Part> parts = parts_of(x);
        if (parts.size() != 1 || parts[0].rows != 1) raise("BadModel", "this goal has one part of one number");
        return parts[0];
    }

    const Kernel& kernel_;
    std::vector<std::unique_ptr<Goal>> goals_;
};

}  // namespace limbik::bindings
