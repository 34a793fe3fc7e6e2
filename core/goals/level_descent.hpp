// One level of goals lowered while the levels before it keep what they have.
//
// A step of a later level moves where those before are flat, then they are restored, and only then is it judged. So
// whatever moment it stops at, the earlier levels are as good as they ever were.
#pragma once

#include "../iterative/stepper.hpp"
#include "goal_set.hpp"

namespace limbik::goals {

// Where a solve stands, what it tries, and room for both.
struct GoalWork {
    Stance now, trial;
    Missing missing, tried;
    BoundedStep step;
    std::vector<double> held, block, dq;
    std::vector<double> low, high, from;  // where q may be; from where and by how much, when it is dragged
    const double* most = nullptr;
    double stride = 0.0;  // of the last trial, before anything was restored
    const double* aims;

    GoalWork(const Mechanism& m, const GoalSet& goals, const Stepper& steps, const double* given)
        : now(m), trial(m), missing(goals.room()), tried(missing), step(goals.shape()), held(goals.rows(), 0.0),
          dq(std::size_t(m.n)), low(steps.limits.lower), high(steps.limits.upper), aims(given) {}
};

class LevelDescent {
  public:
    // What is referred to must outlive this.
    LevelDescent(const GoalSet& goals, const Stepper& steps)
        : goals_(goals), steps_(steps), held_(std::max(1e-15, std::min(HELD, OF_TOLERANCE * goals.finest()))) {}

    void stand(GoalWork& w) const {
        w.now.stand();
        goals_.look(w.now, w.aims, 0, goals_.levels(), w.missing);
    }

    // From now on this level keeps what it has: nothing missing where next to nothing is.
    void hold(int level, GoalWork& w) const {
        const bool exact = goals_.required(level) && goals_.met(level, w.missing) &&
                           goals_.moved(level, level, w.missing, nullptr) <= EXACT_ENOUGH;
        goals_.keep(level, exact ? nullptr : w.missing.e.data(), w.held.data());
    }

    // Lower the cost of levels first..last together by damped steps, levels before them held. `hurried`: give up early.
    void lower(int first, int last, int steps, bool hurried, GoalWork& w) const {
        double cost = goals_.cost(first, last, w.missing), damping = first == 0 ? DAMPED : SERVING_DAMPED, mark = cost;
        for (int k = 0; k < steps; ++k) {
            if (met(first, last, w.missing)) return;
            if (!take_step(first, last, damping, cost, w)) {
                damping = std::min(damping * MORE, MOST);
                if (damping >= MOST) return;
                continue;
            }
            const double now = goals_.cost(first, last, w.tried);
            if (!(now < cost)) {
                if (damping >= MOST || w.stride < STILL) return;
                damping *= MORE;
                continue;
            }
            std::swap(w.now.q, w.trial.q), std::swap(w.now.elements, w.trial.elements), std::swap(w.missing, w.tried);
            cost = now, damping = std::max(damping * LESS, LEAST);
            if ((k + 1) % SPAN == 0) {
                if (cost > (hurried && first == 0 ? HOPE : REST) * mark) return;
                mark = cost;
            }
        }
    }

  private:
    // Steps that restore the levels before, and how far they may then be from what they were, in lengths: this, or a
    // part of the smallest tolerance.
    static constexpr int RESTORING_STEPS = 8;
    static constexpr double HELD = 1e-10, OF_TOLERANCE = 0.1;
    // What is missing of a level that is met and can be met exactly, in lengths.
    static constexpr double EXACT_ENOUGH = 1e-7;
    // Of the stiffest number, what keeps a restoring step finite.
    static constexpr double SINGULAR = 1e-12;
    // The damping of the first level per cost, its change, and the damping of later ones per stiffness.
    static constexpr double DAMPED = 0.1, LESS = 0.4, MORE = 5.0, LEAST = 1e-4, MOST = 1e8, SERVING_DAMPED = 1e-3;
    // How much stiffer than a level are the ones before it.
    static constexpr double STIFF = 1e8;
    // An attempt is given up when its cost does not fall to this part in so many steps; rest is when it hardly falls at
    // all.
    static constexpr double HOPE = 0.7, REST = 1.0 - 1e-9;
    static constexpr int SPAN = 6;
    // Steps end when they are this small.
    static constexpr double STILL = 1e-13;

    // Are all required goals of these levels met?
    bool met(int first, int last, const Missing& missing) const {
        for (int level = first; level <= last; ++level)
            if (!goals_.required(level) || !goals_.met(level, missing)) return false;
        return true;
    }

    // A trial posture; false where there is none, or the levels before cannot be restored.
    bool take_step(int level, int last, double damping, double cost, GoalWork& w) const {
        w.step.clear();
        goals_.add(level, last, w.missing, nullptr, 1.0, w.step, w.block);
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
            goals_.add(0, level - 1, w.missing, w.held.data(), 1.0, s, w.block);
            const double theirs = steps_.stiffest(s),
                         times = theirs > 0.0 ? STIFF * std::max(own, shift) / theirs : 0.0;
            for (std::size_t k = 0; k < s.H.size(); ++k) s.H[k] = s.H[k] * times + mine[k];
            for (std::size_t k = 0; k < s.g.size(); ++k) s.g[k] = s.g[k] * times + pull[k];
        }
        if (!advance(w.now.q, shift, w)) return false;
        w.stride = steps_.longest(w.dq);
        w.trial.stand();
        if (level == 0) {
            goals_.look(w.trial, w.aims, 0, goals_.levels(), w.tried);
            return true;
        }
        return restore(level, w);
    }

    // Bring the trial back to where the levels before `level` were.
    bool restore(int level, GoalWork& w) const {
        for (int k = 0;; ++k) {
            goals_.look(w.trial, w.aims, 0, k == 0 ? level : level - 1, w.tried);
            const double off = goals_.moved(0, level - 1, w.tried, w.held.data());
            if (!std::isfinite(off)) return false;
            if (off <= held_) {
                goals_.look(w.trial, w.aims, level, goals_.levels(), w.tried);
                return true;
            }
            if (k == RESTORING_STEPS) return false;
            w.step.clear();
            goals_.add(0, level - 1, w.tried, w.held.data(), 1.0, w.step, w.block);
            if (!advance(w.trial.q, std::max(off * off * DAMPED, SINGULAR * steps_.stiffest(w.step)), w)) return false;
            w.trial.stand();
        }
    }

    // From q along the least of the quadratic in w.step, shifted, to w.trial.q.
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
