// The interface of iterative solvers: numbered attempts from numbered starts; the first that succeeds is the answer.
//
// An attempt depends on the mechanism, the target, the seed and its number alone. It takes damped steps
// (levenberg_marquardt.hpp) from its start until it converges, stalls or runs out of steps. Attempt 0 starts at the
// seed. Success is decided by verification (kinematics/verify.hpp), in plain doubles, inside the limits.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "levenberg_marquardt.hpp"
#include "outcome.hpp"
#include "seed_table.hpp"

namespace limbik::iterative {

// The position error, in lengths, that counts as none in a search for the closest position.
inline constexpr double POSITION_REACHED = 1e-6;

// The closest approach to a target in position, whatever the rotation.
struct Approach {
    double gap = 0.0;              // the least distance that some point of the last body keeps from its goal [m]
    std::vector<double> postures;  // the closest configurations in position, n numbers each
};

class Solver {
  public:
    virtual ~Solver() = default;
    virtual int n() const = 0;
    // Attempts first .. last - 1 of one target.
    virtual Outcome solve(const Pose<double>& target, const double* seed, int first, int last, double* q_out) const = 0;
    // How many attempts cost about as much as approach().
    virtual int quick_attempts() const = 0;
    // The closest approach to a target; `proven`: it is known to be out of reach.
    virtual Approach approach(const Pose<double>& target, const double* seed, bool proven) const = 0;
    // The closest configuration to an unreachable target, starting from an approach; its errors go to `out`.
    virtual void closest(const Pose<double>& target, const double* seed, const Approach& approach, double* q_out,
                         Outcome& out) const = 0;
    // The configuration of least (position weight * position error)^2 + (rotation weight * angle)^2.
    virtual void closest_weighted(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                                  Outcome& out) const = 0;
    // A reference for tests: the least position error [m] of so many random starts, each run to convergence.
    virtual double least_position(const Pose<double>& target, int starts) const = 0;
    // Attempts 0 .. last - 1 of some rows of a batch. At `stop` each row ends with its current attempt. Steps are added
    // to those that a row has taken before.
    virtual void solve_rows(const Rows& rows, std::span<const long> which, int last,
                            const std::atomic<bool>& stop) const {
        for (const long row : which) {
            Outcome& out = rows.outcomes[row];
            const Pose<double> target = rows.target(row);
            for (int k = 0; k < last && out.status != Status::solved && !stop.load(std::memory_order_relaxed); ++k) {
                const int before = out.steps;
                out = solve(target, rows.seed(row), k, k + 1, rows.q + row * n());
                out.steps += before;
            }
        }
    }
    // How many attempts of one target run in the lanes at once.
    virtual int side_by_side() const { return 1; }
    // Make everything that is otherwise made on first use; and whether that is done.
    virtual void warm_up() const {}
    virtual bool warm() const { return true; }
};

// ---- when an attempt ends ------------------------------------------------------------------------------------------

// A squared residual below this is one Newton step from a solution: that step is taken and verified.
inline constexpr double ONE_STEP_AWAY = 1e-10;
// The errors [lengths, rad] that end an attempt which could still improve; at its last step the tolerances decide. So a
// solution does not depend on the tolerances.
inline constexpr double EXACT = 1e-10;
// The most steps of an attempt.
inline constexpr int MOST_STEPS = 48;
// After each so many steps
inline constexpr int PROGRESS_INTERVAL = 4;
// the squared residual must have fallen to this part, or the attempt has stalled,
inline constexpr double REQUIRED_REDUCTION = 0.5;
// unless it is below this: near a singularity it oscillates before it converges.
inline constexpr double CONVERGING = 1e-4;
// A squared residual beyond this, or NaN, has diverged.
inline constexpr double DIVERGED = 1e12;

struct Attempt {
    long row = -1;
    int number = 0, step = 0;
    double mark = 0.0;

    void begin(long of_row, int attempt) {
        row = of_row, number = attempt, step = 0;
        mark = DIVERGED;
    }
    // Count a step with this squared residual; false where the attempt ends.
    bool continues(double squared) {
        ++step;
        if (step >= MOST_STEPS || !(squared < DIVERGED)) return false;
        if (step % PROGRESS_INTERVAL == 0) {
            if (squared > REQUIRED_REDUCTION * mark && squared > CONVERGING) return false;
            mark = squared;
        }
        return true;
    }
};

// Whether these errors end an attempt; while it continues, only those below EXACT do.
inline bool reached(const Tolerances& tolerances, const StepSettings& settings, bool continues, const Errors& errors) {
    return errors.within(tolerances) && (!continues || errors.within({EXACT * settings.length, EXACT}));
}

// The streams of random numbers of restarts and of joints at their limits; the seed table uses those below.
inline constexpr std::uint64_t RESTARTS = 1000, AT_LIMITS = 5000;

}  // namespace limbik::iterative
