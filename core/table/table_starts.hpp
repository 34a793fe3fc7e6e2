// A table's candidates as starts of attempts: those closest to the seed first, after the seed itself where it is close
// to the target.
#pragma once

#include "../base/least_few.hpp"
#include "../iterative/starts.hpp"
#include "candidates.hpp"

namespace limbik::table {

class TableStarts final : public Starts {
  public:
    // Candidates that are tried, closest to the seed first: as many as the widest register has lanes.
    static constexpr int TRIED = 8;
    // A seed with a squared residual below this, in lengths and radians, needs fewer steps than a candidate.
    static constexpr double GOOD_SEED = 0.5;

    TableStarts(const Candidates& table, const ScalarChain& chain, const ChainFrame& frame, const Mechanism& mechanism,
                const Limits& limits, double length)
        : table_(table), chain_(chain), frame_(frame), normaliser_(mechanism, limits), length_(length) {}

    const char* method() const override { return "table"; }
    int n() const override { return table_.n(); }
    int most() const override { return TRIED; }
    int instead() const override { return TRIED; }

    int propose(const Pose<double>& target, const double* seed, double* q) const override {
        const int n = table_.n();
        const std::size_t needed = std::size_t(table_.most() * n + W * n);
        constexpr std::size_t NEAR = 4096;  // numbers kept on the stack
        double near[NEAR];
        std::vector<double> far(needed > NEAR ? needed : 0);
        double* candidates = needed > NEAR ? far.data() : near;
        const int count = table_.find_near(target, seed, TRIED, candidates);
        LeastFew<TRIED> best;
        for (int from = 0; from < count; from += W) {
            double each[W];
            const int used = std::min(W, count - from);
            wrap_and_measure(seed, used, candidates + from * n, each);
            for (int i = 0; i < used; ++i) best.offer(each[i], from + i);
        }
        for (int k = 0; k < best.count(); ++k) std::copy_n(candidates + best.index(k) * n, n, q + k * n);
        return best.count();
    }

    void good_seeds(const double* targets, const double* seeds, long seed_stride, long count,
                    char* good) const override {
        const int n = table_.n();
        Wide q[MOST_JOINTS];
        Pose<Wide> T;
        for (long from = 0; from < count; from += W) {
            const int used = int(std::min<long>(W, count - from));
            if (from == 0 || seed_stride != 0) {
                load_rows(seeds + from * seed_stride, n, seed_stride != 0 ? used : 1, q);
                T = forward_chain_noinline<false, Wide>(chain_, frame_, q, nullptr);
            }
            const Residual<Wide> e = residual(T, load_pose<Wide>(targets + from * 16, used), length_);
            double near[W];
            store_lanes<W>(select((e.squared < Wide(GOOD_SEED)) & (e.facing > Wide(0.0)), Wide(1.0), Wide(0.0)), near);
            for (int i = 0; i < used; ++i) good[from + i] = near[i] > 0.0;
        }
    }

  private:
    static constexpr int W = width<Wide>, MOST_JOINTS = 16;
    // Added to the distance of candidates outside the limits: they come last.
    static constexpr double OUTSIDE_PENALTY = 1e6;

    // Wrap candidates into the limits, and compute their distances from the seed.
    void wrap_and_measure(const double* seed, int used, double* q, double* distance) const {
        const int n = table_.n();
        Wide lanes[MOST_JOINTS], farthest = Wide(0.0);
        load_rows(q, n, used, lanes);
        const auto inside = normaliser_.normalise(lanes, seed);
        for (int j = 0; j < n; ++j) {
            const Wide gap = absolute(lanes[j] - Wide(seed[j]));
            farthest = select(gap > farthest, gap, farthest);
        }
        store_rows(lanes, n, used, q, n);
        store_lanes<W>(select(inside, farthest, farthest + Wide(OUTSIDE_PENALTY)), distance);
    }

    const Candidates& table_;
    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Normaliser normaliser_;
    double length_;
};

}  // namespace limbik::table
