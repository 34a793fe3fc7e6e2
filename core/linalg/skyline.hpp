// Cholesky factorization in skyline storage: each row has only the entries from its first non-zero to the diagonal. The
// factor has no others either.
//
// The joints of a tree, leaves first, give such a system: two branches couple only through the joints that move both.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../simd/rows.hpp"

namespace limbik::linalg {

inline double dot_run(const double* a, const double* b, int count) {
    constexpr int W = width<Wide>;
    int k = 0;
    double sum = 0.0;
    if (count >= W) {
        Wide lanes(0.0);
        for (; k + W <= count; k += W) lanes = madd(load_lanes<W>(a + k), load_lanes<W>(b + k), lanes);
        for (int i = 0; i < W; ++i) sum += lane(lanes, i);
    }
    for (; k < count; ++k) sum += a[k] * b[k];
    return sum;
}

class Skyline {
  public:
    // Every row begins at its diagonal; `couple` lengthens rows.
    explicit Skyline(int n) : n_(n), first_(std::size_t(n)) {
        for (int i = 0; i < n; ++i) first_[std::size_t(i)] = i;
    }
    void couple(int i, int j) {
        first_[std::size_t(std::max(i, j))] = std::min(first_[std::size_t(std::max(i, j))], std::min(i, j));
    }

    int n() const { return n_; }
    int first(int row) const { return first_[std::size_t(row)]; }

    // Factor a (n x n, lower half) in place: a = L L', with the diagonal of L inverted. False where a is not positive
    // definite.
    bool factor(double* a) const {
        for (int i = 0; i < n_; ++i) {
            double* row = a + std::size_t(i) * std::size_t(n_);
            for (int j = first(i); j < i; ++j) {
                const double* other = a + std::size_t(j) * std::size_t(n_);
                const int from = std::max(first(i), first(j));
                row[j] = (row[j] - dot_run(row + from, other + from, j - from)) * other[j];
            }
            const double left = row[i] - dot_run(row + first(i), row + first(i), i - first(i));
            if (!(left > 0.0)) return false;
            row[i] = 1.0 / std::sqrt(left);
        }
        return true;
    }

    // Solve L L' x = b in place.
    void solve(const double* L, double* b) const {
        for (int i = 0; i < n_; ++i) {
            const double* row = L + std::size_t(i) * std::size_t(n_);
            b[i] = (b[i] - dot_run(row + first(i), b + first(i), i - first(i))) * row[i];
        }
        for (int i = n_ - 1; i >= 0; --i) {
            const double* row = L + std::size_t(i) * std::size_t(n_);
            b[i] *= row[i];
            for (int j = first(i); j < i; ++j) b[j] -= row[j] * b[i];
        }
    }

  private:
    int n_;
    std::vector<int> first_;
};

}  // namespace limbik::linalg
