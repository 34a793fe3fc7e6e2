// Deadlines, and random numbers without a state.

#include <cstdlib>

#include "../support/random.hpp"

#include "../../base/deadline.hpp"
#include "../../base/random.hpp"

namespace limbik::test {
namespace {

TEST_CASE("a deadline is over when its time is, not before") {
    using Clock = Deadline::Clock;
    for (double seconds : {0.0, 1e-6, 1e-3, 0.02}) {
        const auto begin = Clock::now();
        const Deadline deadline(seconds);
        HOLDS(deadline.timed() && !deadline.endless(), seconds);
        while (!deadline.over()) {}
        const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
        HOLDS(taken >= seconds * (1.0 - 1e-6) - 1e-9, seconds, taken);
        HOLDS(deadline.over(), seconds);
    }
    HOLDS(Deadline(-1.0).over());
}

TEST_CASE("without a time it runs until it is stopped") {
    for (double seconds : {Deadline::FOR_EVER, 1e300, HUGE_VAL}) {
        const Deadline deadline(seconds);
        HOLDS(deadline.endless() && !deadline.timed() && !deadline.over(), seconds);
    }
    std::atomic<bool> stop{false};
    const Deadline deadline(stop);
    HOLDS(!deadline.endless() && !deadline.over());
    stop = true;
    HOLDS(deadline.over());
    stop = false;
    HOLDS(!deadline.over());
}

// Sixteen bins of a hundred: chance does not exceed seven standard deviations.
LAW("random numbers fill their range evenly, and depend on their keys alone", 200, [](std::uint64_t seed) {
    constexpr int BINS = 16, EACH = 100;
    constexpr double FARTHEST = 7.0 * 9.7;
    Random random(seed);
    const std::uint64_t stream = random.bits(), first = random.bits();
    int along_counter[BINS] = {}, along_stream[BINS] = {};
    for (std::uint64_t k = 0; k < BINS * EACH; ++k) {
        const double a = counter_random(stream, first + k), b = counter_random(stream + k, first);
        HOLDS(a >= 0.0 && a < 1.0 && b >= 0.0 && b < 1.0, a, b);
        HOLDS(same_bits(a, counter_random(stream, first + k)), a);
        ++along_counter[int(a * BINS)], ++along_stream[int(b * BINS)];
    }
    for (int bin = 0; bin < BINS; ++bin) {
        HOLDS(std::abs(along_counter[bin] - EACH) < FARTHEST, bin, along_counter[bin]);
        HOLDS(std::abs(along_stream[bin] - EACH) < FARTHEST, bin, along_stream[bin]);
    }
});

}  // namespace
}  // namespace limbik::test
