// Normal equations in lanes: a symmetric matrix summed from rows, and its solution by Cholesky's factors.
//
// The matrix is kept as its lower half in full rows, padded to a multiple of the tile. Rows come in blocks: a tile of
// the matrix stays in registers while a block passes.
#pragma once

#include <vector>

#include "../simd/trigonometry.hpp"

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
    // Where the next row's numbers go. add() counts it, with what is left over in that row.
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

    // Solve (matrix + damping I) step = -gradient. Where the factors break down the step is not a number.
    void solve(R damping, R* step) {
        for (int i = 0; i < size_; ++i) {
            R* row = factor_.data() + std::size_t(i) * wide_;
            for (int j = 0; j <= i; ++j) {
                const R* other = factor_.data() + std::size_t(j) * wide_;
                R sum = matrix_[std::size_t(i) * wide_ + j];
                if (i == j) sum = sum + damping;
                R parts[TILE] = {sum, R(0.0), R(0.0),
                                 R(0.0)};  // side by side: one sum would wait for each of its products
                int k = 0;
                for (; k + TILE <= j; k += TILE)
                    LIMBIK_EACH(t, TILE) parts[t] = nmadd(row[k + t], other[k + t], parts[t]);
                for (; k < j; ++k) parts[0] = nmadd(row[k], other[k], parts[0]);
                sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
                row[j] = i == j ? R(1.0) / square_root(sum) : sum * other[j];  // the diagonal is kept inverted
            }
        }
        for (int i = 0; i < size_; ++i) {
            const R* row = factor_.data() + std::size_t(i) * wide_;
            R sum = -gradient_[std::size_t(i)];
            for (int k = 0; k < i; ++k) sum = nmadd(row[k], step[k], sum);
            step[i] = sum * row[i];
        }
        for (int i = size_ - 1; i >= 0; --i) {
            const R* row = factor_.data() + std::size_t(i) * wide_;
            step[i] = step[i] * row[i];
            for (int k = 0; k < i; ++k) step[k] = nmadd(row[k], step[i], step[k]);
        }
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
