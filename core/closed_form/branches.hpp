// All postures of a chain that comes apart: found in closed form, corrected where rounding has bitten, verified, inside
// limits.
//
// One target: its branches stand side by side in the lanes. Many targets: eight of them stand side by side, one branch
// after the other. Both do the same arithmetic, so both give the same bits. What is not ordinary (a double root, a
// family, a posture that needs a correction) is settled one target at a time.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "../kinematics/kinematics.hpp"
#include "corrections.hpp"
#include "decomposition.hpp"
#include "distinct.hpp"
#include "proof.hpp"
#include "rescue.hpp"
#include "swivel_proof.hpp"

namespace limbik::closed_form {

// A start beyond this is no number to go on with [rad or m].
inline constexpr double FARTHEST_START = 1e6;

// Which signs a branch number stands for: the first outer unknown, the second, the group.
struct Signs {
    double first, second, group;
};
inline Signs signs_of(const Loop& loop, int branch) {
    Signs s = {1.0, 1.0, 1.0};
    if (loop.group_roots() == 2) {
        s.group = branch & 1 ? -1.0 : 1.0;
        branch >>= 1;
    }
    if (loop.second_roots() == 2) {
        s.second = branch & 1 ? -1.0 : 1.0;
        branch >>= 1;
    }
    if (loop.first_roots() == 2) s.first = branch & 1 ? -1.0 : 1.0;
    return s;
}

// Rows of a batch with more postures than there are places for: a family or a rescue may add some to those of the
// branches.
class WideRows {
  public:
    struct Row {
        long row;
        std::vector<double> q;  // of all its postures
        std::vector<std::int32_t> branch;
        std::vector<std::uint8_t> family;
    };

    void add(long row, int n, const Postures& found) {
        Row wide{row, {}, {}, {}};
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            wide.q.insert(wide.q.end(), p.q, p.q + n);
            wide.branch.push_back(p.branch), wide.family.push_back(p.family);
        }
        const std::lock_guard lock(mutex_);
        rows_.push_back(std::move(wide));
    }
    const std::vector<Row>& rows() const { return rows_; }

  private:
    std::mutex mutex_;
    std::vector<Row> rows_;
};

// Where the postures of a batch go: `most` places a row, of n numbers each; a row with more has all of its postures in
// `wide`.
struct Places {
    int n, most;
    double* q;
    std::int32_t* branch;
    std::uint8_t* family;
    std::int32_t *count, *outside;  // a row
    std::uint8_t* open;
    WideRows* wide;
    const double* doubt = nullptr;  // of each target, where it has some (BranchOptions)
    long first = 0;                 // the row that the pointers are at

    Places from(long row) const {
        return {n,
                most,
                q + row * most * n,
                branch + row * most,
                family + row * most,
                count + row,
                outside + row,
                open + row,
                wide,
                doubt ? doubt + row : nullptr,
                first + row};
    }
};

class Branches {
  public:
    virtual ~Branches() = default;
    virtual void all(const ClosedForm& form, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Postures& out) const = 0;
    // Nothing was found inside the limits: what is proven, or else what damped steps find.
    virtual void conclude(const ClosedForm& form, const Pose<double>& target, const double* seed,
                          const BranchOptions& options, Postures& out) const = 0;
    // Is every exact root inside the limits within `near` [rad, or parts of the scale] of a listed posture, or in a
    // listed family? N numbers a posture, and whether it is one of a family.
    virtual bool certain(const ClosedForm& form, const Pose<double>& target, const double* seed,
                         const BranchOptions& options, const double* q, const std::vector<bool>& family,
                         double near) const = 0;
    // Is this posture one, once it is inside the limits?
    virtual bool accept(const double* q, const Pose<double>& target, const BranchOptions& options,
                        Posture& out) const = 0;
    // The branches of a form, whatever limits they pass; then damped steps from those that pass them least.
    virtual void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                const BranchOptions& options, NearMisses& out) const = 0;
    virtual bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                             const BranchOptions& options, Posture& out) const = 0;
    virtual void swung(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                       const BranchOptions& options, const SwivelChoice* choices, int count, Postures& out) const = 0;
    virtual void conclude_swung(const SwivelArm& arm, const Pose<double>& target, const double* seed, double swivel,
                                const BranchOptions& options, Postures& out) const = 0;
    // So many targets, 16 numbers each.
    virtual void rows(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, long count,
                      const BranchOptions& options, const Places& out, const std::atomic<bool>& stop) const = 0;
};

template <int N> class ChainBranches final : public Branches {
  public:
    ChainBranches(const ScalarChain& chain, int frame, const Effort& effort)
        : chain_(chain), frame_(chain.frames[std::size_t(frame)]), corrections_(chain, frame_, effort),
          rescue_(chain, frame_, effort) {}

    void all(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options,
             Postures& out) const override {
        const bool together = form.loop().order == Order::together;
        auto rescue = [&](Posture* found, int count) {
            if (!together) return rescued(form, target, seed, options, found, count, out.open);
            out.open = true;
            return count;
        };
        with_branches(form, target, seed,
                      [&](const Pose<Wide>& wide_target, int total, const auto& generate) LIMBIK_INLINE_LAMBDA {
                          gather(form.loop(), total, target, wide_target, seed, options, out, generate, rescue);
                      });
    }

    void conclude(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options,
                  Postures& out) const override {
        const auto errors = errors_against(target, seed);
        const int outside = out.outside;
        out.open = false;
        if (!rescue_.accept(seed, target, seed, options, out.found[0])) {
            out.proof = Prover(form, target, seed, options).prove(outside > 0, errors);
            if (out.proof != Proof::nothing) return;
            out.open = true;
            search(form, target, seed, options, out);
            return;
        }
        mark_rescued(out.found[0], -1);
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
                    const double gap = q[long(k) * N + loop.joints[i].index] - root[i];
                    const double apart =
                        loop.joints[i].turns ? std::fabs(std::remainder(gap, 2.0 * PI)) : std::fabs(gap) / loop.scale;
                    const double room = loop.joints[i].turns ? by[i] : by[i] / loop.scale;
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
        if (!rescue_.accept(q, target, q, options, out)) return false;
        mark_rescued(out, -1);
        return true;
    }

    void collect_misses(const ClosedForm& form, const Pose<double>& target, const double* seed,
                        const BranchOptions& options, NearMisses& out) const override {
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
                    double q[N], outside = 0.0;
                    std::copy_n(seed, N, q);
                    for (int k = 0; k < loop.n; ++k) {
                        const LoopJoint& joint = loop.joints[k];
                        double& x = q[joint.index] = joint.sign * lane(branch.q[k], i);
                        const double low = options.lower[joint.index], high = options.upper[joint.index];
                        const double by =
                            joint.turns ? angle_outside(x, low, high) : std::max(low - x, x - high) / loop.scale;
                        outside = by < outside ? outside : by;
                    }
                    if (outside < FARTHEST_START) out.add(q, N, outside);
                }
            }
        });
    }

    bool search_from(const NearMisses& misses, const Pose<double>& target, const double* seed,
                     const BranchOptions& options, Posture& out) const override {
        Posture found[NearMisses::MOST];
        int which[NearMisses::MOST];
        const int count =
            rescue_.descend(misses.q, misses.count, target, seed, options, found, NearMisses::MOST, which);
        if (count == 0) return false;
        out = found[0];
        mark_rescued(out, -1);
        return true;
    }

    void swung(const SwivelArm& arm, const Pose<double>& target, const double* seed, const BranchOptions& options,
               const SwivelChoice* choices, int count, Postures& out) const override {
        constexpr int W = width<Wide>;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const auto line = arm.line(wide_target);
        Wide wish[SWIVEL_JOINTS];
        for (int i = 0; i < SWIVEL_JOINTS; ++i) wish[i] = Wide(seed[i]);
        auto generate = [&](int first, Branch<Wide>& branch, Mark* marks) {
            double swivel[W], elbow[W], shoulder[W], wrist[W];
            for (int i = 0; i < W; ++i) {
                const SwivelChoice& choice = choices[std::min(first + i, count - 1)];
                swivel[i] = marks[i].swivel = choice.swivel;
                marks[i].branch = choice.branch;
                elbow[i] = choice.branch & 4 ? -1.0 : 1.0;
                shoulder[i] = choice.branch & 2 ? -1.0 : 1.0;
                wrist[i] = choice.branch & 1 ? -1.0 : 1.0;
            }
            const auto p = arm.posture(wide_target, line, load_lanes<W>(swivel), load_lanes<W>(elbow),
                                       load_lanes<W>(shoulder), load_lanes<W>(wrist), wish);
            for (int j = 0; j < SWIVEL_JOINTS; ++j) branch.q[j] = p.q[j];
            branch.exists = p.exists, branch.family = branch.loose = p.family, branch.gap = p.gap;
        };
        gather(arm.layout(), count, target, wide_target, seed, options, out, generate, leave_open(out));
    }

    void conclude_swung(const SwivelArm& arm, const Pose<double>& target, const double* seed, double swivel,
                        const BranchOptions& options, Postures& out) const override {
        if constexpr (N == SWIVEL_JOINTS) {
            out.open = true;
            if (rescue_.accept(seed, target, seed, options, out.found[0])) {
                mark_rescued(out.found[0], -1);
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
            // where it could not be refuted, then at swivels all round
            for (int number = 0; number < RESCUE_SEEDS; ++number)
                if (search_swivel(arm, target, seed, options, doubt + number * (2.0 * PI / RESCUE_SEEDS), out)) return;
        } else {
            (void)arm, (void)target, (void)seed, (void)swivel, (void)options, (void)out;
        }
    }

    void rows(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, long count,
              const BranchOptions& options, const Places& out, const std::atomic<bool>& stop) const override {
        constexpr int W = width<Wide>;
        const bool together = form.loop().order == Order::together;
        for (long row = 0; row < count && !stop.load(std::memory_order_relaxed); row += W) {
            const int lanes = int(std::min<long>(W, count - row));
            bool special[W];
            std::fill_n(special, W, together);
            if (!together)
                one_pack(form, targets + row * 16, seeds + row * seed_stride, seed_stride, lanes, options,
                         out.from(row), special);
            for (int i = 0; i < lanes; ++i) {
                const long at = row + i;
                if (special[i] || out.count[at] == 0) {
                    const Places own = out.from(at);
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
                    if (found.count > own.most) own.wide->add(own.first, N, found);
                    for (int k = 0; k < std::min(found.count, own.most); ++k) {
                        std::copy_n(found.found[k].q, N, own.q + k * N);
                        own.branch[k] = found.found[k].branch, own.family[k] = found.found[k].family;
                    }
                }
                const long filled = std::min(out.count[at], out.most), rest = out.most - filled,
                           place = at * out.most + filled;
                std::fill_n(out.q + place * N, rest * N, std::numeric_limits<double>::quiet_NaN());
                std::fill_n(out.branch + place, rest, -1);
                std::fill_n(out.family + place, rest, std::uint8_t(0));
            }
        }
    }

  private:
    // What a posture of the loop lacks, with joints outside the loop where the seed has them.
    auto errors_against(const Pose<double>& target, const double* seed) const {
        return [this, &target, seed](const Loop& loop, const double* q, PostureErrors& out) {
            double all[N], J[6][N];
            std::copy_n(seed, N, all);
            for (int i = 0; i < loop.n; ++i) all[loop.joints[i].index] = q[i];
            Axis<double> axes[N];
            const Pose<double> T = forward_chain<true, double>(chain_, frame_, all, axes);
            pose_error(T, target, out.position, out.rotation);
            weighed_jacobian<N, 6, double>(chain_, axes, T.origin, 1.0, J);
            for (int i = 0; i < loop.n; ++i)
                for (int k = 0; k < 6; ++k) out.J[k][i] = J[k][loop.joints[i].index];
        };
    }

    // Calls use(target, how many branches there are, what makes a register full of them).
    template <class Use> LIMBIK_INLINE void with_branches(const ClosedForm& form, const Pose<double>& target,
                                                          const double* seed, const Use& use) const {
        constexpr int W = width<Wide>;
        const Loop& loop = form.loop();
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const Opened<Wide> o = form.open(wide_target);
        Wide wish[LOOP_JOINTS];
        for (int i = 0; i < loop.n; ++i) wish[i] = Wide(loop.joints[i].sign * seed[loop.joints[i].index]);
        if (loop.order != Order::together) {
            auto generate = [&](int first, Branch<Wide>& branch, Mark* marks) {
                double s1[W], s2[W], s3[W];
                for (int i = 0; i < W; ++i) {
                    const Signs s = signs_of(loop, first + i);
                    s1[i] = s.first, s2[i] = s.second, s3[i] = s.group;
                    marks[i].branch = first + i;
                }
                const ClosedForm::Outer<Wide> ac = form.outer(o, load_lanes<W>(s1), load_lanes<W>(s2), wish);
                form.split_group(form.reach_group(o, ac, wish, branch), load_lanes<W>(s3), wish, branch);
            };
            return use(wide_target, form.most(), generate);
        }
        double root[MOST_CANDIDATES][4], root_gap[MOST_CANDIDATES];
        int code[MOST_CANDIDATES];
        bool doubled[MOST_CANDIDATES];
        const int total = all_roots(form, target, root, root_gap, code, doubled);
        auto generate = [&](int first, Branch<Wide>& branch, Mark* marks) {
            double r[4][W], gap[W], s3[W];
            for (int i = 0; i < W; ++i) {
                const int k = std::min(first + i, total - 1);
                for (int j = 0; j < 4; ++j) r[j][i] = root[k][j];
                gap[i] = root_gap[k];
                s3[i] = loop.group_roots() == 2 && (code[k] & 1) ? -1.0 : 1.0;
                marks[i].branch = code[k], marks[i].doubled = doubled[k];
            }
            const auto yes = Wide(0.0) == Wide(0.0);
            ClosedForm::Outer<Wide> ac;
            ac.a = {load_lanes<W>(r[0]), load_lanes<W>(r[1]), yes, !yes, !yes, load_lanes<W>(gap)};
            ac.c = {load_lanes<W>(r[2]), load_lanes<W>(r[3]), yes, !yes, !yes, load_lanes<W>(gap)};
            form.split_group(form.reach_group(o, ac, wish, branch), load_lanes<W>(s3), wish, branch);
        };
        use(wide_target, total, generate);
    }

    static void mark_rescued(Posture& p, int branch) {
        p.branch = branch, p.family = false, p.doubled = true, p.inside = true, p.swivel = 0.0, p.gap = 0.0;
    }

    // Damped steps from the branches of the seed, then of others, until some arrive.
    [[gnu::noinline]] void search(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                  const BranchOptions& options, Postures& out) const {
        constexpr int W = width<Wide>;
        const Loop& loop = form.loop();
        for (int number = 0; number < RESCUE_SEEDS; ++number) {
            double from[N];
            if (number == 0) std::copy_n(seed, N, from);
            else rescue_.other_seed(number, options, loop.scale, from);
            double starts[(MOST_CANDIDATES + 1) * N];
            int count = 0, branch_of[MOST_CANDIDATES + 1];
            auto add = [&](const double* q, int branch) {
                for (int j = 0; j < N; ++j)
                    if (!(std::fabs(q[j]) < FARTHEST_START)) return;
                std::copy_n(q, N, starts + count * N);
                branch_of[count++] = branch;
            };
            add(from, -1);
            with_branches(form, target, from, [&](const Pose<Wide>&, int total, const auto& generate) {
                for (int first = 0; first < total; first += W) {
                    Branch<Wide> branch;
                    Mark marks[W];
                    generate(first, branch, marks);
                    for (int i = 0; i < W && first + i < total; ++i) {
                        double q[N];
                        std::copy_n(from, N, q);
                        for (int k = 0; k < loop.n; ++k)
                            q[loop.joints[k].index] = loop.joints[k].sign * lane(branch.q[k], i);
                        add(q, marks[i].branch);
                    }
                }
            });
            int which[MOST_BRANCHES + 1];
            const int found =
                rescue_.descend(starts, count, target, seed, options, out.found, MOST_BRANCHES + 1, which);
            if (found == 0) continue;
            for (int k = 0; k < found; ++k) mark_rescued(out.found[k], branch_of[which[k]]);
            out.count = merged<N>(chain_, loop.scale, out.found, found), out.outside = 0;
            return;
        }
    }

    // Damped steps from every branch at a swivel.
    [[gnu::noinline]] bool search_swivel(const SwivelArm& arm, const Pose<double>& target, const double* seed,
                                         const BranchOptions& options, double swivel, Postures& out) const {
        constexpr int W = width<Wide>;
        const Pose<Wide> wide_target = broadcast<Wide>(target);
        const auto line = arm.line(wide_target);
        Wide wish[SWIVEL_JOINTS];
        for (int i = 0; i < SWIVEL_JOINTS; ++i) wish[i] = Wide(seed[i]);
        double starts[SWIVEL_BRANCHES * N];
        int count = 0, branch_of[SWIVEL_BRANCHES];
        for (int first = 0; first < SWIVEL_BRANCHES; first += W) {
            double elbow[W], shoulder[W], wrist[W];
            for (int i = 0; i < W; ++i) {
                elbow[i] = (first + i) & 4 ? -1.0 : 1.0, shoulder[i] = (first + i) & 2 ? -1.0 : 1.0,
                wrist[i] = (first + i) & 1 ? -1.0 : 1.0;
            }
            const auto p = arm.posture(wide_target, line, Wide(swivel), load_lanes<W>(elbow), load_lanes<W>(shoulder),
                                       load_lanes<W>(wrist), wish);
            for (int i = 0; i < W && first + i < SWIVEL_BRANCHES; ++i) {
                bool good = true;
                for (int j = 0; j < N; ++j)
                    good = good && std::fabs(starts[count * N + j] = lane(p.q[j], i)) < FARTHEST_START;
                if (good) branch_of[count++] = first + i;
            }
        }
        int which[SWIVEL_BRANCHES];
        const int found = rescue_.descend(starts, count, target, seed, options, out.found, SWIVEL_BRANCHES, which);
        for (int k = 0; k < found; ++k) {
            mark_rescued(out.found[k], branch_of[which[k]]);
            out.found[k].swivel = swivel;
        }
        if (found == 0) return false;
        out.count = merged<N>(chain_, arm.layout().scale, out.found, found), out.outside = 0;
        return true;
    }

    // Where nothing looks for other members of a family.
    static auto leave_open(Postures& out) {
        return [&out](Posture*, int count) {
            out.open = true;
            return count;
        };
    }

    struct Checked {
        Wide q[N], position, rotation;
        MaskOf<Wide> inside;
    };

    // Branches 0 .. total - 1, a register full at a time: `generate` makes them and fills in what they are called.
    // Where a family was met whose member next to the seed is no solution, `rescue` looks for another.
    template <class Generate, class Rescue>
    LIMBIK_INLINE void gather(const Loop& layout, int total, const Pose<double>& target, const Pose<Wide>& wide_target,
                              const double* seed, const BranchOptions& options, Postures& out, const Generate& generate,
                              const Rescue& rescue) const {
        constexpr int W = width<Wide>;
        Wide seeds[N];
        for (int j = 0; j < N; ++j) seeds[j] = Wide(seed[j]);
        int found = 0;
        bool special = false, lost = false;
        out.open = out.odd = false, out.proof = Proof::nothing;
        for (int first = 0; first < total; first += W) {
            Branch<Wide> branch;
            Mark marks[W];
            generate(first, branch, marks);
            const Checked c = check(layout, branch, wide_target, seed, seeds, options);
            double position[W], rotation[W], gap[W], q[N][W], inside[W], exists[W], family[W] = {}, loose[W] = {};
            store_lanes<W>(c.position, position), store_lanes<W>(c.rotation, rotation), store_lanes<W>(branch.gap, gap);
            store_lanes<W>(select(c.inside, Wide(1.0), Wide(0.0)), inside);
            store_lanes<W>(select(branch.exists, Wide(1.0), Wide(0.0)), exists);
            if (any(branch.family | branch.loose)) [[unlikely]] {
                store_lanes<W>(select(branch.family, Wide(1.0), Wide(0.0)), family);
                store_lanes<W>(select(branch.loose, Wide(1.0), Wide(0.0)), loose);
            }
            for (int j = 0; j < N; ++j) store_lanes<W>(c.q[j], q[j]);
            if (out.nearest) out.odd = out.odd || any(branch.exists & (!c.inside) & hardly_outside(c.q, options));
            for (int i = 0; i < W && first + i < total; ++i) {
                if (exists[i] == 0.0 || !(position[i] <= ROUGH * layout.scale && rotation[i] <= ROUGH)) {
                    lost = lost || family[i] != 0.0;
                    out.open = out.open || loose[i] != 0.0;
                    continue;
                }
                Posture& p = out.found[found];
                for (int j = 0; j < N; ++j) p.q[j] = q[j][i];
                p.errors = {position[i], rotation[i]};
                p.inside = inside[i] != 0.0, p.family = family[i] != 0.0,
                p.doubled = marks[i].doubled || gap[i] < DOUBLE_ROOT;
                p.branch = marks[i].branch, p.swivel = marks[i].swivel, p.gap = gap[i];
                // a member of a family stays where the seed has it
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
        out.odd = out.odd || special || lost;
        if (lost) [[unlikely]] {
            found = rescue(out.found, found);
            special = true;
        }
        if (special)
            found = without_near_misses(layout.scale, out.found, merged<N>(chain_, layout.scale, out.found, found));
        out.count = inside_first(out.found, found);
        out.outside = found - out.count;
    }

    LIMBIK_INLINE static MaskOf<Wide> hardly_outside(const Wide* q, const BranchOptions& options) {
        auto near = Wide(0.0) == Wide(0.0);
        for (int j = 0; j < N; ++j)
            near = near & (q[j] >= Wide(options.lower[j] - HARDLY_OUTSIDE)) &
                   (q[j] <= Wide(options.upper[j] + HARDLY_OUTSIDE));
        return near;
    }

    // Whole turns and limits, then forward kinematics.
    LIMBIK_INLINE Checked check(const Loop& loop, const Branch<Wide>& branch, const Pose<Wide>& target,
                                const double* seed, const Wide* wish, const BranchOptions& options) const {
        Checked out;
        Travel travel = set_out(loop, seed, out);
        place(loop, 0, loop.n, branch, wish, options, travel, out);
        go_on(travel, frame_.joints);
        arrive(travel, target, out);
        return out;
    }

    // Forward kinematics on its way: what each joint does, and how far the frame has come.
    struct Travel {
        JointMotion<Wide> motion[N];
        Pose<Wide> T;
        int joint;  // the next
    };
    // At the base; a joint that is held stays where the seed has it.
    LIMBIK_INLINE Travel set_out(const Loop& loop, const double* seed, Checked& out) const {
        Travel travel;
        travel.T = broadcast<Wide>(chain_.base), travel.joint = 0;
        out.inside = Wide(0.0) == Wide(0.0);
        for (int j = 0; j < N; ++j) {
            out.q[j] = Wide(seed[j]);
            if (loop.n < N) travel.motion[j] = motion_of(chain_.joints[std::size_t(j)], out.q[j]);
        }
        return travel;
    }
    // Joints begin .. end - 1 of the loop take their values; the sines of three at a time.
    LIMBIK_INLINE void place(const Loop& loop, int begin, int end, const Branch<Wide>& branch, const Wide* wish,
                             const BranchOptions& options, Travel& travel, Checked& out) const {
        for (int i = begin; i < end; ++i) {
            const LoopJoint& joint = loop.joints[i];
            const int j = joint.index;
            const Wide q = joint.sign < 0.0 ? -branch.q[i] : branch.q[i];
            out.q[j] = choose_turn(q, wish[j], joint.turns, options.lower[j], options.upper[j],
                                   joint.turns ? EDGE : EDGE * loop.scale, out.inside);
        }
        auto turns = [&](int i) { return loop.joints[i].turns; };
        int i = begin;
        for (; i + 3 <= end && turns(i) && turns(i + 1) && turns(i + 2); i += 3) {
            const int j[3] = {loop.joints[i].index, loop.joints[i + 1].index, loop.joints[i + 2].index};
            const Wide q[3] = {out.q[j[0]], out.q[j[1]], out.q[j[2]]};
            Wide sine[3], cosine[3];
            sincos<3>(q, sine, cosine);
            for (int k = 0; k < 3; ++k) {
                turn_pair(chain_.joints[std::size_t(j[k])].offset, sine[k], cosine[k]);
                travel.motion[j[k]] = {sine[k], cosine[k]};
            }
        }
        for (; i < end; ++i) {
            const int j = loop.joints[i].index;
            travel.motion[j] = motion_of(chain_.joints[std::size_t(j)], out.q[j]);
        }
    }
    LIMBIK_INLINE void go_on(Travel& travel, int end) const {
        for (; travel.joint < end; ++travel.joint)
            carry<Wide>(chain_, frame_, travel.joint, travel.motion[travel.joint], travel.T, nullptr);
    }
    LIMBIK_INLINE void arrive(Travel& travel, const Pose<Wide>& target, Checked& out) const {
        Pose<Wide>& T = travel.T;
        carry_to_frame(frame_, T);
        // the rotation's sine, its angle to all digits where it passes; half a turn has none and does not
        Vector3<Wide> column[3];
        relative_rotation(target, T, column);
        const Vector3<Wide> vee = {Wide(0.5) * (column[1].z - column[2].y), Wide(0.5) * (column[2].x - column[0].z),
                                   Wide(0.5) * (column[0].y - column[1].x)};
        const auto facing = column[0].x + column[1].y + column[2].z > Wide(1.0);
        const Vector3<Wide> p = target.origin - T.origin;
        out.position = square_root(dot(p, p));
        out.rotation = select(facing, square_root(dot(vee, vee)), Wide(PI));
    }

    // A register full of targets. Rows that are not ordinary are marked special, and what is written for them does not
    // count.
    void one_pack(const ClosedForm& form, const double* targets, const double* seeds, long seed_stride, int count,
                  const BranchOptions& options, const Places& out, bool* special) const {
        constexpr int W = width<Wide>;
        const Loop& loop = form.loop();
        const Pose<Wide> target = load_pose<Wide>(targets, count);
        const Opened<Wide> o = form.open(target);
        Wide wish[LOOP_JOINTS], seed[N];
        if (seed_stride == 0)
            for (int j = 0; j < N; ++j) seed[j] = Wide(seeds[j]);
        else load_rows(seeds, N, count, seed);
        for (int i = 0; i < loop.n; ++i) {
            const LoopJoint& joint = loop.joints[i];
            wish[i] = joint.sign < 0.0 ? -seed[joint.index] : seed[joint.index];
        }
        for (int i = 0; i < count; ++i) out.count[i] = out.outside[i] = 0, out.open[i] = 0;
        const int groups = loop.group_roots(), total = form.most();
        int before = frame_.joints;  // joints of the chain before the group's
        for (int i = loop.first; i < loop.first + loop.size; ++i) before = std::min(before, loop.joints[i].index);
        const Tolerances most = options.fine(loop.scale);
        const Wide fine = Wide(most.position), fine_rotation = Wide(most.rotation);
        Checked c;
        Travel travel = set_out(loop, seeds, c);
        for (int outer = 0; outer < total; outer += groups) {
            const Signs s = signs_of(loop, outer);
            const ClosedForm::Outer<Wide> ac = form.outer(o, Wide(s.first), Wide(s.second), wish);
            if (!any((ac.a.exists & ac.c.exists) | ac.a.family | ac.c.family)) continue;
            Branch<Wide> branch;
            const Pose<Wide> G = form.reach_group(o, ac, wish, branch);
            // what lies before the group is the same for both of its ways
            c.inside = Wide(0.0) == Wide(0.0), travel.T = broadcast<Wide>(chain_.base), travel.joint = 0;
            place(loop, 0, loop.first, branch, seed, options, travel, c);
            place(loop, loop.first + loop.size, loop.n, branch, seed, options, travel, c);
            go_on(travel, before);
            const auto others_inside = c.inside;
            const Pose<Wide> T_base_group = travel.T;
            for (int g = 0; g < groups; ++g) {
                Branch<Wide> own = branch;
                form.split_group(G, Wide(g ? -1.0 : 1.0), wish, own);
                c.inside = others_inside, travel.T = T_base_group, travel.joint = before;
                place(loop, loop.first, loop.first + loop.size, own, seed, options, travel, c);
                go_on(travel, frame_.joints);
                arrive(travel, target, c);
                const auto exact = own.exists & (c.position <= fine) & (c.rotation <= fine_rotation);
                // not exact but perhaps correctable, or one of a pair, or of a family: looked at by itself
                const auto rough = own.exists & (c.position <= Wide(ROUGH * loop.scale)) & (c.rotation <= Wide(ROUGH));
                const auto odd =
                    (rough & ((!exact) | (own.gap < Wide(NEAR_ROOTS)))) | own.family | (own.loose & !exact);
                double take[W], skip[W];
                store_lanes<W>(select(exact, select(c.inside, Wide(1.0), Wide(-1.0)), Wide(0.0)), take);
                if (any(odd)) {
                    store_lanes<W>(select(odd, Wide(1.0), Wide(0.0)), skip);
                    for (int i = 0; i < count; ++i) special[i] = special[i] || skip[i] != 0.0;
                }
                if (!any(exact & c.inside)) {
                    for (int i = 0; i < count; ++i) out.outside[i] += take[i] < 0.0;
                    continue;
                }
                // lane i's numbers, side by side
                double q[W][SIDE_BY_SIDE];
                if constexpr (W == SIDE_BY_SIDE) {
                    Wide block[W];
                    for (int j = 0; j < W; ++j) block[j] = c.q[std::min(j, N - 1)];
                    transpose<W>(block);
                    for (int i = 0; i < W; ++i) store_lanes<W>(block[i], q[i]);
                } else {
                    for (int i = 0; i < W; ++i)
                        for (int j = 0; j < N; ++j) q[i][j] = lane(c.q[j], i);
                }
                for (int i = 0; i < count; ++i) {
                    out.outside[i] += take[i] < 0.0;
                    if (!(take[i] > 0.0)) continue;
                    const long place = long(i) * out.most + out.count[i]++;
                    std::memcpy(out.q + place * N, q[i], sizeof(double) * N);
                    out.branch[place] = outer + g;
                    out.family[place] = 0;
                }
            }
        }
    }

    // A joint of the loop is free, and where the seed has it the group cannot follow. What the group must do swings
    // with the free joint like a cosine; the nearest value at which it can is where that meets its bounds.
    [[gnu::noinline]] int rescued(const ClosedForm& form, const Pose<double>& target, const double* seed,
                                  const BranchOptions& options, Posture* found, int count, bool& open) const {
        const Loop& loop = form.loop();
        if (!form.can_measure()) {
            open = true;
            return count;
        }
        const Opened<double> o = form.open(target);
        double wish[LOOP_JOINTS];
        for (int i = 0; i < loop.n; ++i) wish[i] = loop.joints[i].sign * seed[loop.joints[i].index];
        for (int code = 0; code < form.most() && count < MOST_POSTURES; ++code) {
            const Signs s = signs_of(loop, code);
            const auto ac = form.outer(o, s.first, s.second, wish);
            if (!(ac.a.exists && ac.c.exists)) continue;
            Branch<double> branch;
            const double here = form.measure(form.reach_group(o, ac, wish, branch));
            if (!branch.family || std::fabs(here) <= 1.0) continue;
            const int free = ac.a.free   ? loop.outer[0]
                             : ac.c.free ? loop.outer[2]
                                         : loop.outer[loop.count >= 2 ? 1 : 0];
            if (!loop.joints[free].turns) continue;
            auto at = [&](double angle) {
                double moved[LOOP_JOINTS];
                std::copy_n(wish, LOOP_JOINTS, moved);
                moved[free] = angle;
                return form.measure(form.reach_group(o, form.outer(o, s.first, s.second, moved), moved, branch));
            };
            const double v0 = at(0.0), v1 = at(0.5 * PI), v2 = at(PI);
            const double middle = 0.5 * (v0 + v2), a = 0.5 * (v0 - v2), b = v1 - middle, rho2 = a * a + b * b;
            double best = 0.0, best_gap = 4.0 * PI;
            for (const double bound : {1.0, -1.0})
                for (const double sign : {1.0, -1.0}) {
                    const double d = bound - middle, disc = rho2 - d * d;
                    if (disc < 0.0 || rho2 == 0.0) continue;
                    const double root = sign * std::sqrt(disc), edge = std::atan2(b * d + a * root, a * d - b * root);
                    for (const double inward : {INSIDE_FAMILY, -INSIDE_FAMILY, 0.0}) {
                        const double gap = std::fabs(std::remainder(edge + inward - wish[free], 2.0 * PI));
                        if (gap < best_gap && std::fabs(at(edge + inward)) <= 1.0) best = edge + inward, best_gap = gap;
                    }
                }
            if (best_gap > 2.0 * PI) continue;
            double moved[LOOP_JOINTS];
            std::copy_n(wish, LOOP_JOINTS, moved);
            moved[free] = best;
            form.split_group(form.reach_group(o, form.outer(o, s.first, s.second, moved), moved, branch), s.group,
                             moved, branch);
            Posture& p = found[count];
            for (int i = 0; i < loop.n; ++i) p.q[loop.joints[i].index] = loop.joints[i].sign * branch.q[i];
            p.branch = code, p.family = true, p.doubled = false, p.swivel = 0.0, p.gap = 1.0;
            if (branch.exists && corrections_.correct(loop.scale, target, seed, options, p)) ++count;
        }
        return count;
    }

    // Every pair of outer roots with both signs of the group, in the order of their branch numbers.
    int all_roots(const ClosedForm& form, const Pose<double>& target, double root[MOST_CANDIDATES][4], double* gap,
                  int* code, bool* doubled) const {
        const Loop& loop = form.loop();
        const Opened<double> o = form.open(target);
        double roots[CIRCLE_ROOTS][4];
        const int count = form.together(o, roots);
        int total = 0;
        for (const double wanted : {1.0, -1.0})
            for (int k = 0; k < count; ++k) {
                const Crossing crossing = form.crossing(o, roots[k]);
                if (crossing.sign != wanted) continue;
                for (int g = 0; g < loop.group_roots(); ++g) {
                    std::copy_n(roots[k], 4, root[total]);
                    gap[total] = crossing.square, doubled[total] = crossing.steep < DOUBLE_ROOT;
                    code[total++] = (crossing.sign < 0.0 && loop.first_roots() > 1 ? loop.group_roots() : 0) + g;
                }
            }
        return total;
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    Corrections<N> corrections_;
    Rescue<N> rescue_;
};

inline std::unique_ptr<Branches> make_branches(const ScalarChain& chain, int n, int frame, const Effort& effort) {
    switch (n) {
        case 1: return std::make_unique<ChainBranches<1>>(chain, frame, effort);
        case 2: return std::make_unique<ChainBranches<2>>(chain, frame, effort);
        case 3: return std::make_unique<ChainBranches<3>>(chain, frame, effort);
        case 4: return std::make_unique<ChainBranches<4>>(chain, frame, effort);
        case 5: return std::make_unique<ChainBranches<5>>(chain, frame, effort);
        case 6: return std::make_unique<ChainBranches<6>>(chain, frame, effort);
        case 7: return std::make_unique<ChainBranches<7>>(chain, frame, effort);
        default: return nullptr;
    }
}

}  // namespace limbik::closed_form
