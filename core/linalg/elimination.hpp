// Elimination, for small systems.
#pragma once

#include <algorithm>
#include <cmath>

#include "../layers.hpp"

namespace limbik::linalg {

// Make the first N columns of A triangular, with pivots. Returns the sign of their determinant, 0 where there is no
// pivot.
template <int N, int COLUMNS> inline int eliminate(double A[N][COLUMNS]) {
    int sign = 1;
    for (int k = 0; k < N; ++k) {
        int best = k;
        for (int i = k + 1; i < N; ++i)
            if (std::fabs(A[i][k]) > std::fabs(A[best][k])) best = i;
        if (A[best][k] == 0.0) return 0;
        if (best != k) std::swap_ranges(A[k], A[k] + COLUMNS, A[best]), sign = -sign;
        if (A[k][k] < 0.0) sign = -sign;
        for (int i = k + 1; i < N; ++i) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j < COLUMNS; ++j) A[i][j] -= factor * A[k][j];
        }
    }
    return sign;
}

// A x = b for a positive definite m x m matrix, in place and without pivots, several right sides. False where it is
// none.
inline bool solve_positive(double* a, double* b, int m, int sides) {
    for (int k = 0; k < m; ++k) {
        const double pivot = a[k * m + k];
        if (!(pivot > 0.0)) return false;
        for (int r = k + 1; r < m; ++r) {
            const double f = a[r * m + k] / pivot;
            for (int c = k; c < m; ++c) a[r * m + c] -= f * a[k * m + c];
            for (int j = 0; j < sides; ++j) b[r * sides + j] -= f * b[k * sides + j];
        }
    }
    for (int k = m - 1; k >= 0; --k)
        for (int j = 0; j < sides; ++j) {
            double x = b[k * sides + j];
            for (int c = k + 1; c < m; ++c) x -= a[k * m + c] * b[c * sides + j];
            b[k * sides + j] = x / a[k * m + k];
        }
    return true;
}

}  // namespace limbik::linalg
