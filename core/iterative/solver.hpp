// What every solver promises: numbered attempts from numbered starts, the lowest-numbered success is the answer.
//
// An attempt is a function of the mechanism, the target, the seed and its number alone: it starts somewhere, takes
// damped steps (levenberg_marquardt.hpp) and ends converged, hopeless or out of steps. Attempt 0 starts at the seed.
// Success is decided afterwards, by forward kinematics and the rotation logarithm in plain doubles, inside the limits.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "levenberg_marquardt.hpp"
#include "outcome.hpp"
#include "seed_table.hpp"

namespace limbik::iterative {

// The position error, in lengths, that counts as none in a look.
inline constexpr double NEARLY_THERE = 1e-6;

// What a look at a target found, before any rotation is sought.
struct Look {
    double gap = 0.0;              // how far some point of the last body stays from its place, at the least [m]
    std::vector<double> postures;  // the nearest ones in position, n numbers each
};

class Solver {
  public:
    virtual ~Solver() = default;
    virtual int n() const = 0;
    // One target, attempts first..last.
    virtual Outcome solve(const Pose<double>& target, const double* seed, int first, int last, double* q_out) const = 0;
    // Attempts before a look at what stands in the way: as many as cost about as much as the look.
    virtual int quick_attempts() const = 0;
    // Look how near to a target some posture comes; `proven` says that it is known to be out of reach.
    virtual Look look(const Pose<double>& target, const double* seed, bool proven) const = 0;
    // The nearest posture to a target that was not reached, from where the look ended; its errors go to `out`.
    virtual void nearest(const Pose<double>& target, const double* seed, const Look& look, double* q_out,
                         Outcome& out) const = 0;
    // Instead: the posture with the least (position weight * position error)^2 + (rotation weight * angle)^2.
    virtual void weigh(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                       Outcome& out) const = 0;
    // What the nearest posture is held against: the least position error [m] from so many random starts, each brought
    // to rest.
    virtual double least_position(const Pose<double>& target, int starts) const = 0;
    // Attempts 0..last of each of some rows of a batch. When told to stop, each row ends with the attempt it is at. The
    // steps that a row has taken before are kept.
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
    // How many attempts of one target take no longer than one.
    virtual int side_by_side() const { return 1; }
    // Make now what is otherwise made when a target first needs it, and tell whether all of it is made.
    virtual void warm_up() const {}
    virtual bool warm() const { return true; }
};

// ---- when an attempt ends ------------------------------------------------------------------------------------------

// A residual below this is one Newton step from the answer: the step is taken and verified.
inline constexpr double CLOSE = 1e-10;  // squared
// While an attempt goes on, only an answer this exact ends it, in lengths and radians; at its end the tolerances
// decide. So a solution does not depend on how the tolerances compare with the size of the arm.
inline constexpr double EXACT = 1e-10;
// Steps given to an attempt at the most.
inline constexpr int STEPS = 48;
// Every so many steps ...
inline constexpr int LOOK_BACK = 4;
// ... the squared residual must have come down to this part, or the attempt is hopeless,
inline constexpr double PROGRESS = 0.5;
// unless it is as small as this: then it is on its way, and near a singularity it jitters before it falls.
inline constexpr double NEARLY = 1e-4;
// A residual beyond this, or none at all, is no number to go on with.
inline constexpr double LOST = 1e12;

struct Attempt {
    long row = -1;
    int number = 0, step = 0;
    double mark = 0.0;

    void begin(long of_row, int attempt) {
        row = of_row, number = attempt, step = 0;
        mark = LOST;
    }
    // False when it should be given up.
    bool goes_on(double squared) {
        ++step;
        if (step >= STEPS || !(squared < LOST)) return false;
        if (step % LOOK_BACK == 0) {
            if (squared > PROGRESS * mark && squared > NEARLY) return false;
            mark = squared;
        }
        return true;
    }
};

// Do these errors end an attempt? An attempt that goes on can still do better than the tolerances.
inline bool reached(const Tolerances& tolerances, const Effort& effort, bool goes_on, const Errors& errors) {
    return errors.within(tolerances) && (!goes_on || errors.within({EXACT * effort.length, EXACT}));
}

// The stream of random numbers that restarts come from; the seed table uses those below.
inline constexpr std::uint64_t RESTARTS = 1000, AT_LIMITS = 5000;

}  // namespace limbik::iterative
