// A network's configurations for a target as starts of attempts: one per head, so that separate solutions are not
// averaged. The head with the smallest error by forward kinematics comes first.
#pragma once

#include "../base/least_few.hpp"
#include "../iterative/starts.hpp"
#include "network.hpp"
#include "target_view.hpp"

namespace limbik::neural {

class NetworkStarts final : public Starts {
  public:
    static constexpr int MOST_HEADS = 64;

    NetworkStarts(const Kinematics& k, int frame, const TargetView& view, const Network& network, int heads,
                  const Limits& limits, double length)
        : k_(k), frame_(frame), view_(view), network_(network), heads_(heads), normaliser_(k.mechanism, limits),
          length_(length) {}

    const char* method() const override { return "neural"; }
    int n() const override { return view_.n(); }
    int most() const override { return heads_; }

    // The network's output: number j of head k is at j * padded() + k.
    int padded() const { return (heads_ + W - 1) / W * W; }

    int propose(const Pose<double>& target, const double* seed, double* q) const override {
        const int n = view_.n(), each = view_.outputs();
        const std::size_t needed = network_.work_size() + std::size_t(padded() * (each + n));
        constexpr std::size_t NEAR = 4096;  // numbers kept on the stack
        double near[NEAR];
        std::vector<double> far(needed > NEAR ? needed : 0);
        double* work = needed > NEAR ? far.data() : near;
        double *y = work + network_.work_size(), *posture = y + padded() * each, error[MOST_HEADS];
        const TargetView::Features features = view_.features(target);
        network_.evaluate(features.x, y, work);
        if (k_.chain && n <= SMALL_CHAIN) {
            Wide lanes[SMALL_CHAIN];
            evaluate_heads(target, seed, features, y, lanes, nullptr, posture, error);
        } else {
            Scratch<Wide> s(k_, false);
            evaluate_heads(target, seed, features, y, s.q.data(), s.poses.data(), posture, error);
        }
        LeastFew<MOST_HEADS> order;
        for (int k = 0; k < heads_; ++k) order.offer(error[k], k);
        for (int k = 0; k < heads_; ++k) std::copy_n(posture + order.index(k) * n, n, q + k * n);
        return heads_;
    }

    // Wrap a configuration to the 2-pi copies closest to the seed, inside the limits.
    void wrap_to_seed(double* q, const double* seed) const { normaliser_.normalise(q, seed); }

  private:
    static constexpr int W = width<Wide>;

    // Complete every head's configuration, clamp it to the limits, and compute its error.
    LIMBIK_INLINE void evaluate_heads(const Pose<double>& target, const double* seed,
                                      const TargetView::Features& features, const double* y, Wide* lanes,
                                      Pose<Wide>* poses, double* posture, double* error) const {
        const int n = view_.n(), each = view_.outputs(), first = view_.first();
        const Pose<Wide> wanted = broadcast<Wide>(target);
        for (int from = 0; from < heads_; from += W) {
            for (int j = 0; j < each; ++j) lanes[first + j] = load_lanes<W>(y + j * padded() + from);
            view_.complete(features, lanes);
            normaliser_.normalise(lanes, seed);
            if (normaliser_.has_cones()) clamp_to_cones(lanes, seed);
            store_rows(lanes, n, W, posture + from * n, n);
            squared_errors(wanted, row_forward(k_, frame_, lanes, poses), std::min(W, heads_ - from), error + from);
        }
    }

    void clamp_to_cones(Wide* lanes, const double* seed) const {
        std::vector<double> q(std::size_t(view_.n()));
        for (int i = 0; i < W; ++i) {
            for (std::size_t j = 0; j < q.size(); ++j) q[j] = lane(lanes[j], i);
            normaliser_.normalise(q.data(), seed);
            for (std::size_t j = 0; j < q.size(); ++j) set_lane(lanes[j], i, q[j]);
        }
    }

    // The squared residual of each configuration, as in an attempt that starts there.
    void squared_errors(const Pose<Wide>& wanted, const Pose<Wide>& T, int count, double* error) const {
        const Residual<Wide> e = residual(T, wanted, length_);
        // the squared chord of the rotation; beyond pi/2 from the cosine, which is exact up to pi
        const Wide rotation =
            select(e.facing > Wide(0.0), dot(e.rotation, e.rotation), Wide(2.0) - Wide(2.0) * e.facing);
        const Wide squared =
            view_.position_only() ? dot(e.position, e.position) : dot(e.position, e.position) + rotation;
        double found[W];
        store_lanes<W>(squared, found);
        for (int i = 0; i < count; ++i) error[i] = found[i] < DIVERGED ? found[i] : DIVERGED;  // not finite: last
    }

    const Kinematics& k_;
    int frame_;
    const TargetView& view_;
    const Network& network_;
    int heads_;
    Normaliser normaliser_;
    double length_;
};

}  // namespace limbik::neural
