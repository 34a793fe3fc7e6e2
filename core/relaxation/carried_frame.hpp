// The frame that a limb carries on, and how a joint turns it, without an angle ever computed.
//
// Every limb has axes of its own, chosen so that its joint is simple in them (`Carrier`):
//   - a hinge: the rest's direction across the axis, the direction a quarter turn on, the axis. A turn mixes the first
//   two;
//   - a ball: the rest's direction, and two across it. The turn that takes the rest r to u by the shortest way takes an
//   axis g
//     across r to g - (g.u / (1 + r.u)) (r + u), which needs one division and no root. Where u points back that
//     cancels, and the turn is written by the direction of tilt instead, as it is at the edge of a cone.
// A ball is free to turn about its limb besides. Where a hinge follows it does so, such that the hinge can bring the
// next limb where that wants to be: with the second axis of the ball the part of the hinge's axis across the limb, rho
// of it, and the next limb's direction (w0, w1, w2) in these axes, the turn phi has
//     w1 cos(phi) + w2 sin(phi) = (along - k0 w0) / rho = C,
// along the part of the next limb on its hinge's axis, k0 the part of that axis on this limb. Its two answers are
//     (cos, sin) = (w1 C -+ w2 D, w2 C +- w1 D) / W^2,  W^2 = w1^2 + w2^2,  D^2 = W^2 - C^2.
#pragma once

#include "segment.hpp"

namespace limbik::relaxation {

// A limb's own axes seen from those of the limb before, and what a following hinge needs.
struct Carrier {
    Turned axes;
    int child = -1;  // the limb whose hinge this one turns towards, -1 for none
    double k0 = 0.0, rho = 0.0, inverse_rho = 0.0;
    double squeeze = 0.0;  // of a hinge: 1 / across
    bool kept = false;     // whether a limb other than the next begins where this one ends
    bool upright = false;  // whether its frame is brought back to right angles
};

// Below this cosine of a ball's tilt its turn is written by the direction of tilt.
inline constexpr double BACKWARD = -0.5;

// A direction of less than this has no turn that would bring a hinge to it.
inline constexpr double NO_TURN = 1e-9;

// A frame made from the one before inherits its errors, and a ball lets them grow. One step of Newton's towards the
// nearest frame with right angles undoes that, after so much of it: a ball counts BALL, a hinge 1.
inline constexpr int UPRIGHT = 16, BALL = 4;

LIMBIK_INLINE void put_upright(Turned& R) {
    const double xx = madd(-0.5, dot(R.x, R.x), 1.5), yy = madd(-0.5, dot(R.y, R.y), 1.5),
                 zz = madd(-0.5, dot(R.z, R.z), 1.5);
    const double xy = -0.5 * dot(R.x, R.y), xz = -0.5 * dot(R.x, R.z), yz = -0.5 * dot(R.y, R.z);
    R = R.out(Turned{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}});
}

// 1 / sqrt(x): the root and the quotient do not wait for each other.
LIMBIK_INLINE double inverse_root(double x) { return std::sqrt(x) * (1.0 / x); }

// A hinge whose limb leaves its axis at so nearly the right angle that the series of a root ends after two terms.
inline constexpr double NEARLY_UNIT = 1e-5;

// Turn a hinge's axes G towards the unit direction w, inside its range; w = 0 leaves it at rest. After a ball that
// turned for it the part of w across the axis is known to be that of the limb, and neither root nor quotient is waited
// for.
LIMBIK_INLINE Turned swung(const Limb& limb, double squeeze, const Turned& G, const Vector3<double>& w) {
    const double x = dot(G.x, w) * squeeze, y = dot(G.y, w) * squeeze, square = madd(x, x, y * y), off = square - 1.0;
    double cosine = 1.0, sine = 0.0;
    if (std::fabs(off) < NEARLY_UNIT) {
        const double inverse = madd(off, madd(off, 0.375, -0.5), 1.0);
        cosine = x * inverse, sine = y * inverse;
    } else if (square > NO_DIRECTION * NO_DIRECTION) {
        const double inverse = inverse_root(square);
        cosine = x * inverse, sine = y * inverse;
    }
    limb.arc.clamp(cosine, sine);
    return {madd(G.x, cosine, scaled(G.y, sine)), madd(G.y, cosine, scaled(G.x, -sine)), G.z};
}

// The turn of a ball: its first axis becomes u, and the axes across become g - h away.
struct Tilt {
    Vector3<double> u, away;
    double h1 = 0.0, h2 = 0.0;
};

// Turn a ball's axes G so that the first, r, has the unit direction w, or as near as the cone allows. With t = d1 g1 +
// d2 g2 the part of w across r, and q = 1 / t.t, the turn to c r + a t is g_i - d_i (1 - c) q t - d_i a r wherever it
// goes: what does not wait for the root in a is done to the axes here already, the rest is left to the tilt.
LIMBIK_INLINE Tilt tilted(const Limb& limb, Turned& G, const Vector3<double>& w, bool planar) {
    double c = dot(G.x, w), d1 = dot(G.y, w), d2 = dot(G.z, w);
    const bool outside = limb.socket == Socket::cone && c < limb.cosine;
    if (!outside && c >= BACKWARD) {
        const double share = 1.0 / (1.0 + c);
        return {w, G.x + w, d1 * share, d2 * share};
    }
    double square = madd(d1, d1, d2 * d2), part = 1.0;
    if (!(square > NO_DIRECTION * NO_DIRECTION)) {  // straight back: one way to tilt is as good as another
        d1 = planar ? 0.0 : 1.0, d2 = planar ? -1.0 : 0.0, square = 1.0, part = 0.0;
    }
    const double inverse = 1.0 / square;
    if (outside) c = limb.cosine, part = limb.sine * (std::sqrt(square) * inverse);
    const Vector3<double> t = madd(G.y, d1, scaled(G.z, d2)), r = G.x;
    const double turn = (c - 1.0) * inverse;
    G.y = madd(t, d1 * turn, G.y), G.z = madd(t, d2 * turn, G.z);
    return {outside ? madd(t, part, scaled(r, c)) : w, r, d1 * part, d2 * part};
}

// Cosine and sine of the turn about a limb such that the hinge of the next can bring that to the direction (w0, w1,
// w2), seen from this one's axes: of two such turns the smaller, or the one that the next hinge's range allows. own:
// the range of this turn, none for a ball.
LIMBIK_INLINE void twist(const Carrier& carrier, const Limb& next, const Turned& next_axes, const HingeRange* own,
                         double w0, double w1, double w2, double& cosine, double& sine) {
    const double square = madd(w1, w1, w2 * w2);
    cosine = 1.0, sine = 0.0;
    if (!(carrier.rho * carrier.rho * square > NO_TURN * NO_TURN)) return;
    const double inverse = 1.0 / square;
    double C = madd(-carrier.k0, w0, next.along) * carrier.inverse_rho, D = 0.0;
    const double left = madd(-C, C, square);
    if (left > 0.0) D = std::sqrt(left);
    else C = std::copysign(std::sqrt(square), C);  // as near as it comes
    const double a = w1 * C * inverse, b = w2 * C * inverse, p = std::fabs(w2) * inverse,
                 q = (w2 > 0.0 ? -w1 : w1) * inverse;
    cosine = madd(p, D, a), sine = madd(q, D, b);
    if (own != nullptr) own->clamp(cosine, sine);
    if (!next.arc.narrow || !(next.across > 0.0)) return;
    const auto fits = [&](double co, double si) {  // whether the next hinge's range then holds what is wanted of it
        const Vector3<double> local = {w0, madd(w1, co, w2 * si), madd(w2, co, -w1 * si)};
        const double x = dot(next_axes.x, local), y = dot(next_axes.y, local);
        return next.arc.holds(x, y, std::sqrt(madd(x, x, y * y)));
    };
    if (fits(cosine, sine)) return;
    double other_cosine = nmadd(p, D, a), other_sine = nmadd(q, D, b);
    if (own != nullptr) own->clamp(other_cosine, other_sine);
    if (fits(other_cosine, other_sine)) cosine = other_cosine, sine = other_sine;
}

}  // namespace limbik::relaxation
