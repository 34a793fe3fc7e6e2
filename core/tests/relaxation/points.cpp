// Segments keep their lengths, everything stays finite, and runs end.

#include "../support/random.hpp"

#include "../../relaxation/relaxation.hpp"
#include "../../relaxation/segment_search.hpp"

namespace limbik::test {
namespace {

// A random tree of segments with joints of every kind, sometimes with excessive steps.
inline void check_points(std::uint64_t seed) {
    Random random(seed);
    const int n = random.integer(1, 12);
    const auto direction = [&] {
        const Vector3<double> v = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0)};
        return scaled(v, 1.0 / norm(v));
    };
    const bool straight = random.chance(0.5);
    const Vector3<double> ahead = direction();
    std::vector<Segment> segments;
    std::vector<double> longest, radius;
    for (int i = 0; i < n; ++i) {
        const double length = random.uniform(0.1, 2.0), cone = random.uniform(0.0, PI), low = random.uniform(-3.0, 0.0);
        segments.push_back({random.integer(0, i), random.chance(0.3) ? 0.5 * length : length, length,
                            SegmentJoint(random.integer(0, 2)), straight ? ahead : direction(), direction(),
                            std::cos(cone), std::sin(cone), low, low + random.uniform(0.0, 6.0),
                            random.chance(0.2) ? 1.0 : 0.0});
        longest.push_back(length), radius.push_back(0.0);
    }
    std::vector<int> clamped = {n};
    if (n > 2 && random.chance(0.5)) clamped.push_back(random.integer(1, n - 1));
    const PointNetwork network(segments, clamped, false);
    std::vector<Vector3<double>> p(std::size_t(n) + 1), posture(p.size()), target(clamped.size());
    for (auto& point : p)
        if (!random.chance(0.2)) point = scaled(direction(), random.uniform(0.0, 3.0));
    p[0] = {0, 0, 0};
    for (auto& point : target) point = scaled(direction(), random.uniform(0.0, 5.0));
    const std::vector<double> step(p.size(), random.chance(0.2) ? 1e6 : 1.0 / double(n + 3));
    std::vector<Region> regions;
    if (random.chance(0.3)) regions.push_back({scaled(direction(), 1.0), 0.3});
    PointSettings settings;
    settings.cycles = 300, settings.pull = random.chance(0.3) ? 1.0 : 0.0, settings.record = random.chance(0.5);
    const PointTrace trace =
        relax(network, p.data(), target.data(), step.data(), regions, radius, longest, false, settings, posture.data());
    HOLDS(trace.cycles <= settings.cycles, trace.cycles);
    HOLDS(std::isfinite(trace.error), trace.error);
    const auto lengths_kept = [&](const std::vector<Vector3<double>>& points) {
        for (int i = 0; i < n; ++i) {
            const Segment& segment = segments[std::size_t(i)];
            const double far = norm(points[std::size_t(i) + 1] - points[std::size_t(segment.parent)]);
            HOLDS(far >= segment.shortest - 1e-9 && far <= segment.longest + 1e-9, i, far, segment.longest);
        }
    };
    lengths_kept(posture);
    const SearchResult found =
        search(network, posture.data(), p.data(), target.data(), regions, radius, {20, 1e-3, 3, seed, false});
    HOLDS(std::isfinite(found.error), found.error);
    lengths_kept(found.points);
}

LAW("segments keep their lengths from any state", 300, check_points);

}  // namespace
}  // namespace limbik::test
