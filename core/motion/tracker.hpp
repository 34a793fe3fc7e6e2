// One step after a moving target: as far towards the goals as joint speeds and limits allow in the time there is.
//
// What is missing is first shortened, so that a step stays where its linear model holds, and then to a few times what
// the slowest joint can do: the step keeps its direction instead of being bent by the bounds. The damping grows with
// what is left: a target out of reach is followed without shaking, because the curvature that the model leaves out is
// proportional to it. Goals of later levels change the step only where the earlier ones are flat.
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
        for (const Element& e : m_.elements)  // a ball has one speed, about any axis: the least that was given
            for (int first = e.first; size_of(e.kind) > 1 && first < e.first + size_of(e.kind); first += 3) {
                double* v = speed_.data() + first;
                v[0] = v[1] = v[2] = std::min({v[0], v[1], v[2]});
            }
    }

    const GoalSet& goals() const { return goals_; }
    int n() const { return m_.n; }

    // From q in so much time. `errors`: what each part of each goal misses afterwards. True when all that is required
    // is met.
    bool step(const double* aims, const double* q, double time, double* q_out, std::vector<double>& errors) const {
        Stance now(m_);
        now.q.assign(q, q + m_.n);
        now.stand();
        Missing missing = goals_.room();
        goals_.look(now, aims, 0, goals_.levels(), missing);

        BoundedStep s(goals_.shape());
        std::vector<double> dq(now.q.size()), block;
        const double far = std::sqrt(2.0 * goals_.cost(0, 0, missing)), near = far > NEAR ? NEAR / far : 1.0;
        bool moves = propose(now.q, missing, near, near * far, time, false, s, dq, block);
        if (moves) {
            const double fits = slowest(dq, time), share = std::min(1.0, HASTE * fits);
            if (fits < 1.0) {
                const double hurry = (1.0 - fits) * (1.0 - fits);
                moves =
                    propose(now.q, missing, near * share, near * share * far + hurry * CALM, time, true, s, dq, block);
            }
        }
        if (!moves) std::fill(dq.begin(), dq.end(), 0.0);
        for (int level = 1; level < goals_.levels(); ++level) serve(level, now.q, missing, time, s, dq, block);
        limit_speed(dq, time);
        const std::vector<double> before = now.q, errors_before = goals_.errors(missing);
        for (int cut = 0; cut <= MOST_CUTS; ++cut) {  // shorter, until no guard is worse off than it may be
            now.q = before;
            if (cut < MOST_CUTS) {
                steps_.move(now.q, dq);
                keep_limits(before, time, now.q);
            }
            now.stand();
            goals_.look(now, aims, 0, goals_.levels(), missing);
            if (goals_.guarded(errors_before, missing)) break;
            for (double& x : dq) x *= 0.5;
        }
        errors = goals_.errors(missing);
        std::copy(now.q.begin(), now.q.end(), q_out);
        for (int level = 0; level < goals_.levels(); ++level)
            if (!goals_.met(level, missing)) return false;
        return true;
    }

  private:
    // How much of what is missing a step looks at, weighed; how much more than the slowest joint can do; the least
    // damping, and the damping per what is missing; how much of it counts as missing where a joint would have to be
    // faster than it can.
    static constexpr double NEAR = 0.2, HASTE = 4.0, LEAST = 1e-4, DAMPED = 2.0, CALM = 2e-2;
    // How much stiffer than a later level are the ones before it, and its damping.
    static constexpr double STIFF = 1e6, SERVING_DAMPED = 0.1;
    // Speeds stay below their bounds by this part, so that sums do not round to the other side.
    static constexpr double BELOW = 1.0 - 1e-9;
    // Halvings of a step that would break a guard, before it is not taken at all.
    static constexpr int MOST_CUTS = 8;

    bool propose(const std::vector<double>& q, const Missing& missing, double share, double left, double time,
                 bool timed, BoundedStep& s, std::vector<double>& dq, std::vector<double>& block) const {
        s.clear();
        goals_.add(0, 0, missing, nullptr, 1.0, s, block);
        for (double& g : s.g) g *= share;
        steps_.bound(q, LARGEST_STEP, s);
        if (timed) steps_.bound_speed(speed_, time, s);
        return steps_.solve(q, LEAST + DAMPED * left, s, dq, 4 * m_.n + 10);
    }

    // Change a step so that it serves a later level where what it does for the earlier ones stays the same.
    void serve(int level, const std::vector<double>& q, const Missing& missing, double time, BoundedStep& s,
               std::vector<double>& dq, std::vector<double>& block) const {
        s.clear();
        goals_.add(0, level - 1, missing, nullptr, 1.0, s, block);
        const std::size_t n = q.size();
        const double theirs = steps_.stiffest(s), times = theirs > 0.0 ? STIFF / theirs : 0.0;
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
        goals_.add(level, level, missing, nullptr, 1.0, s, block);
        const double own = steps_.stiffest(s), far = std::sqrt(2.0 * goals_.cost(level, level, missing));
        if (!(own > 0.0)) return;
        const double share = far > NEAR ? NEAR / far : 1.0;
        for (std::size_t k = 0; k < held.size(); ++k) s.H[k] = s.H[k] / own + held[k];
        for (std::size_t k = 0; k < n; ++k) s.g[k] = share * s.g[k] / own + pull[k];
        steps_.bound(q, LARGEST_STEP, s);
        if (!steps_.solve(q, SERVING_DAMPED, s, wanted, 4 * m_.n + 10)) return;
        double part =
            1.0;  // of the change that fits into the speeds: cutting it joint by joint would cost the earlier levels
        for (std::size_t j = 0; j < n; ++j) {
            const double change = wanted[j] - dq[j], room = speed_[j] * time - (change > 0.0 ? dq[j] : -dq[j]);
            if (std::abs(change) > room) part = std::min(part, std::max(room, 0.0) / std::abs(change));
        }
        for (std::size_t j = 0; j < n; ++j) dq[j] += part * (wanted[j] - dq[j]);
    }

    // The part of a step that every joint can do in time.
    double slowest(const std::vector<double>& dq, double time) const {
        double share = 1e300;
        for (std::size_t j = 0; j < dq.size(); ++j)
            if (dq[j] != 0.0) share = std::min(share, speed_[j] * time / std::abs(dq[j]));
        return share;
    }

    // A ball turns about any axis, and may not be faster about one that lies between two of its numbers.
    void limit_speed(std::vector<double>& dq, double time) const {
        for (const Element& e : m_.elements) {
            if (size_of(e.kind) == 1) continue;
            for (int first = e.first; first < e.first + size_of(e.kind); first += 3) {
                double* d = dq.data() + first;
                const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                             most = speed_[std::size_t(first)] * time * BELOW;
                if (length > most)
                    for (int k = 0; k < 3; ++k) d[k] *= most / length;
            }
        }
        for (std::size_t j = 0; j < dq.size(); ++j) {
            const double most = speed_[j] * time * BELOW;
            dq[j] = std::clamp(dq[j], -most, most);
        }
    }

    // Inside the limits. What was outside before comes back no faster than it may.
    void keep_limits(const std::vector<double>& before, double time, std::vector<double>& q) const {
        const Limits& limits = steps_.limits;
        for (std::size_t j = 0; j < q.size(); ++j)
            if (before[j] >= limits.lower[j] && before[j] <= limits.upper[j])
                q[j] = std::clamp(q[j], limits.lower[j], limits.upper[j]);
        for (const Element& e : m_.elements)  // sums round, and a tiny step may round up
            for (int k = 0;
                 size_of(e.kind) == 1 && k < 4 &&
                 std::abs(q[std::size_t(e.first)] - before[std::size_t(e.first)]) > speed_[std::size_t(e.first)] * time;
                 ++k)
                q[std::size_t(e.first)] = std::nextafter(q[std::size_t(e.first)], before[std::size_t(e.first)]);
        for (const Cone& cone : limits.cones) {
            if (steps_.frozen[std::size_t(cone.first)]) continue;
            double inside[3], way[3];
            std::copy_n(q.data() + cone.first, 3, inside);
            clamp_cone(cone, inside);
            joint_difference(Kind::ball, false, before.data() + cone.first, inside, way);
            const double length = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            const double most = speed_[std::size_t(cone.first)] * time * BELOW;
            for (double& x : way) x *= length > most ? most / length : 1.0;
            compose_rotations(before.data() + cone.first, way, q.data() + cone.first);
        }
    }

    const Mechanism& m_;
    GoalSet goals_;
    Stepper steps_;
    std::vector<double> speed_;
};

}  // namespace limbik::motion
