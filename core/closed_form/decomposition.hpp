// The search for a decomposition of a chain (loop.hpp), from its geometry alone.
//
// Every run of consecutive joints is tried as the group, with the equations of the outer joints. Which unknowns an
// equation contains is read from random configurations: a coefficient that is zero for all of them is zero by
// structure. A decomposition is accepted where it reproduces such configurations.
#pragma once

#include "../base/random.hpp"
#include "closed_form.hpp"

namespace limbik::closed_form {

// Random configurations that a decomposition must reproduce.
inline constexpr int TRIALS = 6;
// A coefficient below this part of its size in all trials is zero by structure.
inline constexpr double STRUCTURAL_ZERO = 1e-7;
// The stream of random numbers for trials.
inline constexpr std::uint64_t TRIAL_STREAM = 3000;

// A configuration and the pose of the tip in it.
struct Trial {
    double q[LOOP_JOINTS];  // in the loop's order
    Pose<double> target;
};

inline Trial trial_of(const Loop& loop, int number) {
    Trial t;
    t.target = identity_pose();
    for (int i = 0; i < loop.n; ++i) {
        const LoopJoint& joint = loop.joints[i];
        // at random, so not at multiples of 90 degrees, where special cases lie; and not near half a turn
        const double chance =
            0.1 + 0.8 * counter_random(TRIAL_STREAM + std::uint64_t(joint.index), std::uint64_t(number));
        t.q[i] = joint.revolute ? TURN * (chance - 0.5) : loop.scale * (chance - 0.5);
        t.target = t.target * joint.placement;
        if (joint.revolute) rotate_about_z(t.target, std::sin(t.q[i]), std::cos(t.q[i]));
        else if (joint.direction_x != 0.0 || joint.direction_y != 0.0)
            t.target.origin = madd(t.target.x, t.q[i] * joint.direction_x,
                                   madd(t.target.y, t.q[i] * joint.direction_y, t.target.origin));
        else t.target.origin = madd(t.target.z, t.q[i], t.target.origin);
    }
    t.target = t.target * loop.tip;
    return t;
}

// Find out whether the joint that is solved second is orthogonal to b and to the planar group's normal. Then its cosine
// equals a height, and its sine is the length of the component across, known to full accuracy.
inline void find_orthogonal(Loop& loop) {
    loop.square_a = loop.square_c = false;
    if (loop.group != Group::planar || !loop.b().revolute || loop.leading != 1) return;
    constexpr double SQUARE = 1e-14;
    auto none = [](double x) { return std::fabs(x) <= SQUARE; };
    if (loop.order == Order::c_first)
        loop.square_a = loop.a().revolute && loop.c().revolute && loop.target_link > 1 && none(loop.link[0].z.z) &&
                        none(loop.link[1].z.z);
    else
        loop.square_c = loop.a().revolute && loop.c().revolute && loop.target_link < 2 && none(loop.link[3].z.z) &&
                        none(loop.link[2].z.z);
}

// Which equation determines which outer joint; false where they are not determined.
inline bool order_equations(Loop& loop) {
    if (loop.count < 2) return true;
    const ClosedForm form(loop);
    double a[2] = {0, 0}, c[2] = {0, 0};
    for (int k = 0; k < TRIALS; ++k) {
        const TargetEquations<double> o = form.equations(trial_of(loop, k).target);
        for (int i = 0; i < 2; ++i) {
            double size = loop.group == Group::planar ? 1.0 : loop.scale;
            if (i == 1 && loop.b().revolute) size *= loop.scale;
            const Equation<double>& e = o.e[i];
            const bool prismatic_a = !loop.a().revolute, prismatic_c = loop.has_c() && !loop.c().revolute;
            a[i] = std::max(a[i], (std::fabs(e.a1) * (prismatic_a ? loop.scale : 1.0) +
                                   std::fabs(e.a2) * (prismatic_a ? loop.scale * loop.scale : 1.0)) /
                                      size);
            c[i] = std::max(c[i], (std::fabs(e.c1) * (prismatic_c ? loop.scale : 1.0) +
                                   std::fabs(e.c2) * (prismatic_c ? loop.scale * loop.scale : 1.0)) /
                                      size);
        }
    }
    auto zero = [](double x) { return x <= STRUCTURAL_ZERO; };
    if (!loop.has_c()) {
        loop.order = Order::a_first;
        loop.leading = a[0] >= a[1] ? 0 : 1;
        return !zero(a[loop.leading]);
    }
    for (int k = 0; k < 2; ++k) {
        if (zero(c[k]) && !zero(a[k]) && !zero(c[1 - k])) {
            loop.order = Order::a_first, loop.leading = k;
            find_orthogonal(loop);
            return true;
        }
        if (zero(a[k]) && !zero(c[k]) && !zero(a[1 - k])) {
            loop.order = Order::c_first, loop.leading = k;
            find_orthogonal(loop);
            return true;
        }
    }
    loop.order = Order::together;
    return !zero(a[0]) && !zero(a[1]) && !zero(c[0]) && !zero(c[1]);
}

// Whether the closed form reproduces the trials.
inline bool reproduces_trials(const ClosedForm& form) {
    const Loop& loop = form.loop();
    const double zeros[LOOP_JOINTS] = {};
    for (int number = 0; number < TRIALS; ++number) {
        const Trial t = trial_of(loop, TRIALS + number);
        const TargetEquations<double> o = form.equations(t.target);
        bool found = false;
        double roots[CIRCLE_ROOTS][4];
        const bool together = loop.order == Order::together;
        const int count = together ? form.together(o, roots) : 4;
        for (int outer = 0; outer < count && !found; ++outer) {
            ClosedForm::Outer<double> ac;
            if (together)
                ac = {{roots[outer][0], roots[outer][1], true, false, false, 1.0},
                      {roots[outer][2], roots[outer][3], true, false, false, 1.0}};
            else ac = form.outer(o, outer & 1 ? -1.0 : 1.0, outer & 2 ? -1.0 : 1.0, zeros);
            for (const double sign : {1.0, -1.0}) {
                Branch<double> branch;
                form.split_group(form.reach_group(o, ac, zeros, branch), sign, zeros, branch);
                constexpr double SAME = 1e-6;  // [rad, or parts of the scale]
                bool same = branch.exists;
                for (int i = 0; i < loop.n; ++i) {
                    const double gap = joint_gap(loop.joints[i].revolute, branch.q[i] - t.q[i], loop.scale);
                    same = same && std::fabs(gap) <= SAME;
                }
                found = found || same;
            }
        }
        if (!found) return false;
    }
    return true;
}

// Set up the loop with these joints as its group; false where they do not form one.
inline bool arrange(Loop& loop, Group group, int first, int size) {
    gather_revolute(loop);
    loop.group = group, loop.first = first, loop.size = size;
    if (group == Group::spherical) {
        if (!axes_intersect(loop, first, size, loop.centre_first, loop.centre_last)) return false;
        // any point of a single axis serves, and any point at all without one
        if (size < 2) loop.centre_first = loop.centre_last = {0, 0, loop.scale};
    } else if (!make_planar(loop, first, size)) {
        return false;
    }
    set_links(loop);
    centre_middle(loop);
    return true;
}

// The best decomposition of a loop; nothing where there is none.
inline std::optional<ClosedForm> decompose(const Loop& whole) {
    if (whole.n < 1 || whole.n > LOOP_JOINTS) return std::nullopt;
    std::optional<ClosedForm> best;
    for (int size = std::min(3, whole.n); size >= 0 && whole.n - size <= 3 && !best; --size)
        for (int first = 0; first + size <= (size == 0 ? 0 : whole.n); ++first)
            for (const Group group : {Group::spherical, Group::planar}) {
                Loop loop = whole;
                if (!arrange(loop, group, first, size) || !order_equations(loop)) continue;
                const ClosedForm form(loop);
                if (!reproduces_trials(form)) continue;
                if (loop.order != Order::together) return form;
                if (!best) best = form;
            }
    return best;
}

// The chain of a frame as a loop; nothing where it is no plain series of at most LOOP_JOINTS joints with one axis.
// `held`: a joint fixed at `value`, which then does not count.
inline std::optional<Loop> loop_of(const Mechanism& m, const Frame& frame, double scale, int held = -1,
                                   double value = 0.0) {
    const int n = frame.element + 1;
    if (n != m.n || n != int(m.elements.size()) || n - (held >= 0) > LOOP_JOINTS) return std::nullopt;
    Loop loop;
    loop.scale = scale;
    Pose<double> before = identity_pose();
    for (int i = 0; i < n; ++i) {
        const Element& e = m.elements[std::size_t(i)];
        if (e.parent != i - 1 || size_of(e.kind) != 1 || e.first != i || e.scale != 1.0 || e.offset != 0.0)
            return std::nullopt;
        Pose<double> placement = before * e.placement;
        before = identity_pose();
        if (i == held) {
            apply_joint(e.kind, &value, placement);
            before = placement;
            continue;
        }
        loop.joints[loop.n++] = {i, 1.0, e.kind == Kind::revolute, placement, 0.0, 0.0};
    }
    loop.tip = before * frame.placement;
    return loop;
}

}  // namespace limbik::closed_form
