// What is asked of configurations after they were found: is each isolated, and are they all?
#pragma once

#include <memory>
#include <vector>

#include "../kinematics/kinematics.hpp"
#include "isolation.hpp"

namespace limbik::closed_form {

class Branches;
class ClosedForm;

// Answers keep it and may outlive the solver, so it has copies of everything it needs. For chains without redundancy.
class Completeness {
  public:
    Completeness(const Kinematics& k, int tip, double scale, const ClosedForm& form, std::vector<double> lower,
                 std::vector<double> upper, std::vector<double> home);
    ~Completeness();

    Isolation isolation_of(const double* q, const Pose<double>& target) const;

    // Is every exact root inside the limits within NEAR of one of these configurations, n numbers each, or on one of
    // these self-motion manifolds?
    bool complete(const double* q, const std::vector<bool>& families, const Pose<double>& target) const;

  private:
    static constexpr double NEAR = 1e-6;  // [rad, or parts of the scale]

    Kinematics kinematics_;
    int frame_;
    double length_;
    std::unique_ptr<const ClosedForm> form_;
    std::vector<double> lower_, upper_, home_;
    std::unique_ptr<Branches> branches_;
};

}  // namespace limbik::closed_form
