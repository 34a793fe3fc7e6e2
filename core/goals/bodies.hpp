// Points that ride on elements, and how they move.
#pragma once

#include "goal.hpp"

namespace limbik::goals {

// The numbers of q that move any of these elements, ascending.
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

// Add to `row` (one number per number of q) the speed along `way` of a point that rides on an element.
inline void add_speed(const Stance& s, int element, const Vector3<double>& point, const Vector3<double>& way,
                      double* row) {
    for (int e = element; e >= 0; e = s.mechanism.elements[std::size_t(e)].parent) {
        const Element& of = s.mechanism.elements[std::size_t(e)];
        const Pose<double>& T = s.elements[std::size_t(e)];
        double* to = row + of.first;
        // way . (axis x arm) = axis . (arm x way)
        const Vector3<double> moment = cross(point - T.origin, way);
        switch (of.kind) {
            case Kind::revolute: to[0] += of.scale * dot(T.z, moment); break;
            case Kind::prismatic: to[0] += of.scale * dot(T.z, way); break;
            case Kind::floating: {
                const Pose<double> before = of.parent < 0 ? of.mount : s.elements[std::size_t(of.parent)] * of.mount;
                to[0] += dot(before.x, way), to[1] += dot(before.y, way), to[2] += dot(before.z, way);
                to += 3;
                [[fallthrough]];
            }
            case Kind::ball: to[0] += dot(T.x, moment), to[1] += dot(T.y, moment), to[2] += dot(T.z, moment);
        }
    }
}

inline Vector3<double> riding(const Stance& s, int element, const Vector3<double>& local) {
    return element < 0 ? local : transform(s.elements[std::size_t(element)], local);
}

}  // namespace limbik::goals
