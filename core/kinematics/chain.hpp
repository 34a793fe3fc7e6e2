// The fast path: a serial chain of revolute and prismatic joints, one after the other.
//
// Between two joints lies a fixed pose with rotation Rz(a) Rx(alpha) Rz(b). Turns about z commute with the joints on
// either side, so `a` and `b` become a constant turn at the joint and a link keeps a translation and one turn about x,
// which for most robots is a multiple of 90 degrees and then costs nothing. Per joint that leaves a turn about z (12
// operations) and a shift (3 to 9), where a general product of poses takes 36. Unlike Denavit-Hartenberg parameters
// this form exists, and is exact, for any two axes, nearly parallel ones too.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "mechanism.hpp"

namespace limbik::kinematics {

// Rounding left over when a quarter turn is built from sines and cosines, and what a link of 1 m weighs it against.
inline constexpr double ROUNDING = 4e-16;

// A constant turn. Multiples of 90 degrees are exact and cost at most a change of sign.
struct Turn {
    enum class Size { none, quarter, half, back, general } size = Size::none;
    double sine = 0.0, cosine = 1.0;

    Turn() = default;
    Turn(double s, double c) : sine(s), cosine(c) {
        if (std::fabs(s) <= ROUNDING) {
            size = c > 0.0 ? Size::none : Size::half;
        } else if (std::fabs(c) <= ROUNDING) {
            size = s > 0.0 ? Size::quarter : Size::back;
        } else {
            size = Size::general;
        }
    }
};

// x and y turned by a constant angle: (x cos + y sin, y cos - x sin). V is a number or a vector.
template <class V> LIMBIK_INLINE void turn_pair(const Turn& turn, V& x, V& y) {
    const V x0 = x, y0 = y;
    switch (turn.size) {
        case Turn::Size::none: return;
        case Turn::Size::quarter: x = y0, y = -x0; return;
        case Turn::Size::half: x = -x0, y = -y0; return;
        case Turn::Size::back: x = -y0, y = x0; return;
        case Turn::Size::general:
            x = madd(y0, turn.sine, scaled(x0, turn.cosine));
            y = madd(x0, -turn.sine, scaled(y0, turn.cosine));
            return;
    }
}

struct ChainJoint {
    Kind kind;
    Turn offset;            // a constant turn about z, on top of the joint's own
    Vector3<double> shift;  // then a translation in the turned frame
    Turn twist;             // then a turn about x
};

struct ChainFrame {
    int joints;          // how many joints move it
    Pose<double> mount;  // seen from the last of them, after its offset and before its shift
    bool turned;         // its rotation is not the identity
};

struct ScalarChain {
    Pose<double> base;
    std::vector<ChainJoint> joints;
    std::vector<ChainFrame> frames;
};

// The mechanism as a scalar chain, where it is one: element i moves with q[i] alone and is carried by element i - 1.
std::optional<ScalarChain> as_scalar_chain(const Mechanism& m);

// Move T along a constant vector of its own frame; zero components cost nothing.
template <class R> LIMBIK_INLINE void shift_frame(Pose<R>& T, const Vector3<double>& by) {
    if (by.x != 0.0) T.origin = madd(T.x, R(by.x), T.origin);
    if (by.y != 0.0) T.origin = madd(T.y, R(by.y), T.origin);
    if (by.z != 0.0) T.origin = madd(T.z, R(by.z), T.origin);
}

// A joint's axis in the base frame: direction and a point on it.
template <class R> struct Axis { Vector3<R> direction, point; };

// What joint i does: sine and cosine of its turn with its offset, or how far it slides and nothing.
template <class R> struct JointMotion { R sine_or_slide, cosine; };
template <class R> LIMBIK_INLINE JointMotion<R> motion_of(const ChainJoint& joint, R q) {
    if (joint.kind != Kind::revolute) return {q, R(0.0)};
    R s, c;
    sincos(q, s, c);
    turn_pair(joint.offset, s, c);
    return {s, c};
}

// Joints of one configuration whose sines are worked out side by side: two registers, no wider than 256 bits. A single
// 512-bit one slows the processor down for what follows.
inline constexpr int SIDE_LANES = std::min(width<Wide>, 4), SIDE_JOINTS = 2 * SIDE_LANES;

// What joints first .. first + count - 1 do, to the bit as one by one.
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
        turn_pair(joint.offset, sine[k], cosine[k]);
        out[k] = {sine[k], cosine[k]};
    }
}

// Carry T from the place where joint i is mounted over that joint, and over the link to the next one that moves the
// frame.
template <class R> LIMBIK_INLINE void carry(const ScalarChain& chain, const ChainFrame& frame, int i,
                                            const JointMotion<R>& motion, Pose<R>& T, Axis<R>* axis) {
    const ChainJoint& joint = chain.joints[std::size_t(i)];
    if (joint.kind == Kind::revolute) {
        turn_about_z(T, motion.sine_or_slide, motion.cosine);
    } else {
        T.origin = madd(T.z, motion.sine_or_slide, T.origin);
        turn_pair(joint.offset, T.x, T.y);
    }
    if (axis) *axis = {T.z, T.origin};
    if (i + 1 < frame.joints) {
        shift_frame(T, joint.shift);
        turn_pair(joint.twist, T.y, T.z);
    }
}

// From the last joint that moves the frame to the frame itself.
template <class R> LIMBIK_INLINE void carry_to_frame(const ChainFrame& frame, Pose<R>& T) {
    shift_frame(T, frame.mount.origin);
    if (frame.turned) {
        const Pose<R> M = broadcast<R>(frame.mount);
        const Vector3<R> x = rotate(T, M.x), y = rotate(T, M.y), z = rotate(T, M.z);
        T.x = x, T.y = y, T.z = z;
    }
}

// The pose of a frame; with `axes`, also the axis of each joint that moves it. SIDE: the sines of one configuration
// side by side. That is faster inside a solver. A single call has nothing else to do meanwhile, and is faster joint by
// joint.
template <bool AXES, class R, bool SIDE = std::is_same_v<R, double>>
LIMBIK_INLINE Pose<R> forward_chain(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes) {
    if (frame.joints == 0) return broadcast<R>(frame.mount);
    Pose<R> T = broadcast<R>(chain.base);
    if constexpr (SIDE) {
        for (int first = 0; first < frame.joints; first += SIDE_JOINTS) {
            JointMotion<double> motion[SIDE_JOINTS];
            const int count = std::min(SIDE_JOINTS, frame.joints - first);
            motions_of(chain, first, count, q, motion);
            for (int k = 0; k < count; ++k)
                carry(chain, frame, first + k, motion[k], T, AXES ? axes + first + k : nullptr);
        }
    } else {
        for (int i = 0; i < frame.joints; ++i)
            carry(chain, frame, i, motion_of(chain.joints[std::size_t(i)], q[i]), T, AXES ? axes + i : nullptr);
    }
    carry_to_frame(frame, T);
    return T;
}

// The same, compiled once for double and Wide (chain.cpp).
template <bool AXES, class R>
Pose<R> forward_chain_noinline(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes);

// Six rows of n from the axes: z x (p - point) and z where the joint turns, z and 0 where it slides.
template <class R> LIMBIK_INLINE void jacobian_chain(const ScalarChain& chain, const ChainFrame& frame,
                                                     const Axis<R>* axes, const Vector3<R>& p, R* J) {
    const int n = int(chain.joints.size());
    for (int i = 0; i < n; ++i) {
        Vector3<R> linear = {R(0.0), R(0.0), R(0.0)}, angular = linear;
        if (i < frame.joints) {
            const bool turns = chain.joints[i].kind == Kind::revolute;
            linear = turns ? cross(axes[i].direction, p - axes[i].point) : axes[i].direction;
            if (turns) angular = axes[i].direction;
        }
        J[0 * n + i] = linear.x, J[1 * n + i] = linear.y, J[2 * n + i] = linear.z;
        J[3 * n + i] = angular.x, J[4 * n + i] = angular.y, J[5 * n + i] = angular.z;
    }
}

}  // namespace limbik::kinematics
