// Dense systems: factors and solutions against long double, and steps under constraints against the full system.

#include "../support/linear.hpp"

#include "../../linalg/cholesky.hpp"
#include "../../linalg/conditional_step.hpp"
#include "../../linalg/normal_equations.hpp"
#include "../../simd/rows.hpp"

namespace limbik::test {
namespace {

LAW("a positive definite system is solved, an indefinite one is refused", 200, [](std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 16);
    const std::size_t N = std::size_t(n);
    std::vector<double> A = random_definite(random, n, -1), L = A, b(N), x;
    for (double& each : b) each = random.uniform(-1.0, 1.0);
    x = b;
    const FullRows rows{n, n};
    HOLDS(cholesky_factor(rows, L.data()), n);
    cholesky_solve(rows, L.data(), x.data());
    check_solution(A, n, x, b);
    for (int i = 0; i < n; ++i) L[std::size_t(i * n + i)] = 1.0 / L[std::size_t(i * n + i)];
    for (int i = 0; i < n; ++i)  // L L' = A
        for (int j = 0; j <= i; ++j) {
            Real sum = 0;
            for (int k = 0; k <= j; ++k) sum += Real(L[std::size_t(i * n + k)]) * L[std::size_t(j * n + k)];
            const double error = std::fabs(double(sum) - A[std::size_t(i * n + j)]);
            HOLDS(error <= 1e-13 * n, i, j, error);
        }
    std::vector<double> saddle = random_definite(random, n, random.integer(0, n - 1));
    HOLDS(!cholesky_factor(rows, saddle.data()), n);
});

// Sizes on both sides of a tile of rows.
template <int N> inline void check_storage(Random& random) {
    constexpr int W = width<Wide>, STRIDE = N + 2;
    Wide packed[N * (N + 1) / 2], right[N];
    double full[W][N * STRIDE], b[W][N];
    for (int i = 0; i < W; ++i) {
        const std::vector<double> A = random_definite(random, N, -1);
        for (int r = 0, m = 0; r < N; ++r) {
            b[i][r] = random.uniform(-1.0, 1.0), right[r].set(i, b[i][r]);
            for (int c = 0; c <= r; ++c, ++m)
                full[i][r * STRIDE + c] = A[std::size_t(r * N + c)], packed[m].set(i, full[i][r * STRIDE + c]);
        }
    }
    solve_spd<N>(packed, right);
    for (int i = 0; i < W; ++i) {
        const FullRows rows{N, STRIDE};
        HOLDS(cholesky_factor(rows, full[i]), i);
        cholesky_solve(rows, full[i], b[i]);
        for (int r = 0; r < N; ++r) HOLDS(same_bits(lane(right[r], i), b[i][r]), N, i, r, lane(right[r], i), b[i][r]);
    }
}

LAW("a triangle in the lanes and full rows of one system have one solution, to the bit", 100, [](std::uint64_t seed) {
    Random random(seed);
    check_storage<1>(random), check_storage<3>(random), check_storage<4>(random), check_storage<6>(random);
    check_storage<7>(random), check_storage<9>(random);
});

LAW("a floor of the pivots keeps a singular system finite", 50, [](std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(2, 6);
    const std::size_t N = std::size_t(n);
    std::vector<double> column(N), A(N * N), b(N, 1.0);
    for (double& each : column) each = random.uniform(0.5, 1.0);
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) A[i * N + j] = column[i] * column[j];
    constexpr double FLOOR = 1e-6;
    const FullRows rows{n, n};
    HOLDS(cholesky_factor(rows, A.data(), [](double d) { return d < FLOOR ? FLOOR : d; }), n);
    for (std::size_t i = 1; i < N; ++i) HOLDS(A[i * N + i] == 1.0 / std::sqrt(FLOOR), A[i * N + i]);
    cholesky_solve(rows, A.data(), b.data());
    for (const double each : b) HOLDS(std::isfinite(each), each);
});

LAW("normal equations are those of their rows, in every lane", 100, [](std::uint64_t seed) {
    constexpr int W = width<Wide>;
    Random random(seed);
    const int n = random.integer(1, 13), rows = random.integer(0, 40);
    const std::size_t N = std::size_t(n);
    NormalEquations<Wide> wide(n);
    std::vector<NormalEquations<double>> single(W, NormalEquations<double>(n));
    std::vector<double> A(W * N * N, 0.0), g(W * N, 0.0);
    for (int again = 0; again < 2; ++again) {  // the second time after clear()
        wide.clear();
        std::fill(A.begin(), A.end(), 0.0), std::fill(g.begin(), g.end(), 0.0);
        for (auto& one : single) one.clear();
        for (int r = 0; r < rows; ++r) {
            Wide residual(0.0);
            for (int i = 0; i < W; ++i) {
                const std::size_t lane = std::size_t(i);
                double* row = single[lane].next();
                const double left = random.uniform(-1.0, 1.0);
                for (int j = 0; j < n; ++j) row[j] = random.uniform(-1.0, 1.0), wide.next()[j].set(i, row[j]);
                for (std::size_t a = 0; a < N; ++a) {
                    g[lane * N + a] += row[a] * left;
                    for (std::size_t b = 0; b < N; ++b) A[(lane * N + a) * N + b] += row[a] * row[b];
                }
                single[lane].add(left), residual.set(i, left);
            }
            wide.add(residual);
        }
    }
    wide.flush();
    const double damping = random.magnitude(-3.0, 1.0);
    std::vector<Wide> step(N);
    wide.solve(Wide(damping), step.data());
    for (int i = 0; i < W; ++i) {
        const std::size_t lane = std::size_t(i);
        single[lane].flush();
        std::vector<double> x(N), right(N);
        std::vector<double> own(A.begin() + long(lane * N * N), A.begin() + long((lane + 1) * N * N));
        single[lane].solve(damping, x.data());
        for (std::size_t j = 0; j < N; ++j) {
            HOLDS(same_bits(step[j][i], x[j]), i, std::uint64_t(j), step[j][i], x[j]);
            HOLDS(same_bits(wide.gradient()[j][i], single[lane].gradient()[j]), i, std::uint64_t(j));
            HOLDS(std::fabs(single[lane].gradient()[j] - g[lane * N + j]) <= 1e-13, i, g[lane * N + j]);
            right[j] = -g[lane * N + j], own[j * N + j] += damping;
        }
        check_solution(own, n, x, right);
    }
});

LAW("a step under constraints is that of the full system", 200, [](std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 9), k = random.integer(1, n);
    const std::size_t N = std::size_t(n), K = std::size_t(k);
    const std::vector<double> M = random_definite(random, n, -1);
    std::vector<double> g(N), C(K * N), d(K), q(N, 0.0), lower(N, -1.0), upper(N, 1.0), x;
    for (double& each : g) each = random.uniform(-1.0, 1.0);
    for (double& each : C) each = random.uniform(-1.0, 1.0);
    for (double& each : d) each = random.uniform(-1.0, 1.0);
    // (M -C'; C 0) (x, y) = (-g, d)
    std::vector<Real> full((N + K) * (N + K), 0), right(N + K);
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < N; ++j) full[i * (N + K) + j] = M[i * N + j];
        for (std::size_t c = 0; c < K; ++c)
            full[i * (N + K) + N + c] = -C[c * N + i], full[(N + c) * (N + K) + i] = C[c * N + i];
        right[i] = -g[i];
    }
    for (std::size_t c = 0; c < K; ++c) right[N + c] = d[c];
    const Real spread = eliminate(full, int(N + K), right);
    HOLDS(conditional_step(M, g, C, d, k, q.data(), lower.data(), upper.data(), x));
    double size = 1.0;
    for (const Real each : right) size = std::fmax(size, double(fabsl(each)));
    if (spread > 0.05L)  // nearly dependent constraints are relaxed
        for (std::size_t j = 0; j < N; ++j)
            HOLDS(std::fabs(x[j] - double(right[j])) <= 1e-4 * size, std::uint64_t(j), x[j], double(right[j]), size);

    // At a limit no joint moves outwards.
    for (std::size_t j = 0; j < N; ++j)
        if (random.chance(0.4)) q[j] = random.chance(0.5) ? lower[j] : upper[j];
    if (!conditional_step(M, g, C, d, random.integer(0, k), q.data(), lower.data(), upper.data(), x)) return;
    for (std::size_t j = 0; j < N; ++j)
        HOLDS(!(q[j] <= lower[j] && x[j] < 0.0) && !(q[j] >= upper[j] && x[j] > 0.0), q[j], x[j]);
});

}  // namespace
}  // namespace limbik::test
