// Bounds on the reach of a frame of a mechanism, from the shortest path over the axes of its joints (geometry/reach.hpp
// has the argument). A prismatic joint adds its travel. One without limits, and a floating joint, add nothing: then the
// bounds are a size and prove nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "../geometry/reach.hpp"
#include "mechanism.hpp"

namespace limbik::kinematics {

// Sweeps over the axes: more change the bounds by less than a millionth on every arm of the catalogue.
inline constexpr int REACH_SWEEPS = 60;
// The part of the span that counts as much as 1 rad.
inline constexpr double LENGTH_SHARE = 0.5;

struct Reach {
    double from_base;        // no pose of the frame is farther from the base's origin [m]
    double span;             // nor from `centre` [m]: the size of the arm, independent of its base
    Vector3<double> centre;  // the best point on the first axis

    // The size of the arm and the length that stands for a radian [m]; 1 where it has no size.
    double size() const { return span > 0.0 && std::isfinite(span) ? span : 1.0; }
    double length() const { return span > 0.0 ? LENGTH_SHARE * span : 1.0; }
};

// The elements that move a frame, from the base on.
inline std::vector<const Element*> moving_elements(const Mechanism& m, const Frame& frame) {
    std::vector<const Element*> out;
    for (int e = frame.element; e >= 0; e = m.elements[std::size_t(e)].parent)
        out.push_back(&m.elements[std::size_t(e)]);
    std::reverse(out.begin(), out.end());
    return out;
}

// T_a_b * T_b_c, with the sums in the order of a product of matrices, from the first term on.
inline Pose<double> product_in_order(const Pose<double>& A, const Pose<double>& B) {
    auto rotated = [&A](const Vector3<double>& a) { return madd(A.z, a.z, madd(A.y, a.y, scaled(A.x, a.x))); };
    return {rotated(B.x), rotated(B.y), rotated(B.z), rotated(B.origin) + A.origin};
}

// `lower` and `upper`: the range of each number of q, infinite where there is no limit.
inline Reach reach_of(const Mechanism& m, const Frame& frame, const double* lower, const double* upper) {
    // at q = 0: only distances between neighbours count, and no joint changes them
    std::vector<PathPoint> path = {{{0, 0, 0}, {0, 0, 0}, false}};
    Pose<double> T = identity_pose();
    double travel = 0.0;
    for (const Element* e : moving_elements(m, frame)) {
        T = product_in_order(T, e->placement);
        path.push_back({T.origin, T.z, e->kind == Kind::revolute});
        if (e->kind != Kind::prismatic) continue;
        double farthest = 0.0;
        for (const double end : {lower[e->first], upper[e->first]})
            if (std::isfinite(end)) farthest = std::max(farthest, std::fabs(e->scale * end + e->offset));
        travel += farthest;
    }
    path.push_back({product_in_order(T, frame.placement).origin, {0, 0, 1}, false});
    std::vector<PathPoint> from_axis(path.begin() + 1, path.end());
    const double from_base = shortest_path(path.data(), int(path.size()), REACH_SWEEPS);
    const double span = shortest_path(from_axis.data(), int(from_axis.size()), REACH_SWEEPS);
    return {travel + from_base, travel + span, from_axis[0].point};
}

// Whether a joint that moves the frame has unbounded travel. Then no target is provably out of reach.
inline bool goes_anywhere(const Mechanism& m, const Frame& frame, const double* lower, const double* upper) {
    for (const Element* e : moving_elements(m, frame)) {
        if (e->kind == Kind::floating) return true;
        if (e->kind == Kind::prismatic && !(std::isfinite(lower[e->first]) && std::isfinite(upper[e->first])))
            return true;
    }
    return false;
}

// Whether a joint that moves the frame is prismatic. Then the bounds hold only inside its limits.
inline bool reach_by_limits(const Mechanism& m, const Frame& frame) {
    const auto elements = moving_elements(m, frame);
    return std::any_of(elements.begin(), elements.end(), [](const Element* e) { return e->kind == Kind::prismatic; });
}

}  // namespace limbik::kinematics
