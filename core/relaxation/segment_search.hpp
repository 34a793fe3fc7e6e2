// Damped least squares (segment_finish.hpp) from several starts: the network's fixed point, the start of the network,
// and random configurations.
//
// The network is attracted to a few configurations, and where hinges constrain it these need not be close to the
// targets; other starts of the network lead to the same ones. Damped least squares descends to the closest local
// minimum instead, so its starts matter.
#pragma once

#include "segment_finish.hpp"

namespace limbik::relaxation {

struct SearchSettings {
    int steps;  // the most from each start
    double tolerance;
    int random_starts;  // number of random starts
    std::uint64_t seed;
    bool record;
};

struct SearchResult : FinishTrace {
    double depth = 0.0;  // the penetration into the regions to avoid, below 0 for none
};

// rest: the network's fixed point; start: its start. The first that reaches the targets is returned, else the closest.
inline SearchResult search(const PointNetwork& network, const Vector3<double>* rest, const Vector3<double>* start,
                           const Vector3<double>* target, const std::vector<Region>& regions,
                           const std::vector<double>& radius, const SearchSettings& s) {
    SegmentFinish finish(network);
    SearchResult best;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2 + s.random_starts; ++k) {
        if (k < 2) finish.begin(k == 0 ? rest : start);
        else finish.randomise(s.seed * std::uint64_t(s.random_starts) + std::uint64_t(k - 2));
        SearchResult found;
        static_cast<FinishTrace&>(found) = finish.minimise(target, s.tolerance, s.steps, s.record);
        found.depth = regions.empty() ? -1.0 : network.depth(found.points.data(), regions, radius);
        const double cost = found.error + std::max(found.depth, 0.0);
        const bool reached = found.error <= s.tolerance && found.depth <= 0.0;
        if (reached || cost < least || k == 0) least = cost, best = std::move(found);
        if (reached) break;
    }
    return best;
}

}  // namespace limbik::relaxation
