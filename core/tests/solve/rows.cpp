// Rows of a batch: each is the single call, to the bit, whatever its neighbours, its place and the number of threads.

#include "../../base/parallel.hpp"
#include "../support/solvers.hpp"

namespace limbik::test {
namespace {

struct Batch {
    std::vector<double> targets, seeds, q, doubts;
    std::vector<Outcome> outcomes;
    long stride;

    Rows rows() { return {targets.data(), seeds.data(), stride, q.data(), outcomes.data(), doubts.data()}; }
    long size() const { return long(outcomes.size()); }
};

// A value that no solver writes: memory that holds it was not written.
constexpr double UNTOUCHED = 1234.5;

inline Batch some_batch(Random& random, const Solvable& arm, int rows) {
    Batch batch;
    const bool one_seed = random.chance(0.3);
    batch.stride = one_seed ? 0 : arm.n();
    for (int row = 0; row < rows; ++row) {
        double T[16];
        store_pose(some_target(random, arm), 1, T, 16);
        batch.targets.insert(batch.targets.end(), T, T + 16);
        batch.doubts.push_back(random.chance(0.3) ? random.magnitude(-7.0, 0.0) : 0.0);
        if (one_seed && row > 0) continue;
        const std::vector<double> seed = some_seed(random, arm);
        batch.seeds.insert(batch.seeds.end(), seed.begin(), seed.end());
    }
    batch.q.assign(std::size_t(rows * arm.n()), UNTOUCHED);
    batch.outcomes.resize(std::size_t(rows));
    return batch;
}

struct Answered {
    std::vector<double> q;
    Outcome out;
};

inline Answered single_call(const Solvable& arm, Batch& batch, long row, const Request& of_batch) {
    Answered one{std::vector<double>(arm.home.size()), {}};
    Request request = of_batch;
    request.doubt = batch.doubts[std::size_t(row)];
    const Rows rows = batch.rows();
    one.out = arm.solver->solve(rows.target(row), rows.seed(row), request, Deadline(), one.q.data());
    return one;
}

inline void check_row(const Answered& one, const Batch& batch, long row) {
    const Outcome& out = batch.outcomes[std::size_t(row)];
    HOLDS(same_outcome(one.out, out), row, int(one.out.status), int(out.status), one.out.attempt, out.attempt,
          one.out.tried, out.tried, one.out.steps, out.steps, one.out.closed, out.closed);
    for (std::size_t j = 0; j < one.q.size(); ++j)
        HOLDS(same_bits(one.q[j], batch.q[std::size_t(row) * one.q.size() + j]), row, int(j), one.q[j]);
}

inline void check_invalid(const Solvable& arm, Batch& batch, long row) {
    const Outcome& out = batch.outcomes[std::size_t(row)];
    HOLDS(out.status == Status::invalid && std::isnan(out.errors.position) && std::isnan(out.errors.rotation), row);
    for (int j = 0; j < arm.n(); ++j)
        HOLDS(same_bits(batch.q[std::size_t(row * arm.n() + j)], batch.rows().seed(row)[j]), row, j);
}

inline void check_batch(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    const int count = random.integer(1, width<Wide> + 3);
    const Batch given = some_batch(random, arm, count);
    Request request;
    request.closed = random.chance(0.7);
    if (random.chance(0.2)) request.weights = {1.0, 0.3};
    std::vector<std::vector<double>> offered;
    for (int k = random.integer(1, width<Wide> + 2); k > 0; --k) offered.push_back(configuration(random, arm, 0.1));
    const Proposals proposals(arm, offered, random.chance(0.5));
    if (random.chance(0.3)) request.starts = &proposals;
    const std::atomic<bool> stop{false};
    std::vector<Answered> single;
    Batch batch = given;
    for (long row = 0; row < count; ++row) {
        single.push_back(single_call(arm, batch, row, request));
        const Answered& one = single.back();
        check_answer(arm, batch.rows().target(row), one.q, one.out);
    }

    // all together
    arm.solver->prepare(request);
    arm.solver->solve_rows(batch.rows(), 0, count, request, stop);
    for (long row = 0; row < count; ++row) check_row(single[std::size_t(row)], batch, row);

    // on threads
    batch = given;
    parallel_rows(count, 1, random.integer(2, 4), [&](long begin, long end) {
        if (begin < end) arm.solver->solve_rows(batch.rows(), begin, end, request, stop);
    });
    for (long row = 0; row < count; ++row) check_row(single[std::size_t(row)], batch, row);

    // some of them, beside others that are invalid
    batch = given;
    const long begin = random.integer(0, count - 1), end = random.integer(int(begin), count);
    std::vector<bool> invalid(static_cast<std::size_t>(count));
    for (long row = 0; row < count; ++row)
        if (random.chance(0.4)) {
            invalid[std::size_t(row)] = true;
            batch.outcomes[std::size_t(row)].status = Status::invalid;
            std::fill_n(batch.targets.begin() + row * 16, 16, std::numeric_limits<double>::quiet_NaN());
        }
    arm.solver->solve_rows(batch.rows(), begin, end, request, stop);
    for (long row = 0; row < count; ++row) {
        if (row < begin || row >= end)
            for (int j = 0; j < arm.n(); ++j) HOLDS(batch.q[std::size_t(row * arm.n() + j)] == UNTOUCHED, row, j);
        else if (invalid[std::size_t(row)]) check_invalid(arm, batch, row);
        else check_row(single[std::size_t(row)], batch, row);
    }
}

// A batch without rows reads nothing that it points to.
inline void check_empty(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    const std::atomic<bool> stop{false};
    Outcome kept;
    kept.tried = 77;
    arm.solver->solve_rows({nullptr, nullptr, arm.n(), nullptr, &kept}, 0, 0, Request{}, stop);
    HOLDS(kept.tried == 77 && kept.status == Status::not_found);
}

// In a batch that is stopped before it begins, every answer is the seed, clamped to the limits, and timed out.
inline void check_stopped(std::uint64_t seed) {
    Random random(seed);
    const Solvable arm(random, some_arm(random, Arms(seed % std::uint64_t(Arms::COUNT))));
    Batch batch = some_batch(random, arm, random.integer(1, width<Wide> + 1));
    const std::atomic<bool> stop{true};
    arm.solver->solve_rows(batch.rows(), 0, batch.size(), Request{}, stop);
    for (long row = 0; row < batch.size(); ++row) {
        const std::vector<double> q(batch.q.begin() + row * arm.n(), batch.q.begin() + (row + 1) * arm.n());
        const Outcome& out = batch.outcomes[std::size_t(row)];
        check_answer(arm, batch.rows().target(row), q, out);
        if (out.status == Status::solved) continue;
        HOLDS(out.timed_out, row, int(out.status));
        for (std::size_t j = 0; j < q.size(); ++j)
            HOLDS(q[j] == std::clamp(batch.rows().seed(row)[j], arm.limits.lower[j], arm.limits.upper[j]), row, int(j));
    }
}

LAW_AT_LEAST("a row of a batch is the single call", 48, 4, check_batch);
LAW_AT_LEAST("a batch without rows reads nothing", 12, 6, check_empty);
LAW_AT_LEAST("a batch that is stopped stays at its seeds", 12, 6, check_stopped);

}  // namespace
}  // namespace limbik::test
