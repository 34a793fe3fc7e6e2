// The error between two poses: a translation and a rotation vector, both in the base frame.
//
// The remaining rotation, R = R_target R_actual^T, has cosine c = (trace - 1)/2 and sine s = |vee|, where
// vee = (R - R^T)/2 read as a vector = s * axis. The angle is atan2(s, c): acos(c) would read 1e-8 where the truth is
// 1e-12. The axis is vee / s while c >= 0. Towards half a turn vee vanishes, so for c < 0 the axis is the largest
// column of (R + R^T)/2 - c I = (1 - c) axis axis^T, its sign taken from vee (at exactly half a turn: the column's
// own).
#pragma once

#include "spatial.hpp"

namespace limbik::geometry {

// (R - R^T)/2 as a vector, sin(angle) axis, of the rotation with columns x, y, z.
template <class R>
LIMBIK_INLINE Vector3<R> rotation_vee(const Vector3<R>& x, const Vector3<R>& y, const Vector3<R>& z) {
    return {R(0.5) * (y.z - z.y), R(0.5) * (z.x - x.z), R(0.5) * (x.y - y.x)};
}

// The rotation vector of the rotation with columns x, y, z. Its length is the angle, in [0, pi].
template <class R> inline Vector3<R> rotation_logarithm(const Vector3<R>& x, const Vector3<R>& y, const Vector3<R>& z) {
    constexpr double SMALL_SINE = 1e-4;  // below, angle/sine = 1 + sine^2/6 to 1e-17
    const Vector3<R> vee = rotation_vee(x, y, z);
    const R c = R(0.5) * (x.x + y.y + z.z - R(1.0));
    const R s2 = dot(vee, vee);
    const R s = square_root(s2);
    const R angle = arc_tangent2(s, c);

    const auto small = s < R(SMALL_SINE);
    const R ratio = select(small, madd(s2, R(1.0 / 6.0), R(1.0)), angle / select(small, R(1.0), s));
    const Vector3<R> near = scaled(vee, ratio);

    const Vector3<R> cx = {x.x - c, R(0.5) * (x.y + y.x), R(0.5) * (x.z + z.x)};
    const Vector3<R> cy = {R(0.5) * (x.y + y.x), y.y - c, R(0.5) * (y.z + z.y)};
    const Vector3<R> cz = {R(0.5) * (x.z + z.x), R(0.5) * (y.z + z.y), z.z - c};
    Vector3<R> column = select(cy.y > cx.x, cy, cx);
    const R greatest = select(cy.y > cx.x, cy.y, cx.x);
    column = select(cz.z > greatest, cz, column);
    const R length2 = dot(column, column);
    const auto no_axis = length2 == R(0.0);
    const R scale = angle / square_root(select(no_axis, R(1.0), length2));
    const Vector3<R> far = scaled(column, select(dot(column, vee) < R(0.0), -scale, scale));
    return select(c < R(0.0), far, near);
}

// The columns of R_a R_b^T.
template <class R> LIMBIK_INLINE void relative_rotation(const Pose<R>& a, const Pose<R>& b, Vector3<R> column[3]) {
    const Vector3<R> bx = {b.x.x, b.y.x, b.z.x}, by = {b.x.y, b.y.y, b.z.y}, bz = {b.x.z, b.y.z, b.z.z};
    column[0] = rotate(a, bx);
    column[1] = rotate(a, by);
    column[2] = rotate(a, bz);
}

// target - actual: the translation, and the rotation vector of R_target R_actual^T.
template <class R>
inline void pose_error(const Pose<R>& actual, const Pose<R>& target, Vector3<R>& position, Vector3<R>& rotation) {
    Vector3<R> column[3];
    relative_rotation(target, actual, column);
    position = target.origin - actual.origin;
    rotation = rotation_logarithm(column[0], column[1], column[2]);
}

}  // namespace limbik::geometry
