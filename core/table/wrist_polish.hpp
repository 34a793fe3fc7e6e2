// Candidates of a chain with a spherical wrist, corrected: Newton's method for the wrist's centre, three equations
// instead of six and without the wrist's singularities; then the wrist in closed form.
#pragma once

#include <array>
#include <numeric>

#include "chain_polish.hpp"

namespace limbik::table {

template <int N> class WristPolish final : public Polish {
  public:
    WristPolish(const Reduction& reduction, const ScalarChain& chain, const ChainFrame& frame,
                const StepSettings& settings)
        : reduction_(reduction), whole_(chain, frame, settings), arm_(reduction.bare()),
          centre_(reduction.centre_frame()), settings_(settings) {
        arm_.joints.resize(M);
    }

    // Candidates come in pairs, the wrist's two branches; only the joints before the wrist are read.
    int correct(const Pose<double>& target, double* q, int count, int* which) const override {
        const Reduced at = reduction_.reduced(target);
        const Vector3<double> place = reduction_.centre(at.pose);
        const Vector3<Wide> wanted = {Wide(place.x), Wide(place.y), Wide(place.z)};
        const int arms = std::min(count / 2, MOST_ARMS);
        Wide lanes[M];
        for (int j = 0; j < M; ++j) lanes[j] = Wide(0.0);
        int kept = 0;
        run_in_lanes(
            arms,
            [&](int i, int arm) {
                for (int j = 0; j < M; ++j) set_lane(lanes[j], i, q[2 * arm * N + j]);
            },
            [&](double* squared, double* facing) {
                store_lanes<W>(step_arm<Wide>(wanted, 0.0, lanes), squared);
                std::fill_n(facing, W, 1.0);
            },
            [&](int i, int arm) {  // into the first place of a pair that was loaded before
                for (int j = 0; j < M; ++j) q[kept * N + j] = lane(lanes[j], i);
                which[kept++] = arm;
            });
        return solve_wrists(at, q, kept, which);
    }

    int distinct(double* q, int count, int* which) const override { return whole_.distinct(q, count, which); }

    // Folds are those of the arm: both branches of the wrist always exist.
    int across_folds(const Pose<double>& target, const double* q, int count, double* out, int* from) const override {
        const Vector3<double> place = reduction_.centre(reduction_.reduced(target).pose);
        const Vector3<Wide> wanted = {Wide(place.x), Wide(place.y), Wide(place.z)};
        int arms = 0, made = 0;
        int arm[MOST_POSTURES];  // the rows that differ from the one before in more than the wrist's branch
        for (int k = 0; k < count && arms < MOST_POSTURES / 2; ++k)
            if (k == 0 || !std::equal(q + k * N, q + k * N + M, q + (k - 1) * N)) arm[arms++] = k;
        for (int first = 0; first < arms; first += W) {
            Wide at[M], v[M], u[3], along[2], J[3][M];
            for (int j = 0; j < M; ++j)
                for (int i = 0; i < W; ++i) set_lane(at[j], i, q[arm[std::min(first + i, arms - 1)] * N + j]);
            Axis<Wide> axes[M];
            const Pose<Wide> T = forward_chain_noinline<true, Wide>(arm_, centre_, at, axes);
            weighted_jacobian<M, 3, Wide>(arm_, axes, T.origin, settings_.length, J);
            weakest<M, 3>(J, u, v);
            for (int side = 0; side < 2; ++side) {
                Wide moved[M];
                for (int j = 0; j < M; ++j)
                    moved[j] = madd(v[j], Wide((side ? -FOLD_PROBE : FOLD_PROBE) * unit(j)), at[j]);
                const Vector3<Wide> e =
                    wanted - forward_chain_noinline<false, Wide>(arm_, centre_, moved, nullptr).origin;
                along[side] = madd(u[0], e.x, madd(u[1], e.y, u[2] * e.z));
            }
            const Wide steps = distance_across_fold(along[0], along[1]);
            for (int i = 0; i < W && first + i < arms; ++i) {
                const double step = lane(steps, i);
                if (!(std::fabs(step) < FOLD_AHEAD)) continue;
                for (int branch = 0; branch < 2; ++branch, ++made) {
                    for (int j = 0; j < M; ++j) out[made * N + j] = lane(at[j], i) + step * lane(v[j], i) * unit(j);
                    std::fill_n(out + made * N + M, 3, 0.0);
                    from[made] = arm[first + i];
                }
            }
        }
        return made;
    }

    void verify(const Pose<double>& target, const double* q, int count, const double* seed,
                const BranchOptions& options, Postures& out) const override {
        whole_.verify(target, q, count, seed, options, out);
    }

    int fold_side(const double* q) const override { return side_of_folds<M, 3>(arm_, centre_, settings_.length, q); }

    void step(const Pose<double>& target, double* q, int count) const override {
        const Reduced at = reduction_.reduced(target);
        const Vector3<double> place = reduction_.centre(at.pose);
        for (int k = 0; k < count; ++k) {
            step_arm<double>(place, SINGLE_STEP_DAMPING, q + k * N);
            reduction_.solve_wrist<double>(at.pose, k % 2 ? -1.0 : 1.0, q + k * N);
        }
    }

    // The first joint rotated to the target's azimuth and one step of all joints, from one forward pass: with the first
    // joint at 0 the target lies in the half plane of the wrist's centre, `distance` from the first axis.
    template <class R> void rotate_and_step(R distance, R height, R azimuth, R* q) const {
        Axis<R> axes[M];
        q[0] = R(0.0);
        const Pose<R> T = forward_chain<true, R>(arm_, centre_, q, axes);
        const Vector3<R>& p = T.origin;
        const R squared = madd(p.x, p.x, p.y * p.y),
                scale = distance / square_root(select(squared > R(0.0), squared, R(1.0)));
        const Vector3<R> e =
            scaled(Vector3<R>{p.x * scale - p.x, p.y * scale - p.y, height - p.z}, R(1.0 / settings_.length));
        R b[3] = {e.x, e.y, e.z}, J[3][M];
        weighted_jacobian<M, 3, R>(arm_, axes, p, settings_.length, J);
        bounded_step<M, 3, R>(arm_, settings_, limits_.lower, limits_.upper, J, b, damping_of(settings_, dot(e, e)), q,
                              q);
        q[0] = q[0] + azimuth - arc_tangent2(p.y, p.x);
    }

    // One step of the joints before the wrist; returns the squared residual before it.
    template <class R> R step_arm(const Vector3<R>& wanted, double more_damping, R* q) const {
        Axis<R> axes[M];
        const Pose<R> T = forward_chain<true, R>(arm_, centre_, q, axes);
        const Vector3<R> e = scaled(wanted - T.origin, R(1.0 / settings_.length));
        const R squared = dot(e, e);
        R b[3] = {e.x, e.y, e.z}, J[3][M];
        weighted_jacobian<M, 3, R>(arm_, axes, T.origin, settings_.length, J);
        const R damping = damping_of(settings_, squared) + R(more_damping);
        bounded_step<M, 3, R>(arm_, settings_, limits_.lower, limits_.upper, J, b, damping, q, q);
        return squared;
    }

  private:
    static constexpr int W = width<Wide>, M = N - 3;
    static constexpr int MOST_ARMS = 256;  // candidates without their wrists
    // Added to the damping of a single step, so that it stays small beside a fold: a few millimetres of an arm of a
    // metre, squared.
    static constexpr double SINGLE_STEP_DAMPING = 5e-6;

    double unit(int j) const { return arm_.joints[std::size_t(j)].kind == Kind::prismatic ? settings_.length : 1.0; }

    // Both branches of the wrist for each arm, duplicates removed, in the order of the candidates.
    int solve_wrists(const Reduced& at, double* q, int arms, int* which) const {
        std::array<int, MOST_ARMS> order, number;
        std::iota(order.begin(), order.begin() + arms, 0);
        std::sort(order.begin(), order.begin() + arms, [&](int a, int b) { return which[a] < which[b]; });
        double rows[MOST_POSTURES][M];
        int kept = 0;
        for (int k = 0; k < arms && kept < MOST_POSTURES; ++k) {
            const double* arm = q + order[std::size_t(k)] * N;
            bool known = false;
            for (int i = 0; i < kept && !known; ++i) known = same_joints(arm_, 2.0 * settings_.length, M, rows[i], arm);
            if (known) continue;
            std::copy_n(arm, M, rows[kept]);
            number[std::size_t(kept++)] = which[order[std::size_t(k)]];
        }
        const Pose<Wide> wanted = broadcast<Wide>(at.pose);
        const int total = 2 * kept;
        for (int from = 0; from < total; from += W) {
            Wide lanes[N], branch;
            for (int i = 0; i < W; ++i) {
                const int k = std::min(from + i, total - 1);
                for (int j = 0; j < M; ++j) set_lane(lanes[j], i, rows[k / 2][j]);
                set_lane(branch, i, k % 2 ? -1.0 : 1.0);
            }
            reduction_.solve_wrist<Wide>(wanted, branch, lanes);
            for (int i = 0; i < W && from + i < total; ++i) {
                for (int j = 0; j < N; ++j) q[(from + i) * N + j] = lane(lanes[j], i);
                which[from + i] = 2 * number[std::size_t((from + i) / 2)] + (from + i) % 2;
            }
        }
        return total;
    }

    const Reduction& reduction_;
    ChainPolish<N> whole_;
    ScalarChain arm_;
    ChainFrame centre_;
    StepSettings settings_;
    Unlimited<M> limits_;
};

}  // namespace limbik::table
