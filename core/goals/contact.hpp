// The signed distance of two solids [m], the unit normal between them, and the points in contact.
//
// Cores that do not touch: the distance of their closest points, which are those of two segments, of a segment and a
// box, or of the edges of one box and the other box, since closest points of boxes always include one on an edge.
//
// Cores that overlap: their Minkowski difference is a zonotope, the sum of their sides, whose facets are spanned by
// pairs of sides; so the least translation that separates them is along a face normal of a box or along the cross
// product of one side of each. Radii are subtracted in both cases. The result is continuous.
//
// The derivative of the distance is that of two points, one on each core, whose difference is along `normal`. In
// overlap they lie on the features in contact: two edges, a vertex and a face, or, where sides are parallel, an edge or
// a face and a face. Two edges are not enough where a third side lies in their plane: the facet is a hexagon then, and
// the points may lie outside the parallelogram of any two sides.
#pragma once

#include <limits>

#include "solid.hpp"

namespace limbik::goals {

// `distance` is that of the cores, without the radii [m]. x is the contact point of the first solid, y that of the
// second; `normal` points from the second to the first.
struct Contact {
    double distance;
    Vector3<double> x, y, normal;
};

// Call visit(start, end) for each of the twelve edges of a core. Sides of length 0 make edges coincide.
template <class Visit> inline void each_edge(const SolidCore& core, Visit&& visit) {
    for (std::size_t k = 0; k < 3; ++k) {
        const auto &u = core.sides[k], &v = core.sides[(k + 1) % 3], &w = core.sides[(k + 2) % 3];
        for (int corner = 0; corner < 4; ++corner) {
            const Vector3<double> middle =
                madd(v, corner & 1 ? 1.0 : -1.0, madd(w, corner & 2 ? 1.0 : -1.0, core.centre));
            visit(middle - u, middle + u);
        }
    }
}

// The closest points of two boxes that do not overlap.
inline Contact nearest_of_boxes(const SolidCore& one, const SolidCore& other) {
    Contact best = {std::numeric_limits<double>::infinity(), {}, {}, {}};
    const auto consider = [&](const Vector3<double>& x, const Vector3<double>& y) {
        const Vector3<double> d = x - y;
        const double squared = dot(d, d);
        if (squared < best.distance) best.distance = squared, best.x = x, best.y = y;
    };
    Vector3<double> x, y;
    each_edge(one, [&](const Vector3<double>& start, const Vector3<double>& end) {
        nearest_points(start, end, other, x, y);
        consider(x, y);
    });
    each_edge(other, [&](const Vector3<double>& start, const Vector3<double>& end) {
        nearest_points(start, end, one, y, x);
        consider(x, y);
    });
    best.distance = std::sqrt(best.distance);
    return best;
}

// Set x and y of `found` to the centre of the overlap of two parallel features, projected along `found.normal`.
//
// Where features are parallel the depth has a kink, and any pair of points whose difference is along `normal` gives a
// slope between the one-sided ones. The mean is taken over the ends of those pieces of edges that lie over the other
// feature.
inline void overlap_middle(const SolidCore& one, const SolidCore& other, Contact& found) {
    const double slack = SOLID_PARALLEL * (one.size() + other.size());
    double least = std::numeric_limits<double>::infinity(), count = 0.0;
    const auto consider = [&](const Vector3<double>& x, const Vector3<double>& y) {
        const Vector3<double> d = x - y, beside = madd(found.normal, -dot(d, found.normal), d);
        const double far = std::sqrt(dot(beside, beside));
        if (far > least + slack) return;
        if (far < least - slack) found.x = found.y = {0, 0, 0}, count = 0.0;
        least = std::min(least, far);
        found.x = found.x + x, found.y = found.y + y, count += 1.0;
    };
    // Both directions: of equally close points, `nearest_points` returns the first.
    Vector3<double> x, y;
    each_edge(one, [&](const Vector3<double>& start, const Vector3<double>& end) {
        nearest_points(start, end, other, x, y), consider(x, y);
        nearest_points(end, start, other, x, y), consider(x, y);
    });
    each_edge(other, [&](const Vector3<double>& start, const Vector3<double>& end) {
        nearest_points(start, end, one, y, x), consider(x, y);
        nearest_points(end, start, one, y, x), consider(x, y);
    });
    found.x = scaled(found.x, 1.0 / count), found.y = scaled(found.y, 1.0 / count);
}

// The contact of two cores along their separating axis: the direction of the largest gap, or of the least overlap.
inline Contact separating_axis(const SolidCore& one, const SolidCore& other) {
    Contact best = {-std::numeric_limits<double>::infinity(), {}, {}, {0, 0, 1}};
    const Vector3<double> between = one.centre - other.centre;
    std::size_t of_one = 3, of_other = 3;
    const auto along = [&](const Vector3<double>& axis, std::size_t i, std::size_t j) {
        const double far = dot(between, axis), gap = std::abs(far) - one.extent(axis) - other.extent(axis);
        if (!(gap > best.distance)) return;
        best.distance = gap, best.normal = far < 0.0 ? -axis : axis;
        of_one = i, of_other = j;
    };
    for (std::size_t k = 0; k < 3 && one.box; ++k) along(one.axes[k], k, 3);
    for (std::size_t k = 0; k < 3 && other.box; ++k) along(other.axes[k], 3, k);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const Vector3<double> axis = cross(one.axes[i], other.axes[j]);
            const double length = std::sqrt(dot(axis, axis));
            // Nearly parallel sides span no facet of their own; the faces of either cover them.
            if (one.halves[i] > 0.0 && other.halves[j] > 0.0 && length > SOLID_PARALLEL)
                along(scaled(axis, 1.0 / length), i, j);
        }
    const bool edges = of_one < 3 && of_other < 3;
    const SolidCore a = one.feature(-best.normal, edges ? of_one : 3),
                    b = other.feature(best.normal, edges ? of_other : 3);
    if (edges && a.dimension() == 1 && b.dimension() == 1) {
        const Vector3<double>&u = a.sides[of_one], &v = b.sides[of_other];
        nearest_points(a.centre - u, a.centre + u, b.centre - v, b.centre + v, best.x, best.y);
    } else if (b.dimension() == 0) {  // a vertex over a face
        best.x = best.y = b.centre;
    } else if (a.dimension() == 0) {
        best.x = best.y = a.centre;
    } else {
        overlap_middle(a, b, best);
    }
    return best;
}

// A unit normal of two segments that cross.
inline Vector3<double> crossing_normal(const Solid& one, const Solid& other) {
    Vector3<double> normal = cross(one.end - one.start, other.end - other.start);
    double length = std::sqrt(dot(normal, normal));
    if (!(length > 0.0)) normal = {0, 0, 1}, length = 1.0;
    return scaled(normal, 1.0 / length);
}

// The contact of two solids. A distance of `enough` or more [m, without the radii] need not be exact: a lower bound of
// at least `enough` may be returned instead.
inline Contact contact(const Solid& one, const Solid& other, double enough = std::numeric_limits<double>::infinity()) {
    Contact found = {};
    const bool box = one.is_box(), other_box = other.is_box();
    if (!box && !other_box) {
        nearest_points(one.start, one.end, other.start, other.end, found.x, found.y);
        const Vector3<double> d = found.x - found.y;
        found.distance = std::sqrt(dot(d, d));
        found.normal = found.distance > 0.0 ? scaled(d, 1.0 / found.distance) : crossing_normal(one, other);
        return found;
    }
    const SolidCore a(one), b(other);
    const Vector3<double> between = a.centre - b.centre;
    const double far = std::sqrt(dot(between, between)), sizes = a.size() + b.size();
    if (far - sizes >= enough) return {far - sizes, a.centre, b.centre, {0, 0, 1}};
    Contact apart = {};
    if (box && other_box) {
        apart = separating_axis(a, b);
        if (apart.distance <= 0.0 || apart.distance >= enough) return apart;
        found = nearest_of_boxes(a, b);
    } else {
        if (box) nearest_points(other.start, other.end, a, found.y, found.x);
        else nearest_points(one.start, one.end, b, found.x, found.y);
        const Vector3<double> d = found.x - found.y;
        found.distance = std::sqrt(dot(d, d));
    }
    if (!(found.distance > SOLID_ROUNDING * (far + sizes))) return box && other_box ? apart : separating_axis(a, b);
    found.normal = scaled(found.x - found.y, 1.0 / found.distance);
    return found;
}

}  // namespace limbik::goals
