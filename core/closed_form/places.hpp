// Where the postures of a batch go.
#pragma once

#include <mutex>
#include <vector>

#include "postures.hpp"

namespace limbik::closed_form {

// Rows of a batch with more postures than there are places for: a family or a rescue may add some to those of the
// branches.
class WideRows {
  public:
    struct Row {
        long row;
        std::vector<double> q;  // of all its postures
        std::vector<std::int32_t> branch;
        std::vector<std::uint8_t> family;
    };

    void add(long row, int n, const Postures& found) {
        Row wide{row, {}, {}, {}};
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            wide.q.insert(wide.q.end(), p.q, p.q + n);
            wide.branch.push_back(p.branch), wide.family.push_back(p.family);
        }
        const std::lock_guard lock(mutex_);
        rows_.push_back(std::move(wide));
    }
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::mutex mutex_;
    std::vector<Row> rows_;
};

// Where the postures of a batch go: `most` places a row, of n numbers each; a row with more has all of its postures in
// `wide`.
struct Places {
    int n, most;
    double* q;
    std::int32_t* branch;
    std::uint8_t* family;
    std::int32_t *count, *outside;  // a row
    std::uint8_t* open;
    WideRows* wide;
    const double* doubt = nullptr;  // of each target, where it has some (BranchOptions)
    long first = 0;                 // the row that the pointers are at

    Places from(long row) const {
        return {n,
                most,
                q + row * most * n,
                branch + row * most,
                family + row * most,
                count + row,
                outside + row,
                open + row,
                wide,
                doubt ? doubt + row : nullptr,
                first + row};
    }
};

}  // namespace limbik::closed_form
