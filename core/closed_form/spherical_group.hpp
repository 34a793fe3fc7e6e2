// Three turns about axes that meet: the rotation G = Rz(q1) M1 Rz(q2) M2 Rz(q3) comes apart into q1, q2, q3, in two
// ways.
//
// The middle turn is the one that tilts the last axis against the first: row3(M1) Rz(q2) col3(M2) = G33, a line and a
// circle. Then the first turn takes the last axis to its place, and what is left is the last turn. Where the first and
// last axis lie on one line only the sum (or difference) of their turns counts: the first keeps its seed, and the last
// makes up for it.
#pragma once

#include "../kinematics/chain.hpp"
#include "margins.hpp"
#include "subproblems.hpp"
#include "waves.hpp"

namespace limbik::closed_form {

// The turn about z that takes the frame (X, Y) nearest to the columns of G: its sine and cosine, of one length.
template <class R>
LIMBIK_INLINE void last_turn(const Vector3<R>& X, const Vector3<R>& Y, const Pose<R>& G, R& s, R& c) {
    s = dot(Y, G.x) - dot(X, G.y), c = dot(X, G.x) + dot(Y, G.y);
}

struct SphericalGroup {
    Pose<double> M1, M2;
    Wave<double> tilt;  // row3(M1) Rz(q2) col3(M2)
    bool right_angled;  // both bends are quarter turns: the sine of the tilt is at hand, to full accuracy

    SphericalGroup() = default;
    SphericalGroup(const Pose<double>& first_bend, const Pose<double>& second_bend) : M1(first_bend), M2(second_bend) {
        tilt = turned_on(Vector3<double>{M1.x.z, M1.y.z, M1.z.z}, M2.z);
        right_angled = std::fabs(M1.z.z) <= 4.0 * ROUNDING && std::fabs(M2.z.z) <= 4.0 * ROUNDING;
    }

    // How the last axis must tilt, as a part of how far it can to both sides.
    template <class R> R measure(const Pose<R>& G) const {
        return (G.z.z - R(tilt.rest)) / R(std::hypot(tilt.first, tilt.second));
    }

    // The three turns by their sines and cosines, a pair of one length each. `seed` is for the first, where it is free.
    template <class R> struct Turns {
        R sine[3], cosine[3], gap;
        MaskOf<R> exists, family, free;
    };
    template <class R> LIMBIK_INLINE Turns<R> turns(const Pose<R>& G, R sign, R seed) const {
        Turns<R> out;
        const R a = R(tilt.first), b = R(tilt.second), d = G.z.z - R(tilt.rest);
        R c2, s2;
        if (right_angled) {
            // where the tilt vanishes the two ways stay apart, by half a turn of the first and last joint: no double
            // root
            out.gap = R(1.0);
            const R root = sign * square_root(madd(G.z.x, G.z.x, G.z.y * G.z.y));
            c2 = nmadd(b, root, a * d), s2 = madd(a, root, b * d);
            out.exists = R(0.0) == R(0.0);
        } else {
            const Unknown<R> q2 = on_circle(a, b, d, sign, R(1.0));
            out.exists = q2.exists, out.gap = q2.gap, c2 = q2.u, s2 = q2.v;
        }
        const Pose<R> A = broadcast<R>(M1), B = broadcast<R>(M2);
        const Vector3<R> Z = rotate(A, turned(B.z, c2, s2));
        const Alignment<R> turn = align(Z.x, Z.y, G.z.x, G.z.y, 1.0);
        R c1 = turn.c, s1 = turn.s;
        out.family = turn.family, out.free = turn.free;
        if (any(turn.free)) [[unlikely]] {
            R s, c;
            sincos(seed, s, c);
            c1 = select(turn.free, c, c1), s1 = select(turn.free, s, s1);
        }
        const Vector3<R> X = rotate(A, turned(B.x, c2, s2)), Y = rotate(A, turned(B.y, c2, s2));
        out.sine[0] = s1, out.cosine[0] = c1, out.sine[1] = s2, out.cosine[1] = c2;
        last_turn(turned(X, c1, s1), turned(Y, c1, s1), G, out.sine[2], out.cosine[2]);
        return out;
    }

    // How far the three turns may lie from those of `split`, where G is known up to a rotation by `turn` [rad].
    GroupSpread spread(const Pose<double>& G, double turn) const {
        const Spread middle = spread_on_circle(tilt.first, tilt.second, G.z.z - tilt.rest, turn);
        const double across = std::hypot(G.z.x, G.z.y);
        // the directions of the first and last axis across each other; with right angles they do not follow the middle
        // turn
        const double outer = spread_of_direction(across, right_angled ? turn : turn + middle.by);
        return {middle.none, {outer, middle.by, outer}};
    }

    template <class R> LIMBIK_INLINE GroupMotion<R> split(const Pose<R>& G, R sign, R seed) const {
        GroupMotion<R> out;
        const Turns<R> t = turns(G, sign, seed);
        arc_tangents2<3>(t.sine, t.cosine, out.q);
        if (any(t.free)) [[unlikely]]
            out.q[0] = select(t.free, seed, out.q[0]);
        out.exists = t.exists, out.family = t.family, out.gap = t.gap;
        return out;
    }
};

}  // namespace limbik::closed_form
