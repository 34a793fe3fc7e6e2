// A limb between two points, the joint at its beginning, and the small geometry that joints need.
#pragma once

#include <cmath>

#include "spatial.hpp"

namespace limbik {

enum class Socket { ball, cone, hinge };

// The limb that ends at a point, and the joint at its beginning. Directions are those of a posture of rest in the base's frame.
struct Limb {
    int parent;
    double shortest, longest;
    Socket socket;
    Vector3<double> rest, axis; // unit; axis: what a hinge turns about
    double cosine, sine;        // of a cone's angle
    double low, high;           // a hinge's range [rad]
    double pull;                // how strongly the joint is drawn to its rest, 0 for not
    // of a hinge, made by `prepare`: the rest's part along the axis and across it, and the range as directions
    double along = 0.0, across = 0.0;
    Vector3<double> e1 = {}, e2 = {};
    bool ranged = false;
    bool upright = false; // whether the frame that it carries is put upright
    double middle_cosine = 1.0, middle_sine = 0.0, half_cosine = -1.0, ends[4] = {};

    void prepare() {
        along = dot(axis, rest);
        const Vector3<double> flat = rest - scaled(axis, along);
        across = std::sqrt(dot(flat, flat));
        if (across > 1e-9) e1 = scaled(flat, 1.0 / across), e2 = cross(axis, e1);
        else across = 0.0;
        const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        ranged = half < PI;
        middle_cosine = std::cos(middle), middle_sine = std::sin(middle), half_cosine = std::cos(half);
        ends[0] = std::cos(low), ends[1] = std::sin(low), ends[2] = std::cos(high), ends[3] = std::sin(high);
    }
};

struct Region {
    Vector3<double> centre;
    double radius;
};

struct Turned {
    Vector3<double> x, y, z; // columns
    Vector3<double> out(const Vector3<double>& a) const { return madd(x, a.x, madd(y, a.y, scaled(z, a.z))); }
    Vector3<double> in(const Vector3<double>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
};

inline double length_of(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }

// Shorter than this part of a limb, a vector has no direction.
inline constexpr double NO_DIRECTION = 1e-12;

// Limbs are pushed this part of their length farther than out of a region: what only tends to its edge would never be out.
inline constexpr double MARGIN = 1e-3;

inline Vector3<double> across_any(const Vector3<double>& a) {
    const Vector3<double> least = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z) ? Vector3<double>{1, 0, 0}
                                  : std::fabs(a.y) <= std::fabs(a.z)                                 ? Vector3<double>{0, 1, 0}
                                                                                                     : Vector3<double>{0, 0, 1};
    const Vector3<double> c = cross(a, least);
    return scaled(c, 1.0 / length_of(c));
}

// The vector b turned about the unit vector a by an angle with this cosine and sine.
inline Vector3<double> about(const Vector3<double>& a, double cosine, double sine, const Vector3<double>& b) {
    return madd(a, dot(a, b) * (1.0 - cosine), madd(cross(a, b), sine, scaled(b, cosine)));
}
inline Turned about(const Vector3<double>& a, double cosine, double sine, const Turned& R) {
    return {about(a, cosine, sine, R.x), about(a, cosine, sine, R.y), about(a, cosine, sine, R.z)};
}

// A frame brought back to right angles and unit length: each limb's frame is made from the one before, and what rounding takes
// from one grows with every limb, several times each. One step of Newton's for the roots is enough at that size.
inline void put_upright(Turned& R) {
    R.x = scaled(R.x, 1.5 - 0.5 * dot(R.x, R.x));
    R.y = R.y - scaled(R.x, dot(R.x, R.y));
    R.y = scaled(R.y, 1.5 - 0.5 * dot(R.y, R.y));
    R.z = cross(R.x, R.y);
}

// Every so many limbs along each branch frames are put upright: more seldom rounding would grow, more often it costs time.
inline constexpr int UPRIGHT = 4;

}  // namespace limbik
