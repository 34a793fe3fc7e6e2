// The interface of a polish, which corrects candidates by Newton's method and verifies them. chain_polish.hpp and
// wrist_polish.hpp implement it for each number of joints.
#pragma once

#include <memory>

#include "../closed_form/postures.hpp"
#include "reduction.hpp"

namespace limbik::table {

// The most steps from a candidate.
inline constexpr int POLISH_STEPS = 16;

class Polish {
  public:
    virtual ~Polish() = default;
    // Correct candidates, n numbers each, in place; those that do not converge are removed. `which` is the index of the
    // candidate of each, in ascending order. Returns how many are left.
    virtual int correct(const Pose<double>& target, double* q, int count, int* which) const = 0;
    // Remove duplicates, the later ones. Returns how many are left.
    virtual int distinct(double* q, int count, int* which) const = 0;
    // Candidates for the other root beside a nearby fold go to `out`; `from` is the index of the configuration beside
    // it.
    virtual int across_folds(const Pose<double>& target, const double* q, int count, double* out, int* from) const = 0;
    // Verify what `correct` returned: distinct configurations at the 2-pi copies closest to the seed (at most
    // MOST_POSTURES).
    virtual void verify(const Pose<double>& target, const double* q, int count, const double* seed,
                        const BranchOptions& options, Postures& out) const = 0;
    // The side of the folds on which a configuration lies: the sign of a determinant, 0 where there is none.
    virtual int fold_side(const double* q) const = 0;
    // One step from each candidate.
    virtual void step(const Pose<double>& target, double* q, int count) const = 0;
};

// The implementation for a chain; null for chains that are too long. in_pairs: see Candidates.
std::unique_ptr<Polish> make_polish(const Reduction& reduction, bool in_pairs, const ScalarChain& chain,
                                    const ChainFrame& frame, const StepSettings& settings);

// Correct candidates in place, remove duplicates, and append the roots found across folds. q needs space for twice as
// many.
inline int polished(const Polish& polish, int n, const Pose<double>& target, double* q, int count, int* which) {
    const int kept = polish.distinct(q, polish.correct(target, q, count, which), which);
    double more[MOST_POSTURES * POSTURE_JOINTS];
    int from[MOST_POSTURES], was[MOST_POSTURES];
    int found = polish.across_folds(target, q, std::min(kept, MOST_POSTURES), more, from);
    if (found > 0) found = polish.correct(target, more, found, was);
    std::copy_n(more, found * n, q + kept * n);
    for (int k = 0; k < found; ++k) which[kept + k] = which[from[was[k]]];
    return kept + found;
}

}  // namespace limbik::table
