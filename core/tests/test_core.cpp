// The core's own tests: laws that hold for every mechanism, not numbers of particular ones. No framework.
//
//     test_core [--seconds N] [--seed S] [--part all|short|threads]
//
// short: a part of the fixed cases, for a run of seconds under sanitizers. After the fixed part, random mechanisms from the seeds S, S + 1, ... until N seconds are over. A failure prints its
// seed; `--seed` with it and `--seconds 0` runs that one case again.

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "test_batches.hpp"
#include "test_cells.hpp"
#include "test_tables.hpp"
#include "test_closed_form.hpp"
#include "test_goals.hpp"
#include "test_lanes.hpp"
#include "test_mechanisms.hpp"
#include "test_relaxation.hpp"
#include "test_rotations.hpp"
#include "test_solvers.hpp"
#include "test_trigonometry.hpp"

namespace limbik::test {

// The fixed part counts from here, far from the random part, so that a printed seed says which part it came from.
inline constexpr std::uint64_t FIXED = 1000000000000u;
// The share of its cases that a short run has.
inline constexpr double SHORT = 0.05;

// `share` of the cases that differ in nothing but their seeds, and at least one of each.
inline void fixed_part(double share) {
    const auto each = [&](double count, const auto& check) {
        for (std::uint64_t k = 0; double(k) < share * count; ++k) check(FIXED + k);
    };
    check_lanes(FIXED);
    check_first_not_finite(FIXED);
    check_sincos(FIXED);
    check_arc_tangent(FIXED);
    each(1000, check_trigonometry_lanes);
    each(1000, check_rotation_vectors);
    each(1000, check_turn_pair);
    each(1000, check_joint);
    for (int joints = 1; joints <= 12; ++joints)
        for (std::uint64_t k = 0; k < 5; ++k) check_chain(FIXED + 100 * k + std::uint64_t(joints), joints);
    each(40, check_tree);
    check_what_is_no_chain(FIXED);
    check_batches(FIXED);
    each(8, check_solvers);
    each(200, check_cones);
    each(200, check_goals);
    each(300, check_cells);
    each(40, check_tables);
    each(300, check_points);
    each(300, check_angles);
    each(100, check_closed_form);
    each(100, check_swivel);
}

// One random case. Everything in it follows from the seed.
inline void random_case(std::uint64_t seed) {
    check_trigonometry_lanes(seed);
    check_rotation_vectors(seed);
    check_turn_pair(seed);
    check_joint(seed);
    check_chain(seed, 0);
    check_tree(seed);
    Random random(seed);
    for (int k = 0; k < 50; ++k) {
        double y, x;
        random_point(random, y, x);
        check_arc_tangent_at(y, x);
        check_sincos_at(random_angle(random));
    }
    if (seed % 63 == 0) check_solvers(seed);  // each makes a seed table
    check_cones(seed);
    check_goals(seed);
    check_cells(seed);
    if (seed % 8 == 0) check_tables(seed);
    check_closed_form(seed);
    check_swivel(seed);
    if (seed % 16 == 0) {
        const Kinematics k(random.chance(0.5) ? random_chain(random, random.integer(1, 20))
                                              : random_tree(random, random.integer(0, 10)));
        check_rows_of_batch(random, k, random.integer(0, 5 * width<Wide>), {random.integer(1, 4)});
        check_pose_errors(random, random.integer(0, 5 * width<Wide>));
    }
}

}  // namespace limbik::test

int main(int argc, char** argv) {
    using namespace limbik::test;
    double seconds = 5.0;
    std::uint64_t seed = 1;
    std::string part = "all";
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (has_value && std::strcmp(argv[i], "--seconds") == 0) {
            seconds = std::atof(argv[++i]);
        } else if (has_value && std::strcmp(argv[i], "--seed") == 0) {
            seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (has_value && std::strcmp(argv[i], "--part") == 0) {
            part = argv[++i];
        } else {
            std::fprintf(stderr, "usage: %s [--seconds N] [--seed S] [--part all|short|threads]\n", argv[0]);
            return 2;
        }
    }
    if (part != "all" && part != "short" && part != "threads") {
        std::fprintf(stderr, "--part is all, short or threads, not %s\n", part.c_str());
        return 2;
    }
    const auto begin = std::chrono::steady_clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    const bool threads_only = part == "threads";
    if (!threads_only) fixed_part(part == "short" ? SHORT : 1.0);
    check_threads(FIXED);
    const double fixed = elapsed();
    std::uint64_t cases = 0;
    do {
        if (threads_only) {
            Random random(seed + cases);
            const limbik::kinematics::Kinematics k(random_tree(random, random.integer(1, 6)));
            check_rows_of_batch(random, k, random.integer(1, 200), {random.integer(2, 8)});
        } else {
            random_case(seed + cases);
        }
        ++cases;
    } while (elapsed() - fixed < seconds && failures == 0);
    std::printf("%ld checks, %ld failed; fixed part %.1f s, %llu random cases from seed %llu\n", checks, failures,
                fixed, static_cast<unsigned long long>(cases), static_cast<unsigned long long>(seed));
    return failures == 0 ? 0 : 1;
}
