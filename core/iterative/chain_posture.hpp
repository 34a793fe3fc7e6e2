// What every search asks of a posture of a chain: its errors against a target, and its whole turns chosen.
#pragma once

#include <algorithm>

#include "../geometry/pose_error.hpp"
#include "../kinematics/chain.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// Errors of a posture against a target, exact: metres, and the angle of the rotation logarithm.
inline void posture_errors(const ScalarChain& chain, const ChainFrame& frame, const double* q,
                           const Pose<double>& target, double& position, double& rotation) {
    const Pose<double> T = forward_chain<false, double>(chain, frame, q, nullptr);
    Vector3<double> p, w;
    pose_error(T, target, p, w);
    position = std::sqrt(dot(p, p));
    rotation = std::sqrt(dot(w, w));
}

// A joint's value at the whole turn nearest the seed's, inside the limits.
inline double settled_joint(const ScalarChain& chain, const double* lower, const double* upper, double x,
                            const double* seed, int j) {
    if (chain.joints[std::size_t(j)].kind == Kind::revolute) x = nearest_turn(x, seed[j], lower[j], upper[j]);
    return std::clamp(x, lower[j], upper[j]);
}

// Seen from the other side.
inline Pose<double> inverse_pose(const Pose<double>& T) {
    Pose<double> out = {{T.x.x, T.y.x, T.z.x}, {T.x.y, T.y.y, T.z.y}, {T.x.z, T.y.z, T.z.z}, {0, 0, 0}};
    out.origin = -rotate(out, T.origin);
    return out;
}

}  // namespace limbik::iterative
