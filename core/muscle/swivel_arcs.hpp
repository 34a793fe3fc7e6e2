// Every posture of a shoulder-elbow arm whose tip is at a point and whose muscles are in their ranges: arcs of the
// swivel.
//
// Two elbows, two ways to split the shoulder's rotation, and the swivel psi (shoulder_elbow.hpp). The circle of psi is
// cut where a limit or a range may be met (swivel_cuts.hpp), and a look at the middle of each piece decides
// (geometry/arcs.hpp). The arcs are exact, and where there are none that is proven. Muscles of another sort (several
// moving pieces, a pulley and a moving piece) are looked at closely but prove nothing.
//
// closed_form/swivel_ranges.hpp finds such arcs for a shoulder, an elbow and a wrist. Its looks give a margin for
// rounding, because its arcs prove where no posture is; here a look computes the joints and the muscles, and a posture
// is what counts.
//
// Among the arcs the swivel is chosen whose muscles are best in the middle of their ranges: the least sum of
// off_centre^8, which is all but the greatest of them, and does not stop at a muscle that the swivel cannot change.
#pragma once

#include <algorithm>

#include "swivel_cuts.hpp"

namespace limbik::muscle {

class MuscleSwivel {
  public:
    // A length beyond its range by this part of half of it is rounding.
    static constexpr double ROUND_OFF = 1e-12;
    enum Outcome { solved = 0, out_of_reach = 1, limits = 2, not_found = 3 };
    enum Reason { none, too_far, too_near, elbow_limit, joint_limits, muscle_ranges };

    struct Stretch {
        int elbow, way;  // which of the two of each
        double low, high;
    };
    struct Result {
        Outcome outcome = not_found;
        Reason reason = none;
        double q[4] = {}, swivel = 0.0, worst = HUGE_VAL;  // `worst`: the greatest off_centre
        int elbow = 0, way = 0;
        long looks = 0;  // postures computed
        std::vector<Stretch> stretches;
    };

    // `down`: where an elbow with a swivel of 0 points, as far as it can.
    MuscleSwivel(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* lower,
                 const double* upper, const Point& down)
        : k_(k), arm_(arm), muscles_(muscles), cuts_(k, arm, muscles, lower, upper, down) {}

    // The best posture for a tip at p. `nearest`: by the distance from the seed instead of by the muscles. `only`: at
    // this swivel. `tolerance`: how far from p the tip may be where the elbow comes no nearer.
    Result solve(const Point& p, const double* seed, bool nearest, const double* only = nullptr,
                 double tolerance = 0.0) const {
        Result out;
        const Point t = p - arm_.shoulder;
        const double d = norm(t);
        double angle[2];
        const double able = std::clamp(d, arm_.nearest(), arm_.farthest());
        if (!arm_.elbows(std::fabs(d - able) <= tolerance ? able : d, angle)) {
            out.outcome = out_of_reach, out.reason = d > arm_.farthest() ? too_far : too_near;
            return out;
        }
        out.outcome = limits, out.reason = elbow_limit;
        const int elbows = angle[0] == angle[1] ? 1 : 2;
        Best best;
        best.nearest = nearest;
        Best missed;  // the least bad posture whose joints keep their limits
        for (int e = 0; e < elbows; ++e) {
            bool inside = true;
            double q4 = nearest_copy(angle[e], seed[3], true, cuts_.lower[3], cuts_.upper[3], EDGE, inside);
            if (!inside && !at_limit(d, angle[e], tolerance, q4)) continue;
            if (out.reason == elbow_limit) out.reason = joint_limits;
            const SwivelFamily family = cuts_.family_of(t, d, q4);
            const std::vector<double> cuts = only ? std::vector<double>{*only, *only} : cuts_.cuts_of(family);
            for (int way = 0; way < 2; ++way) {
                std::vector<Stretch> found = stretches(family, e, way, cuts, seed, missed);
                for (const Stretch& s : found) search(family, s, seed, best);
                out.stretches.insert(out.stretches.end(), found.begin(), found.end());
            }
            out.looks += family.looks;
        }
        if (best.score < HUGE_VAL) {
            out.outcome = solved, out.reason = none;
            take(best, out);
            return out;
        }
        if (missed.score < HUGE_VAL) out.reason = muscle_ranges, take(missed, out);
        // a muscle of another sort proves nothing, nor does one that counts turns where only one of several was looked
        // at, nor one of the many directions of a tip at the shoulder; the elbow does
        if (out.reason != elbow_limit &&
            ((!cuts_.exact() && !only) || cuts_.turns() || d <= ShoulderElbow::MEET * arm_.size))
            out.outcome = not_found;
        return out;
    }

    bool exact() const { return cuts_.exact(); }

  private:
    static constexpr double EDGE = 1e-12;  // [rad] a joint beyond its limit by this is at it
    static constexpr int SECTION = 8;      // swivels looked at in one go
    static constexpr int ROUND = 64;       // looks round a whole circle, to find where the best swivel is
    static constexpr double CLOSE = 1e-7;  // [rad] how well it is found
    struct Best {
        double score = HUGE_VAL, worst = HUGE_VAL, q[4] = {}, swivel = 0.0;
        int elbow = 0, way = 0;
        bool nearest = false;
    };
    struct Looks {
        double q[3][SECTION], worst[SECTION], spread[SECTION], off[SECTION];
        bool inside[SECTION];
    };

    static void take(const Best& best, Result& out) {
        std::copy_n(best.q, 4, out.q);
        out.swivel = best.swivel, out.worst = best.worst, out.elbow = best.elbow, out.way = best.way;
    }

    // Whether the elbow brings the tip near enough to a distance from the limit that is next to an angle beyond it.
    bool at_limit(double d, double angle, double tolerance, double& q4) const {
        double least = HUGE_VAL;
        for (const double end : {cuts_.lower[3], cuts_.upper[3]}) {
            if (!std::isfinite(end) || !(cuts_.lower[3] <= cuts_.upper[3])) continue;
            const double off = std::fabs(wrap(angle - end));
            if (off < least && std::fabs(arm_.distance(end) - d) <= tolerance) least = off, q4 = end;
        }
        return least < HUGE_VAL;
    }

    // Joints and muscles at up to SECTION swivels.
    void look(const SwivelFamily& f, const double* psi, int count, double sign, const double* seed, Looks& out) const {
        constexpr int W = width<Wide>;
        constexpr int MOST = 64;
        f.looks += count;
        Wide lengths[MOST];
        std::vector<Wide> many(muscles_.size() > MOST ? muscles_.size() : 0);
        Wide* L = many.empty() ? lengths : many.data();
        for (int first = 0; first < count; first += W) {
            Wide at(0.0);
            for (int i = 0; i < W; ++i) at.set(i, psi[std::min(first + i, count - 1)]);
            Wide s, c;
            sincos(at, s, c);
            const Vector3<Wide> k = broadcast<Wide>(f.k);
            const Pose<Wide> G = {rotated_about(k, broadcast<Wide>(f.G0.x), c, s),
                                  rotated_about(k, broadcast<Wide>(f.G0.y), c, s),
                                  rotated_about(k, broadcast<Wide>(f.G0.z), c, s), broadcast<Wide>(Point{0, 0, 0})};
            GroupMotion<Wide> turn = arm_.group().split(G, Wide(sign), Wide(seed[0]));
            auto inside = turn.exists;
            Wide q[4], off = Wide(0.0);
            for (int j = 0; j < 3; ++j) {
                q[j] = nearest_copy(turn.q[j], Wide(seed[j]), true, cuts_.lower[j], cuts_.upper[j], EDGE, inside);
                const Wide gap = absolute(q[j] - Wide(seed[j]));
                off = select(gap > off, gap, off);
            }
            q[3] = Wide(f.q4);
            Pose<Wide> poses[4];
            forward_elements(k_.mechanism, q, poses);
            muscle_lengths<Wide>(k_.mechanism, muscles_, q, poses, L, nullptr);
            for (int i = 0; i < W && first + i < count; ++i) {
                double worst = 0.0, spread = 0.0;
                for (std::size_t m = 0; m < muscles_.size(); ++m) {
                    const double part = off_centre(muscles_[m], lane(L[m], i)), square = part * part,
                                 fourth = square * square;
                    worst = std::max(worst, part), spread += fourth * fourth;
                }
                for (int j = 0; j < 3; ++j) out.q[j][first + i] = lane(q[j], i);
                out.worst[first + i] = worst, out.spread[first + i] = spread;
                out.off[first + i] = std::max(lane(off, i), std::fabs(f.q4 - seed[3]));
                out.inside[first + i] = lane(select(inside, Wide(1.0), Wide(0.0)), i) != 0.0;
            }
        }
    }

    static void note(const SwivelFamily& f, const Stretch& s, const Looks& looks, int i, double psi, double score,
                     Best& best) {
        if (!(score < best.score)) return;
        best.score = score, best.worst = looks.worst[i], best.swivel = psi, best.elbow = s.elbow, best.way = s.way;
        for (int j = 0; j < 3; ++j) best.q[j] = looks.q[j][i];
        best.q[3] = f.q4;
    }

    // The swivels of one elbow and way at which everything fits.
    std::vector<Stretch> stretches(const SwivelFamily& f, int elbow, int way, const std::vector<double>& cuts,
                                   const double* seed, Best& missed) const {
        std::vector<Stretch> out;
        std::vector<double> at;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) at.push_back(0.5 * (cuts[i] + cuts[i + 1]));
        std::vector<char> fits(at.size());
        const double sign = way ? -1.0 : 1.0;
        const auto each = [&](const std::vector<double>& psi, const auto& tell) {
            Looks looks;
            for (std::size_t i = 0; i < psi.size(); i += SECTION) {
                const int count = int(std::min<std::size_t>(SECTION, psi.size() - i));
                look(f, psi.data() + i, count, sign, seed, looks);
                for (int j = 0; j < count; ++j) {
                    const bool good = looks.inside[j] && looks.worst[j] <= 1.0 + ROUND_OFF;
                    if (looks.inside[j] && !good)
                        note(f, {elbow, way, 0, 0}, looks, j, psi[i + std::size_t(j)], looks.worst[j], missed);
                    tell(i + std::size_t(j), good);
                }
            }
        };
        each(at, [&](std::size_t i, bool good) { fits[i] = good; });
        std::vector<Piece> arcs(cuts.size());
        int count = join_pieces(
            cuts.data(), int(at.size()), [&](int k) { return fits[std::size_t(k)] != 0; }, arcs.data());
        if (count == 0)  // ranges that only touch leave single swivels
            each(cuts, [&](std::size_t i, bool good) {
                if (good) arcs[std::size_t(count++)] = {cuts[i], cuts[i]};
            });
        arcs.resize(std::size_t(join_over_half_turn(arcs.data(), count, true)));
        for (const Piece& arc : arcs) out.push_back({elbow, way, arc.low, arc.high});
        return out;
    }

    // The best swivel of a stretch: looks all along it, then closer and closer round the best.
    void search(const SwivelFamily& f, const Stretch& s, const double* seed, Best& best) const {
        const double sign = s.way ? -1.0 : 1.0;
        Looks looks;
        double psi[SECTION], here = HUGE_VAL, place = s.low;
        const auto go = [&](double from, double step, int count) {
            for (int first = 0; first < count; first += SECTION) {
                const int some = std::min(SECTION, count - first);
                for (int i = 0; i < some; ++i) psi[i] = std::clamp(from + step * (first + i), s.low, s.high);
                look(f, psi, some, sign, seed, looks);
                for (int i = 0; i < some; ++i) {
                    if (!looks.inside[i] || !(looks.worst[i] <= 1.0 + ROUND_OFF)) continue;
                    const double score = best.nearest ? looks.off[i] : looks.spread[i];
                    if (score < here) here = score, place = psi[i];
                    note(f, s, looks, i, psi[i], score, best);
                }
            }
        };
        const double span = s.high - s.low;
        const int count = std::max(SECTION, int(std::ceil(ROUND * span / TURN)));
        const double before = best.score;
        double step = span / (count + 1);
        go(s.low + step, step, count);
        if (here == HUGE_VAL) go(0.5 * (s.low + s.high), 0.0, 1);
        if (!(best.score < before)) return;  // a stretch without the best look is not searched closer
        for (; step > CLOSE; step *= 2.0 / (SECTION + 1)) {
            const double finer = 2.0 * step / (SECTION + 1);
            go(place - step + finer, finer, SECTION);
        }
    }

    const Kinematics& k_;
    const ShoulderElbow& arm_;
    const Muscles& muscles_;
    SwivelCuts cuts_;
};

}  // namespace limbik::muscle
