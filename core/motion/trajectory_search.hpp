// The best joint trajectory through layers of configurations: one of each layer, with small joint steps between layers.
//
// Layers are samples of a path; each holds the configurations that reach its pose: branches, members of a self-motion
// manifold, 2-pi copies. A trajectory is smooth between two layers when no joint moves farther than a bound
// proportional to their distance. The best smooth trajectory has the least sum of (weighted step)^2 / distance, the
// least energy, which distributes motion evenly and avoids fast joints. Dynamic programming finds it (Bellman 1957;
// Viterbi 1967): the best trajectory to a configuration extends the best one to a configuration of the layer before.
//
// Configurations of a self-motion manifold have a key, their index along it; only those with neighbouring keys are
// connected.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../geometry/angles.hpp"

namespace limbik::motion {

struct Layers {
    int n;                      // entries of a configuration
    long count;                 // layers
    const double* q;            // configurations, layer by layer
    const std::int64_t* first;  // (count + 1) the index of each layer's first configuration
    const std::int32_t* key;    // index of each along its self-motion manifold, 0 to keys - 1
    int keys;
    bool closed;                     // the manifold is closed: the last key is a neighbour of the first
    int window;                      // keys at most this far apart are neighbours
    const double *distance, *bound;  // (count - 1) between layers, and the largest smooth step
    const std::uint8_t* opposite;    // (count - 1) keys half of `keys` apart are neighbours too: the swivel flips where
                                     // an arm passes its straight configuration
    const std::int32_t* branch;      // of each configuration, below 0 where unknown
    const std::uint8_t* held;        // (count - 1) the branch must not change
    const double* weight;            // (n) weight of each joint
    const double* pace;              // (n) largest weighted step of a joint per unit of distance; larger ones cost more
    const std::uint8_t* wraps;       // (n) 2-pi copies are equal
    const double *begin, *end;       // cost of starting and of ending at a configuration; infinite to exclude it
};

struct LayerTrajectory {
    std::vector<std::int64_t> posture;  // of each layer that is reached
    double cost = std::numeric_limits<double>::infinity();
    std::vector<double> costs;  // of the best trajectory to each configuration, infinite where there is none
};

class TrajectorySearch {
  public:
    explicit TrajectorySearch(const Layers& layers) : on_(layers), best_(std::size_t(layers.first[layers.count])) {}

    // The best trajectory to the last layer that can be reached.
    LayerTrajectory find() {
        LayerTrajectory out;
        const long begins = on_.first[1];
        for (long b = 0; b < begins; ++b) best_[std::size_t(b)].cost = on_.begin[b];
        long reached = any_reached(0) ? 0 : -1;
        for (long layer = 1; layer < on_.count && reached == layer - 1; ++layer) {
            sort(layer - 1);
            for (long b = on_.first[layer]; b < on_.first[layer + 1]; ++b) step_to(b, layer);
            if (any_reached(layer)) reached = layer;
        }
        for (const Partial& partial : best_) out.costs.push_back(partial.cost);
        if (reached < 0) return out;
        long best = -1;
        double least = 0.0;
        for (long b = on_.first[reached]; b < on_.first[reached + 1]; ++b) {
            const Partial& partial = best_[std::size_t(b)];
            const double cost = partial.cost + (reached == on_.count - 1 ? on_.end[b - on_.first[reached]] : 0.0);
            if (!std::isfinite(cost)) continue;
            if (best < 0 || cost < least) best = b, least = cost;
        }
        if (best < 0) return out;
        out.cost = least;
        out.posture.resize(std::size_t(reached + 1));
        for (long layer = reached; layer >= 0; --layer) {
            out.posture[std::size_t(layer)] = best;
            best = best_[std::size_t(best)].from;
        }
        return out;
    }

  private:
    static constexpr double UNREACHED = std::numeric_limits<double>::infinity();
    // Cost factor of a step that exceeds a joint's pace.
    static constexpr double TOO_FAST_FACTOR = 100.0;

    struct Partial {
        double cost = UNREACHED;
        long from = -1;
    };

    bool any_reached(long layer) const {
        for (long b = on_.first[layer]; b < on_.first[layer + 1]; ++b)
            if (std::isfinite(best_[std::size_t(b)].cost)) return true;
        return false;
    }

    // Sort the configurations of a layer by key, without those that no trajectory reaches.
    void sort(long layer) {
        begins_.assign(std::size_t(on_.keys) + 1, 0);
        const long low = on_.first[layer], high = on_.first[layer + 1];
        for (long a = low; a < high; ++a)
            if (std::isfinite(best_[std::size_t(a)].cost)) ++begins_[std::size_t(on_.key[a]) + 1];
        for (int k = 0; k < on_.keys; ++k) begins_[std::size_t(k) + 1] += begins_[std::size_t(k)];
        sorted_.resize(std::size_t(begins_.back()));
        places_.assign(begins_.begin(), begins_.end() - 1);
        for (long a = low; a < high; ++a)
            if (std::isfinite(best_[std::size_t(a)].cost)) sorted_[std::size_t(places_[std::size_t(on_.key[a])]++)] = a;
    }

    double difference(long a, long b, int j) const {
        const double d = on_.q[b * on_.n + j] - on_.q[a * on_.n + j];
        return on_.wraps[j] ? quick_wrap(d) : d;
    }

    void step_to(long b, long layer) {
        const double bound = on_.bound[layer - 1], distance = on_.distance[layer - 1], by = 1.0 / distance;
        auto from_key = [&](int k) {
            for (long i = begins_[std::size_t(k)]; i < begins_[std::size_t(k) + 1]; ++i) {
                const long a = sorted_[std::size_t(i)];
                if (on_.held[layer - 1] && on_.branch[a] != on_.branch[b] && on_.branch[a] >= 0 && on_.branch[b] >= 0)
                    continue;
                double sum = 0.0;
                int j = 0;
                for (; j < on_.n; ++j) {
                    const double d = std::fabs(on_.weight[j] * difference(a, b, j));
                    if (!(d <= bound)) break;
                    sum += d > on_.pace[j] * distance ? TOO_FAST_FACTOR * d * d : d * d;
                }
                if (j == on_.n) offer(b, a, sum * by);
            }
        };
        const int windows = on_.opposite[layer - 1] ? 2 : 1;
        if (windows * (2 * on_.window + 1) >= on_.keys) {
            for (int k = 0; k < on_.keys; ++k) from_key(k);
            return;
        }
        for (int side = 0; side < windows; ++side) {
            const int middle = on_.key[b] + side * (on_.keys / 2);
            for (int k = middle - on_.window; k <= middle + on_.window; ++k) {
                if (k >= 0 && k < on_.keys) from_key(k);
                else if (on_.closed) from_key((k + on_.keys) % on_.keys);
            }
        }
    }

    void offer(long b, long a, double more) {
        Partial& now = best_[std::size_t(b)];
        const double cost = best_[std::size_t(a)].cost + more;
        if (cost < now.cost) now = {cost, a};
    }

    const Layers& on_;
    std::vector<Partial> best_;
    std::vector<long> begins_, places_, sorted_;
};

}  // namespace limbik::motion
