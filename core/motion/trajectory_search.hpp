// The best course through layers of postures: one posture of each layer, so that no joint steps far from one to the
// next.
//
// A path is looked at in places, its layers; each layer holds the postures that reach its pose: branches, members of a
// family, copies by whole turns. A course is smooth between two layers when no joint moves farther than a bound that
// goes with their distance. Of all smooth courses the one with the least sum of (weighed step)^2 / distance is the
// best: the least energy, which spreads motion evenly and keeps away from places where joints must be quick. Dynamic
// programming (Bellman 1957; Viterbi 1967) finds it: the best way to a posture is the best way to one before it and a
// step.
//
// Postures of a family carry a key, the number of their place in it; only neighbours in it are compared.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../geometry/angles.hpp"

namespace limbik::motion {

struct Layers {
    int n;                      // numbers of a posture
    long count;                 // layers
    const double* q;            // postures, layer by layer
    const std::int64_t* first;  // (count + 1) where a layer's postures begin
    const std::int32_t* key;    // place of each in its family, 0 to keys - 1
    int keys;
    bool round;                      // the family closes: the last key is a neighbour of the first
    int window;                      // keys this far apart are neighbours
    const double *distance, *bound;  // (count - 1) between layers, and the largest smooth step
    const std::uint8_t* opposite;    // (count - 1) keys half of them apart are neighbours too: the swivel where an arm
                                     // passes its straight posture
    const std::int32_t* branch;      // of each posture, below 0 where none is known
    const std::uint8_t* held;        // (count - 1) the branch is not changed there
    const double* weight;            // (n) what a unit of each joint counts
    const double* pace;         // (n) weighed steps that a joint can make in a unit of distance; quicker ones cost more
    const std::uint8_t* wraps;  // (n) whole turns do not count
    const double *begin, *end;  // what it costs to begin and to end at a posture; infinite where that is not wanted
};

struct Course {
    std::vector<std::int64_t> posture;  // of each layer that is reached
    double cost = std::numeric_limits<double>::infinity();
    std::vector<double> costs;  // of the best way to each posture, infinite where there is none
};

class CourseFinder {
  public:
    explicit CourseFinder(const Layers& layers) : on_(layers), ways_(std::size_t(layers.first[layers.count])) {}

    // As far as any course goes.
    Course find() {
        Course out;
        const long begins = on_.first[1];
        for (long b = 0; b < begins; ++b) ways_[std::size_t(b)].cost = on_.begin[b];
        long reached = alive(0) ? 0 : -1;
        for (long layer = 1; layer < on_.count && reached == layer - 1; ++layer) {
            sort(layer - 1);
            for (long b = on_.first[layer]; b < on_.first[layer + 1]; ++b) step_to(b, layer);
            if (alive(layer)) reached = layer;
        }
        for (const Way& way : ways_) out.costs.push_back(way.cost);
        if (reached < 0) return out;
        long best = -1;
        double least = 0.0;
        for (long b = on_.first[reached]; b < on_.first[reached + 1]; ++b) {
            const Way& way = ways_[std::size_t(b)];
            const double cost = way.cost + (reached == on_.count - 1 ? on_.end[b - on_.first[reached]] : 0.0);
            if (!std::isfinite(cost)) continue;
            if (best < 0 || cost < least) best = b, least = cost;
        }
        if (best < 0) return out;
        out.cost = least;
        out.posture.resize(std::size_t(reached + 1));
        for (long layer = reached; layer >= 0; --layer) {
            out.posture[std::size_t(layer)] = best;
            best = ways_[std::size_t(best)].from;
        }
        return out;
    }

  private:
    static constexpr double NEVER = std::numeric_limits<double>::infinity();
    // How many times as much a step costs that a joint is too slow for.
    static constexpr double TOO_QUICK = 100.0;

    struct Way {
        double cost = NEVER;
        long from = -1;
    };

    bool alive(long layer) const {
        for (long b = on_.first[layer]; b < on_.first[layer + 1]; ++b)
            if (std::isfinite(ways_[std::size_t(b)].cost)) return true;
        return false;
    }

    // The postures of a layer by their keys; those that no course reaches are left out.
    void sort(long layer) {
        begins_.assign(std::size_t(on_.keys) + 1, 0);
        const long low = on_.first[layer], high = on_.first[layer + 1];
        for (long a = low; a < high; ++a)
            if (std::isfinite(ways_[std::size_t(a)].cost)) ++begins_[std::size_t(on_.key[a]) + 1];
        for (int k = 0; k < on_.keys; ++k) begins_[std::size_t(k) + 1] += begins_[std::size_t(k)];
        sorted_.resize(std::size_t(begins_.back()));
        places_.assign(begins_.begin(), begins_.end() - 1);
        for (long a = low; a < high; ++a)
            if (std::isfinite(ways_[std::size_t(a)].cost)) sorted_[std::size_t(places_[std::size_t(on_.key[a])]++)] = a;
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
                    sum += d > on_.pace[j] * distance ? TOO_QUICK * d * d : d * d;
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
                else if (on_.round) from_key((k + on_.keys) % on_.keys);
            }
        }
    }

    void offer(long b, long a, double more) {
        Way& now = ways_[std::size_t(b)];
        const double cost = ways_[std::size_t(a)].cost + more;
        if (cost < now.cost) now = {cost, a};
    }

    const Layers& on_;
    std::vector<Way> ways_;
    std::vector<long> begins_, places_, sorted_;
};

}  // namespace limbik::motion
