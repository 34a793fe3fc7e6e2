// What is asked of configurations after they were found: is each isolated, and are they all?
#pragma once

#include "branches.hpp"
#include "isolation.hpp"

namespace limbik::closed_form {

// Answers keep it and may outlive the solver, so it has copies of everything it needs. For chains without redundancy.
class Completeness {
  public:
    Completeness(const Kinematics& k, int tip, double scale, const ClosedForm& form, std::vector<double> lower,
                 std::vector<double> upper, std::vector<double> home)
        : kinematics_(k), frame_(tip), length_(0.5 * scale), form_(form), lower_(std::move(lower)),
          upper_(std::move(upper)), home_(std::move(home)),
          branches_(make_branches(*kinematics_.chain, kinematics_.n(), tip, Effort{length_, DAMPING, LARGEST_STEP})) {}

    Isolation isolation_of(const double* q, const Pose<double>& target) const {
        const ChainFrame& frame = kinematics_.chain->frames[std::size_t(frame_)];
        return isolation(*kinematics_.chain, frame, length_, kinematics_.n(), q, target);
    }

    // Is every exact root inside the limits within NEAR of one of these configurations, n numbers each, or on one of
    // these self-motion manifolds?
    bool complete(const double* q, const std::vector<bool>& families, const Pose<double>& target) const {
        const BranchOptions exact = {lower_.data(), upper_.data(), {0.0, 0.0}};
        return branches_->certain(form_, target, home_.data(), exact, q, families, NEAR);
    }

  private:
    static constexpr double NEAR = 1e-6;  // [rad, or parts of the scale]

    Kinematics kinematics_;
    int frame_;
    double length_;
    ClosedForm form_;
    std::vector<double> lower_, upper_, home_;
    std::unique_ptr<Branches> branches_;
};

}  // namespace limbik::closed_form
