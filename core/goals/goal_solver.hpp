// Prioritised goals on chains and trees, inside the limits.
//
// The first level is minimised by damped least squares, each later level in the null space of the earlier ones
// (level_descent.hpp). Whenever the solver stops, the earlier levels are as good as they ever were.
//
// An attempt minimises the required levels; attempt 0 starts at the seed, the others at numbered random configurations.
// The first attempt that meets every required goal is the answer, and its remaining freedom minimises the optional
// levels. If none does, the best attempts are converged and the best of them is returned.
//
// Dragging is one attempt from the current configuration, with a bound on the motion of each joint and a few steps for
// each level. Goals that are not met keep their residual, and the next frame continues from there: the motion never
// jumps.
#pragma once

#include <optional>

#include "../base/deadline.hpp"
#include "level_descent.hpp"

namespace limbik::goals {

struct GoalOutcome {
    bool solved = false, timed_out = false;
    int attempt = -1, tried = 0;
    std::vector<double> errors;  // the norm of the residual of each part of each goal
};

class GoalSolver {
  public:
    // `frozen` entries of q stay at their seed.
    GoalSolver(const Kinematics& k, Limits limits, std::vector<std::unique_ptr<Goal>> goals, std::vector<bool> frozen,
               double length, const std::vector<double>& stiffness = {})
        : m_(k.mechanism), goals_(m_, std::move(goals), length),
          steps_(m_, std::move(limits), std::move(frozen), length, stiffness), descent_(goals_, steps_),
          wraps_(std::size_t(m_.n), true) {
        for (const Element& e : m_.elements)
            for (int j = 0; j < size_of(e.kind); ++j)
                if (e.kind != Kind::revolute || e.scale != 1.0 || e.offset != 0.0)
                    wraps_[std::size_t(e.first + j)] = false;
    }

    GoalSolver(const GoalSolver&) = delete;

    const GoalSet& goals() const { return goals_; }
    int n() const { return m_.n; }

    // Attempts first..last - 1.
    GoalOutcome solve(const double* aims, const double* seed, int first, int last, const Deadline& deadline,
                      double* q_out) const {
        GoalWork w(m_, goals_, steps_, aims);
        GoalOutcome out;
        std::vector<Unmet> unmet;
        for (int number = first; number < last; ++number) {
            start(seed, number, w.now.q);
            const std::vector<double> from = w.now.q;
            bool met = attempt(true, w);
            if (!met && required_levels() > 1) {
                w.now.q = from;
                met = attempt(false, w);
            }
            if (met) {
                wrap_to_seed(seed, w);
                lower_optional(w);
                out.solved = true, out.attempt = number, out.tried = number + 1;
                return report(w, out, q_out);
            }
            unmet.push_back({w.now.q, required_costs(w)});
            out.tried = number + 1;
            if (number + 1 < last && !deadline.endless() && deadline.over()) {
                out.timed_out = true;
                break;
            }
        }
        if (unmet.empty()) unmet.push_back({std::vector<double>(seed, seed + m_.n), {}});
        converge(unmet, w);
        out.solved = all_met(w);
        if (out.solved) out.attempt = out.tried - 1;
        return report(w, out, q_out);
    }

    // One frame of dragging: from the seed towards the goals, no entry of q farther than `most`.
    GoalOutcome drag(const double* aims, const double* seed, const double* most, double* q_out) const {
        GoalWork w(m_, goals_, steps_, aims);
        w.now.q.assign(seed, seed + m_.n);
        steps_.keep_limits(w.now.q);
        w.from = w.now.q, w.most = most;
        for (std::size_t j = 0; j < w.from.size(); ++j)
            if (steps_.straight(j))
                w.low[j] = std::max(w.low[j], w.from[j] - most[j]),
                w.high[j] = std::min(w.high[j], w.from[j] + most[j]);
        descent_.update(w);
        const int required = required_levels();
        if (required > 0) descent_.lower(0, required - 1, DRAGGING_STEPS, required > 1, w);
        GoalOutcome out;
        out.solved = all_met(w), out.tried = 1;
        if (!out.solved && required > 1) {  // the levels conflict: restart, and lower them in order of priority
            w.now.q = w.from;
            descent_.update(w);
        }
        for (int level = 0; level < required; ++level) {
            if (!out.solved && required > 1) descent_.lower(level, level, DRAGGING_STEPS, false, w);
            descent_.hold(level, w);
        }
        out.solved = all_met(w);
        const std::vector<double> before = w.now.q;
        for (int level = required; level < goals_.levels(); ++level) {
            descent_.lower(level, level, OPTIONAL_DRAGGING_STEPS, false, w);
            descent_.hold(level, w);
        }
        if (out.solved && !all_met(w)) {
            w.now.q = before;
            descent_.update(w);
        }
        if (out.solved) out.attempt = 0;
        return report(w, out, q_out);
    }

    // The residuals and derivatives of all goals at a configuration.
    void evaluate(const double* aims, const double* q, Residuals& residuals) const {
        MechanismState state(m_);
        state.q.assign(q, q + m_.n);
        state.update();
        goals_.evaluate(state, aims, 0, goals_.levels(), residuals);
    }

  private:
    // Steps of an attempt at its first and its later levels, of an optional level, and of converging an attempt.
    static constexpr int ATTEMPT_STEPS = 80, LATER_STEPS = 80, OPTIONAL_STEPS = 200, CONVERGING_STEPS = 300;
    // Steps of one frame of dragging: for each required level, and for each optional one, which improves over many
    // frames.
    static constexpr int DRAGGING_STEPS = 24, OPTIONAL_DRAGGING_STEPS = 2;
    // Attempts that are converged, and the relative difference below which their costs count as equal.
    static constexpr std::size_t CONVERGED = 8;
    static constexpr double EQUAL = 1e-6;
    // The end of an attempt that did not meet every required goal.
    struct Unmet {
        std::vector<double> q, costs;
    };

    // Required levels precede the optional ones.
    int required_levels() const {
        int count = 0;
        while (count < goals_.levels() && goals_.required(count)) ++count;
        return count;
    }

    // Minimise each level in turn from the best of the unmet attempts; w ends at the best result.
    void converge(std::vector<Unmet>& unmet, GoalWork& w) const {
        std::stable_sort(unmet.begin(), unmet.end(),
                         [](const Unmet& a, const Unmet& b) { return less(a.costs, b.costs, 0.0); });
        if (unmet.size() > CONVERGED) unmet.resize(CONVERGED);
        const int required = std::max(1, required_levels());
        std::size_t best = 0;
        for (std::size_t k = 0; k < unmet.size(); ++k) {
            w.now.q = unmet[k].q;
            descent_.update(w);
            for (int level = 0; level < required; ++level) {
                descent_.lower(level, level, CONVERGING_STEPS, false, w);
                descent_.hold(level, w);
            }
            unmet[k] = {w.now.q, required_costs(w)};
            if (less(unmet[k].costs, unmet[best].costs, EQUAL)) best = k;
        }
        w.now.q = unmet[best].q;
        descent_.update(w);
        for (int level = 0; level < goals_.levels(); ++level) {
            if (level >= required) descent_.lower(level, level, OPTIONAL_STEPS, false, w);
            descent_.hold(level, w);
        }
    }

    bool all_met(const GoalWork& w) const {
        for (int level = 0; level < goals_.levels(); ++level)
            if (goals_.required(level) && !goals_.met(level, w.residuals)) return false;
        return true;
    }

    std::vector<double> required_costs(const GoalWork& w) const {
        std::vector<double> costs;
        for (int level = 0; level < goals_.levels(); ++level)
            if (goals_.required(level))
                costs.push_back(goals_.met(level, w.residuals) ? 0.0 : goals_.cost(level, level, w.residuals));
        return costs;
    }

    // Lexicographic order of costs: later levels decide only among equals.
    static bool less(const std::vector<double>& a, const std::vector<double>& b, double equal) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[k] < b[k] * (1.0 - equal)) return true;
            if (a[k] > b[k] * (1.0 + equal)) return false;
        }
        return false;
    }

    // Run an attempt from w.now; true when every required goal is met. `together`: all required levels as one, because
    // priority does not matter where all can be met.
    bool attempt(bool together, GoalWork& w) const {
        descent_.update(w);
        const int required = required_levels();
        if (required == 0) return true;
        if (together) {
            descent_.lower(0, required - 1, ATTEMPT_STEPS, true, w);
            return all_met(w);
        }
        for (int level = 0; level < required; ++level) {
            descent_.lower(level, level, level == 0 ? ATTEMPT_STEPS : LATER_STEPS, true, w);
            if (!goals_.met(level, w.residuals)) return false;
            descent_.hold(level, w);
        }
        return all_met(w);
    }

    // Minimise the optional levels while every required goal stays met.
    void lower_optional(GoalWork& w) const {
        const std::vector<double> before = w.now.q;
        for (int level = 0; level < goals_.levels(); ++level) {
            if (!goals_.required(level)) descent_.lower(level, level, OPTIONAL_STEPS, false, w);
            descent_.hold(level, w);
        }
        if (all_met(w)) return;
        w.now.q = before;
        descent_.update(w);
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

    // The 2-pi copies closest to the seed, where all goals stay met.
    void wrap_to_seed(const double* seed, GoalWork& w) const {
        w.trial.q = w.now.q;
        for (std::size_t j = 0; j < w.trial.q.size(); ++j)
            if (wraps_[j] && !steps_.frozen[j])
                w.trial.q[j] = nearest_copy(w.trial.q[j], seed[j], steps_.limits.lower[j], steps_.limits.upper[j]);
        if (w.trial.q == w.now.q) return;
        w.trial.update();
        goals_.evaluate(w.trial, w.aims, 0, goals_.levels(), w.tried);
        std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.residuals, w.tried);
        if (!all_met(w))
            std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.residuals, w.tried);
    }

    // Report from w.residuals, which were evaluated at the configuration returned.
    GoalOutcome report(GoalWork& w, GoalOutcome out, double* q_out) const {
        out.solved = out.solved && all_met(w);
        out.errors = goals_.errors(w.residuals);
        std::copy(w.now.q.begin(), w.now.q.end(), q_out);
        return out;
    }

    const Mechanism& m_;
    GoalSet goals_;
    Stepper steps_;
    LevelDescent descent_;
    std::vector<bool> wraps_;
};

}  // namespace limbik::goals
