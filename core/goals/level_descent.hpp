// One level of goals minimised while the earlier levels are held.
//
// A step of a later level is taken in the null space of the earlier ones; then their residuals are restored, and only
// then is the step accepted or rejected. So whenever the descent stops, the earlier levels are as good as they ever
// were.
#pragma once

#include "../iterative/stepper.hpp"
#include "goal_set.hpp"

namespace limbik::goals {

// The state of a solve: current and trial configuration, their residuals, and buffers.
struct GoalWork {
    MechanismState now, trial;
    Residuals residuals, tried;
    BoundedStep step;
    std::vector<double> held, block, dq;
    std::vector<double> low, high, from;  // bounds of q; when dragged, the start and the largest distance from it
    const double* most = nullptr;
    double step_length = 0.0;  // of the last trial, before the earlier levels were restored
    const double* aims;

    GoalWork(const Mechanism& m, const GoalSet& goals, const Stepper& steps, const double* given)
        : now(m), trial(m), residuals(goals.make_residuals()), tried(residuals), step(goals.shape()),
          held(goals.rows(), 0.0), dq(std::size_t(m.n)), low(steps.limits.lower), high(steps.limits.upper),
          aims(given) {}
};

class LevelDescent {
  public:
    // Both references must outlive this.
    LevelDescent(const GoalSet& goals, const Stepper& steps)
        : goals_(goals), steps_(steps),
          held_(std::max(1e-15, std::min(HELD_LENGTHS, HELD_PER_TOLERANCE * goals.smallest_tolerance()))) {}

    void update(GoalWork& w) const {
        w.now.update();
        goals_.evaluate(w.now, w.aims, 0, goals_.levels(), w.residuals);
    }

    // Hold this level from now on: at zero residual where it is met almost exactly, else at its current residual.
    void hold(int level, GoalWork& w) const {
        const bool exact = goals_.required(level) && goals_.met(level, w.residuals) &&
                           goals_.deviation(level, level, w.residuals, nullptr) <= EXACT_ENOUGH;
        goals_.record(level, exact ? nullptr : w.residuals.e.data(), w.held.data());
    }

    // Minimise the cost of levels first..last together by damped steps, the earlier levels held. `give_up_early`: stop
    // where the cost falls slowly.
    void lower(int first, int last, int steps, bool give_up_early, GoalWork& w) const {
        double cost = goals_.cost(first, last, w.residuals), damping = first == 0 ? FIRST_DAMPING : LATER_DAMPING,
               mark = cost;
        for (int k = 0; k < steps; ++k) {
            if (met(first, last, w.residuals)) return;
            if (!take_step(first, last, damping, cost, w)) {
                damping = std::min(damping * DAMPING_INCREASE, GREATEST_FACTOR);
                if (damping >= GREATEST_FACTOR) return;
                continue;
            }
            const double now = goals_.cost(first, last, w.tried);
            if (!(now < cost)) {
                if (damping >= GREATEST_FACTOR || w.step_length < SMALLEST_STEP) return;
                damping *= DAMPING_INCREASE;
                continue;
            }
            std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.residuals, w.tried);
            cost = now, damping = std::max(damping * DAMPING_DECREASE, LEAST_FACTOR);
            if ((k + 1) % CHECK_INTERVAL == 0) {
                if (cost > (give_up_early && first == 0 ? GIVE_UP_RATIO : STALLED_RATIO) * mark) return;
                mark = cost;
            }
        }
    }

  private:
    // Steps that restore the earlier levels, and how far these may then deviate, in lengths: this, or a share of the
    // smallest tolerance.
    static constexpr int RESTORING_STEPS = 8;
    static constexpr double HELD_LENGTHS = 1e-10, HELD_PER_TOLERANCE = 0.1;
    // A level that is met to this residual, in lengths, is held at zero.
    static constexpr double EXACT_ENOUGH = 1e-7;
    // The shift of a restoring step, as a share of the stiffest entry: keeps the step finite.
    static constexpr double SINGULAR_SHIFT = 1e-12;
    // Damping of the first level per cost, of later levels per stiffness, its factors of change, and its bounds.
    static constexpr double FIRST_DAMPING = 0.1, DAMPING_DECREASE = 0.4, DAMPING_INCREASE = 5.0, LEAST_FACTOR = 1e-4,
                            GREATEST_FACTOR = 1e8, LATER_DAMPING = 1e-3;
    // How much stiffer the held levels are than the level that is minimised.
    static constexpr double HELD_STIFFNESS = 1e8;
    // Every CHECK_INTERVAL steps: an attempt is given up unless its cost fell to this ratio, and has stalled above the
    // other.
    static constexpr double GIVE_UP_RATIO = 0.7, STALLED_RATIO = 1.0 - 1e-9;
    static constexpr int CHECK_INTERVAL = 6;
    // A rejected step shorter than this ends the descent [rad or lengths].
    static constexpr double SMALLEST_STEP = 1e-13;

    // Whether all goals of these levels are required and met.
    bool met(int first, int last, const Residuals& residuals) const {
        for (int level = first; level <= last; ++level)
            if (!goals_.required(level) || !goals_.met(level, residuals)) return false;
        return true;
    }

    // Compute a trial configuration; false where there is none, or where the earlier levels cannot be restored.
    bool take_step(int level, int last, double damping, double cost, GoalWork& w) const {
        w.step.clear();
        goals_.add_quadratic(level, last, w.residuals, nullptr, 1.0, w.step, w.block);
        double shift;
        if (level == 0) {
            shift = damping * std::min(2.0 * cost, FAR) + LEAST_DAMPING;
        } else {
            const double own = steps_.stiffest(w.step);
            shift = std::max(damping * own, LEAST_DAMPING);
            const std::vector<double> pull = w.step.g;
            BoundedStep& s = w.step;
            const std::vector<double> mine = s.H;
            s.clear();
            goals_.add_quadratic(0, level - 1, w.residuals, w.held.data(), 1.0, s, w.block);
            const double theirs = steps_.stiffest(s),
                         times = theirs > 0.0 ? HELD_STIFFNESS * std::max(own, shift) / theirs : 0.0;
            for (std::size_t k = 0; k < s.H.size(); ++k) s.H[k] = s.H[k] * times + mine[k];
            for (std::size_t k = 0; k < s.g.size(); ++k) s.g[k] = s.g[k] * times + pull[k];
        }
        if (!advance(w.now.q, shift, w)) return false;
        w.step_length = steps_.longest(w.dq);
        w.trial.update();
        if (level == 0) {
            goals_.evaluate(w.trial, w.aims, 0, goals_.levels(), w.tried);
            return true;
        }
        return restore(level, w);
    }

    // Restore the residuals of the levels before `level` at the trial.
    bool restore(int level, GoalWork& w) const {
        for (int k = 0;; ++k) {
            goals_.evaluate(w.trial, w.aims, 0, k == 0 ? level : level - 1, w.tried);
            const double off = goals_.deviation(0, level - 1, w.tried, w.held.data());
            if (!std::isfinite(off)) return false;
            if (off <= held_) {
                goals_.evaluate(w.trial, w.aims, level, goals_.levels(), w.tried);
                return true;
            }
            if (k == RESTORING_STEPS) return false;
            w.step.clear();
            goals_.add_quadratic(0, level - 1, w.tried, w.held.data(), 1.0, w.step, w.block);
            if (!advance(w.trial.q, std::max(off * off * FIRST_DAMPING, SINGULAR_SHIFT * steps_.stiffest(w.step)), w))
                return false;
            w.trial.update();
        }
    }

    // Move from q to w.trial.q: the minimum of the shifted quadratic in w.step, inside the bounds.
    bool advance(const std::vector<double>& q, double shift, GoalWork& w) const {
        steps_.bound(q, w.low.data(), w.high.data(), LARGEST_STEP, w.step);
        if (!steps_.solve(q, shift, w.step, w.dq)) return false;
        if (&q != &w.trial.q) w.trial.q = q;
        steps_.move(w.trial.q, w.dq);
        steps_.keep_limits(w.trial.q, w.low.data(), w.high.data());
        if (w.most != nullptr) steps_.keep_near(w.from, w.most, w.trial.q);
        return true;
    }

    const GoalSet& goals_;
    const Stepper& steps_;
    double held_;
};

}  // namespace limbik::goals
