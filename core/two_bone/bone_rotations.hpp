// The rotations of both bones of a two-bone limb, from its elbow and tip.
//
// At rest both bones point along `rest`, and the elbow's axis is `axis`; bending by a positive angle moves the elbow to
// rest x axis. With line d and side e the elbow's axis is n = e x d. A bone along v is rotated by
//     hinge:     (v, n x v, n) (rest, axis x rest, axis)'      keeps the elbow's axis
//     shortest:  the shortest rotation from rest to v          no twist about the bone
// A bone of length 0 takes the direction of the line.
#pragma once

#include "two_bone.hpp"

namespace limbik::two_bone {

struct BoneRest {
    Vector3<double> rest, axis;  // unit vectors, perpendicular
    bool shortest;
};

template <class R> struct BoneRotation {
    Vector3<R> x, y, z;  // columns
};

// The rotation that takes r to v and k to n; r and k, v and n are perpendicular.
template <class R> LIMBIK_INLINE BoneRotation<R> frame_to_frame(const Vector3<R>& v, const Vector3<R>& n,
                                                                const Vector3<R>& r, const Vector3<R>& k) {
    const Vector3<R> m = cross(n, v), s = cross(k, r);
    auto column = [&](R a, R b, R c) { return madd(v, a, madd(m, b, scaled(n, c))); };
    return {column(r.x, s.x, k.x), column(r.y, s.y, k.y), column(r.z, s.z, k.z)};
}

// v, n: unit vectors, perpendicular.
template <class R>
LIMBIK_INLINE BoneRotation<R> bone_rotation(const BoneRest& rest, const Vector3<R>& v, const Vector3<R>& n) {
    const Vector3<R> r = broadcast<R>(rest.rest), k = broadcast<R>(rest.axis);
    if (rest.shortest) {
        // the rotation about the common perpendicular of rest and v; about the elbow's axis where they are parallel
        MaskOf<R> in_line, none;
        const Vector3<R> w = unit_or(cross(r, v), R(POLE_IN_LINE), k, in_line);
        const Vector3<R> there = unit_or(madd(v, -dot(v, w), w), R(0.5), n, none);
        const Vector3<R> here = unit_or(madd(r, -dot(r, w), w), R(0.5), k, none);
        return frame_to_frame(v, there, r, here);
    }
    return frame_to_frame(v, n, r, k);
}

// The rotations of the upper and the lower bone, from the numbers of an answer (TwoBoneOutput::store) and its root.
template <class R> LIMBIK_INLINE void bone_rotations(const BoneRest& rest, const Vector3<R>& root, const R* answer,
                                                     BoneRotation<R> out[2]) {
    auto at = [&](int k) { return Vector3<R>{answer[3 * k], answer[3 * k + 1], answer[3 * k + 2]}; };
    const Vector3<R> elbow = at(0), tip = at(1), line = at(2), side = at(3);
    const Vector3<R> n = cross(side, line);
    const Vector3<R> bones[2] = {elbow - root, tip - elbow};
    const R size = square_root(dot(bones[0], bones[0])) + square_root(dot(bones[1], bones[1]));
    for (int k = 0; k < 2; ++k) {
        MaskOf<R> none;
        const Vector3<R> flat = madd(n, -dot(n, bones[k]), bones[k]);
        out[k] = bone_rotation(rest, unit_or(flat, size * R(NO_LINE), line, none), n);
    }
}

}  // namespace limbik::two_bone
