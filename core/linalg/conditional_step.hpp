// An equality-constrained quadratic program inside joint limits: a step of least cost under linear conditions.
#pragma once

#include <algorithm>
#include <vector>

#include "cholesky.hpp"

namespace limbik::linalg {

// Minimise x' M x / 2 + g' x subject to C x = d. Conditions that contradict each other are relaxed, the first `task` of
// them more. A joint at a limit that x would violate does not move. False where M is not positive definite.
inline bool conditional_step(const std::vector<double>& M, const std::vector<double>& g, const std::vector<double>& C,
                             const std::vector<double>& d, int task, const double* q, const double* lower,
                             const double* upper, std::vector<double>& x) {
    const std::size_t N = g.size(), k = d.size();
    const FullRows joints{int(N), int(N)}, conditions{int(k), int(k)};
    std::vector<char> out(N, 0);
    for (int round = 0; round < 2; ++round) {
        std::vector<double> F(M), Y(k * N), S(k * k), y(k), own(C);
        for (std::size_t j = 0; j < N; ++j)
            if (out[j]) {
                for (std::size_t b = 0; b < N; ++b) F[j * N + b] = F[b * N + j] = 0.0;
                F[j * N + j] = 1.0;
                for (std::size_t i = 0; i < k; ++i) own[i * N + j] = 0.0;
            }
        if (!cholesky_factor(joints, F.data())) return false;
        for (std::size_t i = 0; i < k; ++i) {
            std::copy_n(own.begin() + long(i * N), N, Y.begin() + long(i * N));
            cholesky_solve(joints, F.data(), Y.data() + i * N);
        }
        std::vector<double> down(g);
        for (std::size_t j = 0; j < N; ++j)
            if (out[j]) down[j] = 0.0;
        double trace = 0.0;
        for (std::size_t i = 0; i < k; ++i) {
            for (std::size_t j = 0; j < k; ++j) {
                S[i * k + j] = 0.0;
                for (std::size_t a = 0; a < N; ++a) S[i * k + j] += own[i * N + a] * Y[j * N + a];
            }
            trace += S[i * k + i];
            y[i] = d[i];
            for (std::size_t a = 0; a < N; ++a) y[i] += Y[i * N + a] * down[a];
        }
        for (std::size_t i = 0; i < k; ++i) S[i * k + i] += (int(i) < task ? 1e-9 : 1e-13) * trace / double(k) + 1e-300;
        if (!cholesky_factor(conditions, S.data())) return false;
        cholesky_solve(conditions, S.data(), y.data());
        x.assign(N, 0.0);
        for (std::size_t j = 0; j < N; ++j) {
            x[j] = -down[j];
            for (std::size_t i = 0; i < k; ++i) x[j] += own[i * N + j] * y[i];
        }
        cholesky_solve(joints, F.data(), x.data());
        bool again = false;
        for (std::size_t j = 0; j < N; ++j)
            if (!out[j] && ((q[j] <= lower[j] && x[j] < 0.0) || (q[j] >= upper[j] && x[j] > 0.0)))
                out[j] = 1, again = true;
        if (!again) break;
    }
    for (std::size_t j = 0; j < N; ++j)
        if (out[j]) x[j] = 0.0;
    return true;
}

}  // namespace limbik::linalg
