// The core's own tests: laws that hold for every mechanism, not numbers of particular ones. No framework.
//
//     test_core [--seconds N] [--seed S] [--part all|threads]
//
// After the fixed part, random mechanisms from the seeds S, S + 1, ... until N seconds are over. A failure prints its
// seed; `--seed` with it and `--seconds 0` runs that one case again.

#include <chrono>
#include <cstdlib>
#include <cstring>

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

inline void fixed_part() {
    check_lanes(FIXED);
    check_first_not_finite(FIXED);
    check_sincos(FIXED);
    check_arc_tangent(FIXED);
    for (std::uint64_t k = 0; k < 1000; ++k) check_trigonometry_lanes(FIXED + k);
    for (std::uint64_t k = 0; k < 1000; ++k) {
        check_rotation_vectors(FIXED + k);
        check_turn_pair(FIXED + k);
        check_joint(FIXED + k);
    }
    for (int joints = 1; joints <= 12; ++joints)
        for (std::uint64_t k = 0; k < 5; ++k) check_chain(FIXED + 100 * k + std::uint64_t(joints), joints);
    for (std::uint64_t k = 0; k < 40; ++k) check_tree(FIXED + k);
    check_what_is_no_chain(FIXED);
    check_batches(FIXED);
    for (std::uint64_t k = 0; k < 8; ++k) check_solvers(FIXED + k);
    for (std::uint64_t k = 0; k < 200; ++k) check_cones(FIXED + k);
    for (std::uint64_t k = 0; k < 200; ++k) check_goals(FIXED + k);
    for (std::uint64_t k = 0; k < 300; ++k) check_cells(FIXED + k);
    for (std::uint64_t k = 0; k < 40; ++k) check_tables(FIXED + k);
    for (std::uint64_t k = 0; k < 300; ++k) check_points(FIXED + k), check_angles(FIXED + k);
    for (std::uint64_t k = 0; k < 100; ++k) {
        check_closed_form(FIXED + k);
        check_swivel(FIXED + k);
    }
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
    bool threads_only = false;
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (has_value && std::strcmp(argv[i], "--seconds") == 0) {
            seconds = std::atof(argv[++i]);
        } else if (has_value && std::strcmp(argv[i], "--seed") == 0) {
            seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (has_value && std::strcmp(argv[i], "--part") == 0) {
            threads_only = std::strcmp(argv[++i], "threads") == 0;
        } else {
            std::fprintf(stderr, "usage: %s [--seconds N] [--seed S] [--part all|threads]\n", argv[0]);
            return 2;
        }
    }
    const auto begin = std::chrono::steady_clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    if (!threads_only) fixed_part();
    check_threads(FIXED);
    const double fixed = elapsed();
    std::uint64_t cases = 0;
    do {
        if (threads_only) {
            Random random(seed + cases);
            const limbik::Kinematics k(random_tree(random, random.integer(1, 6)));
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
