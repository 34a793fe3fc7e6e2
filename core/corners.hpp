// Starts in the corners of the limits, those first whose pose is nearest the target's.
//
// A target that a chain reaches only with most joints at their limits has a feasible set that random starts seldom come to: the
// steps get caught in another corner. There are 2^n corners and their poses do not depend on the target, so they are computed
// once; a target ranks them by distance. On the hardest targets known the first few corners lead to the posture.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "chain.hpp"
#include "lazy.hpp"

namespace limbik {

// The corners of a chain with at most 8 joints that a target ranks, best first.
inline constexpr int RANKED_CORNERS = 64;

struct CornerOrder {
    std::array<std::uint8_t, RANKED_CORNERS> corner;
    int count = 0;
};

template <int N> class Corners {
  public:
    static_assert(N <= 8, "a corner's number has a bit for each joint");
    static constexpr int COUNT = 1 << N;

    // low, high: N finite numbers each. length: weighs metres against radians.
    Corners(const ScalarChain& chain, const ChainFrame& frame, const double* low, const double* high, double length)
        : chain_(chain), frame_(frame), low_(low), high_(high), length_(length) {}

    void posture(int corner, double q[N]) const {
        for (int j = 0; j < N; ++j) q[j] = (corner >> j & 1) != 0 ? high_[j] : low_[j];
    }

    CornerOrder order(const Pose<double>& target) const {
        const std::vector<Pose<double>>& poses = poses_.get([this] { return made(); });
        std::array<std::pair<double, int>, COUNT> ranked;
        for (int k = 0; k < COUNT; ++k) ranked[std::size_t(k)] = {distance(poses[std::size_t(k)], target), k};
        CornerOrder out;
        out.count = std::min(COUNT, RANKED_CORNERS);
        std::partial_sort(ranked.begin(), ranked.begin() + out.count, ranked.end());
        for (int k = 0; k < out.count; ++k) out.corner[std::size_t(k)] = std::uint8_t(ranked[std::size_t(k)].second);
        return out;
    }

  private:
    std::vector<Pose<double>> made() const {
        std::vector<Pose<double>> poses;
        for (int k = 0; k < COUNT; ++k) {
            double q[N];
            posture(k, q);
            poses.push_back(forward_chain<false, double>(chain_, frame_, q, nullptr));
        }
        return poses;
    }
    // Squared: positions in lengths, rotations as half the squared distance of their axes.
    double distance(const Pose<double>& a, const Pose<double>& b) const {
        auto squared = [](const Vector3<double>& d) { return dot(d, d); };
        return squared(a.origin - b.origin) / (length_ * length_) + 0.5 * (squared(a.x - b.x) + squared(a.y - b.y) + squared(a.z - b.z));
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    const double *low_, *high_;
    double length_;
    Lazy<std::vector<Pose<double>>> poses_;
};

}  // namespace limbik
