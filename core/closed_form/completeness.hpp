// Whether configurations are isolated, and whether a list of them is complete.
#pragma once

#include <memory>
#include <vector>

#include "../kinematics/kinematics.hpp"
#include "isolation.hpp"

namespace limbik::closed_form {

class Branches;
class ClosedForm;

// For chains without redundancy. Answers keep it and may outlive the solver, so it owns copies of what it needs.
class Completeness {
  public:
    Completeness(const Kinematics& k, int tip, double scale, const ClosedForm& form, std::vector<double> lower,
                 std::vector<double> upper, std::vector<double> home);
    ~Completeness();

    Isolation isolation_of(const double* q, const Pose<double>& target) const {
        return self_motion_.isolation_of(q, target);
    }
    // Whether a self-motion manifold passes through q.
    bool on_self_motion(const double* q) const { return self_motion_.passes(q); }

    // Whether every exact root inside the limits is within NEAR of one of these configurations (n numbers each), or on
    // one of these self-motion manifolds.
    bool complete(const double* q, const std::vector<bool>& families, const Pose<double>& target) const;

  private:
    static constexpr double NEAR = 1e-6;  // [rad, or parts of the scale]

    Kinematics kinematics_;
    SelfMotionTest self_motion_;
    std::unique_ptr<const ClosedForm> form_;
    std::vector<double> lower_, upper_, home_;
    std::unique_ptr<Branches> branches_;
};

}  // namespace limbik::closed_form
