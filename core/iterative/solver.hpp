// What every solver promises: numbered attempts from numbered starts, the lowest-numbered success is the answer.
//
// An attempt is a function of the mechanism, the target, the seed and its number alone: it starts somewhere, takes
// damped steps (levenberg_marquardt.hpp) and ends converged, hopeless or out of steps. Attempt 0 starts at the seed.
// Success is decided afterwards, by forward kinematics and the rotation logarithm in plain doubles, inside the limits.
#pragma once

#include <atomic>
#include <vector>

#include "../kinematics/kinematics.hpp"
#include "../kinematics/limits.hpp"
#include "levenberg_marquardt.hpp"
#include "seed_table.hpp"

namespace limbik::iterative {

enum class Status : int {
    solved = 0,
    out_of_reach = 1,
    limits = 2,
    not_found = 3,
    compromise = 4,
    blocked = 5,
    invalid = 6
};

struct SolveOptions {
    double position_tolerance = 1e-8, rotation_tolerance = 1e-8;
};

// What a solve reports beside q.
struct Outcome {
    Status status = Status::not_found;
    int attempt = -1;        // the one that succeeded
    int tried = 0;           // how many it took
    bool timed_out = false;  // more would have been tried, had there been time
    double position_error = 0.0, rotation_error = 0.0;
    bool closed = false;  // found, or proven not to be, in closed form
    bool family = false;  // one of a family of postures that all reach the target
    int branch = -1;
    int steps = 0;  // of all the attempts up to the one that succeeded
};

// How much a metre and a radian count.
struct Weights {
    double position = 1.0, rotation = 0.0;
};

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
    // Rows begin..end of a batch, attempts 0..last of each; 16 numbers a target, seeds `seed_stride` apart (0: one for
    // all). Rows whose outcome is `invalid` already are passed over. When told to stop, each row ends with the attempt
    // it is at.
    virtual void solve_rows(const double* targets, const double* seeds, long seed_stride, long begin, long end,
                            int last, double* q_out, Outcome* outcomes, const std::atomic<bool>& stop) const {
        for (long row = begin; row < end; ++row) {
            if (outcomes[row].status == Status::invalid) continue;
            const Pose<double> target = load_pose<double>(targets + row * 16, 1);
            for (int k = 0; k < last && outcomes[row].status != Status::solved && !stop.load(std::memory_order_relaxed);
                 ++k) {
                const int before = outcomes[row].steps;
                outcomes[row] = solve(target, seeds + row * seed_stride, k, k + 1, q_out + row * n());
                outcomes[row].steps += before;
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
inline bool reached(const SolveOptions& options, const Effort& effort, bool goes_on, double position, double rotation) {
    if (!(position <= options.position_tolerance && rotation <= options.rotation_tolerance)) return false;
    return !goes_on || (position <= EXACT * effort.length && rotation <= EXACT);
}

// The stream of random numbers that restarts come from; the seed table uses those below.
inline constexpr std::uint64_t RESTARTS = 1000, AT_LIMITS = 5000;

}  // namespace limbik::iterative
