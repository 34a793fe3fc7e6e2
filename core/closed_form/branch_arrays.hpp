// The output arrays of a batch: the configurations of each row.
#pragma once

#include <mutex>
#include <vector>

#include "postures.hpp"

namespace limbik::closed_form {

// Rows of a batch with more configurations than the arrays hold: families and searches may add to the branches.
class OverflowRows {
  public:
    struct Row {
        long row;
        std::vector<double> q;  // of all its configurations
        std::vector<std::int32_t> branch;
        std::vector<std::uint8_t> family;
    };

    void add(long row, int n, const Postures& found) {
        Row overflow{row, {}, {}, {}};
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            overflow.q.insert(overflow.q.end(), p.q, p.q + n);
            overflow.branch.push_back(p.branch), overflow.family.push_back(p.family);
        }
        const std::lock_guard lock(mutex_);
        rows_.push_back(std::move(overflow));
    }
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::mutex mutex_;
    std::vector<Row> rows_;
};

// The output arrays of a batch: `most` configurations of n numbers per row. A row with more has all of them in
// `overflow`.
struct BranchArrays {
    int n, most;
    double* q;
    std::int32_t* branch;
    std::uint8_t* family;
    std::int32_t *count, *outside;  // per row
    std::uint8_t* open;
    OverflowRows* overflow;
    const double* doubt = nullptr;  // of each target (BranchOptions), or null
    long first = 0;                 // the row that the pointers point at

    BranchArrays from(long row) const {
        return {n,
                most,
                q + row * most * n,
                branch + row * most,
                family + row * most,
                count + row,
                outside + row,
                open + row,
                overflow,
                doubt ? doubt + row : nullptr,
                first + row};
    }
};

}  // namespace limbik::closed_form
