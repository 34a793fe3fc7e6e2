// Skyline systems against full ones.

#include "../support/reference.hpp"

#include "../../linalg/skyline.hpp"

namespace limbik::test {
namespace {

// A random symmetric system whose rows begin anywhere: solved in its skyline and by elimination in long double.
inline void check_skyline(std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 24);
    Skyline shape(n);
    for (int k = random.integer(0, 3 * n); k > 0; --k) shape.couple(random.integer(0, n - 1), random.integer(0, n - 1));
    std::vector<double> a(std::size_t(n * n), 0.0), b(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        for (int j = shape.first(i); j < i; ++j) a[std::size_t(i * n + j)] = random.uniform(-1.0, 1.0);
        a[std::size_t(i * n + i)] = double(n) + random.uniform(0.0, 1.0);
        b[std::size_t(i)] = random.uniform(-1.0, 1.0);
    }
    const auto full = [&](int i, int j) { return a[std::size_t(std::max(i, j) * n + std::min(i, j))]; };
    std::vector<double> L = a, x = b;
    HOLDS(shape.factor(L.data()));
    shape.solve(L.data(), x.data());
    for (int i = 0; i < n; ++i) {
        Real sum = 0;
        for (int j = 0; j < n; ++j) sum += Real(full(i, j)) * x[std::size_t(j)];
        HOLDS(std::fabs(double(sum) - b[std::size_t(i)]) < 1e-12, i, double(sum), b[std::size_t(i)]);
    }
}

LAW("a skyline system has the solution of the full one", 200, check_skyline);

}  // namespace
}  // namespace limbik::test
