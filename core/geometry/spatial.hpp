// Vectors, rotations, quaternions and poses.
//
// A pose is three unit axes and an origin: the columns of its 4x4 matrix. T_a_c = T_a_b * T_b_c.
#pragma once

#include "../simd/rows.hpp"
#include "../simd/trigonometry.hpp"

namespace limbik::geometry {

// These functions are overloaded for numbers, vectors and poses.
using simd::madd, simd::select, simd::lane;

template <class R> struct Vector3 { R x, y, z; };

inline double scaled(double a, double s) { return a * s; }
template <int W> inline Lanes<W> scaled(Lanes<W> a, double s) { return a * s; }

template <class R> inline Vector3<R> operator+(const Vector3<R>& a, const Vector3<R>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R> inline Vector3<R> operator-(const Vector3<R>& a, const Vector3<R>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R> inline Vector3<R> operator-(const Vector3<R>& a) { return {-a.x, -a.y, -a.z}; }
template <class R, class S> inline Vector3<R> scaled(const Vector3<R>& a, S s) {
    return {a.x * R(s), a.y * R(s), a.z * R(s)};
}
// a s + b, fused.
template <class R, class S> LIMBIK_INLINE Vector3<R> madd(const Vector3<R>& a, S s, const Vector3<R>& b) {
    return {madd(a.x, R(s), b.x), madd(a.y, R(s), b.y), madd(a.z, R(s), b.z)};
}
template <class R> inline R dot(const Vector3<R>& a, const Vector3<R>& b) {
    return madd(a.x, b.x, madd(a.y, b.y, a.z * b.z));
}
template <class R> inline Vector3<R> cross(const Vector3<R>& a, const Vector3<R>& b) {
    return {nmadd(a.z, b.y, a.y * b.z), nmadd(a.x, b.z, a.z * b.x), nmadd(a.y, b.x, a.x * b.y)};
}
template <class R, class M> inline Vector3<R> select(M chosen, const Vector3<R>& yes, const Vector3<R>& no) {
    return {select(chosen, yes.x, no.x), select(chosen, yes.y, no.y), select(chosen, yes.z, no.z)};
}

template <class R> struct Pose {
    Vector3<R> x, y, z;  // axes
    Vector3<R> origin;
};

// R a: a direction of the frame T in its parent's coordinates.
template <class R, class S> LIMBIK_INLINE Vector3<R> rotate(const Pose<R>& T, const Vector3<S>& a) {
    return madd(T.x, R(a.x), madd(T.y, R(a.y), scaled(T.z, R(a.z))));
}
template <class R, class S> inline Vector3<R> transform(const Pose<R>& T, const Vector3<S>& a) {
    return madd(T.x, R(a.x), madd(T.y, R(a.y), madd(T.z, R(a.z), T.origin)));
}
template <class R, class S> inline Pose<R> operator*(const Pose<R>& A, const Pose<S>& B) {
    return {rotate(A, B.x), rotate(A, B.y), rotate(A, B.z), transform(A, B.origin)};
}

// R' a: a direction in the coordinates of the frame T.
template <class R> LIMBIK_INLINE Vector3<R> unrotate(const Pose<R>& T, const Vector3<R>& a) {
    return {dot(T.x, a), dot(T.y, a), dot(T.z, a)};
}
// R' (p - origin): a point in the coordinates of the frame T.
template <class R> LIMBIK_INLINE Vector3<R> untransform(const Pose<R>& T, const Vector3<R>& p) {
    return unrotate(T, p - T.origin);
}
template <class R> inline Pose<R> inverse_pose(const Pose<R>& T) {
    Pose<R> out = {{T.x.x, T.y.x, T.z.x}, {T.x.y, T.y.y, T.z.y}, {T.x.z, T.y.z, T.z.z}, {R(0.0), R(0.0), R(0.0)}};
    out.origin = -rotate(out, T.origin);
    return out;
}
inline Pose<double> identity_pose() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}; }

// The same vector, or pose, in every lane.
template <class R> LIMBIK_INLINE Vector3<R> broadcast(const Vector3<double>& a) { return {R(a.x), R(a.y), R(a.z)}; }
template <class R> inline Pose<R> broadcast(const Pose<double>& T) {
    return {broadcast<R>(T.x), broadcast<R>(T.y), broadcast<R>(T.z), broadcast<R>(T.origin)};
}

// The pose of a 3x4 matrix by rows.
inline Pose<double> pose_from_rows(const double* m) {
    return {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}, {m[3], m[7], m[11]}};
}

// Rotate the frame T about its own z axis by an angle given by its sine and cosine.
template <class R> LIMBIK_INLINE void rotate_about_z(Pose<R>& T, R s, R c) {
    const Vector3<R> x = T.x, y = T.y;
    T.x = madd(y, s, scaled(x, c));
    T.y = madd(x, -s, scaled(y, c));
}

// ---- rotation vectors ----------------------------------------------------------------------------------------------

// sin(h) / h, 1 where h^2 vanishes beside 1.
template <class R> inline R sine_over(R h, R sine) {
    constexpr double TINY_ANGLE = 1e-8;  // [rad] h^2/6 is below half a unit in the last place of 1
    const auto tiny = absolute(h) < R(TINY_ANGLE);
    return select(tiny, R(1.0), sine / select(tiny, R(1.0), h));
}

// The exponential map: the rotation by |w| about w, as three axes. R = cos I + A [w] + B w w^T.
template <class R> inline void rotation_from_vector(const Vector3<R>& w, Vector3<R>& x, Vector3<R>& y, Vector3<R>& z) {
    const R half = square_root(dot(w, w)) * R(0.5);
    R s, c;
    sincos(half, s, c);
    const R sinc = sine_over(half, s);
    const R A = sinc * c;
    const R B = R(0.5) * sinc * sinc;
    const R cosine = nmadd(R(2.0) * s, s, R(1.0));
    const Vector3<R> Bw = scaled(w, B), Aw = scaled(w, A);
    x = {madd(Bw.x, w.x, cosine), madd(Bw.x, w.y, Aw.z), nmadd(R(1.0), Aw.y, Bw.x * w.z)};
    y = {nmadd(R(1.0), Aw.z, Bw.x * w.y), madd(Bw.y, w.y, cosine), madd(Bw.y, w.z, Aw.x)};
    z = {madd(Bw.x, w.z, Aw.y), nmadd(R(1.0), Aw.x, Bw.y * w.z), madd(Bw.z, w.z, cosine)};
}

// Unit quaternion: real part w, then the vector part.
template <class R> struct Quaternion {
    R w;
    Vector3<R> v;
};

template <class R> inline Quaternion<R> quaternion_from_vector(const Vector3<R>& a) {
    const R half = square_root(dot(a, a)) * R(0.5);
    R s, c;
    sincos(half, s, c);
    return {c, scaled(a, R(0.5) * sine_over(half, s))};
}
template <class R> inline Quaternion<R> operator*(const Quaternion<R>& a, const Quaternion<R>& b) {
    return {a.w * b.w - dot(a.v, b.v), cross(a.v, b.v) + madd(b.v, a.w, scaled(a.v, b.w))};
}

// The shortest rotation vector of a unit quaternion, |result| <= pi.
template <class R> inline Vector3<R> vector_from_quaternion(const Quaternion<R>& a) {
    const R sine = square_root(dot(a.v, a.v));
    const auto other_side = a.w < R(0.0);
    const R angle = R(2.0) * arc_tangent2(sine, absolute(a.w));
    const auto none = sine == R(0.0);
    const R factor = select(none, R(2.0), angle / select(none, R(1.0), sine));
    return scaled(a.v, select(other_side, -factor, factor));
}

}  // namespace limbik::geometry
