// The limits of a ball joint: a cone for its axis (swing) and a range of rotation about that axis (twist).
//
// A rotation is R = swing * twist, the twist about the joint's axis a. For its quaternion (w, v) the twist is
// 2 atan2(v.a, w) and the swing 2 atan2(|v - (v.a) a|, hypot(w, v.a)).
#pragma once

#include <algorithm>

#include "spatial.hpp"

namespace limbik::geometry {

struct Cone {
    int first;  // where its rotation vector begins in q
    Vector3<double> axis;
    double swing, twist_low, twist_high;
};

// A bound is kept this far inside [rad], so that reading the angles back never lands outside.
inline constexpr double INSIDE_CONE = 1e-12;

// A rotation vector as a quaternion with w >= 0, and its swing and twist [rad].
struct SwingTwist {
    Quaternion<double> r;
    double along, swing, twist;  // along: v.a

    SwingTwist(const Vector3<double>& axis, const double* q)
        : r(quaternion_from_vector(Vector3<double>{q[0], q[1], q[2]})) {
        if (r.w < 0.0) r = {-r.w, -r.v};
        along = dot(r.v, axis);
        const Vector3<double> across = r.v - scaled(axis, along);
        swing = 2.0 * std::atan2(std::sqrt(dot(across, across)), std::hypot(r.w, along));
        twist = 2.0 * std::atan2(along, r.w);
    }
};

// Move a rotation vector to the nearest swing and twist inside the cone.
inline void clamp_cone(const Cone& cone, double* q) {
    const auto [r, along, swing, twist] = SwingTwist(cone.axis, q);
    if (swing <= cone.swing && twist >= cone.twist_low && twist <= cone.twist_high) return;
    const double middle = 0.5 * (cone.twist_low + cone.twist_high);
    const double low = std::min(cone.twist_low + INSIDE_CONE, middle),
                 high = std::max(cone.twist_high - INSIDE_CONE, middle);
    auto about_axis = [&](double angle) {
        return Quaternion<double>{std::cos(angle / 2), scaled(cone.axis, std::sin(angle / 2))};
    };
    const Quaternion<double> tilt = r * about_axis(-twist);
    const double length = std::sqrt(dot(tilt.v, tilt.v));
    const double kept = std::min(swing, std::max(cone.swing - INSIDE_CONE, 0.0));
    const Vector3<double> direction = length > 0.0 ? scaled(tilt.v, 1.0 / length) : Vector3<double>{0, 0, 0};
    const Quaternion<double> bent = {std::cos(kept / 2), scaled(direction, std::sin(kept / 2))};
    const double clamped = std::isfinite(middle) ? std::clamp(twist, low, high)
                                                 : std::min(std::max(twist, cone.twist_low), cone.twist_high);
    const Vector3<double> out = vector_from_quaternion(bent * about_axis(clamped));
    q[0] = out.x, q[1] = out.y, q[2] = out.z;
}

// A rotation this close to a bound is at the bound [rad]; clamp_cone leaves less.
inline constexpr double AT_EDGE = 1e-9;

// The directions out of the cone at q: for each bound that q is at and that `pull` points across, the unit angular
// velocity in the child frame that crosses it. At most two, orthogonal. With b = R'a, the axis in the child frame, the
// swing increases along b x a and the twist along a + b.
inline int outward_directions(const Cone& cone, const double* q, const Vector3<double>& pull, Vector3<double> out[2]) {
    const Vector3<double> a = cone.axis;
    const auto [r, along, swing, twist] = SwingTwist(a, q);
    // R'a = a + 2 (v.a) v - 2 (v.v) a - 2 w v x a, for a unit quaternion
    const Vector3<double> b =
        a + scaled(r.v, 2.0 * along) - scaled(a, 2.0 * dot(r.v, r.v)) - scaled(cross(r.v, a), 2.0 * r.w);
    int count = 0;
    auto add = [&](const Vector3<double>& increase, bool at_edge, double sign) {
        const double length = std::sqrt(dot(increase, increase));
        if (!at_edge || !(length > AT_EDGE)) return;  // zero: a swing of 0 or pi has no such direction
        const Vector3<double> outward = scaled(increase, sign / length);
        if (dot(outward, pull) > 0.0) out[count++] = outward;
    };
    add(cross(b, a), swing >= cone.swing - AT_EDGE, 1.0);
    if (twist >= cone.twist_high - AT_EDGE) add(a + b, true, 1.0);
    else add(a + b, twist <= cone.twist_low + AT_EDGE, -1.0);
    return count;
}

}  // namespace limbik::geometry
