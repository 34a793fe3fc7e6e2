// Verification: the test that every configuration passes before it is reported as solved.
//
// Each angle becomes its 2-pi copy nearest to the seed's inside the limits; forward kinematics gives the errors there;
// the tolerances decide. (The closed form does the same for all branches of a target in one pass:
// closed_form/branch_verifier.hpp.)
#pragma once

#include "kinematics.hpp"
#include "limits.hpp"

namespace limbik::kinematics {

// The default tolerances: the position in metres, or as a fraction of the reach where that is larger; the rotation in
// radians.
inline constexpr double POSITION_TOLERANCE = 1e-8, RELATIVE_TOLERANCE = 1e-9, ROTATION_TOLERANCE = 1e-8;
inline double position_tolerance(double reach) { return std::max(POSITION_TOLERANCE, RELATIVE_TOLERANCE * reach); }

// The errors up to which a target is reached [m, rad].
struct Tolerances {
    double position = POSITION_TOLERANCE, rotation = ROTATION_TOLERANCE;
};

// The distance of a configuration's pose from its target [m, rad]. Not initialised: lists of configurations hold many.
struct Errors {
    double position, rotation;

    bool within(const Tolerances& most) const { return position <= most.position && rotation <= most.rotation; }
    // Their sum, the position divided by a length.
    double in_lengths(double length) const { return position / length + rotation; }
};

inline Errors errors_between(const Pose<double>& actual, const Pose<double>& target) {
    Vector3<double> p, w;
    pose_error(actual, target, p, w);
    return {std::sqrt(dot(p, p)), std::sqrt(dot(w, w))};
}

// ---- a serial chain ------------------------------------------------------------------------------------------------

inline Errors chain_errors(const ScalarChain& chain, const ChainFrame& frame, const double* q,
                           const Pose<double>& target) {
    return errors_between(forward_chain<false, double>(chain, frame, q, nullptr), target);
}

// The value of joint j at its 2-pi copy nearest the seed's, inside the limits.
inline double normalised_joint(const ScalarChain& chain, const double* lower, const double* upper, double x,
                               const double* seed, int j) {
    if (chain.joints[std::size_t(j)].kind == Kind::revolute) x = nearest_copy(x, seed[j], lower[j], upper[j]);
    return std::clamp(x, lower[j], upper[j]);
}

// Normalise the joints of a chain in place; returns the errors there.
inline Errors verify_chain(const ScalarChain& chain, const ChainFrame& frame, const double* lower, const double* upper,
                           const double* seed, const Pose<double>& target, double* q) {
    const int n = int(chain.joints.size());
    for (int j = 0; j < n; ++j) q[j] = normalised_joint(chain, lower, upper, q[j], seed, j);
    return chain_errors(chain, frame, q, target);
}

// ---- any mechanism -------------------------------------------------------------------------------------------------

inline Errors errors_at(const Kinematics& k, int frame, const double* q, const Pose<double>& target) {
    double T[16];
    forward_one(k, frame, q, T, nullptr);
    return errors_between(load_pose<double>(T, 1), target);
}

}  // namespace limbik::kinematics
