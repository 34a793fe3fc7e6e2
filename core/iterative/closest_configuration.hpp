// The nearest posture of a chain to a target that cannot be reached: position first, then rotation.
//
// A look finds how near the tip comes (closest_position.hpp). Where it gets there, a second point of the last body is
// asked about: the wrist, where the last axis passes the one before it. Fewer joints move it, so that it often stays
// away from its place though the tip does not; then no posture reaches the pose, and that is known before many attempts
// have failed. The postures that came nearest are then turned towards the target while the tip is held where it is, and
// brought back to rest. The winner has the least position error and, among equals, the least rotation error.
#pragma once

#include <optional>

#include "closest_configurations.hpp"
#include "closest_position.hpp"

namespace limbik::iterative {

// Postures that are turned: one round in the widest lanes.
inline constexpr int KEPT = 8;
// How they are: loosely held at its place at first, a posture can turn far, then tighter and tighter.
inline constexpr Round TURNING[] = {{0.3, 8}, {0.1, 5}, {0.02, 6}};
// Damped and Newton's steps that bring it to rest at last; the latter with a small shift, for it is nearly there.
inline constexpr int BACK = 3, REST = 6;
inline constexpr double REST_SHIFT = 1e-3;

// A weighed search: its starts, a multiple of every number of lanes, and the steps of each.
inline constexpr int WEIGHED_STARTS = 64, WEIGHED_STEPS = 24;

// Weights per metre and radian as weights per length and radian, the greater of them 1: only their ratio matters.
inline Weights unit_weights(const Weights& weights, double length) {
    const double position = weights.position * length, most = std::max(position, weights.rotation);
    return {position / most, weights.rotation / most};
}

template <int N> class ChainClosestConfiguration final : public ClosestConfiguration {
  public:
    // All of these must outlive it.
    ChainClosestConfiguration(const ScalarChain& chain, const ChainFrame& frame, const Limits& limits,
                              const Effort& effort, const Tolerances& tolerances)
        : chain_(chain), frame_(frame), effort_(effort), tolerances_(tolerances), lower_(limits.lower.data()),
          upper_(limits.upper.data()), near_(std::max(tolerances.position, NEARLY_THERE * effort.length)),
          tip_(chain, frame, limits, effort) {
        Pose<double> wrist = identity_pose();
        if (!find_wrist(wrist.origin)) return;
        wrist_.emplace(chain, ChainFrame{N, wrist, false}, limits, effort);
        tip_to_wrist_ = inverse_pose(frame.mount) * wrist;
    }

    Look look(const Pose<double>& target, const double* seed, bool proven) const override {
        Search search;
        tip_.seek(target.origin, near_, search);
        Look look;
        look.gap = search.least;
        keep_best(target, seed, search, look);
        if (proven || look.gap > near_ || !wrist_) return look;
        Search of_wrist;
        wrist_->seek((target * tip_to_wrist_).origin, near_, of_wrist);
        look.gap = std::max(look.gap, of_wrist.least);
        return look;
    }

    void turn(const Pose<double>& target, const double* seed, const Look& look, double* q_out,
              Outcome& out) const override {
        constexpr int W = width<Wide>;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const int count = int(look.postures.size()) / N;
        std::copy_n(look.postures.data(), N, q_out);
        out.errors = chain_errors(chain_, frame_, q_out, target);
        // A turn that costs position is not taken.
        double least = out.errors.position;
        for (int first = 0; first < count; first += W) {
            Wide q[N];
            load_rows(look.postures.data() + first * N, N, std::min(W, count - first), q);
            Pose<Wide> here = wide_target;
            here.origin = forward_chain_noinline<false, Wide>(chain_, frame_, q, nullptr).origin;
            for (const Round& round : TURNING)
                descend<N, 6, Wide>(chain_, frame_, effort_, lower_, upper_, here, round, q);
            descend<N, 3, Wide>(chain_, frame_, effort_, lower_, upper_, wide_target, {0.0, BACK}, q);
            newton<N, false, Wide>(chain_, frame_, effort_, lower_, upper_, wide_target, Weights{}, REST, q,
                                   REST_SHIFT);
            for (int i = 0; i < W; ++i) {  // spare lanes repeat the last posture
                double x[N];
                for (int j = 0; j < N; ++j) x[j] = lane(q[j], i);
                const Errors errors = verify_chain(chain_, frame_, lower_, upper_, seed, target, x);
                const double farthest = std::max(least * (1.0 + EQUALLY_NEAR), tolerances_.position);
                if (!(errors.position <= farthest &&
                      (errors.rotation < out.errors.rotation || errors.position < least * (1.0 - EQUALLY_NEAR))))
                    continue;
                least = std::min(least, errors.position);
                std::copy_n(x, N, q_out);
                out.errors = errors;
            }
        }
    }

    void weigh(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
               Outcome& out) const override {
        constexpr int W = width<Wide>;
        const Weights in_lengths = unit_weights(weights, effort_.length);
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        struct Found {
            double cost;
            double q[N];
        };
        double start[WEIGHED_STARTS][N];
        Found found[WEIGHED_STARTS];
        tip_.starts_of(target.origin, WEIGHED_STARTS, start);
        auto go = [&](const double* from, int steps, Found* to) {
            Wide q[N];
            load_rows(from, N, W, q);
            const Wide cost =
                newton<N, true, Wide>(chain_, frame_, effort_, lower_, upper_, wide_target, in_lengths, steps, q);
            for (int i = 0; i < W; ++i) {
                to[i].cost = lane(cost, i);
                for (int j = 0; j < N; ++j) to[i].q[j] = lane(q[j], i);
            }
        };
        for (int first = 0; first < WEIGHED_STARTS; first += W) go(start[first], WEIGHED_STEPS, found + first);
        auto less = [](const Found& a, const Found& b) { return a.cost < b.cost; };
        std::partial_sort(found, found + KEPT, found + WEIGHED_STARTS, less);
        for (int first = 0; first < KEPT; first += W) {  // the best are brought to rest
            for (int i = 0; i < W; ++i) std::copy_n(found[first + i].q, N, start[i]);
            go(start[0], WEIGHED_STEPS, found + first);
        }
        const Found& best = *std::min_element(found, found + KEPT, less);
        for (int j = 0; j < N; ++j) q_out[j] = settled(best.q[j], seed, j);
        out.errors = chain_errors(chain_, frame_, q_out, target);
    }

    double least_position(const Pose<double>& target, int starts) const override {
        return tip_.least_of(target.origin, starts);
    }

    void warm_up() const override {
        tip_.warm_up();
        if (wrist_) wrist_->warm_up();
    }
    bool warm() const override { return tip_.warm() && (!wrist_ || wrist_->warm()); }

  private:
    using Search = typename NearestPosition<N>::Search;

    double settled(double x, const double* seed, int j) const {
        return normalised_joint(chain_, lower_, upper_, x, seed, j);
    }

    // Where the last axis passes the one before it, seen from the last joint. False where that is everywhere, or the
    // tip.
    bool find_wrist(Vector3<double>& at) const {
        if (N < 2 || frame_.joints != N) return false;
        const double zero[N] = {};
        Axis<double> axes[N];
        forward_chain_noinline<true, double>(chain_, frame_, zero, axes);
        const Axis<double>&last = axes[N - 1], &before = axes[std::max(N - 2, 0)];
        const Vector3<double> across = cross(last.direction, before.direction);
        const double sine_squared = dot(across, across);
        if (sine_squared < SeedTable::UPRIGHT) return false;
        at = {0.0, 0.0, dot(cross(before.point - last.point, before.direction), across) / sine_squared};
        const Vector3<double> apart = at - frame_.mount.origin;
        return std::sqrt(dot(apart, apart)) > NEARLY_THERE * effort_.length;
    }

    // The postures to go on from: the nearest, then those as near, nearest in rotation first, then the others.
    void keep_best(const Pose<double>& target, const double* seed, const Search& search, Look& look) const {
        struct Rank {
            double distance, rotation;
            int number;
        };
        Rank ranks[MOST_STARTS];
        const double equal = std::max(search.least * (1.0 + AGREEMENT), near_);
        for (int k = 0; k < search.count; ++k) {
            const double rotation = chain_errors(chain_, frame_, search.found[k].q, target).rotation;
            const double distance = search.found[k].distance;
            ranks[k] = {distance == search.least ? -1.0 : distance <= equal ? 0.0 : distance, rotation, k};
        }
        std::partial_sort(ranks, ranks + KEPT, ranks + search.count, [](const Rank& a, const Rank& b) {
            if (a.distance != b.distance) return a.distance < b.distance;
            return a.rotation != b.rotation ? a.rotation < b.rotation : a.number < b.number;
        });
        look.postures.resize(std::size_t(KEPT * N));
        for (int k = 0; k < KEPT; ++k)
            for (int j = 0; j < N; ++j)
                look.postures[std::size_t(k * N + j)] = settled(search.found[ranks[k].number].q[j], seed, j);
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Effort effort_;
    Tolerances tolerances_;
    const double *lower_, *upper_;
    double near_;
    NearestPosition<N> tip_;
    std::optional<NearestPosition<N>> wrist_;
    Pose<double> tip_to_wrist_;
};

}  // namespace limbik::iterative
