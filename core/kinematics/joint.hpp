// Joints: their motion, and the integration and difference of their values.
//
// A revolute or prismatic joint moves about or along the z axis of its own frame, which the model has rotated so that
// any axis is z. The value of a ball joint is a rotation vector (3 numbers), that of a floating joint a position and a
// rotation vector (3 + 3). The velocity of a ball joint is the angular velocity in the child frame; that of a floating
// joint is the linear velocity in the parent frame, then that angular velocity.
#pragma once

#include "../geometry/angles.hpp"

namespace limbik::kinematics {

enum class Kind : int { revolute = 0, prismatic = 1, ball = 2, floating = 3 };

inline constexpr int KINDS = 4;

inline int size_of(Kind kind) { return kind == Kind::ball ? 3 : kind == Kind::floating ? 6 : 1; }

// Move the frame T, placed at the joint, by the joint's value q[0..size).
template <class R> inline void apply_joint(Kind kind, const R* q, Pose<R>& T) {
    switch (kind) {
        case Kind::revolute: {
            R s, c;
            sincos(q[0], s, c);
            rotate_about_z(T, s, c);
            return;
        }
        case Kind::prismatic: T.origin = madd(T.z, q[0], T.origin); return;
        case Kind::floating:
            T.origin = transform(T, Vector3<R>{q[0], q[1], q[2]});
            q += 3;
            [[fallthrough]];
        case Kind::ball: {
            Vector3<R> x, y, z;
            rotation_from_vector(Vector3<R>{q[0], q[1], q[2]}, x, y, z);
            const Vector3<R> tx = rotate(T, x), ty = rotate(T, y), tz = rotate(T, z);
            T.x = tx, T.y = ty, T.z = tz;
            return;
        }
    }
}

// The rotation vector of exp(a) exp(b).
inline void compose_rotations(const double* a, const double* b, double* out) {
    const Vector3<double> r = vector_from_quaternion(quaternion_from_vector(Vector3<double>{a[0], a[1], a[2]}) *
                                                     quaternion_from_vector(Vector3<double>{b[0], b[1], b[2]}));
    out[0] = r.x, out[1] = r.y, out[2] = r.z;
}

// Integrate the velocity dq from q for unit time.
inline void integrate_joint(Kind kind, const double* q, const double* dq, double* out) {
    const int linear = kind == Kind::ball ? 0 : kind == Kind::floating ? 3 : 1;
    for (int k = 0; k < linear; ++k) out[k] = q[k] + dq[k];
    if (kind == Kind::ball || kind == Kind::floating) compose_rotations(q + linear, dq + linear, out + linear);
}

// The velocity that leads from q0 to q1 in unit time; the shorter direction where the joint `wraps` (2-pi copies are
// equal).
inline void joint_difference(Kind kind, bool wraps, const double* q0, const double* q1, double* out) {
    const int linear = kind == Kind::ball ? 0 : kind == Kind::floating ? 3 : 1;
    for (int k = 0; k < linear; ++k) out[k] = q1[k] - q0[k];
    if (wraps) out[0] = wrap(out[0]);
    if (kind == Kind::ball || kind == Kind::floating) {
        const double back[3] = {-q0[linear], -q0[linear + 1], -q0[linear + 2]};
        compose_rotations(back, q1 + linear, out + linear);
    }
}

// A difference of two values of a joint, without units: modulo 2 pi for a revolute joint, divided by `scale` else.
inline double joint_gap(bool revolute, double difference, double scale) {
    return revolute ? wrap(difference) : difference / scale;
}

}  // namespace limbik::kinematics
