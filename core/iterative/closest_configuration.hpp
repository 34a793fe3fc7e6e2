// The closest configuration of a chain to an unreachable target: least position error first, then rotation error.
//
// approach() finds the closest position of the tip (closest_position.hpp). Where the tip reaches its goal, a second
// point of the last body is tried: the wrist, where the last axis passes closest to the one before. Fewer joints move
// it, so it often stays off its goal though the tip does not; then no configuration reaches the pose, which is known
// before many attempts have failed. orient() then rotates the closest configurations towards the target with the tip
// held in place, and converges on the position again. The result has the least position error and, among equals, the
// least rotation error.
#pragma once

#include <optional>

#include "closest_configurations.hpp"
#include "closest_position.hpp"

namespace limbik::iterative {

// How many configurations are oriented: one round in the widest lanes.
inline constexpr int KEPT = 8;
// The rounds that orient them: the tip is held loosely at first, so that rotations can be large, then tighter.
inline constexpr Round ORIENTING[] = {{0.3, 8}, {0.1, 5}, {0.02, 6}};
// Damped and Newton steps of the position at the end; the latter with a small first shift, since it nearly converged.
inline constexpr int FINAL_DAMPED = 3, FINAL_NEWTON = 6;
inline constexpr double FINAL_SHIFT = 1e-3;

// The starts of a weighted search (a multiple of every number of lanes), and the steps from each.
inline constexpr int WEIGHTED_STARTS = 64, WEIGHTED_STEPS = 24;

// Convert weights per metre and radian to weights per length and radian, scaled so that the greater is 1: only their
// ratio matters.
inline Weights unit_weights(const Weights& weights, double length) {
    const double position = weights.position * length, most = std::max(position, weights.rotation);
    return {position / most, weights.rotation / most};
}

template <int N> class ChainClosestConfiguration final : public ClosestConfiguration {
  public:
    // The arguments must outlive this.
    ChainClosestConfiguration(const ScalarChain& chain, const ChainFrame& frame, const Limits& limits,
                              const StepSettings& settings, const Tolerances& tolerances)
        : chain_(chain), frame_(frame), settings_(settings), tolerances_(tolerances), lower_(limits.lower.data()),
          upper_(limits.upper.data()), near_(std::max(tolerances.position, POSITION_REACHED * settings.length)),
          tip_(chain, frame, limits, settings) {
        Pose<double> wrist = identity_pose();
        if (!find_wrist(wrist.origin)) return;
        wrist_.emplace(chain, ChainFrame{N, wrist, false}, limits, settings);
        tip_to_wrist_ = inverse_pose(frame.placement) * wrist;
    }

    Approach approach(const Pose<double>& target, const double* seed, bool proven) const override {
        Search search;
        tip_.find(target.origin, near_, search);
        Approach out;
        out.gap = search.least;
        keep_best(target, seed, search, out);
        if (proven || out.gap > near_ || !wrist_) return out;
        Search of_wrist;
        wrist_->find((target * tip_to_wrist_).origin, near_, of_wrist);
        out.gap = std::max(out.gap, of_wrist.least);
        return out;
    }

    void orient(const Pose<double>& target, const double* seed, const Approach& approach, double* q_out,
                Outcome& out) const override {
        constexpr int W = width<Wide>;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const int count = int(approach.postures.size()) / N;
        std::copy_n(approach.postures.data(), N, q_out);
        out.errors = chain_errors(chain_, frame_, q_out, target);
        // A rotation that costs position is rejected.
        double least = out.errors.position;
        for (int first = 0; first < count; first += W) {
            Wide q[N];
            load_rows(approach.postures.data() + first * N, N, std::min(W, count - first), q);
            Pose<Wide> held = wide_target;
            held.origin = forward_chain_noinline<false, Wide>(chain_, frame_, q, nullptr).origin;
            for (const Round& round : ORIENTING)
                descend<N, 6, Wide>(chain_, frame_, settings_, lower_, upper_, held, round, q);
            descend<N, 3, Wide>(chain_, frame_, settings_, lower_, upper_, wide_target, {0.0, FINAL_DAMPED}, q);
            newton<N, false, Wide>(chain_, frame_, settings_, lower_, upper_, wide_target, Weights{}, FINAL_NEWTON, q,
                                   FINAL_SHIFT);
            for (int i = 0; i < W; ++i) {  // spare lanes repeat the last configuration
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

    void weighted(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                  Outcome& out) const override {
        constexpr int W = width<Wide>;
        const Weights in_lengths = unit_weights(weights, settings_.length);
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        struct Found {
            double cost;
            double q[N];
        };
        double start[WEIGHTED_STARTS][N];
        Found found[WEIGHTED_STARTS];
        tip_.starts_of(target.origin, WEIGHTED_STARTS, start);
        auto minimise = [&](const double* from, int steps, Found* to) {
            Wide q[N];
            load_rows(from, N, W, q);
            const Wide cost =
                newton<N, true, Wide>(chain_, frame_, settings_, lower_, upper_, wide_target, in_lengths, steps, q);
            for (int i = 0; i < W; ++i) {
                to[i].cost = lane(cost, i);
                for (int j = 0; j < N; ++j) to[i].q[j] = lane(q[j], i);
            }
        };
        for (int first = 0; first < WEIGHTED_STARTS; first += W) minimise(start[first], WEIGHTED_STEPS, found + first);
        auto less = [](const Found& a, const Found& b) { return a.cost < b.cost; };
        std::partial_sort(found, found + KEPT, found + WEIGHTED_STARTS, less);
        for (int first = 0; first < KEPT; first += W) {  // the best converge
            for (int i = 0; i < W; ++i) std::copy_n(found[first + i].q, N, start[i]);
            minimise(start[0], WEIGHTED_STEPS, found + first);
        }
        const Found& best = *std::min_element(found, found + KEPT, less);
        for (int j = 0; j < N; ++j) q_out[j] = normalised(best.q[j], seed, j);
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
    using Search = typename ClosestPosition<N>::Search;

    double normalised(double x, const double* seed, int j) const {
        return normalised_joint(chain_, lower_, upper_, x, seed, j);
    }

    // The point of the last axis closest to the axis before, in the frame of the last joint. False where the axes are
    // parallel, or the point is the tip.
    bool find_wrist(Vector3<double>& at) const {
        if (N < 2 || frame_.joints != N) return false;
        const double zero[N] = {};
        Axis<double> axes[N];
        forward_chain_noinline<true, double>(chain_, frame_, zero, axes);
        const Axis<double>&last = axes[N - 1], &before = axes[std::max(N - 2, 0)];
        const Vector3<double> across = cross(last.direction, before.direction);
        const double sine_squared = dot(across, across);
        if (sine_squared < SeedTable::PARALLEL_AXES) return false;
        at = {0.0, 0.0, dot(cross(before.point - last.point, before.direction), across) / sine_squared};
        const Vector3<double> to_tip = at - frame_.placement.origin;
        return std::sqrt(dot(to_tip, to_tip)) > POSITION_REACHED * settings_.length;
    }

    // The configurations to orient: the closest, then those equally close by rotation error, then the others.
    void keep_best(const Pose<double>& target, const double* seed, const Search& search, Approach& approach) const {
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
        approach.postures.resize(std::size_t(KEPT * N));
        for (int k = 0; k < KEPT; ++k)
            for (int j = 0; j < N; ++j)
                approach.postures[std::size_t(k * N + j)] = normalised(search.found[ranks[k].number].q[j], seed, j);
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    StepSettings settings_;
    Tolerances tolerances_;
    const double *lower_, *upper_;
    double near_;
    ClosestPosition<N> tip_;
    std::optional<ClosestPosition<N>> wrist_;
    Pose<double> tip_to_wrist_;
};

}  // namespace limbik::iterative
