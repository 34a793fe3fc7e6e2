// How far two solids are apart, exactly, or how deep one is in the other, and which way leads out.
//
// Cores that do not touch are as far apart as their nearest points: of two segments, of a segment and a box, or of the
// edges of two boxes and the other box, since nearest points of boxes always include one on an edge. Cores that
// overlap: the difference of two of them is a zonotope, the sum of their sides, whose faces lie across pairs of sides;
// so the least shift that parts them is along a normal of a box or across one side of each. Radii are taken off either
// way. The result is continuous.
#pragma once

#include <limits>

#include "solid.hpp"

namespace limbik::goals {

// `distance` without the radii; `way` leads from the other to the one; x and y are the points that meet, of the one and
// the other.
struct Contact {
    double distance;
    Vector3<double> x, y, way;
};

// The direction along which two cores lie farthest apart, or overlap least, among those that can matter.
inline Contact apart_along_axes(const SolidCore& one, const SolidCore& other) {
    Contact best = {-std::numeric_limits<double>::infinity(), {}, {}, {0, 0, 1}};
    const Vector3<double> between = one.centre - other.centre;
    std::size_t of_one = 3, of_other = 3;
    const auto along = [&](const Vector3<double>& axis, std::size_t i, std::size_t j) {
        const double far = dot(between, axis), gap = std::abs(far) - one.extent(axis) - other.extent(axis);
        if (!(gap > best.distance)) return;
        best.distance = gap, best.way = far < 0.0 ? -axis : axis;
        of_one = i, of_other = j;
    };
    for (std::size_t k = 0; k < 3 && one.box; ++k) along(one.axes[k], k, 3);
    for (std::size_t k = 0; k < 3 && other.box; ++k) along(other.axes[k], 3, k);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const Vector3<double> axis = cross(one.axes[i], other.axes[j]);
            const double length = std::sqrt(dot(axis, axis));
            // A face of either is as good where sides are nearly parallel.
            if (one.halves[i] > 0.0 && other.halves[j] > 0.0 && length > 1e-9) along(scaled(axis, 1.0 / length), i, j);
        }
    if (of_one < 3 && of_other < 3) {  // two edges
        const Vector3<double> a = one.farthest(-best.way, of_one), b = other.farthest(best.way, of_other);
        const Vector3<double> u = one.sides[of_one], v = other.sides[of_other];
        nearest_points(a - u, a + u, b - v, b + v, best.x, best.y);
    } else {  // a face of one and what lies deepest of the other
        best.x = best.y = of_one < 3 ? other.farthest(best.way) : one.farthest(-best.way);
    }
    return best;
}

// The nearest points of two boxes that do not overlap.
inline Contact nearest_of_boxes(const SolidCore& one, const SolidCore& other) {
    Contact best = {std::numeric_limits<double>::infinity(), {}, {}, {}};
    const auto edges = [&](const SolidCore& with_edges, const SolidCore& box, bool turned) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto &u = with_edges.sides[k], &v = with_edges.sides[(k + 1) % 3], &w = with_edges.sides[(k + 2) % 3];
            for (int corner = 0; corner < 4; ++corner) {
                const Vector3<double> middle =
                    madd(v, corner & 1 ? 1.0 : -1.0, madd(w, corner & 2 ? 1.0 : -1.0, with_edges.centre));
                Vector3<double> x, y;
                nearest_points(middle - u, middle + u, box, x, y);
                const Vector3<double> d = x - y;
                const double squared = dot(d, d);
                if (squared < best.distance) best.distance = squared, best.x = turned ? y : x, best.y = turned ? x : y;
            }
        }
    };
    edges(one, other, false), edges(other, one, true);
    best.distance = std::sqrt(best.distance);
    return best;
}

// Where segments cross: a way across both.
inline Vector3<double> aside(const Solid& one, const Solid& other) {
    Vector3<double> way = cross(one.end - one.start, other.end - other.start);
    double length = std::sqrt(dot(way, way));
    if (!(length > 0.0)) way = {0, 0, 1}, length = 1.0;
    return scaled(way, 1.0 / length);
}

// What lies between two solids. From `enough` on, without the radii, the distance may be less than it is, but not below
// `enough`.
inline Contact contact(const Solid& one, const Solid& other, double enough = std::numeric_limits<double>::infinity()) {
    Contact found = {};
    const bool box = one.is_box(), other_box = other.is_box();
    if (!box && !other_box) {
        nearest_points(one.start, one.end, other.start, other.end, found.x, found.y);
        const Vector3<double> d = found.x - found.y;
        found.distance = std::sqrt(dot(d, d));
        found.way = found.distance > 0.0 ? scaled(d, 1.0 / found.distance) : aside(one, other);
        return found;
    }
    const SolidCore a(one), b(other);
    const Vector3<double> between = a.centre - b.centre;
    const double far = std::sqrt(dot(between, between)), sizes = a.size() + b.size();
    if (far - sizes >= enough) return {far - sizes, a.centre, b.centre, {0, 0, 1}};
    Contact apart = {};
    if (box && other_box) {
        apart = apart_along_axes(a, b);
        if (apart.distance <= 0.0 || apart.distance >= enough) return apart;
        found = nearest_of_boxes(a, b);
    } else {
        if (box) nearest_points(other.start, other.end, a, found.y, found.x);
        else nearest_points(one.start, one.end, b, found.x, found.y);
        const Vector3<double> d = found.x - found.y;
        found.distance = std::sqrt(dot(d, d));
    }
    if (!(found.distance > SOLID_ROUNDING * (far + sizes))) return box && other_box ? apart : apart_along_axes(a, b);
    found.way = scaled(found.x - found.y, 1.0 / found.distance);
    return found;
}

}  // namespace limbik::goals
