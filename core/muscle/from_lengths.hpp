// The configurations with given muscle lengths, in closed form, for an arm like MaximumOne (Gini et al., (12) to (15),
// corrected).
//
// Muscles of the shoulder run straight from the base to points on the axis of the upper arm: at s u for its direction
// u. With the origin o relative to the shoulder, L^2 = |o|^2 + s^2 - 2 s o.u, so a length gives o.u. Two lengths and
// |u| = 1 give two directions, mirror images in the plane of the two origins: u = x o1 + y o2 +- z o1 x o2. That is
// (13) with its three spheres, and (14) written out; in the print of (12) the second sphere has the wrong length and
// insertion and the third the wrong radius.
//
// In that plane the two directions coincide and the pair is singular: of three muscles the best conditioned pair is
// taken, with the largest |s1 s2 det(o1, o2, u) / (L1 L2)|, and the third decides between the two directions. From u
// follow two joints, in two branches of which limits usually leave one ((15) has its signs and its second entry wrong:
// u = (-sin b cos a, sin a, -cos b cos a)). A pulley gives the third joint, a pulley or a straight muscle the elbow.
//
// Where u is along the first axis, the first joint only twists the upper arm and changes no muscle of the shoulder.
// Configurations whose lengths stay within the tolerance for any first joint are a self-motion manifold, of which the
// seed chooses one.
//
// Every configuration is checked against all given lengths; contradictions are reported.
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
        disjoint,
        contradiction,
        beyond_limits
    };
    static constexpr int MOST = 8;  // two directions, two branches, two elbows

    struct Result {
        int count = 0;
        std::array<std::array<double, 4>, MOST> q;
        std::array<int, MOST> branch;   // direction * 4 + branch * 2 + elbow
        std::array<double, MOST> off;   // the largest deviation of a length [m]
        std::array<bool, MOST> family;  // whether the first joint is free
        Reason reason = fine;
        int muscle = -1, other = -1;   // the muscle that prevents a solution, and the one it contradicts
        double low = 0.0, high = 0.0;  // the range it would have to be in [m]
        int pair[2] = {-1, -1};        // the muscles that determined the direction
        double conditioning = 0.0;     // of that pair, 0 where it is singular
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
        return shoulder_.size() >= 2 && !roll_.empty() && !(bend_.empty() && elbow_muscles_.empty());
    }

    // The first configuration of a direction (0 or 1), without checks of other lengths, for repeated calls. The pair is
    // given; q holds the previous configuration, which decides where the first joint is free.
    bool first_posture(const double* L, const int pair[2], int roll, int elbow, int side, double q[4]) const {
        const ShoulderMuscle *first = shoulder_muscle(pair[0]), *second = shoulder_muscle(pair[1]);
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
    // Choose the muscles that `first_posture` reads from those with known lengths: a pair of the shoulder, one of the
    // third joint, one of the elbow. False where there are not enough.
    bool choose_muscles(const char* known, int pair[2], int& roll, int& elbow) const {
        int found = 0;
        for (const ShoulderMuscle& s : shoulder_)
            if (known[s.muscle] && found < 2) pair[found++] = s.muscle;
        roll = elbow = -1;
        for (const int i : roll_)
            if (known[i] && roll < 0) roll = i;
        for (const int i : bend_)
            if (known[i] && elbow < 0) elbow = i;
        for (const ElbowMuscle& c : elbow_muscles_)
            if (known[c.muscle] && elbow < 0) elbow = c.muscle;
        return found == 2 && roll >= 0 && elbow >= 0;
    }

    // All configurations with these lengths; NaN for a length that is not given. `limited`: inside the joint limits.
    // `seeded`: the seed is the caller's, and also chooses the first joint where the lengths determine it to no better
    // than the tolerance.
    Result solve(const double* L, double tolerance, bool limited, const double* seed, bool seeded) const {
        Result out;
        if (!possible(L, tolerance, out)) return out;
        Direction best;
        double bends[2];
        int n = 0;
        double q3 = 0.0;
        if (!best_pair(L, best, out)) return out;
        const int roll = first_known(roll_, L), bend = known_elbow_muscle(L);
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
            for (int branch = 0; branch < 2; ++branch)
                for (int e = 0; e < n; ++e) {
                    double q[4];
                    split(best.u[side], branch, seed[0], q);
                    q[2] = q3, q[3] = bends[e];
                    const bool family = tilt < NEAR_FIRST_AXIS && is_free(q, L, tolerance);
                    if (family && (seeded || tilt < ON_FIRST_AXIS)) q[0] = seed[0];
                    bool inside = true;
                    for (int j = 0; j < 4; ++j) {
                        const double low = limited ? lower_[j] : -HUGE_VAL, high = limited ? upper_[j] : HUGE_VAL;
                        // the length of a muscle on a pulley distinguishes 2-pi copies
                        const bool pulley = j == 2 || (j == 3 && muscles_[std::size_t(bend)].pieces.empty());
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
            if (m.pulleys[0].variable == 2) roll_.push_back(i);
            if (m.pulleys[0].variable == 3) bend_.push_back(i);
            return;
        }
        if (m.pieces.size() != 1 || !m.pulleys.empty()) return;
        MusclePoint a = m.pieces[0].start, b = m.pieces[0].end;
        if (a.element > b.element) std::swap(a, b);
        if (a.element < 0 && b.element == 2) {
            if (const auto shoulder_muscle = shoulder_muscle_of(i, a, b, arm_, poses))
                shoulder_.push_back(*shoulder_muscle);
        } else if (a.element == 2 && b.element == 3) {
            if (const auto found = elbow_muscle_of(i, a, b, arm_, poses)) elbow_muscles_.push_back(*found);
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
        const int pulley = first_known(bend_, L);
        if (pulley >= 0) return pulley;
        for (const ElbowMuscle& c : elbow_muscles_)
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
        for (const ElbowMuscle& c : elbow_muscles_)
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
            const double o = norm(s.origin), reach = std::fabs(s.s);
            if (refuse(s.muscle, std::fabs(o - reach), o + reach)) return false;
        }
        for (const ElbowMuscle& c : elbow_muscles_) {
            const double rho = std::hypot(c.first, c.second);
            if (refuse(c.muscle, std::sqrt(std::max(0.0, c.rest - 2.0 * rho)), std::sqrt(c.rest + 2.0 * rho)))
                return false;
        }
        return true;
    }

    // The best conditioned pair; a pair without a common direction is reported. The first pair fixes the order of the
    // directions.
    bool best_pair(const double* L, Direction& best, Result& out) const {
        Point front{0, 0, 0};
        double most = -1.0;
        int known = 0;
        for (std::size_t i = 0; i < shoulder_.size(); ++i) {
            const ShoulderMuscle& a = shoulder_[i];
            if (std::isnan(L[a.muscle])) continue;
            ++known;
            for (std::size_t j = i + 1; j < shoulder_.size(); ++j) {
                const ShoulderMuscle& b = shoulder_[j];
                if (std::isnan(L[b.muscle])) continue;
                const Point normal = cross(a.origin, b.origin);
                if (norm(normal) <= 1e-9 * norm(a.origin) * norm(b.origin)) continue;
                if (norm(front) == 0.0) front = scaled(normal, a.s);
                const double la = straight(a.muscle, L[a.muscle]), lb = straight(b.muscle, L[b.muscle]);
                Direction d;
                if (!directions(a, la, b, lb, d)) {
                    out.reason = disjoint, out.muscle = a.muscle, out.other = b.muscle;
                    length_range(a, la, b, out.low, out.high);
                    const double rest = muscles_[std::size_t(b.muscle)].rest;
                    out.low = rest + out.low, out.high = rest + out.high;
                    return false;
                }
                const double conditioning = std::fabs(a.s * b.s) * norm(normal) * d.gap / (std::fabs(la * lb) + 1e-300);
                if (conditioning > most) most = conditioning, best = d, out.pair[0] = a.muscle, out.pair[1] = b.muscle;
            }
        }
        if (most < 0.0) return out.reason = missing_shoulder, false;
        if (dot(best.u[0], front) < dot(best.u[1], front)) std::swap(best.u[0], best.u[1]);
        out.conditioning = most;
        return true;
    }

    // The first two joints for the third axis along u; along the first axis itself the seed is kept.
    void split(const Point& u, int branch, double seed, double q[4]) const {
        const Pose<double> G = frame_with_z(rotate(transposed(arm_.frame(0)), u));
        const GroupMotion<double> turn = arm_.group().split(G, branch ? -1.0 : 1.0, seed);
        q[0] = turn.q[0], q[1] = turn.q[1];
    }

    // The largest deviation from a given length, the muscle, and its length.
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
    // Whether the lengths hold for any first joint. They are sinusoids of it: four quarter turns suffice.
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
    std::vector<int> roll_, bend_;
    std::vector<ElbowMuscle> elbow_muscles_;
};

}  // namespace limbik::muscle
