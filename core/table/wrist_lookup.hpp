// Many targets of a chain that ends in a spherical wrist, looked up as fast as they are read. chain_wrist_lookup.hpp
// does it, for each number of joints.
#pragma once

#include "polish.hpp"
#include "posture_table.hpp"

namespace limbik::table {

// Postures that one target may have: three joints and a wrist have eight at the most, and some may come twice.
inline constexpr int MOST_LOOKED_UP = 16;

// Where a look-up goes: n numbers for each posture, how far the tip is from its target [m], and where each target's
// begin. Room for MOST_LOOKED_UP postures of every target.
struct LookedUp {
    double *q, *error;
    std::int64_t* begin;
    long total = 0;
};

class WristLookup {
  public:
    virtual ~WristLookup() = default;
    // Postures that keep the limits and come within `tolerance` [m] after so many steps; 16 numbers a target.
    virtual void rows(const double* targets, long count, int steps, double tolerance, const BranchOptions& options,
                      const double* seed, LookedUp& out) const = 0;
};

// None for chains that do not end in a wrist, or are too long.
std::unique_ptr<WristLookup> make_wrist_lookup(const Reduction& reduction, const PostureModels& models,
                                               const Polish& polish);

}  // namespace limbik::table
