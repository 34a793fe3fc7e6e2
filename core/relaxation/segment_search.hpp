// A finish from several postures: where the network came to rest, where it began, and others at random.
//
// The network draws whatever it starts from to a few postures, and where hinges hold it back these need not be near the
// targets: starting it elsewhere leads to the same ones. Turns of the joints go down to the nearest posture instead, so
// what they start from is what makes them differ.
#pragma once

#include "segment_finish.hpp"

namespace limbik::relaxation {

struct Search {
    int steps;  // the most of each finish
    double tolerance;
    int scattered;  // how many postures at random
    std::uint64_t seed;
    bool record;
};

struct Found : FinishCourse {
    double depth = 0.0;  // in regions that are to be free
};

// rest: where the network came to; start: where it began. The first that arrives is taken, else the nearest.
inline Found search(const PointNetwork& network, const Vector3<double>* rest, const Vector3<double>* start,
                    const Vector3<double>* target, const std::vector<Region>& regions,
                    const std::vector<double>& radius, const Search& s) {
    LimbFinish finish(network);
    Found best;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2 + s.scattered; ++k) {
        if (k < 2) finish.begin(k == 0 ? rest : start);
        else finish.scatter(s.seed * std::uint64_t(s.scattered) + std::uint64_t(k - 2));
        Found found;
        static_cast<FinishCourse&>(found) = finish.pursue(target, s.tolerance, s.steps, s.record);
        found.depth = regions.empty() ? -1.0 : network.depth(found.points.data(), regions, radius);
        const double worth = found.error + std::max(found.depth, 0.0);
        const bool arrived = found.error <= s.tolerance && found.depth <= 0.0;
        if (arrived || worth < least || k == 0) least = worth, best = std::move(found);
        if (arrived) break;
    }
    return best;
}

}  // namespace limbik::relaxation
