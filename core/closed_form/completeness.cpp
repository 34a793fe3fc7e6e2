// Completeness of a list of configurations: copies of the chain and its closed form.
#include "completeness.hpp"

#include "branches.hpp"
#include "closed_form.hpp"

namespace limbik::closed_form {

Completeness::Completeness(const Kinematics& k, int tip, double scale, const ClosedForm& form,
                           std::vector<double> lower, std::vector<double> upper, std::vector<double> home)
    : kinematics_(k), frame_(tip), length_(0.5 * scale), form_(std::make_unique<const ClosedForm>(form)),
      lower_(std::move(lower)), upper_(std::move(upper)), home_(std::move(home)),
      branches_(make_branches(*kinematics_.chain, kinematics_.n(), tip, StepSettings{length_, DAMPING, LARGEST_STEP})) {
}

Completeness::~Completeness() = default;

Isolation Completeness::isolation_of(const double* q, const Pose<double>& target) const {
    const ChainFrame& frame = kinematics_.chain->frames[std::size_t(frame_)];
    return isolation(*kinematics_.chain, frame, length_, kinematics_.n(), q, target);
}

bool Completeness::complete(const double* q, const std::vector<bool>& families, const Pose<double>& target) const {
    const BranchOptions exact = {lower_.data(), upper_.data(), {0.0, 0.0}};
    return branches_->certain(*form_, target, home_.data(), exact, q, families, NEAR);
}

}  // namespace limbik::closed_form
