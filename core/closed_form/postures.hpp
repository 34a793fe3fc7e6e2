// Postures of one target, and when they are good: verified, at a whole turn inside the limits.
#pragma once

#include <algorithm>

#include "../iterative/levenberg_marquardt.hpp"
#include "../kinematics/verify.hpp"
#include "swivel.hpp"

namespace limbik::closed_form {

// The longest posture: six joints that come apart and one that is held.
inline constexpr int POSTURE_JOINTS = LOOP_JOINTS + 1;
// Places for the numbers of a posture, a register of the widest level.
inline constexpr int SIDE_BY_SIDE = 8;
// A joint this far outside its limits is put onto them, and the posture verified there [rad, or parts of the scale].
inline constexpr double EDGE = 1e-10;
// A posture that passes its limits by less may be there inside them all the same, beside a fold [rad or m].
inline constexpr double HARDLY_OUTSIDE = 1e-3;
// Postures nearer than this are one [rad, modulo turns, or parts of the scale].
inline constexpr double SAME_POSTURE = 1e-7;
// Errors above FINE are corrected by Newton steps; above ROUGH it is no solution [parts of the scale, rad].
inline constexpr double FINE = 1e-12, ROUGH = 1e-2;
// What a root has left after corrections, at the most.
inline constexpr double NEARLY_EXACT = 3e-11;
// How far inside the part of a family that can be reached a member is taken [rad].
inline constexpr double INSIDE_FAMILY = 1e-2;
// A squared gap between roots: below the first the posture is corrected to the last digit, below the second the root
// counts as double, below the third its two cannot be told apart. Rounding moves such a root by its square root, and a
// wrist that is nearly straight makes more of it, so that the postures of one root may lie as far apart as the fourth
// [rad].
inline constexpr double NEAR_ROOTS = 1e-9, DOUBLE_ROOT = 1e-10, ONE_ROOT = 1e-14, ONE_DOUBLE_POSTURE = 1e-4;

// Most postures that one target has: the branches of a chain, or the feasible ranges of an arm with a swivel.
inline constexpr int MOST_ARCS = 12, MOST_POSTURES = SWIVEL_BRANCHES * MOST_ARCS;

struct Posture {
    double q[POSTURE_JOINTS];
    Errors errors;
    double swivel, gap;  // gap: squared distance to the other root, without units
    int branch;
    bool family, doubled, inside;
};

// What is proven about a target without a posture inside the limits.
enum class Proof { nothing, out_of_reach, limits };

// What there is at one target.
struct Postures {
    int count = 0;                 // inside the limits
    int outside = 0;               // verified, but outside
    bool open = false;             // there may be others, or other members of a family
    bool nearest = false;          // asked for one: is the seed itself perhaps a posture?
    bool odd = false;              // then: some posture was not ordinary, or lies hardly outside the limits
    Proof proof = Proof::nothing;  // where there is none inside
    Posture found[MOST_POSTURES];  // those inside first
};

// Postures a list has without need of memory beside it: the branches of one target and what was found twice.
inline constexpr int SHORT_LIST = MOST_CANDIDATES;

// Bring postures inside the limits to the front, each part in its order; returns how many these are.
inline int inside_first(Posture* found, int count) {
    auto is_inside = [](const Posture& p) { return p.inside; };
    if (count > SHORT_LIST) [[unlikely]]
        return int(std::stable_partition(found, found + count, is_inside) - found);
    Posture outside[SHORT_LIST];
    int inside = 0, others = 0;
    for (int k = 0; k < count; ++k) {
        if (!found[k].inside) outside[others++] = found[k];
        else if (inside++ != k) found[inside - 1] = found[k];
    }
    std::copy_n(outside, others, found + inside);
    return inside;
}

// What a lane holds.
struct Mark {
    int branch = 0;
    double swivel = 0.0;
    bool doubled = false;  // known beforehand; else its gap tells
};

// A branch of an arm with a swivel, at one.
struct SwivelChoice {
    int branch;
    double swivel;
};

struct BranchOptions {
    const double *lower, *upper;
    Tolerances tolerances;
    // How far the target that was meant may be from the one given, as a part of lengths and in radians. Proofs allow
    // for it.
    double doubt = 0.0;

    // Errors that need no correction.
    Tolerances fine(double scale) const {
        return {std::min(FINE * scale, tolerances.position), std::min(FINE, tolerances.rotation)};
    }
};

// Distances that differ by less are equal [rad or m, and parts of them].
inline constexpr double EQUALLY_FAR = 1e-9;

// The posture nearest to a seed: by the largest difference of any joint, then by all together, then by branch.
// `best_most`: how far its farthest joint is. `turned`: a bit each for postures with a joint more than half a turn
// away, the last one for all from number 63 on.
inline const Posture* nearest_of(const Postures& all, const double* seed, int n, double& best_most,
                                 std::uint64_t& turned) {
    const Posture* best = nullptr;
    best_most = 0.0, turned = 0;
    double best_sum = 0.0;
    for (int k = 0; k < all.count; ++k) {
        const Posture& p = all.found[k];
        double most = 0.0, sum = 0.0;
        for (int j = 0; j < n; ++j) {
            const double gap = std::fabs(p.q[j] - seed[j]);
            most = std::max(most, gap), sum += gap * gap;
        }
        if (most > PI) turned |= std::uint64_t(1) << std::min(k, 63);
        // what differs by rounding is equal: every instruction level decides alike
        const double tie = EQUALLY_FAR * (1.0 + most);
        if (best && !(most < best_most - tie) && (most > best_most + tie || !(sum < best_sum - tie * (1.0 + sum))))
            continue;
        best = &p, best_most = most, best_sum = sum;
    }
    return best;
}

}  // namespace limbik::closed_form
