// All configurations of a decoupled chain (branches.hpp).
//
// One target: a branch in each lane. Many targets: a target in each lane, one branch after the other. Both do the same
// arithmetic and give the same bits. Special cases (double roots, families, configurations that need corrections) are
// solved one target at a time.
#pragma once

#include "../kinematics/kinematics.hpp"
#include "branch_pack.hpp"
#include "branch_search.hpp"
#include "branches.hpp"
#include "family_member.hpp"
#include "proof.hpp"
#include "swivel_branches.hpp"
#include "swivel_proof.hpp"

namespace limbik::closed_form {

class ChainBranches final : public Branches {
    // The pose error and Jacobian of a configuration of the loop; joints outside the loop have the seed's values.
    auto errors_against(const Pose<double>& target, const double* seed) const {
        return [this, &target, seed](const Loop& loop, const double* q, PostureErrors& out) {
            double all[POSTURE_JOINTS], J[6][POSTURE_JOINTS];
            std::copy_n(seed, n_, all);
            for (int i = 0; i < loop.n; ++i) all[loop.joints[i].index] = q[i];
            Axis<double> axes[POSTURE_JOINTS];
            const Pose<double> T = forward_chain_noinline<true, double>(chain_, frame_, all, axes);
            pose_error(T, target, out.position, out.rotation);
            weighted_jacobian<POSTURE_JOINTS, 6, double>(chain_, axes, T.origin, 1.0, J, n_);
            for (int i = 0; i < loop.n; ++i)
                for (int k = 0; k < 6; ++k) out.J[k][i] = J[k][loop.joints[i].index];
        };
    }

    // Do not search for other members of a family: the list is left open.
    static auto leave_open(Postures& out) {
        return [&out](Posture*, int count) {
            out.open = true;
            return count;
        };
    }

  public:
    ChainBranches(const ScalarChain& chain, int frame, const StepSettings& settings)
        : chain_(chain), frame_(chain.frames[std::size_t(frame)]), n_(int(chain.joints.size())),
          verifier_(chain, frame_), corrections_(chain, frame_, settings), search_(chain, frame_, settings) {}

    void all(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options,
             Postures& out) const override {
        const bool together = form.loop().order == Order::together;
        auto other_members = [&](Posture* found, int count) {
            if (!together) return other_member(corrections_, form, target, seed, options, found, count, out.open);
            out.open = true;
            return count;
        };
        // six joints, the usual number, are known to the compiler
        const auto all_of = [&]<int N>(std::integral_constant<int, N>) {
            with_branches(form, target, seed,
                          [&](const Pose<Wide>& wide_target, int total, const auto& generate) LIMBIK_INLINE_LAMBDA {
                              gather<N>(form.loop(), total, target, wide_target, seed, options, out, generate,
                                        other_members);
                          });
        };
        if (n_ == 6) all_of(std::integral_constant<int, 6>());
        else all_of(std::integral_constant<int, 0>());
    }

    void conclude(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options,
                  Postures& out) const override {
        const auto errors = errors_against(target, seed);
        const int outside = out.outside;
        out.open = false;
        if (!search_.accept(seed, target, seed, options, out.found[0])) {
            out.proof = Prover(form, target, seed, options).prove(outside > 0, errors);
            if (out.proof != Proof::nothing) return;
            out.open = true;
            search_.search(form, target, seed, options, out);
            return;
        }
        out.count = 1, out.outside = 0, out.open = true;
    }

    bool certain(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options,
                 const double* q, const std::vector<bool>& family, double near) const override {
        BranchOptions exact = options;
        exact.tolerances = {0.0, 0.0};
        const Loop& loop = form.loop();
        auto known = [&](const double* root, const double* by) {
            for (std::size_t k = 0; k < family.size(); ++k) {
                bool here = true;
                for (int i = 0; i < loop.n && here; ++i) {
                    const double gap = q[long(k) * n_ + loop.joints[i].index] - root[i];
                    const double apart = loop.joints[i].revolute ? std::fabs(wrap(gap)) : std::fabs(gap) / loop.scale;
                    const double room = loop.joints[i].revolute ? by[i] : by[i] / loop.scale;
                    here = family[k] ? apart <= room + near : apart + room <= near;
                }
                if (here) return true;
            }
            return false;
        };
        return Prover(form, target, seed, exact).certain(errors_against(target, seed), known);
    }

    bool accept(const double* q, const Pose<double>& target, const BranchOptions& options,
                Posture& out) const override {
        return search_.accept(q, target, q, options, out);
    }

    void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                        const BranchOptions& options, NearMisses& out) const override {
        search_.collect_misses(form, target, seed, options, out);
    }
    bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Posture& out) const override {
        return search_.search_from(misses, target, seed, options, out);
    }

    void swivel_branches(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                         const BranchOptions& options, const SwivelChoice* choices, int count,
                         Postures& out) const override {
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const SwivelBranches generate(arm, wide_target, seed, choices, count);
        gather<SWIVEL_JOINTS>(arm.loop(), count, target, wide_target, seed, options, out, generate, leave_open(out));
    }

    void conclude_swivel(const SwivelArm& arm, const Pose<double>& target, const double* seed, double swivel,
                         const BranchOptions& options, Postures& out) const override {
        out.open = true;
        if (search_.accept(seed, target, seed, options, out.found[0])) {
            out.found[0].swivel = swivel;
            out.count = 1, out.outside = 0;
            return;
        }
        double doubt;
        out.proof = SwivelProver(arm, target, options).prove(out.outside > 0, doubt);
        if (out.proof != Proof::nothing) {
            out.open = false;
            return;
        }
        // search at the swivel that was not refuted, then at others around the circle
        for (int number = 0; number < SEARCH_SEEDS; ++number)
            if (search_.search_swivel(arm, target, seed, options, doubt + number * (TURN / SEARCH_SEEDS), out)) return;
    }

    void rows(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, long count,
              const BranchOptions& options, const BranchArrays& out, const std::atomic<bool>& stop) const override {
        constexpr int W = width<Wide>;
        const bool together = form.loop().order == Order::together;
        for (long row = 0; row < count && !stop.load(std::memory_order_relaxed); row += W) {
            const int lanes = int(std::min<long>(W, count - row));
            const auto pack = n_ == 6 ? one_pack<6> : one_pack<0>;
            const unsigned special = together ? ~0u
                                              : pack(verifier_, form, targets + row * 16, seeds + row * seed_stride,
                                                     seed_stride, lanes, options, out.from(row));
            for (int i = 0; i < lanes; ++i) {
                const long at = row + i;
                if ((special >> i & 1) || out.count[at] == 0) {
                    const BranchArrays own = out.from(at);
                    Postures found;
                    const Pose<double> target = load_pose<double>(targets + (row + i) * 16, 1);
                    const double* seed = seeds + (row + i) * seed_stride;
                    all(form, target, seed, options, found);
                    if (found.count == 0) {
                        BranchOptions doubtful = options;
                        if (own.doubt) doubtful.doubt = *own.doubt;
                        conclude(form, target, seed, doubtful, found);
                    }
                    *own.count = found.count, *own.outside = found.outside, *own.open = found.open;
                    if (found.count > own.most) own.overflow->add(own.first, n_, found);
                    for (int k = 0; k < std::min(found.count, own.most); ++k) {
                        std::copy_n(found.found[k].q, n_, own.q + k * n_);
                        own.branch[k] = found.found[k].branch, own.family[k] = found.found[k].family;
                    }
                }
                const long filled = std::min(out.count[at], out.most), rest = out.most - filled,
                           place = at * out.most + filled;
                std::fill_n(out.q + place * n_, rest * n_, std::numeric_limits<double>::quiet_NaN());
                std::fill_n(out.branch + place, rest, -1);
                std::fill_n(out.family + place, rest, std::uint8_t(0));
            }
        }
    }

  private:
    // Verify branches 0 .. total - 1, W at a time, from `generate(first, branch, marks)`. Where the member of a family
    // at the seed is no solution, `other_members` searches for another.
    template <int N, class Generate, class OtherMembers>
    LIMBIK_INLINE void gather(const Loop& layout, int total, const Pose<double>& target, const Pose<Wide>& wide_target,
                              const double* seed, const BranchOptions& options, Postures& out, const Generate& generate,
                              const OtherMembers& other_members) const {
        constexpr int W = width<Wide>;
        const int n = N > 0 ? N : n_;
        Wide seeds[POSTURE_JOINTS];
        for (int j = 0; j < n; ++j) seeds[j] = Wide(seed[j]);
        int found = 0;
        bool special = false, lost = false;
        out.open = out.special = false, out.proof = Proof::nothing;
        for (int first = 0; first < total; first += W) {
            Branch<Wide> branch;
            Mark marks[W];
            generate(first, branch, marks);
            const BranchVerifier::Checked c = verifier_.check(layout, branch, wide_target, seed, seeds, options, n);
            double position[W], rotation[W], gap[W], q[POSTURE_JOINTS][W], inside[W], exists[W], family[W] = {},
                                                                                                 loose[W] = {};
            store_lanes<W>(c.position, position), store_lanes<W>(c.rotation, rotation), store_lanes<W>(branch.gap, gap);
            store_lanes<W>(select(c.inside, Wide(1.0), Wide(0.0)), inside);
            store_lanes<W>(select(branch.exists, Wide(1.0), Wide(0.0)), exists);
            if (any(branch.family | branch.loose)) [[unlikely]] {
                store_lanes<W>(select(branch.family, Wide(1.0), Wide(0.0)), family);
                store_lanes<W>(select(branch.loose, Wide(1.0), Wide(0.0)), loose);
            }
            for (int j = 0; j < n; ++j) store_lanes<W>(c.q[j], q[j]);
            if (out.nearest && any(branch.exists & !c.inside))
                out.special = out.special || verifier_.any_hardly_outside(branch.exists & !c.inside, c.q, options);
            for (int i = 0; i < W && first + i < total; ++i) {
                if (exists[i] == 0.0 || !(position[i] <= ROUGH * layout.scale && rotation[i] <= ROUGH)) {
                    lost = lost || family[i] != 0.0;
                    out.open = out.open || loose[i] != 0.0;
                    continue;
                }
                Posture& p = out.found[found];
                for (int j = 0; j < n; ++j) p.q[j] = q[j][i];
                p.errors = {position[i], rotation[i]};
                p.inside = inside[i] != 0.0, p.family = family[i] != 0.0,
                p.doubled = marks[i].doubled || gap[i] < DOUBLE_ROOT;
                p.branch = marks[i].branch, p.swivel = marks[i].swivel, p.gap = gap[i];
                // a member of a family whose errors are small is not corrected: it keeps the seed's joint value
                const bool fine = p.errors.within(options.fine(layout.scale));
                if (!fine || (gap[i] < NEAR_ROOTS && !p.family)) {
                    special = true;
                    if (!corrections_.correct(layout.scale, target, seed, options, p)) {
                        out.open = out.open || loose[i] != 0.0;
                        continue;
                    }
                }
                if (p.family) {
                    special = true;
                    if (!p.inside && !corrections_.bring_inside(target, seed, options, p)) out.open = true;
                }
                ++found;
            }
        }
        out.special = out.special || special || lost;
        if (lost) [[unlikely]] {
            found = other_members(out.found, found);
            special = true;
        }
        if (special)
            found = without_near_misses(layout.scale, out.found, merged(chain_, layout.scale, out.found, found));
        out.count = inside_first(out.found, found);
        out.outside = found - out.count;
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    const int n_;
    BranchVerifier verifier_;
    Corrections corrections_;
    BranchSearch search_;
};

}  // namespace limbik::closed_form
