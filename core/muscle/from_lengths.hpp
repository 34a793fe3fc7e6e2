// The configurations with given muscle lengths, in closed form, for an arm like MaximumOne: (12) to (15) of Gini,
// Folgheraiter and Cavallari, "Efficient Inverse Kinematic Algorithm for a Truly Anthropomorphous Artificial Arm".
//
// Muscles of the shoulder run straight from origins on the base to insertions on the axis of the upper arm. With u the
// unit vector along this axis, the insertion is at s u and the origin at o, both relative to the shoulder. Then
// L^2 = |o|^2 + s^2 - 2 s o.u, so a length gives o.u. Two lengths and |u| = 1 give two directions, mirror images in the
// plane of the two origins: u = x o1 + y o2 +- z o1 x o2. If u lies in that plane, the two directions coincide and the
// pair is singular. Of three muscles the best conditioned pair is taken, with the largest
// |s1 s2 det(o1, o2, u) / (L1 L2)|, and the third decides between the two directions. Two joints follow from u, in two
// branches of which limits usually leave one. A pulley gives the third joint, the roll of the upper arm; a pulley or a
// straight muscle gives the elbow.
//
// Where u is along the first axis, the first joint only twists the upper arm and changes no muscle of the shoulder.
// Configurations whose lengths stay within the tolerance for any first joint are a self-motion manifold, of which the
// seed chooses one. Every configuration is checked against all given lengths; contradictions are reported.
//
// Corrections of the print: the directions are (13) with its three spheres, and (14) written out. In (12) the second
// sphere has the wrong length and insertion, and the third the wrong radius. In (15) the signs and the second entry are
// wrong: u = (-sin b cos a, sin a, -cos b cos a).
#pragma once

#include <array>

#include "straight_muscles.hpp"

namespace limbik::muscle {

class LengthSolver {
  public:
    enum Reason {
        fine,
        missing_shoulder,
        missing_roll,
        missing_elbow,
        impossible,
        incompatible,
        contradiction,
        beyond_limits
    };
    static constexpr int MOST = 8;  // two directions, two branches, two elbows

    struct Result {
        int count = 0;
        std::array<std::array<double, 4>, MOST> q;
        std::array<int, MOST> branch;   // direction * 4 + solution of the first two joints * 2 + root of the elbow
        std::array<double, MOST> off;   // the largest deviation of a length [m]
        std::array<bool, MOST> family;  // whether the first joint is free
        Reason reason = fine;
        // `muscle` prevents a solution; low, high: the lengths that it could have [m]. incompatible: those that `other`
        // could have with it. contradiction: low = high, the length that the others imply. Both are 0 for an elbow
        // muscle whose length is out of its range by no more than the tolerance.
        int muscle = -1, other = -1;
        double low = 0.0, high = 0.0;
        int pair[2] = {-1, -1};     // the muscles that determined the direction
        double conditioning = 0.0;  // of that pair, 0 where it is singular
    };

    LengthSolver(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* lower,
                 const double* upper)
        : k_(k), arm_(arm), muscles_(muscles), lower_(lower), upper_(upper) {
        const double zero[4] = {};
        Pose<double> poses[4];
        forward_elements(k.mechanism, zero, poses);
        for (int i = 0; i < int(muscles.size()); ++i) sort_muscle(i, poses);
    }

    // Whether the muscles determine all four joints.
    bool complete() const {
        return shoulder_.size() >= 2 && !roll_pulleys_.empty() && !(elbow_pulleys_.empty() && straight_elbow_.empty());
    }

    // The first configuration inside the limits with direction `side` (0 or 1); false where there is none. For repeated
    // calls: only the lengths of the muscles from `choose_muscles` are used, and no others are checked. q is the
    // previous configuration, of which the first joint is kept where it is free.
    bool first_posture(const double* L, const int pair[2], int roll, int elbow, int side, double q[4]) const {
        const ShoulderMuscle *first = shoulder_muscle(pair[0]), *second = shoulder_muscle(pair[1]);
        if (!first || !second) return false;
        Directions d;
        if (!directions(*first, straight(pair[0], L[pair[0]]), *second, straight(pair[1], L[pair[1]]), d)) return false;
        const double before = q[0];
        bool inside = false;
        for (int branch = 0; branch < 2 && !inside; ++branch) {
            inside = split(d.u[side], branch, before, q);
            for (int j = 0; j < 2; ++j) q[j] = nearest_copy(q[j], 0.0, true, lower_[j], upper_[j], EDGE, inside);
        }
        q[2] = nearest_copy(at_pulley(roll, L[roll]), 0.0, false, lower_[2], upper_[2], EDGE, inside);
        double roots[2];
        const int n = elbow_at(elbow, L[elbow], roots);
        bool fits = false;
        for (int e = 0; e < n && !fits; ++e) {
            fits = true;
            q[3] = nearest_copy(roots[e], 0.0, !is_pulley(elbow), lower_[3], upper_[3], EDGE, fits);
        }
        return inside && fits;
    }
    // Choose the muscles that `first_posture` reads from those with known lengths: a pair of the shoulder, one of the
    // third joint, one of the elbow. False where there are not enough.
    bool choose_muscles(const char* known, int pair[2], int& roll, int& elbow) const {
        int found = 0;
        for (const ShoulderMuscle& s : shoulder_)
            if (known[s.muscle] && found < 2) pair[found++] = s.muscle;
        roll = elbow = -1;
        for (const int i : roll_pulleys_)
            if (known[i] && roll < 0) roll = i;
        for (const int i : elbow_pulleys_)
            if (known[i] && elbow < 0) elbow = i;
        for (const ElbowMuscle& c : straight_elbow_)
            if (known[c.muscle] && elbow < 0) elbow = c.muscle;
        return found == 2 && roll >= 0 && elbow >= 0;
    }

    // All configurations with these lengths; NaN for a length that is not given. `limited`: inside the joint limits.
    // `seeded`: the caller gave the seed. It then chooses the first joint wherever the lengths leave it free within the
    // tolerance; a default seed does so only where u is along the first axis.
    Result solve(const double* L, double tolerance, bool limited, const double* seed, bool seeded) const {
        Result out;
        if (!possible(L, tolerance, out)) return out;
        Directions best;
        double roots[2];
        if (!best_pair(L, best, out)) return out;
        const int roll = first_known(roll_pulleys_, L), elbow = known_elbow_muscle(L);
        if (roll < 0) return out.reason = missing_roll, out;
        if (elbow < 0) return out.reason = missing_elbow, out;
        const double q3 = at_pulley(roll, L[roll]);
        const int n = elbow_at(elbow, L[elbow], roots);
        if (n == 0) return out.reason = impossible, out.muscle = elbow, out;
        double closest = HUGE_VAL;
        bool outside = false;
        const int sides = best.height == 0.0 ? 1 : 2;
        for (int side = 0; side < sides; ++side) {
            const double tilt = norm(cross(best.u[side], arm_.axis[0]));
            for (int branch = 0; branch < 2; ++branch)
                for (int e = 0; e < n; ++e) {
                    double q[4];
                    split(best.u[side], branch, seed[0], q);
                    q[2] = q3, q[3] = roots[e];
                    const bool family = tilt < NEAR_FIRST_AXIS && is_free(q, L, tolerance);
                    if (family && (seeded || tilt < ON_FIRST_AXIS)) q[0] = seed[0];
                    bool inside = true;
                    for (int j = 0; j < 4; ++j) {
                        const double low = limited ? lower_[j] : -HUGE_VAL, high = limited ? upper_[j] : HUGE_VAL;
                        // the length of a muscle on a pulley distinguishes 2-pi copies
                        const bool pulley = j == 2 || (j == 3 && is_pulley(elbow));
                        if (family && j == 0) q[0] = std::clamp(q[0], low, high);
                        q[j] = nearest_copy(q[j], preferred_value(j, L, seed[j]), !pulley, low, high,
                                            limited ? EDGE : 0.0, inside);
                    }
                    check(q, L, tolerance, inside, side * 4 + branch * 2 + e, family, closest, outside, out);
                }
        }
        if (out.count == 0 && outside) out.reason = beyond_limits;
        else if (out.count > 0) out.reason = fine;
        return out;
    }

  private:
    static constexpr double EDGE = 1e-12;  // [rad]
    // Within NEAR_FIRST_AXIS of the first axis the upper arm is tested for a free first joint; within ON_FIRST_AXIS its
    // azimuth is only rounding [rad].
    static constexpr double NEAR_FIRST_AXIS = 0.1, ON_FIRST_AXIS = 1e-9;

    void sort_muscle(int i, const Pose<double>* poses) {
        const Muscle& m = muscles_[std::size_t(i)];
        if (m.pieces.empty() && m.pulleys.size() == 1 && m.pulleys[0].radius != 0.0) {
            if (m.pulleys[0].variable == 2) roll_pulleys_.push_back(i);
            if (m.pulleys[0].variable == 3) elbow_pulleys_.push_back(i);
            return;
        }
        if (m.pieces.size() != 1 || !m.pulleys.empty()) return;
        MusclePoint a = m.pieces[0].start, b = m.pieces[0].end;
        if (a.element > b.element) std::swap(a, b);
        if (a.element < 0 && b.element == 2) {
            if (const auto shoulder_muscle = shoulder_muscle_of(i, a, b, arm_, poses))
                shoulder_.push_back(*shoulder_muscle);
        } else if (a.element == 2 && b.element == 3) {
            if (const auto found = elbow_muscle_of(i, a, b, arm_, poses)) straight_elbow_.push_back(*found);
        }
    }

    const ShoulderMuscle* shoulder_muscle(int muscle) const {
        for (const ShoulderMuscle& s : shoulder_)
            if (s.muscle == muscle) return &s;
        return nullptr;
    }
    static int first_known(const std::vector<int>& of, const double* L) {
        for (const int i : of)
            if (!std::isnan(L[i])) return i;
        return -1;
    }
    // The value whose 2-pi copy is taken: that of a muscle on the joint's pulley alone, or the seed's.
    double preferred_value(int joint, const double* L, double seed) const {
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const Muscle& m = muscles_[i];
            if (std::isnan(L[i]) || !m.pieces.empty() || m.pulleys.size() != 1 || m.pulleys[0].variable != joint)
                continue;
            if (m.pulleys[0].radius != 0.0) return (L[i] - m.rest) / m.pulleys[0].radius;
        }
        return seed;
    }
    int known_elbow_muscle(const double* L) const {
        const int pulley = first_known(elbow_pulleys_, L);
        if (pulley >= 0) return pulley;
        for (const ElbowMuscle& c : straight_elbow_)
            if (!std::isnan(L[c.muscle])) return c.muscle;
        return -1;
    }
    double straight(int muscle, double length) const { return length - muscles_[std::size_t(muscle)].rest; }

    bool is_pulley(int muscle) const { return muscles_[std::size_t(muscle)].pieces.empty(); }
    // The joint value for the length of a muscle on one pulley.
    double at_pulley(int muscle, double length) const {
        const Muscle& m = muscles_[std::size_t(muscle)];
        return (length - m.rest) / m.pulleys[0].radius;
    }
    // The values of the elbow for a length; returns their number.
    int elbow_at(int muscle, double length, double out[2]) const {
        if (is_pulley(muscle)) return out[0] = out[1] = at_pulley(muscle, length), 1;
        for (const ElbowMuscle& c : straight_elbow_)
            if (c.muscle == muscle) return elbow_angles(c, straight(muscle, length), out);
        return 0;
    }

    // Whether each length by itself satisfies the triangle inequality.
    bool possible(const double* L, double tolerance, Result& out) const {
        const auto refuse = [&](int muscle, double low, double high) {
            const double rest = muscles_[std::size_t(muscle)].rest, l = L[muscle] - rest;
            if (std::isnan(l) || (l >= low - tolerance && l <= high + tolerance)) return false;
            out.reason = impossible, out.muscle = muscle, out.low = low + rest, out.high = high + rest;
            return true;
        };
        for (const ShoulderMuscle& s : shoulder_) {
            const double o = norm(s.origin), reach = std::fabs(s.insertion);
            if (refuse(s.muscle, std::fabs(o - reach), o + reach)) return false;
        }
        for (const ElbowMuscle& c : straight_elbow_) {
            const double rho = std::hypot(c.first, c.second);
            if (refuse(c.muscle, std::sqrt(std::max(0.0, c.mean_square - 2.0 * rho)),
                       std::sqrt(c.mean_square + 2.0 * rho)))
                return false;
        }
        return true;
    }

    // The best conditioned pair; a pair without a common direction is reported. The first pair fixes which direction
    // has number 0, so that the numbers do not depend on the conditioning.
    bool best_pair(const double* L, Directions& best, Result& out) const {
        Point front{0, 0, 0};  // the first direction is the one on this side of the origins' plane
        double most = -1.0;
        for (std::size_t i = 0; i < shoulder_.size(); ++i) {
            const ShoulderMuscle& a = shoulder_[i];
            if (std::isnan(L[a.muscle])) continue;
            for (std::size_t j = i + 1; j < shoulder_.size(); ++j) {
                const ShoulderMuscle& b = shoulder_[j];
                if (std::isnan(L[b.muscle])) continue;
                const Point normal = cross(a.origin, b.origin);
                if (norm(normal) <= 1e-9 * norm(a.origin) * norm(b.origin)) continue;
                if (norm(front) == 0.0) front = scaled(normal, a.insertion);
                const double la = straight(a.muscle, L[a.muscle]), lb = straight(b.muscle, L[b.muscle]);
                Directions d;
                if (!directions(a, la, b, lb, d)) {
                    out.reason = incompatible, out.muscle = a.muscle, out.other = b.muscle;
                    length_range(a, la, b, out.low, out.high);
                    const double rest = muscles_[std::size_t(b.muscle)].rest;
                    out.low = rest + out.low, out.high = rest + out.high;
                    return false;
                }
                const double conditioning =
                    std::fabs(a.insertion * b.insertion) * norm(normal) * d.height / (std::fabs(la * lb) + 1e-300);
                if (conditioning > most) most = conditioning, best = d, out.pair[0] = a.muscle, out.pair[1] = b.muscle;
            }
        }
        if (most < 0.0) return out.reason = missing_shoulder, false;
        if (dot(best.u[0], front) < dot(best.u[1], front)) std::swap(best.u[0], best.u[1]);
        out.conditioning = most;
        return true;
    }

    // The first two joints for the third axis along u, or nearest to it; where u is along the first axis, the first
    // joint keeps the seed. Returns whether u can be reached.
    bool split(const Point& u, int branch, double seed, double q[4]) const {
        const Pose<double> G = frame_with_z(rotate(transposed(arm_.frame(0)), u));
        const GroupMotion<double> turn = arm_.group().split(G, branch ? -1.0 : 1.0, seed);
        q[0] = turn.q[0], q[1] = turn.q[1];
        return turn.exists;
    }

    // The largest deviation from a given length, the muscle with it, and that muscle's length at q.
    struct Deviation {
        double off = 0.0, length = 0.0;
        int muscle = -1;
    };
    Deviation deviation(const double q[4], const double* L) const {
        Pose<double> poses[4];
        forward_elements(k_.mechanism, q, poses);
        double lengths[64];
        std::vector<double> many(muscles_.size() > 64 ? muscles_.size() : 0);
        double* at_q = many.empty() ? lengths : many.data();
        muscle_lengths<double>(k_.mechanism, muscles_, q, poses, at_q, nullptr);
        Deviation out;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            if (std::isnan(L[i])) continue;
            const double off = std::fabs(at_q[i] - L[i]);
            if (!(off <= out.off)) out = {off, at_q[i], int(i)};
        }
        return out;
    }
    // Whether the lengths hold for any first joint. The square of a straight muscle's length is a sinusoid of it, which
    // its values at four quarter turns determine.
    bool is_free(const double q[4], const double* L, double tolerance) const {
        for (int quarter = 0; quarter < 4; ++quarter) {
            const double other[4] = {q[0] + 0.5 * PI * quarter, q[1], q[2], q[3]};
            if (!(deviation(other, L).off <= tolerance)) return false;
        }
        return true;
    }

    void check(const double q[4], const double* L, double tolerance, bool inside, int branch, bool family,
               double& closest, bool& outside, Result& out) const {
        const auto [off, length, muscle] = deviation(q, L);
        if (off > tolerance) {
            if (off < closest && !outside)
                closest = off, out.reason = contradiction, out.muscle = muscle, out.low = out.high = length;
            return;
        }
        if (!inside) return void(outside = true);
        for (int k = 0; k < out.count; ++k) {
            double same = 0.0;
            for (int j = 0; j < 4; ++j) same = std::max(same, std::fabs(out.q[std::size_t(k)][std::size_t(j)] - q[j]));
            if (same < 1e-9) return;
            // the two branches of one direction are one self-motion manifold
            const bool same_branch =
                out.branch[std::size_t(k)] / 4 == branch / 4 && out.branch[std::size_t(k)] % 2 == branch % 2;
            if (family && out.family[std::size_t(k)] && same_branch) return;
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
    std::vector<ShoulderMuscle> shoulder_;
    std::vector<int> roll_pulleys_, elbow_pulleys_;
    std::vector<ElbowMuscle> straight_elbow_;
};

}  // namespace limbik::muscle
