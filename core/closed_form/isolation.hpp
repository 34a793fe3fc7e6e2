// Whether a configuration is isolated, or on a self-motion manifold (self_motion.hpp).
#pragma once

#include "../kinematics/kinematics.hpp"

namespace limbik::closed_form {

// `manifold`: a step stays on the pose, but more than one joint velocity leaves the tip at rest: the self-motion has
// two or more dimensions, or others cross it here.
enum class Isolation { isolated, self_motion, cluster, manifold };

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

    // Whether a self-motion manifold passes through q: neighbouring configurations have the same tip pose. With more
    // than 6 joint values the mechanism is redundant, and every configuration is on one.
    bool passes(const double* q) const {
        if (kinematics_.n() > 6) return true;
        if (!kinematics_.chain) return false;
        const ChainFrame& frame = kinematics_.chain->frames[std::size_t(tip_)];
        const Pose<double> own = forward_chain<false, double>(*kinematics_.chain, frame, q, nullptr);
        const Isolation found = isolation_of(q, own);
        return found == Isolation::self_motion || found == Isolation::manifold;
    }

  private:
    Kinematics kinematics_;
    int tip_;
    double length_;
};

}  // namespace limbik::closed_form
