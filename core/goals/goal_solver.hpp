// One solver for many goals, on chains and trees, inside the limits.
//
// Goals come in levels. The first level is lowered by damped least squares; every further one is lowered without giving
// up what the levels before it have: a step moves where those are flat, then they are restored, and only then is it
// judged. So whatever moment it stops at, the earlier levels are as good as they ever were.
//
// An attempt goes through the levels that are required; attempt 0 starts at the seed, the others from counted random
// numbers. The first that meets every required goal is the answer; then its remaining freedom serves the levels that
// are not required. Where none meets them all, the best attempt is brought to rest.
//
// Dragging is another way to use it: one attempt from where the figure is, no joint farther than a bound, a few steps
// for each level. What is not met then stays missing: the next frame goes on from there, and nothing ever jumps.
#pragma once

#include <optional>

#include "../base/deadline.hpp"
#include "level_descent.hpp"

namespace limbik::goals {

struct GoalOutcome {
    bool solved = false, timed_out = false;
    int attempt = -1, tried = 0;
    std::vector<double> errors;  // what each part of each goal misses
};

class GoalSolver {
  public:
    // `frozen` numbers of q stay where the seed has them.
    GoalSolver(const Kinematics& k, Limits limits, std::vector<std::unique_ptr<Goal>> goals, std::vector<bool> frozen,
               double length, const std::vector<double>& stiffness = {})
        : m_(k.mechanism), goals_(m_, std::move(goals), length),
          steps_(m_, std::move(limits), std::move(frozen), length, stiffness), descent_(goals_, steps_),
          turns_(std::size_t(m_.n), true) {
        for (const Element& e : m_.elements)
            for (int j = 0; j < size_of(e.kind); ++j)
                if (e.kind != Kind::revolute || e.scale != 1.0 || e.offset != 0.0)
                    turns_[std::size_t(e.first + j)] = false;
    }

    GoalSolver(const GoalSolver&) = delete;

    const GoalSet& goals() const { return goals_; }
    int n() const { return m_.n; }

    // Attempts first..last.
    GoalOutcome solve(const double* aims, const double* seed, int first, int last, const Deadline& deadline,
                      double* q_out) const {
        GoalWork w(m_, goals_, steps_, aims);
        GoalOutcome out;
        std::vector<Ended> ended;
        for (int number = first; number < last; ++number) {
            start(seed, number, w.now.q);
            const std::vector<double> from = w.now.q;
            bool met = attempt(true, w);
            if (!met && required_levels() > 1) {
                w.now.q = from;
                met = attempt(false, w);
            }
            if (met) {
                settle_turns(seed, w);
                serve(w);
                out.solved = true, out.attempt = number, out.tried = number + 1;
                return report(w, out, q_out);
            }
            ended.push_back({w.now.q, required_costs(w)});
            out.tried = number + 1;
            if (number + 1 < last && !deadline.endless() && deadline.over()) {
                out.timed_out = true;
                break;
            }
        }
        if (ended.empty()) ended.push_back({std::vector<double>(seed, seed + m_.n), {}});
        bring_to_rest(ended, w);
        out.solved = all_met(w);
        if (out.solved) out.attempt = out.tried - 1;
        return report(w, out, q_out);
    }

    // From the seed towards the goals, no number of q farther than `most`.
    GoalOutcome drag(const double* aims, const double* seed, const double* most, double* q_out) const {
        GoalWork w(m_, goals_, steps_, aims);
        w.now.q.assign(seed, seed + m_.n);
        steps_.keep_limits(w.now.q);
        w.from = w.now.q, w.most = most;
        for (std::size_t j = 0; j < w.from.size(); ++j)
            if (steps_.straight(j))
                w.low[j] = std::max(w.low[j], w.from[j] - most[j]),
                w.high[j] = std::min(w.high[j], w.from[j] + most[j]);
        descent_.stand(w);
        const int required = required_levels();
        if (required > 0) descent_.lower(0, required - 1, DRAGGING_STEPS, required > 1, w);
        GoalOutcome out;
        out.solved = all_met(w), out.tried = 1;
        if (!out.solved && required > 1) {  // they fight: the first come first
            w.now.q = w.from;
            descent_.stand(w);
        }
        for (int level = 0; level < required; ++level) {
            if (!out.solved && required > 1) descent_.lower(level, level, DRAGGING_STEPS, false, w);
            descent_.hold(level, w);
        }
        out.solved = all_met(w);
        const std::vector<double> before = w.now.q;
        for (int level = required; level < goals_.levels(); ++level) {
            descent_.lower(level, level, WISHING_STEPS, false, w);
            descent_.hold(level, w);
        }
        if (out.solved && !all_met(w)) {
            w.now.q = before;
            descent_.stand(w);
        }
        if (out.solved) out.attempt = 0;
        return report(w, out, q_out);
    }

    // What goals miss at a posture, and the derivatives: for tests.
    void look(const double* aims, const double* q, Missing& missing) const {
        Stance stance(m_);
        stance.q.assign(q, q + m_.n);
        stance.stand();
        goals_.look(stance, aims, 0, goals_.levels(), missing);
    }

  private:
    // Steps of an attempt, of a level that is not required or comes later, and of bringing the best attempt to rest.
    static constexpr int ATTEMPT_STEPS = 80, LATER_STEPS = 80, SERVING_STEPS = 200, RESTING_STEPS = 300;
    // Steps of one frame of dragging: for each level that is required, and for each wish, which is served over many
    // frames.
    static constexpr int DRAGGING_STEPS = 24, WISHING_STEPS = 2;
    // Attempts that are brought to rest, and costs that count as equal then.
    static constexpr std::size_t RESTED = 8;
    static constexpr double EQUAL = 1e-6;
    // How an attempt ended that did not meet everything.
    struct Ended {
        std::vector<double> q, costs;
    };

    // Levels that are required come before those that are not.
    int required_levels() const {
        int count = 0;
        while (count < goals_.levels() && goals_.required(count)) ++count;
        return count;
    }

    // Of the attempts that came nearest, let each have its best at every level; w ends at the best of them.
    void bring_to_rest(std::vector<Ended>& ended, GoalWork& w) const {
        std::stable_sort(ended.begin(), ended.end(),
                         [](const Ended& a, const Ended& b) { return less(a.costs, b.costs, 0.0); });
        if (ended.size() > RESTED) ended.resize(RESTED);
        const int required = std::max(1, required_levels());
        std::size_t best = 0;
        for (std::size_t k = 0; k < ended.size(); ++k) {
            w.now.q = ended[k].q;
            descent_.stand(w);
            for (int level = 0; level < required; ++level) {
                descent_.lower(level, level, RESTING_STEPS, false, w);
                descent_.hold(level, w);
            }
            ended[k] = {w.now.q, required_costs(w)};
            if (less(ended[k].costs, ended[best].costs, EQUAL)) best = k;
        }
        w.now.q = ended[best].q;
        descent_.stand(w);
        for (int level = 0; level < goals_.levels(); ++level) {
            if (level >= required) descent_.lower(level, level, SERVING_STEPS, false, w);
            descent_.hold(level, w);
        }
    }

    bool all_met(const GoalWork& w) const {
        for (int level = 0; level < goals_.levels(); ++level)
            if (goals_.required(level) && !goals_.met(level, w.missing)) return false;
        return true;
    }

    std::vector<double> required_costs(const GoalWork& w) const {
        std::vector<double> costs;
        for (int level = 0; level < goals_.levels(); ++level)
            if (goals_.required(level))
                costs.push_back(goals_.met(level, w.missing) ? 0.0 : goals_.cost(level, level, w.missing));
        return costs;
    }

    // Is one attempt better than another? Later levels decide only among equals.
    static bool less(const std::vector<double>& a, const std::vector<double>& b, double equal) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[k] < b[k] * (1.0 - equal)) return true;
            if (a[k] > b[k] * (1.0 + equal)) return false;
        }
        return false;
    }

    // From where w.now stands; true when every required goal is met. `together`: all at once, for where they all can be
    // met it does not matter which comes first.
    bool attempt(bool together, GoalWork& w) const {
        descent_.stand(w);
        const int required = required_levels();
        if (required == 0) return true;
        if (together) {
            descent_.lower(0, required - 1, ATTEMPT_STEPS, true, w);
            return all_met(w);
        }
        for (int level = 0; level < required; ++level) {
            descent_.lower(level, level, level == 0 ? ATTEMPT_STEPS : LATER_STEPS, true, w);
            if (!goals_.met(level, w.missing)) return false;
            descent_.hold(level, w);
        }
        return all_met(w);
    }

    // Let what is free serve the levels that are not required; what is met stays met.
    void serve(GoalWork& w) const {
        const std::vector<double> before = w.now.q;
        for (int level = 0; level < goals_.levels(); ++level) {
            if (!goals_.required(level)) descent_.lower(level, level, SERVING_STEPS, false, w);
            descent_.hold(level, w);
        }
        if (all_met(w)) return;
        w.now.q = before;
        descent_.stand(w);
    }

    void start(const double* seed, int number, std::vector<double>& q) const {
        q.assign(seed, seed + m_.n);
        for (std::size_t j = 0; number > 0 && j < q.size(); ++j) {
            if (steps_.frozen[j]) continue;
            const double u = counter_random(std::uint64_t(j) + RESTARTS, std::uint64_t(number));
            q[j] = steps_.limits.draw_low[j] + (steps_.limits.draw_high[j] - steps_.limits.draw_low[j]) * u;
        }
        for (const Element& e : m_.elements)
            if (e.kind == Kind::ball || e.kind == Kind::floating) {  // an equal, shorter rotation vector
                double* r = q.data() + e.first + size_of(e.kind) - 3;
                const double none[3] = {0, 0, 0};
                if (!steps_.frozen[std::size_t(e.first)]) compose_rotations(r, none, r);
            }
        steps_.keep_limits(q);
    }

    // Whole turns nearest the seed, where that changes nothing.
    void settle_turns(const double* seed, GoalWork& w) const {
        w.trial.q = w.now.q;
        for (std::size_t j = 0; j < w.trial.q.size(); ++j)
            if (turns_[j] && !steps_.frozen[j])
                w.trial.q[j] = nearest_copy(w.trial.q[j], seed[j], steps_.limits.lower[j], steps_.limits.upper[j]);
        if (w.trial.q == w.now.q) return;
        w.trial.stand();
        goals_.look(w.trial, w.aims, 0, goals_.levels(), w.tried);
        std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.missing, w.tried);
        if (!all_met(w))
            std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.missing, w.tried);
    }

    // The last word: w.missing is what was measured where the answer stands.
    GoalOutcome report(GoalWork& w, GoalOutcome out, double* q_out) const {
        out.solved = out.solved && all_met(w);
        out.errors = goals_.errors(w.missing);
        std::copy(w.now.q.begin(), w.now.q.end(), q_out);
        return out;
    }

    const Mechanism& m_;
    GoalSet goals_;
    Stepper steps_;
    LevelDescent descent_;
    std::vector<bool> turns_;
};

}  // namespace limbik::goals
