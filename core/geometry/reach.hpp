// The shortest path over a sequence of points, some of which may move along an axis: a bound on the reach of a chain.
//
// A point on a joint's axis is fixed in both links that meet there, so distances between points on consecutive axes are
// constant, and their sum bounds the distance of the ends. The bound is tightest where the sum is least. The sum is
// convex in the positions along the axes. Each sweep moves one point at a time to the optimum between its neighbours,
// where the straight line through the unfolded planes crosses the axis.
#pragma once

#include "spatial.hpp"

namespace limbik::geometry {

struct PathPoint {
    Vector3<double> point, axis;
    bool movable;  // along its axis
};

inline Vector3<double> best_point(const PathPoint& on, const Vector3<double>& a, const Vector3<double>& b) {
    const double along_a = dot(on.axis, a - on.point), along_b = dot(on.axis, b - on.point);
    auto height = [&](const Vector3<double>& p, double along) {
        const Vector3<double> off = p - on.point - scaled(on.axis, along);
        return std::sqrt(dot(off, off));
    };
    const double ha = height(a, along_a), hb = height(b, along_b);
    const double share = ha + hb == 0.0 ? 0.5 : ha / (ha + hb);
    return on.point + scaled(on.axis, along_a + share * (along_b - along_a));
}

// Shorten the path by `sweeps` sweeps; returns its length, which is a valid bound after any number of sweeps.
inline double shortest_path(PathPoint* path, int count, int sweeps) {
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int k = 0; k < count; ++k) {
            if (!path[k].movable || count < 2) continue;
            const Vector3<double>& before = path[k > 0 ? k - 1 : k + 1].point;
            const Vector3<double>& after = path[k + 1 < count ? k + 1 : k - 1].point;
            path[k].point = best_point(path[k], before, after);
        }
    double length = 0.0;
    for (int k = 0; k + 1 < count; ++k) {
        const Vector3<double> step = path[k + 1].point - path[k].point;
        length += std::sqrt(dot(step, step));
    }
    return length;
}

}  // namespace limbik::geometry
