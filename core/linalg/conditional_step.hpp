// An equality-constrained quadratic program inside joint limits: the step of least cost under linear constraints.
//
//     minimise x' M x / 2 + g' x  subject to  C x = d
//
// With multipliers y the optimum satisfies M x + g = C' y. So x = M^-1 (C' y - g), and the constraints give
// (C M^-1 C') y = d + C M^-1 g: two Cholesky factorizations, one of M and one as large as the number of constraints. A
// small multiple of the mean diagonal entry is added to C M^-1 C', so that contradictory constraints are relaxed.
#pragma once

#include <algorithm>
#include <vector>

#include "cholesky.hpp"

namespace limbik::linalg {

// The relaxation of the constraints, as a part of the mean diagonal entry of C M^-1 C'.
inline constexpr double TASK_RELAXATION = 1e-9, RELAXATION = 1e-13;

// The first `task` constraints are relaxed more than the others. A joint at a limit that x would violate is held: its
// step is 0 and the others are computed again, once. False where M is not positive definite.
inline bool conditional_step(const std::vector<double>& M, const std::vector<double>& g, const std::vector<double>& C,
                             const std::vector<double>& d, int task, const double* q, const double* lower,
                             const double* upper, std::vector<double>& x) {
    const std::size_t N = g.size(), k = d.size();
    const FullRows joints{int(N), int(N)}, constraints{int(k), int(k)};
    std::vector<char> held(N, 0);
    for (int round = 0; round < 2; ++round) {
        std::vector<double> F(M), Y(k * N), S(k * k), y(k), rows(C);
        for (std::size_t j = 0; j < N; ++j)
            if (held[j]) {
                for (std::size_t b = 0; b < N; ++b) F[j * N + b] = F[b * N + j] = 0.0;
                F[j * N + j] = 1.0;
                for (std::size_t i = 0; i < k; ++i) rows[i * N + j] = 0.0;
            }
        if (!cholesky_factor(joints, F.data())) return false;
        for (std::size_t i = 0; i < k; ++i) {
            std::copy_n(rows.begin() + long(i * N), N, Y.begin() + long(i * N));
            cholesky_solve(joints, F.data(), Y.data() + i * N);
        }
        std::vector<double> cost(g);
        for (std::size_t j = 0; j < N; ++j)
            if (held[j]) cost[j] = 0.0;
        double trace = 0.0;
        for (std::size_t i = 0; i < k; ++i) {
            for (std::size_t j = 0; j < k; ++j) {
                S[i * k + j] = 0.0;
                for (std::size_t a = 0; a < N; ++a) S[i * k + j] += rows[i * N + a] * Y[j * N + a];
            }
            trace += S[i * k + i];
            y[i] = d[i];
            for (std::size_t a = 0; a < N; ++a) y[i] += Y[i * N + a] * cost[a];
        }
        for (std::size_t i = 0; i < k; ++i)
            S[i * k + i] += (int(i) < task ? TASK_RELAXATION : RELAXATION) * trace / double(k) + 1e-300;
        if (!cholesky_factor(constraints, S.data())) return false;
        cholesky_solve(constraints, S.data(), y.data());
        x.assign(N, 0.0);
        for (std::size_t j = 0; j < N; ++j) {
            x[j] = -cost[j];
            for (std::size_t i = 0; i < k; ++i) x[j] += rows[i * N + j] * y[i];
        }
        cholesky_solve(joints, F.data(), x.data());
        bool again = false;
        for (std::size_t j = 0; j < N; ++j)
            if (!held[j] && ((q[j] <= lower[j] && x[j] < 0.0) || (q[j] >= upper[j] && x[j] > 0.0)))
                held[j] = 1, again = true;
        if (!again) break;
    }
    for (std::size_t j = 0; j < N; ++j)
        if (held[j]) x[j] = 0.0;
    return true;
}

}  // namespace limbik::linalg
