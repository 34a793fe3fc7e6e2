// The branches of W targets, a target in each lane, one branch after the other.
#pragma once

#include <bit>
#include <cstring>

#include "branch_arrays.hpp"
#include "branch_generator.hpp"
#include "branch_verifier.hpp"

namespace limbik::closed_form {

// Copy joint values; six, the usual number, without a call.
LIMBIK_INLINE void copy_joints(const double* from, int n, double* to) {
    if (n == 6) std::memcpy(to, from, 6 * sizeof(double));
    else std::memcpy(to, from, std::size_t(n) * sizeof(double));
}

// All branches of W targets. Returns the rows with special cases, a bit each; what is written for those is invalid. N:
// the number of joints where the compiler knows it, else 0.
template <int N> unsigned one_pack(const BranchVerifier& verifier, const ClosedForm& form, const double* targets,
                                   const double* seeds, long seed_stride, int count, const BranchOptions& options,
                                   const BranchArrays& out) {
    constexpr int W = width<Wide>;
    const int n = N > 0 ? N : verifier.size;
    const Loop& loop = form.loop();
    const Pose<Wide> target = load_pose<Wide>(targets, count);
    const TargetEquations<Wide> o = form.equations(target);
    Wide preferred[LOOP_JOINTS], seed[POSTURE_JOINTS];
    if (seed_stride == 0)
        for (int j = 0; j < n; ++j) seed[j] = Wide(seeds[j]);
    else load_rows(seeds, n, count, seed);
    for (int i = 0; i < loop.n; ++i) {
        const LoopJoint& joint = loop.joints[i];
        preferred[i] = joint.sign < 0.0 ? -seed[joint.index] : seed[joint.index];
    }
    for (int i = 0; i < count; ++i) out.count[i] = out.outside[i] = 0, out.open[i] = 0;
    const unsigned rows = (1u << count) - 1;
    unsigned special = 0;
    const int groups = loop.group_roots(), total = form.most();
    int before = verifier.frame.joints;  // joints of the chain before the group's
    for (int i = loop.first; i < loop.first + loop.size; ++i) before = std::min(before, loop.joints[i].index);
    const Tolerances most = options.fine(loop.scale);
    const Wide fine = Wide(most.position), fine_rotation = Wide(most.rotation);
    BranchVerifier::Checked c;
    BranchVerifier::Motions motions;
    verifier.start(loop, seeds, motions, c, n);
    for (int outer = 0; outer < total; outer += groups) {
        const Signs s = signs_of(loop, outer);
        const ClosedForm::Outer<Wide> ac = form.outer(o, Wide(s.first), Wide(s.second), preferred);
        if (!any((ac.a.exists & ac.c.exists) | ac.a.family | ac.c.family)) continue;
        Branch<Wide> branch;
        const Pose<Wide> G = form.reach_group(o, ac, preferred, branch);
        // both solutions of the group share the joints before it
        c.inside = Wide(0.0) == Wide(0.0);
        verifier.assign(loop, 0, loop.first, branch.q, seed, options, motions, c);
        const int after = loop.first + loop.size;
        verifier.assign(loop, after, loop.n, branch.q + after, seed, options, motions, c);
        const auto others_inside = c.inside;
        const Pose<Wide> T_base_group = verifier.advance(broadcast<Wide>(verifier.chain.base), motions, 0, before);
        for (int g = 0; g < groups; ++g) {
            const GroupMotion<Wide> motion = form.group_motion(G, Wide(g ? -1.0 : 1.0), preferred);
            const auto exists = branch.exists & motion.exists, family = branch.family | motion.family;
            c.inside = others_inside;
            verifier.assign(loop, loop.first, after, motion.q, seed, options, motions, c);
            verifier.errors(verifier.advance(T_base_group, motions, before, verifier.frame.joints), target, c);
            const auto exact = exists & (c.position <= fine) & (c.rotation <= fine_rotation);
            // special: not exact but perhaps correctable, nearly double, or of a family
            const auto rough = exists & (c.position <= Wide(ROUGH * loop.scale)) & (c.rotation <= Wide(ROUGH));
            const auto near = (branch.gap < Wide(NEAR_ROOTS)) | (motion.gap < Wide(NEAR_ROOTS));
            const auto special_lanes = (rough & ((!exact) | near)) | family | (branch.loose & !exact);
            const unsigned solved = lane_bits(exact & c.inside) & rows, beyond = lane_bits(exact & !c.inside) & rows;
            special |= lane_bits(special_lanes);
            for (unsigned left = beyond; left; left &= left - 1) ++out.outside[std::countr_zero(left)];
            if (!solved) continue;
            // lane i's numbers, side by side
            double q[W][SIDE_BY_SIDE];
            if constexpr (W == SIDE_BY_SIDE) {
                Wide block[W];
                for (int j = 0; j < W; ++j) block[j] = c.q[std::min(j, n - 1)];
                transpose<W>(block);
                for (int i = 0; i < W; ++i) store_lanes<W>(block[i], q[i]);
            } else {
                for (int i = 0; i < W; ++i)
                    for (int j = 0; j < n; ++j) q[i][j] = lane(c.q[j], i);
            }
            for (unsigned left = solved; left; left &= left - 1) {
                const int i = std::countr_zero(left);
                const long place = long(i) * out.most + out.count[i]++;
                copy_joints(q[i], n, out.q + place * n);
                out.branch[place] = outer + g;
                out.family[place] = 0;
            }
        }
    }
    return special;
}

}  // namespace limbik::closed_form
