// Seed tables, compiled once.
#include "seed_table.hpp"

namespace limbik::iterative {

namespace {

// How many random configurations fill the table, and how many of them set its bounds.
constexpr int SAMPLES = 300'000;
constexpr int SURVEY = 4096;

}  // namespace

SeedTable make_seed_table(const ScalarChain& chain, const double* lower, const double* upper) {
    SeedTable table;
    table.bare = chain;
    const Pose<double> identity = identity_pose();
    table.bare.base = identity;
    const int n = int(chain.joints.size());
    table.revolute_first = n > 1 && chain.joints.front().kind == Kind::revolute;
    table.revolute_last = n > 1 && chain.joints.back().kind == Kind::revolute;
    const ChainFrame last{n, identity, false};
    constexpr int W = width<Wide>;
    constexpr int K = SeedTable::SEEDS;
    std::vector<Wide> q(static_cast<std::size_t>(n));

    auto draw = [&](long first) {
        for (int j = 0; j < n; ++j) {
            const bool fixed = (j == 0 && table.revolute_first) || (j == n - 1 && table.revolute_last);
            for (int i = 0; i < W; ++i)
                set_lane(q[std::size_t(j)], i,
                         fixed ? 0.0
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
            double d[4], azimuth;
            table.describe(one(T, i), d, azimuth);
            for (int k : {0, 1, 3}) least[k] = std::fmin(least[k], d[k]), most[k] = std::fmax(most[k], d[k]);
        }
    }
    if (table.revolute_first) least[3] = -PI, most[3] = PI;
    for (int k = 0; k < 4; ++k) {
        const double span = most[k] - least[k];
        table.low[k] = least[k];
        table.scale[k] = span > 0.0 ? SeedTable::BINS[std::size_t(k)] / span : 0.0;
    }

    const std::size_t cells = std::size_t(SeedTable::cells());
    table.postures.assign(cells * std::size_t(n) * K, 0.0f);
    table.azimuths.assign(cells * K, 0.0f);
    std::vector<std::uint8_t> kept(cells, 0);
    for (long s = 0; s < SAMPLES; s += W) {
        const Pose<Wide> T = draw(s);
        for (int i = 0; i < W; ++i) {
            double d[4], azimuth;
            table.describe(one(T, i), d, azimuth);
            const std::size_t c = std::size_t(table.cell(d));
            if (kept[c] == K) continue;
            const std::size_t place = kept[c]++;
            for (int j = 0; j < n; ++j)
                table.postures[(c * std::size_t(n) + std::size_t(j)) * K + place] = float(lane(q[std::size_t(j)], i));
            table.azimuths[c * K + place] = float(azimuth);
        }
    }
    // Fill up: a cell with some seeds repeats them, an empty one takes those of the nearest cell.
    auto copy = [&](std::size_t to, std::size_t to_seed, std::size_t from, std::size_t from_seed) {
        for (std::size_t j = 0; j < std::size_t(n); ++j)
            table.postures[(to * std::size_t(n) + j) * K + to_seed] =
                table.postures[(from * std::size_t(n) + j) * K + from_seed];
        table.azimuths[to * K + to_seed] = table.azimuths[from * K + from_seed];
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
                for (int step : {-1, 1}) {
                    if ((step < 0 && x == 0) || (step > 0 && x + 1 == bins)) continue;
                    const std::size_t neighbour = step < 0 ? c - stride : c + stride;
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

std::string LazySeedTable::key() const {
    std::string bytes;
    auto add = [&](double x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
    for (const ChainJoint& joint : bare_.joints) {
        add(double(int(joint.kind)));
        for (const ConstantRotation* turn : {&joint.offset, &joint.twist}) add(turn->sine), add(turn->cosine);
        add(joint.shift.x), add(joint.shift.y), add(joint.shift.z);
    }
    for (double x : lower_) add(x);
    for (double x : upper_) add(x);
    return bytes;
}

}  // namespace limbik::iterative
