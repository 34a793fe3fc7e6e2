// The ranges of the swivel (swivel.hpp) in which all joints keep their limits.
//
// The rotations of shoulder and wrist are functions of the swivel s, every entry P cos s + Q sin s + C. A joint has a
// given angle exactly where one such expression has a given value: for the middle joint the tilt of the last axis, for
// an outer joint the tilt of the remaining rotation. So the swivels at which a joint reaches a limit are intersections
// of a line and a circle, at most two each. Between neighbouring ones feasibility is constant, and one check in the
// middle decides (Shimizu, Kakuya, Yoon, Kitagaki and Kosuge 2008, here for any bends between the axes and any elbow).
//
// Rounding. A joint known only up to rounding may be at its limit: at one swivel, where two limits coincide or one is
// touched, or at all swivels, where the joint does not depend on the swivel. So a check allows LIMIT_ROOM in the
// joint's angle:
//     sin(H - |x|) >= 0,   x from the middle of the limits, H = half their range + LIMIT_ROOM,
// which is as sharp for ranges of 1e-15 rad as for any. Between cuts a violation is a sinusoid with its zeros at cuts:
// one of LIMIT_ROOM in the middle of a piece is at most 4 LIMIT_ROOM = EDGE anywhere in it, and configurations are
// clamped to limits from there. A touched limit makes two cuts at one swivel; a piece of no width is checked as well.
//
// Margins. The rotation of the shoulder is known up to `off`, that of the wrist up to more (as in swivel_proof.hpp,
// with rounding alone): the elbow's angle up to (error of its equation) / sine, by the square root where the elbow is
// straight; the line's direction up to (error of the wrist's position) / length. An outer joint of a group is known up
// to that / across, where `across` is the sine between the group's first and last axis. Where all this is far below
// LIMIT_ROOM nothing more is done. Where the elbow is nearly straight or the line short, checks allow that much more.
// There, and where `across` is small at some swivel, every cut is checked with the margins, for isolated points. A
// group whose first and last axis are collinear, so that only the sum of its outer joints is determined, gives points
// too.
//
// An arc is doubtful where a margin decided: a configuration from it must be clamped to the limits and verified.
//
// Equations and checks run side by side in the lanes.
#pragma once

#include <algorithm>

#include "shared_rotation.hpp"

namespace limbik::closed_form {

struct Arc {
    double low, high;  // low <= high <= low + 2 pi
    bool doubtful;     // a margin decided: to be verified
};

class SwivelRanges {
  public:
    // What is known about all arcs together.
    struct Report {
        bool whole = true;      // no arc is missing
        bool doubtful = false;  // some arc is doubtful
    };

    SwivelRanges(const SwivelArm& arm, const double* lower, const double* upper)
        : arm_(arm), lower_(lower), upper_(upper) {}

    // The arcs of each branch (number = elbow * 4 + shoulder * 2 + wrist), at most MOST each.
    template <int MOST> Report find(const Pose<double>& target, Arc out[][MOST], int counts[SWIVEL_BRANCHES]) const {
        const SwivelArm::Line<double> line = arm_.line(target);
        const GroupLimits exact_shoulder = limits_of(arm_.shoulder_group(), lower_, upper_, LIMIT_ROOM),
                          exact_wrist = limits_of(arm_.wrist_group(), lower_ + 4, upper_ + 4, LIMIT_ROOM);
        int total = 0;
        bool delicate[2] = {};
        Report report;
        for (int elbow = 0; elbow < 2; ++elbow) {
            int* count = counts + elbow * 4;
            count[0] = count[1] = count[2] = count[3] = 0;
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0);
            bool sure = bent.elbow.gap > 0.0;
            if (!bent.elbow.exists || !elbow_fits(target, line, bent, sure)) continue;
            SwivelRotation S, W;
            arm_.rotations_over_swivel(target, line, bent, S, W);
            delicate[elbow] =
                bent.elbow.gap < WELL_BENT || line.length < SHORT_LINE * arm_.loop().scale || aligns(S) || aligns(W);
            GroupLimits wide[2];
            bool wider = false;
            if (delicate[elbow]) [[unlikely]] {
                wider = widened(target, line, wide);
                sure = sure && !wider && !always_aligned(S) && !always_aligned(W);
                // where limits are nearly tangent, ends of arcs move by far more than the margin
                report.whole = false;
            }
            const GroupLimits &shoulder_limits = wider ? wide[0] : exact_shoulder,
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

    // Starts of a search for a branch at a swivel, clamped to the limits: the computed configuration, and the one in
    // which the outer joints of a collinear group share their rotation inside the limits. Returns how many.
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
        SwivelRotation S, W;
        arm_.rotations_over_swivel(target, line, arm_.bend(line.length, elbow), S, W);
        const double s = std::sin(swivel), c = std::cos(swivel);
        const bool first = share(arm_.shoulder_group(), lower_, upper_, S.at(c, s), shoulder, out[1]);
        const bool last = share(arm_.wrist_group(), lower_ + 4, upper_ + 4, W.at(c, s), wrist, out[1] + 4);
        // at the 2-pi copy closest to the limits, clamped to them
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < SWIVEL_JOINTS; ++j) {
                const double half = 0.5 * (upper_[j] - lower_[j]), middle = lower_[j] + half;
                if (half < PI) out[k][j] = std::clamp(middle + wrap(out[k][j] - middle), lower_[j], upper_[j]);
            }
        return first || last ? 2 : 1;
    }

  private:
    // A discriminant negative by up to so many rooms counts as zero; points closer than SAME_POINT are the same [rad].
    static constexpr double TOUCHES = 4.0, SAME_POINT = 1e-9;
    // Above these, margins are far below LIMIT_ROOM: the elbow's squared sine, the line as a part of the scale, one
    // minus the cosine between a group's first and last axis.
    static constexpr double WELL_BENT = 1e-5, SHORT_LINE = 1e-2, WELL_TILTED = 1e-9;
    // Whether the last axis comes close to the first at some swivel; at every swivel.
    static bool aligns(const SwivelRotation& G) {
        const double P = G.P.z.z, Q = G.Q.z.z, left = 1.0 - WELL_TILTED - std::fabs(G.C.z.z);
        return !(left > 0.0) || P * P + Q * Q > left * left;
    }
    static bool always_aligned(const SwivelRotation& G) {
        return dot(G.P.z, G.P.z) + dot(G.Q.z, G.Q.z) + G.C.z.x * G.C.z.x + G.C.z.y * G.C.z.y <= FAMILY * FAMILY;
    }

    // The uncertainty of the elbow's angle and of the rotations of shoulder and wrist [rad].
    struct Margins {
        double elbow, shoulder, wrist;
    };
    [[gnu::noinline]] Margins margins(const Pose<double>& target, const SwivelArm::Line<double>& line) const {
        const double far = 4.0 * arm_.loop().scale + std::sqrt(dot(target.origin, target.origin)) + arm_.wrist_to_tip();
        const double shift = MODEL_ROUNDING * far;
        const Spread elbow = arm_.elbow_spread(line.length, shift);
        const double by = elbow.none ? 0.0 : elbow.by;
        const double off = spread_of_direction(line.length, shift + arm_.wrist_to_elbow_axis() * by) + MODEL_ROUNDING;
        return {by, off, off + by + MODEL_ROUNDING};
    }
    // The limits of shoulder and wrist, widened by the margins; false where the margins are negligible.
    [[gnu::noinline]] bool widened(const Pose<double>& target, const SwivelArm::Line<double>& line,
                                   GroupLimits out[2]) const {
        const Margins off = margins(target, line);
        if (off.wrist < 0.25 * LIMIT_ROOM) return false;
        out[0] = limits_of(arm_.shoulder_group(), lower_, upper_, LIMIT_ROOM + off.shoulder),
        out[1] = limits_of(arm_.wrist_group(), lower_ + 4, upper_ + 4, LIMIT_ROOM + off.wrist);
        return true;
    }
    // The rounding of a target computed from a configuration [parts of the lengths involved].
    static constexpr double MODEL_ROUNDING = 2.0 * ROUNDING;

    // Isolated points: where limits are reached, and none is violated by more than the margins.
    template <int MOST>
    [[gnu::noinline]] void find_points(const Pose<double>& target, const SwivelArm::Line<double>& line,
                                       const GroupLimits& shoulder_limits, const GroupLimits& wrist_limits, bool all,
                                       const bool delicate[2], Arc out[][MOST], int counts[SWIVEL_BRANCHES],
                                       Report& report) const {
        const Margins off = margins(target, line);
        for (int elbow = 0; elbow < 2; ++elbow) {
            const SwivelArm::Bent<double> bent = arm_.bend(line.length, elbow ? -1.0 : 1.0);
            bool sure;
            if (!(all || delicate[elbow]) || !bent.elbow.exists || !elbow_fits(target, line, bent, sure)) continue;
            SwivelRotation S, W;
            arm_.rotations_over_swivel(target, line, bent, S, W);
            double cut[2 * MOST_CUTS + width<Wide>];
            int cuts = cuts_of(shoulder_limits, S, TOUCHES * (LIMIT_ROOM + off.shoulder), cut);
            cuts += cuts_of(wrist_limits, W, TOUCHES * (LIMIT_ROOM + off.wrist), cut + cuts);
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
    // Add a point that is in no arc, or in a doubtful one.
    template <int MOST> static void add_point(double place, Arc* out, int& count, Report& report) {
        for (int k = 0; k < count; ++k)
            for (const double turn : {-TURN, 0.0, TURN})
                if ((!out[k].doubtful || out[k].low == out[k].high) && place + turn >= out[k].low - SAME_POINT &&
                    place + turn <= out[k].high + SAME_POINT)
                    return;
        if (count < MOST) out[count++] = {place, place, true}, report.doubtful = true;
        else report.whole = false;
    }
    // Whether a group may keep its limits for some rotation within `off` [rad], for both signs.
    void passes(const SphericalGroup& group, int first, const Pose<double>& G, double off, bool out[2]) const {
        const GroupSpread spread = group.spread(G, off);
        for (int a = 0; a < 2; ++a) {
            out[a] = !spread.none;
            if (spread.none) continue;
            const auto rotations = group.rotations(G, a ? -1.0 : 1.0, 0.0);
            for (int k = 0; k < 3; ++k)
                out[a] = out[a] && (spread.by[k] >= ANY_ANGLE ||
                                    angle_outside(std::atan2(rotations.sine[k], rotations.cosine[k]), lower_[first + k],
                                                  upper_[first + k]) <= spread.by[k] + LIMIT_ROOM);
        }
    }

    // Whether both groups keep their limits at a swivel, with signs a and b.
    [[gnu::noinline]] bool meet(const GroupLimits& shoulder_limits, const GroupLimits& wrist_limits,
                                const SwivelRotation& S, const SwivelRotation& W, int a, int b, double place) const {
        double in_shoulder[2][width<Wide>], in_wrist[2][width<Wide>];
        check_middles(arm_.shoulder_group(), shoulder_limits, S, &place, &place, 1, in_shoulder[0], in_shoulder[1]);
        check_middles(arm_.wrist_group(), wrist_limits, W, &place, &place, 1, in_wrist[0], in_wrist[1]);
        return in_shoulder[a][0] != 0.0 && in_wrist[b][0] != 0.0;
    }

    // Whether the elbow is inside its limits; sets `sure` to false where its margin decides.
    bool elbow_fits(const Pose<double>& target, const SwivelArm::Line<double>& line,
                    const SwivelArm::Bent<double>& bent, bool& sure) const {
        const double angle = arc_tangent2(bent.elbow.v, bent.elbow.u);
        bool inside = true;
        nearest_copy(angle, 0.0, true, lower_[3], upper_[3], LIMIT_ROOM, inside);
        if (inside) return true;
        if (bent.elbow.gap >= WELL_BENT) return false;
        sure = false;
        return angle_outside(angle, lower_[3], upper_[3]) <= margins(target, line).elbow + LIMIT_ROOM;
    }

    // The arcs in which one group keeps its limits, for both signs: inside [-pi, pi], in order, disjoint.
    void arcs_of(const SphericalGroup& group, int first, const GroupLimits& limits, const SwivelRotation& G,
                 bool delicate, Piece out[2][MOST_PIECES], int count[2]) const {
        if (!limits.any && group.right_angled) {
            for (int a = 0; a < 2; ++a) out[a][0] = {-PI, PI}, count[a] = 1;
            return;
        }
        if (delicate && always_aligned(G)) [[unlikely]]
            return shared_arcs(group, lower_ + first, upper_ + first, G, out, count);
        double bounds[MOST_CUTS + 2];
        bounds[0] = -PI;
        const int cuts = cuts_of(limits, G, TOUCHES * limits.room, bounds + 1), pieces = cuts + 1;
        std::sort(bounds + 1, bounds + pieces);
        bounds[pieces] = PI;
        double inside[2][MOST_PIECES];
        check_middles(group, limits, G, bounds, bounds + 1, pieces, inside[0], inside[1]);
        for (int a = 0; a < 2; ++a)
            count[a] = join_pieces(
                bounds, pieces, [&](int k) { return inside[a][k] != 0.0; }, out[a]);
    }

    // The intersection of two lists of arcs; arcs that join at +-pi become one. Arcs whose ends miss each other by
    // rounding share a point where `meet` is true.
    template <int MOST, class Meet> static int intersect(const Piece* a, int na, const Piece* b, int nb, bool sure,
                                                         Arc* out, Report& report, const Meet& meet) {
        int count = 0;
        auto add = [&](double low, double high) {
            const bool doubtful = !sure || high - low <= NARROW_ARC;
            if (count == MOST) report.whole = false;
            else out[count++] = {low, high, doubtful}, report.doubtful = report.doubtful || doubtful;
        };
        for (int i = 0, j = 0; i < na && j < nb;) {
            const double low = std::max(a[i].low, b[j].low), high = std::min(a[i].high, b[j].high);
            if (low <= high) add(low, high);
            else if (low - high < NARROW_ARC && meet(0.5 * (low + high))) [[unlikely]]
                add(0.5 * (low + high), 0.5 * (low + high));
            (a[i].high < b[j].high ? i : j)++;
        }
        const int joined = join_over_half_turn(out, count);
        if (joined < count) {
            count = joined;
            Arc& last = out[count - 1];
            last.doubtful = !sure || last.high - last.low <= NARROW_ARC;
        } else if (na > 0 && nb > 0 &&
                   ((a[0].low <= NARROW_ARC - PI && b[nb - 1].high >= PI - NARROW_ARC) ||
                    (b[0].low <= NARROW_ARC - PI && a[na - 1].high >= PI - NARROW_ARC))) {
            // ends that meet at +-pi
            const bool known = count > 0 && (out[0].low <= NARROW_ARC - PI || out[count - 1].high >= PI - NARROW_ARC);
            if (!known && meet(PI)) add(PI, PI);
        }
        return count;
    }

    const SwivelArm& arm_;
    const double *lower_, *upper_;
};

}  // namespace limbik::closed_form
