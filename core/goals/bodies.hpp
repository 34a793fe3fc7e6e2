// Points fixed on elements: their positions, and their velocities as rows of a Jacobian.
#pragma once

#include "goal.hpp"

namespace limbik::goals {

// The indices in q that move any of these elements, ascending.
inline std::vector<int> columns_of(const Mechanism& m, const std::vector<int>& elements) {
    std::vector<bool> moves(std::size_t(m.n), false);
    for (int e : elements)
        for (; e >= 0; e = m.elements[std::size_t(e)].parent)
            for (int k = 0; k < size_of(m.elements[std::size_t(e)].kind); ++k)
                moves[std::size_t(m.elements[std::size_t(e)].first + k)] = true;
    std::vector<int> columns;
    for (int j = 0; j < m.n; ++j)
        if (moves[std::size_t(j)]) columns.push_back(j);
    return columns;
}

// Add to `row` (size n) the derivative by q of a point's coordinate along `direction`; the point is fixed on an
// element.
inline void add_speed(const MechanismState& s, int element, const Vector3<double>& point,
                      const Vector3<double>& direction, double* row) {
    for (int e = element; e >= 0; e = s.mechanism.elements[std::size_t(e)].parent) {
        const Element& of = s.mechanism.elements[std::size_t(e)];
        const Pose<double>& T = s.elements[std::size_t(e)];
        double* to = row + of.first;
        // direction . (axis x arm) = axis . (arm x direction)
        const Vector3<double> moment = cross(point - T.origin, direction);
        switch (of.kind) {
            case Kind::revolute: to[0] += of.scale * dot(T.z, moment); break;
            case Kind::prismatic: to[0] += of.scale * dot(T.z, direction); break;
            case Kind::floating: {
                const Pose<double> before =
                    of.parent < 0 ? of.placement : s.elements[std::size_t(of.parent)] * of.placement;
                to[0] += dot(before.x, direction), to[1] += dot(before.y, direction), to[2] += dot(before.z, direction);
                to += 3;
                [[fallthrough]];
            }
            case Kind::ball: to[0] += dot(T.x, moment), to[1] += dot(T.y, moment), to[2] += dot(T.z, moment);
        }
    }
}

inline Vector3<double> point_on(const MechanismState& s, int element, const Vector3<double>& local) {
    return element < 0 ? local : transform(s.elements[std::size_t(element)], local);
}

}  // namespace limbik::goals
