// Another member of a family (self-motion manifold), where the member at the seed is no solution.
#pragma once

#include "branch_generator.hpp"
#include "corrections.hpp"

namespace limbik::closed_form {

// One outer joint is undetermined, and at the seed's value of it the group has no solution. The group's measure is a
// sinusoid of that joint; the closest feasible value is where the sinusoid reaches a bound.
[[gnu::noinline]] inline int other_member(const Corrections& corrections, const ClosedForm& form,
                                          const Pose<double>& target, const double* seed, const BranchOptions& options,
                                          Posture* found, int count, bool& open) {
    const Loop& loop = form.loop();
    if (!form.can_measure()) {
        open = true;
        return count;
    }
    const TargetEquations<double> o = form.equations(target);
    double preferred[LOOP_JOINTS];
    for (int i = 0; i < loop.n; ++i) preferred[i] = loop.joints[i].sign * seed[loop.joints[i].index];
    for (int code = 0; code < form.most() && count < MOST_POSTURES; ++code) {
        const Signs s = signs_of(loop, code);
        const auto ac = form.outer(o, s.first, s.second, preferred);
        if (!(ac.a.exists && ac.c.exists)) continue;
        Branch<double> branch;
        const double here = form.measure(form.reach_group(o, ac, preferred, branch));
        if (!branch.family || std::fabs(here) <= 1.0) continue;
        const int free = ac.a.free ? loop.outer[0] : ac.c.free ? loop.outer[2] : loop.outer[loop.count >= 2 ? 1 : 0];
        if (!loop.joints[free].revolute) continue;
        auto at = [&](double angle) {
            double moved[LOOP_JOINTS];
            std::copy_n(preferred, LOOP_JOINTS, moved);
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
                    const double gap = std::fabs(wrap(edge + inward - preferred[free]));
                    if (gap < best_gap && std::fabs(at(edge + inward)) <= 1.0) best = edge + inward, best_gap = gap;
                }
            }
        if (best_gap > TURN) continue;
        double moved[LOOP_JOINTS];
        std::copy_n(preferred, LOOP_JOINTS, moved);
        moved[free] = best;
        form.split_group(form.reach_group(o, form.outer(o, s.first, s.second, moved), moved, branch), s.group, moved,
                         branch);
        Posture& p = found[count];
        for (int i = 0; i < loop.n; ++i) p.q[loop.joints[i].index] = loop.joints[i].sign * branch.q[i];
        p.branch = code, p.family = true, p.doubled = false, p.swivel = 0.0, p.gap = 1.0;
        if (branch.exists && corrections.correct(loop.scale, target, seed, options, p)) ++count;
    }
    return count;
}

}  // namespace limbik::closed_form
