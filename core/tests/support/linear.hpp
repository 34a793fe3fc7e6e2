// Random systems of equations, and plain solutions in long double.
#pragma once

#include "reference.hpp"

namespace limbik::test {

// L D L' with the unit triangle L: definite, or with one negative pivot.
inline std::vector<double> random_definite(Random& random, int n, int negative) {
    const std::size_t N = std::size_t(n);
    std::vector<double> L(N * N, 0.0), A(N * N, 0.0), pivots(N);
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < i; ++j) L[i * N + j] = random.uniform(-0.5, 0.5);
        L[i * N + i] = 1.0;
        pivots[i] = int(i) == negative ? random.uniform(-2.0, -0.5) : random.uniform(0.5, 2.0);
    }
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            Real sum = 0;
            for (std::size_t k = 0; k <= std::min(i, j); ++k) sum += Real(L[i * N + k]) * pivots[k] * L[j * N + k];
            A[i * N + j] = double(sum);
        }
    return A;
}

// A x = b, up to the rounding of numbers of this size.
inline void check_solution(const std::vector<double>& A, int n, const std::vector<double>& x,
                           const std::vector<double>& b) {
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
        Real sum = 0, size = std::fabs(b[i]);
        for (std::size_t j = 0; j < std::size_t(n); ++j) {
            const Real term = Real(A[i * std::size_t(n) + j]) * x[j];
            sum += term, size += fabsl(term);
        }
        HOLDS(fabsl(sum - b[i]) <= 1e-12L * n * size + 1e-14L, std::uint64_t(i), double(sum), b[i], double(size));
    }
}

// Gaussian elimination with partial pivoting; b becomes the solution. Returns the least pivot, a measure of its
// accuracy.
inline Real eliminate(std::vector<Real> A, int n, std::vector<Real>& b) {
    const std::size_t N = std::size_t(n);
    Real least = INFINITY;
    for (std::size_t k = 0; k < N; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < N; ++i)
            if (fabsl(A[i * N + k]) > fabsl(A[best * N + k])) best = i;
        for (std::size_t j = 0; j < N; ++j) std::swap(A[k * N + j], A[best * N + j]);
        std::swap(b[k], b[best]);
        least = fminl(least, fabsl(A[k * N + k]));
        if (A[k * N + k] == 0) return 0;
        for (std::size_t i = k + 1; i < N; ++i) {
            const Real factor = A[i * N + k] / A[k * N + k];
            for (std::size_t j = k; j < N; ++j) A[i * N + j] -= factor * A[k * N + j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t i = N; i-- > 0;) {
        for (std::size_t j = i + 1; j < N; ++j) b[i] -= A[i * N + j] * b[j];
        b[i] /= A[i * N + i];
    }
    return least;
}

}  // namespace limbik::test
