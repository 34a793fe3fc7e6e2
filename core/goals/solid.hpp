// The volume of a link or an obstacle: all points within a radius of its core, which is a point, a segment or a box.
//
// The segment runs from `start` to `end`. A box has two more half sides, and its segment joins the centres of two
// opposite faces. A sphere has a segment of length 0; a box has radius 0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "../geometry/spatial.hpp"

namespace limbik::goals {

struct Solid {
    int element;  // the element to which it is fixed; -1: the base
    Vector3<double> start, end;
    double radius;
    std::array<Vector3<double>, 2> across = {};  // half sides; both 0 unless it is a box

    bool is_box() const { return dot(across[0], across[0]) > 0.0 || dot(across[1], across[1]) > 0.0; }
};

// Relative rounding error of a length.
inline constexpr double SOLID_ROUNDING = 1e-14;
// Sides this near to a plane [rad] count as parallel to it: an edge or a face meets, not a corner.
inline constexpr double SOLID_PARALLEL = 1e-9;

// The core of a solid: a centre, half sides at right angles, and their unit directions `axes`.
struct SolidCore {
    Vector3<double> centre;
    std::array<Vector3<double>, 3> sides, axes;
    std::array<double, 3> halves;
    bool box;

    explicit SolidCore(const Solid& s)
        : centre(scaled(s.start + s.end, 0.5)), sides{scaled(s.end - s.start, 0.5), s.across[0], s.across[1]},
          box(s.is_box()) {
        for (std::size_t k = 0; k < 3; ++k) {
            halves[k] = std::sqrt(dot(sides[k], sides[k]));
            axes[k] = halves[k] > 0.0 ? scaled(sides[k], 1.0 / halves[k]) : Vector3<double>{0, 0, 0};
        }
        if (!box) return;
        // a flat box has no direction for its zero side: it follows from the other two
        for (std::size_t k = 0; k < 3; ++k)
            if (!(halves[k] > 0.0)) axes[k] = cross(axes[(k + 1) % 3], axes[(k + 2) % 3]);
    }

    double size() const { return std::sqrt(halves[0] * halves[0] + halves[1] * halves[1] + halves[2] * halves[2]); }

    // Half its extent along a unit direction [m].
    double extent(const Vector3<double>& direction) const {
        return std::abs(dot(sides[0], direction)) + std::abs(dot(sides[1], direction)) +
               std::abs(dot(sides[2], direction));
    }

    // The face, edge or vertex farthest along `direction`: the sides along `direction` are removed. The side `edge` is
    // taken to be perpendicular.
    SolidCore feature(const Vector3<double>& direction, std::size_t edge = 3) const {
        SolidCore out = *this;
        for (std::size_t k = 0; k < 3; ++k) {
            const double along = dot(axes[k], direction);
            if (k == edge || std::abs(along) <= SOLID_PARALLEL) continue;
            out.centre = madd(sides[k], along > 0.0 ? 1.0 : -1.0, out.centre);
            out.sides[k] = {0, 0, 0}, out.halves[k] = 0.0;
        }
        return out;
    }

    // The number of sides longer than 0.
    int dimension() const { return (halves[0] > 0.0) + (halves[1] > 0.0) + (halves[2] > 0.0); }
};

// The closest points of two segments.
inline void nearest_points(const Vector3<double>& a, const Vector3<double>& b, const Vector3<double>& c,
                           const Vector3<double>& d, Vector3<double>& on_first, Vector3<double>& on_second) {
    const Vector3<double> u = b - a, v = d - c, w = a - c;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    const auto share = [](double part, double whole) { return whole > 0.0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0; };
    // closest points of the lines, or any where they are parallel; then clamped to the segments, one after the other
    const double area = uu * vv - uv * uv;
    double s = share(uv * vw - vv * uw, area > 1e-12 * uu * vv ? area : 0.0);
    const double t = share(uv * s + vw, vv);
    s = share(uv * t - uw, uu);
    on_first = madd(u, s, a), on_second = madd(v, t, c);
}

// The closest points of a segment and a box.
//
// In the box's coordinates, with x(t) the point of the segment, the squared distance is the sum of the squares of how
// far each coordinate lies outside. Half its derivative, the sum of outside(x) x', is nondecreasing in t and linear
// between the parameters at which a coordinate passes a face, six at most: its zero is found exactly.
inline void nearest_points(const Vector3<double>& start, const Vector3<double>& end, const SolidCore& box,
                           Vector3<double>& on_segment, Vector3<double>& on_box) {
    const Vector3<double> from = start - box.centre, along = end - start;
    std::array<double, 3> o, v;
    for (std::size_t k = 0; k < 3; ++k) o[k] = dot(from, box.axes[k]), v[k] = dot(along, box.axes[k]);
    const auto slope = [&](double t) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double x = o[k] + t * v[k];
            sum += (x - std::clamp(x, -box.halves[k], box.halves[k])) * v[k];
        }
        return sum;
    };
    double low = 0.0, high = 1.0, at_low = slope(0.0), at_high = slope(1.0), t = 0.0;
    if (!(at_low < 0.0)) {
        t = 0.0;
    } else if (!(at_high > 0.0)) {
        t = 1.0;
    } else {
        for (std::size_t k = 0; k < 3; ++k)
            for (const double face : {-box.halves[k], box.halves[k]}) {
                const double here = (face - o[k]) / v[k];
                if (!(here > low && here < high)) continue;
                const double there = slope(here);
                if (there < 0.0) low = here, at_low = there;
                else high = here, at_high = there;
            }
        t = std::clamp(low - at_low * (high - low) / (at_high - at_low), low, high);
    }
    on_segment = madd(along, t, start);
    on_box = box.centre;
    for (std::size_t k = 0; k < 3; ++k)
        on_box = madd(box.axes[k], std::clamp(o[k] + t * v[k], -box.halves[k], box.halves[k]), on_box);
}

}  // namespace limbik::goals
