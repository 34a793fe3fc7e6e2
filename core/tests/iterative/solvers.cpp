// Iterative solvers: a solution is one by the general path of forward kinematics, limits hold exactly, and a row of a
// batch is the single call.

#include <atomic>
#include <numeric>
#include <thread>

#include "../support/mechanisms.hpp"

#include "../../iterative/chain_solver.hpp"
#include "../../iterative/general_solver.hpp"

namespace limbik::test {
namespace {

inline void check_answer(const Mechanism& m, const Limits& limits, const Pose<double>& target,
                         const std::vector<double>& q, const Outcome& out, const Tolerances& options) {
    for (std::size_t j = 0; j < q.size(); ++j) HOLDS(q[j] >= limits.lower[j] && q[j] <= limits.upper[j], q[j]);
    std::vector<Pose<double>> poses(m.elements.size());
    forward_elements(m, q.data(), poses.data());
    Vector3<double> p, w;
    pose_error(frame_pose(m.frames[0], poses.data()), target, p, w);
    const double position = std::sqrt(dot(p, p)), rotation = std::sqrt(dot(w, w));
    HOLDS(std::isfinite(position) && std::isfinite(rotation), position, rotation);
    HOLDS(std::fabs(position - out.errors.position) < 1e-9 && std::fabs(rotation - out.errors.rotation) < 1e-7,
          position, out.errors.position, rotation, out.errors.rotation);
    if (out.status == Status::solved)
        HOLDS(position <= 1.1 * options.position && rotation <= 1.1 * options.rotation, position, rotation);
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
    std::vector<long> which(static_cast<std::size_t>(rows));
    std::iota(which.begin(), which.end(), 0L);
    solver.solve_rows({targets.data(), seeds.data(), n, q_rows.data(), outcomes.data()}, which, last, stop);
    for (int row = 0; row < rows; ++row) {
        if (rows > 2 && row == 1) continue;
        const Pose<double> T = load_pose<double>(targets.data() + 16 * row, 1);
        auto q = places(n);
        Outcome out = solver.solve(T, seeds.data() + row * n, 0, last, q.data());
        const Outcome& of_row = outcomes[std::size_t(row)];
        HOLDS(out.status == of_row.status && out.attempt == of_row.attempt, out.attempt, of_row.attempt);
        if (out.status == Status::solved)
            for (int j = 0; j < n; ++j) HOLDS(same_bits(q[std::size_t(j)], q_rows[std::size_t(row * n + j)]), row, j);
        else
            solver.closest(T, seeds.data() + row * n, solver.approach(T, seeds.data() + row * n, false), q.data(), out);
        check_answer(m, limits, T, q, out, options);
    }
}

// A chain in the lanes, and the same by the general solver. Two lengths are enough: each takes long to compile.
template <int N> inline void check_solvers_of(Random& random) {
    const int joints = N;
    Mechanism m = random_chain(random, joints);
    m.frames.assign(1, {joints - 1, random_placement(random)});
    const Kinematics k(m);
    const Limits limits = random_limits(random, joints);
    const StepSettings settings{0.5, 0.1, 1.0};
    const Tolerances options{1e-8, 1e-8};
    const LazySeedTable table(*k.chain, limits.draw_low.data(), limits.draw_high.data());
    const SeedTable* seen[2] = {};
    {  // two threads that race for it get the same one
        std::vector<std::jthread> workers;
        for (const SeedTable*& mine : seen) workers.emplace_back([&] { mine = &table.get(); });
    }
    HOLDS(table.made() && seen[0] == seen[1] && seen[0] == &table.get());
    ScalarChain elsewhere = *k.chain;
    elsewhere.base = random_placement(random), elsewhere.frames.clear();
    HOLDS(table.key() == LazySeedTable(elsewhere, limits.draw_low.data(), limits.draw_high.data()).key());
    HOLDS(table.key() != LazySeedTable(*k.chain, limits.draw_high.data(), limits.draw_low.data()).key());
    check_solver(random, k.mechanism, ChainSolver<N>(k, 0, limits, settings, table, options), limits, options);
    check_solver(random, k.mechanism, GeneralSolver(k, 0, limits, settings, options), limits, options);
}

inline void check_solvers(std::uint64_t seed) {
    Random random(seed);
    if (seed % 2 == 0) check_solvers_of<2>(random);
    else check_solvers_of<6>(random);
}

LAW("an answer is verified, in a batch and in a single call", 8, check_solvers);

}  // namespace
}  // namespace limbik::test
