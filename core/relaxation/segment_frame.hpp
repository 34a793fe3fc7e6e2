// The frame fixed to a segment, and its rotation by the joint, without trigonometric functions.
//
// Every segment has axes of its own (`SegmentConstants`), in which its joint is simple:
//   - hinge: the rest direction's component across the hinge's axis, the direction a quarter turn further, the axis. A
//     rotation mixes the first two.
//   - ball: the rest direction r, and two directions across it. The shortest rotation from r to u takes an axis g
//     across r to g - (g.u / (1 + r.u)) (r + u): one division and no root. Where u points backwards this cancels, and
//     the rotation is written by the direction of tilt instead, as at the boundary of a cone.
// A ball may also twist about its segment. Where a hinge follows, the ball twists such that the hinge can rotate the
// next segment to its direction. Let the ball's second axis be the component of the hinge's axis across the segment, of
// length rho, and (w0, w1, w2) the next segment's direction in these axes. Then the twist phi satisfies
//     w1 cos(phi) + w2 sin(phi) = (along - k0 w0) / rho = C,
// where `along` is the next segment's component along its hinge's axis and k0 that axis's component along this segment.
// Its two solutions are
//     (cos, sin) = (w1 C -+ w2 D, w2 C +- w1 D) / W^2,  W^2 = w1^2 + w2^2,  D^2 = W^2 - C^2.
#pragma once

#include "segment.hpp"

namespace limbik::relaxation {

// A segment's own axes in those of its parent, and the constants for a hinge that follows.
struct SegmentConstants {
    Rotation3 axes;
    int child = -1;  // the segment whose hinge this one twists for, -1 for none
    double k0 = 0.0, rho = 0.0, inverse_rho = 0.0;
    double inverse_across = 0.0;   // of a hinge: 1 / across
    bool branches = false;         // whether a segment other than the next starts where this one ends
    bool orthonormalised = false;  // whether its frame is orthonormalised
};

// Below this cosine of a ball's tilt its rotation is written by the direction of tilt.
inline constexpr double BACKWARD = -0.5;

// Below this length a direction defines no twist.
inline constexpr double NO_TWIST = 1e-9;

// Frames inherit the rounding errors of their parents, and balls amplify them. One Newton step towards the closest
// orthonormal frame removes them wherever the drift reaches MOST_DRIFT: a ball counts BALL_DRIFT, a hinge 1.
inline constexpr int MOST_DRIFT = 16, BALL_DRIFT = 4;

LIMBIK_INLINE void orthonormalise(Rotation3& R) {
    const double xx = madd(-0.5, dot(R.x, R.x), 1.5), yy = madd(-0.5, dot(R.y, R.y), 1.5),
                 zz = madd(-0.5, dot(R.z, R.z), 1.5);
    const double xy = -0.5 * dot(R.x, R.y), xz = -0.5 * dot(R.x, R.z), yz = -0.5 * dot(R.y, R.z);
    R = R.rotate(Rotation3{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}});
}

// 1 / sqrt(x), with the root and the quotient computed in parallel.
LIMBIK_INLINE double inverse_root(double x) { return std::sqrt(x) * (1.0 / x); }

// Where x differs from 1 by less, two terms of the series of 1 / sqrt(x) are exact.
inline constexpr double NEARLY_UNIT = 1e-5;

// Rotate a hinge's axes G towards the unit direction w, inside its range; w = 0 leaves it at rest. After a ball that
// twisted for it, the component of w across the axis has its known length, and neither root nor quotient is needed.
LIMBIK_INLINE Rotation3 hinge_axes(const Segment& segment, double inverse_across, const Rotation3& G,
                                   const Vector3<double>& w) {
    const double x = dot(G.x, w) * inverse_across, y = dot(G.y, w) * inverse_across, square = madd(x, x, y * y),
                 off = square - 1.0;
    double cosine = 1.0, sine = 0.0;
    if (std::fabs(off) < NEARLY_UNIT) {
        const double inverse = madd(off, madd(off, 0.375, -0.5), 1.0);
        cosine = x * inverse, sine = y * inverse;
    } else if (square > NO_DIRECTION * NO_DIRECTION) {
        const double inverse = inverse_root(square);
        cosine = x * inverse, sine = y * inverse;
    }
    segment.range.clamp(cosine, sine);
    return {madd(G.x, cosine, scaled(G.y, sine)), madd(G.y, cosine, scaled(G.x, -sine)), G.z};
}

// The rotation of a ball: its first axis becomes u, and each axis g across becomes g - h away.
struct Tilt {
    Vector3<double> u, away;
    double h1 = 0.0, h2 = 0.0;
};

// Rotate a ball's axes G so that the first, r, has the unit direction w, or the closest one inside the cone. With t =
// d1 g1 + d2 g2 the component of w across r and q = 1 / t.t, the rotation to c r + a t takes g_i to g_i - d_i (1 - c) q
// t - d_i a r. The part without the root in a is applied to the axes here; the rest is left to the tilt.
LIMBIK_INLINE Tilt ball_tilt(const Segment& segment, Rotation3& G, const Vector3<double>& w, bool planar) {
    double c = dot(G.x, w), d1 = dot(G.y, w), d2 = dot(G.z, w);
    const bool outside = segment.joint == SegmentJoint::cone && c < segment.cosine;
    if (!outside && c >= BACKWARD) {
        const double share = 1.0 / (1.0 + c);
        return {w, G.x + w, d1 * share, d2 * share};
    }
    double square = madd(d1, d1, d2 * d2), part = 1.0;
    if (!(square > NO_DIRECTION * NO_DIRECTION)) {  // exactly backwards: any direction of tilt serves
        d1 = planar ? 0.0 : 1.0, d2 = planar ? -1.0 : 0.0, square = 1.0, part = 0.0;
    }
    const double inverse = 1.0 / square;
    if (outside) c = segment.cosine, part = segment.sine * (std::sqrt(square) * inverse);
    const Vector3<double> t = madd(G.y, d1, scaled(G.z, d2)), r = G.x;
    const double turn = (c - 1.0) * inverse;
    G.y = madd(t, d1 * turn, G.y), G.z = madd(t, d2 * turn, G.z);
    return {outside ? madd(t, part, scaled(r, c)) : w, r, d1 * part, d2 * part};
}

// Cosine and sine of the twist with which the next segment's hinge can reach the direction (w0, w1, w2), in this
// segment's axes: of two solutions the smaller, or the one that the next hinge's range allows. own: the range of this
// twist, null for a ball.
LIMBIK_INLINE void twist(const SegmentConstants& constants, const Segment& next, const Rotation3& next_axes,
                         const HingeRange* own, double w0, double w1, double w2, double& cosine, double& sine) {
    const double square = madd(w1, w1, w2 * w2);
    cosine = 1.0, sine = 0.0;
    if (!(constants.rho * constants.rho * square > NO_TWIST * NO_TWIST)) return;
    const double inverse = 1.0 / square;
    double C = madd(-constants.k0, w0, next.along) * constants.inverse_rho, D = 0.0;
    const double left = madd(-C, C, square);
    if (left > 0.0) D = std::sqrt(left);
    else C = std::copysign(std::sqrt(square), C);  // the closest
    const double a = w1 * C * inverse, b = w2 * C * inverse, p = std::fabs(w2) * inverse,
                 q = (w2 > 0.0 ? -w1 : w1) * inverse;
    cosine = madd(p, D, a), sine = madd(q, D, b);
    if (own != nullptr) own->clamp(cosine, sine);
    if (!next.range.narrow || !(next.across > 0.0)) return;
    const auto fits = [&](double co, double si) {  // whether the next hinge's range then contains its direction
        const Vector3<double> local = {w0, madd(w1, co, w2 * si), madd(w2, co, -w1 * si)};
        const double x = dot(next_axes.x, local), y = dot(next_axes.y, local);
        return next.range.contains(x, y, std::sqrt(madd(x, x, y * y)));
    };
    if (fits(cosine, sine)) return;
    double other_cosine = nmadd(p, D, a), other_sine = nmadd(q, D, b);
    if (own != nullptr) own->clamp(other_cosine, other_sine);
    if (fits(other_cosine, other_sine)) cosine = other_cosine, sine = other_sine;
}

}  // namespace limbik::relaxation
