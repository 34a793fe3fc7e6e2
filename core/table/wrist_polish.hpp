// Candidates of a chain that ends in a spherical wrist, made exact: Newton's method brings the wrist's centre to its
// place, three equations instead of six and none of the wrist's singularities among them; then the wrist takes the
// orientation, in closed form.
#pragma once

#include <array>
#include <numeric>

#include "chain_polish.hpp"

namespace limbik::table {

template <int N> class WristPolish final : public Polish {
  public:
    WristPolish(const Reduction& reduction, const ScalarChain& chain, const ChainFrame& frame, const Effort& effort)
        : reduction_(reduction), whole_(chain, frame, effort), arm_(reduction.bare()),
          centre_(reduction.centre_frame()), effort_(effort) {
        arm_.joints.resize(M);
        std::fill_n(upper_, M, std::numeric_limits<double>::infinity());
        std::fill_n(lower_, M, -std::numeric_limits<double>::infinity());
    }

    // Candidates come in pairs, the wrist's two ways; only the joints before the wrist are looked at.
    int correct(const Pose<double>& target, double* q, int count, int* which) const override {
        const Reduced at = reduction_.reduced(target);
        const Vector3<double> place = reduction_.centre(at.pose);
        const Vector3<Wide> wanted = {Wide(place.x), Wide(place.y), Wide(place.z)};
        const int arms = std::min(count / 2, MOST_ARMS);
        Wide lanes[M];
        for (int j = 0; j < M; ++j) lanes[j] = Wide(0.0);
        int kept = 0;
        through_the_lanes(
            arms,
            [&](int i, int arm) {
                for (int j = 0; j < M; ++j) set_lane(lanes[j], i, q[2 * arm * N + j]);
            },
            [&](double* squared, double* facing) {
                store_lanes<W>(stepped<Wide>(wanted, 0.0, lanes), squared);
                std::fill_n(facing, W, 1.0);
            },
            [&](int i, int arm) {  // into the first places of a pair that was taken before
                for (int j = 0; j < M; ++j) q[kept * N + j] = lane(lanes[j], i);
                which[kept++] = arm;
            });
        return turn_wrists(at, q, kept, which);
    }

    int once(double* q, int count, int* which) const override { return whole_.once(q, count, which); }

    // Folds are those of the arm: where the wrist is singular both of its ways are there already.
    int across_folds(const Pose<double>& target, const double* q, int count, double* out, int* from) const override {
        const Vector3<double> place = reduction_.centre(reduction_.reduced(target).pose);
        const Vector3<Wide> wanted = {Wide(place.x), Wide(place.y), Wide(place.z)};
        int arm[MOST_POSTURES], arms = 0,
                                made = 0;  // rows whose arm differs from the row's before: not the wrist's other way
        for (int k = 0; k < count && arms < MOST_POSTURES / 2; ++k)
            if (k == 0 || !std::equal(q + k * N, q + k * N + M, q + (k - 1) * N)) arm[arms++] = k;
        for (int first = 0; first < arms; first += W) {
            Wide at[M], v[M], u[3], felt[2], J[3][M];
            for (int j = 0; j < M; ++j)
                for (int i = 0; i < W; ++i) set_lane(at[j], i, q[arm[std::min(first + i, arms - 1)] * N + j]);
            Axis<Wide> axes[M];
            const Pose<Wide> T = forward_chain_noinline<true, Wide>(arm_, centre_, at, axes);
            weighed_jacobian<M, 3, Wide>(arm_, axes, T.origin, effort_.length, J);
            weakest<M, 3>(J, u, v);
            for (int side = 0; side < 2; ++side) {
                Wide moved[M];
                for (int j = 0; j < M; ++j) moved[j] = madd(v[j], Wide((side ? -FEELER : FEELER) * unit(j)), at[j]);
                const Vector3<Wide> e =
                    wanted - forward_chain_noinline<false, Wide>(arm_, centre_, moved, nullptr).origin;
                felt[side] = madd(u[0], e.x, madd(u[1], e.y, u[2] * e.z));
            }
            const Wide ways = way_across(felt[0], felt[1]);
            for (int i = 0; i < W && first + i < arms; ++i) {
                const double way = lane(ways, i);
                if (!(std::fabs(way) < FOLD_AHEAD)) continue;
                for (int twin = 0; twin < 2; ++twin, ++made) {
                    for (int j = 0; j < M; ++j) out[made * N + j] = lane(at[j], i) + way * lane(v[j], i) * unit(j);
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

    int side(const double* q) const override { return side_of_folds<M, 3>(arm_, centre_, effort_.length, q); }

    void step(const Pose<double>& target, double* q, int count) const override {
        const Reduced at = reduction_.reduced(target);
        const Vector3<double> place = reduction_.centre(at.pose);
        for (int k = 0; k < count; ++k) {
            stepped<double>(place, ONE_STEP, q + k * N);
            reduction_.turn_wrist<double>(at.pose, k % 2 ? -1.0 : 1.0, q + k * N);
        }
    }

    // The first joint turned to the target's side, and one step of all, from one forward pass: where the first joint
    // stands at 0 the target lies behind or before the wrist's centre, `distance` from the first axis.
    template <class R> void turned_and_stepped(R distance, R height, R side, R* q) const {
        Axis<R> axes[M];
        q[0] = R(0.0);
        const Pose<R> T = forward_chain<true, R>(arm_, centre_, q, axes);
        const Vector3<R>& p = T.origin;
        const R squared = madd(p.x, p.x, p.y * p.y),
                scale = distance / square_root(select(squared > R(0.0), squared, R(1.0)));
        const Vector3<R> e =
            scaled(Vector3<R>{p.x * scale - p.x, p.y * scale - p.y, height - p.z}, R(1.0 / effort_.length));
        R b[3] = {e.x, e.y, e.z}, J[3][M];
        weighed_jacobian<M, 3, R>(arm_, axes, p, effort_.length, J);
        bounded_step<M, 3, R>(arm_, effort_, lower_, upper_, J, b, damping_of(effort_, dot(e, e)), q, q);
        q[0] = q[0] + side - arc_tangent2(p.y, p.x);
    }

    // One step of the joints before the wrist; the squared residual where it began.
    template <class R> R stepped(const Vector3<R>& wanted, double more_damping, R* q) const {
        Axis<R> axes[M];
        const Pose<R> T = forward_chain<true, R>(arm_, centre_, q, axes);
        const Vector3<R> e = scaled(wanted - T.origin, R(1.0 / effort_.length));
        const R squared = dot(e, e);
        R b[3] = {e.x, e.y, e.z}, J[3][M];
        weighed_jacobian<M, 3, R>(arm_, axes, T.origin, effort_.length, J);
        const R damping = damping_of(effort_, squared) + R(more_damping);
        bounded_step<M, 3, R>(arm_, effort_, lower_, upper_, J, b, damping, q, q);
        return squared;
    }

  private:
    static constexpr int W = width<Wide>, M = N - 3;
    static constexpr int MOST_ARMS = 256;  // candidates without their wrists
    // Added to the damping of a single step, so that none beside a fold goes astray: a few millimetres of an arm of a
    // metre, squared.
    static constexpr double ONE_STEP = 5e-6;

    double unit(int j) const { return arm_.joints[std::size_t(j)].kind == Kind::prismatic ? effort_.length : 1.0; }

    // Both ways of the wrist for each arm, each arm once, in the order of the candidates.
    int turn_wrists(const Reduced& at, double* q, int arms, int* which) const {
        std::array<int, MOST_ARMS> order, number;
        std::iota(order.begin(), order.begin() + arms, 0);
        std::sort(order.begin(), order.begin() + arms, [&](int a, int b) { return which[a] < which[b]; });
        double rows[MOST_POSTURES][M];
        int kept = 0;
        for (int k = 0; k < arms && kept < MOST_POSTURES; ++k) {
            const double* arm = q + order[std::size_t(k)] * N;
            bool known = false;
            for (int i = 0; i < kept && !known; ++i) known = same_joints(arm_, 2.0 * effort_.length, M, rows[i], arm);
            if (known) continue;
            std::copy_n(arm, M, rows[kept]);
            number[std::size_t(kept++)] = which[order[std::size_t(k)]];
        }
        const Pose<Wide> wanted = broadcast<Wide>(at.pose);
        const int total = 2 * kept;
        for (int from = 0; from < total; from += W) {
            Wide lanes[N], way;
            for (int i = 0; i < W; ++i) {
                const int k = std::min(from + i, total - 1);
                for (int j = 0; j < M; ++j) set_lane(lanes[j], i, rows[k / 2][j]);
                set_lane(way, i, k % 2 ? -1.0 : 1.0);
            }
            reduction_.turn_wrist<Wide>(wanted, way, lanes);
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
    Effort effort_;
    double lower_[M], upper_[M];
};

}  // namespace limbik::table
