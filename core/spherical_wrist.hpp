// A spherical wrist: M = exp(b1 t1) exp(b2 t2) exp(b3 t3) for unit axes b, solved for the angles in both ways.
//
// b1 . exp(b2 t2) b3 = b1 . M b3 holds t2 alone: a cos t2 + b sin t2 = d. The other two turn one known vector into another.
#pragma once

#include "spatial.hpp"

namespace limbik {

class SphericalWrist {
  public:
    SphericalWrist() = default;
    SphericalWrist(const Vector3<double>& b1, const Vector3<double>& b2, const Vector3<double>& b3)
        : b1_(b1), b2_(b2), b3_(b3), both_(dot(b1, b2) * dot(b2, b3)), a_(dot(b1, b3) - both_), b_(dot(b1, cross(b2, b3))) {}

    // Both postures of M, three angles each, the one with the positive determinant first; false where there is none.
    bool solve(const Pose<double>& M, double* q) const {
        constexpr double ROUNDING = 1e-12, NO_DIRECTION = 1e-20;
        const Vector3<double> to = rotate(M, b3_), back = {dot(M.x, b1_), dot(M.y, b1_), dot(M.z, b1_)};
        const double d = dot(to, b1_) - both_, length2 = a_ * a_ + b_ * b_, root2 = length2 - d * d;
        if (!(root2 >= -ROUNDING * length2)) return false;
        double root = std::sqrt(std::max(root2, 0.0));
        for (int way = 0; way < 2; ++way, root = -root, q += 3) {
            const double t2 = arc_tangent2(b_ * d - a_ * root, a_ * d + b_ * root);
            double s, c;
            sincos(t2, s, c);
            const Vector3<double> lifted = turned(b3_, b2_, s, c), off = cross(b1_, lifted);
            q[1] = t2;
            if (dot(off, off) <= NO_DIRECTION) {  // only t1 + t3 is held
                const Vector3<double> across = cross(b3_, b2_);
                q[0] = 0.0, q[2] = about(b3_, across, turned(rotate(M, across), b2_, -s, c));
                continue;
            }
            q[0] = about(b1_, lifted, to);
            q[2] = -about(b3_, turned(b1_, b2_, -s, c), back);
        }
        return true;
    }

  private:
    static Vector3<double> turned(const Vector3<double>& p, const Vector3<double>& axis, double s, double c) {
        const Vector3<double> along = scaled(axis, dot(axis, p));
        return along + scaled(p - along, c) + scaled(cross(axis, p), s);
    }
    static double about(const Vector3<double>& axis, const Vector3<double>& p, const Vector3<double>& to) {
        return arc_tangent2(dot(cross(axis, p), to), dot(p, to) - dot(p, axis) * dot(to, axis));
    }

    Vector3<double> b1_{}, b2_{}, b3_{};
    double both_ = 0.0, a_ = 0.0, b_ = 0.0;
};

}  // namespace limbik
