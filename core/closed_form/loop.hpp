// How a chain comes apart: three joints that form a group of motions, and at most three others.
//
// A chain that reaches its target is a closed loop of joints and fixed links, the target being one of the links:
//
//     G = (joints of the group)      G^-1 = K0 Ja K1 Jb K2 Jc K3,     one of the K holding the target.
//
// If the axes of the group meet in a point, G turns about that point (spherical); if they are parallel, G moves in a
// plane (planar). So G^-1 must keep the point, or the plane, and that is three equations for the other joints a, b, c
// alone, in which the group does not appear. The middle joint b drops out of two of them (what is left of a point when
// it turns about an axis: its height and its distance; of a plane: its slope and its height), and these are linear in
// the cosines and sines of a and c (loop_equations.hpp). With a and c known, b is one arc tangent, and then G is known
// and comes apart into its joints. The group may stand anywhere, a joint may slide, and a, b, c may stand on either
// side of the target: wrists, shoulders, three parallel axes, SCARAs, gantries and arms of fewer joints are all this
// one case.
//
// The idea of solving subproblems in turn is Paden's and Kahan's; Elias and Wen (2022) list the 6R arms it reaches.
#pragma once

#include "../kinematics/mechanism.hpp"
#include "subproblems.hpp"

namespace limbik::closed_form {

// The longest chain that is taken apart; longer ones are redundant and have a joint held, or a swivel (swivel.hpp).
inline constexpr int LOOP_JOINTS = 6;
// Most postures of a chain of six joints that comes apart: 4 by the outer joints, 2 by the group.
inline constexpr int MOST_BRANCHES = 8;
// Most pairs of outer roots with both ways of the group, where roots that are nearly double are found more than once.
inline constexpr int MOST_CANDIDATES = 2 * CIRCLE_ROOTS;
// Axes at a smaller angle are parallel, and lines nearer than this part of the scale meet. Wider than rounding,
// narrower than what a file with five digits says; the posture is corrected afterwards, so within it nothing is lost.
inline constexpr double SAME_DIRECTION = 1e-8, SAME_PLACE = 1e-8;

inline Pose<double> half_turn_about_x() { return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}}; }
inline Pose<double> shifted_along_z(double by) { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, by}}; }

struct LoopJoint {
    int index;                // its place in q
    double sign;              // -1 where its axis was turned over to lie like its neighbours'
    bool turns;               // or slides
    Pose<double> mount;       // T_previous_joint, its axis being z
    double slide_x, slide_y;  // a slide inside a planar group: its direction there, instead of z
};

enum class Group { spherical, planar };
// Which of the outer unknowns comes first: `a` or `c` where one equation holds it alone, else both at once.
enum class Order { none, a_first, c_first, together };

struct Loop {
    int n = 0;
    LoopJoint joints[LOOP_JOINTS + 1];  // one place more, for arms with a swivel
    Pose<double> tip;
    double scale = 1.0;  // a length to compare lengths with

    Group group = Group::spherical;
    int first = 0, size = 0;  // the group's joints
    int count = 0;            // the others, a, b, c in the order of the loop (b alone; a, b)
    int outer[3] = {-1, -1, -1};
    int target_link = 0;  // the K that holds the target: left * inverse(target) * right
    Pose<double> left, right, link[4];
    Vector3<double> centre_first{0, 0, 0},
        centre_last{0, 0, 0};  // spherical: in the frames of its first and last joint
    double height = 0.0;       // planar: what the group adds along its normal
    Order order = Order::none;
    int leading = 0;                          // the equation that is solved first
    bool square_a = false, square_c = false;  // a (or c) stands square to b and to the group's normal: see `outer`

    const LoopJoint& a() const { return joints[outer[0]]; }
    const LoopJoint& b() const { return joints[outer[count >= 2 ? 1 : 0]]; }
    const LoopJoint& c() const { return joints[outer[2]]; }
    bool has_a() const { return count >= 2; }
    bool has_c() const { return count == 3; }
    // Does the equation hold the squares of slides?
    bool squares(int equation) const { return group == Group::spherical && b().turns && equation == 1; }
    // How many roots the first and the second outer unknown have, each by itself; together they are counted as the
    // first.
    int first_roots() const {
        if (count < 2) return 1;
        if (order == Order::together) {
            if (a().turns && c().turns) return 4;
            return (a().turns || c().turns ? 2 : 1) * (squares(1) ? 2 : 1);
        }
        return order == Order::a_first ? roots(a(), leading) : roots(c(), leading);
    }
    int second_roots() const {
        if (count < 3 || order == Order::together) return 1;
        return order == Order::a_first ? roots(c(), 1 - leading) : roots(a(), 1 - leading);
    }
    int group_roots() const {
        if (size < 3) return 1;
        int turning = 0;
        for (int i = first; i < first + size; ++i) turning += joints[i].turns;
        return turning >= 2 ? 2 : 1;
    }
    int most_branches() const { return first_roots() * second_roots() * group_roots(); }

  private:
    int roots(const LoopJoint& joint, int equation) const { return joint.turns || squares(equation) ? 2 : 1; }
};

// ---- finding the groups --------------------------------------------------------------------------------------------

inline double sine_between(const Vector3<double>& a, const Vector3<double>& b) {
    const Vector3<double> n = cross(a, b);
    return std::sqrt(dot(n, n));
}

// Slides that lie along the axes of their neighbours may change places with them: all go behind the turns, so that the
// turns stand together (SCARA). The motion is the same.
inline void gather_turns(Loop& loop) {
    for (int pass = 0; pass < loop.n; ++pass)
        for (int i = 0; i + 1 < loop.n; ++i) {
            LoopJoint &slide = loop.joints[i], &turn = loop.joints[i + 1];
            if (slide.turns || !turn.turns || sine_between(turn.mount.z, {0, 0, 1}) > SAME_DIRECTION) continue;
            const double along = turn.mount.z.z > 0.0 ? 1.0 : -1.0;
            const LoopJoint moved = {turn.index, turn.sign, true, slide.mount * turn.mount, 0.0, 0.0};
            turn = {slide.index, along * slide.sign, false, identity_pose(), 0.0, 0.0};
            slide = moved;
        }
}

// Do the joints first .. first + size - 1 turn about one point? Where it is in the first and the last of their frames.
inline bool meet(const Loop& loop, int first, int size, Vector3<double>& in_first, Vector3<double>& in_last) {
    const double near = SAME_PLACE * loop.scale;
    for (int i = first; i < first + size; ++i)
        if (!loop.joints[i].turns) return false;
    if (size < 2) {
        in_first = in_last = {0, 0, 0};
        return true;
    }
    // where axis i + 1 meets axis i: heights on both
    double on_lower[2], on_upper[2];
    for (int i = 0; i + 1 < size; ++i) {
        const Pose<double>& M = loop.joints[first + i + 1].mount;
        const double s2 = M.z.x * M.z.x + M.z.y * M.z.y;
        if (s2 <= SAME_DIRECTION * SAME_DIRECTION) return false;
        const double gap = std::fabs(M.z.x * M.origin.y - M.z.y * M.origin.x) / std::sqrt(s2);
        if (gap > near) return false;
        on_upper[i] = -(M.z.x * M.origin.x + M.z.y * M.origin.y) / s2;
        on_lower[i] = M.origin.z + on_upper[i] * M.z.z;
    }
    if (size == 3 && std::fabs(on_upper[0] - on_lower[1]) > near) return false;
    in_first = {0, 0, on_lower[0]};
    in_last = {0, 0, on_upper[size - 2]};
    return true;
}

// Do these joints move in one plane? Then their frames are turned so that every axis is +z and slides are directions in
// it.
inline bool lie_in_plane(Loop& loop, int first, int size) {
    int turning = -1;
    for (int i = first; i < first + size && turning < 0; ++i)
        if (loop.joints[i].turns) turning = i;
    if (turning < 0 || size < 2) return false;
    Pose<double> spill = identity_pose();  // what the frames turned so far leave for the next mount
    for (int i = first; i < first + size; ++i) {
        LoopJoint& joint = loop.joints[i];
        Pose<double> M = spill * joint.mount;
        spill = identity_pose();
        if (i == first && !joint.turns) {
            // its frame takes the normal for z: Q turns the normal onto z
            Pose<double> way = identity_pose();
            for (int k = first + 1; k <= turning; ++k) way = way * loop.joints[k].mount;
            const Vector3<double> n = way.z, z = {0, 0, 1};
            if (std::fabs(dot(n, z)) > SAME_DIRECTION) return false;
            const Vector3<double> x = z, y = cross(n, x);  // the slide becomes the plane's x
            const double length = std::sqrt(dot(y, y));
            const Pose<double> Q_inverse = {x, scaled(y, 1.0 / length), scaled(n, 1.0), {0, 0, 0}};
            joint.mount = M * Q_inverse;
            joint.slide_x = 1.0, joint.slide_y = 0.0;
            spill = inverse_pose(Q_inverse);
            continue;
        }
        if (joint.turns) {
            if (i > first && sine_between(M.z, {0, 0, 1}) > SAME_DIRECTION) return false;
            if (i > first && M.z.z < 0.0) {
                M = M * half_turn_about_x();
                joint.sign = -joint.sign;
                spill = half_turn_about_x();
            }
            joint.mount = M;
        } else {
            if (std::fabs(M.z.z) > SAME_DIRECTION) return false;
            joint.slide_x = M.z.x, joint.slide_y = M.z.y;
            joint.mount = identity_pose();
            spill = M;
        }
    }
    if (first + size < loop.n) loop.joints[first + size].mount = spill * loop.joints[first + size].mount;
    else loop.tip = spill * loop.tip;
    return true;
}

// The fixed links between the outer joints, in the order of the loop.
inline void cut(Loop& loop) {
    const int after = loop.n - loop.first - loop.size;
    loop.count = loop.n - loop.size;
    loop.target_link = after;
    for (int k = 0; k < after; ++k) loop.outer[k] = loop.first + loop.size + k;
    for (int k = 0; k < loop.first; ++k) loop.outer[after + k] = k;
    loop.left = loop.tip;
    loop.right = loop.size == 0 ? identity_pose() : loop.joints[0].mount;  // without a group the loop ends at the base
    for (int k = 0; k <= loop.count; ++k) {
        if (k < after) loop.link[k] = loop.joints[loop.first + loop.size + k].mount;
        else if (k > after) loop.link[k] = loop.joints[k - after].mount;  // ends with the group's own mount
        else loop.link[k] = identity_pose();
    }
    loop.height = 0.0;
    for (int i = loop.first + 1; i < loop.first + loop.size; ++i) loop.height += loop.joints[i].mount.origin.z;
}

// Slide the frame of joint b along its axis so that it stands where the axis of a (or c) meets it, where they do: the
// equations then come apart.
inline void centre_middle(Loop& loop) {
    if (loop.count < 2) return;
    const int b = loop.outer[1];
    auto slide = [&](double by) {
        loop.joints[b].mount = loop.joints[b].mount * shifted_along_z(by);
        Pose<double>& next = b + 1 < loop.n ? loop.joints[b + 1].mount : loop.tip;
        next = shifted_along_z(-by) * next;
        cut(loop);
    };
    const double near = SAME_PLACE * loop.scale;
    // where a line with direction d through p comes nearest the axis z: how far along z, and how near
    auto meeting = [](const Vector3<double>& d, const Vector3<double>& p, double& along, double& gap) {
        const double s2 = d.x * d.x + d.y * d.y;
        if (s2 <= SAME_DIRECTION * SAME_DIRECTION) return false;
        const double t = -(d.x * p.x + d.y * p.y) / s2;
        gap = std::hypot(p.x + t * d.x, p.y + t * d.y);
        along = p.z + t * d.z;
        return true;
    };
    double along, gap;
    if (loop.target_link != 1) {
        const Pose<double> back = inverse_pose(loop.link[1]);  // a's frame seen from b
        if (meeting(back.z, back.origin, along, gap) && gap <= near) return slide(along);
    }
    if (loop.has_c() && loop.target_link != 2 && meeting(loop.link[2].z, loop.link[2].origin, along, gap) &&
        gap <= near)
        slide(along);
}

}  // namespace limbik::closed_form
