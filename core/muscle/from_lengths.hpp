// The postures that given muscle lengths hold, in closed form, for an arm like MaximumOne (Gini et al., (12) to (15),
// corrected).
//
// Muscles of the shoulder run straight from the base to points on the axis of the upper arm: at s u for its direction
// u. With the origin o seen from the shoulder, L^2 = |o|^2 + s^2 - 2 s o.u, so that a length gives o.u = c. Two lengths
// and |u| = 1 give two directions, mirror images in the plane of the two origins: u = x o1 + y o2 +- z o1 x o2. That is
// (13) with its three spheres, and (14) written out for other numbers; in the print of (12) the second sphere has the
// wrong length and insertion and the third the wrong radius. Where u lies in that plane the two meet, and the pair says
// nothing about moving out of it: of three muscles the pair is taken whose lengths tell most, |s1 s2 det(o1, o2, u) /
// (L1 L2)|, and the third decides between the two directions. From u follow two joints ((15) has its signs and its
// second entry wrong: u = (-sin b cos a, sin a, -cos b cos a)), in two ways of which limits usually leave one. A pulley
// gives the third joint, a pulley or a straight muscle across it the elbow. Where u lies on the first axis the first
// joint turns the upper arm about itself: no muscle of the shoulder feels that. Postures whose lengths keep to the
// tolerance all the way round are a family, of which the seed chooses one.
//
// Every posture is checked against all lengths that are given; what contradicts them is told.
#pragma once

#include <array>

#include "strands.hpp"

namespace limbik::muscle {

class MuscleDirect {
  public:
    enum Reason {
        fine,
        missing_shoulder,
        missing_roll,
        missing_elbow,
        impossible,
        apart,
        contradiction,
        beyond_limits
    };
    static constexpr int MOST = 8;  // two directions, two ways, two elbows

    struct Result {
        int count = 0;
        std::array<std::array<double, 4>, MOST> q;
        std::array<int, MOST> branch;   // direction * 4 + way * 2 + elbow
        std::array<double, MOST> off;   // the greatest difference of a length
        std::array<bool, MOST> family;  // whether the first joint may stand anywhere
        Reason reason = fine;
        int muscle = -1, other = -1;   // which is in the way, and of which other
        double low = 0.0, high = 0.0;  // what it could be
        int pair[2] = {-1, -1};        // the muscles that gave the direction
        double conditioning = 0.0;     // how well they did, 0 at the fold
    };

    MuscleDirect(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* lower,
                 const double* upper)
        : k_(k), arm_(arm), muscles_(muscles), lower_(lower), upper_(upper) {
        const double zero[4] = {};
        Pose<double> poses[4];
        forward_elements(k.mechanism, zero, poses);
        for (int i = 0; i < int(muscles.size()); ++i) sort(i, poses);
    }

    // Whether all four joints can be had from muscles.
    bool complete() const { return shoulder_.size() >= 2 && !roll_.empty() && !(bend_.empty() && crank_.empty()); }

    // The first posture of a direction (0 or 1), for those who ask often: no checks but that lengths are possible. The
    // pair is given; q holds the posture before, which decides where the first joint is free.
    bool quick(const double* L, const int pair[2], int roll, int elbow, int side, double q[4]) const {
        const Strand *first = strand(pair[0]), *second = strand(pair[1]);
        if (!first || !second) return false;
        Direction d;
        if (!directions(*first, straight(pair[0], L[pair[0]]), *second, straight(pair[1], L[pair[1]]), d)) return false;
        const double before = q[0];
        split(d.u[side], 0, before, q);
        bool inside = true;
        for (int j = 0; j < 2; ++j) q[j] = nearest_copy(q[j], 0.0, true, lower_[j], upper_[j], EDGE, inside);
        if (!inside) {
            inside = true;
            split(d.u[side], 1, before, q);
            for (int j = 0; j < 2; ++j) q[j] = nearest_copy(q[j], 0.0, true, lower_[j], upper_[j], EDGE, inside);
        }
        q[2] = (L[roll] - muscles_[std::size_t(roll)].rest) / muscles_[std::size_t(roll)].pulleys[0].radius;
        double bends[2];
        const int n = elbow_at(elbow, L[elbow], bends);
        if (n == 0) return false;
        q[3] = bends[0];
        bool fits = true;
        nearest_copy(q[3], 0.0, true, lower_[3], upper_[3], EDGE, fits);
        if (!fits && n > 1)
            q[3] = bends[1], fits = true, nearest_copy(q[3], 0.0, true, lower_[3], upper_[3], EDGE, fits);
        return inside && fits && q[2] >= lower_[2] - EDGE && q[2] <= upper_[2] + EDGE;
    }
    // What `quick` reads: a pair, a muscle of the third joint and one of the elbow, out of those that are known.
    bool plan(const char* known, int pair[2], int& roll, int& elbow) const {
        int found = 0;
        for (const Strand& s : shoulder_)
            if (known[s.muscle] && found < 2) pair[found++] = s.muscle;
        roll = elbow = -1;
        for (const int i : roll_)
            if (known[i] && roll < 0) roll = i;
        for (const int i : bend_)
            if (known[i] && elbow < 0) elbow = i;
        for (const Crank& c : crank_)
            if (known[c.muscle] && elbow < 0) elbow = c.muscle;
        return found == 2 && roll >= 0 && elbow >= 0;
    }

    // All postures with these lengths; NaN stands for a length that is not given. `limited`: keep joint limits.
    // `seeded`: the seed is the caller's, and chooses also where the lengths tell the first joint by less than the
    // tolerance.
    Result solve(const double* L, double tolerance, bool limited, const double* seed, bool seeded) const {
        Result out;
        if (!possible(L, tolerance, out)) return out;
        Direction best;
        double bends[2];
        int n = 0;
        double q3 = 0.0;
        if (!best_pair(L, best, out)) return out;
        const int roll = first_known(roll_, L), bend = elbow_muscle(L);
        if (roll < 0) return out.reason = missing_roll, out;
        if (bend < 0) return out.reason = missing_elbow, out;
        q3 = (L[roll] - muscles_[std::size_t(roll)].rest) / muscles_[std::size_t(roll)].pulleys[0].radius;
        n = elbow_at(bend, L[bend], bends);
        if (n == 0) return out.reason = impossible, out.muscle = bend, out;
        double closest = HUGE_VAL;
        bool outside = false;
        const int sides = best.gap == 0.0 ? 1 : 2;
        for (int side = 0; side < sides; ++side) {
            const double tilt = norm(cross(best.u[side], arm_.axis[0]));
            for (int way = 0; way < 2; ++way)
                for (int e = 0; e < n; ++e) {
                    double q[4];
                    split(best.u[side], way, seed[0], q);
                    q[2] = q3, q[3] = bends[e];
                    const bool family = tilt < UPRIGHT && is_free(q, L, tolerance);
                    if (family && (seeded || tilt < LOST)) q[0] = seed[0];
                    bool inside = true;
                    for (int j = 0; j < 4; ++j) {
                        const double low = limited ? lower_[j] : -HUGE_VAL, high = limited ? upper_[j] : HUGE_VAL;
                        const bool pulley =
                            j == 2 || (j == 3 && muscles_[std::size_t(bend)].pieces.empty());  // which counts turns
                        if (family && j == 0) q[0] = std::clamp(q[0], low, high);
                        q[j] =
                            nearest_copy(q[j], wish(j, L, seed[j]), !pulley, low, high, limited ? EDGE : 0.0, inside);
                    }
                    check(q, L, tolerance, inside, side * 4 + way * 2 + e, family, closest, outside, out);
                }
        }
        if (out.count == 0 && outside) out.reason = beyond_limits;
        else if (out.count > 0) out.reason = fine;
        return out;
    }

  private:
    static constexpr double EDGE = 1e-12;  // [rad]
    // How far from the first axis the upper arm may point to be tried all the way round, and where rounding hides its
    // side [rad].
    static constexpr double UPRIGHT = 0.1, LOST = 1e-9;

    void sort(int i, const Pose<double>* poses) {
        const Muscle& m = muscles_[std::size_t(i)];
        if (m.pieces.empty() && m.pulleys.size() == 1 && m.pulleys[0].radius != 0.0) {
            if (m.pulleys[0].variable == 2) roll_.push_back(i);
            if (m.pulleys[0].variable == 3) bend_.push_back(i);
            return;
        }
        if (m.pieces.size() != 1 || !m.pulleys.empty()) return;
        MusclePoint a = m.pieces[0].start, b = m.pieces[0].end;
        if (a.element > b.element) std::swap(a, b);
        if (a.element < 0 && b.element == 2) {
            if (const auto strand = strand_of(i, a, b, arm_, poses)) shoulder_.push_back(*strand);
        } else if (a.element == 2 && b.element == 3) {
            if (const auto crank = crank_of(i, a, b, arm_, poses)) crank_.push_back(*crank);
        }
    }

    const Strand* strand(int muscle) const {
        for (const Strand& s : shoulder_)
            if (s.muscle == muscle) return &s;
        return nullptr;
    }
    static int first_known(const std::vector<int>& of, const double* L) {
        for (const int i : of)
            if (!std::isnan(L[i])) return i;
        return -1;
    }
    // The turn of a joint to look for: that which a muscle on its pulley alone counts, or the seed's.
    double wish(int joint, const double* L, double seed) const {
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const Muscle& m = muscles_[i];
            if (std::isnan(L[i]) || !m.pieces.empty() || m.pulleys.size() != 1 || m.pulleys[0].variable != joint)
                continue;
            if (m.pulleys[0].radius != 0.0) return (L[i] - m.rest) / m.pulleys[0].radius;
        }
        return seed;
    }
    int elbow_muscle(const double* L) const {
        const int pulley = first_known(bend_, L);
        if (pulley >= 0) return pulley;
        for (const Crank& c : crank_)
            if (!std::isnan(L[c.muscle])) return c.muscle;
        return -1;
    }
    double straight(int muscle, double length) const { return length - muscles_[std::size_t(muscle)].rest; }

    int elbow_at(int muscle, double length, double out[2]) const {
        const Muscle& m = muscles_[std::size_t(muscle)];
        if (m.pieces.empty()) {
            out[0] = out[1] = (length - m.rest) / m.pulleys[0].radius;
            return 1;
        }
        for (const Crank& c : crank_)
            if (c.muscle == muscle) return elbow_angles(c, straight(muscle, length), out);
        return 0;
    }

    // Whether each length by itself fits into a triangle with the bones.
    bool possible(const double* L, double tolerance, Result& out) const {
        const auto refuse = [&](int muscle, double low, double high) {
            const double rest = muscles_[std::size_t(muscle)].rest, l = L[muscle] - rest;
            if (std::isnan(l) || (l >= low - tolerance && l <= high + tolerance)) return false;
            out.reason = impossible, out.muscle = muscle, out.low = low + rest, out.high = high + rest;
            return true;
        };
        for (const Strand& s : shoulder_) {
            const double o = norm(s.origin), reach = std::fabs(s.s);
            if (refuse(s.muscle, std::fabs(o - reach), o + reach)) return false;
        }
        for (const Crank& c : crank_) {
            const double rho = std::hypot(c.first, c.second);
            if (refuse(c.muscle, std::sqrt(std::max(0.0, c.rest - 2.0 * rho)), std::sqrt(c.rest + 2.0 * rho)))
                return false;
        }
        return true;
    }

    // The pair whose lengths tell most of the direction; a pair that does not meet is told of. The first pair names the
    // sides.
    bool best_pair(const double* L, Direction& best, Result& out) const {
        Point front{0, 0, 0};
        double most = -1.0;
        int known = 0;
        for (std::size_t i = 0; i < shoulder_.size(); ++i) {
            const Strand& a = shoulder_[i];
            if (std::isnan(L[a.muscle])) continue;
            ++known;
            for (std::size_t j = i + 1; j < shoulder_.size(); ++j) {
                const Strand& b = shoulder_[j];
                if (std::isnan(L[b.muscle])) continue;
                const Point normal = cross(a.origin, b.origin);
                if (norm(normal) <= 1e-9 * norm(a.origin) * norm(b.origin)) continue;
                if (norm(front) == 0.0) front = scaled(normal, a.s);
                const double la = straight(a.muscle, L[a.muscle]), lb = straight(b.muscle, L[b.muscle]);
                Direction d;
                if (!directions(a, la, b, lb, d)) {
                    out.reason = apart, out.muscle = a.muscle, out.other = b.muscle;
                    meeting(a, la, b, out.low, out.high);
                    const double rest = muscles_[std::size_t(b.muscle)].rest;
                    out.low = rest + out.low, out.high = rest + out.high;
                    return false;
                }
                const double tells = std::fabs(a.s * b.s) * norm(normal) * d.gap / (std::fabs(la * lb) + 1e-300);
                if (tells > most) most = tells, best = d, out.pair[0] = a.muscle, out.pair[1] = b.muscle;
            }
        }
        if (most < 0.0) return out.reason = missing_shoulder, false;
        if (dot(best.u[0], front) < dot(best.u[1], front)) std::swap(best.u[0], best.u[1]);
        out.conditioning = most;
        return true;
    }

    // The first two joints that point the third axis along u; along the first axis itself the seed is kept.
    void split(const Point& u, int way, double seed, double q[4]) const {
        const Pose<double> G = frame_on(rotate(turned_back(arm_.frame(0)), u));
        const GroupMotion<double> turn = arm_.group().split(G, way ? -1.0 : 1.0, seed);
        q[0] = turn.q[0], q[1] = turn.q[1];
    }

    // The greatest difference from a length that is given, whose it is, and how long that one would be.
    struct Gap {
        double off = 0.0, own = 0.0;
        int worst = -1;
    };
    Gap gap(const double q[4], const double* L) const {
        Pose<double> poses[4];
        forward_elements(k_.mechanism, q, poses);
        double lengths[64];
        std::vector<double> many(muscles_.size() > 64 ? muscles_.size() : 0);
        double* own = many.empty() ? lengths : many.data();
        muscle_lengths<double>(k_.mechanism, muscles_, q, poses, own, nullptr);
        Gap out;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            if (std::isnan(L[i])) continue;
            const double off = std::fabs(own[i] - L[i]);
            if (!(off <= out.off)) out = {off, own[i], int(i)};
        }
        return out;
    }
    // Do the lengths hold wherever the first joint stands? They swing with its sine and cosine: quarter turns tell.
    bool is_free(const double q[4], const double* L, double tolerance) const {
        for (int quarter = 0; quarter < 4; ++quarter) {
            const double other[4] = {q[0] + 0.5 * PI * quarter, q[1], q[2], q[3]};
            if (!(gap(other, L).off <= tolerance)) return false;
        }
        return true;
    }

    void check(const double q[4], const double* L, double tolerance, bool inside, int branch, bool family,
               double& closest, bool& outside, Result& out) const {
        const auto [off, own, worst] = gap(q, L);
        if (off > tolerance) {
            if (off < closest && !outside)
                closest = off, out.reason = contradiction, out.muscle = worst, out.low = out.high = own;
            return;
        }
        if (!inside) {
            outside = true;
            return;
        }
        for (int k = 0; k < out.count; ++k) {
            double same = 0.0;
            for (int j = 0; j < 4; ++j) same = std::max(same, std::fabs(out.q[std::size_t(k)][std::size_t(j)] - q[j]));
            if (same < 1e-9) return;
            // the two ways of one direction are one family
            const bool kin =
                out.branch[std::size_t(k)] / 4 == branch / 4 && out.branch[std::size_t(k)] % 2 == branch % 2;
            if (family && out.family[std::size_t(k)] && kin) return;
        }
        auto& place = out.q[std::size_t(out.count)];
        std::copy_n(q, 4, place.begin());
        out.family[std::size_t(out.count)] = family;
        out.branch[std::size_t(out.count)] = branch, out.off[std::size_t(out.count++)] = off;
    }

    const Kinematics& k_;
    const ShoulderElbow& arm_;
    const Muscles& muscles_;
    const double *lower_, *upper_;
    std::vector<Strand> shoulder_;
    std::vector<int> roll_, bend_;
    std::vector<Crank> crank_;
};

}  // namespace limbik::muscle
