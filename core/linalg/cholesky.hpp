// Small symmetric systems of equations, row by row in plain memory.
#pragma once

#include <cmath>

#include "../layers.hpp"

namespace limbik::linalg {

// A = L L' in place, row by row; false where A is not positive definite.
inline bool factor_dense(double* A, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
            if (i == j) {
                if (!(sum > 0.0)) return false;
                A[i * n + i] = std::sqrt(sum);
            } else {
                A[i * n + j] = sum / A[j * n + j];
            }
        }
    return true;
}
inline void solve_dense(const double* L, int n, double* b) {
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

}  // namespace limbik::linalg
