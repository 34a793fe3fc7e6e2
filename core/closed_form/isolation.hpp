// Whether a configuration is isolated, or on a self-motion manifold (self_motion.hpp).
#pragma once

#include "../kinematics/kinematics.hpp"

namespace limbik::closed_form {

enum class Isolation { isolated, self_motion, cluster };

// Of a chain of n joints, at most 6; `isolated` for longer ones.
Isolation isolation(const ScalarChain& chain, const ChainFrame& frame, double length, int n, const double* q,
                    const Pose<double>& target);

// The test of configurations of one mechanism. Answers keep it and may outlive the solver, so it owns copies of what it
// needs.
class SelfMotionTest {
  public:
    // scale: the size of the mechanism [m].
    SelfMotionTest(const Kinematics& k, int tip, double scale) : kinematics_(k), tip_(tip), length_(0.5 * scale) {}

    // Of a serial chain of scalar joints, at most 6; `isolated` for any other mechanism.
    Isolation isolation_of(const double* q, const Pose<double>& target) const {
        if (!kinematics_.chain) return Isolation::isolated;
        const ChainFrame& frame = kinematics_.chain->frames[std::size_t(tip_)];
        return isolation(*kinematics_.chain, frame, length_, kinematics_.n(), q, target);
    }

    // Whether a self-motion manifold passes through q, which reaches the target. With more than 6 joint values the
    // mechanism is redundant, and every configuration is on one.
    bool passes(const double* q, const Pose<double>& target) const {
        return kinematics_.n() > 6 || isolation_of(q, target) == Isolation::self_motion;
    }

  private:
    Kinematics kinematics_;
    int tip_;
    double length_;
};

}  // namespace limbik::closed_form
