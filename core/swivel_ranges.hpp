// The swivels of an arm (swivel.hpp) at which all its joints keep their limits: exact ranges.
//
// What the shoulder or the wrist must do goes round with the swivel s, every entry as P cos s + Q sin s + C. A joint stands at a
// given angle exactly where one such expression has a given value: for the middle joint the tilt of the last axis, for an outer
// joint the tilt of what is left when that joint is undone. So the swivels at which a joint meets a limit are intersections of a
// line and a circle, at most two each; between neighbouring ones nothing changes, and one look in the middle decides.
// (The idea: Shimizu, Kakuya, Yoon, Kitagaki and Kosuge 2008, here for any bends between the axes and any elbow.)
//
// Where two limits are met at one swivel, what is left between them may be that swivel alone, and rounding may leave nothing. So
// where no range is found, the swivels at which limits are met are looked at themselves, a little room being given; whoever takes
// a posture from there moves it inside its limits and verifies it.
//
// The equations stand side by side in the lanes, and so do the looks.
#pragma once

#include <algorithm>
#include <limits>

#include "postures.hpp"

namespace limbik {

struct Arc {
    double low, high;  // low <= high <= low + 2 pi
};

class SwivelRanges {
  public:
    SwivelRanges(const SwivelArm& arm, const double* lower, const double* upper) : arm_(arm), lower_(lower), upper_(upper) {}

    // Those of each branch (number = elbow * 4 + shoulder * 2 + wrist), at most MOST arcs each.
    template <int MOST> void find(const Pose<double>& target, Arc out[][MOST], int counts[SWIVEL_BRANCHES]) const {
        const SwivelArm::Line<double> line = arm_.line(target);
        const Limits shoulder_limits = limits_of(arm_.shoulder_group(), 0), wrist_limits = limits_of(arm_.wrist_group(), 4);
        int total = 0;
        for (int elbow = 0; elbow < 2; ++elbow) {
            int* count = counts + elbow * 4;
            count[0] = count[1] = count[2] = count[3] = 0;
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0, 0.0);
            if (!bent.elbow.exists || !elbow_fits(arc_tangent2(bent.elbow.v, bent.elbow.u))) continue;
            Swinging S, W;
            arm_.swinging(target, line, bent, S, W);
            Arc shoulder[2][MOST_PIECES], wrist[2][MOST_PIECES];
            int shoulders[2], wrists[2];
            arcs_of(arm_.shoulder_group(), shoulder_limits, S, shoulder, shoulders);
            if (shoulders[0] + shoulders[1] == 0) continue;
            arcs_of(arm_.wrist_group(), wrist_limits, W, wrist, wrists);
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b)
                    total += count[a * 2 + b] = intersect<MOST>(shoulder[a], shoulders[a], wrist[b], wrists[b], out[elbow * 4 + a * 2 + b]);
        }
        if (total == 0) find_points<MOST>(target, line, shoulder_limits, wrist_limits, out, counts);
    }

  private:
    // A group meets the ends of what it may do where left' G right = value: two bounds of three joints, and the two ends of what
    // the bends allow. Two swivels each, and two more where the last axis comes nearest the first, because turns are quick there.
    static constexpr int EQUATIONS = 8, MOST_CUTS = 2 * EQUATIONS + 2;
    // Pieces between cuts, and spare lanes.
    static constexpr int MOST_PIECES = MOST_CUTS + 1 + width<Wide>;

    struct Limits {
        double left[3][EQUATIONS], right[3][EQUATIONS], value[EQUATIONS];  // NaN: no such end
        // A turn keeps its limits where it is no farther from their middle than from there to either: a joint's middle, and the
        // cosine of half its range
        double sine[3], cosine[3], half[3];
        bool any;
    };
    // Less than any cosine: a range of a whole turn or more.
    static constexpr double ALL_ROUND = -2.0;

    // Swivels that stand alone: where limits are met, and no others are passed by more than EDGE.
    template <int MOST>
    void find_points(const Pose<double>& target, const SwivelArm::Line<double>& line, const Limits& shoulder_limits, const Limits& wrist_limits,
                     Arc out[][MOST], int counts[SWIVEL_BRANCHES]) const {
        for (int elbow = 0; elbow < 2; ++elbow) {
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0, 0.0);
            if (!bent.elbow.exists || !elbow_fits(arc_tangent2(bent.elbow.v, bent.elbow.u))) continue;
            Swinging S, W;
            arm_.swinging(target, line, bent, S, W);
            double cut[2 * MOST_CUTS + width<Wide>];
            int cuts = cuts_of(shoulder_limits, S, cut);
            cuts += cuts_of(wrist_limits, W, cut + cuts);
            std::sort(cut, cut + cuts);
            double shoulder[2][2 * MOST_PIECES], wrist[2][2 * MOST_PIECES];
            look_between(arm_.shoulder_group(), shoulder_limits, S, cut, cut, cuts, EDGE, shoulder[0], shoulder[1]);
            look_between(arm_.wrist_group(), wrist_limits, W, cut, cut, cuts, EDGE, wrist[0], wrist[1]);
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b) {
                    const int branch = elbow * 4 + a * 2 + b;
                    int& count = counts[branch];
                    for (int k = 0; k < cuts && count < MOST; ++k)
                        if (shoulder[a][k] != 0.0 && wrist[b][k] != 0.0 && (count == 0 || cut[k] - out[branch][count - 1].high > EDGE))
                            out[branch][count++] = {cut[k], cut[k]};
                }
        }
    }

    // How far a joint may pass a limit at a swivel that stands alone, as a cosine: what rounding leaves, with room.
    static constexpr double EDGE = 1e-9;
    bool elbow_fits(double angle) const {
        bool inside = true;
        choose_turn(angle, 0.0, true, lower_[3], upper_[3], 0.0, inside);
        return inside;
    }

    Limits limits_of(const SphericalGroup& group, int first) const {
        constexpr int W = width<Wide>;
        constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
        Limits out;
        out.any = false;
        // bounds, then middles and halves; 0 where there is none
        double angle[2 * EQUATIONS] = {}, s[2 * EQUATIONS], c[2 * EQUATIONS];
        bool bounded[6];
        for (int k = 0; k < 3; ++k) {
            const double low = lower_[first + k], high = upper_[first + k];
            bounded[2 * k] = std::isfinite(low), bounded[2 * k + 1] = std::isfinite(high);
            out.any = out.any || bounded[2 * k] || bounded[2 * k + 1];
            if (bounded[2 * k]) angle[2 * k] = low;
            if (bounded[2 * k + 1]) angle[2 * k + 1] = high;
            out.half[k] = high - low < 2.0 * PI ? 0.0 : ALL_ROUND;
            if (out.half[k] == 0.0) angle[EQUATIONS + k] = 0.5 * (low + high), angle[EQUATIONS + 3 + k] = 0.5 * (high - low);
        }
        for (int k = 0; k < 2 * EQUATIONS; k += W) {
            Wide sine, cosine;
            sincos(load_lanes<W>(angle + k), sine, cosine);
            store_lanes<W>(sine, s + k), store_lanes<W>(cosine, c + k);
        }
        for (int k = 0; k < 3; ++k) {
            out.sine[k] = s[EQUATIONS + k], out.cosine[k] = c[EQUATIONS + k];
            if (out.half[k] == 0.0) out.half[k] = c[EQUATIONS + 3 + k];
        }
        const Vector3<double> z = {0, 0, 1}, row = {group.M2.x.z, group.M2.y.z, group.M2.z.z};
        auto put = [&](int k, const Vector3<double>& left, const Vector3<double>& right, bool exists, double value) {
            out.left[0][k] = left.x, out.left[1][k] = left.y, out.left[2][k] = left.z;
            out.right[0][k] = right.x, out.right[1][k] = right.y, out.right[2][k] = right.z;
            out.value[k] = exists ? value : NONE;
        };
        const double rho = std::sqrt(group.tilt.first * group.tilt.first + group.tilt.second * group.tilt.second);
        for (int k = 0; k < 2; ++k) {
            put(k, turned(group.M1.z, c[k], s[k]), z, bounded[k], group.M2.z.z);
            put(2 + k, z, z, bounded[2 + k], group.tilt.first * c[2 + k] + group.tilt.second * s[2 + k] + group.tilt.rest);
            put(4 + k, z, turned(row, c[4 + k], -s[4 + k]), bounded[4 + k], group.M1.z.z);
            put(6 + k, z, z, !group.right_angled, group.tilt.rest + (k ? -rho : rho));
        }
        return out;
    }

    // Where one group's joints fit, for both of its signs: arcs inside [-pi, pi], in order, apart.
    static void arcs_of(const SphericalGroup& group, const Limits& limits, const Swinging& G, Arc out[2][MOST_PIECES], int count[2]) {
        if (!limits.any && group.right_angled) {
            for (int a = 0; a < 2; ++a) out[a][0] = {-PI, PI}, count[a] = 1;
            return;
        }
        double cut[MOST_CUTS + 1], low[MOST_PIECES], high[MOST_PIECES];
        const int cuts = cuts_of(limits, G, cut);
        std::sort(cut, cut + cuts);
        cut[cuts] = PI;
        int pieces = 0;
        double place = -PI;
        for (int k = 0; k <= cuts; ++k)
            if (cut[k] > place) low[pieces] = place, high[pieces++] = place = cut[k];
        double inside[2][MOST_PIECES];
        look_between(group, limits, G, low, high, pieces, 0.0, inside[0], inside[1]);
        for (int a = 0; a < 2; ++a) {
            count[a] = 0;
            for (int k = 0; k < pieces; ++k) {
                if (inside[a][k] == 0.0) continue;
                if (k > 0 && inside[a][k - 1] != 0.0)
                    out[a][count[a] - 1].high = high[k];
                else
                    out[a][count[a]++] = {low[k], high[k]};
            }
        }
    }

    // The swivels at which the group meets its limits.
    static int cuts_of(const Limits& limits, const Swinging& G, double* cut) {
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
            const auto there = (disc >= Wide(0.0)) & (rho2 > Wide(NO_HOLD * NO_HOLD));
            if (!any(there)) continue;
            const Wide root = square_root(select(there, disc, Wide(0.0)));
            const Wide sine[2] = {madd(P, root, Q * d), nmadd(P, root, Q * d)}, cosine[2] = {nmadd(Q, root, P * d), madd(Q, root, P * d)};
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

    // Do the joints fit in the middle of each piece, or pass their limits by no more than some room? 1 or 0, for both signs.
    static void look_between(const SphericalGroup& group, const Limits& limits, const Swinging& G, const double* low, const double* high,
                             int pieces, double room, double* plus, double* minus) {
        constexpr int W = width<Wide>;
        const Wide rho2 = Wide(group.tilt.first * group.tilt.first + group.tilt.second * group.tilt.second + room);
        for (int k = 0; k < pieces; k += W) {
            double middle[W];
            for (int i = 0; i < W; ++i) middle[i] = k + i < pieces ? 0.5 * (low[k + i] + high[k + i]) : 0.0;
            Wide s, c;
            sincos(load_lanes<W>(middle), s, c);
            auto at = [&](const Vector3<double>& p, const Vector3<double>& q, const Vector3<double>& r) {
                auto number = [&](double P, double Q, double C) { return madd(Wide(P), c, madd(Wide(Q), s, Wide(C))); };
                return Vector3<Wide>{number(p.x, q.x, r.x), number(p.y, q.y, r.y), number(p.z, q.z, r.z)};
            };
            const Pose<Wide> R = {at(G.P.x, G.Q.x, G.C.x), at(G.P.y, G.Q.y, G.C.y), at(G.P.z, G.Q.z, G.C.z),
                                  {Wide(0.0), Wide(0.0), Wide(0.0)}};
            const Wide d = R.z.z - Wide(group.tilt.rest);
            const auto can = group.right_angled ? Wide(0.0) == Wide(0.0) : d * d <= rho2;
            for (int a = 0; a < 2; ++a) {
                const auto turns = group.turns(R, Wide(a ? -1.0 : 1.0), Wide(0.0));
                auto good = can;
                for (int j = 0; j < 3; ++j) {
                    const Wide &x = turns.cosine[j], &y = turns.sine[j], length = square_root(madd(x, x, y * y));
                    good = good & (madd(x, Wide(limits.cosine[j]), y * Wide(limits.sine[j])) >= Wide(limits.half[j] - room) * length);
                }
                store_lanes<W>(select(good, Wide(1.0), Wide(0.0)), (a ? minus : plus) + k);
            }
        }
    }

    // The common part of two rows of arcs; an arc that goes on over the half turn becomes one.
    template <int MOST> static int intersect(const Arc* a, int na, const Arc* b, int nb, Arc* out) {
        int count = 0;
        for (int i = 0, j = 0; i < na && j < nb;) {
            const double low = std::max(a[i].low, b[j].low), high = std::min(a[i].high, b[j].high);
            if (low < high && count < MOST) out[count++] = {low, high};
            (a[i].high < b[j].high ? i : j)++;
        }
        if (count > 1 && out[0].low == -PI && out[count - 1].high == PI) {
            out[count - 1].high = out[0].high + 2.0 * PI;
            for (int k = 1; k < count; ++k) out[k - 1] = out[k];
            --count;
        }
        return count;
    }

    const SwivelArm& arm_;
    const double *lower_, *upper_;
};

}  // namespace limbik
