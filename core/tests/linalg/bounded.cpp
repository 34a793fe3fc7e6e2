// A step inside bounds: the Karush-Kuhn-Tucker conditions hold for any first active set.

#include "../support/reference.hpp"

#include "../../linalg/bounded_step.hpp"

namespace limbik::test {
namespace {

LAW("a bounded step satisfies the conditions of a minimum", 300, [](std::uint64_t seed) {
    constexpr double NEAR = 1e-10;
    constexpr int ROUNDS = 5000;
    Random random(seed);
    const int n = random.integer(1, 14);
    const std::size_t N = std::size_t(n);
    Skyline shape(n);
    for (int k = random.integer(0, 3 * n); k > 0; --k) shape.couple(random.integer(0, n - 1), random.integer(0, n - 1));
    BoundedStep step(shape);
    step.clear();
    // a sum of squares of rows inside the skyline, and a little on the diagonal
    for (int i = 0; i < n; ++i)
        for (int again = 0; again < 2; ++again) {
            const int from = shape.first(i);
            std::vector<double> row(N, 0.0);
            row[std::size_t(i)] = random.uniform(-1.0, 1.0);
            if (from < i) row[std::size_t(random.integer(from, i - 1))] = random.uniform(-1.0, 1.0);
            for (std::size_t a = 0; a < N; ++a)
                for (std::size_t b = 0; b <= a; ++b) step.H[a * N + b] += row[a] * row[b];
        }
    std::vector<double> frozen_at(N);
    for (std::size_t i = 0; i < N; ++i) {
        step.H[i * N + i] += 0.1;
        step.g[i] = random.uniform(-2.0, 2.0);
        step.low[i] = random.uniform(-1.0, 0.5);
        step.high[i] = random.chance(0.1) ? step.low[i] : step.low[i] + random.uniform(0.0, 2.0);
        step.held[i] = Held(random.integer(0, 3));
        step.x[i] = frozen_at[i] = random.uniform(-1.0, 1.0);
    }
    std::vector<char> frozen(N);
    for (std::size_t i = 0; i < N; ++i) frozen[i] = step.held[i] == Held::frozen;
    HOLDS(step.solve(ROUNDS), n);
    for (std::size_t i = 0; i < N; ++i) {
        if (frozen[i]) {
            HOLDS(step.held[i] == Held::frozen && step.x[i] == frozen_at[i], step.x[i], frozen_at[i]);
            continue;
        }
        const double x = step.x[i], low = step.low[i], high = step.high[i];
        HOLDS(x >= low && x <= high, x, low, high);
        Real slope = step.g[i];
        for (std::size_t j = 0; j < N; ++j) slope += Real(step.H[std::max(i, j) * N + std::min(i, j)]) * step.x[j];
        if (x > low) HOLDS(slope <= NEAR, x, low, high, double(slope));
        if (x < high) HOLDS(slope >= -NEAR, x, low, high, double(slope));
    }
});

LAW("a quadratic without a minimum is refused", 50, [](std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 8);
    const std::size_t N = std::size_t(n);
    Skyline shape(n);
    BoundedStep step(shape);
    step.clear();
    const std::size_t bad = std::size_t(random.integer(0, n - 1));
    for (std::size_t i = 0; i < N; ++i) {
        step.H[i * N + i] = i == bad ? -random.uniform(0.1, 1.0) : 1.0;
        step.low[i] = -1.0, step.high[i] = 1.0, step.held[i] = Held::free;
    }
    HOLDS(!step.solve(10), n);
});

}  // namespace
}  // namespace limbik::test
