// Vectors of three coordinates as directions: length, rotation about an axis, a perpendicular.
#pragma once

#include <cmath>

#include "spatial.hpp"

namespace limbik::geometry {

inline double norm(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }

// a rotated about the unit vector k by the angle with this cosine and sine (Rodrigues).
template <class R> LIMBIK_INLINE Vector3<R> rotated_about(const Vector3<R>& k, const Vector3<R>& a, R c, R s) {
    const R along = dot(k, a) * (R(1.0) - c);
    return madd(k, along, madd(cross(k, a), s, scaled(a, c)));
}

// A unit vector perpendicular to the unit vector a: the cross product of a and the coordinate axis farthest from it.
inline Vector3<double> perpendicular(const Vector3<double>& a) {
    const bool x = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z);
    const bool y = std::fabs(a.y) <= std::fabs(a.z);
    const Vector3<double> axis = x ? Vector3<double>{1, 0, 0} : y ? Vector3<double>{0, 1, 0} : Vector3<double>{0, 0, 1};
    const Vector3<double> out = cross(a, axis);
    return scaled(out, 1.0 / norm(out));
}

}  // namespace limbik::geometry
