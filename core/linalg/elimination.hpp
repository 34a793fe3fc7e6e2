// Gaussian elimination with partial pivoting, for small systems.
#pragma once

#include <algorithm>
#include <cmath>

#include "../layers.hpp"

namespace limbik::linalg {

// Make the first N columns of A triangular. Returns the sign of their determinant, 0 where a pivot vanishes.
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

}  // namespace limbik::linalg
