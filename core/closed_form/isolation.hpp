// Is a posture isolated, or does a self-motion pass through it? self_motion.hpp tells.
#pragma once

#include "../kinematics/chain.hpp"

namespace limbik::closed_form {

enum class Isolation { isolated, self_motion, cluster };

// The judgement of a chain of n joints, at most 6; isolated where there is none to make.
Isolation isolation(const ScalarChain& chain, const ChainFrame& frame, double length, int n, const double* q,
                    const Pose<double>& target);

}  // namespace limbik::closed_form
