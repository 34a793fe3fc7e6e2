// Iterative inverse kinematics of a serial chain of N joints, in the lanes.
//
// A single solve runs the attempt from the seed alone and then the others side by side in the lanes; attempts numbered
// above the successful one are wasted. A batch runs targets side by side, each with one attempt after the other. Both
// give the same bits, because both take the lowest-numbered attempt that succeeds (solver.hpp). The starts are the
// seed, then configurations of the seed table (the target's cell, then its neighbours), then random ones.
#pragma once

#include "chain_solvers.hpp"
#include "closest_configurations.hpp"
#include "corners.hpp"
#include "limit_descent.hpp"

namespace limbik::iterative {

// Attempts from the seed table before the closest approach is searched: one round in the widest lanes.
inline constexpr int FIRST_SEEDS = 8;

template <int N> class ChainSolver final : public Solver {
  public:
    ChainSolver(const Kinematics& k, int frame, Limits limits, const StepSettings& settings, const LazySeedTable& table,
                const Tolerances& tolerances)
        : chain_(*k.chain), frame_(chain_.frames[std::size_t(frame)]), limits_(std::move(limits)), settings_(settings),
          lazy_table_(table), tolerances_(tolerances), base_inverse_(inverse_pose(chain_.base)),
          tool_inverse_(inverse_pose(frame_.placement)), lower_(limits_.lower.data()), upper_(limits_.upper.data()),
          corners_(limits_.draw_low.data(), limits_.draw_high.data(), N, settings_.length),
          closest_(make_closest_configuration(chain_, frame_, limits_, settings_, tolerances_)) {}

    int n() const override { return N; }
    int side_by_side() const override { return width<Wide>; }
    void warm_up() const override { table(), closest_->warm_up(); }
    bool warm() const override { return lazy_table_.made() && closest_->warm(); }

    // One target: the seed's attempt by itself, in plain doubles, then the others in the lanes.
    Outcome solve(const Pose<double>& target, const double* seed, int begin, int end, double* q_out) const override {
        constexpr int W = width<Wide>;
        Outcome out;
        if (begin == 0 && solve_from_seed(target, seed, q_out, out)) return out;
        if (end <= 1) return out;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const Place place = place_of(target);
        CornerOrder corners;
        for (int first = std::max(begin, 1); first < end; first += W) {
            const int count = std::min(W, end - first);
            Wide q[N];
            start_lanes(place, corners, seed, first, q);
            Attempt attempts[W];
            for (int i = 0; i < count; ++i) attempts[i].begin(0, first + i);
            int best = count;  // the lowest lane that has succeeded; later ones do not count
            bool running = true;
            while (running) {
                const Residual<Wide> e =
                    damped_step<N, Wide>(chain_, frame_, settings_, lower_, upper_, wide_target, q);
                double squared[W], facing[W];
                store_lanes<W>(e.squared, squared);
                store_lanes<W>(e.facing, facing);
                running = false;
                for (int i = 0; i < best; ++i) {
                    if (attempts[i].row < 0) continue;
                    const bool close = squared[i] < ONE_STEP_AWAY && facing[i] > 0.0,
                               on = attempts[i].continues(squared[i]);
                    if (close && accept(lane_of(q, i), target, seed, on, q_out, out)) {
                        out.attempt = attempts[i].number;
                        best = i;
                    } else if (on) {
                        running = true;
                    } else {
                        attempts[i].row = -1;
                    }
                }
            }
            out.tried = first + count;
            for (int i = 0; i < std::min(best + 1, count); ++i) out.steps += attempts[i].step;
            if (best < count) {
                out.tried = out.attempt + 1;
                out.status = Status::solved;
                return out;
            }
        }
        return out;
    }

    // A target in each lane.
    void solve_rows(const Rows& rows, std::span<const long> which, int last,
                    const std::atomic<bool>& stop) const override {
        constexpr int W = width<Wide>;
        Wide q[N];
        Pose<Wide> target = broadcast<Wide>(identity_pose());
        for (int j = 0; j < N; ++j) q[j] = Wide(0.0);
        Attempt attempts[W];
        Pose<double> own[W];
        Place place[W];
        CornerOrder corners[W];
        std::size_t next = 0;
        int busy = 0;
        auto set_target = [&](int i, const Pose<double>& T) {
            auto put = [i](Vector3<Wide>& a, const Vector3<double>& b) {
                set_lane(a.x, i, b.x), set_lane(a.y, i, b.y), set_lane(a.z, i, b.z);
            };
            put(target.x, T.x), put(target.y, T.y), put(target.z, T.z), put(target.origin, T.origin);
        };
        auto begin_attempt = [&](int i, long row, int number) {
            attempts[i].begin(row, number);
            double start[N];
            if (number == 1) place[i] = place_of(own[i]), corners[i].count = 0;
            start_one(place[i], corners[i], rows.seed(row), number, start);
            for (int j = 0; j < N; ++j) set_lane(q[j], i, start[j]);
        };
        auto next_row = [&](int i) {
            if (next >= which.size() || stop.load(std::memory_order_relaxed)) {
                attempts[i].row = -1;
                --busy;
                return;
            }
            const long row = which[next++];
            own[i] = rows.target(row);
            set_target(i, own[i]);
            Outcome fresh;
            fresh.steps = rows.outcomes[row].steps;
            rows.outcomes[row] = fresh;
            begin_attempt(i, row, 0);
        };
        for (int i = 0; i < W; ++i) {
            ++busy;
            next_row(i);
        }
        while (busy > 0) {
            const Residual<Wide> e = damped_step<N, Wide>(chain_, frame_, settings_, lower_, upper_, target, q);
            double squared[W], facing[W];
            store_lanes<W>(e.squared, squared);
            store_lanes<W>(e.facing, facing);
            for (int i = 0; i < W; ++i) {
                const long row = attempts[i].row;
                if (row < 0) continue;
                Outcome& out = rows.outcomes[row];
                const bool close = squared[i] < ONE_STEP_AWAY && facing[i] > 0.0,
                           on = attempts[i].continues(squared[i]);
                if (close && accept(lane_of(q, i), own[i], rows.seed(row), on, rows.q + row * N, out)) {
                    out.status = Status::solved;
                    out.attempt = attempts[i].number;
                    out.tried = out.attempt + 1;
                    out.steps += attempts[i].step;
                    next_row(i);
                } else if (!on) {
                    out.steps += attempts[i].step;
                    if (attempts[i].number + 1 < last && !stop.load(std::memory_order_relaxed)) {
                        begin_attempt(i, row, attempts[i].number + 1);
                    } else {
                        out.tried = attempts[i].number + 1;
                        next_row(i);
                    }
                }
            }
        }
    }

    int quick_attempts() const override { return 1 + FIRST_SEEDS; }

    Approach approach(const Pose<double>& target, const double* seed, bool proven) const override {
        return closest_->approach(target, seed, proven);
    }
    void closest(const Pose<double>& target, const double* seed, const Approach& approach, double* q_out,
                 Outcome& out) const override {
        closest_->orient(target, seed, approach, q_out, out);
    }
    void closest_weighted(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                          Outcome& out) const override {
        closest_->weighted(target, seed, weights, q_out, out);
    }
    double least_position(const Pose<double>& target, int starts) const override {
        return closest_->least_position(target, starts);
    }

  private:
    // The target without base and tool, the target itself, its azimuth, and its cell of the seed table.
    struct Place {
        Pose<double> pose, target;
        double azimuth = 0.0;
        int cell = 0;
    };

    Place place_of(const Pose<double>& target) const {
        Place place;
        place.pose = base_inverse_ * target * tool_inverse_, place.target = target;
        double d[4];
        table().describe(place.pose, d, place.azimuth);
        place.cell = table().cell(d);
        return place;
    }

    // The number of the seed that an attempt starts from: the target's cell first, then its neighbours; -1 past these.
    long stored(const Place& place, int attempt) const {
        const int seed = attempt - 1;
        if (seed < 0 || seed >= SeedTable::STORED) return -1;
        return long(table().neighbour(place.cell, seed / SeedTable::SEEDS)) * SeedTable::SEEDS +
               seed % SeedTable::SEEDS;
    }

    // Set the last joint to the roll that brings the tip's rotation closest to the target's.
    template <class R> void roll(const Pose<R>& wanted, R q[N]) const {
        q[N - 1] = R(0.0);
        const ChainFrame last{N, identity_pose(), false};
        const Pose<R> T = forward_chain_noinline<false, R>(table().bare, last, q, nullptr);
        q[N - 1] = arc_tangent2(dot(T.y, wanted.x) - dot(T.x, wanted.y), dot(T.x, wanted.x) + dot(T.y, wanted.y));
    }

    // The start of one attempt, before the roll: the seed, or a seed of the table at the target's azimuth, or random.
    void start_unrolled(const Place& place, const double* seed, int attempt, double q[N]) const {
        const long posture = stored(place, attempt);
        for (int j = 0; j < N; ++j) {
            if (attempt == 0) q[j] = seed[j];
            else if (posture >= 0) q[j] = double(table().posture(posture, j));
            else
                q[j] = limits_.draw_low[std::size_t(j)] +
                       (limits_.draw_high[std::size_t(j)] - limits_.draw_low[std::size_t(j)]) *
                           counter_random(std::uint64_t(j) + RESTARTS, std::uint64_t(attempt));
        }
        if (posture >= 0 && table().revolute_first)
            q[0] = place.azimuth - double(table().azimuths[std::size_t(posture)]);
    }
    // Joint j of a start, normalised to the seed and the limits.
    double normalised(double x, const double* seed, int j) const {
        return normalised_joint(chain_, lower_, upper_, x, seed, j);
    }

    void start_one(const Place& place, CornerOrder& corners, const double* seed, int attempt, double q[N]) const {
        start_unrolled(place, seed, attempt, q);
        if (attempt > 0 && table().revolute_last) roll<double>(place.pose, q);
        if (attempt >= HARD_ATTEMPTS) start_hard(place, corners, attempt, q);
        for (int j = 0; j < N; ++j) q[j] = normalised(q[j], seed, j);
    }
    // The start of a late attempt. The target's corners are ranked on first use.
    [[gnu::noinline]] void start_hard(const Place& place, CornerOrder& corners, int attempt, double q[N]) const {
        switch (hard_start(attempt)) {
            case HardStart::ordinary: return;
            case HardStart::descended:
                return descend_into_limits<N>(chain_, frame_, settings_, lower_, upper_, place.target, q);
            case HardStart::at_some_limits:
                return onto_some_limits(
                    limits_.draw_low.data(), limits_.draw_high.data(), N,
                    [&](int j) { return counter_random(std::uint64_t(j) + AT_LIMITS, std::uint64_t(attempt)); }, q);
            case HardStart::corner:
                if (corners.count == 0)
                    corners = corners_.order(place.target, [&](const double* x) {
                        return forward_chain_noinline<false, double>(chain_, frame_, x, nullptr);
                    });
                if (const int rank = corner_rank(attempt); rank < corners.count)
                    corners_.posture(corners.corner[std::size_t(rank)], q);
        }
    }

    void start_lanes(const Place& place, CornerOrder& corners, const double* seed, int first, Wide q[N]) const {
        constexpr int W = width<Wide>;
        double start[W][N];
        for (int i = 0; i < W; ++i) start_unrolled(place, seed, first + i, start[i]);
        load_rows(start[0], N, W, q);
        if (table().revolute_last) {
            const double unrolled = start[0][N - 1];
            roll<Wide>(broadcast<Wide>(place.pose), q);
            if (first == 0) set_lane(q[N - 1], 0, unrolled);  // the seed is not rolled
        }
        for (int i = 0; i < W; ++i) {
            for (int j = 0; j < N; ++j) start[i][j] = lane(q[j], i);
            if (first + i >= HARD_ATTEMPTS) start_hard(place, corners, first + i, start[i]);
            for (int j = 0; j < N; ++j) start[i][j] = normalised(start[i][j], seed, j);
        }
        load_rows(start[0], N, W, q);
    }

    // Attempt 0, from the seed. True where it succeeds.
    bool solve_from_seed(const Pose<double>& target, const double* seed, double* q_out, Outcome& out) const {
        double q[N];
        for (int j = 0; j < N; ++j) q[j] = normalised(seed[j], seed, j);
        Attempt attempt;
        attempt.begin(0, 0);
        out.tried = 1;
        bool on;
        do {
            const Residual<double> e = damped_step<N, double>(chain_, frame_, settings_, lower_, upper_, target, q);
            on = attempt.continues(e.squared);
            if (e.squared < ONE_STEP_AWAY && e.facing > 0.0 && accept({q}, target, seed, on, q_out, out)) {
                out.attempt = 0;
                out.status = Status::solved;
                out.steps = attempt.step;
                return true;
            }
        } while (on);
        out.steps = attempt.step;
        return false;
    }

    // A copy of N joint values.
    struct Values {
        double x[N];
        Values() = default;
        Values(const double* from) { std::copy_n(from, N, x); }
    };
    static Values lane_of(const Wide q[N], int i) {
        Values v;
        for (int j = 0; j < N; ++j) v.x[j] = lane(q[j], i);
        return v;
    }

    // Verification (kinematics/verify.hpp). Writes q and the errors where it succeeds.
    bool accept(Values q, const Pose<double>& target, const double* seed, bool continues, double* q_out,
                Outcome& out) const {
        const Errors errors = verify_chain(chain_, frame_, lower_, upper_, seed, target, q.x);
        if (!reached(tolerances_, settings_, continues, errors)) return false;
        std::copy_n(q.x, N, q_out);
        out.errors = errors;
        return true;
    }

    const SeedTable& table() const { return lazy_table_.get(); }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Limits limits_;
    StepSettings settings_;
    const LazySeedTable& lazy_table_;
    Tolerances tolerances_;
    Pose<double> base_inverse_, tool_inverse_;
    const double *lower_, *upper_;
    Corners corners_;
    std::unique_ptr<const ClosestConfiguration> closest_;
};

}  // namespace limbik::iterative
