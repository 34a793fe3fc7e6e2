// The configurations (postures) of one target: limits, tolerances and thresholds by which they are accepted.
#pragma once

#include <algorithm>

#include "../iterative/levenberg_marquardt.hpp"
#include "../kinematics/verify.hpp"
#include "swivel.hpp"

namespace limbik::closed_form {

// The most joints: six decoupled ones and one that is held.
inline constexpr int POSTURE_JOINTS = LOOP_JOINTS + 1;
// The lanes of the widest register: room for the numbers of a configuration.
inline constexpr int SIDE_BY_SIDE = 8;
// A joint outside its limits by at most this is clamped to them, and the configuration is verified there [rad, or parts
// of the scale].
inline constexpr double EDGE = 1e-10;
// Near a fold, for a configuration outside its limits by less than this, there may be another inside them [rad or m].
inline constexpr double HARDLY_OUTSIDE = 1e-3;
// Configurations closer than this are the same [rad modulo 2 pi, or parts of the scale].
inline constexpr double SAME_POSTURE = 1e-7;
// Errors above FINE are corrected by Newton steps; above ROUGH there is no solution [parts of the scale, rad].
inline constexpr double FINE = 1e-12, ROUGH = 1e-2;
// The largest error of a root after corrections [parts of the scale, rad].
inline constexpr double NEARLY_EXACT = 3e-11;
// The distance of a family's chosen member from the ends of its feasible part [rad].
inline constexpr double INSIDE_FAMILY = 1e-2;
// Thresholds of the squared gap between roots: below the first the configuration is corrected to the last digit, below
// the second the root is double, below the third the two roots are indistinguishable. Rounding moves such a root by its
// square root, more where the wrist is nearly straight, so that the configurations of one root may differ by the fourth
// [rad].
inline constexpr double NEAR_ROOTS = 1e-9, DOUBLE_ROOT = 1e-10, ONE_ROOT = 1e-14, ONE_DOUBLE_POSTURE = 1e-4;

// The most configurations of one target: the branches of a chain, or the feasible ranges of an arm with a swivel.
inline constexpr int MOST_ARCS = 12, MOST_POSTURES = SWIVEL_BRANCHES * MOST_ARCS;

struct Posture {
    double q[POSTURE_JOINTS];
    Errors errors;
    double swivel, gap;  // gap: squared distance to the other root, without units
    int branch;
    bool family, doubled, inside;
};

// What is proven about a target without a configuration inside the limits.
enum class Proof { nothing, out_of_reach, limits };

// The configurations of one target.
struct Postures {
    int count = 0;                 // inside the limits
    int outside = 0;               // verified, but outside
    bool open = false;             // the list may be incomplete
    bool nearest = false;          // input: only the closest to the seed is needed
    bool special = false;          // rounding may hide a configuration: one is singular, of a family, or (if `nearest`)
                                   // hardly outside the limits
    Proof proof = Proof::nothing;  // where there is none inside
    Posture found[MOST_POSTURES];  // those inside first
};

// The longest list that is partitioned without allocation: the branches of one target and duplicates.
inline constexpr int SHORT_LIST = MOST_CANDIDATES;

// Stable partition: configurations inside the limits first; returns how many these are.
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

// The branch in a lane.
struct Mark {
    int branch = 0;
    double swivel = 0.0;
    bool doubled = false;  // known to be a double root; otherwise its gap decides
};

// A branch of an arm with a swivel, at a swivel angle [rad].
struct SwivelChoice {
    int branch;
    double swivel;
};

struct BranchOptions {
    const double *lower, *upper;
    Tolerances tolerances;
    // The uncertainty of the target by rounding, as a part of lengths and in radians (geometry/rigid.hpp). Proofs allow
    // for it.
    double doubt = 0.0;

    // Errors that need no correction.
    Tolerances fine(double scale) const {
        return {std::min(FINE * scale, tolerances.position), std::min(FINE, tolerances.rotation)};
    }
};

// Distances that differ by less are equal [rad or m, and parts of them].
inline constexpr double EQUALLY_FAR = 1e-9;

// The configuration closest to a seed: by the largest difference of any joint, then by the sum of squares, then by
// branch. `best_most`: that largest difference. `worst`: the largest difference of any configuration.
inline const Posture* closest_of(const Postures& all, const double* seed, int n, double& best_most, double& worst) {
    const Posture* best = nullptr;
    best_most = worst = 0.0;
    double best_sum = 0.0;
    for (int k = 0; k < all.count; ++k) {
        const Posture& p = all.found[k];
        double most = 0.0, sum = 0.0;
        for (int j = 0; j < n; ++j) {
            const double gap = std::fabs(p.q[j] - seed[j]);
            most = std::max(most, gap), sum += gap * gap;
        }
        worst = std::max(worst, most);
        // rounding does not decide, so that all instruction levels agree
        const double tie = EQUALLY_FAR * (1.0 + most);
        if (best && !(most < best_most - tie) && (most > best_most + tie || !(sum < best_sum - tie * (1.0 + sum))))
            continue;
        best = &p, best_most = most, best_sum = sum;
    }
    return best;
}

}  // namespace limbik::closed_form
