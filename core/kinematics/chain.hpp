// Forward kinematics and Jacobian of a serial chain of revolute and prismatic joints: the fast path.
//
// A link between two joints is a constant pose with rotation Rz(a) Rx(alpha) Rz(b). Rotations about z commute with the
// joints on either side, so `a` and `b` become a constant offset of the joint, and a link keeps a translation and one
// rotation about x (the twist), which for most robots is a multiple of 90 degrees and then costs nothing. A joint takes
// a rotation about z (12 operations) and a shift (3 to 9), where a general product of poses takes 36. Unlike
// Denavit-Hartenberg parameters this form exists, and is exact, for any two axes, also for nearly parallel ones.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "mechanism.hpp"

namespace limbik::kinematics {

// The rounding of sines and cosines of multiples of 90 degrees.
inline constexpr double ROUNDING = 4e-16;

// A constant rotation about a coordinate axis. Multiples of 90 degrees are exact and cost at most a change of sign.
struct ConstantRotation {
    enum class Size { none, quarter, half, back, general } size = Size::none;
    double sine = 0.0, cosine = 1.0;

    ConstantRotation() = default;
    ConstantRotation(double s, double c) : sine(s), cosine(c) {
        if (std::fabs(s) <= ROUNDING) {
            size = c > 0.0 ? Size::none : Size::half;
        } else if (std::fabs(c) <= ROUNDING) {
            size = s > 0.0 ? Size::quarter : Size::back;
        } else {
            size = Size::general;
        }
    }
};

// Rotate the pair (x, y): (x cos + y sin, y cos - x sin). V is a number or a vector.
template <class V> LIMBIK_INLINE void rotate_pair(const ConstantRotation& turn, V& x, V& y) {
    const V x0 = x, y0 = y;
    switch (turn.size) {
        case ConstantRotation::Size::none: return;
        case ConstantRotation::Size::quarter: x = y0, y = -x0; return;
        case ConstantRotation::Size::half: x = -x0, y = -y0; return;
        case ConstantRotation::Size::back: x = -y0, y = x0; return;
        case ConstantRotation::Size::general:
            x = madd(y0, turn.sine, scaled(x0, turn.cosine));
            y = madd(x0, -turn.sine, scaled(y0, turn.cosine));
            return;
    }
}

struct ChainJoint {
    Kind kind;
    ConstantRotation offset;  // about z, added to the joint's own rotation
    Vector3<double> shift;    // then a translation in the rotated frame
    ConstantRotation twist;   // then a rotation about x
};

struct ChainFrame {
    int joints;              // how many joints move it
    Pose<double> placement;  // in the frame of the last of these, after its offset and before its shift
    bool rotated;            // the rotation of its placement is not the identity
};

struct ScalarChain {
    Pose<double> base;
    std::vector<ChainJoint> joints;
    std::vector<ChainFrame> frames;
};

// The mechanism as a scalar chain, where it is one: the value of element i is q[i], its parent is element i - 1.
std::optional<ScalarChain> as_scalar_chain(const Mechanism& m);

// Translate T by a constant vector of its own frame; zero components cost nothing.
template <class R> LIMBIK_INLINE void shift_frame(Pose<R>& T, const Vector3<double>& by) {
    if (by.x != 0.0) T.origin = madd(T.x, R(by.x), T.origin);
    if (by.y != 0.0) T.origin = madd(T.y, R(by.y), T.origin);
    if (by.z != 0.0) T.origin = madd(T.z, R(by.z), T.origin);
}

// A joint's axis in the base frame: direction and a point on it.
template <class R> struct Axis { Vector3<R> direction, point; };

// The motion of a joint: sine and cosine of its angle with its offset, or its displacement and 0.
template <class R> struct JointMotion { R sine_or_displacement, cosine; };
template <class R> LIMBIK_INLINE JointMotion<R> motion_of(const ChainJoint& joint, R q) {
    if (joint.kind != Kind::revolute) return {q, R(0.0)};
    R s, c;
    sincos(q, s, c);
    rotate_pair(joint.offset, s, c);
    return {s, c};
}

// Joints of one configuration whose sines are computed side by side: two registers of at most 256 bits. A single
// register of 512 bits would lower the clock for what follows.
inline constexpr int SIDE_LANES = std::min(width<Wide>, 4), SIDE_JOINTS = 2 * SIDE_LANES;

// The motions of joints first .. first + count - 1; the same bits as motion_of.
LIMBIK_INLINE void motions_of(const ScalarChain& chain, int first, int count, const double* q,
                              JointMotion<double>* out) {
    using Side = Lanes<SIDE_LANES>;
    double value[SIDE_JOINTS] = {}, sine[SIDE_JOINTS], cosine[SIDE_JOINTS];
    for (int k = 0; k < count; ++k) value[k] = q[first + k];
    const Side x[2] = {load_lanes<SIDE_LANES>(value), load_lanes<SIDE_LANES>(value + SIDE_LANES)};
    Side s[2], c[2];
    sincos<2>(x, s, c);
    for (int k = 0; k < 2; ++k) {
        store_lanes<SIDE_LANES>(s[k], sine + k * SIDE_LANES);
        store_lanes<SIDE_LANES>(c[k], cosine + k * SIDE_LANES);
    }
    for (int k = 0; k < count; ++k) {
        const ChainJoint& joint = chain.joints[std::size_t(first + k)];
        if (joint.kind != Kind::revolute) {
            out[k] = {value[k], 0.0};
            continue;
        }
        rotate_pair(joint.offset, sine[k], cosine[k]);
        out[k] = {sine[k], cosine[k]};
    }
}

// Forward kinematics over joint i: T goes from the placement of joint i to the placement of the next joint that moves
// the frame. `axis`, where given, receives the joint's axis.
template <class R> LIMBIK_INLINE void forward_joint(const ScalarChain& chain, const ChainFrame& frame, int i,
                                                    const JointMotion<R>& motion, Pose<R>& T, Axis<R>* axis) {
    const ChainJoint& joint = chain.joints[std::size_t(i)];
    if (joint.kind == Kind::revolute) {
        rotate_about_z(T, motion.sine_or_displacement, motion.cosine);
    } else {
        T.origin = madd(T.z, motion.sine_or_displacement, T.origin);
        rotate_pair(joint.offset, T.x, T.y);
    }
    if (axis) *axis = {T.z, T.origin};
    if (i + 1 < frame.joints) {
        shift_frame(T, joint.shift);
        rotate_pair(joint.twist, T.y, T.z);
    }
}

// Forward kinematics from the last joint that moves the frame to the frame.
template <class R> LIMBIK_INLINE void forward_to_frame(const ChainFrame& frame, Pose<R>& T) {
    shift_frame(T, frame.placement.origin);
    if (frame.rotated) {
        const Pose<R> M = broadcast<R>(frame.placement);
        const Vector3<R> x = rotate(T, M.x), y = rotate(T, M.y), z = rotate(T, M.z);
        T.x = x, T.y = y, T.z = z;
    }
}

// Forward kinematics of a frame. AXES: also the axis of each joint that moves it. SIDE: the sines of one configuration
// are computed side by side, which is faster inside a solver; a single call is faster joint by joint.
template <bool AXES, class R, bool SIDE = std::is_same_v<R, double>>
LIMBIK_INLINE Pose<R> forward_chain(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes) {
    if (frame.joints == 0) return broadcast<R>(frame.placement);
    Pose<R> T = broadcast<R>(chain.base);
    if constexpr (SIDE) {
        for (int first = 0; first < frame.joints; first += SIDE_JOINTS) {
            JointMotion<double> motion[SIDE_JOINTS];
            const int count = std::min(SIDE_JOINTS, frame.joints - first);
            motions_of(chain, first, count, q, motion);
            for (int k = 0; k < count; ++k)
                forward_joint(chain, frame, first + k, motion[k], T, AXES ? axes + first + k : nullptr);
        }
    } else {
        for (int i = 0; i < frame.joints; ++i)
            forward_joint(chain, frame, i, motion_of(chain.joints[std::size_t(i)], q[i]), T, AXES ? axes + i : nullptr);
    }
    forward_to_frame(frame, T);
    return T;
}

// The same, compiled once for double and Wide (chain.cpp).
template <bool AXES, class R>
Pose<R> forward_chain_noinline(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes);

// The Jacobian, 6 x n, from the axes: z x (p - point) and z of a revolute joint, z and 0 of a prismatic one.
template <class R> LIMBIK_INLINE void jacobian_chain(const ScalarChain& chain, const ChainFrame& frame,
                                                     const Axis<R>* axes, const Vector3<R>& p, R* J) {
    const int n = int(chain.joints.size());
    for (int i = 0; i < n; ++i) {
        Vector3<R> linear = {R(0.0), R(0.0), R(0.0)}, angular = linear;
        if (i < frame.joints) {
            const bool revolute = chain.joints[i].kind == Kind::revolute;
            linear = revolute ? cross(axes[i].direction, p - axes[i].point) : axes[i].direction;
            if (revolute) angular = axes[i].direction;
        }
        J[0 * n + i] = linear.x, J[1 * n + i] = linear.y, J[2 * n + i] = linear.z;
        J[3 * n + i] = angular.x, J[4 * n + i] = angular.y, J[5 * n + i] = angular.z;
    }
}

}  // namespace limbik::kinematics
