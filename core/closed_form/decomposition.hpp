// Find the way in which a chain comes apart, from its geometry alone.
//
// Every run of neighbouring joints that could be the group is tried, with the equations that it leaves for the others.
// What an equation holds is read off a few random postures: a coefficient that is zero for all of them is zero by
// structure. A way counts only if it finds those postures again.
#pragma once

#include "../base/random.hpp"
#include "closed_form.hpp"

namespace limbik::closed_form {

// Random postures that a way must find again.
inline constexpr int TRIALS = 6;
// A coefficient below this part of its size in all trials is zero by structure.
inline constexpr double STRUCTURAL_ZERO = 1e-7;
// The stream of random numbers for trials.
inline constexpr std::uint64_t TRIAL_STREAM = 3000;

struct Trial {
    double q[LOOP_JOINTS];  // in the loop's order
    Pose<double> target;
};

inline Trial trial_of(const Loop& loop, int number) {
    Trial t;
    t.target = identity_pose();
    for (int i = 0; i < loop.n; ++i) {
        const LoopJoint& joint = loop.joints[i];
        // away from multiples of a quarter turn, where special targets live
        const double chance =
            0.1 + 0.8 * counter_random(TRIAL_STREAM + std::uint64_t(joint.index), std::uint64_t(number));
        t.q[i] = joint.turns ? TURN * (chance - 0.5) : loop.scale * (chance - 0.5);
        t.target = t.target * joint.mount;
        if (joint.turns) turn_about_z(t.target, std::sin(t.q[i]), std::cos(t.q[i]));
        else if (joint.slide_x != 0.0 || joint.slide_y != 0.0)
            t.target.origin =
                madd(t.target.x, t.q[i] * joint.slide_x, madd(t.target.y, t.q[i] * joint.slide_y, t.target.origin));
        else t.target.origin = madd(t.target.z, t.q[i], t.target.origin);
    }
    t.target = t.target * loop.tip;
    return t;
}

// Does the unknown that comes second stand square to b and to the planar group's normal? Then its equation is cos =
// height, and its sine is known from what lies across, to full accuracy.
inline void find_squares(Loop& loop) {
    loop.square_a = loop.square_c = false;
    if (loop.group != Group::planar || !loop.b().turns || loop.leading != 1) return;
    constexpr double SQUARE = 1e-14;
    auto none = [](double x) { return std::fabs(x) <= SQUARE; };
    if (loop.order == Order::c_first)
        loop.square_a = loop.a().turns && loop.c().turns && loop.target_link > 1 && none(loop.link[0].z.z) &&
                        none(loop.link[1].z.z);
    else
        loop.square_c = loop.a().turns && loop.c().turns && loop.target_link < 2 && none(loop.link[3].z.z) &&
                        none(loop.link[2].z.z);
}

// Which of the equations holds what; false where the outer joints are not held.
inline bool put_in_order(Loop& loop) {
    if (loop.count < 2) return true;
    const ClosedForm form(loop);
    double a[2] = {0, 0}, c[2] = {0, 0};
    for (int k = 0; k < TRIALS; ++k) {
        const Opened<double> o = form.open(trial_of(loop, k).target);
        for (int i = 0; i < 2; ++i) {
            double size = loop.group == Group::planar ? 1.0 : loop.scale;
            if (i == 1 && loop.b().turns) size *= loop.scale;
            const Equation<double>& e = o.e[i];
            const bool slides_a = !loop.a().turns, slides_c = loop.has_c() && !loop.c().turns;
            a[i] = std::max(a[i], (std::fabs(e.a1) * (slides_a ? loop.scale : 1.0) +
                                   std::fabs(e.a2) * (slides_a ? loop.scale * loop.scale : 1.0)) /
                                      size);
            c[i] = std::max(c[i], (std::fabs(e.c1) * (slides_c ? loop.scale : 1.0) +
                                   std::fabs(e.c2) * (slides_c ? loop.scale * loop.scale : 1.0)) /
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
            find_squares(loop);
            return true;
        }
        if (zero(a[k]) && !zero(c[k]) && !zero(a[1 - k])) {
            loop.order = Order::c_first, loop.leading = k;
            find_squares(loop);
            return true;
        }
    }
    loop.order = Order::together;
    return !zero(a[0]) && !zero(a[1]) && !zero(c[0]) && !zero(c[1]);
}

// Does it find the trials again?
inline bool keeps_its_word(const ClosedForm& form) {
    const Loop& loop = form.loop();
    const double zeros[LOOP_JOINTS] = {};
    for (int number = 0; number < TRIALS; ++number) {
        const Trial t = trial_of(loop, TRIALS + number);
        const Opened<double> o = form.open(t.target);
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
                constexpr double AGAIN = 1e-6;
                bool same = branch.exists;
                for (int i = 0; i < loop.n; ++i) {
                    const double gap = joint_gap(loop.joints[i].turns, branch.q[i] - t.q[i], loop.scale);
                    same = same && std::fabs(gap) <= AGAIN;
                }
                found = found || same;
            }
        }
        if (!found) return false;
    }
    return true;
}

// The loop with these joints for its group; false where they are none.
inline bool arrange(Loop& loop, Group group, int first, int size) {
    gather_turns(loop);
    loop.group = group, loop.first = first, loop.size = size;
    if (group == Group::spherical) {
        if (!meet(loop, first, size, loop.centre_first, loop.centre_last)) return false;
        // any point of a single axis will do, and any point at all without one
        if (size < 2) loop.centre_first = loop.centre_last = {0, 0, loop.scale};
    } else if (!lie_in_plane(loop, first, size)) {
        return false;
    }
    cut(loop);
    centre_middle(loop);
    return true;
}

// The best way to take a loop apart; nothing where there is none.
inline std::optional<ClosedForm> take_apart(const Loop& whole) {
    if (whole.n < 1 || whole.n > LOOP_JOINTS) return std::nullopt;
    std::optional<ClosedForm> best;
    for (int size = std::min(3, whole.n); size >= 0 && whole.n - size <= 3 && !best; --size)
        for (int first = 0; first + size <= (size == 0 ? 0 : whole.n); ++first)
            for (const Group group : {Group::spherical, Group::planar}) {
                Loop loop = whole;
                if (!arrange(loop, group, first, size) || !put_in_order(loop)) continue;
                const ClosedForm form(loop);
                if (!keeps_its_word(form)) continue;
                if (loop.order != Order::together) return form;
                if (!best) best = form;
            }
    return best;
}

// The chain that carries a frame, as a loop to take apart; `held` is a joint that does not move, at `value`.
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
        Pose<double> mount = before * e.mount;
        before = identity_pose();
        if (i == held) {
            apply_joint(e.kind, &value, mount);
            before = mount;
            continue;
        }
        loop.joints[loop.n++] = {i, 1.0, e.kind == Kind::revolute, mount, 0.0, 0.0};
    }
    loop.tip = before * frame.mount;
    return loop;
}

}  // namespace limbik::closed_form
