// Three revolute joints whose axes intersect in a point: the rotation G = Rz(q1) M1 Rz(q2) M2 Rz(q3) decomposed into
// q1, q2, q3. Two solutions.
//
// The angle between the first and the last axis depends on q2 alone: row3(M1) Rz(q2) col3(M2) = G33, a line and a
// circle. Then q1 rotates the last axis to its direction, and q3 is the remaining rotation. Where the first and last
// axis are collinear only q1 + q3 (or q1 - q3) is determined: q1 keeps its seed.
#pragma once

#include "../kinematics/chain.hpp"
#include "margins.hpp"
#include "sinusoid.hpp"
#include "subproblems.hpp"

namespace limbik::closed_form {

// The rotation about z that takes the frame (X, Y) closest to the columns of G: sine and cosine times a common factor.
template <class R>
LIMBIK_INLINE void last_turn(const Vector3<R>& X, const Vector3<R>& Y, const Pose<R>& G, R& s, R& c) {
    s = dot(Y, G.x) - dot(X, G.y), c = dot(X, G.x) + dot(Y, G.y);
}

struct SphericalGroup {
    Pose<double> M1, M2;
    Sinusoid<double> tilt;  // row3(M1) Rz(q2) col3(M2)
    bool right_angled;      // both bends are 90 degrees: the sine of the tilt is known to full accuracy

    SphericalGroup() = default;
    SphericalGroup(const Pose<double>& first_bend, const Pose<double>& second_bend) : M1(first_bend), M2(second_bend) {
        tilt = rotated_component(Vector3<double>{M1.x.z, M1.y.z, M1.z.z}, M2.z);
        right_angled = std::fabs(M1.z.z) <= 4.0 * ROUNDING && std::fabs(M2.z.z) <= 4.0 * ROUNDING;
    }

    // The required tilt of the last axis, relative to its range: in [-1, 1] where G is reachable.
    template <class R> R measure(const Pose<R>& G) const {
        return (G.z.z - R(tilt.rest)) / R(std::hypot(tilt.first, tilt.second));
    }

    // The three angles as sines and cosines, each pair times a common factor. `seed`: q1 where it is undetermined.
    template <class R> struct Rotations {
        R sine[3], cosine[3], gap;
        MaskOf<R> exists, family, free;
    };
    template <class R> LIMBIK_INLINE Rotations<R> rotations(const Pose<R>& G, R sign, R seed) const {
        Rotations<R> out;
        const R a = R(tilt.first), b = R(tilt.second), d = G.z.z - R(tilt.rest);
        R c2, s2;
        if (right_angled) {
            // no double root: where the tilt vanishes the two solutions differ by pi in the first and last joint
            out.gap = R(1.0);
            const R root = sign * square_root(madd(G.z.x, G.z.x, G.z.y * G.z.y));
            c2 = nmadd(b, root, a * d), s2 = madd(a, root, b * d);
            out.exists = R(0.0) == R(0.0);
        } else {
            const Unknown<R> q2 = on_circle(a, b, d, sign, R(1.0));
            out.exists = q2.exists, out.gap = q2.gap, c2 = q2.u, s2 = q2.v;
        }
        const Pose<R> A = broadcast<R>(M1), B = broadcast<R>(M2);
        const Vector3<R> Z = rotate(A, rotated_z(B.z, c2, s2));
        const Alignment<R> turn = align(Z.x, Z.y, G.z.x, G.z.y, 1.0);
        R c1 = turn.c, s1 = turn.s;
        out.family = turn.family, out.free = turn.free;
        if (any(turn.free)) [[unlikely]] {
            R s, c;
            sincos(seed, s, c);
            c1 = select(turn.free, c, c1), s1 = select(turn.free, s, s1);
        }
        const Vector3<R> X = rotate(A, rotated_z(B.x, c2, s2)), Y = rotate(A, rotated_z(B.y, c2, s2));
        out.sine[0] = s1, out.cosine[0] = c1, out.sine[1] = s2, out.cosine[1] = c2;
        last_turn(rotated_z(X, c1, s1), rotated_z(Y, c1, s1), G, out.sine[2], out.cosine[2]);
        return out;
    }

    // Bounds on the distance of the three angles from those of `split`, where G is known up to a rotation by `off`
    // [rad].
    GroupSpread spread(const Pose<double>& G, double off) const {
        const Spread middle = spread_on_circle(tilt.first, tilt.second, G.z.z - tilt.rest, off);
        const double across = std::hypot(G.z.x, G.z.y);
        // with right angles the directions of the first and last axis do not depend on the middle angle
        const double outer = spread_of_direction(across, right_angled ? off : off + middle.by);
        return {middle.none, {outer, middle.by, outer}};
    }

    template <class R> LIMBIK_INLINE GroupMotion<R> split(const Pose<R>& G, R sign, R seed) const {
        GroupMotion<R> out;
        const Rotations<R> t = rotations(G, sign, seed);
        arc_tangents2<3>(t.sine, t.cosine, out.q);
        if (any(t.free)) [[unlikely]]
            out.q[0] = select(t.free, seed, out.q[0]);
        out.exists = t.exists, out.family = t.family, out.gap = t.gap;
        return out;
    }
};

}  // namespace limbik::closed_form
