// The swivels of an arm (swivel.hpp) at which all its joints keep their limits: exact ranges.
//
// What the shoulder or the wrist must do goes round with the swivel s, every entry as P cos s + Q sin s + C. A joint
// stands at a given angle exactly where one such expression has a given value: for the middle joint the tilt of the
// last axis, for an outer joint the tilt of what is left when that joint is undone. So the swivels at which a joint
// meets a limit are intersections of a line and a circle, at most two each; between neighbouring ones nothing changes,
// and one look in the middle decides. (The idea: Shimizu, Kakuya, Yoon, Kitagaki and Kosuge 2008, here for any bends
// between the axes and any elbow.)
//
// Rounding. A joint known only up to rounding may stand at its limit: at one swivel, where two limits meet or one is
// touched, or at all of them, where the joint does not move with the swivel. So a look gives ROOM, in the joint's own
// angle: it asks
//     sin(H - |x|) >= 0,   x from the middle of the limits, H = half their range + ROOM,
// which is as sharp for ranges of 1e-15 rad as for any. Between its cuts an excess goes as a sinusoid with its zeros at
// cuts: one of ROOM in the middle of a piece is 4 ROOM at its ends at the most, which is EDGE: postures are put inside
// limits from there. Touched limits make two cuts at one place, and a piece of no width is looked at as any other.
//
// Margins. What the shoulder must do is known up to `off` of a rotation, the wrist up to more (as in swivel_proof.hpp,
// but with rounding alone): the elbow's angle up to (what its equation is off by) / sine, and by the square root where
// it is straight; the line's direction up to (what the wrist is off by) / length. An outer joint of a group is off by
// that / across, where `across` is the sine between its first and last axis. Where all this is far below ROOM nothing
// more is done. Where the elbow is nearly straight or the line short, looks give that much more room. There, and where
// `across` is small somewhere, every cut is looked at with the margins, for points that stand alone. Where a group's
// first and last axis fall together they share one turn in any way: a point, too.
//
// An arc is doubtful where a margin decided. Whoever takes it puts a posture from there inside the limits and verifies
// it.
//
// The equations stand side by side in the lanes, and so do the looks.
#pragma once

#include <algorithm>
#include <limits>

#include "postures.hpp"

namespace limbik::closed_form {

struct Arc {
    double low, high;  // low <= high <= low + 2 pi
    bool doubtful;     // a margin decided: to be verified
};

class SwivelRanges {
  public:
    // Of all arcs together.
    struct Report {
        bool whole = true;      // surely none was left out
        bool doubtful = false;  // some are
    };

    SwivelRanges(const SwivelArm& arm, const double* lower, const double* upper)
        : arm_(arm), lower_(lower), upper_(upper) {}

    // Those of each branch (number = elbow * 4 + shoulder * 2 + wrist), at most MOST arcs each.
    template <int MOST> Report find(const Pose<double>& target, Arc out[][MOST], int counts[SWIVEL_BRANCHES]) const {
        const SwivelArm::Line<double> line = arm_.line(target);
        const Limits exact_shoulder = limits_of(arm_.shoulder_group(), 0, ROOM),
                     exact_wrist = limits_of(arm_.wrist_group(), 4, ROOM);
        int total = 0;
        bool delicate[2] = {};
        Report report;
        for (int elbow = 0; elbow < 2; ++elbow) {
            int* count = counts + elbow * 4;
            count[0] = count[1] = count[2] = count[3] = 0;
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0, 0.0);
            bool sure = bent.elbow.gap > 0.0;
            if (!bent.elbow.exists || !elbow_fits(target, line, bent, sure)) continue;
            Swinging S, W;
            arm_.swinging(target, line, bent, S, W);
            delicate[elbow] =
                bent.elbow.gap < WELL_BENT || line.length < SHORT_LINE * arm_.layout().scale || aligns(S) || aligns(W);
            Limits wide[2];
            bool wider = false;
            if (delicate[elbow]) [[unlikely]] {
                wider = widened(target, line, wide);
                sure = sure && !wider && !always_aligned(S) && !always_aligned(W);
                // where limits are nearly touched, ends of arcs move by far more than the margin: nothing is certain
                report.whole = false;
            }
            const Limits &shoulder_limits = wider ? wide[0] : exact_shoulder,
                         &wrist_limits = wider ? wide[1] : exact_wrist;
            Piece shoulder[2][MOST_PIECES], wrist[2][MOST_PIECES];
            int shoulders[2], wrists[2];
            arcs_of(arm_.shoulder_group(), 0, shoulder_limits, S, delicate[elbow], shoulder, shoulders);
            if (shoulders[0] + shoulders[1] == 0) continue;
            arcs_of(arm_.wrist_group(), 4, wrist_limits, W, delicate[elbow], wrist, wrists);
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b) {
                    auto meet_here = [&](double place) {
                        return meet(shoulder_limits, wrist_limits, S, W, a, b, place);
                    };
                    total += count[a * 2 + b] = intersect<MOST>(shoulder[a], shoulders[a], wrist[b], wrists[b], sure,
                                                                out[elbow * 4 + a * 2 + b], report, meet_here);
                }
        }
        if (total == 0 || delicate[0] || delicate[1]) [[unlikely]]
            find_points<MOST>(target, line, exact_shoulder, exact_wrist, total == 0, delicate, out, counts, report);
        return report;
    }

    // Postures of a branch at a swivel to begin with, put inside the limits: as it comes, and with the turn
    // that an aligned group's outer joints share divided so that both keep their limits. Returns how many.
    int starts(const Pose<double>& target, int branch, double swivel, const double* seed,
               double out[][SWIVEL_JOINTS]) const {
        const SwivelArm::Line<double> line = arm_.line(target);
        const double elbow = branch & 4 ? -1.0 : 1.0, shoulder = branch & 2 ? -1.0 : 1.0,
                     wrist = branch & 1 ? -1.0 : 1.0;
        const auto p = arm_.posture(target, line, swivel, elbow, shoulder, wrist, seed);
        for (int j = 0; j < SWIVEL_JOINTS; ++j) {
            if (!std::isfinite(p.q[j])) return 0;
            out[0][j] = out[1][j] = p.q[j];
        }
        Swinging S, W;
        arm_.swinging(target, line, arm_.bend(line.length, elbow, 0.0), S, W);
        const double s = std::sin(swivel), c = std::cos(swivel);
        const bool first = share(arm_.shoulder_group(), 0, S.at(c, s), shoulder, out[1]);
        const bool last = share(arm_.wrist_group(), 4, W.at(c, s), wrist, out[1]);
        // at the turn nearest the limits: what passes them by rounding is put onto them
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < SWIVEL_JOINTS; ++j) {
                const double half = 0.5 * (upper_[j] - lower_[j]), middle = lower_[j] + half;
                if (half < PI)
                    out[k][j] = std::clamp(middle + std::remainder(out[k][j] - middle, 2.0 * PI), lower_[j], upper_[j]);
            }
        return first || last ? 2 : 1;
    }

  private:
    // A group meets the ends of what it may do where left' G right = value: two bounds of three joints, and the two
    // ends of what the bends allow. Two swivels each, and two more where the last axis comes nearest the first, because
    // turns are quick there.
    static constexpr int EQUATIONS = 8, MOST_CUTS = 2 * EQUATIONS + 2;
    // Pieces between cuts, and spare lanes.
    static constexpr int MOST_PIECES = MOST_CUTS + 1 + width<Wide>;

    // Part of a circle, between -pi and pi.
    struct Piece {
        double low, high;
    };
    struct Limits {
        double left[3][EQUATIONS], right[3][EQUATIONS], value[EQUATIONS];  // NaN: no such end
        // A joint's middle, and half its range with room: by sine and cosine
        double sine[3], cosine[3], half_sine[3], half_cosine[3], room;
        bool any;
    };
    // How far a joint may pass a limit in the middle of a piece [rad]; an equation whose discriminant misses by so much
    // is met.
    static constexpr double ROOM = 0.25 * EDGE, TOUCHES = 4.0;
    // Arcs narrower, or apart by less, are a matter of rounding [rad]; points nearer than SAME_POINT are one.
    static constexpr double NARROW = 1e-6, SAME_POINT = 1e-9;
    // From here on margins lie far below ROOM: the elbow's squared sine, the line as a part of the scale, one minus the
    // cosine between a group's first and last axis.
    static constexpr double WELL_BENT = 1e-5, SHORT_LINE = 1e-2, WELL_TILTED = 1e-9;
    // Across each other by less, an outer joint of a group may be moved at the cost of the other [sine].
    static constexpr double SHARED = 1e-6;

    // Does the last axis come near the first at some swivel, or at all?
    static bool aligns(const Swinging& G) {
        const double P = G.P.z.z, Q = G.Q.z.z, left = 1.0 - WELL_TILTED - std::fabs(G.C.z.z);
        return !(left > 0.0) || P * P + Q * Q > left * left;
    }
    static bool always_aligned(const Swinging& G) {
        return dot(G.P.z, G.P.z) + dot(G.Q.z, G.Q.z) + G.C.z.x * G.C.z.x + G.C.z.y * G.C.z.y <= FAMILY * FAMILY;
    }

    // How far the elbow's angle and the rotations of shoulder and wrist may be off.
    struct Margins {
        double elbow, shoulder, wrist;
    };
    [[gnu::noinline]] Margins margins(const Pose<double>& target, const SwivelArm::Line<double>& line) const {
        const double far = 4.0 * arm_.layout().scale + std::sqrt(dot(target.origin, target.origin)) + arm_.lever();
        const double shift = MODEL_ROUNDING * far;
        const Spread elbow = arm_.elbow_spread(line.length, shift);
        const double by = elbow.none ? 0.0 : elbow.by;
        const double off = spread_of_direction(line.length, shift + arm_.forearm() * by) + MODEL_ROUNDING;
        return {by, off, off + by + MODEL_ROUNDING};
    }
    // Limits with the margins' room, of the shoulder and the wrist; false where the margins do not count.
    [[gnu::noinline]] bool widened(const Pose<double>& target, const SwivelArm::Line<double>& line,
                                   Limits out[2]) const {
        const Margins off = margins(target, line);
        if (off.wrist < 0.25 * ROOM) return false;
        out[0] = limits_of(arm_.shoulder_group(), 0, ROOM + off.shoulder),
        out[1] = limits_of(arm_.wrist_group(), 4, ROOM + off.wrist);
        return true;
    }
    // What a target made of a posture is off by, and what is made of it [parts of the lengths that it is made of].
    static constexpr double MODEL_ROUNDING = 2.0 * ROUNDING;

    // Points that stand alone: where limits are met, and none is passed by more than the margins.
    template <int MOST> [[gnu::noinline]] void find_points(const Pose<double>& target,
                                                           const SwivelArm::Line<double>& line,
                                                           const Limits& shoulder_limits, const Limits& wrist_limits,
                                                           bool all, const bool delicate[2], Arc out[][MOST],
                                                           int counts[SWIVEL_BRANCHES], Report& report) const {
        const Margins off = margins(target, line);
        for (int elbow = 0; elbow < 2; ++elbow) {
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0, 0.0);
            bool sure;
            if (!(all || delicate[elbow]) || !bent.elbow.exists || !elbow_fits(target, line, bent, sure)) continue;
            Swinging S, W;
            arm_.swinging(target, line, bent, S, W);
            double cut[2 * MOST_CUTS + width<Wide>];
            int cuts = cuts_of(shoulder_limits, S, TOUCHES * (ROOM + off.shoulder), cut);
            cuts += cuts_of(wrist_limits, W, TOUCHES * (ROOM + off.wrist), cut + cuts);
            std::sort(cut, cut + cuts);
            for (int k = 0; k < cuts; ++k) {
                const double s = std::sin(cut[k]), c = std::cos(cut[k]);
                bool in_shoulder[2], in_wrist[2];
                passes(arm_.shoulder_group(), 0, S.at(c, s), off.shoulder, in_shoulder);
                passes(arm_.wrist_group(), 4, W.at(c, s), off.wrist, in_wrist);
                for (int a = 0; a < 2; ++a)
                    for (int b = 0; b < 2; ++b)
                        if (in_shoulder[a] && in_wrist[b])
                            add_point<MOST>(cut[k], out[elbow * 4 + a * 2 + b], counts[elbow * 4 + a * 2 + b], report);
            }
        }
        for (int b = 0; b < SWIVEL_BRANCHES; ++b)
            std::sort(out[b], out[b] + counts[b], [](const Arc& x, const Arc& y) { return x.low < y.low; });
    }
    // A point in no arc, unless that is doubtful itself.
    template <int MOST> static void add_point(double place, Arc* out, int& count, Report& report) {
        for (int k = 0; k < count; ++k)
            for (const double turn : {-2.0 * PI, 0.0, 2.0 * PI})
                if ((!out[k].doubtful || out[k].low == out[k].high) && place + turn >= out[k].low - SAME_POINT &&
                    place + turn <= out[k].high + SAME_POINT)
                    return;
        if (count < MOST) out[count++] = {place, place, true}, report.doubtful = true;
        else report.whole = false;
    }
    // May a group keep its limits, for a rotation within `off`? For both signs.
    void passes(const SphericalGroup& group, int first, const Pose<double>& G, double off, bool out[2]) const {
        const GroupSpread spread = group.spread(G, off);
        for (int a = 0; a < 2; ++a) {
            out[a] = !spread.none;
            if (spread.none) continue;
            const auto turns = group.turns(G, a ? -1.0 : 1.0, 0.0);
            for (int k = 0; k < 3; ++k)
                out[a] = out[a] && (spread.by[k] >= ANY_ANGLE ||
                                    angle_outside(std::atan2(turns.sine[k], turns.cosine[k]), lower_[first + k],
                                                  upper_[first + k]) <= spread.by[k] + ROOM);
        }
    }

    // The outer joints of a group whose first and last axis lie on one line: q3 = sum - way q1, where the middle joint
    // stays.
    struct Shared {
        double sum, way, middle;
    };
    static Shared shared(const SphericalGroup& group, const Pose<double>& G, double sign) {
        const auto turns = group.turns(G, sign, 0.0);
        const Vector3<double> X = rotate(group.M1, turned(group.M2.x, turns.cosine[1], turns.sine[1]));
        const Vector3<double> Y = rotate(group.M1, turned(group.M2.y, turns.cosine[1], turns.sine[1]));
        double s, c;
        last_turn(X, Y, G, s, c);
        return {std::atan2(s, c), G.z.z > 0.0 ? 1.0 : -1.0, std::atan2(turns.sine[1], turns.cosine[1])};
    }
    // Both in the middle of what they may do together. False where they share nothing, or no way of sharing keeps the
    // limits.
    bool share(const SphericalGroup& group, int first, const Pose<double>& G, double sign, double* q) const {
        if (std::hypot(G.z.x, G.z.y) > SHARED) return false;
        const Shared turn = shared(group, G, sign);
        double best = -NARROW, at = 0.0;
        for (int round = -2; round <= 2; ++round) {
            // way q1 = sum - q3
            const double sum = turn.sum + 2.0 * PI * round;
            double low = sum - upper_[first + 2], high = sum - lower_[first + 2];
            if (turn.way < 0.0) std::swap(low, high), low = -low, high = -high;
            low = std::max({low, lower_[first], -2.0 * PI}), high = std::min({high, upper_[first], 2.0 * PI});
            if (high - low > best) best = high - low, at = 0.5 * (low + high);
        }
        if (best <= -NARROW) return false;
        q[first] = at, q[first + 1] = turn.middle, q[first + 2] = turn.sum - turn.way * at;
        return true;
    }
    // Where a group whose axes stay on one line fits: what its outer joints share goes once round with the swivel, or
    // stays.
    [[gnu::noinline]] void shared_arcs(const SphericalGroup& group, int first, const Swinging& G,
                                       Piece out[2][MOST_PIECES], int count[2]) const {
        for (int a = 0; a < 2; ++a) {
            count[a] = 0;
            const double sign = a ? -1.0 : 1.0;
            const Shared turn = shared(group, G.at(1.0, 0.0), sign), later = shared(group, G.at(0.0, 1.0), sign);
            if (angle_outside(turn.middle, lower_[first + 1], upper_[first + 1]) > NARROW) continue;
            const double low3 = lower_[first + 2], high3 = upper_[first + 2], low1 = lower_[first],
                         high1 = upper_[first];
            const double low = turn.way > 0.0 ? low3 + low1 : low3 - high1,
                         high = turn.way > 0.0 ? high3 + high1 : high3 - low1;
            const double speed = std::nearbyint(std::remainder(later.sum - turn.sum, 2.0 * PI) / (0.5 * PI));
            if (!(high - low < 2.0 * PI) || (speed == 0.0 && angle_outside(turn.sum, low, high) <= ROOM)) {
                out[a][count[a]++] = {-PI, PI};
            } else if (speed != 0.0) {
                // sum + speed s from low to high
                const double middle = std::remainder((0.5 * (low + high) - turn.sum) / speed, 2.0 * PI),
                             half = 0.5 * (high - low);
                if (middle + half > PI) out[a][count[a]++] = {-PI, middle + half - 2.0 * PI};
                out[a][count[a]++] = {std::max(middle - half, -PI), std::min(middle + half, PI)};
                if (middle - half < -PI) out[a][count[a]++] = {middle - half + 2.0 * PI, PI};
            }
        }
    }

    // Do both groups keep their limits at a swivel, each with one of its signs?
    [[gnu::noinline]] bool meet(const Limits& shoulder_limits, const Limits& wrist_limits, const Swinging& S,
                                const Swinging& W, int a, int b, double place) const {
        double in_shoulder[2][width<Wide>], in_wrist[2][width<Wide>];
        look_between(arm_.shoulder_group(), shoulder_limits, S, &place, &place, 1, in_shoulder[0], in_shoulder[1]);
        look_between(arm_.wrist_group(), wrist_limits, W, &place, &place, 1, in_wrist[0], in_wrist[1]);
        return in_shoulder[a][0] != 0.0 && in_wrist[b][0] != 0.0;
    }

    // Does the elbow keep its limits? Not `sure` where only its margin says so.
    bool elbow_fits(const Pose<double>& target, const SwivelArm::Line<double>& line,
                    const SwivelArm::Bent<double>& bent, bool& sure) const {
        const double angle = arc_tangent2(bent.elbow.v, bent.elbow.u);
        bool inside = true;
        choose_turn(angle, 0.0, true, lower_[3], upper_[3], ROOM, inside);
        if (inside) return true;
        if (bent.elbow.gap >= WELL_BENT) return false;
        sure = false;
        return angle_outside(angle, lower_[3], upper_[3]) <= margins(target, line).elbow + ROOM;
    }

    Limits limits_of(const SphericalGroup& group, int first, double room) const {
        constexpr int W = width<Wide>;
        constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
        Limits out;
        out.any = false, out.room = room;
        // bounds, then middles and halves; 0 where there is none
        double angle[2 * EQUATIONS] = {}, s[2 * EQUATIONS], c[2 * EQUATIONS];
        bool bounded[6], round[3];
        for (int k = 0; k < 3; ++k) {
            const double low = lower_[first + k], high = upper_[first + k];
            bounded[2 * k] = std::isfinite(low), bounded[2 * k + 1] = std::isfinite(high);
            out.any = out.any || bounded[2 * k] || bounded[2 * k + 1];
            if (bounded[2 * k]) angle[2 * k] = low;
            if (bounded[2 * k + 1]) angle[2 * k + 1] = high;
            // a whole turn or more is kept everywhere
            round[k] = !(high - low < 2.0 * (PI - room));
            if (!round[k])
                angle[EQUATIONS + k] = 0.5 * (low + high), angle[EQUATIONS + 3 + k] = 0.5 * (high - low) + room;
        }
        for (int k = 0; k < 2 * EQUATIONS; k += W) {
            Wide sine, cosine;
            sincos(load_lanes<W>(angle + k), sine, cosine);
            store_lanes<W>(sine, s + k), store_lanes<W>(cosine, c + k);
        }
        for (int k = 0; k < 3; ++k) {
            out.sine[k] = s[EQUATIONS + k], out.cosine[k] = c[EQUATIONS + k];
            out.half_sine[k] = round[k] ? 0.0 : s[EQUATIONS + 3 + k],
            out.half_cosine[k] = round[k] ? -1.0 : c[EQUATIONS + 3 + k];
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
            put(2 + k, z, z, bounded[2 + k],
                group.tilt.first * c[2 + k] + group.tilt.second * s[2 + k] + group.tilt.rest);
            put(4 + k, z, turned(row, c[4 + k], -s[4 + k]), bounded[4 + k], group.M1.z.z);
            put(6 + k, z, z, !group.right_angled, group.tilt.rest + (k ? -rho : rho));
        }
        return out;
    }

    // Where one group's joints fit, for both of its signs: arcs inside [-pi, pi], in order, apart.
    void arcs_of(const SphericalGroup& group, int first, const Limits& limits, const Swinging& G, bool delicate,
                 Piece out[2][MOST_PIECES], int count[2]) const {
        if (!limits.any && group.right_angled) {
            for (int a = 0; a < 2; ++a) out[a][0] = {-PI, PI}, count[a] = 1;
            return;
        }
        if (delicate && always_aligned(G)) [[unlikely]]
            return shared_arcs(group, first, G, out, count);
        double cut[MOST_CUTS + 1], low[MOST_PIECES], high[MOST_PIECES];
        const int cuts = cuts_of(limits, G, TOUCHES * limits.room, cut), pieces = cuts + 1;
        std::sort(cut, cut + cuts);
        low[0] = -PI, high[cuts] = PI;
        for (int k = 0; k < cuts; ++k) high[k] = low[k + 1] = cut[k];
        double inside[2][MOST_PIECES];
        look_between(group, limits, G, low, high, pieces, inside[0], inside[1]);
        for (int a = 0; a < 2; ++a) {
            count[a] = 0;
            for (int k = 0; k < pieces; ++k) {
                if (inside[a][k] == 0.0) continue;
                if (k > 0 && inside[a][k - 1] != 0.0) out[a][count[a] - 1].high = high[k];
                else out[a][count[a]++] = {low[k], high[k]};
            }
        }
    }

    // The swivels at which the group meets its limits, or misses them by less than `touch`.
    static int cuts_of(const Limits& limits, const Swinging& G, double touch, double* cut) {
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

    // Do the joints fit in the middle of each piece, or pass their limits by no more than the room? 1 or 0, for both
    // signs.
    static void look_between(const SphericalGroup& group, const Limits& limits, const Swinging& G, const double* low,
                             const double* high, int pieces, double* plus, double* minus) {
        constexpr int W = width<Wide>;
        const Wide rho2 =
            Wide(group.tilt.first * group.tilt.first + group.tilt.second * group.tilt.second + limits.room);
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
                const auto turns = group.turns(R, Wide(a ? -1.0 : 1.0), Wide(0.0));
                auto good = can;
                for (int j = 0; j < 3; ++j) {
                    const Wide &x = turns.cosine[j], &y = turns.sine[j], m = Wide(limits.cosine[j]),
                               n = Wide(limits.sine[j]);
                    const Wide along = madd(x, m, y * n), across = absolute(nmadd(x, n, y * m));
                    good = good & (along * Wide(limits.half_sine[j]) >= across * Wide(limits.half_cosine[j]));
                }
                store_lanes<W>(select(good, Wide(1.0), Wide(0.0)), (a ? minus : plus) + k);
            }
        }
    }

    // The common part of two rows of arcs; an arc that goes on over the half turn becomes one. Arcs whose ends miss
    // each other by rounding have a point in common where `meet` says so.
    template <int MOST, class Meet> static int intersect(const Piece* a, int na, const Piece* b, int nb, bool sure,
                                                         Arc* out, Report& report, const Meet& meet) {
        int count = 0;
        auto add = [&](double low, double high) {
            const bool doubtful = !sure || high - low <= NARROW;
            if (count == MOST) report.whole = false;
            else out[count++] = {low, high, doubtful}, report.doubtful = report.doubtful || doubtful;
        };
        for (int i = 0, j = 0; i < na && j < nb;) {
            const double low = std::max(a[i].low, b[j].low), high = std::min(a[i].high, b[j].high);
            if (low <= high) add(low, high);
            else if (low - high < NARROW && meet(0.5 * (low + high))) [[unlikely]]
                add(0.5 * (low + high), 0.5 * (low + high));
            (a[i].high < b[j].high ? i : j)++;
        }
        if (count > 1 && out[0].low == -PI && out[count - 1].high == PI) {
            const double high = out[0].high + 2.0 * PI;
            out[count - 1].high = high, out[count - 1].doubtful = !sure || high - out[count - 1].low <= NARROW;
            for (int k = 1; k < count; ++k) out[k - 1] = out[k];
            --count;
        } else if (na > 0 && nb > 0 &&
                   ((a[0].low <= NARROW - PI && b[nb - 1].high >= PI - NARROW) ||
                    (b[0].low <= NARROW - PI && a[na - 1].high >= PI - NARROW))) {
            // ends that meet over the half turn
            const bool known = count > 0 && (out[0].low <= NARROW - PI || out[count - 1].high >= PI - NARROW);
            if (!known && meet(PI)) add(PI, PI);
        }
        return count;
    }

    const SwivelArm& arm_;
    const double *lower_, *upper_;
};

}  // namespace limbik::closed_form
