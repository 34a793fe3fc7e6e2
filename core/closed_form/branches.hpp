// All configurations of a decoupled chain: the interface. chain_branches.hpp implements it for each number of joints.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "branch_arrays.hpp"
#include "near_misses.hpp"

namespace limbik::closed_form {

class ClosedForm;

class Branches {
  public:
    virtual ~Branches() = default;
    // All branches of a form, verified, those inside the limits first.
    virtual void all(const ClosedForm& form, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Postures& out) const = 0;
    // After nothing was found inside the limits: prove that there is nothing, or else search by damped steps.
    virtual void conclude(const ClosedForm& form, const Pose<double>& target, const double* seed,
                          const BranchOptions& options, Postures& out) const = 0;
    // Whether every exact root inside the limits is within `near` [rad, or parts of the scale] of a listed
    // configuration (N numbers each), or on a listed family.
    virtual bool certain(const ClosedForm& form, const Pose<double>& target, const double* seed,
                         const BranchOptions& options, const double* q, const std::vector<bool>& family,
                         double near) const = 0;
    // Verify a configuration after it is normalised to the limits.
    virtual bool accept(const double* q, const Pose<double>& target, const BranchOptions& options,
                        Posture& out) const = 0;
    // Collect the branches of a form that violate their limits least; take damped steps from the collected branches.
    virtual void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                const BranchOptions& options, NearMisses& out) const = 0;
    virtual bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                             const BranchOptions& options, Posture& out) const = 0;
    // The same for an arm with a swivel: branches, each at its own swivel; and a proof or a search after nothing was
    // found.
    virtual void swivel_branches(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                                 const BranchOptions& options, const SwivelChoice* choices, int count,
                                 Postures& out) const = 0;
    virtual void conclude_swivel(const SwivelArm& arm, const Pose<double>& target, const double* seed, double swivel,
                                 const BranchOptions& options, Postures& out) const = 0;
    // `count` targets of 16 numbers.
    virtual void rows(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, long count,
                      const BranchOptions& options, const BranchArrays& out, const std::atomic<bool>& stop) const = 0;
};

// The implementation for a chain of n joints, 1 to 7; null for others.
std::unique_ptr<Branches> make_branches(const ScalarChain& chain, int n, int frame, const StepSettings& settings);

}  // namespace limbik::closed_form
