// Normal equations in lanes: J' J summed from the rows of J, and solved by its Cholesky factors.
//
// The lower half is stored in full rows, padded to a multiple of the tile. Rows of J are added in blocks: a tile of the
// matrix stays in registers while a block is added.
#pragma once

#include <vector>

#include "../simd/trigonometry.hpp"
#include "cholesky.hpp"

namespace limbik::linalg {

template <class R> class NormalEquations {
  public:
    static constexpr int TILE = 4;
    static constexpr int BLOCK = 16;  // rows that are added at once

    explicit NormalEquations(int size)
        : size_(size), wide_((size + TILE - 1) / TILE * TILE), matrix_(std::size_t(wide_) * wide_, R(0.0)),
          factor_(matrix_), gradient_(std::size_t(wide_), R(0.0)), rows_(std::size_t(wide_) * BLOCK, R(0.0)) {}

    void clear() {
        std::fill(matrix_.begin(), matrix_.end(), R(0.0));
        std::fill(gradient_.begin(), gradient_.end(), R(0.0));
        filled_ = 0;
    }
    // The memory for the next row of the Jacobian. add() adds that row and its residual.
    R* next() { return rows_.data() + std::size_t(filled_) * wide_; }
    void add(R residual) {
        const R* row = next();
        for (int i = 0; i < size_; ++i) gradient_[std::size_t(i)] = madd(row[i], residual, gradient_[std::size_t(i)]);
        if (++filled_ == BLOCK) flush();
    }
    void flush() {
        for (int i = 0; i < wide_; i += TILE)
            for (int j = 0; j <= i; j += TILE) tile(i, j);
        filled_ = 0;
    }
    const R* gradient() const { return gradient_.data(); }

    // Solve (matrix + damping I) step = -gradient. The step is NaN where that matrix is not positive definite.
    void solve(R damping, R* step) {
        const FullRows rows{size_, wide_};
        std::copy(matrix_.begin(), matrix_.end(), factor_.begin());
        for (int i = 0; i < size_; ++i) {
            R& diagonal = factor_[rows.row(i) + std::size_t(i)];
            diagonal = diagonal + damping;
            step[i] = -gradient_[std::size_t(i)];
        }
        cholesky_factor(rows, factor_.data());
        cholesky_solve(rows, factor_.data(), step);
    }

  private:
    LIMBIK_INLINE void tile(int i, int j) {
        R sums[TILE][TILE];
        R* at = matrix_.data() + std::size_t(i) * wide_ + j;
        LIMBIK_EACH(a, TILE) LIMBIK_EACH(b, TILE) sums[a][b] = at[a * wide_ + b];
        const R* row = rows_.data();
        for (int k = 0; k < filled_; ++k, row += wide_) LIMBIK_EACH(a, TILE) {
                const R left = row[i + a];
                LIMBIK_EACH(b, TILE) sums[a][b] = madd(left, row[j + b], sums[a][b]);
            }
        LIMBIK_EACH(a, TILE) LIMBIK_EACH(b, TILE) at[a * wide_ + b] = sums[a][b];
    }

    int size_, wide_, filled_ = 0;
    std::vector<R> matrix_, factor_, gradient_, rows_;
};

}  // namespace limbik::linalg
