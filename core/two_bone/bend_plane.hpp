// The plane in which a two-bone limb bends: that of a pole target, continued smoothly where the pole is undefined.
//
// d is the unit vector from root to tip, p from root to pole, theta the angle between them. The elbow points along the
// pole's component across the line, e = (p - (p.d) d) / sin theta, rotated about d by the swivel. Near the line e is
// ill-conditioned: when p moves by dp, e rotates by up to |dp| / sin theta, and when the line rotates by dw, by up to
// |dw| / tan theta. Outside a cone of 1 degree about the line (in either direction) these factors are below 57.3, and e
// is exactly the pole's.
//
// Inside the cone no memoryless rule is continuous: a pole that crosses the line rotates e by pi at once. There the
// previous direction e' is used:
//   - e' is transported to the new line by the shortest rotation from the old line;
//   - it may lag behind the pole's direction by at most
//         pi                              for sin theta <= half of sin 1 degree
//         pi (r - sin theta) / (r / 2)    from there to r = sin 1 degree;
//   - beyond that bound it is dragged along.
// This is hysteresis with a bounded play: a pole that moves inside the bound moves nothing, and the elbow's motion is
// bounded by the pole's for any step size, because the bound's edges rotate by at most (2 + 2 pi) / sin 1 degree = 475
// times the motion of the pole's direction. At the boundary of the cone the bound is 0, so that e is continuous there.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::two_bone {

// Half-angle of the cone about the line inside which the previous direction counts [sine of 1 degree].
inline constexpr double POLE_CONE = 0.01745240643728351;
// Below this sine a pole is on the line.
inline constexpr double POLE_IN_LINE = 1e-9;
// Lines whose cosine is nearer to -1 than this have no unique shortest rotation.
inline constexpr double OPPOSITE_LINES = 1e-9;

template <class R> struct BendPlane {
    Vector3<R> side;  // unit, across the line
    // near_axis: the pole is inside the cone. held: the previous direction defines the side. chosen: neither that nor a
    // pole does.
    MaskOf<R> near_axis, chosen, held;
};

template <class R>
LIMBIK_INLINE Vector3<R> unit_or(const Vector3<R>& a, R least, const Vector3<R>& other, MaskOf<R>& none) {
    const R n2 = dot(a, a);
    none = n2 <= least * least;
    return select(none, other, scaled(a, R(1.0) / square_root(select(none, R(1.0), n2))));
}

// A unit vector perpendicular to d, from the coordinate axis with the least component along d.
template <class R> LIMBIK_INLINE Vector3<R> across_line(const Vector3<R>& d) {
    const R ax = absolute(d.x), ay = absolute(d.y), az = absolute(d.z), zero = R(0.0), one = R(1.0);
    const MaskOf<R> x_least = (ax <= ay) & (ax <= az), y_least = ay <= az;
    const Vector3<R> axis = select(x_least, Vector3<R>{one, zero, zero},
                                   select(y_least, Vector3<R>{zero, one, zero}, Vector3<R>{zero, zero, one}));
    const Vector3<R> c = madd(d, -dot(d, axis), axis);
    return scaled(c, R(1.0) / square_root(dot(c, c)));
}

// b, perpendicular to the unit vector a, rotated about a.
template <class R> LIMBIK_INLINE Vector3<R> rotated_across(const Vector3<R>& a, const Vector3<R>& b, R cosine, R sine) {
    return madd(cross(a, b), sine, scaled(b, cosine));
}

// The previous direction `side`, across `line`, transported to the line d. A line of length 0 counts as d.
template <class R> LIMBIK_INLINE Vector3<R> transported(const Vector3<R>& line, const Vector3<R>& side,
                                                        const Vector3<R>& d, MaskOf<R>& none) {
    const R least = R(0.5);
    MaskOf<R> unknown, along, flat;
    const Vector3<R> e = unit_or(side, least, across_line(d), none);
    Vector3<R> from = unit_or(line, least, d, unknown);
    from = unit_or(madd(e, -dot(e, from), from), R(POLE_IN_LINE), from, along);
    none = none | along;
    const R sum = R(1.0) + dot(from, d);
    const auto back = sum <= R(OPPOSITE_LINES);
    const R by = dot(e, d) / select(back, R(1.0), sum);
    const Vector3<R> moved = madd(from + d, select(back, R(0.0), -by), e);
    const Vector3<R> first = unit_or(madd(d, -dot(d, moved), moved), R(POLE_IN_LINE), across_line(d), flat);
    return unit_or(madd(d, -dot(d, first), first), R(0.5), first, flat);  // twice, as in bend_plane
}

// pole: a unit vector, or 0 for none. rest: the direction used without a pole and a previous direction. cosine, sine:
// of the swivel.
template <class R> LIMBIK_INLINE BendPlane<R> bend_plane(const Vector3<R>& d, const Vector3<R>& pole, R cosine, R sine,
                                                         const Vector3<R>& rest, const Vector3<R>& line,
                                                         const Vector3<R>& side) {
    BendPlane<R> out;
    const Vector3<R> part = madd(d, -dot(pole, d), pole);
    const R s2 = dot(part, part);
    const auto in_line = s2 <= R(POLE_IN_LINE * POLE_IN_LINE);
    const R s = square_root(s2);
    out.near_axis = s < R(POLE_CONE);
    // projected twice: of a short component, rounding leaves too much along the line
    MaskOf<R> flat;
    const Vector3<R> first = scaled(part, R(1.0) / select(in_line, R(1.0), s));
    const Vector3<R> across = unit_or(madd(d, -dot(first, d), first), R(0.5), first, flat);
    const Vector3<R> desired = rotated_across(d, across, cosine, sine);
    out.side = desired;
    out.chosen = out.held = R(1.0) < R(0.0);
    if (any(out.near_axis)) [[unlikely]] {
        MaskOf<R> none, no_rest;
        const Vector3<R> before = transported(line, side, d, none);
        const Vector3<R> once = unit_or(madd(d, -dot(rest, d), rest), R(POLE_IN_LINE), across_line(d), no_rest);
        const Vector3<R> other = unit_or(madd(d, -dot(once, d), once), R(0.5), once, flat);
        const Vector3<R> chosen = rotated_across(d, other, cosine, sine);
        const R lag = arc_tangent2(dot(d, cross(desired, before)), dot(desired, before));
        const R share = (R(POLE_CONE) - s) * R(2.0 / POLE_CONE);
        const R bound = R(PI) * select(share < R(1.0), share, R(1.0));
        const auto dragged = (absolute(lag) > bound) & !in_line;
        R bound_sine, bound_cosine;
        sincos(bound, bound_sine, bound_cosine);
        const Vector3<R> edge = rotated_across(d, desired, bound_cosine, select(lag < R(0.0), -bound_sine, bound_sine));
        const auto hold = out.near_axis & !none;
        out.held = hold;
        out.chosen = out.near_axis & none & in_line;
        out.side = select(hold, select(dragged, edge, before), select(out.chosen, chosen, desired));
    }
    return out;
}

}  // namespace limbik::two_bone
