// Starts of a search for the closest position: random configurations all over the joint space, and their tips.
//
// The range of each of the first joints, which move the tip farthest, is halved. Each of the resulting parts of the
// joint space has the same number of random configurations, the same on every run. A search starts from the one closest
// to the target in each part, so that every branch is nearly always among the starts. Many configurations have joints
// at their bounds, like the closest ones to targets that the limits make unreachable.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "../base/random.hpp"
#include "../kinematics/chain.hpp"
#include "seed_table.hpp"

namespace limbik::iterative {

struct PositionStarts {
    static constexpr int HALVED = 4;           // joints whose range is halved
    static constexpr int PARTS = 1 << HALVED;  // a multiple of every number of lanes
    static constexpr int POSTURES = 1024;      // in each part
    // Joints are drawn from a range that is wider by this fraction on both sides, then clamped to their bounds.
    static constexpr double AT_BOUND = 0.2;
    static constexpr std::uint64_t STREAM = 2000;  // of the random numbers: away from those of the restarts

    int n = 0;
    std::vector<float> postures;  // posture, part, joint
    std::vector<double> x, y, z;  // posture, part: the tip

    double joint(int number, int j) const { return double(postures[std::size_t(number * n + j)]); }

    // The number of the configuration in each part whose tip is closest to a point.
    template <class R> LIMBIK_NOINLINE void closest(const Vector3<double>& point, int numbers[PARTS]) const {
        constexpr int W = width<R>, ROUNDS = PARTS / W;
        R best[ROUNDS], which[ROUNDS];
        for (int r = 0; r < ROUNDS; ++r) best[r] = R(std::numeric_limits<double>::max()), which[r] = R(0.0);
        for (int k = 0; k < POSTURES; ++k)
            for (int r = 0; r < ROUNDS; ++r) {
                const std::size_t at = std::size_t(k * PARTS + r * W);
                const R dx = load_lanes<W>(&x[at]) - R(point.x), dy = load_lanes<W>(&y[at]) - R(point.y),
                        dz = load_lanes<W>(&z[at]) - R(point.z);
                const R distance = madd(dx, dx, madd(dy, dy, dz * dz));
                const auto closer = distance < best[r];
                best[r] = select(closer, distance, best[r]);
                which[r] = select(closer, R(double(k)), which[r]);
            }
        for (int part = 0; part < PARTS; ++part) numbers[part] = int(lane(which[part / W], part % W)) * PARTS + part;
    }
};

// lower, upper: finite ranges to draw from.
inline PositionStarts make_position_starts(const ScalarChain& chain, const ChainFrame& tip, const double* lower,
                                           const double* upper) {
    constexpr int PARTS = PositionStarts::PARTS, ALL = PARTS * PositionStarts::POSTURES;
    PositionStarts starts;
    const int n = starts.n = int(chain.joints.size());
    starts.postures.resize(std::size_t(ALL) * std::size_t(n));
    starts.x.resize(ALL), starts.y.resize(ALL), starts.z.resize(ALL);
    std::vector<double> q(static_cast<std::size_t>(n));
    for (int s = 0; s < ALL; ++s) {
        for (int j = 0; j < n; ++j) {
            double u = counter_random(PositionStarts::STREAM + std::uint64_t(j), std::uint64_t(s));
            u = u * (1.0 + 2.0 * PositionStarts::AT_BOUND) - PositionStarts::AT_BOUND;
            if (j < PositionStarts::HALVED) u = 0.5 * (u + double(s % PARTS >> j & 1));
            u = std::clamp(u, 0.0, 1.0);
            const float drawn = float(lower[j] + (upper[j] - lower[j]) * u);
            starts.postures[std::size_t(s * n + j)] = drawn;
            q[std::size_t(j)] = double(drawn);
        }
        const Vector3<double> p = forward_chain_noinline<false, double>(chain, tip, q.data(), nullptr).origin;
        starts.x[std::size_t(s)] = p.x, starts.y[std::size_t(s)] = p.y, starts.z[std::size_t(s)] = p.z;
    }
    return starts;
}

}  // namespace limbik::iterative
