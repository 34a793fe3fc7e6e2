// Completeness of a list of configurations: copies of the chain and its closed form.
#include "completeness.hpp"

#include "branches.hpp"
#include "closed_form.hpp"

namespace limbik::closed_form {

Completeness::Completeness(const Kinematics& k, int tip, double scale, const ClosedForm& form,
                           std::vector<double> lower, std::vector<double> upper, std::vector<double> home)
    : kinematics_(k), self_motion_(k, tip, scale), form_(std::make_unique<const ClosedForm>(form)),
      lower_(std::move(lower)), upper_(std::move(upper)), home_(std::move(home)),
      branches_(
          make_branches(*kinematics_.chain, kinematics_.n(), tip, StepSettings{0.5 * scale, DAMPING, LARGEST_STEP})) {}

Completeness::~Completeness() = default;

bool Completeness::complete(const double* q, const std::vector<bool>& families, const Pose<double>& target) const {
    const BranchOptions exact = {lower_.data(), upper_.data(), {0.0, 0.0}};
    return branches_->certain(*form_, target, home_.data(), exact, q, families, NEAR);
}

}  // namespace limbik::closed_form
