// The posture that brings a point of the last body nearest to a place, wherever it turns: a search from many starts.
//
// A few damped steps from the nearest stored posture of each part of the joint space (position_starts.hpp), then
// Newton's. The search ends when the place is reached or when several starts agree on the nearest position; while they
// do not, further starts are drawn at random. So the easy targets, which are nearly all, cost two rounds in the lanes,
// and the hard ones as much as they need.
#pragma once

#include <algorithm>

#include "../base/lazy.hpp"
#include "closest_step.hpp"
#include "newton.hpp"
#include "position_starts.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// Damped and Newton's steps from each start; a search that goes on gives its lanes so many more.
inline constexpr int DAMPED_STEPS = 5, NEWTON_STEPS = 8, FURTHER_STEPS = 12;
// Starts that must agree on the nearest position, to this part of it, before the search ends,
inline constexpr int AGREEING = 5;
inline constexpr double AGREEMENT = 1e-4;
// and starts after which it ends in any case.
inline constexpr int MOST_STARTS = 8 * PositionStarts::PARTS;
// Steps of each kind that a start of the reference gets: until nothing moves any more.
inline constexpr int REFERENCE_DAMPED = 24, REFERENCE_NEWTON = 20;
// The stream of random numbers of further starts, and that of the reference.
inline constexpr std::uint64_t FURTHER_STARTS = 3000, REFERENCE_STARTS = 4000;

template <int N> class NearestPosition {
  public:
    // A posture and how far it is away [m].
    struct Found {
        double distance;
        double q[N];
    };
    struct Search {
        Found found[MOST_STARTS];
        int count = 0;
        double least = 1e300;
    };

    // `tip` says which point; the limits must outlive this.
    NearestPosition(const ScalarChain& chain, const ChainFrame& tip, const Limits& limits, const Effort& effort)
        : chain_(chain), tip_(tip), limits_(limits), effort_(effort), lower_(limits.lower.data()),
          upper_(limits.upper.data()) {}

    // Look for the posture nearest to `place`; closer than `near` counts as there.
    LIMBIK_NOINLINE void seek(const Vector3<double>& place, double near, Search& search) const {
        constexpr int W = width<Wide>, PARTS = PositionStarts::PARTS;
        double first_ones[PARTS][N];
        starts_of(place, PARTS, first_ones);
        const Vector3<Wide> point = {Wide(place.x), Wide(place.y), Wide(place.z)};
        for (int first = 0; first < PARTS; first += W) {
            Wide q[N];
            load_rows(first_ones[first], N, W, q);
            go(point, DAMPED_STEPS, NEWTON_STEPS, q, search);
        }
        if (settled(near, search)) return;
        for (int first = 0; first < PARTS; first += W) {  // some may still be on their way
            double start[W][N];
            for (int i = 0; i < W; ++i) std::copy_n(search.found[first + i].q, N, start[i]);
            Wide q[N];
            load_rows(start[0], N, W, q);
            const int kept = search.count;
            search.count = first;
            go(point, 0, FURTHER_STEPS, q, search);
            search.count = kept;
        }
        while (search.count < MOST_STARTS && !settled(near, search))
            for (int part = 0; part < PARTS; part += W) {
                Wide q[N];
                draw(FURTHER_STARTS, search.count, q);
                go(point, DAMPED_STEPS, NEWTON_STEPS + FURTHER_STEPS, q, search);
            }
    }

    // Where a search starts: the nearest stored posture of each part, then random ones. A multiple of the lanes,
    // please.
    LIMBIK_NOINLINE void starts_of(const Vector3<double>& place, int count, double (*q)[N]) const {
        constexpr int PARTS = PositionStarts::PARTS;
        int numbers[PARTS];
        starts().template nearest<Wide>(place, numbers);
        for (int k = 0; k < count; ++k)
            for (int j = 0; j < N; ++j) {
                const double x = k < PARTS ? starts().joint(numbers[k], j) : drawn(FURTHER_STARTS, k, j);
                q[k][j] = std::clamp(x, lower_[j], upper_[j]);
            }
    }

    void warm_up() const { starts(); }
    bool warm() const { return starts_.made(); }

    // What the search is held against: the least distance from so many random starts, each brought to rest.
    double least_of(const Vector3<double>& place, int count) const {
        const Vector3<Wide> point = {Wide(place.x), Wide(place.y), Wide(place.z)};
        double least = 1e300;
        for (int first = 0; first < count; first += width<Wide>) {
            Wide q[N];
            draw(REFERENCE_STARTS, first, q);
            Search search;
            go(point, REFERENCE_DAMPED, REFERENCE_NEWTON, q, search);
            least = std::min(least, search.least);
        }
        return least;
    }

  private:
    // Damped steps, then Newton's; where they end goes to the next places of the search.
    LIMBIK_NOINLINE void go(const Vector3<Wide>& point, int damped, int newton_steps, Wide q[N], Search& search) const {
        const Wide zero(0.0), one(1.0);
        const Pose<Wide> target = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, point};
        if (damped > 0) descend<N, 3, Wide>(chain_, tip_, effort_, lower_, upper_, target, {0.0, damped}, q);
        const Wide squared =
            newton<N, false, Wide>(chain_, tip_, effort_, lower_, upper_, target, Weights{}, newton_steps, q);
        for (int i = 0; i < width<Wide>; ++i) {
            Found& found = search.found[search.count++];
            found.distance = std::sqrt(lane(squared, i)) * effort_.length;
            for (int j = 0; j < N; ++j) found.q[j] = lane(q[j], i);
            search.least = std::min(search.least, found.distance);
        }
    }

    static bool settled(double near, const Search& search) {
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
    Effort effort_;
    const double *lower_, *upper_;
    Lazy<PositionStarts> starts_;
};

}  // namespace limbik::iterative
