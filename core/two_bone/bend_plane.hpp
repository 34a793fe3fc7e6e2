// In which plane a limb bends: towards a pole, and steadily where the pole says nothing.
//
// d is the unit vector from root to end, p the one from root to pole, theta the angle between them. The elbow points
// along the pole's part across the line, e = (p - (p.d) d) / sin theta, turned about d by the swivel. A pole in line
// with the limb has no such part, and near that line e is quick: when p moves by dp the direction e turns by up to |dp|
// / sin theta, and when the line turns by dw, by up to |dw| / tan theta. Outside a cone of 1 degree about the line
// (either end of it) these constants are below 57.3, and e is the pole's, exactly.
//
// Inside the cone no rule without memory can be continuous: a pole that goes through the line turns e by half a turn at
// once. With the earlier direction e' the elbow is held, and brought back before the cone ends:
//   - e' is carried over to the new line by the least rotation that takes the old line to the new one;
//   - it may lag behind the pole's direction by at most
//         pi                              for sin theta <= half of sin 1 degree
//         pi (r - sin theta) / (r / 2)    from there to r = sin 1 degree;
//   - where it lags more, it is drawn along to that bound.
// This is the play of a loose gear: a motion that stays inside the bound moves nothing, and what moves is bounded by
// what drives, whatever the size of the steps: the bound's edges turn by at most (2 + 2 pi) / sin 1 degree = 475 times
// the motion of the pole's direction. At the edge of the cone the bound is 0, so the elbow is the pole's again, without
// a jump.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::two_bone {

// The cone about the line inside which the pole's plane is not trusted alone [sine of 1 degree].
inline constexpr double POLE_CONE = 0.01745240643728351;
// Across the line by less, a pole has no direction there [sine].
inline constexpr double POLE_IN_LINE = 1e-9;
// Two lines whose cosine is nearer to -1 than this have no least rotation from one to the other.
inline constexpr double TURNED_BACK = 1e-9;

template <class R> struct BendPlane {
    Vector3<R> side;  // unit, across the line
    MaskOf<R> near_axis, chosen,
        held;  // inside the cone; nothing asked and nothing earlier; drawn from the earlier one
};

template <class R>
LIMBIK_INLINE Vector3<R> unit_or(const Vector3<R>& a, R least, const Vector3<R>& other, MaskOf<R>& none) {
    const R n2 = dot(a, a);
    none = n2 <= least * least;
    return select(none, other, scaled(a, R(1.0) / square_root(select(none, R(1.0), n2))));
}

// A unit vector across d: from the axis of space that is farthest from it.
template <class R> LIMBIK_INLINE Vector3<R> across_line(const Vector3<R>& d) {
    const R ax = absolute(d.x), ay = absolute(d.y), az = absolute(d.z), zero = R(0.0), one = R(1.0);
    const MaskOf<R> x_least = (ax <= ay) & (ax <= az), y_least = ay <= az;
    const Vector3<R> axis = select(x_least, Vector3<R>{one, zero, zero},
                                   select(y_least, Vector3<R>{zero, one, zero}, Vector3<R>{zero, zero, one}));
    const Vector3<R> c = madd(d, -dot(d, axis), axis);
    return scaled(c, R(1.0) / square_root(dot(c, c)));
}

// b across the unit vector a, turned about a.
template <class R> LIMBIK_INLINE Vector3<R> turned_across(const Vector3<R>& a, const Vector3<R>& b, R cosine, R sine) {
    return madd(cross(a, b), sine, scaled(b, cosine));
}

// The earlier direction `side`, across `line`, as it stands across d. A line of no length: one that was near d.
template <class R> LIMBIK_INLINE Vector3<R> carried_over(const Vector3<R>& line, const Vector3<R>& side,
                                                         const Vector3<R>& d, MaskOf<R>& none) {
    const R least = R(0.5);
    MaskOf<R> unknown, along, flat;
    const Vector3<R> e = unit_or(side, least, across_line(d), none);
    Vector3<R> from = unit_or(line, least, d, unknown);
    from = unit_or(madd(e, -dot(e, from), from), R(POLE_IN_LINE), from, along);
    none = none | along;
    const R sum = R(1.0) + dot(from, d);
    const auto back = sum <= R(TURNED_BACK);
    const R by = dot(e, d) / select(back, R(1.0), sum);
    const Vector3<R> moved = madd(from + d, select(back, R(0.0), -by), e);
    const Vector3<R> first = unit_or(madd(d, -dot(d, moved), moved), R(POLE_IN_LINE), across_line(d), flat);
    return unit_or(madd(d, -dot(d, first), first), R(0.5), first, flat);  // twice, as in bend_plane
}

// pole: unit, or 0 for none. rest: what serves where there is neither pole nor earlier direction. cosine, sine: of the
// swivel.
template <class R> LIMBIK_INLINE BendPlane<R> bend_plane(const Vector3<R>& d, const Vector3<R>& pole, R cosine, R sine,
                                                         const Vector3<R>& rest, const Vector3<R>& line,
                                                         const Vector3<R>& side) {
    BendPlane<R> out;
    const Vector3<R> part = madd(d, -dot(pole, d), pole);
    const R s2 = dot(part, part);
    const auto in_line = s2 <= R(POLE_IN_LINE * POLE_IN_LINE);
    const R s = square_root(s2);
    out.near_axis = s < R(POLE_CONE);
    // taken across the line twice: of a short part, rounding leaves too much along it
    MaskOf<R> flat;
    const Vector3<R> first = scaled(part, R(1.0) / select(in_line, R(1.0), s));
    const Vector3<R> across = unit_or(madd(d, -dot(first, d), first), R(0.5), first, flat);
    const Vector3<R> asked = turned_across(d, across, cosine, sine);
    out.side = asked;
    out.chosen = out.held = R(1.0) < R(0.0);
    if (any(out.near_axis)) [[unlikely]] {
        MaskOf<R> none, no_rest;
        const Vector3<R> before = carried_over(line, side, d, none);
        const Vector3<R> once = unit_or(madd(d, -dot(rest, d), rest), R(POLE_IN_LINE), across_line(d), no_rest);
        const Vector3<R> other = unit_or(madd(d, -dot(once, d), once), R(0.5), once, flat);
        const Vector3<R> chosen = turned_across(d, other, cosine, sine);
        const R lag = arc_tangent2(dot(d, cross(asked, before)), dot(asked, before));
        const R share = (R(POLE_CONE) - s) * R(2.0 / POLE_CONE);
        const R bound = R(PI) * select(share < R(1.0), share, R(1.0));
        const auto drawn = (absolute(lag) > bound) & !in_line;
        R bound_sine, bound_cosine;
        sincos(bound, bound_sine, bound_cosine);
        const Vector3<R> edge = turned_across(d, asked, bound_cosine, select(lag < R(0.0), -bound_sine, bound_sine));
        const auto hold = out.near_axis & !none;
        out.held = hold;
        out.chosen = out.near_axis & none & in_line;
        out.side = select(hold, select(drawn, edge, before), select(out.chosen, chosen, asked));
    }
    return out;
}

}  // namespace limbik::two_bone
