// An MMC segment between two points, and the joint at its start.
#pragma once

#include <cmath>

#include "../geometry/directions.hpp"

namespace limbik::relaxation {

// Inline everything that a loop calls, so that frames stay in registers.
#if defined(__GNUC__)
#define LIMBIK_FLATTEN [[gnu::flatten]]
#else
#define LIMBIK_FLATTEN
#endif

enum class SegmentJoint { ball, cone, hinge };

struct Rotation3 {
    Vector3<double> x, y, z;  // columns
    LIMBIK_INLINE Vector3<double> rotate(const Vector3<double>& a) const {
        return madd(x, a.x, madd(y, a.y, scaled(z, a.z)));
    }
    LIMBIK_INLINE Vector3<double> unrotate(const Vector3<double>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
    LIMBIK_INLINE Rotation3 rotate(const Rotation3& a) const { return {rotate(a.x), rotate(a.y), rotate(a.z)}; }
};

// Below this share of a segment's length a vector has no direction.
inline constexpr double NO_DIRECTION = 1e-12;

// Segments are pushed out of a region by this share of their length more, so that they leave it in finitely many
// cycles.
inline constexpr double MARGIN = 1e-3;

// A range of angles as directions, without trigonometric functions: its middle, the cosine of its half width, its ends.
struct HingeRange {
    bool narrow = false;  // whether any angle is outside
    double middle_cosine = 1.0, middle_sine = 0.0, half_cosine = -1.0, ends[4] = {};

    HingeRange() = default;
    HingeRange(double low, double high) {
        const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        narrow = half < PI;
        middle_cosine = std::cos(middle), middle_sine = std::sin(middle), half_cosine = std::cos(half);
        ends[0] = std::cos(low), ends[1] = std::sin(low), ends[2] = std::cos(high), ends[3] = std::sin(high);
    }
    // whether the direction (x, y), of length `size`, is inside
    bool contains(double x, double y, double size) const {
        return !narrow || madd(x, middle_cosine, y * middle_sine) >= half_cosine * size;
    }
    // clamp the direction to the closer end
    void clamp(double& cosine, double& sine) const {
        if (contains(cosine, sine, 1.0)) return;
        const double* end = ends + (sine * middle_cosine - cosine * middle_sine > 0.0 ? 2 : 0);
        cosine = end[0], sine = end[1];
    }
};

// The segment that ends at a point, and the joint at its start. Directions are those at rest, in the base frame.
struct Segment {
    int parent;
    double shortest, longest;
    SegmentJoint joint;
    Vector3<double> rest, axis;  // unit vectors; axis: of a hinge
    double cosine, sine;         // of a cone's half-angle
    double low, high;            // a hinge's range [rad]
    double pull;                 // weight of the pull towards the rest, 0 for none
    // of a hinge, set by `prepare`: the rest direction's components along and across the axis, and the range
    double along = 0.0, across = 0.0;
    Vector3<double> e1 = {}, e2 = {};
    HingeRange range = {};

    // Whether a hinge moves its segment. A segment on the hinge's own axis is not moved; the hinge twists what follows,
    // as a ball without tilt would.
    bool sweeps_cone() const { return joint == SegmentJoint::hinge && across > 0.0; }

    void prepare() {
        along = dot(axis, rest);
        const Vector3<double> flat = rest - scaled(axis, along);
        across = std::sqrt(dot(flat, flat));
        if (across > 1e-9) e1 = scaled(flat, 1.0 / across), e2 = cross(axis, e1);
        else across = 0.0;
        const bool mirrored =
            joint == SegmentJoint::hinge && across == 0.0 && along < 0.0;  // the twist counts about the segment
        range = mirrored ? HingeRange(-high, -low) : HingeRange(low, high);
    }
};

struct Region {
    Vector3<double> centre;
    double radius;
};

}  // namespace limbik::relaxation
