// A spherical wrist given by its three unit axes: both solutions of M = exp(b1 t1) exp(b2 t2) exp(b3 t3) for the
// angles.
//
// Each axis is the z axis of a frame F: exp(b t) = F Rz(t) F^-1. So F1^-1 M F3 = Rz(t1) M1 Rz(t2) M2 Rz(t3) with
// M1 = F1^-1 F2 and M2 = F2^-1 F3, and the spherical group solves it (spherical_group.hpp). Where the first and last
// axis are collinear only t1 + t3 (or t1 - t3) is determined, and t1 is 0.
#pragma once

#include "../geometry/directions.hpp"
#include "spherical_group.hpp"

namespace limbik::closed_form {

template <class R> struct WristPostures {
    R q[2][3];  // [rad] the solution with a positive determinant of the Jacobian first
    MaskOf<R> exist;
};

class SphericalWrist {
  public:
    SphericalWrist() = default;
    SphericalWrist(const Vector3<double>& b1, const Vector3<double>& b2, const Vector3<double>& b3) {
        const Pose<double> F1 = frame_about(b1), F2 = frame_about(b2), F3 = frame_about(b3);
        before_ = inverse_pose(F1), after_ = F3;
        group_ = SphericalGroup(before_ * F2, inverse_pose(F2) * F3);
    }

    template <class R> WristPostures<R> solve(const Pose<R>& M) const {
        constexpr double ROUNDED_AWAY = 1e-12;  // of a squared measure beyond 1
        const Pose<R> G = broadcast<R>(before_) * M * broadcast<R>(after_);
        const R measure = group_.measure(G);
        WristPostures<R> out;
        out.exist = measure * measure <= R(1.0 + ROUNDED_AWAY);
        for (int k = 0; k < 2; ++k) {
            const GroupMotion<R> motion = group_.split(G, R(k == 0 ? -1.0 : 1.0), R(0.0));
            for (int j = 0; j < 3; ++j) out.q[k][j] = motion.q[j];
        }
        return out;
    }

  private:
    // A frame whose z axis is b.
    static Pose<double> frame_about(const Vector3<double>& b) {
        const Vector3<double> x = perpendicular(b);
        return {x, cross(b, x), b, {0, 0, 0}};
    }

    Pose<double> before_{}, after_{};
    SphericalGroup group_;
};

}  // namespace limbik::closed_form
