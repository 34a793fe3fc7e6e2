// The branches of a closed form at one target, W at a time, not yet verified.
#pragma once

#include "closed_form.hpp"
#include "postures.hpp"

namespace limbik::closed_form {

// The signs of a branch number: of the first outer unknown, the second, the group.
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

// Every pair of outer roots with both signs of the group, in the order of their branch numbers.
inline int all_roots(const ClosedForm& form, const Pose<double>& target, double root[MOST_CANDIDATES][4], double* gap,
                     int* code, bool* doubled) {
    const Loop& loop = form.loop();
    const TargetEquations<double> o = form.equations(target);
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

// Call use(target, number of branches, generator of W branches).
template <class Use> LIMBIK_INLINE void with_branches(const ClosedForm& form, const Pose<double>& target,
                                                      const double* seed, const Use& use) {
    constexpr int W = width<Wide>;
    const Loop& loop = form.loop();
    const Pose<Wide> wide_target = broadcast<Wide>(target);
    const TargetEquations<Wide> o = form.equations(wide_target);
    Wide preferred[LOOP_JOINTS];
    for (int i = 0; i < loop.n; ++i) preferred[i] = Wide(loop.joints[i].sign * seed[loop.joints[i].index]);
    if (loop.order != Order::together) {
        auto generate = [&](int first, Branch<Wide>& branch, Mark* marks) {
            double s1[W], s2[W], s3[W];
            for (int i = 0; i < W; ++i) {
                const Signs s = signs_of(loop, first + i);
                s1[i] = s.first, s2[i] = s.second, s3[i] = s.group;
                marks[i].branch = first + i;
            }
            const ClosedForm::Outer<Wide> ac = form.outer(o, load_lanes<W>(s1), load_lanes<W>(s2), preferred);
            form.split_group(form.reach_group(o, ac, preferred, branch), load_lanes<W>(s3), preferred, branch);
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
        form.split_group(form.reach_group(o, ac, preferred, branch), load_lanes<W>(s3), preferred, branch);
    };
    use(wide_target, total, generate);
}

}  // namespace limbik::closed_form
