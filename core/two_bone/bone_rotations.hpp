// How the two bones of a limb are turned, from where its elbow and end are.
//
// At rest both bones point along `rest`, and the elbow bends about `axis` across it; bending by a positive angle takes
// the elbow to rest x axis. In a posture with line d and side e the elbow's axis is therefore n = e x d, and a bone
// along v is turned by
//     by the hinge:  (v, n x v, n) (rest, axis x rest, axis)'      the bend stays in the elbow's axis
//     by least:      the shortest rotation from rest to v          no twist about the bone
// A bone of no length keeps the direction it would have: along the line.
#pragma once

#include "two_bone.hpp"

namespace limbik::two_bone {

struct BoneRest {
    Vector3<double> rest, axis;  // unit, at right angles
    bool least;
};

template <class R> struct BoneTurn {
    Vector3<R> x, y, z;  // columns
};

// The rotation that takes the direction r to v and, across them, k to n.
template <class R> LIMBIK_INLINE BoneTurn<R> frame_to_frame(const Vector3<R>& v, const Vector3<R>& n,
                                                            const Vector3<R>& r, const Vector3<R>& k) {
    const Vector3<R> m = cross(n, v), s = cross(k, r);
    auto column = [&](R a, R b, R c) { return madd(v, a, madd(m, b, scaled(n, c))); };
    return {column(r.x, s.x, k.x), column(r.y, s.y, k.y), column(r.z, s.z, k.z)};
}

// v, n: unit, at right angles.
template <class R> LIMBIK_INLINE BoneTurn<R> bone_turn(const BoneRest& rest, const Vector3<R>& v, const Vector3<R>& n) {
    const Vector3<R> r = broadcast<R>(rest.rest), k = broadcast<R>(rest.axis);
    if (rest.least) {
        // the same about an axis of its own, across both directions: the elbow's where rest and v are in line
        MaskOf<R> in_line, none;
        const Vector3<R> w = unit_or(cross(r, v), R(POLE_IN_LINE), k, in_line);
        const Vector3<R> there = unit_or(madd(v, -dot(v, w), w), R(0.5), n, none);
        const Vector3<R> here = unit_or(madd(r, -dot(r, w), w), R(0.5), k, none);
        return frame_to_frame(v, there, r, here);
    }
    return frame_to_frame(v, n, r, k);
}

// The turns of the upper and the lower bone of an answer, as its numbers stand in memory, with the root that it had.
template <class R>
LIMBIK_INLINE void bone_turns(const BoneRest& rest, const Vector3<R>& root, const R* answer, BoneTurn<R> out[2]) {
    auto at = [&](int k) { return Vector3<R>{answer[3 * k], answer[3 * k + 1], answer[3 * k + 2]}; };
    const Vector3<R> elbow = at(0), end = at(1), line = at(2), side = at(3);
    const Vector3<R> n = cross(side, line);
    const Vector3<R> bones[2] = {elbow - root, end - elbow};
    const R size = square_root(dot(bones[0], bones[0])) + square_root(dot(bones[1], bones[1]));
    for (int k = 0; k < 2; ++k) {
        MaskOf<R> none;
        const Vector3<R> flat = madd(n, -dot(n, bones[k]), bones[k]);
        out[k] = bone_turn(rest, unit_or(flat, size * R(NO_LINE), line, none), n);
    }
}

}  // namespace limbik::two_bone
