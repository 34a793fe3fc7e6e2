// Candidates of a chain corrected by Newton's method in the lanes, then verified.
//
// Steps are those of Levenberg and Marquardt without limits; limits are checked when a root is found. A lane whose
// candidate has converged or failed takes the next one.
#pragma once

#include "../closed_form/distinct.hpp"
#include "../iterative/fold.hpp"
#include "../iterative/solver.hpp"
#include "polish.hpp"

namespace limbik::table {

// A residual below this is one step from the last digit: this step is the last [squared].
inline constexpr double CONVERGED_SQUARED = 1e-14;
// A candidate whose residual is still above this after so many steps has failed [squared].
inline constexpr int GIVE_UP_STEPS = 5;
inline constexpr double GIVE_UP_SQUARED = 1e-2;
// Near a singular configuration a root may be found several times, up to this apart [rad, or parts of the scale].
inline constexpr double SAME_ROOT = 1e-3;

// Run candidates through the lanes: each takes steps until it converges or fails, then its lane takes the next one.
// take(lane, candidate) loads one, step(squared, facing) takes a step in every lane, keep(lane, candidate) stores one
// that has converged.
template <class Take, class Step, class Keep>
LIMBIK_INLINE void run_in_lanes(int count, const Take& take, const Step& step, const Keep& keep) {
    constexpr int W = width<Wide>;
    int at[W], steps[W];  // the candidate in each lane, -1 for none
    int next = 0, busy = 0;
    const auto begin = [&](int i) {
        at[i] = next < count ? next++ : -1;
        steps[i] = 0;
        if (at[i] < 0) return;
        ++busy;
        take(i, at[i]);
    };
    for (int i = 0; i < W; ++i) begin(i);
    while (busy > 0) {
        double squared[W], facing[W];
        step(squared, facing);
        for (int i = 0; i < W; ++i) {
            if (at[i] < 0) continue;
            ++steps[i];
            const bool converged = squared[i] < CONVERGED_SQUARED && facing[i] > 0.0;
            const bool failed =
                steps[i] == POLISH_STEPS || (steps[i] >= GIVE_UP_STEPS && !(squared[i] < GIVE_UP_SQUARED));
            if (!converged && !failed) continue;
            if (converged || squared[i] < ONE_STEP_AWAY) keep(i, at[i]);
            --busy;
            begin(i);
        }
    }
}

// Whether the first joints of two configurations are equal up to 2-pi copies. Prismatic joints count by the scale.
inline bool same_joints(const ScalarChain& chain, double scale, int count, const double* a, const double* b) {
    for (int j = 0; j < count; ++j) {
        const bool revolute = chain.joints[std::size_t(j)].kind == Kind::revolute;
        double gap = b[j] - a[j];
        gap = revolute ? quick_wrap(gap) : gap / scale;
        if (!(std::fabs(gap) <= SAME_POSTURE)) return false;
    }
    return true;
}

// Bounds of N joints that bound nothing.
template <int N> struct Unlimited {
    double lower[N], upper[N];

    Unlimited() {
        std::fill_n(upper, N, std::numeric_limits<double>::infinity());
        std::fill_n(lower, N, -std::numeric_limits<double>::infinity());
    }
};

template <int N> class ChainPolish final : public Polish {
  public:
    ChainPolish(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings)
        : chain_(chain), frame_(frame), settings_(settings) {}

    int correct(const Pose<double>& target, double* q, int count, int* which) const override {
        const Pose<Wide> wanted = broadcast<Wide>(target);
        Wide lanes[N];
        for (int j = 0; j < N; ++j) lanes[j] = Wide(0.0);
        int kept = 0;
        run_in_lanes(
            count,
            [&](int i, int candidate) {
                for (int j = 0; j < N; ++j) set_lane(lanes[j], i, q[candidate * N + j]);
            },
            [&](double* squared, double* facing) {
                const Residual<Wide> e =
                    damped_step<N, Wide>(chain_, frame_, settings_, limits_.lower, limits_.upper, wanted, lanes);
                store_lanes<W>(e.squared, squared), store_lanes<W>(e.facing, facing);
            },
            [&](int i, int candidate) {  // into the place of a candidate that was loaded before
                for (int j = 0; j < N; ++j) q[kept * N + j] = lane(lanes[j], i);
                which[kept++] = candidate;
            });
        sort_by_candidate(q, which, kept);
        return kept;
    }

    int distinct(double* q, int count, int* which) const override {
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            bool known = false;
            for (int i = 0; i < kept && !known; ++i)
                known = same_joints(chain_, 2.0 * settings_.length, N, q + i * N, q + k * N);
            if (known) continue;
            if (kept != k) std::copy_n(q + k * N, N, q + kept * N), which[kept] = which[k];
            ++kept;
        }
        return kept;
    }

    int across_folds(const Pose<double>& target, const double* q, int count, double* out, int* from) const override {
        const Pose<Wide> wanted = broadcast<Wide>(target);
        int made = 0;
        for (int first = 0; first < count; first += W) {
            Wide at[N], v[N], u[6], ahead[N], behind[N];
            for (int j = 0; j < N; ++j)
                for (int i = 0; i < W; ++i) set_lane(at[j], i, q[std::min(first + i, count - 1) * N + j]);
            weakest_at(at, u, v);
            for (int j = 0; j < N; ++j)
                ahead[j] = madd(v[j], Wide(FOLD_PROBE * unit(j)), at[j]),
                behind[j] = nmadd(v[j], Wide(FOLD_PROBE * unit(j)), at[j]);
            const Wide f = across(wanted, u, ahead), g = across(wanted, u, behind);
            const Wide steps = distance_across_fold(f, g);
            for (int i = 0; i < W && first + i < count; ++i) {
                const double step = lane(steps, i);
                if (!(std::fabs(step) < FOLD_AHEAD)) continue;
                for (int j = 0; j < N; ++j) out[made * N + j] = lane(at[j], i) + step * lane(v[j], i) * unit(j);
                from[made++] = first + i;
            }
        }
        return made;
    }

    void verify(const Pose<double>& target, const double* q, int count, const double* seed,
                const BranchOptions& options, Postures& out) const override {
        const double scale = 2.0 * settings_.length;
        const Pose<Wide> wanted = broadcast<Wide>(target);
        int kept = 0;
        for (int from = 0; from < count && kept < MOST_POSTURES; from += W) {
            Wide lanes[N];
            for (int j = 0; j < N; ++j)
                for (int i = 0; i < W; ++i) set_lane(lanes[j], i, q[std::min(from + i, count - 1) * N + j]);
            auto inside = lanes[0] == lanes[0];
            for (int j = 0; j < N; ++j) {
                const bool revolute = chain_.joints[std::size_t(j)].kind == Kind::revolute;
                const double edge = revolute ? EDGE : EDGE * scale;
                lanes[j] =
                    nearest_copy(lanes[j], Wide(seed[j]), revolute, options.lower[j], options.upper[j], edge, inside);
            }
            const Pose<Wide> T = forward_chain_noinline<false, Wide>(chain_, frame_, lanes, nullptr);
            Vector3<Wide> p, w;
            pose_error(T, wanted, p, w);
            const Wide position = square_root(dot(p, p)), rotation = square_root(dot(w, w)),
                       in = select(inside, Wide(1.0), Wide(0.0));
            for (int i = 0; i < W && from + i < count && kept < MOST_POSTURES; ++i) {
                const Errors errors = {lane(position, i), lane(rotation, i)};
                if (!errors.within(options.tolerances)) continue;
                Posture& found = out.found[kept++];
                for (int j = 0; j < N; ++j) found.q[j] = lane(lanes[j], i);
                found.errors = errors;
                found.swivel = 0.0, found.gap = 1.0, found.branch = -1;
                found.family = found.doubled = false, found.inside = lane(in, i) > 0.0;
            }
        }
        kept = merged(chain_, scale, out.found, kept);
        for (int k = 0; k < kept; ++k)
            out.found[k].doubled = false;  // two candidates at one root do not make it a double root
        kept = joined(scale, out.found, kept,
                      [&](const Posture& a, const Posture& b) { return are_one(target, scale, options, a, b); });
        kept = without_near_misses(scale, out.found, kept);
        out.count = inside_first(out.found, kept), out.outside = kept - out.count;
        out.open = true;  // a table may miss solutions
    }

    int fold_side(const double* q) const override { return side_of_folds<N, 6>(chain_, frame_, settings_.length, q); }

    void step(const Pose<double>& target, double* q, int count) const override {
        for (int k = 0; k < count; ++k) {
            double one[N];
            std::copy_n(q + k * N, N, one);
            damped_step<N, double>(chain_, frame_, settings_, limits_.lower, limits_.upper, target, one);
            std::copy_n(one, N, q + k * N);
        }
    }

  private:
    static constexpr int W = width<Wide>;

    double unit(int j) const { return chain_.joints[std::size_t(j)].kind == Kind::prismatic ? settings_.length : 1.0; }

    void weakest_at(const Wide q[N], Wide u[6], Wide v[N]) const {
        Axis<Wide> axes[N];
        const Pose<Wide> T = forward_chain_noinline<true, Wide>(chain_, frame_, q, axes);
        Wide J[6][N];
        weighted_jacobian<N, 6, Wide>(chain_, axes, T.origin, settings_.length, J);
        weakest<N, 6>(J, u, v);
    }
    // The component of the residual along u.
    Wide across(const Pose<Wide>& wanted, const Wide u[6], const Wide moved[N]) const {
        Wide q[N];
        for (int j = 0; j < N; ++j) q[j] = moved[j];
        const Residual<Wide> e =
            residual(forward_chain_noinline<false, Wide>(chain_, frame_, q, nullptr), wanted, settings_.length);
        const Wide b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
        Wide sum = u[0] * b[0];
        for (int k = 1; k < 6; ++k) sum = madd(u[k], b[k], sum);
        return sum;
    }

    // Lanes finish in an order that depends on their number; sorted by candidate the result is the same on every
    // machine.
    static void sort_by_candidate(double* q, int* which, int count) {
        for (int k = 1; k < count; ++k)
            for (int i = k; i > 0 && which[i - 1] > which[i]; --i) {
                std::swap(which[i - 1], which[i]);
                std::swap_ranges(q + i * N, q + (i + 1) * N, q + (i - 1) * N);
            }
    }

    // Two configurations with a solution halfway between them are one root.
    bool are_one(const Pose<double>& target, double scale, const BranchOptions& options, const Posture& a,
                 const Posture& b) const {
        double between[N];
        for (int j = 0; j < N; ++j) {
            const bool revolute = chain_.joints[std::size_t(j)].kind == Kind::revolute;
            const double gap = revolute ? wrap(b.q[j] - a.q[j]) : b.q[j] - a.q[j];
            if (std::fabs(revolute ? gap : gap / scale) > SAME_ROOT) return false;
            between[j] = a.q[j] + 0.5 * gap;
        }
        return chain_errors(chain_, frame_, between, target).within(options.tolerances);
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    StepSettings settings_;
    Unlimited<N> limits_;
};

}  // namespace limbik::table
