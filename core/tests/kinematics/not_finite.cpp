// The search for numbers that are not finite.

#include "../support/random.hpp"

#include "../../kinematics/kinematics.hpp"

namespace limbik::test {
namespace {

inline void check_first_not_finite(std::uint64_t seed) {
    constexpr int W = width<Wide>;
    constexpr double INF = std::numeric_limits<double>::infinity();
    constexpr double LARGEST = std::numeric_limits<double>::max();
    constexpr double bad[] = {NAN, -NAN, INF, -INF, LARGEST, -LARGEST, TOO_LARGE, -TOO_LARGE};
    Random random(seed);
    // The largest numbers that are accepted must pass, however many there are.
    constexpr double BELOW = 0x1.fffffffffffffp332;
    static_assert(BELOW < TOO_LARGE && 1e100 < BELOW);
    constexpr double fine[] = {0.0, -0.0, 1.0, -3.5, 5e-324, 1e100, BELOW, -BELOW};
    auto shape = [&](long rows, long size, bool every_position) {
        const long total = rows * size;
        std::vector<double> values{};
        for (long i = 0; i < total; ++i) values.push_back(fine[random.integer(0, int(std::size(fine)) - 1)]);
        values.shrink_to_fit();
        HOLDS(first_not_finite(values.data(), rows, size) == -1, rows, size);
        for (long k = 0; k < total; k += every_position ? 1 : random.integer(1, 97)) {
            const double kept = values[std::size_t(k)];
            for (double x : bad) {
                values[std::size_t(k)] = x;
                const long found = first_not_finite(values.data(), rows, size);
                HOLDS(found == k / size, rows, size, k, x, found);
            }
            if (k + 1 < total) {  // a second one, later, does not hide the first
                const long later = k + 1 + long(random.bits() % std::uint64_t(total - k - 1));
                const double kept_later = values[std::size_t(later)];
                values[std::size_t(later)] = bad[random.integer(0, int(std::size(bad)) - 1)];
                const long found = first_not_finite(values.data(), rows, size);
                HOLDS(found == k / size, rows, size, k, later, found);
                values[std::size_t(later)] = kept_later;
            }
            values[std::size_t(k)] = kept;
        }
    };
    for (long size : {1, 2, 3, 6, 7, 16})
        for (long rows = 0; rows * size <= 8 * W + 5; ++rows) shape(rows, size, true);
    shape(0, 0, true);
    shape(5, 0, true);
    shape(1, 8 * W + 3, true);
    shape(1000, 7, false);
    shape(4097, 3, false);
}

LAW("the first number that is not finite is found", 1, check_first_not_finite);

}  // namespace
}  // namespace limbik::test
