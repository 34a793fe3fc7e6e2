// Reach a pose: numbered attempts from numbered starts, the lowest-numbered success is the answer.
//
// An attempt is a function of the chain, the target, the seed and its number alone: it starts somewhere, takes damped
// steps (levenberg_marquardt.hpp) and ends converged, hopeless or out of steps. Attempt 0 starts at the seed, the next ones
// at postures of the seed table, the rest at random ones. A single solve runs attempts side by side in the lanes and may
// waste some; a batch runs targets side by side and starts an attempt when the one before has failed. Both give the same
// answer to the last bit, because both take the lowest-numbered attempt that succeeds.
//
// Success is decided afterwards, by forward kinematics and the rotation logarithm in plain doubles, inside the limits.
#pragma once

#include <atomic>

#include "kinematics.hpp"
#include "levenberg_marquardt.hpp"
#include "seeds.hpp"

namespace limbik {

enum class Status : int { solved = 0, out_of_reach = 1, limits = 2, not_found = 3, compromise = 4, blocked = 5, invalid = 6 };

struct SolveOptions {
    double position_tolerance = 1e-8, rotation_tolerance = 1e-8;
    int attempts = 100;
};

// What a solve reports beside q.
struct Outcome {
    Status status = Status::not_found;
    int attempt = -1;  // the one that succeeded
    int tried = 0;     // how many it took
    double position_error = 0.0, rotation_error = 0.0;
};

// ---- when an attempt ends ------------------------------------------------------------------------------------------

// A residual below this is one Newton step from the answer: the step is taken and verified.
inline constexpr double CLOSE = 1e-10;  // squared
// Steps given to an attempt at the most.
inline constexpr int STEPS = 48;
// Every so many steps ...
inline constexpr int LOOK_BACK = 4;
// ... the squared residual must have come down to this part, or the attempt is hopeless.
inline constexpr double PROGRESS = 0.5;

struct Attempt {
    long row = -1;
    int number = 0, step = 0;
    double mark = 0.0;

    void begin(long of_row, int attempt) {
        row = of_row, number = attempt, step = 0;
        mark = 1e300;
    }
    // False when it should be given up.
    bool goes_on(double squared) {
        ++step;
        if (step >= STEPS || !(squared < 1e12)) return false;
        if (step % LOOK_BACK == 0) {
            if (squared > PROGRESS * mark) return false;
            mark = squared;
        }
        return true;
    }
};

// The value of a turning joint nearest to `wish` among those that differ by whole turns and lie inside the bounds.
inline double nearest_turn(double q, double wish, double lower, double upper) {
    constexpr double TURN = 2.0 * PI;
    double x = q + TURN * std::nearbyint((wish - q) / TURN);
    if (x < lower) x = q + TURN * std::ceil((lower - q) / TURN);
    if (x > upper) x = q + TURN * std::floor((upper - q) / TURN);
    return x >= lower && x <= upper ? x : q;
}

template <int N> class ChainSolver {
  public:
    ChainSolver(const ScalarChain& chain, int frame, const double* lower, const double* upper, const Effort& effort,
                const SeedTable& table, const SolveOptions& options)
        : chain_(chain), frame_(chain.frames[std::size_t(frame)]), effort_(effort), table_(table), options_(options),
          base_inverse_(inverse(chain.base)), tool_inverse_(inverse(frame_.mount)) {
        for (int i = 0; i < N; ++i) {
            lower_[i] = lower[i], upper_[i] = upper[i];
            const bool slides = chain.joints[std::size_t(i)].kind == Kind::prismatic;
            const double span = slides ? effort.length : PI;
            draw_low_[i] = std::isfinite(lower[i]) ? lower[i] : std::isfinite(upper[i]) ? upper[i] - 2 * span : -span;
            draw_high_[i] = std::isfinite(upper[i]) ? upper[i] : std::isfinite(lower[i]) ? lower[i] + 2 * span : span;
        }
    }

    // One target: attempts in the lanes.
    Outcome solve(const Pose<double>& target, const double* seed, double* q_out) const {
        constexpr int W = width<Wide>;
        Outcome out;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const Place place = placed(target);
        for (int first = 0; first < options_.attempts; first += W) {
            const int count = std::min(W, options_.attempts - first);
            Wide q[N];
            start_lanes(place, seed, first, q);
            Attempt attempts[W];
            for (int i = 0; i < W; ++i) attempts[i].begin(i < count ? 0 : -1, first + i);
            int best = count;
            bool running = true;
            while (running) {
                const Residual<Wide> e = damped_step<N, Wide>(chain_, frame_, effort_, lower_, upper_, wide_target, q);
                running = false;
                for (int i = 0; i < best; ++i) {
                    if (attempts[i].row < 0) continue;
                    const double squared = lane(e.squared, i);
                    if (squared < CLOSE && lane(e.facing, i) > 0.0 && accept(q, i, target, seed, q_out, out)) {
                        out.attempt = attempts[i].number;
                        attempts[i].row = -1;
                        best = i;  // lower-numbered ones may still succeed
                        break;
                    }
                    if (attempts[i].goes_on(squared))
                        running = true;
                    else
                        attempts[i].row = -1;
                }
                if (best < count) {
                    running = false;
                    for (int i = 0; i < best; ++i) running = running || attempts[i].row >= 0;
                }
            }
            out.tried = first + count;
            if (best < count) {
                out.tried = out.attempt + 1;
                out.status = Status::solved;
                return out;
            }
        }
        return out;
    }

    // Rows begin..end of a batch: targets in the lanes. targets: 16 numbers a row; seeds: N numbers a row or one row (stride 0).
    void solve_rows(const double* targets, const double* seeds, long seed_stride, long begin, long end, double* q_out,
                    Outcome* outcomes, const std::atomic<bool>& stop) const {
        constexpr int W = width<Wide>;
        Wide q[N];
        Pose<Wide> target = broadcast<Wide>(identity());
        for (int j = 0; j < N; ++j) q[j] = Wide(0.0);
        Attempt attempts[W];
        Pose<double> own[W];
        Place place[W];
        long next = begin;
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
            if (number > 0) place[i] = number == 1 ? placed(own[i]) : place[i];
            start_one(place[i], seeds + row * seed_stride, number, start);
            for (int j = 0; j < N; ++j) set_lane(q[j], i, start[j]);
        };
        auto next_row = [&](int i) {
            if (next >= end || stop.load(std::memory_order_relaxed)) {
                attempts[i].row = -1;
                --busy;
                return;
            }
            own[i] = load_pose<double>(targets + next * 16, 1);
            set_target(i, own[i]);
            outcomes[next] = Outcome{};
            begin_attempt(i, next++, 0);
        };
        for (int i = 0; i < W; ++i) {
            ++busy;
            next_row(i);
        }
        while (busy > 0) {
            const Residual<Wide> e = damped_step<N, Wide>(chain_, frame_, effort_, lower_, upper_, target, q);
            double squared[W], facing[W];
            store_lanes<W>(e.squared, squared);
            store_lanes<W>(e.facing, facing);
            for (int i = 0; i < W; ++i) {
                const long row = attempts[i].row;
                if (row < 0) continue;
                Outcome& out = outcomes[row];
                if (squared[i] < CLOSE && facing[i] > 0.0 &&
                    accept(q, i, own[i], seeds + row * seed_stride, q_out + row * N, out)) {
                    out.status = Status::solved;
                    out.attempt = attempts[i].number;
                    out.tried = out.attempt + 1;
                    next_row(i);
                } else if (!attempts[i].goes_on(squared[i])) {
                    if (attempts[i].number + 1 < options_.attempts && !stop.load(std::memory_order_relaxed)) {
                        begin_attempt(i, row, attempts[i].number + 1);
                    } else {
                        out.tried = attempts[i].number + 1;
                        next_row(i);
                    }
                }
            }
        }
    }

    // Errors of a posture against a target, exact.
    void errors(const double* q, const Pose<double>& target, double& position, double& rotation) const {
        const Pose<double> T = forward_chain<false, double>(chain_, frame_, q, nullptr);
        Vector3<double> p, w;
        pose_error(T, target, p, w);
        position = std::sqrt(dot(p, p));
        rotation = std::sqrt(dot(w, w));
    }

  private:
    // The target as the seed table sees it.
    struct Place {
        Pose<double> pose;
        double side = 0.0;
        int cell = 0;
    };

    static Pose<double> identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}; }
    static Pose<double> inverse(const Pose<double>& T) {
        Pose<double> out = {{T.x.x, T.y.x, T.z.x}, {T.x.y, T.y.y, T.z.y}, {T.x.z, T.y.z, T.z.z}, {0, 0, 0}};
        out.origin = -rotate(out, T.origin);
        return out;
    }

    Place placed(const Pose<double>& target) const {
        Place place;
        place.pose = base_inverse_ * target * tool_inverse_;
        double d[4];
        table_.describe(place.pose, d, place.side);
        place.cell = table_.cell(d);
        return place;
    }

    // What a start takes from the table or from chance, before it is turned to the target.
    double drawn(const Place& place, int attempt, int j) const {
        const int seed = attempt - 1;
        if (seed < SeedTable::SEEDS)
            return double(table_.postures[(std::size_t(place.cell) * N + std::size_t(j)) * SeedTable::SEEDS + std::size_t(seed)]);
        const double u = counter_random(std::uint64_t(j) + 1000, std::uint64_t(attempt));
        return draw_low_[j] + (draw_high_[j] - draw_low_[j]) * u;
    }
    double first_turn(const Place& place, int attempt) const {
        const int seed = attempt - 1;
        return place.side - double(table_.sides[std::size_t(place.cell) * SeedTable::SEEDS + std::size_t(seed)]);
    }

    // Roll the last joint so that the tip faces the target as well as it can.
    template <class R> void roll(const Pose<R>& wanted, R q[N]) const {
        q[N - 1] = R(0.0);
        const ChainFrame last{N, identity(), false};
        const Pose<R> T = forward_chain<false, R>(table_.bare, last, q, nullptr);
        q[N - 1] = arc_tangent2(dot(T.y, wanted.x) - dot(T.x, wanted.y), dot(T.x, wanted.x) + dot(T.y, wanted.y));
    }

    // The start of one attempt, without the roll.
    void start_unrolled(const Place& place, const double* seed, int attempt, double q[N]) const {
        for (int j = 0; j < N; ++j) {
            q[j] = attempt == 0 ? seed[j] : drawn(place, attempt, j);
            if (attempt > 0 && attempt <= SeedTable::SEEDS && j == 0 && table_.turns_first) q[j] = first_turn(place, attempt);
        }
    }
    // Bring a start to the whole turn nearest the seed, inside the limits.
    double settled(double x, const double* seed, int j) const {
        if (chain_.joints[std::size_t(j)].kind == Kind::revolute) x = nearest_turn(x, seed[j], lower_[j], upper_[j]);
        return std::clamp(x, lower_[j], upper_[j]);
    }

    void start_one(const Place& place, const double* seed, int attempt, double q[N]) const {
        start_unrolled(place, seed, attempt, q);
        if (attempt > 0 && table_.turns_last) roll<double>(place.pose, q);
        for (int j = 0; j < N; ++j) q[j] = settled(q[j], seed, j);
    }

    void start_lanes(const Place& place, const double* seed, int first, Wide q[N]) const {
        constexpr int W = width<Wide>;
        double start[W][N];
        for (int i = 0; i < W; ++i) start_unrolled(place, seed, first + i, start[i]);
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < W; ++i) set_lane(q[j], i, start[i][j]);
        if (table_.turns_last) {
            const Wide kept = q[N - 1];
            roll<Wide>(broadcast<Wide>(place.pose), q);
            if (first == 0) set_lane(q[N - 1], 0, lane(kept, 0));
        }
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < W; ++i) set_lane(q[j], i, settled(lane(q[j], i), seed, j));
    }

    // Verify lane i of q: whole turns chosen, limits kept, errors within the tolerances. Writes q and the errors if so.
    bool accept(const Wide q[N], int i, const Pose<double>& target, const double* seed, double* q_out, Outcome& out) const {
        double x[N];
        for (int j = 0; j < N; ++j) x[j] = settled(lane(q[j], i), seed, j);
        double position, rotation;
        errors(x, target, position, rotation);
        if (!(position <= options_.position_tolerance && rotation <= options_.rotation_tolerance)) return false;
        std::copy_n(x, N, q_out);
        out.position_error = position, out.rotation_error = rotation;
        return true;
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Effort effort_;
    const SeedTable& table_;
    SolveOptions options_;
    Pose<double> base_inverse_, tool_inverse_;
    double lower_[N], upper_[N], draw_low_[N], draw_high_[N];
};

}  // namespace limbik
