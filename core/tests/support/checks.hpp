// Tools for all tests: laws over seeds, and a check that is cheap enough for millions of calls.
//
// A law is a function of a seed. LAW("name", count, function) makes it a test case of doctest: `count` fixed seeds (or
// a share of them), then random ones for a time. A failure prints its seed; `--seed` runs that one again. The options
// are in main.cpp.
#pragma once

#if defined(__x86_64__) && !defined(__clang__)
// GCC reads its own intrinsics headers as using uninitialised values (_mm512_undefined_pd); only they are excused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include <doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../layers.hpp"

namespace limbik::test {

// ---- checks --------------------------------------------------------------------------------------------------------

inline long checks = 0, failures = 0;
inline std::uint64_t current_seed = 0;  // the seed of the current case, for the failure message

// A broken kernel would fill the screen: only the first failures are reported, and their number at the end.
inline constexpr long REPORTED_FAILURES = 20;

std::string text_of(double x);
std::string text_of(long double x);
std::string text_of(bool x);
std::string text_of(int x);
std::string text_of(long x);
std::string text_of(std::uint64_t x);
std::string text_of(const char* x);

// Report to doctest that a law does not hold.
void report_failure(const char* file, int line, const char* law, const char* names, const std::string& values);

template <class... Values> [[gnu::noinline, gnu::cold]] void failed(const char* file, int line, const char* law,
                                                                    const char* names, const Values&... values) {
    std::string text{};
    if (failures < REPORTED_FAILURES) ((text += " " + text_of(values)), ...);
    report_failure(file, line, law, names, text);
}

// HOLDS(law, values to print where it does not hold...): a count and a comparison, cheaper than doctest's CHECK.
#define HOLDS(law, ...)                                                                                        \
    do {                                                                                                       \
        ++::limbik::test::checks;                                                                              \
        if (!(law)) ::limbik::test::failed(__FILE__, __LINE__, #law, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__); \
    } while (false)

// Equal to the last bit. All NaN count as equal, since their bits depend on the hardware.
inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

// A heap block of exactly `count` values: the address sanitizer detects any access beyond it.
template <class T = double> inline std::vector<T> places(long count, const T& value = T()) {
    return std::vector<T>(std::size_t(count), value);
}

// ---- laws ----------------------------------------------------------------------------------------------------------

// Fixed seeds count from here, far from random ones, so that a printed seed shows which kind it is.
inline constexpr std::uint64_t FIXED = 1000000000000u;

using Law = void (*)(std::uint64_t seed);

// Run a law over its seeds; at least `least` of the fixed ones, whatever the share.
void run_law(const char* file, Law law, double count, double least);
// Count a law: the time for random seeds is divided between all laws of a folder.
bool count_law(const char* file);

#define LIMBIK_LAW_NAMED(counted, name, count, least, ...)                            \
    [[maybe_unused]] static const bool counted = ::limbik::test::count_law(__FILE__); \
    TEST_CASE(name) { ::limbik::test::run_law(__FILE__, __VA_ARGS__, count, least); } \
    static_assert(true)
#define LAW_AT_LEAST(name, count, least, ...) \
    LIMBIK_LAW_NAMED(DOCTEST_ANONYMOUS(limbik_law_), name, count, least, __VA_ARGS__)
#define LAW(name, count, ...) LAW_AT_LEAST(name, count, 1, __VA_ARGS__)

}  // namespace limbik::test
