// One control step towards moving goals, within joint speeds and limits.
//
// The residual of the first level is scaled down twice: to the range in which the linear model holds, and to a few
// times what the slowest joint can do, so that the bounds do not change the step's direction. The damping grows with
// the residual: a target out of reach is followed without oscillation, because the neglected curvature is proportional
// to the residual. Later levels change the step only in the null space of the earlier ones.
#pragma once

#include "../goals/goal_set.hpp"
#include "../iterative/stepper.hpp"

namespace limbik::motion {

class Tracker {
  public:
    Tracker(const Kinematics& k, Limits limits, std::vector<std::unique_ptr<Goal>> goals, std::vector<bool> frozen,
            std::vector<double> speed, double length)
        : m_(k.mechanism), goals_(m_, std::move(goals), length),
          steps_(m_, std::move(limits), std::move(frozen), length), speed_(std::move(speed)) {
        for (const Element& e : m_.elements)  // a ball joint has one speed about any axis: the least given
            for (int first = e.first; size_of(e.kind) > 1 && first < e.first + size_of(e.kind); first += 3) {
                double* v = speed_.data() + first;
                v[0] = v[1] = v[2] = std::min({v[0], v[1], v[2]});
            }
    }

    const GoalSet& goals() const { return goals_; }
    int n() const { return m_.n; }

    // One step of `time` [s] from q. `errors`: the residual norm of each part of each goal afterwards. True when every
    // required goal is met.
    bool step(const double* aims, const double* q, double time, double* q_out, std::vector<double>& errors) const {
        MechanismState now(m_);
        now.q.assign(q, q + m_.n);
        now.update();
        Residuals residuals = goals_.make_residuals();
        goals_.evaluate(now, aims, 0, goals_.levels(), residuals);

        BoundedStep s(goals_.shape());
        std::vector<double> dq(now.q.size()), block;
        const double far = std::sqrt(2.0 * goals_.cost(0, 0, residuals)),
                     near = far > LINEAR_RANGE ? LINEAR_RANGE / far : 1.0;
        bool moves = propose(now.q, residuals, near, near * far, time, false, s, dq, block);
        if (moves) {
            const double feasible = feasible_share(dq, time), share = std::min(1.0, SLOWEST_JOINT_MULTIPLE * feasible);
            if (feasible < 1.0) {
                const double excess = (1.0 - feasible) * (1.0 - feasible);
                moves = propose(now.q, residuals, near * share, near * share * far + excess * EXCESS_RESIDUAL, time,
                                true, s, dq, block);
            }
        }
        if (!moves) std::fill(dq.begin(), dq.end(), 0.0);
        for (int level = 1; level < goals_.levels(); ++level)
            project_level(level, now.q, residuals, time, s, dq, block);
        limit_speed(dq, time);
        const std::vector<double> before = now.q, errors_before = goals_.errors(residuals);
        for (int cut = 0; cut <= MOST_CUTS; ++cut) {  // halved until no guard is violated further
            now.q = before;
            if (cut < MOST_CUTS) {
                steps_.move(now.q, dq);
                keep_limits(before, time, now.q);
            }
            now.update();
            goals_.evaluate(now, aims, 0, goals_.levels(), residuals);
            if (goals_.guards_hold(errors_before, residuals)) break;
            for (double& x : dq) x *= 0.5;
        }
        errors = goals_.errors(residuals);
        std::copy(now.q.begin(), now.q.end(), q_out);
        for (int level = 0; level < goals_.levels(); ++level)
            if (!goals_.met(level, residuals)) return false;
        return true;
    }

  private:
    // The residual that a step aims at, weighted; the multiple of what the slowest joint can do; the least damping and
    // the damping per residual; the residual that counts for the part of a step that exceeds the joint speeds.
    static constexpr double LINEAR_RANGE = 0.2, SLOWEST_JOINT_MULTIPLE = 4.0, LEAST_DAMPING_SHIFT = 1e-4,
                            DAMPING_PER_RESIDUAL = 2.0, EXCESS_RESIDUAL = 2e-2;
    // How much stiffer the earlier levels are than the level that is added, and its damping.
    static constexpr double HELD_STIFFNESS = 1e6, LATER_DAMPING = 0.1;
    // Relative margin of speeds below their bounds, so that sums do not round above.
    static constexpr double SPEED_MARGIN = 1.0 - 1e-9;
    // Halvings of a step that would violate a guard, before the step is dropped.
    static constexpr int MOST_CUTS = 8;

    bool propose(const std::vector<double>& q, const Residuals& residuals, double share, double left, double time,
                 bool timed, BoundedStep& s, std::vector<double>& dq, std::vector<double>& block) const {
        s.clear();
        goals_.add_quadratic(0, 0, residuals, nullptr, 1.0, s, block);
        for (double& g : s.g) g *= share;
        steps_.bound(q, LARGEST_STEP, s);
        if (timed) steps_.bound_speed(speed_, time, s);
        return steps_.solve(q, LEAST_DAMPING_SHIFT + DAMPING_PER_RESIDUAL * left, s, dq, 4 * m_.n + 10);
    }

    // Change a step to lower a later level while its effect on the earlier levels stays the same.
    void project_level(int level, const std::vector<double>& q, const Residuals& residuals, double time, BoundedStep& s,
                       std::vector<double>& dq, std::vector<double>& block) const {
        s.clear();
        goals_.add_quadratic(0, level - 1, residuals, nullptr, 1.0, s, block);
        const std::size_t n = q.size();
        const double theirs = steps_.stiffest(s), times = theirs > 0.0 ? HELD_STIFFNESS / theirs : 0.0;
        std::vector<double> pull(n, 0.0), wanted(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                s.H[i * n + j] *= times;
                const double h = s.H[i * n + j];
                pull[i] -= h * dq[n - 1 - j];
                if (i != j) pull[j] -= h * dq[n - 1 - i];
            }
        const std::vector<double> held = s.H;
        s.clear();
        goals_.add_quadratic(level, level, residuals, nullptr, 1.0, s, block);
        const double own = steps_.stiffest(s), far = std::sqrt(2.0 * goals_.cost(level, level, residuals));
        if (!(own > 0.0)) return;
        const double share = far > LINEAR_RANGE ? LINEAR_RANGE / far : 1.0;
        for (std::size_t k = 0; k < held.size(); ++k) s.H[k] = s.H[k] / own + held[k];
        for (std::size_t k = 0; k < n; ++k) s.g[k] = share * s.g[k] / own + pull[k];
        steps_.bound(q, LARGEST_STEP, s);
        if (!steps_.solve(q, LATER_DAMPING, s, wanted, 4 * m_.n + 10)) return;
        // The share of the change that fits the speeds. Cutting it joint by joint would affect the earlier levels.
        double part = 1.0;
        for (std::size_t j = 0; j < n; ++j) {
            const double change = wanted[j] - dq[j], room = speed_[j] * time - (change > 0.0 ? dq[j] : -dq[j]);
            if (std::abs(change) > room) part = std::min(part, std::max(room, 0.0) / std::abs(change));
        }
        for (std::size_t j = 0; j < n; ++j) dq[j] += part * (wanted[j] - dq[j]);
    }

    // The share of a step that every joint can do in time.
    double feasible_share(const std::vector<double>& dq, double time) const {
        double share = 1e300;
        for (std::size_t j = 0; j < dq.size(); ++j)
            if (dq[j] != 0.0) share = std::min(share, speed_[j] * time / std::abs(dq[j]));
        return share;
    }

    // Bound the speed of ball joints about any axis, and of each entry of q.
    void limit_speed(std::vector<double>& dq, double time) const {
        for (const Element& e : m_.elements) {
            if (size_of(e.kind) == 1) continue;
            for (int first = e.first; first < e.first + size_of(e.kind); first += 3) {
                double* d = dq.data() + first;
                const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                             most = speed_[std::size_t(first)] * time * SPEED_MARGIN;
                if (length > most)
                    for (int k = 0; k < 3; ++k) d[k] *= most / length;
            }
        }
        for (std::size_t j = 0; j < dq.size(); ++j) {
            const double most = speed_[j] * time * SPEED_MARGIN;
            dq[j] = std::clamp(dq[j], -most, most);
        }
    }

    // Apply the limits. An entry that was outside returns no faster than its speed.
    void keep_limits(const std::vector<double>& before, double time, std::vector<double>& q) const {
        const Limits& limits = steps_.limits;
        for (std::size_t j = 0; j < q.size(); ++j)
            if (before[j] >= limits.lower[j] && before[j] <= limits.upper[j])
                q[j] = std::clamp(q[j], limits.lower[j], limits.upper[j]);
        for (const Element& e : m_.elements)  // sums round: a tiny step may exceed its bound
            for (int k = 0;
                 size_of(e.kind) == 1 && k < 4 &&
                 std::abs(q[std::size_t(e.first)] - before[std::size_t(e.first)]) > speed_[std::size_t(e.first)] * time;
                 ++k)
                q[std::size_t(e.first)] = std::nextafter(q[std::size_t(e.first)], before[std::size_t(e.first)]);
        for (const Cone& cone : limits.cones) {
            if (steps_.frozen[std::size_t(cone.first)]) continue;
            double inside[3], difference[3];
            std::copy_n(q.data() + cone.first, 3, inside);
            clamp_cone(cone, inside);
            joint_difference(Kind::ball, false, before.data() + cone.first, inside, difference);
            const double length = std::sqrt(difference[0] * difference[0] + difference[1] * difference[1] +
                                            difference[2] * difference[2]);
            const double most = speed_[std::size_t(cone.first)] * time * SPEED_MARGIN;
            for (double& x : difference) x *= length > most ? most / length : 1.0;
            compose_rotations(before.data() + cone.first, difference, q.data() + cone.first);
        }
    }

    const Mechanism& m_;
    GoalSet goals_;
    Stepper steps_;
    std::vector<double> speed_;
};

}  // namespace limbik::motion
