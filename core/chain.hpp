// The fast path: a serial chain of revolute and prismatic joints, one after the other.
//
// Between two joints lies a fixed pose with rotation Rz(a) Rx(alpha) Rz(b). Turns about z commute with the joints on
// either side, so `a` and `b` go into their angle offsets and a link keeps a translation and one turn about x, which for
// most robots is a multiple of 90 degrees and then costs nothing. Per joint that leaves a turn about z (12 operations)
// and a shift (3 to 9), where a general product of poses takes 36.
// Unlike Denavit-Hartenberg parameters this form exists, and is exact, for any two axes, nearly parallel ones too.
#pragma once

#include <optional>
#include <vector>

#include "mechanism.hpp"

namespace limbik {

struct ChainJoint {
    Kind kind;
    double offset;                      // constant turn about z, added to a revolute joint's value [rad]
    double offset_sine, offset_cosine;  // the same turn, where the joint slides
    Vector3<double> shift;              // then a translation in the turned frame
    enum class Twist { none, quarter, half, general } twist;
    double twist_sine, twist_cosine;    // then a turn about x
};

struct ChainFrame {
    int joints;           // how many joints move it
    Pose<double> mount;   // seen from the last of them, after its offset and before its shift
    bool turned;          // its rotation is not the identity
};

struct ScalarChain {
    Pose<double> base;
    std::vector<ChainJoint> joints;
    std::vector<ChainFrame> frames;
};

// Rounding left over when a quarter turn is built from sines and cosines, and what a link of 1 m weighs it against.
inline constexpr double ROUNDING = 4e-16;

inline Pose<double> turned_back_about_z(const Pose<double>& T, double s, double c) {
    auto back = [&](const Vector3<double>& a) { return Vector3<double>{c * a.x + s * a.y, c * a.y - s * a.x, a.z}; };
    return {back(T.x), back(T.y), back(T.z), back(T.origin)};
}

// The mechanism as a scalar chain, where it is one: element i moves with q[i] alone and is carried by element i - 1.
inline std::optional<ScalarChain> as_scalar_chain(const Mechanism& m) {
    const int n = int(m.elements.size());
    if (n == 0 || n != m.n) return std::nullopt;
    for (int i = 0; i < n; ++i) {
        const Element& e = m.elements[i];
        if (e.parent != i - 1 || e.first != i || size_of(e.kind) != 1 || e.scale != 1.0 || e.offset != 0.0)
            return std::nullopt;
    }
    ScalarChain chain;
    chain.base = m.elements[0].mount;
    double before = 0.0;                           // the b of the previous link
    std::vector<double> a_sine(n), a_cosine(n);    // the a of each link
    for (int i = 0; i < n; ++i) {
        ChainJoint joint{};
        joint.kind = m.elements[i].kind;
        joint.twist = ChainJoint::Twist::none;
        double a = 0.0, b = 0.0, sa = 0.0, ca = 1.0;
        if (i + 1 < n) {
            const Pose<double>& link = m.elements[i + 1].mount;
            const double sine = std::hypot(link.z.x, link.z.y);
            if (sine > ROUNDING) {
                sa = link.z.x / sine, ca = -link.z.y / sine;
                a = std::atan2(link.z.x, -link.z.y);
            }
            const Pose<double> rest = turned_back_about_z(link, sa, ca);  // Rx(alpha) Rz(b)
            joint.shift = rest.origin;
            joint.twist_sine = sine > ROUNDING ? sine : 0.0;
            joint.twist_cosine = link.z.z;
            if (joint.twist_sine == 0.0)
                joint.twist = link.z.z > 0.0 ? ChainJoint::Twist::none : ChainJoint::Twist::half;
            else if (std::fabs(link.z.z) <= ROUNDING)
                joint.twist = ChainJoint::Twist::quarter;
            else
                joint.twist = ChainJoint::Twist::general;
            b = std::atan2(rest.x.y * joint.twist_cosine + rest.x.z * joint.twist_sine, rest.x.x);
        }
        a_sine[i] = sa, a_cosine[i] = ca;
        joint.offset = std::remainder(before + a, 2.0 * PI);
        joint.offset_sine = std::sin(joint.offset);
        joint.offset_cosine = std::cos(joint.offset);
        before = b;
        chain.joints.push_back(joint);
    }
    for (const Frame& frame : m.frames) {
        ChainFrame f{frame.element + 1, frame.mount, false};
        if (f.joints > 0) f.mount = turned_back_about_z(frame.mount, a_sine[frame.element], a_cosine[frame.element]);
        auto differs = [](double x, double y) { return std::fabs(x - y) > ROUNDING; };
        f.turned = differs(f.mount.x.x, 1.0) || differs(f.mount.y.y, 1.0) || differs(f.mount.z.z, 1.0) ||
                   differs(f.mount.x.y, 0.0) || differs(f.mount.x.z, 0.0) || differs(f.mount.y.z, 0.0);
        chain.frames.push_back(f);
    }
    return chain;
}

// Move T along a constant vector of its own frame; zero components cost nothing.
template <class R> inline void shift_frame(Pose<R>& T, const Vector3<double>& by) {
    if (by.x != 0.0) T.origin = madd(T.x, R(by.x), T.origin);
    if (by.y != 0.0) T.origin = madd(T.y, R(by.y), T.origin);
    if (by.z != 0.0) T.origin = madd(T.z, R(by.z), T.origin);
}

template <class R> inline void twist_frame(Pose<R>& T, const ChainJoint& joint) {
    const Vector3<R> y = T.y, z = T.z;
    switch (joint.twist) {
        case ChainJoint::Twist::none:
            return;
        case ChainJoint::Twist::quarter:
            T.y = z;
            T.z = -y;
            return;
        case ChainJoint::Twist::half:
            T.y = -y;
            T.z = -z;
            return;
        case ChainJoint::Twist::general:
            T.y = madd(z, R(joint.twist_sine), scaled(y, R(joint.twist_cosine)));
            T.z = madd(y, R(-joint.twist_sine), scaled(z, R(joint.twist_cosine)));
            return;
    }
}

// A joint's axis in the base frame: direction and a point on it.
template <class R> struct Axis {
    Vector3<R> direction, point;
};

// The pose of a frame; with `axes`, also the axis of each joint that moves it.
template <bool AXES, class R>
inline Pose<R> forward_chain(const ScalarChain& chain, const ChainFrame& frame, const R* q, Axis<R>* axes) {
    Pose<R> T = broadcast<R>(chain.base);
    for (int i = 0; i < frame.joints; ++i) {
        const ChainJoint& joint = chain.joints[i];
        if (joint.kind == Kind::revolute) {
            R s, c;
            sincos(q[i] + R(joint.offset), s, c);
            turn_about_z(T, s, c);
        } else {
            T.origin = madd(T.z, q[i], T.origin);
            if (joint.offset != 0.0) turn_about_z(T, R(joint.offset_sine), R(joint.offset_cosine));
        }
        if constexpr (AXES) axes[i] = {T.z, T.origin};
        if (i + 1 < frame.joints) {
            shift_frame(T, joint.shift);
            twist_frame(T, joint);
        }
    }
    shift_frame(T, frame.mount.origin);
    if (frame.turned) {
        const Pose<R> M = broadcast<R>(frame.mount);
        const Vector3<R> x = rotate(T, M.x), y = rotate(T, M.y), z = rotate(T, M.z);
        T.x = x, T.y = y, T.z = z;
    }
    return T;
}

// Six rows of n from the axes: z x (p - point) and z where the joint turns, z and 0 where it slides.
template <class R>
inline void jacobian_chain(const ScalarChain& chain, const ChainFrame& frame, const Axis<R>* axes,
                           const Vector3<R>& p, R* J) {
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

}  // namespace limbik
