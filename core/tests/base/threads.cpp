// Rows divided between threads, and lazy values: each row is in one piece, all threads get the same value, and failures
// are reported.

#include <atomic>
#include <stdexcept>
#include <thread>

#include "../support/random.hpp"

#include "../../base/lazy.hpp"
#include "../../base/parallel.hpp"

namespace limbik::test {
namespace {

TEST_SUITE_BEGIN("threads");

TEST_CASE("every row is in exactly one piece, and pieces begin where registers do") {
    for (long rows : {0L, 1L, 7L, 8L, 9L, 63L, 64L, 65L, 1000L})
        for (long grain : {1L, 2L, 4L, 8L})
            for (int threads : {-1, 0, 1, 2, 3, 8, 1000}) {
                std::vector<int> seen(std::size_t(rows), 0);
                std::vector<char> uneven(std::size_t(rows) + 1, 0);
                parallel_rows(rows, grain, threads, [&](long begin, long end) {
                    if (begin < end && begin % grain != 0) uneven[std::size_t(begin)] = 1;
                    for (long row = begin; row < end; ++row) ++seen[std::size_t(row)];
                });
                for (long row = 0; row < rows; ++row) {
                    HOLDS(seen[std::size_t(row)] == 1, rows, grain, threads, row, seen[std::size_t(row)]);
                    HOLDS(uneven[std::size_t(row)] == 0, rows, grain, threads, row);
                }
            }
}

// A piece fails: the call fails with its error, after every other piece has ended.
LAW("a failure in a piece is reported once all pieces have ended", 40, [](std::uint64_t seed) {
    Random random(seed);
    const long rows = random.integer(1, 200);
    const int threads = random.integer(1, 8);
    const long bad = random.integer(0, int(rows) - 1);
    std::vector<char> done(std::size_t(rows), 0);
    bool reported = false;
    long spoilt_from = 0, spoilt_to = 0;
    try {
        parallel_rows(rows, 1, threads, [&](long begin, long end) {
            if (begin <= bad && bad < end) {
                spoilt_from = begin, spoilt_to = end;
                throw std::runtime_error("spoilt");
            }
            for (long row = begin; row < end; ++row) done[std::size_t(row)] = 1;
        });
    } catch (const std::runtime_error&) {
        reported = true;
    }
    HOLDS(reported, rows, threads, bad);
    for (long row = 0; row < rows; ++row)
        HOLDS((done[std::size_t(row)] != 0) == (row < spoilt_from || row >= spoilt_to), rows, threads, bad, row);
});

// Counts its living copies.
struct Counted {
    explicit Counted(std::atomic<int>& count_) : count(count_) { ++count; }
    Counted(const Counted& other) : count(other.count) { ++count; }
    ~Counted() { --count; }
    std::atomic<int>& count;
};

LAW("threads that ask at the same time get the same value, and none is left", 40, [](std::uint64_t seed) {
    Random random(seed);
    std::atomic<int> alive{0};
    {
        const Lazy<Counted> lazy;
        HOLDS(!lazy.made());
        std::vector<const Counted*> seen(std::size_t(random.integer(1, 6)), nullptr);
        {
            std::vector<std::jthread> workers;
            for (const Counted*& mine : seen)
                workers.emplace_back([&] { mine = &lazy.get([&] { return Counted(alive); }); });
        }
        HOLDS(lazy.made() && alive == 1, int(alive));
        for (const Counted* each : seen) HOLDS(each == seen[0]);
        HOLDS(&lazy.get([&] { return Counted(alive); }) == seen[0] && alive == 1, int(alive));
    }
    HOLDS(alive == 0, int(alive));
});

TEST_SUITE_END();

}  // namespace
}  // namespace limbik::test
