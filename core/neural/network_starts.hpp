// A network's postures for a target: it offers several, one per head, so that it need not average solutions that lie
// apart. Forward kinematics tells which of them is nearest to the target, and that one comes first.
#pragma once

#include "../iterative/starts.hpp"
#include "network.hpp"
#include "target_view.hpp"

namespace limbik::neural {

class NetworkStarts final : public Starts {
  public:
    static constexpr int MOST_HEADS = 64;

    NetworkStarts(const Kinematics& k, int frame, const TargetView& view, const Network& network, int heads,
                  const Limits& limits, double length)
        : k_(k), frame_(frame), view_(view), network_(network), heads_(heads), settling_(k.mechanism, limits),
          length_(length) {}

    const char* method() const override { return "neural"; }
    int n() const override { return view_.n(); }
    int most() const override { return heads_; }

    // The network's output: number j of head k stands at j * padded() + k.
    int padded() const { return (heads_ + W - 1) / W * W; }

    int propose(const Pose<double>& target, const double* seed, double* q) const override {
        const int n = view_.n(), each = view_.outputs();
        const std::size_t needed = network_.room() + std::size_t(padded() * (each + n));
        constexpr std::size_t NEAR = 4096;  // numbers that are kept on the stack, if they are enough
        double near[NEAR];
        std::vector<double> far(needed > NEAR ? needed : 0);
        double* work = needed > NEAR ? far.data() : near;
        double *y = work + network_.room(), *posture = y + padded() * each, miss[MOST_HEADS];
        const TargetView::Seen seen = view_.look(target);
        network_.evaluate(seen.x, y, work);
        if (k_.chain && n <= SMALL_CHAIN) {
            Wide lanes[SMALL_CHAIN];
            consider(target, seed, seen, y, lanes, nullptr, posture, miss);
        } else {
            Scratch<Wide> s(k_, false);
            consider(target, seed, seen, y, s.q.data(), s.poses.data(), posture, miss);
        }
        int order[MOST_HEADS];
        for (int k = 0; k < heads_; ++k) {
            int place = k;
            for (; place > 0 && miss[k] < miss[order[place - 1]]; --place) order[place] = order[place - 1];
            order[place] = k;
        }
        for (int k = 0; k < heads_; ++k) std::copy_n(posture + order[k] * n, n, q + k * n);
        return heads_;
    }

    // Bring a posture to the whole turns nearest the seed, inside the limits.
    void settle(double* q, const double* seed) const { settling_.settle(q, seed); }

  private:
    static constexpr int W = width<Wide>;

    // Complete every head's posture, bring it inside the limits, and tell how far it then is from the target.
    LIMBIK_INLINE void consider(const Pose<double>& target, const double* seed, const TargetView::Seen& seen,
                                const double* y, Wide* lanes, Pose<Wide>* poses, double* posture, double* miss) const {
        const int n = view_.n(), each = view_.outputs(), first = view_.first();
        const Pose<Wide> wanted = broadcast<Wide>(target);
        for (int from = 0; from < heads_; from += W) {
            for (int j = 0; j < each; ++j) lanes[first + j] = load_lanes<W>(y + j * padded() + from);
            view_.complete(seen, lanes);
            settling_.settle(lanes, seed);
            if (settling_.has_cones()) into_cones(lanes, seed);
            store_rows(lanes, n, W, posture + from * n, n);
            judge(wanted, row_forward(k_, frame_, lanes, poses), std::min(W, heads_ - from), miss + from);
        }
    }

    void into_cones(Wide* lanes, const double* seed) const {
        std::vector<double> q(std::size_t(view_.n()));
        for (int i = 0; i < W; ++i) {
            for (std::size_t j = 0; j < q.size(); ++j) q[j] = lane(lanes[j], i);
            settling_.settle(q.data(), seed);
            for (std::size_t j = 0; j < q.size(); ++j) set_lane(lanes[j], i, q[j]);
        }
    }

    // How far postures are from the target: the squared residual of an attempt that starts there.
    void judge(const Pose<Wide>& wanted, const Pose<Wide>& T, int count, double* miss) const {
        const Residual<Wide> e = residual(T, wanted, length_);
        // past half a turn the chord is short again, and its cosine tells
        const Wide turned = select(e.facing > Wide(0.0), dot(e.rotation, e.rotation), Wide(2.0) - Wide(2.0) * e.facing);
        const Wide squared = view_.places() ? dot(e.position, e.position) : dot(e.position, e.position) + turned;
        double found[W];
        store_lanes<W>(squared, found);
        for (int i = 0; i < count; ++i) miss[i] = found[i] < LOST ? found[i] : LOST;  // one that is none comes last
    }

    const Kinematics& k_;
    int frame_;
    const TargetView& view_;
    const Network& network_;
    int heads_;
    Settling settling_;
    double length_;
};

}  // namespace limbik::neural
