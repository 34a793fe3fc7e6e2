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

// Random postures that fill the table, and how many of them set its bounds.
inline constexpr int SAMPLES = 300'000;
inline constexpr int SURVEY = 4096;

// lower and upper must be finite: the caller says where unlimited joints are sampled.
inline SeedTable make_seed_table(const ScalarChain& chain, const double* lower, const double* upper) {
    SeedTable table;
    table.bare = chain;
    const Pose<double> identity = identity_pose();
    table.bare.base = identity;
    const int n = int(chain.joints.size());
    table.turns_first = n > 1 && chain.joints.front().kind == Kind::revolute;
    table.turns_last = n > 1 && chain.joints.back().kind == Kind::revolute;
    const ChainFrame last{n, identity, false};
    constexpr int W = width<Wide>;
    constexpr int K = SeedTable::SEEDS;
    std::vector<Wide> q(static_cast<std::size_t>(n));

    auto draw = [&](long first) {
        for (int j = 0; j < n; ++j) {
            const bool still = (j == 0 && table.turns_first) || (j == n - 1 && table.turns_last);
            for (int i = 0; i < W; ++i)
                set_lane(q[std::size_t(j)], i,
                         still ? 0.0
                               : lower[j] + (upper[j] - lower[j]) *
                                                counter_random(std::uint64_t(j), std::uint64_t(first + i)));
        }
        return forward_chain<false, Wide>(table.bare, last, q.data(), nullptr);
    };
    auto one = [](const Pose<Wide>& T, int i) {
        auto pick = [i](const Vector3<Wide>& a) { return Vector3<double>{lane(a.x, i), lane(a.y, i), lane(a.z, i)}; };
        return Pose<double>{pick(T.x), pick(T.y), pick(T.z), pick(T.origin)};
    };

    double least[4] = {1e300, 1e300, -1.0, 1e300}, most[4] = {-1e300, -1e300, 1.0, -1e300};
    for (long s = 0; s < SURVEY; s += W) {
        const Pose<Wide> T = draw(s);
        for (int i = 0; i < W; ++i) {
            double d[4], side;
            table.describe(one(T, i), d, side);
            for (int k : {0, 1, 3}) least[k] = std::fmin(least[k], d[k]), most[k] = std::fmax(most[k], d[k]);
        }
    }
    if (table.turns_first) least[3] = -PI, most[3] = PI;
    for (int k = 0; k < 4; ++k) {
        const double span = most[k] - least[k];
        table.low[k] = least[k];
        table.scale[k] = span > 0.0 ? SeedTable::BINS[std::size_t(k)] / span : 0.0;
    }

    const std::size_t cells = std::size_t(SeedTable::cells());
    table.postures.assign(cells * std::size_t(n) * K, 0.0f);
    table.sides.assign(cells * K, 0.0f);
    std::vector<std::uint8_t> kept(cells, 0);
    for (long s = 0; s < SAMPLES; s += W) {
        const Pose<Wide> T = draw(s);
        for (int i = 0; i < W; ++i) {
            double d[4], side;
            table.describe(one(T, i), d, side);
            const std::size_t c = std::size_t(table.cell(d));
            if (kept[c] == K) continue;
            const std::size_t place = kept[c]++;
            for (int j = 0; j < n; ++j)
                table.postures[(c * std::size_t(n) + std::size_t(j)) * K + place] = float(lane(q[std::size_t(j)], i));
            table.sides[c * K + place] = float(side);
        }
    }
    // Fill up: a cell with some repeats them, an empty one takes a neighbour's, nearest first.
    auto copy = [&](std::size_t to, std::size_t to_seed, std::size_t from, std::size_t from_seed) {
        for (std::size_t j = 0; j < std::size_t(n); ++j)
            table.postures[(to * std::size_t(n) + j) * K + to_seed] =
                table.postures[(from * std::size_t(n) + j) * K + from_seed];
        table.sides[to * K + to_seed] = table.sides[from * K + from_seed];
    };
    std::vector<std::size_t> front;
    for (std::size_t c = 0; c < cells; ++c)
        if (kept[c]) front.push_back(c);
    while (!front.empty()) {
        std::vector<std::size_t> next;
        for (std::size_t c : front) {
            std::size_t stride = 1, rest = c;
            for (int k = 3; k >= 0; --k) {
                const std::size_t bins = std::size_t(SeedTable::BINS[std::size_t(k)]), x = rest % bins;
                rest /= bins;
                for (int way : {-1, 1}) {
                    if ((way < 0 && x == 0) || (way > 0 && x + 1 == bins)) continue;
                    const std::size_t neighbour = way < 0 ? c - stride : c + stride;
                    if (kept[neighbour]) continue;
                    for (std::size_t i = 0; i < K; ++i) copy(neighbour, i, c, i % kept[c]);
                    kept[neighbour] = K;
                    next.push_back(neighbour);
                }
                stride *= bins;
            }
        }
        front.swap(next);
    }
    for (std::size_t c = 0; c < cells; ++c)
        for (std::size_t i = kept[c]; kept[c] && i < K; ++i) copy(c, i, c, i % kept[c]);
    return table;
}

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
    std::string key() const {
        std::string bytes;
        auto add = [&](double x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
        for (const ChainJoint& joint : bare_.joints) {
            add(double(int(joint.kind)));
            for (const Turn* turn : {&joint.offset, &joint.twist}) add(turn->sine), add(turn->cosine);
            add(joint.shift.x), add(joint.shift.y), add(joint.shift.z);
        }
        for (double x : lower_) add(x);
        for (double x : upper_) add(x);
        return bytes;
    }

  private:
    ScalarChain bare_;
    std::vector<double> lower_, upper_;
    Lazy<SeedTable> table_;
};

}  // namespace limbik::iterative
