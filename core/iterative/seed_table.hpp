// Starts near any target: a small table of random configurations by the pose they reach, made once per chain, the same
// on every run.
//
// A first revolute joint rotates all poses about its axis, and a last one rolls the tip. Without these two rotations a
// pose is four numbers: the distance of the last joint from the first axis, its height along it, and the direction of
// the last axis relative to the azimuth of the last joint (two numbers). The table divides these four into cells and
// keeps up to eight random configurations per cell, which often lie on different branches; empty cells take those of a
// neighbour. A look-up sets the first joint to the target's azimuth and the last to the target's roll. For chains that
// begin with a prismatic joint the four numbers are x, y, z and the z component of the last axis.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "../base/lazy.hpp"
#include "../base/random.hpp"
#include "../geometry/pose_error.hpp"
#include "../kinematics/chain.hpp"

namespace limbik::iterative {

struct SeedTable {
    static constexpr int SEEDS = 8;  // configurations per cell
    static constexpr std::array<int, 4> BINS = {14, 14, 10, 14};
    static constexpr int NEIGHBOURS = 9;  // the cell itself and the two next to it along each of the four numbers
    static constexpr int STORED = NEIGHBOURS * SEEDS;

    static constexpr double PARALLEL_AXES = 1e-6;  // axes are parallel below this sine of their angle

    ScalarChain bare;  // the chain without its base and tool
    bool revolute_first = false, revolute_last = false;
    double low[4] = {}, scale[4] = {};
    std::vector<float> postures;  // cell, joint, seed
    std::vector<float> azimuths;  // cell, seed: the azimuth of the last joint where the first is 0 [rad]

    static constexpr int cells() { return BINS[0] * BINS[1] * BINS[2] * BINS[3]; }
    int n() const { return int(bare.joints.size()); }

    // The four numbers of a pose of the last joint's frame, and its azimuth.
    void describe(const Pose<double>& W, double out[4], double& azimuth) const {
        if (revolute_first) {
            const double distance = std::hypot(W.origin.x, W.origin.y);
            azimuth = std::atan2(W.origin.y, W.origin.x);
            const double c = distance > 0.0 ? W.origin.x / distance : 1.0,
                         s = distance > 0.0 ? W.origin.y / distance : 0.0;
            out[0] = distance, out[1] = W.origin.z, out[2] = W.z.z;
            // For a last axis parallel to the first the azimuth is rounding.
            const bool upright = std::hypot(W.z.x, W.z.y) < PARALLEL_AXES;
            out[3] = upright ? 0.0 : std::atan2(c * W.z.y - s * W.z.x, c * W.z.x + s * W.z.y);
        } else {
            azimuth = 0.0;
            out[0] = W.origin.x, out[1] = W.origin.y, out[2] = W.z.z, out[3] = W.origin.z;
        }
    }
    float posture(long number, int joint) const {
        const long c = number / SEEDS, seed = number % SEEDS;
        return postures[std::size_t((c * n() + joint) * SEEDS + seed)];
    }
    // Neighbour 0 is the cell itself, 1 and 2 are next to it along the first number, 3 and 4 along the second, and so
    // on. At an edge a missing neighbour is the cell itself.
    int neighbour(int cell, int which) const {
        if (which == 0) return cell;
        const int k = (which - 1) / 2, step = which % 2 ? -1 : 1;
        int stride = 1;
        for (int j = 3; j > k; --j) stride *= BINS[std::size_t(j)];
        const int bins = BINS[std::size_t(k)], x = cell / stride % bins;
        const bool periodic = k == 3 && revolute_first;  // directions are periodic
        int to = x + step;
        if (to < 0 || to >= bins) to = periodic ? (to + bins) % bins : x;
        return cell + (to - x) * stride;
    }
    int cell(const double d[4]) const {
        int index = 0;
        for (int k = 0; k < 4; ++k) {
            const double x = (d[k] - low[k]) * scale[k];
            index = index * BINS[k] + (x > 0.0 ? int(std::fmin(x, BINS[k] - 1)) : 0);
        }
        return index;
    }
};

// lower, upper: finite ranges to draw from.
SeedTable make_seed_table(const ScalarChain& chain, const double* lower, const double* upper);

// A seed table made on first use.
class LazySeedTable {
  public:
    LazySeedTable(const ScalarChain& chain, const double* lower, const double* upper)
        : bare_{{}, chain.joints, {}}, lower_(lower, lower + chain.joints.size()),
          upper_(upper, upper + chain.joints.size()) {}

    const SeedTable& get() const {
        return table_.get([this] { return make_seed_table(bare_, lower_.data(), upper_.data()); });
    }
    bool made() const { return table_.made(); }

    // The bits that the table depends on. Chains that differ only in base and tool have the same key.
    std::string key() const;

  private:
    ScalarChain bare_;
    std::vector<double> lower_, upper_;
    Lazy<SeedTable> table_;
};

}  // namespace limbik::iterative
