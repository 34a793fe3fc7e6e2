// The branches of a register full of targets, one target per lane, one branch after the other.
#pragma once

#include <cstring>

#include "branch_generator.hpp"
#include "branch_verifier.hpp"
#include "places.hpp"

namespace limbik::closed_form {

// Joint values copied; a size that is known, and most chains have six joints, costs no call.
LIMBIK_INLINE void copy_joints(const double* from, int n, double* to) {
    if (n == 6) std::memcpy(to, from, 6 * sizeof(double));
    else std::memcpy(to, from, std::size_t(n) * sizeof(double));
}

// A register full of targets. Rows that are not ordinary are marked special, and what is written for them does not
// count. N: the number of joints where the compiler shall know it, else 0.
template <int N> void one_pack(const BranchVerifier& verifier, const ClosedForm& form, const double* targets,
                               const double* seeds, long seed_stride, int count, const BranchOptions& options,
                               const Places& out, bool* special) {
    constexpr int W = width<Wide>;
    const int n = N > 0 ? N : verifier.size;
    const Loop& loop = form.loop();
    const Pose<Wide> target = load_pose<Wide>(targets, count);
    const Opened<Wide> o = form.open(target);
    Wide wish[LOOP_JOINTS], seed[POSTURE_JOINTS];
    if (seed_stride == 0)
        for (int j = 0; j < n; ++j) seed[j] = Wide(seeds[j]);
    else load_rows(seeds, n, count, seed);
    for (int i = 0; i < loop.n; ++i) {
        const LoopJoint& joint = loop.joints[i];
        wish[i] = joint.sign < 0.0 ? -seed[joint.index] : seed[joint.index];
    }
    for (int i = 0; i < count; ++i) out.count[i] = out.outside[i] = 0, out.open[i] = 0;
    const int groups = loop.group_roots(), total = form.most();
    int before = verifier.frame.joints;  // joints of the chain before the group's
    for (int i = loop.first; i < loop.first + loop.size; ++i) before = std::min(before, loop.joints[i].index);
    const Tolerances most = options.fine(loop.scale);
    const Wide fine = Wide(most.position), fine_rotation = Wide(most.rotation);
    BranchVerifier::Checked c;
    BranchVerifier::Travel travel = verifier.set_out(loop, seeds, c, n);
    for (int outer = 0; outer < total; outer += groups) {
        const Signs s = signs_of(loop, outer);
        const ClosedForm::Outer<Wide> ac = form.outer(o, Wide(s.first), Wide(s.second), wish);
        if (!any((ac.a.exists & ac.c.exists) | ac.a.family | ac.c.family)) continue;
        Branch<Wide> branch;
        const Pose<Wide> G = form.reach_group(o, ac, wish, branch);
        // what lies before the group is the same for both of its ways
        c.inside = Wide(0.0) == Wide(0.0), travel.T = broadcast<Wide>(verifier.chain.base), travel.joint = 0;
        verifier.place(loop, 0, loop.first, branch, seed, options, travel, c);
        verifier.place(loop, loop.first + loop.size, loop.n, branch, seed, options, travel, c);
        verifier.go_on(travel, before);
        const auto others_inside = c.inside;
        const Pose<Wide> T_base_group = travel.T;
        for (int g = 0; g < groups; ++g) {
            Branch<Wide> own = branch;
            form.split_group(G, Wide(g ? -1.0 : 1.0), wish, own);
            c.inside = others_inside, travel.T = T_base_group, travel.joint = before;
            verifier.place(loop, loop.first, loop.first + loop.size, own, seed, options, travel, c);
            verifier.go_on(travel, verifier.frame.joints);
            verifier.arrive(travel, target, c);
            const auto exact = own.exists & (c.position <= fine) & (c.rotation <= fine_rotation);
            // not exact but perhaps correctable, or one of a pair, or of a family: looked at by itself
            const auto rough = own.exists & (c.position <= Wide(ROUGH * loop.scale)) & (c.rotation <= Wide(ROUGH));
            const auto odd = (rough & ((!exact) | (own.gap < Wide(NEAR_ROOTS)))) | own.family | (own.loose & !exact);
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
                for (int j = 0; j < W; ++j) block[j] = c.q[std::min(j, n - 1)];
                transpose<W>(block);
                for (int i = 0; i < W; ++i) store_lanes<W>(block[i], q[i]);
            } else {
                for (int i = 0; i < W; ++i)
                    for (int j = 0; j < n; ++j) q[i][j] = lane(c.q[j], i);
            }
            for (int i = 0; i < count; ++i) {
                out.outside[i] += take[i] < 0.0;
                if (!(take[i] > 0.0)) continue;
                const long place = long(i) * out.most + out.count[i]++;
                copy_joints(q[i], n, out.q + place * n);
                out.branch[place] = outer + g;
                out.family[place] = 0;
            }
        }
    }
}

}  // namespace limbik::closed_form
