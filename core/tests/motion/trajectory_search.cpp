// The best trajectory through layers of configurations, against an exhaustive search.

#include "../support/reference.hpp"

#include "../../motion/trajectory_search.hpp"

namespace limbik::test {
namespace {

struct OwnLayers {
    std::vector<double> q, distance, bound, weight, pace, begin, end;
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> key, branch;
    std::vector<std::uint8_t> opposite, held, wraps;
    Layers layers{};
};

inline OwnLayers random_layers(Random& random) {
    OwnLayers own;
    Layers& on = own.layers;
    on.n = random.integer(1, 3), on.count = random.integer(1, 5), on.keys = random.integer(1, 8);
    on.closed = random.chance(0.5), on.window = random.integer(0, 3);
    own.first.push_back(0);
    for (long layer = 0; layer < on.count; ++layer) own.first.push_back(own.first.back() + random.integer(1, 5));
    for (std::int64_t p = 0; p < own.first.back(); ++p) {
        for (int j = 0; j < on.n; ++j) own.q.push_back(random.uniform(-4.0, 4.0));
        own.key.push_back(random.integer(0, on.keys - 1)), own.branch.push_back(random.integer(-1, 2));
    }
    for (long layer = 0; layer + 1 < on.count; ++layer) {
        own.distance.push_back(random.uniform(0.1, 2.0)), own.bound.push_back(random.uniform(0.5, 8.0));
        own.opposite.push_back(random.chance(0.2)), own.held.push_back(random.chance(0.2));
    }
    for (int j = 0; j < on.n; ++j) {
        own.weight.push_back(random.uniform(0.2, 2.0)), own.pace.push_back(random.uniform(0.5, 5.0));
        own.wraps.push_back(random.chance(0.5));
    }
    const auto cost = [&] { return random.chance(0.2) ? HUGE_VAL : random.uniform(0.0, 3.0); };
    for (std::int64_t p = 0; p < own.first[1]; ++p) own.begin.push_back(cost());
    for (std::int64_t p = own.first[std::size_t(on.count) - 1]; p < own.first.back(); ++p) own.end.push_back(cost());
    on.q = own.q.data(), on.first = own.first.data(), on.key = own.key.data(), on.branch = own.branch.data();
    on.distance = own.distance.data(), on.bound = own.bound.data(), on.opposite = own.opposite.data();
    on.held = own.held.data(), on.weight = own.weight.data(), on.pace = own.pace.data(), on.wraps = own.wraps.data();
    on.begin = own.begin.data(), on.end = own.end.data();
    return own;
}

inline bool neighbours(const Layers& on, std::int32_t before, std::int32_t after, bool opposite) {
    if ((opposite ? 2 : 1) * (2 * on.window + 1) >= on.keys) return true;
    for (int side = 0; side <= int(opposite); ++side) {
        const int off = before - (after + side * (on.keys / 2));
        if (std::abs(off) <= on.window) return true;
        if (on.closed && (std::abs(off + on.keys) <= on.window || std::abs(off - on.keys) <= on.window)) return true;
    }
    return false;
}

// The cost of a step from configuration a to b of the next layer; infinite where it is not allowed.
inline double step_cost(const Layers& on, std::int64_t a, std::int64_t b, long layer) {
    constexpr double TOO_FAST_FACTOR = 100.0;
    if (!neighbours(on, on.key[a], on.key[b], on.opposite[layer] != 0)) return HUGE_VAL;
    if (on.held[layer] && on.branch[a] >= 0 && on.branch[b] >= 0 && on.branch[a] != on.branch[b]) return HUGE_VAL;
    double sum = 0.0;
    for (int j = 0; j < on.n; ++j) {
        double d = on.q[b * on.n + j] - on.q[a * on.n + j];
        if (on.wraps[j]) d = double(remainderl(d, 2 * PI_L));
        d = std::fabs(d * on.weight[j]);
        if (d > on.bound[layer]) return HUGE_VAL;
        sum += (d > on.pace[j] * on.distance[layer] ? TOO_FAST_FACTOR : 1.0) * d * d;
    }
    return sum / on.distance[layer];
}

// Every trajectory in turn: the least cost of those that reach each layer, and the last layer reached.
struct Everything {
    const Layers& on;
    std::vector<double> least;  // of the trajectories that reach each layer, with the cost of ending at the last
    void go(std::int64_t posture, long layer, double cost) {
        if (!std::isfinite(cost)) return;
        reached = std::max(reached, layer);
        const bool last = layer + 1 == on.count;
        double& best = least[std::size_t(layer)];
        best = std::fmin(best, cost + (last ? on.end[posture - on.first[layer]] : 0.0));
        if (last) return;
        for (std::int64_t next = on.first[layer + 1]; next < on.first[layer + 2]; ++next)
            go(next, layer + 1, cost + step_cost(on, posture, next, layer));
    }
    long reached = -1;
};

LAW("the trajectory that is found is the best of all, and reaches as many layers as any", 300, [](std::uint64_t seed) {
    Random random(seed);
    const OwnLayers own = random_layers(random);
    const Layers& on = own.layers;
    Everything all{on, std::vector<double>(std::size_t(on.count), HUGE_VAL)};
    for (std::int64_t p = 0; p < on.first[1]; ++p) all.go(p, 0, on.begin[p]);
    const LayerTrajectory trajectory = TrajectorySearch(on).find();
    const double best = all.reached < 0 ? HUGE_VAL : all.least[std::size_t(all.reached)];
    HOLDS(std::isfinite(best) == std::isfinite(trajectory.cost), best, trajectory.cost);
    if (!std::isfinite(best)) {
        HOLDS(trajectory.posture.empty(), best);
        return;
    }
    HOLDS(std::fabs(trajectory.cost - best) <= 1e-9 * (1.0 + best), trajectory.cost, best);
    HOLDS(long(trajectory.posture.size()) == all.reached + 1, long(trajectory.posture.size()), all.reached);
    // and its cost is the sum of its steps
    double cost = on.begin[trajectory.posture[0]];
    for (long layer = 0; layer < long(trajectory.posture.size()); ++layer) {
        const std::int64_t p = trajectory.posture[std::size_t(layer)];
        HOLDS(p >= on.first[layer] && p < on.first[layer + 1], layer, long(p));
        if (layer > 0) cost += step_cost(on, trajectory.posture[std::size_t(layer) - 1], p, layer - 1);
        HOLDS(std::fabs(trajectory.costs[std::size_t(p)] - cost) <= 1e-9 * (1.0 + cost), layer, cost);
        if (layer + 1 == on.count) cost += on.end[p - on.first[layer]];
    }
    HOLDS(std::fabs(trajectory.cost - cost) <= 1e-9 * (1.0 + cost), trajectory.cost, cost);
});

}  // namespace
}  // namespace limbik::test
