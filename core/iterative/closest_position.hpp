// The configuration that brings a point of the last body closest to a goal point, whatever its rotation: a search from
// many starts.
//
// A few damped steps from the closest stored configuration of each part of the joint space (position_starts.hpp), then
// Newton steps. The search ends where the goal is reached or several starts agree on the least distance; until then
// further starts are drawn at random. Easy targets, which are nearly all, take two rounds in the lanes.
#pragma once

#include <algorithm>

#include "../base/lazy.hpp"
#include "closest_step.hpp"
#include "newton.hpp"
#include "position_starts.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// Damped and Newton steps from each start, and further Newton steps where the starts do not agree.
inline constexpr int DAMPED_STEPS = 5, NEWTON_STEPS = 8, FURTHER_STEPS = 12;
// The search ends when this many starts agree on the least distance, to this fraction of it.
inline constexpr int AGREEING = 5;
inline constexpr double AGREEMENT = 1e-4;
// The most starts of a search.
inline constexpr int MOST_STARTS = 8 * PositionStarts::PARTS;
// Steps of each kind from a start of the reference: enough to converge.
inline constexpr int REFERENCE_DAMPED = 24, REFERENCE_NEWTON = 20;
// The streams of random numbers of further starts and of the reference.
inline constexpr std::uint64_t FURTHER_STARTS = 3000, REFERENCE_STARTS = 4000;

template <int N> class ClosestPosition {
  public:
    // A configuration and its distance from the goal [m].
    struct Found {
        double distance;
        double q[N];
    };
    struct Search {
        Found found[MOST_STARTS];
        int count = 0;
        double least = 1e300;
    };

    // `tip`: the frame whose origin is the point. The limits must outlive this.
    ClosestPosition(const ScalarChain& chain, const ChainFrame& tip, const Limits& limits, const StepSettings& settings)
        : chain_(chain), tip_(tip), limits_(limits), settings_(settings), lower_(limits.lower.data()),
          upper_(limits.upper.data()) {}

    // Search for the configuration closest to `goal`; distances up to `near` count as reached.
    LIMBIK_NOINLINE void find(const Vector3<double>& goal, double near, Search& search) const {
        constexpr int W = width<Wide>, PARTS = PositionStarts::PARTS;
        double first_ones[PARTS][N];
        starts_of(goal, PARTS, first_ones);
        const Vector3<Wide> point = {Wide(goal.x), Wide(goal.y), Wide(goal.z)};
        for (int first = 0; first < PARTS; first += W) {
            Wide q[N];
            load_rows(first_ones[first], N, W, q);
            descend_from(point, DAMPED_STEPS, NEWTON_STEPS, q, search);
        }
        if (converged(near, search)) return;
        for (int first = 0; first < PARTS; first += W) {  // some may not have converged
            double start[W][N];
            for (int i = 0; i < W; ++i) std::copy_n(search.found[first + i].q, N, start[i]);
            Wide q[N];
            load_rows(start[0], N, W, q);
            const int kept = search.count;
            search.count = first;
            descend_from(point, 0, FURTHER_STEPS, q, search);
            search.count = kept;
        }
        while (search.count < MOST_STARTS && !converged(near, search))
            for (int part = 0; part < PARTS; part += W) {
                Wide q[N];
                draw(FURTHER_STARTS, search.count, q);
                descend_from(point, DAMPED_STEPS, NEWTON_STEPS + FURTHER_STEPS, q, search);
            }
    }

    // The starts of a search: the closest stored configuration of each part, then random ones. `count` is a multiple of
    // the lanes.
    LIMBIK_NOINLINE void starts_of(const Vector3<double>& goal, int count, double (*q)[N]) const {
        constexpr int PARTS = PositionStarts::PARTS;
        int numbers[PARTS];
        starts().template closest<Wide>(goal, numbers);
        for (int k = 0; k < count; ++k)
            for (int j = 0; j < N; ++j) {
                const double x = k < PARTS ? starts().joint(numbers[k], j) : drawn(FURTHER_STARTS, k, j);
                q[k][j] = std::clamp(x, lower_[j], upper_[j]);
            }
    }

    void warm_up() const { starts(); }
    bool warm() const { return starts_.made(); }

    // The reference: the least distance of so many random starts, each run to convergence.
    double least_of(const Vector3<double>& goal, int count) const {
        const Vector3<Wide> point = {Wide(goal.x), Wide(goal.y), Wide(goal.z)};
        double least = 1e300;
        for (int first = 0; first < count; first += width<Wide>) {
            Wide q[N];
            draw(REFERENCE_STARTS, first, q);
            Search search;
            descend_from(point, REFERENCE_DAMPED, REFERENCE_NEWTON, q, search);
            least = std::min(least, search.least);
        }
        return least;
    }

  private:
    // Damped steps, then Newton steps; their ends are appended to the search.
    LIMBIK_NOINLINE void descend_from(const Vector3<Wide>& point, int damped, int newton_steps, Wide q[N],
                                      Search& search) const {
        const Wide zero(0.0), one(1.0);
        const Pose<Wide> target = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, point};
        if (damped > 0) descend<N, 3, Wide>(chain_, tip_, settings_, lower_, upper_, target, {0.0, damped}, q);
        const Wide squared =
            newton<N, false, Wide>(chain_, tip_, settings_, lower_, upper_, target, Weights{}, newton_steps, q);
        for (int i = 0; i < width<Wide>; ++i) {
            Found& found = search.found[search.count++];
            found.distance = std::sqrt(lane(squared, i)) * settings_.length;
            for (int j = 0; j < N; ++j) found.q[j] = lane(q[j], i);
            search.least = std::min(search.least, found.distance);
        }
    }

    static bool converged(double near, const Search& search) {
        if (search.least <= near) return true;
        int agreeing = 0;
        for (int k = 0; k < search.count; ++k) agreeing += search.found[k].distance <= search.least * (1.0 + AGREEMENT);
        return agreeing >= AGREEING;
    }

    void draw(std::uint64_t stream, int first, Wide q[N]) const {
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < width<Wide>; ++i)
                set_lane(q[j], i, std::clamp(drawn(stream, first + i, j), lower_[j], upper_[j]));
    }
    double drawn(std::uint64_t stream, int number, int j) const {
        const std::size_t at = std::size_t(j);
        const double u = counter_random(stream + std::uint64_t(j), std::uint64_t(number));
        return limits_.draw_low[at] + (limits_.draw_high[at] - limits_.draw_low[at]) * u;
    }

    const PositionStarts& starts() const {
        return starts_.get(
            [this] { return make_position_starts(chain_, tip_, limits_.draw_low.data(), limits_.draw_high.data()); });
    }

    const ScalarChain& chain_;
    ChainFrame tip_;
    const Limits& limits_;
    StepSettings settings_;
    const double *lower_, *upper_;
    Lazy<PositionStarts> starts_;
};

}  // namespace limbik::iterative
