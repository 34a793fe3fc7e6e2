// The interface of batched look-ups for chains with a spherical wrist; chain_wrist_lookup.hpp implements it for each
// number of joints.
#pragma once

#include "polish.hpp"
#include "posture_table.hpp"

namespace limbik::table {

// The most configurations of one target: three joints and a wrist have at most eight, and some may appear twice.
inline constexpr int MOST_LOOKUPS = 16;

// Output of a look-up: n numbers for each configuration, the position error [m], and the index of each target's first.
// Space for MOST_LOOKUPS configurations of every target.
struct LookupResult {
    double *q, *error;
    std::int64_t* begin;
    long total = 0;
};

class WristLookup {
  public:
    virtual ~WristLookup() = default;
    // Configurations inside the limits with an error within `tolerance` [m] after `steps` steps; 16 numbers a target.
    virtual void rows(const double* targets, long count, int steps, double tolerance, const BranchOptions& options,
                      const double* seed, LookupResult& out) const = 0;
};

// Null for chains without a wrist, or with too many joints.
std::unique_ptr<WristLookup> make_wrist_lookup(const Reduction& reduction, const PostureModels& models,
                                               const Polish& polish);

}  // namespace limbik::table
