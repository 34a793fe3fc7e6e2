// Starts at the corners of the joint limits, ranked by the distance of their poses from the target.
//
// Random starts seldom converge to a target that is reached only with most joints at their limits: the steps end in
// a wrong corner. The poses of the 2^n corners do not depend on the target and are computed once. On the hardest known
// targets one of the first few corners leads to a solution.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "../base/lazy.hpp"
#include "../geometry/spatial.hpp"

namespace limbik::iterative {

// From this attempt on, the starts are in turn: one with some joints at their limits and the others random; one by a
// descent into the limits (limit_descent.hpp); two corners.
inline constexpr int HARD_ATTEMPTS = 64;
// How many corners are kept for a target, and the most joints of a chain that has corners: a corner's number has a bit
// for each joint.
inline constexpr int RANKED_CORNERS = 96, CORNERED_JOINTS = 8;

enum class HardStart { ordinary, at_some_limits, descended, corner };

inline HardStart hard_start(int attempt) {
    if (attempt < HARD_ATTEMPTS) return HardStart::ordinary;
    return attempt % 4 == 0 ? HardStart::at_some_limits : attempt % 4 == 1 ? HardStart::descended : HardStart::corner;
}
// The rank of the corner that an attempt starts from.
inline int corner_rank(int attempt) { return (attempt - HARD_ATTEMPTS) / 4 * 2 + attempt % 4 - 2; }

// Set each joint to its lower limit, to its upper limit, or leave it, with equal probability. `random(j)` is in [0, 1).
template <class Random>
inline void onto_some_limits(const double* low, const double* high, int n, const Random& random, double* q) {
    for (int j = 0; j < n; ++j) {
        const double u = random(j);
        if (u < 2.0 / 3.0) q[j] = u < 1.0 / 3.0 ? low[j] : high[j];
    }
}

struct CornerOrder {
    std::array<std::uint8_t, RANKED_CORNERS> corner;
    int count = 0;
};

class Corners {
  public:
    // low, high: n finite numbers each, at most CORNERED_JOINTS. length: the distance that counts as much as 1 rad [m].
    Corners(const double* low, const double* high, int n, double length)
        : low_(low), high_(high), n_(n), length_(length) {}

    void posture(int corner, double* q) const {
        for (int j = 0; j < n_; ++j) q[j] = (corner >> j & 1) != 0 ? high_[j] : low_[j];
    }

    // forward(q) is the pose of a configuration.
    template <class Forward> CornerOrder order(const Pose<double>& target, const Forward& forward) const {
        const std::vector<Pose<double>>& poses = poses_.get([&] { return corner_poses(forward); });
        std::vector<std::pair<double, int>> ranked;
        ranked.reserve(poses.size());
        for (std::size_t k = 0; k < poses.size(); ++k) ranked.emplace_back(distance(poses[k], target), int(k));
        CornerOrder out;
        out.count = std::min(int(poses.size()), RANKED_CORNERS);
        std::partial_sort(ranked.begin(), ranked.begin() + out.count, ranked.end());
        for (int k = 0; k < out.count; ++k) out.corner[std::size_t(k)] = std::uint8_t(ranked[std::size_t(k)].second);
        return out;
    }

  private:
    template <class Forward> std::vector<Pose<double>> corner_poses(const Forward& forward) const {
        std::vector<Pose<double>> poses;
        double q[CORNERED_JOINTS];
        for (int k = 0; k < 1 << n_; ++k) {
            posture(k, q);
            poses.push_back(forward(q));
        }
        return poses;
    }
    // The squared distance: positions in lengths, rotations as half the squared distance of their axes.
    double distance(const Pose<double>& a, const Pose<double>& b) const {
        auto squared = [](const Vector3<double>& d) { return dot(d, d); };
        return squared(a.origin - b.origin) / (length_ * length_) +
               0.5 * (squared(a.x - b.x) + squared(a.y - b.y) + squared(a.z - b.z));
    }

    const double *low_, *high_;
    int n_;
    double length_;
    Lazy<std::vector<Pose<double>>> poses_;
};

}  // namespace limbik::iterative
