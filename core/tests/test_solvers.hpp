// Solving: a success is one by the reference's forward kinematics, limits hold exactly, a batch row is the single solve.
#pragma once

#include <atomic>
#include <thread>

#include "../iterative/chain_solver.hpp"
#include "../iterative/general_solver.hpp"
#include "test_mechanisms.hpp"

namespace limbik::test {

inline Limits random_limits(Random& random, int n) {
    Limits limits;
    for (int j = 0; j < n; ++j) {
        const double middle = random.uniform(-1.0, 1.0), half = random.uniform(0.2, 3.0);
        const bool free = random.chance(0.2);
        limits.draw_low.push_back(middle - half), limits.draw_high.push_back(middle + half);
        limits.lower.push_back(free ? -std::numeric_limits<double>::infinity() : middle - half);
        limits.upper.push_back(free ? std::numeric_limits<double>::infinity() : middle + half);
    }
    return limits;
}

inline void check_answer(const Mechanism& m, const Limits& limits, const Pose<double>& target, const std::vector<double>& q,
                         const Outcome& out, const Tolerances& options) {
    for (std::size_t j = 0; j < q.size(); ++j) CHECK(q[j] >= limits.lower[j] && q[j] <= limits.upper[j], q[j]);
    std::vector<Pose<double>> poses(m.elements.size());
    forward_elements(m, q.data(), poses.data());
    Vector3<double> p, w;
    pose_error(frame_pose(m.frames[0], poses.data()), target, p, w);
    const double position = std::sqrt(dot(p, p)), rotation = std::sqrt(dot(w, w));
    CHECK(std::isfinite(position) && std::isfinite(rotation), position, rotation);
    CHECK(std::fabs(position - out.position_error) < 1e-9 && std::fabs(rotation - out.rotation_error) < 1e-7, position,
          out.position_error, rotation, out.rotation_error);
    if (out.status == Status::solved)
        CHECK(position <= 1.1 * options.position_tolerance && rotation <= 1.1 * options.rotation_tolerance, position, rotation);
}

inline void check_solver(Random& random, const Mechanism& m, const Solver& solver, const Limits& limits,
                         const Tolerances& options) {
    const int n = m.n, rows = random.integer(1, 2 * width<Wide> + 1), last = 12;
    auto targets = places(16L * rows), seeds = places(long(n) * rows), q_rows = places(long(n) * rows);
    std::vector<Outcome> outcomes(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        std::vector<double> q(static_cast<std::size_t>(n));
        for (int j = 0; j < n; ++j) {
            const std::size_t at = std::size_t(j);
            q[at] = limits.draw_low[at] + (limits.draw_high[at] - limits.draw_low[at]) * random.uniform(0.0, 1.0);
            seeds[std::size_t(row * n + j)] = random.uniform(-9.0, 9.0);
        }
        std::vector<Pose<double>> poses(m.elements.size());
        forward_elements(m, q.data(), poses.data());
        Pose<double> T = frame_pose(m.frames[0], poses.data());
        if (random.chance(0.3)) T.origin = scaled(T.origin, random.uniform(0.0, 4.0));  // some are not reachable
        store_pose(T, 1, targets.data() + 16 * row, 16);
    }
    const std::atomic<bool> stop{false};
    if (rows > 2) outcomes[1].status = Status::invalid;
    solver.solve_rows(targets.data(), seeds.data(), n, 0, rows, last, q_rows.data(), outcomes.data(), stop);
    for (int row = 0; row < rows; ++row) {
        if (rows > 2 && row == 1) continue;
        const Pose<double> T = load_pose<double>(targets.data() + 16 * row, 1);
        auto q = places(n);
        Outcome out = solver.solve(T, seeds.data() + row * n, 0, last, q.data());
        const Outcome& of_row = outcomes[std::size_t(row)];
        CHECK(out.status == of_row.status && out.attempt == of_row.attempt, out.attempt, of_row.attempt);
        if (out.status == Status::solved)
            for (int j = 0; j < n; ++j) CHECK(same_bits(q[std::size_t(j)], q_rows[std::size_t(row * n + j)]), row, j);
        else
            solver.nearest(T, seeds.data() + row * n, solver.look(T, seeds.data() + row * n, false), q.data(), out);
        check_answer(m, limits, T, q, out, options);
    }
}

// A chain in the lanes, and the same by the general solver. Two lengths stand for all: each is a long compilation.
template <int N> inline void check_solvers_of(Random& random) {
    const int joints = N;
    Mechanism m = random_chain(random, joints);
    m.frames.assign(1, {joints - 1, random_mount(random)});
    const Kinematics k(m);
    const Limits limits = random_limits(random, joints);
    const Effort effort{0.5, 0.1, 1.0};
    const Tolerances options{1e-8, 1e-8};
    const LazySeedTable table(*k.chain, limits.draw_low.data(), limits.draw_high.data());
    const SeedTable* seen[2] = {};
    {  // two threads that race for it get the same one
        std::vector<std::jthread> team;
        for (const SeedTable*& mine : seen) team.emplace_back([&] { mine = &table.get(); });
    }
    CHECK(table.made() && seen[0] == seen[1] && seen[0] == &table.get());
    ScalarChain elsewhere = *k.chain;
    elsewhere.base = random_mount(random), elsewhere.frames.clear();
    CHECK(table.key() == LazySeedTable(elsewhere, limits.draw_low.data(), limits.draw_high.data()).key());
    CHECK(table.key() != LazySeedTable(*k.chain, limits.draw_high.data(), limits.draw_low.data()).key());
    check_solver(random, k.mechanism, ChainSolver<N>(k, 0, limits, effort, table, options), limits, options);
    check_solver(random, k.mechanism, GeneralSolver(k, 0, limits, effort, options), limits, options);
}

inline void check_solvers(std::uint64_t seed) {
    Random random(seed);
    if (seed % 2 == 0)
        check_solvers_of<2>(random);
    else
        check_solvers_of<6>(random);
}

// A ball at an edge: the ways out are at right angles, and a pull without them stays inside, to the first order.
inline void check_ways_out(const Cone& cone, const double* q, Vector3<double> pull) {
    constexpr double STEP = 1e-6, SECOND_ORDER = 1e-9;
    if (cone.swing < 0.1 || cone.swing > 2.9) return;  // near 0 and half a turn the edge bends too much
    Vector3<double> out[2];
    const int count = ways_out(cone, q, pull, out);
    if (count == 2) CHECK(std::fabs(dot(out[0], out[1])) < 1e-9, dot(out[0], out[1]));
    for (int w = 0; w < count; ++w) pull = pull - scaled(out[w], dot(pull, out[w]));
    const double step[3] = {STEP * pull.x, STEP * pull.y, STEP * pull.z};
    double moved[3], kept[3];
    compose_rotations(q, step, moved);
    std::copy_n(moved, 3, kept);
    clamp_cone(cone, kept);
    if (count > 0)
        for (int j = 0; j < 3; ++j) CHECK(std::fabs(moved[j] - kept[j]) < SECOND_ORDER, moved[j], kept[j]);
}

// Balls in their cones: clamping ends inside and leaves what is inside alone.
inline void check_cones(std::uint64_t seed) {
    Random random(seed);
    Vector3<double> axis = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0)};
    axis = scaled(axis, 1.0 / std::sqrt(dot(axis, axis)));
    const Cone cone{0, axis, random.uniform(0.0, 3.0), random.uniform(-3.0, 0.0), random.uniform(0.0, 3.0)};
    for (int k = 0; k < 20; ++k) {
        double q[3] = {random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0)};
        clamp_cone(cone, q);
        double again[3] = {q[0], q[1], q[2]};
        clamp_cone(cone, again);
        for (int j = 0; j < 3; ++j) CHECK(std::isfinite(q[j]) && std::fabs(q[j] - again[j]) < 1e-9, q[j], again[j]);
        check_ways_out(cone, q, {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)});
    }
}

}  // namespace limbik::test
