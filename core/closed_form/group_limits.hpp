// The limits of a spherical group over the swivel: the swivels at which a joint reaches a limit, and whether all limits
// hold at one.
#pragma once

#include <limits>

#include "../geometry/arcs.hpp"
#include "postures.hpp"

namespace limbik::closed_form {

// A joint reaches a limit where left' G right = value. There is one such equation for each of two bounds of three
// joints, and for each of the two ends of the range of the tilt. Each has up to two swivels as solutions. Two more cuts
// are where the last axis is closest to the first, because angles change fast there.
inline constexpr int EQUATIONS = 8, MOST_CUTS = 2 * EQUATIONS + 2;
// The most pieces between cuts, with spare lanes.
inline constexpr int MOST_PIECES = MOST_CUTS + 1 + width<Wide>;

// The violation of a limit that is allowed in the middle of a piece [rad].
inline constexpr double LIMIT_ROOM = 0.25 * EDGE;

// An equation left' G right = value for the rotation G of a group: a joint has the angle with this cosine and sine.
struct GroupEquation {
    Vector3<double> left, right;
    double value;
};
inline GroupEquation at_angle(const SphericalGroup& g, int joint, double c, double s) {
    const Vector3<double> z = {0, 0, 1}, row = {g.M2.x.z, g.M2.y.z, g.M2.z.z};
    if (joint == 0) return {rotated_z(g.M1.z, c, s), z, g.M2.z.z};
    if (joint == 1) return {z, z, g.tilt.first * c + g.tilt.second * s + g.tilt.rest};
    return {z, rotated_z(row, c, -s), g.M1.z.z};
}

// The equation for the last axis of a group at an end of the range of its tilt, the greatest or the least value.
inline GroupEquation at_end(const SphericalGroup& g, bool least) {
    const double rho = std::sqrt(g.tilt.first * g.tilt.first + g.tilt.second * g.tilt.second);
    return {{0, 0, 1}, {0, 0, 1}, g.tilt.rest + (least ? -rho : rho)};
}

struct GroupLimits {
    double left[3][EQUATIONS], right[3][EQUATIONS], value[EQUATIONS];  // NaN: no such bound
    // Sine and cosine of the middle of a joint's range, and of half the range plus room.
    double sine[3], cosine[3], half_sine[3], half_cosine[3], room;
    bool any;
};

// The limits of a group whose three joints have `lower` and `upper`, widened by `room` [rad].
inline GroupLimits limits_of(const SphericalGroup& group, const double* lower, const double* upper, double room) {
    constexpr int W = width<Wide>;
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    GroupLimits out;
    out.any = false, out.room = room;
    // bounds, then middles and halves; 0 where there is none
    double angle[2 * EQUATIONS] = {}, s[2 * EQUATIONS], c[2 * EQUATIONS];
    bool bounded[6], full[3];
    for (int k = 0; k < 3; ++k) {
        const double low = lower[k], high = upper[k];
        bounded[2 * k] = std::isfinite(low), bounded[2 * k + 1] = std::isfinite(high);
        out.any = out.any || bounded[2 * k] || bounded[2 * k + 1];
        if (bounded[2 * k]) angle[2 * k] = low;
        if (bounded[2 * k + 1]) angle[2 * k + 1] = high;
        // a range of 2 pi or more holds everywhere
        full[k] = !(high - low < 2.0 * (PI - room));
        if (!full[k]) angle[EQUATIONS + k] = 0.5 * (low + high), angle[EQUATIONS + 3 + k] = 0.5 * (high - low) + room;
    }
    for (int k = 0; k < 2 * EQUATIONS; k += W) {
        Wide sine, cosine;
        sincos(load_lanes<W>(angle + k), sine, cosine);
        store_lanes<W>(sine, s + k), store_lanes<W>(cosine, c + k);
    }
    for (int k = 0; k < 3; ++k) {
        out.sine[k] = s[EQUATIONS + k], out.cosine[k] = c[EQUATIONS + k];
        out.half_sine[k] = full[k] ? 0.0 : s[EQUATIONS + 3 + k],
        out.half_cosine[k] = full[k] ? -1.0 : c[EQUATIONS + 3 + k];
    }
    auto put = [&](int k, const GroupEquation& e, bool exists) {
        out.left[0][k] = e.left.x, out.left[1][k] = e.left.y, out.left[2][k] = e.left.z;
        out.right[0][k] = e.right.x, out.right[1][k] = e.right.y, out.right[2][k] = e.right.z;
        out.value[k] = exists ? e.value : NONE;
    };
    for (int k = 0; k < 6; ++k) put(k, at_angle(group, k / 2, c[k], s[k]), bounded[k]);
    for (int k = 0; k < 2; ++k) put(6 + k, at_end(group, k), !group.right_angled);
    return out;
}

// The swivels at which the group reaches its limits, or misses them by less than `touch`.
inline int cuts_of(const GroupLimits& limits, const SwivelRotation& G, double touch, double* cut) {
    constexpr int W = width<Wide>;
    int cuts = 0;
    for (int k = 0; k < EQUATIONS; k += W) {
        auto lanes = [&](const double v[3][EQUATIONS]) {
            return Vector3<Wide>{load_lanes<W>(v[0] + k), load_lanes<W>(v[1] + k), load_lanes<W>(v[2] + k)};
        };
        const Vector3<Wide> left = lanes(limits.left), right = lanes(limits.right);
        auto form = [&](const Pose<double>& part) { return dot(left, rotate(broadcast<Wide>(part), right)); };
        const Wide P = form(G.P), Q = form(G.Q), d = load_lanes<W>(limits.value + k) - form(G.C);
        const Wide rho2 = madd(P, P, Q * Q), disc = nmadd(d, d, rho2);
        const auto there = (disc >= Wide(-touch)) & (rho2 > Wide(NO_HOLD * NO_HOLD));
        if (!any(there)) continue;
        const Wide root = square_root(select(there & (disc > Wide(0.0)), disc, Wide(0.0)));
        const Wide sine[2] = {madd(P, root, Q * d), nmadd(P, root, Q * d)},
                   cosine[2] = {nmadd(Q, root, P * d), madd(Q, root, P * d)};
        Wide angle[2];
        arc_tangents2<2>(sine, cosine, angle);
        double exists[W], at[2][W];
        store_lanes<W>(select(there, Wide(1.0), Wide(0.0)), exists);
        for (int a = 0; a < 2; ++a) store_lanes<W>(angle[a], at[a]);
        for (int i = 0; i < W; ++i)
            if (exists[i] != 0.0) cut[cuts++] = at[0][i], cut[cuts++] = at[1][i];
    }
    const double P = G.P.z.z, Q = G.Q.z.z;
    if (limits.any && P * P + Q * Q > NO_HOLD * NO_HOLD) {
        const double near = arc_tangent2(Q, P);
        cut[cuts++] = near;
        cut[cuts++] = near > 0.0 ? near - PI : near + PI;
    }
    return cuts;
}

// Whether the joints keep their limits, widened by the room, in the middle of each piece: 1 or 0, for both signs.
inline void check_middles(const SphericalGroup& group, const GroupLimits& limits, const SwivelRotation& G,
                          const double* low, const double* high, int pieces, double* plus, double* minus) {
    constexpr int W = width<Wide>;
    const Wide rho2 = Wide(group.tilt.first * group.tilt.first + group.tilt.second * group.tilt.second + limits.room);
    for (int k = 0; k < pieces; k += W) {
        double middle[W];
        for (int i = 0; i < W; ++i) middle[i] = k + i < pieces ? 0.5 * (low[k + i] + high[k + i]) : 0.0;
        Wide s, c;
        sincos(load_lanes<W>(middle), s, c);
        auto at = [&](const Vector3<double>& p, const Vector3<double>& q, const Vector3<double>& r) {
            auto number = [&](double P, double Q, double C) { return madd(Wide(P), c, madd(Wide(Q), s, Wide(C))); };
            return Vector3<Wide>{number(p.x, q.x, r.x), number(p.y, q.y, r.y), number(p.z, q.z, r.z)};
        };
        const Pose<Wide> R = {at(G.P.x, G.Q.x, G.C.x),
                              at(G.P.y, G.Q.y, G.C.y),
                              at(G.P.z, G.Q.z, G.C.z),
                              {Wide(0.0), Wide(0.0), Wide(0.0)}};
        const Wide d = R.z.z - Wide(group.tilt.rest);
        const auto can = group.right_angled ? Wide(0.0) == Wide(0.0) : d * d <= rho2;
        for (int a = 0; a < 2; ++a) {
            const auto rotations = group.rotations(R, Wide(a ? -1.0 : 1.0), Wide(0.0));
            auto good = can;
            for (int j = 0; j < 3; ++j) {
                const Wide &x = rotations.cosine[j], &y = rotations.sine[j], m = Wide(limits.cosine[j]),
                           n = Wide(limits.sine[j]);
                const Wide along = madd(x, m, y * n), across = absolute(nmadd(x, n, y * m));
                good = good & (along * Wide(limits.half_sine[j]) >= across * Wide(limits.half_cosine[j]));
            }
            store_lanes<W>(select(good, Wide(1.0), Wide(0.0)), (a ? minus : plus) + k);
        }
    }
}

}  // namespace limbik::closed_form
