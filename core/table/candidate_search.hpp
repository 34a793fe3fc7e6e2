// All configurations to which candidates converge: Newton's method from each candidate, a search for the second root
// beside each nearby fold, then verification. It is not proven that these are all: a configuration to which no
// candidate converges is not found.
#pragma once

#include <memory>
#include <vector>

#include "candidates.hpp"
#include "polish.hpp"
#include "posture_table.hpp"

namespace limbik::table {

class CandidateSearch {
  public:
    // Candidates and chain must outlive this. `scale`: the size of the arm [m].
    CandidateSearch(const Candidates& candidates, const ScalarChain& chain, const ChainFrame& frame, double scale)
        : candidates_(candidates), reduction_(chain, frame, scale),
          polish_(make_polish(reduction_, candidates.in_pairs(), chain, frame,
                              StepSettings{0.5 * scale, DAMPING, LARGEST_STEP})) {}
    CandidateSearch(const CandidateSearch&) = delete;
    CandidateSearch& operator=(const CandidateSearch&) = delete;

    const Reduction& reduction() const { return reduction_; }
    const Polish& polish() const { return *polish_; }

    // The size of a buffer for the candidates of one target and the roots found across folds.
    std::size_t room() const { return 2 * std::size_t(candidates_.most() * candidates_.n()); }

    void all(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        constexpr std::size_t USUAL = 4 * MOST_SHEETS;
        double few[USUAL * POSTURE_JOINTS];
        int few_numbers[USUAL];
        std::vector<double> many;
        std::vector<int> many_numbers;
        double* q = few;
        int* which = few_numbers;
        if (2 * std::size_t(candidates_.most()) > USUAL) {
            many.resize(room()), many_numbers.resize(2 * std::size_t(candidates_.most()));
            q = many.data(), which = many_numbers.data();
        }
        out.count = out.outside = 0, out.open = true;
        const int offered = candidates_.find(target, q);
        if (offered == 0) return;
        const int kept = polished(*polish_, candidates_.n(), target, q, offered, which);
        if (kept > 0) polish_->verify(target, q, kept, seed, options, out);
    }

  private:
    const Candidates& candidates_;
    Reduction reduction_;
    std::unique_ptr<Polish> polish_;
};

}  // namespace limbik::table
