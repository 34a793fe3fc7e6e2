// A limb between two points, the joint at its beginning, and the small geometry that joints need.
#pragma once

#include <cmath>

#include "../geometry/spatial.hpp"

namespace limbik::relaxation {

// For a loop that must hold all that it calls, however often that is called elsewhere: frames stay in registers then.
#if defined(__GNUC__)
#define LIMBIK_FLAT [[gnu::flatten]]
#else
#define LIMBIK_FLAT
#endif

enum class Socket { ball, cone, hinge };

struct Turned {
    Vector3<double> x, y, z;  // columns
    LIMBIK_INLINE Vector3<double> out(const Vector3<double>& a) const {
        return madd(x, a.x, madd(y, a.y, scaled(z, a.z)));
    }
    LIMBIK_INLINE Vector3<double> in(const Vector3<double>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
    LIMBIK_INLINE Turned out(const Turned& a) const { return {out(a.x), out(a.y), out(a.z)}; }
};

inline double length_of(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }

// Shorter than this part of a limb, a vector has no direction.
inline constexpr double NO_DIRECTION = 1e-12;

// Limbs are pushed this part of their length farther than out of a region: what only tends to its edge would never be
// out.
inline constexpr double MARGIN = 1e-3;

inline Vector3<double> across_any(const Vector3<double>& a) {
    const Vector3<double> least = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z)
                                      ? Vector3<double>{1, 0, 0}
                                  : std::fabs(a.y) <= std::fabs(a.z) ? Vector3<double>{0, 1, 0}
                                                                     : Vector3<double>{0, 0, 1};
    const Vector3<double> c = cross(a, least);
    return scaled(c, 1.0 / length_of(c));
}

// A range of angles held as directions, so that none is ever computed: its middle, the cosine of its half width, its
// ends.
struct HingeRange {
    bool narrow = false;  // whether there is an angle outside it
    double middle_cosine = 1.0, middle_sine = 0.0, half_cosine = -1.0, ends[4] = {};

    HingeRange() = default;
    HingeRange(double low, double high) {
        const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        narrow = half < PI;
        middle_cosine = std::cos(middle), middle_sine = std::sin(middle), half_cosine = std::cos(half);
        ends[0] = std::cos(low), ends[1] = std::sin(low), ends[2] = std::cos(high), ends[3] = std::sin(high);
    }
    // whether the direction (x, y), of this length, lies inside
    bool holds(double x, double y, double size) const {
        return !narrow || madd(x, middle_cosine, y * middle_sine) >= half_cosine * size;
    }
    // the direction brought to the nearer end
    void clamp(double& cosine, double& sine) const {
        if (holds(cosine, sine, 1.0)) return;
        const double* end = ends + (sine * middle_cosine - cosine * middle_sine > 0.0 ? 2 : 0);
        cosine = end[0], sine = end[1];
    }
};

// The limb that ends at a point, and the joint at its beginning. Directions are those of a posture of rest in the
// base's frame.
struct Limb {
    int parent;
    double shortest, longest;
    Socket socket;
    Vector3<double> rest, axis;  // unit; axis: what a hinge turns about
    double cosine, sine;         // of a cone's angle
    double low, high;            // a hinge's range [rad]
    double pull;                 // how strongly the joint is drawn to its rest, 0 for not
    // of a hinge, made by `prepare`: the rest's part along the axis and across it, and the range
    double along = 0.0, across = 0.0;
    Vector3<double> e1 = {}, e2 = {};
    HingeRange arc = {};

    // A limb on a hinge's own axis has nothing across it: the hinge turns what comes after, as a ball without a tilt
    // would.
    bool swings() const { return socket == Socket::hinge && across > 0.0; }

    void prepare() {
        along = dot(axis, rest);
        const Vector3<double> flat = rest - scaled(axis, along);
        across = std::sqrt(dot(flat, flat));
        if (across > 1e-9) e1 = scaled(flat, 1.0 / across), e2 = cross(axis, e1);
        else across = 0.0;
        const bool mirrored =
            socket == Socket::hinge && across == 0.0 && along < 0.0;  // turns are counted about the limb
        arc = mirrored ? HingeRange(-high, -low) : HingeRange(low, high);
    }
};

struct Region {
    Vector3<double> centre;
    double radius;
};

// The vector b turned about the unit vector a by an angle with this cosine and sine.
inline Vector3<double> about(const Vector3<double>& a, double cosine, double sine, const Vector3<double>& b) {
    return madd(a, dot(a, b) * (1.0 - cosine), madd(cross(a, b), sine, scaled(b, cosine)));
}

}  // namespace limbik::relaxation
