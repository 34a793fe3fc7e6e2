// Postures that are near, made exact: Newton's method from each candidate, then verification. What is asked of it;
// chain_polish.hpp and wrist_polish.hpp answer, for each number of joints.
#pragma once

#include <memory>

#include "../closed_form/postures.hpp"
#include "reduction.hpp"

namespace limbik::table {

// Steps from a candidate at the most.
inline constexpr int POLISH_STEPS = 16;

class Polish {
  public:
    virtual ~Polish() = default;
    // Candidates, n numbers each, become postures in place; those that went nowhere are left out. `which` tells the
    // number of the candidate that each of them was, in rising order. Returns how many are left.
    virtual int correct(const Pose<double>& target, double* q, int count, int* which) const = 0;
    // Leave out postures that came before, from another candidate. Returns how many are left.
    virtual int once(double* q, int count, int* which) const = 0;
    // Where the other root of a fold may be that a posture stands beside: candidates go to `out`, `from` tells whose
    // they are.
    virtual int across_folds(const Pose<double>& target, const double* q, int count, double* out, int* from) const = 0;
    // Verified postures, each once and at the whole turns nearest the seed, from what `correct` gave (at most
    // MOST_POSTURES).
    virtual void verify(const Pose<double>& target, const double* q, int count, const double* seed,
                        const BranchOptions& options, Postures& out) const = 0;
    // On which side of the folds a posture lies: the sign of a determinant, 0 where there is none.
    virtual int side(const double* q) const = 0;
    // One step from each candidate, for measuring what it gives.
    virtual void step(const Pose<double>& target, double* q, int count) const = 0;
};

// What corrects the candidates of a chain; none for chains that are too long. in_pairs: see Candidates.
std::unique_ptr<Polish> make_polish(const Reduction& reduction, bool in_pairs, const ScalarChain& chain,
                                    const ChainFrame& frame, const Effort& effort);

// All of it: candidates become postures in place, and those beside them across folds follow. Room for twice as many is
// needed.
inline int polished(const Polish& polish, int n, const Pose<double>& target, double* q, int count, int* which) {
    const int kept = polish.once(q, polish.correct(target, q, count, which), which);
    double more[MOST_POSTURES * POSTURE_JOINTS];
    int from[MOST_POSTURES], was[MOST_POSTURES];
    int found = polish.across_folds(target, q, std::min(kept, MOST_POSTURES), more, from);
    if (found > 0) found = polish.correct(target, more, found, was);
    std::copy_n(more, found * n, q + kept * n);
    for (int k = 0; k < found; ++k) which[kept + k] = which[from[was[k]]];
    return kept + found;
}

}  // namespace limbik::table
