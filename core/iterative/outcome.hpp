// The outcome of a solve: status, errors and statistics; and the rows of a batch.
#pragma once

#include "../kinematics/verify.hpp"

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

// What a solve returns beside q.
struct Outcome {
    Status status = Status::not_found;
    int attempt = -1;        // the attempt that succeeded
    int tried = 0;           // how many attempts were made
    bool timed_out = false;  // the deadline ended the attempts
    Errors errors = {0.0, 0.0};
    bool closed = false;  // found in closed form, or proven not to exist
    bool family = false;  // on a self-motion manifold: a family of configurations reaches the target
    int branch = -1;
    int steps = 0;  // of all attempts that were made
};

// The rows of a batch: targets of 16 numbers, seeds `seed_stride` apart (0: one for all), q of n numbers, outcomes.
struct Rows {
    const double *targets, *seeds;
    long seed_stride;
    double* q;
    Outcome* outcomes;
    const double* doubts = nullptr;  // the uncertainty of each target by rounding (geometry/rigid.hpp), where known

    Pose<double> target(long row) const { return load_pose<double>(targets + row * 16, 1); }
    double doubt(long row) const { return doubts ? doubts[row] : 0.0; }
    const double* seed(long row) const { return seeds + row * seed_stride; }
};

// The weights of errors per metre and per radian.
struct Weights {
    double position = 1.0, rotation = 0.0;
};

}  // namespace limbik::iterative
