// A spherical wrist: M = exp(b1 t1) exp(b2 t2) exp(b3 t3) for unit axes b, solved for the angles in both ways.
//
// b1 . exp(b2 t2) b3 = b1 . M b3 holds t2 alone: a cos t2 + b sin t2 = d. The other two turn one known vector into
// another. Where b1 and the turned b3 fall together only t1 + t3 is held, and t1 is 0.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::closed_form {

template <class R> struct WristPostures {
    R q[2][3];  // the one with the positive determinant first
    decltype(R(0.0) < R(0.0)) exist;
};

class SphericalWrist {
  public:
    SphericalWrist() = default;
    SphericalWrist(const Vector3<double>& b1, const Vector3<double>& b2, const Vector3<double>& b3)
        : b1_(b1), b2_(b2), b3_(b3), both_(dot(b1, b2) * dot(b2, b3)), a_(dot(b1, b3) - both_),
          b_(dot(b1, cross(b2, b3))) {}

    template <class R> WristPostures<R> solve(const Pose<R>& M) const {
        constexpr double ROUNDING = 1e-12, NO_DIRECTION = 1e-20;
        WristPostures<R> out;
        const Vector3<R> b1 = wide<R>(b1_), b2 = wide<R>(b2_), b3 = wide<R>(b3_), across = cross(b3, b2);
        const Vector3<R> to = rotate(M, b3), back = {dot(M.x, b1), dot(M.y, b1), dot(M.z, b1)},
                         aside = rotate(M, across);
        const double length2 = a_ * a_ + b_ * b_;
        const R d = dot(to, b1) - R(both_), root2 = R(length2) - d * d;
        out.exist = root2 >= R(-ROUNDING * length2);
        R root = square_root(select(root2 > R(0.0), root2, R(0.0)));
        for (auto& q : out.q) {
            const R t2 = arc_tangent2(R(b_) * d - R(a_) * root, R(a_) * d + R(b_) * root);
            R s, c;
            sincos(t2, s, c);
            const Vector3<R> lifted = turned(b3, b2, s, c), off = cross(b1, lifted);
            const auto locked = dot(off, off) <= R(NO_DIRECTION);
            const Arm<R> first = arm(b1, lifted, to), last = arm(b3, turned(b1, b2, -s, c), back),
                         rest = arm(b3, across, turned(aside, b2, -s, c));
            const R y[2] = {first.sine, select(locked, rest.sine, -last.sine)},
                    x[2] = {first.cosine, select(locked, rest.cosine, last.cosine)};
            R angle[2];
            arc_tangents2<2>(y, x, angle);
            q[0] = select(locked, R(0.0), angle[0]), q[1] = t2, q[2] = angle[1];
            root = -root;
        }
        return out;
    }

  private:
    template <class R> struct Arm { R sine, cosine; };
    template <class R> static Vector3<R> wide(const Vector3<double>& a) { return {R(a.x), R(a.y), R(a.z)}; }
    template <class R> static Vector3<R> turned(const Vector3<R>& p, const Vector3<R>& axis, R s, R c) {
        const Vector3<R> along = scaled(axis, dot(axis, p));
        return along + scaled(p - along, c) + scaled(cross(axis, p), s);
    }
    // Sine and cosine, up to a factor, of the angle about an axis that takes p to another vector.
    template <class R> static Arm<R> arm(const Vector3<R>& axis, const Vector3<R>& p, const Vector3<R>& to) {
        return {dot(cross(axis, p), to), dot(p, to) - dot(p, axis) * dot(to, axis)};
    }

    Vector3<double> b1_{}, b2_{}, b3_{};
    double both_ = 0.0, a_ = 0.0, b_ = 0.0;
};

}  // namespace limbik::closed_form
