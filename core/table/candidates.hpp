// Approximate configurations of a target, to be corrected and verified before they are answers.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::table {

class Candidates {
  public:
    virtual ~Candidates() = default;
    // The size of a configuration, and the largest number of candidates of one target.
    virtual int n() const = 0;
    virtual int most() const = 0;
    // The candidates of a target of the tip, in the base frame, n numbers each; returns how many. They may violate
    // limits.
    virtual int find(const Pose<double>& target, double* q) const = 0;
    // At most `few` of them, approximately those closest to a seed. `q` needs space for all.
    virtual int find_near(const Pose<double>& target, const double*, int, double* q) const { return find(target, q); }
    // Whether they come in pairs that differ only in the branch of a spherical wrist.
    virtual bool in_pairs() const { return false; }
};

}  // namespace limbik::table
