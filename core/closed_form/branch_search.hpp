// Searches by damped least-squares steps (damped_descent.hpp) that start at the branches of a closed form, for targets
// at which no branch is verified.
#pragma once

#include "branch_generator.hpp"
#include "damped_descent.hpp"
#include "distinct.hpp"
#include "swivel_branches.hpp"

namespace limbik::closed_form {

// Starts beyond this are not used [rad or m].
inline constexpr double FARTHEST_START = 1e6;

// A configuration found by damped steps counts as a double root, since nothing is known about its gap.
inline void mark_searched(Posture& p, int branch) {
    p.branch = branch, p.family = false, p.doubled = true, p.inside = true, p.swivel = 0.0, p.gap = 0.0;
}

class BranchSearch {
  public:
    BranchSearch(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings)
        : chain_(chain), descent_(chain, frame, settings), n_(int(chain.joints.size())) {}

    // Verify a configuration after it is normalised to the limits.
    bool accept(const double* q, const Pose<double>& target, const double* seed, const BranchOptions& options,
                Posture& out) const {
        if (!descent_.accept(q, target, seed, options, out)) return false;
        mark_searched(out, -1);
        return true;
    }

    // Damped steps from the seed and the branches for it, then from other seeds and theirs, until some converge.
    [[gnu::noinline]] void search(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                  const BranchOptions& options, Postures& out) const {
        constexpr int W = width<Wide>;
        const Loop& loop = form.loop();
        for (int number = 0; number < SEARCH_SEEDS; ++number) {
            double from[POSTURE_JOINTS];
            if (number == 0) std::copy_n(seed, n_, from);
            else descent_.other_seed(number, options, loop.scale, from);
            double starts[(MOST_CANDIDATES + 1) * POSTURE_JOINTS];
            int count = 0, branch_of[MOST_CANDIDATES + 1];
            auto add = [&](const double* q, int branch) {
                for (int j = 0; j < n_; ++j)
                    if (!(std::fabs(q[j]) < FARTHEST_START)) return;
                std::copy_n(q, n_, starts + count * n_);
                branch_of[count++] = branch;
            };
            add(from, -1);
            with_branches(form, target, from, [&](const Pose<Wide>&, int total, const auto& generate) {
                for (int first = 0; first < total; first += W) {
                    Branch<Wide> branch;
                    Mark marks[W];
                    generate(first, branch, marks);
                    for (int i = 0; i < W && first + i < total; ++i) {
                        double q[POSTURE_JOINTS];
                        std::copy_n(from, n_, q);
                        for (int k = 0; k < loop.n; ++k)
                            q[loop.joints[k].index] = loop.joints[k].sign * lane(branch.q[k], i);
                        add(q, marks[i].branch);
                    }
                }
            });
            int which[MOST_BRANCHES + 1];
            const int found =
                descent_.descend(starts, count, target, seed, options, out.found, MOST_BRANCHES + 1, which);
            if (found == 0) continue;
            for (int k = 0; k < found; ++k) mark_searched(out.found[k], branch_of[which[k]]);
            out.count = merged(chain_, loop.scale, out.found, found), out.outside = 0;
            return;
        }
    }

    // Damped steps from every branch at a swivel.
    [[gnu::noinline]] bool search_swivel(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                                         const BranchOptions& options, double swivel, Postures& out) const {
        constexpr int W = width<Wide>;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        SwivelChoice choices[SWIVEL_BRANCHES];
        for (int k = 0; k < SWIVEL_BRANCHES; ++k) choices[k] = {k, swivel};
        const SwivelBranches generate(arm, wide_target, seed, choices, SWIVEL_BRANCHES);
        double starts[SWIVEL_BRANCHES * POSTURE_JOINTS];
        int count = 0, branch_of[SWIVEL_BRANCHES];
        for (int first = 0; first < SWIVEL_BRANCHES; first += W) {
            Branch<Wide> branch;
            Mark marks[W];
            generate(first, branch, marks);
            for (int i = 0; i < W && first + i < SWIVEL_BRANCHES; ++i) {
                bool good = true;
                for (int j = 0; j < n_; ++j)
                    good = good && std::fabs(starts[count * n_ + j] = lane(branch.q[j], i)) < FARTHEST_START;
                if (good) branch_of[count++] = first + i;
            }
        }
        int which[SWIVEL_BRANCHES];
        const int found = descent_.descend(starts, count, target, seed, options, out.found, SWIVEL_BRANCHES, which);
        for (int k = 0; k < found; ++k) {
            mark_searched(out.found[k], branch_of[which[k]]);
            out.found[k].swivel = swivel;
        }
        if (found == 0) return false;
        out.count = merged(chain_, arm.loop().scale, out.found, found), out.outside = 0;
        return true;
    }

    // Collect the branches of a form that violate their limits least.
    void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                        const BranchOptions& options, NearMisses& out) const {
        constexpr int W = width<Wide>;
        const Loop& loop = form.loop();
        with_branches(form, target, seed, [&](const Pose<Wide>&, int total, const auto& generate) {
            for (int first = 0; first < total; first += W) {
                Branch<Wide> branch;
                Mark marks[W];
                generate(first, branch, marks);
                double exists[W];
                store_lanes<W>(select(branch.exists, Wide(1.0), Wide(0.0)), exists);
                for (int i = 0; i < W && first + i < total; ++i) {
                    if (exists[i] == 0.0) continue;
                    double q[POSTURE_JOINTS], outside = 0.0;
                    std::copy_n(seed, n_, q);
                    for (int k = 0; k < loop.n; ++k) {
                        const LoopJoint& joint = loop.joints[k];
                        double& x = q[joint.index] = joint.sign * lane(branch.q[k], i);
                        const double low = options.lower[joint.index], high = options.upper[joint.index];
                        const double by =
                            joint.revolute ? angle_outside(x, low, high) : std::max(low - x, x - high) / loop.scale;
                        if (outside < by || by != by) outside = by;  // NaN stays, and is no start
                    }
                    if (outside < FARTHEST_START) out.add(q, n_, outside);
                }
            }
        });
    }
    // Take damped steps from the collected branches.
    bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Posture& out) const {
        Posture found[NearMisses::MOST];
        int which[NearMisses::MOST];
        const int count =
            descent_.descend(misses.q, misses.count, target, seed, options, found, NearMisses::MOST, which);
        if (count == 0) return false;
        out = found[0];
        mark_searched(out, -1);
        return true;
    }

  private:
    const ScalarChain& chain_;
    DampedDescent descent_;
    int n_;
};

}  // namespace limbik::closed_form
