// The test program of every folder: doctest with further options. Each option is an environment variable too.
//
//     --seconds N   LIMBIK_TEST_SECONDS   how long random seeds are tried, all laws of a folder together; default 1
//     --share X     LIMBIK_TEST_SHARE     the share of fixed seeds that are tried, at least one of each law; default 1
//     --seed S      LIMBIK_TEST_SEED      every law for this seed only; with --test-case=NAME, the one law that failed
//     --from S      LIMBIK_TEST_FROM      the first random seed; default 1
//
// With --test-case the seconds are those of each law that is run.

#define DOCTEST_CONFIG_IMPLEMENT
#include "checks.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

namespace limbik::test {

namespace {

struct Options {
    double seconds = 1.0, share = 1.0;
    std::optional<std::uint64_t> seed;
    std::uint64_t from = 1;
    bool chosen = false;  // some test cases only
};

Options options;
std::uint64_t random_seeds = 0;

// How many laws the folder of a file has.
int& laws_of(const std::string& file) {
    static std::map<std::string, int> laws;
    return laws[file.substr(0, file.find_last_of('/'))];
}

class Clock {
  public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void try_seed(Law law, std::uint64_t seed) {
    current_seed = seed;
    law(seed);
}

template <class... Values> std::string formatted(const char* format, Values... values) {
    char text[64];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

}  // namespace

std::string text_of(double x) { return formatted("%.17g", x); }
std::string text_of(long double x) { return formatted("%.21Lg", x); }
std::string text_of(bool x) { return x ? "true" : "false"; }
std::string text_of(int x) { return formatted("%d", x); }
std::string text_of(long x) { return formatted("%ld", x); }
std::string text_of(std::uint64_t x) { return formatted("%llu", static_cast<unsigned long long>(x)); }
std::string text_of(const char* x) { return x; }

void report_failure(const char* file, int line, const char* law, const char* names, const std::string& values) {
    if (++failures > REPORTED_FAILURES) return;
    std::string text = "seed " + text_of(current_seed) + ": not true: " + law;
    if (names[0] != '\0') text += std::string("\n    ") + names + " =" + values;
    ADD_FAIL_CHECK_AT(file, line, text);
}

bool count_law(const char* file) {
    ++laws_of(file);
    return true;
}

void run_law(const char* file, Law law, double count, double least) {
    if (options.seed) return try_seed(law, *options.seed);
    const long before = failures;
    const double fixed = std::fmax(std::fmin(least, count), options.share * count);
    for (std::uint64_t k = 0; double(k) < fixed; ++k) try_seed(law, FIXED + k);
    const double time = options.chosen ? options.seconds : options.seconds / laws_of(file);
    const Clock clock;
    for (std::uint64_t k = 0; failures == before && clock.seconds() < time; ++k, ++random_seeds)
        try_seed(law, options.from + k);
}

namespace {

// The value of `--name value` among the arguments, of the variable otherwise; nothing where neither is there.
const char* given(int argc, char** argv, const char* name, const char* variable) {
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    const char* value = std::getenv(variable);
    return value && value[0] != '\0' ? value : nullptr;
}

double number(const char* text, double standard, const char* name) {
    if (!text) return standard;
    char* end;
    const double value = std::strtod(text, &end);
    if (end != text && *end == '\0' && value >= 0.0) return value;
    std::fprintf(stderr, "%s takes a number that is not negative, not '%s'\n", name, text);
    std::exit(2);
}

std::uint64_t seed_of(const char* text, const char* name) {
    char* end;
    const std::uint64_t seed = std::strtoull(text, &end, 10);
    if (end != text && *end == '\0' && text[0] != '-') return seed;
    std::fprintf(stderr, "%s takes a whole number, not '%s'\n", name, text);
    std::exit(2);
}

Options read_options(int argc, char** argv) {
    Options out;
    out.seconds = number(given(argc, argv, "--seconds", "LIMBIK_TEST_SECONDS"), out.seconds, "--seconds");
    out.share = number(given(argc, argv, "--share", "LIMBIK_TEST_SHARE"), out.share, "--share");
    if (const char* seed = given(argc, argv, "--seed", "LIMBIK_TEST_SEED")) out.seed = seed_of(seed, "--seed");
    if (const char* from = given(argc, argv, "--from", "LIMBIK_TEST_FROM")) out.from = seed_of(from, "--from");
    for (int i = 1; i < argc; ++i)
        out.chosen =
            out.chosen || std::strncmp(argv[i], "-tc", 3) == 0 || std::strncmp(argv[i], "--test-case=", 12) == 0;
    return out;
}

}  // namespace

}  // namespace limbik::test

int main(int argc, char** argv) {
    using namespace limbik::test;
    options = read_options(argc, argv);
    doctest::Context context(argc, argv);
    context.setOption("no-intro", true);
    const Clock clock;
    const int status = context.run();
    if (context.shouldExit()) return status;
    std::printf("%ld checks, %ld failed; %llu random seeds from %llu; %.1f s\n", checks, failures,
                static_cast<unsigned long long>(random_seeds), static_cast<unsigned long long>(options.from),
                clock.seconds());
    return status;
}
