// Rotation about z of a vector, and of its component along another: a sinusoid of the angle.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::closed_form {

template <class R> LIMBIK_INLINE Vector3<R> rotated_z(const Vector3<R>& p, R c, R s) {
    return {nmadd(s, p.y, c * p.x), madd(s, p.x, c * p.y), p.z};
}
// g . Rz(-angle) w and g . Rz(angle) v as first cos + second sin + rest.
template <class R> struct Sinusoid { R first, second, rest; };
template <class R> LIMBIK_INLINE Sinusoid<R> rotated_back_component(const Vector3<R>& g, const Vector3<R>& w) {
    return {madd(g.x, w.x, g.y * w.y), nmadd(g.y, w.x, g.x * w.y), g.z * w.z};
}
template <class R> LIMBIK_INLINE Sinusoid<R> rotated_component(const Vector3<R>& g, const Vector3<R>& v) {
    return {madd(g.x, v.x, g.y * v.y), nmadd(g.x, v.y, g.y * v.x), g.z * v.z};
}

}  // namespace limbik::closed_form
