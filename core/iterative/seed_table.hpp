// Where to start: a small table of postures that end near any target, made once per chain, the same on every run.
//
// A chain that begins with a turning joint looks the same from every side, and one that ends with a turning joint does
// not care how its tip is rolled. What is left of a pose when both turns are taken out is four numbers: the distance of
// the last joint from the first axis, its height along it, and the direction of the last axis seen from the side where
// the joint stands (two numbers). The table divides these four into cells and keeps up to eight random postures per
// cell, which lie on different branches more often than not; empty cells take those of a neighbour. A look-up turns
// them by the first joint to the target's side and rolls them by the last. Chains that begin otherwise are divided by
// x, y, z and the height of the last axis.
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
    static constexpr int SEEDS = 8;  // postures kept per cell
    static constexpr std::array<int, 4> BINS = {14, 14, 10, 14};
    static constexpr int NEIGHBOURS = 9;  // the cell itself and the two beside it in each direction
    static constexpr int STORED = NEIGHBOURS * SEEDS;

    static constexpr double UPRIGHT = 1e-6;  // sine of the angle between two axes that count as parallel

    ScalarChain bare;  // the chain without its base and tool
    bool turns_first = false, turns_last = false;
    double low[4] = {}, scale[4] = {};
    std::vector<float> postures;  // cell, joint, seed
    std::vector<float> sides;     // cell, seed: the side on which the last joint stands at first angle 0

    static constexpr int cells() { return BINS[0] * BINS[1] * BINS[2] * BINS[3]; }
    int n() const { return int(bare.joints.size()); }

    // The four numbers of a pose of the last joint's frame, and the side it stands on.
    void describe(const Pose<double>& W, double out[4], double& side) const {
        if (turns_first) {
            const double distance = std::hypot(W.origin.x, W.origin.y);
            side = std::atan2(W.origin.y, W.origin.x);
            const double c = distance > 0.0 ? W.origin.x / distance : 1.0,
                         s = distance > 0.0 ? W.origin.y / distance : 0.0;
            out[0] = distance, out[1] = W.origin.z, out[2] = W.z.z;
            // A last axis along the first has no side to point to, only rounding.
            const bool upright = std::hypot(W.z.x, W.z.y) < UPRIGHT;
            out[3] = upright ? 0.0 : std::atan2(c * W.z.y - s * W.z.x, c * W.z.x + s * W.z.y);
        } else {
            side = 0.0;
            out[0] = W.origin.x, out[1] = W.origin.y, out[2] = W.z.z, out[3] = W.origin.z;
        }
    }
    float posture(long number, int joint) const {
        const long c = number / SEEDS, seed = number % SEEDS;
        return postures[std::size_t((c * n() + joint) * SEEDS + seed)];
    }
    // 0 is the cell, 1 and 2 those beside it in the first number, 3 and 4 in the second ...; at an edge the cell
    // itself.
    int neighbour(int cell, int which) const {
        if (which == 0) return cell;
        const int k = (which - 1) / 2, way = which % 2 ? -1 : 1;
        int stride = 1;
        for (int j = 3; j > k; --j) stride *= BINS[std::size_t(j)];
        const int bins = BINS[std::size_t(k)], x = cell / stride % bins;
        const bool round = k == 3 && turns_first;  // directions close up
        int to = x + way;
        if (to < 0 || to >= bins) to = round ? (to + bins) % bins : x;
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

// lower and upper must be finite: the caller says where unlimited joints are sampled.
SeedTable make_seed_table(const ScalarChain& chain, const double* lower, const double* upper);

// A table made when it is first asked for.
class LazySeedTable {
  public:
    LazySeedTable(const ScalarChain& chain, const double* lower, const double* upper)
        : bare_{{}, chain.joints, {}}, lower_(lower, lower + chain.joints.size()),
          upper_(upper, upper + chain.joints.size()) {}

    const SeedTable& get() const {
        return table_.get([this] { return make_seed_table(bare_, lower_.data(), upper_.data()); });
    }
    bool made() const { return table_.made(); }

    // Every bit that the table depends on: chains that differ in base and tool alone have the same.
    std::string key() const;

  private:
    ScalarChain bare_;
    std::vector<double> lower_, upper_;
    Lazy<SeedTable> table_;
};

}  // namespace limbik::iterative
