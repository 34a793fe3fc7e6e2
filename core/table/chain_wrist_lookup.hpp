// Batches of targets of a chain with a spherical wrist: the models of a table, a step or two of Newton's method, the
// wrist in closed form, and a check of the error. The lanes hold different targets, one sheet after the other.
#pragma once

#include "wrist_lookup.hpp"
#include "wrist_polish.hpp"

namespace limbik::table {

template <int N> class ChainWristLookup final : public WristLookup {
  public:
    ChainWristLookup(const Reduction& reduction, const PostureModels& models, const WristPolish<N>& polish)
        : reduction_(reduction), models_(models), polish_(polish) {}

    void rows(const double* targets, long count, int steps, double tolerance, const BranchOptions& options,
              const double* seed, LookupResult& out) const override {
        *out.begin++ = 0;
        for (long first = 0; first < count; first += W)
            block(targets + first * 16, int(std::min<long>(W, count - first)), steps, tolerance, options, seed, out);
    }

  private:
    static constexpr int W = width<Wide>, M = N - 3;

    struct Place {
        Pose<Wide> pose;
        Vector3<Wide> centre;
        Wide azimuth, distance, terms[MOST_TREE_TERMS];
        long begin[W];
        int sheets[W], most = 0;
    };

    void block(const double* targets, int count, int steps, double tolerance, const BranchOptions& options,
               const double* seed, LookupResult& out) const {
        Place at;
        place(targets, count, at);
        double q[2][N][W], error[W], inside[2][W];
        // by target, then by sheet: a lane's results wait for the other sheets
        double kept_q[W][MOST_LOOKUPS][N], kept_error[W][MOST_LOOKUPS];
        int kept[W] = {};
        for (int sheet = 0; sheet < at.most; ++sheet) {
            Wide lanes[N];
            evaluate(at, sheet, lanes);
            int step = 0;
            if (reduction_.revolute_first() && steps > 0)
                polish_.rotate_and_step(at.distance, at.centre.z, at.azimuth, lanes), ++step;
            else reduction_.rotate_to_azimuth<Wide>(at.azimuth, lanes);
            for (; step < steps; ++step) polish_.step_arm(at.centre, 0.0, lanes);
            const Pose<Wide> T = reduction_.before_wrist<Wide>(lanes);
            const Vector3<Wide> off = reduction_.centre_of(T) - at.centre;
            store_lanes<W>(square_root(dot(off, off)), error);
            auto arm_fits = lanes[0] == lanes[0];
            const auto wrapped = [&](int j, auto& fits) {
                const bool revolute = j >= M || reduction_.bare().joints[std::size_t(j)].kind == Kind::revolute;
                return nearest_copy(lanes[j], Wide(seed[j]), revolute, options.lower[j], options.upper[j], 0.0, fits);
            };
            for (int j = 0; j < M; ++j) store_lanes<W>(wrapped(j, arm_fits), q[0][j]);
            for (int branch = 0; branch < 2; ++branch) {
                if (branch == 1 && reduction_.can_flip_wrist()) reduction_.flip_wrist<Wide>(lanes);
                else reduction_.solve_wrist_from<Wide>(T, at.pose, Wide(branch ? -1.0 : 1.0), lanes);
                auto fits = arm_fits;
                for (int j = M; j < N; ++j) store_lanes<W>(wrapped(j, fits), q[branch][j]);
                store_lanes<W>(select(fits, Wide(1.0), Wide(0.0)), inside[branch]);
            }
            for (int i = 0; i < count; ++i) {
                if (sheet >= at.sheets[i] || !(error[i] <= tolerance)) continue;
                for (int branch = 0; branch < 2; ++branch) {
                    if (inside[branch][i] == 0.0 || kept[i] == MOST_LOOKUPS) continue;
                    for (int j = 0; j < M; ++j) kept_q[i][kept[i]][j] = q[0][j][i];
                    for (int j = M; j < N; ++j) kept_q[i][kept[i]][j] = q[branch][j][i];
                    kept_error[i][kept[i]++] = error[i];
                }
            }
        }
        for (int i = 0; i < count; ++i) {
            std::copy_n(kept_q[i][0], kept[i] * N, out.q + out.total * N);
            std::copy_n(kept_error[i], kept[i], out.error + out.total);
            out.total += kept[i];
            *out.begin++ = out.total;
        }
    }

    void place(const double* targets, int count, Place& at) const {
        at.pose = reduction_.last_frame(load_pose<Wide>(targets, count));
        at.centre = reduction_.centre(at.pose);
        const CellTree& tree = models_.tree;
        Wide numbers[3];
        if (reduction_.revolute_first()) {
            numbers[0] = square_root(madd(at.centre.x, at.centre.x, at.centre.y * at.centre.y)),
            numbers[1] = at.centre.z;
            at.azimuth = arc_tangent2(at.centre.y, at.centre.x), at.distance = numbers[0];
        } else {
            numbers[0] = at.centre.x, numbers[1] = at.centre.y, numbers[2] = at.centre.z;
            at.azimuth = at.distance = Wide(0.0);
        }
        double inside[CellTree::MOST_NUMBERS][W];
        for (int i = 0; i < W; ++i) {
            double point[CellTree::MOST_NUMBERS], local[CellTree::MOST_NUMBERS];
            for (int k = 0; k < tree.numbers; ++k) point[k] = lane(numbers[k], i);
            const long leaf = tree.leaf(point, local);
            for (int k = 0; k < tree.numbers; ++k) inside[k][i] = std::fmin(std::fmax(local[k], -1.0), 1.0);
            at.begin[i] = models_.begin[leaf];
            at.sheets[i] = i < count ? int(models_.begin[leaf + 1] - models_.begin[leaf]) : 0;
            at.most = std::max(at.most, at.sheets[i]);
        }
        int term = 0;
        at.terms[term++] = Wide(1.0);
        Wide x[CellTree::MOST_NUMBERS];
        for (int k = 0; k < tree.numbers; ++k) x[k] = load_lanes<W>(inside[k]);
        if (models_.order >= 1)
            for (int k = 0; k < tree.numbers; ++k) at.terms[term++] = x[k];
        if (models_.order >= 2)
            for (int k = 0; k < tree.numbers; ++k)
                for (int j = 0; j <= k; ++j) at.terms[term++] = x[k] * x[j];
    }

    // The inner joints on one sheet of each target; lanes without such a sheet repeat their last.
    void evaluate(const Place& at, int sheet, Wide* q) const {
        const int terms = terms_of(models_.tree.numbers, models_.order), inner = reduction_.inner();
        const float* model[W];
        for (int i = 0; i < W; ++i) {
            const int own = std::max(0, std::min(sheet, at.sheets[i] - 1));
            model[i] = at.sheets[i] > 0 ? models_.models + (at.begin[i] + own) * inner * terms : models_.models;
        }
        for (int j = 0; j < inner; ++j) {
            Wide x = Wide(0.0);
            for (int t = 0; t < terms; ++t) {
                double c[W];
                for (int i = 0; i < W; ++i) c[i] = double(model[i][j * terms + t]);
                x = madd(load_lanes<W>(c), at.terms[t], x);
            }
            q[reduction_.first() + j] = x;
        }
    }

    const Reduction& reduction_;
    PostureModels models_;
    const WristPolish<N>& polish_;
};

}  // namespace limbik::table
