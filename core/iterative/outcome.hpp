// What becomes of a target: a status, errors, and how they came about; of one row or of many.
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

// What a solve reports beside q.
struct Outcome {
    Status status = Status::not_found;
    int attempt = -1;        // the one that succeeded
    int tried = 0;           // how many it took
    bool timed_out = false;  // more would have been tried, had there been time
    Errors errors = {0.0, 0.0};
    bool closed = false;  // found, or proven not to be, in closed form
    bool family = false;  // one of a family of postures that all reach the target
    int branch = -1;
    int steps = 0;  // of all the attempts up to the one that succeeded
};

// The rows of a batch: 16 numbers a target, seeds `seed_stride` apart (0: one for all), n numbers of q a row, an
// outcome each.
struct Rows {
    const double *targets, *seeds;
    long seed_stride;
    double* q;
    Outcome* outcomes;
    const double* doubts = nullptr;  // how far each target that was meant may be, where that is known

    Pose<double> target(long row) const { return load_pose<double>(targets + row * 16, 1); }
    double doubt(long row) const { return doubts ? doubts[row] : 0.0; }
    const double* seed(long row) const { return seeds + row * seed_stride; }
};

// How much a metre and a radian count.
struct Weights {
    double position = 1.0, rotation = 0.0;
};

}  // namespace limbik::iterative
