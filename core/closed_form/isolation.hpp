// Whether a configuration is isolated, or on a self-motion manifold (self_motion.hpp).
#pragma once

#include "../kinematics/chain.hpp"

namespace limbik::closed_form {

enum class Isolation { isolated, self_motion, cluster };

// Of a chain of n joints, at most 6; `isolated` for longer ones.
Isolation isolation(const ScalarChain& chain, const ChainFrame& frame, double length, int n, const double* q,
                    const Pose<double>& target);

}  // namespace limbik::closed_form
