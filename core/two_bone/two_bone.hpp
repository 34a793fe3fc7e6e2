// The closed form of a two-bone limb: the elbow for a target of the tip.
//
// Root, elbow and tip form a triangle with sides a (upper bone), b (lower bone) and y (root to tip). With d the unit
// vector from root to tip and e the direction across it in which the elbow points,
//     elbow = root + u d + h e      u = (y^2 + a^2 - b^2) / (2 y)      h^2 = a^2 - u^2.
// h comes from Heron's product, 4 y^2 h^2 = ((a+b)^2 - y^2) (y^2 - (a-b)^2), each factor as a product of a sum and a
// difference: no cancellation where the limb is straight or folded. soft_reach.hpp gives y, bend_plane.hpp gives e.
//
// Every input has an answer. Beyond its reach the limb is straight, closer than its least distance it is folded, and
// `tip_error` is the remaining distance. A target at the root has no line: the previous line is kept, or one across the
// pole is taken. Lengths are divided by a + b first, so the unit does not matter.
#pragma once

#include "bend_plane.hpp"
#include "soft_reach.hpp"

namespace limbik::two_bone {

// Closer to the root than this share of the limb's length, a target has no line.
inline constexpr double NO_LINE = 1e-12;
// A reached target is missed by at most this share of the limb's length, plus rounding of the root's coordinates.
inline constexpr double LIMB_TOLERANCE = 1e-9, LIMB_ROUNDING = 8.9e-16;

enum LimbMark : int {
    LIMB_REACHED = 1,   // the tip is at the target, and the bones have their lengths
    LIMB_TOO_FAR = 2,   // the target is beyond the reach
    LIMB_TOO_NEAR = 4,  // the target is closer than the folded limb
    LIMB_SOFT = 8,      // the tip stays behind because of soft reach
    LIMB_STRETCHED = 16,
    LIMB_NEAR_POLE = 32,  // the pole is within a degree of the line
    LIMB_HELD = 64,       // ... and the previous direction decided
    LIMB_CHOSEN = 128,    // neither a pole nor a previous direction defines the bend plane
    LIMB_NO_LINE = 256,   // the target is at the root
    LIMB_STRAINED = 512,  // lengths are lost in rounding: the coordinates are too large for bones this short
};

template <class R> struct TwoBoneInput {
    Vector3<R> root, target, pole;  // pole: a point or a direction, see TwoBoneSettings
    Vector3<R> line, side;          // previous ones; 0 for none
    R upper, lower, nearest, farthest, swivel;
};

struct TwoBoneSettings {
    ReachSettings reach;
    Vector3<double> rest = {0, 0, 1};  // the elbow's direction where nothing else defines it
    bool pole_is_point = true, has_swivel = false;
};

// Numbers of one answer in memory: elbow, tip, line, side, then tip_error, stretch, bend [rad], marks.
inline constexpr int TWO_BONE_SIZE = 16;

template <class R> struct TwoBoneOutput {
    Vector3<R> elbow, tip, line, side;
    R tip_error, stretch, bend, marks;

    void store(R* out) const {
        const Vector3<R>* all[] = {&elbow, &tip, &line, &side};
        for (int k = 0; k < 4; ++k) out[3 * k] = all[k]->x, out[3 * k + 1] = all[k]->y, out[3 * k + 2] = all[k]->z;
        out[12] = tip_error, out[13] = stretch, out[14] = bend, out[15] = marks;
    }
};

template <class R> LIMBIK_INLINE TwoBoneOutput<R> two_bone(const TwoBoneSettings& set, const TwoBoneInput<R>& in) {
    const R zero = R(0.0), one = R(1.0);
    const R sum = in.upper + in.lower;
    const R size = select(sum > zero, sum, one), unit = one / size;
    const R a = in.upper * unit, b = in.lower * unit, nearest = in.nearest * unit, farthest = in.farthest * unit;

    // the pole and the line
    auto pole = set.pole_is_point ? in.pole - in.root : in.pole;
    const R greatest = [&] {
        const R x = absolute(pole.x), y = absolute(pole.y), z = absolute(pole.z), xy = select(x > y, x, y);
        return select(xy > z, xy, z);
    }();
    MaskOf<R> no_pole, short_line;
    pole = scaled(pole, one / select(greatest > zero, greatest, one));
    pole = unit_or(pole, R(0.5), {zero, zero, zero}, no_pole);
    const Vector3<R> offset = scaled(in.target - in.root, unit);
    const R x = square_root(dot(offset, offset));
    Vector3<R> d = unit_or(offset, R(NO_LINE), {one, zero, zero}, short_line);
    if (any(short_line)) [[unlikely]] {
        MaskOf<R> no_line;
        const Vector3<R> rest = {R(set.rest.x), R(set.rest.y), R(set.rest.z)};
        const Vector3<R> earlier = unit_or(in.line, R(0.5), across_line(select(no_pole, rest, pole)), no_line);
        d = select(short_line, earlier, d);
    }

    // the distance and the triangle
    const ReachedDistance<R> reached = soft_reach(set.reach, x, farthest);
    const R f = reached.factor;
    const auto too_near = reached.distance < nearest * f;
    const R y = select(too_near, nearest * f, reached.distance);
    const R af = a * f, bf = b * f, L = af + bf, gap = af - bf;
    const R outer = (L - y) * (L + y), inner = (y - gap) * (y + gap);
    const MaskOf<R> open = (outer > zero) & (inner > zero), has_side = y > zero;
    const R twice = R(2.0) * y, per = one / select(has_side, twice, one);
    R h = square_root(select(open, outer * inner, zero)) * per;
    R u = madd(gap, L, y * y) * per;
    u = select(u > af, af, select(u < -af, -af, u));
    u = select(has_side, u, zero), h = select(has_side, h, af);

    R swivel_sine = zero, swivel_cosine = one;
    if (set.has_swivel) sincos(in.swivel, swivel_sine, swivel_cosine);
    const Vector3<R> rest = {R(set.rest.x), R(set.rest.y), R(set.rest.z)};
    const BendPlane<R> plane = bend_plane(d, pole, swivel_cosine, swivel_sine, rest, in.line, in.side);

    TwoBoneOutput<R> out;
    out.line = d, out.side = plane.side;
    out.elbow = madd(d, u * size, madd(plane.side, h * size, in.root));
    out.tip = madd(d, y * size, in.root);
    out.stretch = f;
    const R rest_of = y - u;
    out.bend = arc_tangent2(y * h, nmadd(h, h, u * rest_of));

    // marks, from the numbers returned
    const Vector3<R> to_elbow = out.elbow - in.root, to_tip = out.tip - out.elbow, off = out.tip - in.target;
    out.tip_error = square_root(dot(off, off));
    auto more = [](R p, R q) { return select(p > q, p, q); };
    const R strain = more(absolute(square_root(dot(to_elbow, to_elbow)) - af * size),
                          absolute(square_root(dot(to_tip, to_tip)) - bf * size));
    const R rounding = more(more(absolute(in.root.x), absolute(in.root.y)), absolute(in.root.z)) * R(LIMB_ROUNDING);
    const R share = sum * R(LIMB_TOLERANCE), tolerance = rounding + share;
    const auto strained = (strain > tolerance) | ((rounding > share) & (sum > zero));
    const auto too_far = x > farthest * R(set.reach.most) * R(1.0 + LIMB_TOLERANCE);
    const auto near = too_near & (nearest * f - x > R(LIMB_TOLERANCE));
    auto mark = [&](auto when, int bit) { return select(when, R(double(bit)), R(0.0)); };
    const auto at_target = out.tip_error <= tolerance;
    out.marks = mark(at_target & (!strained), LIMB_REACHED) + mark(too_far, LIMB_TOO_FAR) + mark(near, LIMB_TOO_NEAR) +
                mark((!at_target) & (!too_far) & (!near) & (reached.distance < x), LIMB_SOFT) +
                mark(f > one, LIMB_STRETCHED) + mark(plane.near_axis & (!no_pole), LIMB_NEAR_POLE) +
                mark(plane.held, LIMB_HELD) + mark(plane.chosen, LIMB_CHOSEN) + mark(short_line, LIMB_NO_LINE) +
                mark(strained, LIMB_STRAINED);
    return out;
}

}  // namespace limbik::two_bone
