// Where a table says that the postures of a target may be: to be corrected and verified before anyone calls them
// answers.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::table {

class Candidates {
  public:
    virtual ~Candidates() = default;
    // Numbers in a posture, and the most postures of one target.
    virtual int n() const = 0;
    virtual int most() const = 0;
    // The postures of a target of the tip, in the base's frame, n numbers each; returns how many. They may be outside
    // the limits.
    virtual int find(const Pose<double>& target, double* q) const = 0;
    // A few of them, as near to a seed as can be told before they are completed: `few` at the most. Room for all is
    // needed.
    virtual int find_near(const Pose<double>& target, const double*, int, double* q) const { return find(target, q); }
    // Do they come in pairs that differ in which way a spherical wrist turns, and in nothing else?
    virtual bool in_pairs() const { return false; }
};

}  // namespace limbik::table
