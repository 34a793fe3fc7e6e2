// An arm of four revolute joints: three whose axes meet in the shoulder, and an elbow.
//
// In the base frame, with all vectors at q = 0, tip(q) = S + R (E - S + Rot(a4, q4)(P - E)) with R = Rot(a1, q1)
// Rot(a2, q2) Rot(a3, q3). The distance of the tip from the shoulder depends on the elbow alone: two elbow angles. Then
// R must rotate the bent arm v to the target t, which leaves a rotation about t: the swivel. With any such R0, R(psi) =
// Rot(t, psi) R0, and every entry of it is P cos psi + Q sin psi + C. (MaximumOne of Gini, Folgheraiter and Cavallari
// is such an arm: their (4) to (9), with corrected signs.)
#pragma once

#include <optional>

#include "../closed_form/postures.hpp"
#include "../closed_form/spherical_group.hpp"
#include "../geometry/directions.hpp"
#include "../kinematics/kinematics.hpp"

namespace limbik::muscle {

using Point = Vector3<double>;

// A frame with this z axis.
inline Pose<double> frame_with_z(const Point& z) {
    const Point x = -perpendicular(z);
    return {x, cross(z, x), z, {0, 0, 0}};
}
inline Pose<double> transposed(const Pose<double>& F) {  // the inverse of a rotation
    return {{F.x.x, F.y.x, F.z.x}, {F.x.y, F.y.y, F.z.y}, {F.x.z, F.y.z, F.z.z}, {0, 0, 0}};
}

// The two roots of a cos + b sin = part hypot(a, b), wrapped. Returns half their distance.
inline double cosine_roots(double a, double b, double part, double out[2]) {
    const double middle = std::atan2(b, a), swing = std::acos(std::clamp(part, -1.0, 1.0));
    out[0] = wrap(middle + swing), out[1] = wrap(middle - swing);
    return swing;
}

// The geometry of the arm at q = 0.
class ShoulderElbow {
  public:
    // Axes closer than this share of the arm's size meet; axes with a smaller sine are parallel.
    static constexpr double MEET = 1e-9, PARALLEL = 1e-6;

    // The arm of a mechanism, nothing where it has another shape.
    static std::optional<ShoulderElbow> of(const Kinematics& k, int tip) {
        const Mechanism& m = k.mechanism;
        if (!k.chain || m.n != 4 || m.frames[std::size_t(tip)].element != 3) return std::nullopt;
        for (const Element& e : m.elements)
            if (e.kind != Kind::revolute) return std::nullopt;
        ShoulderElbow arm;
        const double zero[4] = {};
        Pose<double> poses[4];
        forward_elements(m, zero, poses);
        for (int j = 0; j < 4; ++j) arm.axis[j] = poses[j].z;
        arm.elbow = poses[3].origin;
        arm.tip = frame_pose(m.frames[std::size_t(tip)], poses).origin;
        const double size =
            norm(arm.tip - poses[0].origin) + norm(arm.elbow - poses[0].origin) + norm(arm.tip - arm.elbow);
        // the closest point of the first two axes
        const Point between = cross(arm.axis[0], arm.axis[1]), apart = poses[1].origin - poses[0].origin;
        const double sine2 = dot(between, between);
        if (sine2 < PARALLEL * PARALLEL || norm(cross(arm.axis[1], arm.axis[2])) < PARALLEL) return std::nullopt;
        const double along = dot(cross(apart, arm.axis[1]), between) / sine2;
        arm.shoulder = madd(arm.axis[0], along, poses[0].origin);
        for (int j = 1; j < 3; ++j)
            if (norm(cross(poses[j].origin - arm.shoulder, arm.axis[j])) > MEET * size) return std::nullopt;
        // the elbow must change the distance: |v|^2 = rest + cosine cos + sine sin
        const Point upper = arm.elbow - arm.shoulder, lower = arm.tip - arm.elbow;
        const double on_axis = dot(arm.axis[3], lower);
        const Point flat = lower - scaled(arm.axis[3], on_axis);
        arm.cosine_ = 2.0 * dot(upper, flat), arm.sine_ = 2.0 * dot(upper, cross(arm.axis[3], lower));
        arm.rest_ = dot(upper, upper) + dot(lower, lower) + 2.0 * on_axis * dot(upper, arm.axis[3]);
        if (std::hypot(arm.cosine_, arm.sine_) <= MEET * size * size) return std::nullopt;
        for (int j = 0; j < 3; ++j) arm.frame_[j] = frame_with_z(arm.axis[j]);
        arm.group_ =
            SphericalGroup(transposed(arm.frame_[0]) * arm.frame_[1], transposed(arm.frame_[1]) * arm.frame_[2]);
        arm.size = size;
        return arm;
    }

    Point axis[4], shoulder, elbow, tip;
    double size = 0.0;

    const SphericalGroup& group() const { return group_; }
    const Pose<double>& frame(int j) const { return frame_[j]; }

    // The tip, or another point of the forearm, relative to the shoulder, before the shoulder's rotation.
    Point bent(double q4, const Point& point) const {
        return elbow - shoulder + rotated_about(axis[3], point - elbow, std::cos(q4), std::sin(q4));
    }
    Point bent(double q4) const { return bent(q4, tip); }

    // The least and greatest distance of the tip from the shoulder, without limits [m].
    double nearest() const { return std::sqrt(std::max(0.0, rest_ - std::hypot(cosine_, sine_))); }
    double farthest() const { return std::sqrt(rest_ + std::hypot(cosine_, sine_)); }
    // The distance for an elbow angle [m].
    double distance(double q4) const {
        return std::sqrt(std::max(0.0, rest_ + cosine_ * std::cos(q4) + sine_ * std::sin(q4)));
    }

    // Both elbow angles for a distance, equal where they coincide. False where there is none, up to rounding.
    bool elbows(double distance, double out[2]) const {
        const double rho = std::hypot(cosine_, sine_), value = (distance * distance - rest_) / rho;
        constexpr double ROUND_OFF = 1e-12;
        if (!(std::fabs(value) <= 1.0 + ROUND_OFF)) return false;
        cosine_roots(cosine_, sine_, value, out);
        return true;
    }

    // The rotation that takes v to t and v_side to t_side; all unit vectors, perpendicular in pairs.
    static Pose<double> rotation_onto(const Point& v, const Point& t, const Point& v_side, const Point& t_side) {
        const Point v_third = cross(v, v_side), t_third = cross(t, t_side);
        const Pose<double> from = transposed({v, v_side, v_third, {0, 0, 0}});
        return Pose<double>{t, t_side, t_third, {0, 0, 0}} * from;
    }

    // The shoulder's rotation in the axes of the group: G = F1' R F3.
    Pose<double> in_group(const Pose<double>& R) const { return transposed(frame_[0]) * (R * frame_[2]); }

  private:
    double cosine_ = 0.0, sine_ = 0.0, rest_ = 0.0;
    Pose<double> frame_[3];
    SphericalGroup group_;
};

}  // namespace limbik::muscle
