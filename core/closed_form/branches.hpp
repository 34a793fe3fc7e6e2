// All postures of a chain that comes apart: found in closed form, corrected where rounding has bitten, verified, inside
// limits. What is asked of them; chain_branches.hpp answers, for each number of joints.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "near_misses.hpp"
#include "places.hpp"

namespace limbik::closed_form {

class ClosedForm;

class Branches {
  public:
    virtual ~Branches() = default;
    virtual void all(const ClosedForm& form, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Postures& out) const = 0;
    // Nothing was found inside the limits: what is proven, or else what damped steps find.
    virtual void conclude(const ClosedForm& form, const Pose<double>& target, const double* seed,
                          const BranchOptions& options, Postures& out) const = 0;
    // Is every exact root inside the limits within `near` [rad, or parts of the scale] of a listed posture, or in a
    // listed family? N numbers a posture, and whether it is one of a family.
    virtual bool certain(const ClosedForm& form, const Pose<double>& target, const double* seed,
                         const BranchOptions& options, const double* q, const std::vector<bool>& family,
                         double near) const = 0;
    // Is this posture one, once it is inside the limits?
    virtual bool accept(const double* q, const Pose<double>& target, const BranchOptions& options,
                        Posture& out) const = 0;
    // The branches of a form, whatever limits they pass; then damped steps from those that pass them least.
    virtual void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                const BranchOptions& options, NearMisses& out) const = 0;
    virtual bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                             const BranchOptions& options, Posture& out) const = 0;
    virtual void swung(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                       const BranchOptions& options, const SwivelChoice* choices, int count, Postures& out) const = 0;
    virtual void conclude_swung(const SwivelArm& arm, const Pose<double>& target, const double* seed, double swivel,
                                const BranchOptions& options, Postures& out) const = 0;
    // So many targets, 16 numbers each.
    virtual void rows(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, long count,
                      const BranchOptions& options, const Places& out, const std::atomic<bool>& stop) const = 0;
};

// The branches of a chain of n joints, 1 to 7; none for others.
std::unique_ptr<Branches> make_branches(const ScalarChain& chain, int n, int frame, const Effort& effort);

}  // namespace limbik::closed_form
