// The configurations of a shoulder-elbow arm with its tip at a point and its muscles in range: arcs of the swivel.
//
// There are two elbow angles, two branches of the shoulder, and the swivel psi (shoulder_elbow.hpp). The circle of psi
// is cut where a limit or the end of a range may be met (swivel_cuts.hpp), and an evaluation at the middle of each
// piece decides (geometry/arcs.hpp). The arcs are exact, and their absence is a proof. Muscles of another kind (several
// moving pieces, a pulley and a moving piece) are sampled and prove nothing.
//
// closed_form/swivel_ranges.hpp finds such arcs for a shoulder, an elbow and a wrist. Its evaluations allow a margin
// for rounding, because its arcs prove where no configuration is; here an evaluation computes the joints and the
// muscles of a configuration.
//
// The swivel with the best centred muscles is chosen: the least sum of off_centre^8, which approximates the largest of
// them but still counts the others where the swivel does not change the largest.
#pragma once

#include <algorithm>

#include "swivel_cuts.hpp"

namespace limbik::muscle {

class MuscleSwivel {
  public:
    // Relative rounding error of a length at the end of its range.
    static constexpr double ROUND_OFF = 1e-12;
    enum Outcome { solved = 0, out_of_reach = 1, limits = 2, not_found = 3 };
    enum Reason { none, too_far, too_near, elbow_limit, joint_limits, muscle_ranges };

    struct SwivelArc {
        int elbow, branch;  // 0 or 1
        double low, high;
    };
    struct Result {
        Outcome outcome = not_found;
        Reason reason = none;
        double q[4] = {}, swivel = 0.0, worst = HUGE_VAL;  // `worst`: the largest off_centre
        int elbow = 0, branch = 0;
        long evaluations = 0;  // how many configurations were evaluated
        std::vector<SwivelArc> arcs;
    };

    // `down`: the direction of the elbow at swivel 0, as far as it can point there.
    MuscleSwivel(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* lower,
                 const double* upper, const Point& down)
        : k_(k), arm_(arm), muscles_(muscles), cuts_(k, arm, muscles, lower, upper, down) {}

    // The best configuration for a tip at p. `nearest`: by the distance from the seed instead of by the muscles.
    // `only`: at this swivel. `tolerance`: the allowed error of the tip where the elbow cannot reach p exactly [m].
    Result solve(const Point& p, const double* seed, bool nearest, const double* only = nullptr,
                 double tolerance = 0.0) const {
        Result out;
        const Point t = p - arm_.shoulder;
        const double d = norm(t);
        double angle[2];
        const double reachable = std::clamp(d, arm_.nearest(), arm_.farthest());
        if (!arm_.elbows(std::fabs(d - reachable) <= tolerance ? reachable : d, angle)) {
            out.outcome = out_of_reach, out.reason = d > arm_.farthest() ? too_far : too_near;
            return out;
        }
        out.outcome = limits, out.reason = elbow_limit;
        const int elbows = angle[0] == angle[1] ? 1 : 2;
        Best best;
        best.nearest = nearest;
        Best violating;  // the configuration inside the joint limits that violates the ranges least
        for (int e = 0; e < elbows; ++e) {
            bool inside = true;
            double q4 = nearest_copy(angle[e], seed[3], true, cuts_.lower[3], cuts_.upper[3], EDGE, inside);
            if (!inside && !at_limit(d, angle[e], tolerance, q4)) continue;
            if (out.reason == elbow_limit) out.reason = joint_limits;
            const SwivelCircle circle = cuts_.circle_of(t, d, q4);
            const std::vector<double> cuts = only ? std::vector<double>{*only, *only} : cuts_.cuts_of(circle);
            for (int branch = 0; branch < 2; ++branch) {
                std::vector<SwivelArc> found = arcs(circle, e, branch, cuts, seed, violating);
                for (const SwivelArc& s : found) search(circle, s, seed, best);
                out.arcs.insert(out.arcs.end(), found.begin(), found.end());
            }
            out.evaluations += circle.evaluations;
        }
        if (best.score < HUGE_VAL) {
            out.outcome = solved, out.reason = none;
            take(best, out);
            return out;
        }
        if (violating.score < HUGE_VAL) out.reason = muscle_ranges, take(violating, out);
        // Not proven: with muscles of another kind; where a muscle's length distinguishes 2-pi copies, of which only
        // one was tried; for a tip at the shoulder, whose direction is free. The elbow's limit alone is always a proof.
        if (out.reason != elbow_limit &&
            ((!cuts_.exact() && !only) || cuts_.ambiguous() || d <= ShoulderElbow::MEET * arm_.size))
            out.outcome = not_found;
        return out;
    }

    bool exact() const { return cuts_.exact(); }

  private:
    static constexpr double EDGE = 1e-12;              // [rad] tolerance of joint limits
    static constexpr int BATCH = 8;                    // swivels evaluated at once
    static constexpr int SAMPLES_PER_TURN = 64;        // evaluations around a full circle, to bracket the best swivel
    static constexpr double SWIVEL_RESOLUTION = 1e-7;  // [rad] of the best swivel
    struct Best {
        double score = HUGE_VAL, worst = HUGE_VAL, q[4] = {}, swivel = 0.0;
        int elbow = 0, branch = 0;
        bool nearest = false;
    };
    struct Evaluated {
        double q[3][BATCH], worst[BATCH], spread[BATCH], off[BATCH];
        bool inside[BATCH];
    };

    static void take(const Best& best, Result& out) {
        std::copy_n(best.q, 4, out.q);
        out.swivel = best.swivel, out.worst = best.worst, out.elbow = best.elbow, out.branch = best.branch;
    }

    // Whether the closer elbow limit brings the tip within the tolerance of a distance.
    bool at_limit(double d, double angle, double tolerance, double& q4) const {
        double least = HUGE_VAL;
        for (const double end : {cuts_.lower[3], cuts_.upper[3]}) {
            if (!std::isfinite(end) || !(cuts_.lower[3] <= cuts_.upper[3])) continue;
            const double off = std::fabs(wrap(angle - end));
            if (off < least && std::fabs(arm_.distance(end) - d) <= tolerance) least = off, q4 = end;
        }
        return least < HUGE_VAL;
    }

    // Joints and muscles at up to BATCH swivels.
    void evaluate(const SwivelCircle& f, const double* psi, int count, double sign, const double* seed,
                  Evaluated& out) const {
        constexpr int W = width<Wide>;
        constexpr int MOST = 64;
        f.evaluations += count;
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

    static void keep_better(const SwivelCircle& f, const SwivelArc& s, const Evaluated& evaluations, int i, double psi,
                            double score, Best& best) {
        if (!(score < best.score)) return;
        best.score = score, best.worst = evaluations.worst[i], best.swivel = psi, best.elbow = s.elbow,
        best.branch = s.branch;
        for (int j = 0; j < 3; ++j) best.q[j] = evaluations.q[j][i];
        best.q[3] = f.q4;
    }

    // The arcs of one elbow and branch.
    std::vector<SwivelArc> arcs(const SwivelCircle& f, int elbow, int branch, const std::vector<double>& cuts,
                                const double* seed, Best& violating) const {
        std::vector<SwivelArc> out;
        std::vector<double> at;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) at.push_back(0.5 * (cuts[i] + cuts[i + 1]));
        std::vector<char> fits(at.size());
        const double sign = branch ? -1.0 : 1.0;
        const auto each = [&](const std::vector<double>& psi, const auto& report) {
            Evaluated evaluations;
            for (std::size_t i = 0; i < psi.size(); i += BATCH) {
                const int count = int(std::min<std::size_t>(BATCH, psi.size() - i));
                evaluate(f, psi.data() + i, count, sign, seed, evaluations);
                for (int j = 0; j < count; ++j) {
                    const bool good = evaluations.inside[j] && evaluations.worst[j] <= 1.0 + ROUND_OFF;
                    if (evaluations.inside[j] && !good)
                        keep_better(f, {elbow, branch, 0, 0}, evaluations, j, psi[i + std::size_t(j)],
                                    evaluations.worst[j], violating);
                    report(i + std::size_t(j), good);
                }
            }
        };
        each(at, [&](std::size_t i, bool good) { fits[i] = good; });
        std::vector<Piece> arcs(cuts.size());
        int count = join_pieces(
            cuts.data(), int(at.size()), [&](int k) { return fits[std::size_t(k)] != 0; }, arcs.data());
        if (count == 0)  // where ranges only touch, single swivels remain
            each(cuts, [&](std::size_t i, bool good) {
                if (good) arcs[std::size_t(count++)] = {cuts[i], cuts[i]};
            });
        arcs.resize(std::size_t(join_over_half_turn(arcs.data(), count, true)));
        for (const Piece& arc : arcs) out.push_back({elbow, branch, arc.low, arc.high});
        return out;
    }

    // The best swivel of an arc: samples along it, then finer ones around the best.
    void search(const SwivelCircle& f, const SwivelArc& s, const double* seed, Best& best) const {
        const double sign = s.branch ? -1.0 : 1.0;
        Evaluated evaluations;
        double psi[BATCH], here = HUGE_VAL, place = s.low;
        const auto sample = [&](double from, double step, int count) {
            for (int first = 0; first < count; first += BATCH) {
                const int some = std::min(BATCH, count - first);
                for (int i = 0; i < some; ++i) psi[i] = std::clamp(from + step * (first + i), s.low, s.high);
                evaluate(f, psi, some, sign, seed, evaluations);
                for (int i = 0; i < some; ++i) {
                    if (!evaluations.inside[i] || !(evaluations.worst[i] <= 1.0 + ROUND_OFF)) continue;
                    const double score = best.nearest ? evaluations.off[i] : evaluations.spread[i];
                    if (score < here) here = score, place = psi[i];
                    keep_better(f, s, evaluations, i, psi[i], score, best);
                }
            }
        };
        const double span = s.high - s.low;
        const int count = std::max(BATCH, int(std::ceil(SAMPLES_PER_TURN * span / TURN)));
        const double before = best.score;
        double step = span / (count + 1);
        sample(s.low + step, step, count);
        if (here == HUGE_VAL) sample(0.5 * (s.low + s.high), 0.0, 1);
        if (!(best.score < before)) return;  // an arc without the best sample is not refined
        for (; step > SWIVEL_RESOLUTION; step *= 2.0 / (BATCH + 1)) {
            const double finer = 2.0 * step / (BATCH + 1);
            sample(place - step + finer, finer, BATCH);
        }
    }

    const Kinematics& k_;
    const ShoulderElbow& arm_;
    const Muscles& muscles_;
    SwivelCuts cuts_;
};

}  // namespace limbik::muscle
