// The decomposition of a chain: up to three joints that form a group of motions, and at most three outer joints.
//
// A chain that reaches its target is a closed loop of joints and fixed links, the target being one of the links:
//
//     G = (joints of the group)      G^-1 = K0 Ja K1 Jb K2 Jc K3,     one of the K holding the target.
//
// If the axes of the group intersect in a point, G is a rotation about that point (spherical); if they are parallel, G
// is a motion in a plane (planar). So G^-1 keeps the point, or the plane: three equations for the outer joints a, b, c,
// in which the group does not appear. Two of them do not depend on the middle joint b (a rotation about an axis keeps
// the height and the distance of a point, the slope and the height of a plane), and are linear in the cosines and sines
// of a and c (loop_equations.hpp). With a and c known, b is one arc tangent; then G is known and is decomposed into its
// joints. The group may be anywhere in the chain, joints may be prismatic, and a, b, c may be on either side of the
// target: wrists, shoulders, three parallel axes, SCARAs, gantries and arms of fewer joints are one case.
//
// Solving subproblems in turn is due to Paden and Kahan; Elias and Wen (2022) list the 6R arms that it covers.
#pragma once

#include "../kinematics/mechanism.hpp"
#include "subproblems.hpp"

namespace limbik::closed_form {

// The longest chain that is decomposed. Longer ones are redundant: one joint is held, or there is a swivel
// (swivel.hpp).
inline constexpr int LOOP_JOINTS = 6;
// The most configurations of a decoupled chain of six joints: 4 by the outer joints times 2 by the group.
inline constexpr int MOST_BRANCHES = 8;
// The most pairs of outer roots times solutions of the group. Roots that are nearly double are found more than once.
inline constexpr int MOST_CANDIDATES = 2 * CIRCLE_ROOTS;
// Axes at a smaller angle [rad] are parallel, and lines closer than this part of the scale intersect. Wider than
// rounding, narrower than files of five digits; configurations are corrected afterwards, so nothing is lost.
inline constexpr double SAME_DIRECTION = 1e-8, SAME_PLACE = 1e-8;

inline Pose<double> half_turn_about_x() { return {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}}; }
inline Pose<double> shifted_along_z(double by) { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, by}}; }

struct LoopJoint {
    int index;                        // its place in q
    double sign;                      // -1 where its axis was reversed to agree with its neighbours'
    bool revolute;                    // else prismatic
    Pose<double> placement;           // T_previous_joint; its axis is z
    double direction_x, direction_y;  // a prismatic joint of a planar group: its direction there
};

enum class Group { spherical, planar };
// Which outer unknown is solved first: the one that an equation determines alone, or both at once.
enum class Order { none, a_first, c_first, together };

struct Loop {
    int n = 0;
    LoopJoint joints[LOOP_JOINTS + 1];  // one more for arms with a swivel
    Pose<double> tip;
    double scale = 1.0;  // a length to compare lengths with

    Group group = Group::spherical;
    int first = 0, size = 0;  // the group's joints
    int count = 0;            // of the outer joints, in the order of the loop: b, or a b, or a b c
    int outer[3] = {-1, -1, -1};
    int target_link = 0;  // the K that holds the target: left * inverse(target) * right
    Pose<double> left, right, link[4];
    Vector3<double> centre_first{0, 0, 0},
        centre_last{0, 0, 0};  // spherical: in the frames of its first and last joint
    double height = 0.0;       // planar: the group's own offset along its normal
    Order order = Order::none;
    int leading = 0;                          // the index of the equation that is solved first
    bool square_a = false, square_c = false;  // a (or c) is orthogonal to b and the group's normal

    const LoopJoint& a() const { return joints[outer[0]]; }
    const LoopJoint& b() const { return joints[outer[count >= 2 ? 1 : 0]]; }
    const LoopJoint& c() const { return joints[outer[2]]; }
    bool has_a() const { return count >= 2; }
    bool has_c() const { return count == 3; }
    // Whether an equation contains squares of displacements.
    bool squares(int equation) const { return group == Group::spherical && b().revolute && equation == 1; }
    // The number of roots of the first and of the second outer unknown. Where both are solved at once, they count as
    // the first.
    int first_roots() const {
        if (count < 2) return 1;
        if (order == Order::together) {
            if (a().revolute && c().revolute) return 4;
            return (a().revolute || c().revolute ? 2 : 1) * (squares(1) ? 2 : 1);
        }
        return order == Order::a_first ? roots(a(), leading) : roots(c(), leading);
    }
    int second_roots() const {
        if (count < 3 || order == Order::together) return 1;
        return order == Order::a_first ? roots(c(), 1 - leading) : roots(a(), 1 - leading);
    }
    int group_roots() const {
        if (size < 3) return 1;
        int revolute = 0;
        for (int i = first; i < first + size; ++i) revolute += joints[i].revolute;
        return revolute >= 2 ? 2 : 1;
    }
    int most_branches() const { return first_roots() * second_roots() * group_roots(); }

  private:
    int roots(const LoopJoint& joint, int equation) const { return joint.revolute || squares(equation) ? 2 : 1; }
};

// ---- finding the groups --------------------------------------------------------------------------------------------

inline double sine_between(const Vector3<double>& a, const Vector3<double>& b) {
    const Vector3<double> n = cross(a, b);
    return std::sqrt(dot(n, n));
}

// A prismatic joint parallel to the revolute joint after it commutes with it. Prismatic joints go behind, so that
// revolute ones become neighbours (SCARA).
inline void gather_revolute(Loop& loop) {
    for (int pass = 0; pass < loop.n; ++pass)
        for (int i = 0; i + 1 < loop.n; ++i) {
            LoopJoint &before = loop.joints[i], &after = loop.joints[i + 1];
            if (before.revolute || !after.revolute || sine_between(after.placement.z, {0, 0, 1}) > SAME_DIRECTION)
                continue;
            const double along = after.placement.z.z > 0.0 ? 1.0 : -1.0;
            const LoopJoint moved = {after.index, after.sign, true, before.placement * after.placement, 0.0, 0.0};
            after = {before.index, along * before.sign, false, identity_pose(), 0.0, 0.0};
            before = moved;
        }
}

// Whether the axes of joints first .. first + size - 1 intersect in one point; that point in the first and the last of
// their frames.
inline bool axes_intersect(const Loop& loop, int first, int size, Vector3<double>& in_first, Vector3<double>& in_last) {
    const double near = SAME_PLACE * loop.scale;
    for (int i = first; i < first + size; ++i)
        if (!loop.joints[i].revolute) return false;
    if (size < 2) {
        in_first = in_last = {0, 0, 0};
        return true;
    }
    // the heights of the intersection of axes i and i + 1, on both
    double on_lower[2], on_upper[2];
    for (int i = 0; i + 1 < size; ++i) {
        const Pose<double>& M = loop.joints[first + i + 1].placement;
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

// Whether these joints move in one plane. If so, their frames are rotated: revolute axes become +z, and prismatic
// joints become directions in the plane.
inline bool make_planar(Loop& loop, int first, int size) {
    int first_revolute = -1;
    for (int i = first; i < first + size && first_revolute < 0; ++i)
        if (loop.joints[i].revolute) first_revolute = i;
    if (first_revolute < 0 || size < 2) return false;
    Pose<double> compensation = identity_pose();  // the inverse of a frame's rotation, for the next placement
    for (int i = first; i < first + size; ++i) {
        LoopJoint& joint = loop.joints[i];
        Pose<double> M = compensation * joint.placement;
        compensation = identity_pose();
        if (i == first && !joint.revolute) {
            // its z becomes the normal: Q rotates the normal to z
            Pose<double> to_revolute = identity_pose();
            for (int k = first + 1; k <= first_revolute; ++k) to_revolute = to_revolute * loop.joints[k].placement;
            const Vector3<double> n = to_revolute.z, z = {0, 0, 1};
            if (std::fabs(dot(n, z)) > SAME_DIRECTION) return false;
            const Vector3<double> x = z, y = cross(n, x);  // its direction becomes the plane's x
            const double length = std::sqrt(dot(y, y));
            const Pose<double> Q_inverse = {x, scaled(y, 1.0 / length), scaled(n, 1.0), {0, 0, 0}};
            joint.placement = M * Q_inverse;
            joint.direction_x = 1.0, joint.direction_y = 0.0;
            compensation = inverse_pose(Q_inverse);
            continue;
        }
        if (joint.revolute) {
            if (i > first && sine_between(M.z, {0, 0, 1}) > SAME_DIRECTION) return false;
            if (i > first && M.z.z < 0.0) {
                M = M * half_turn_about_x();
                joint.sign = -joint.sign;
                compensation = half_turn_about_x();
            }
            joint.placement = M;
        } else {
            if (std::fabs(M.z.z) > SAME_DIRECTION) return false;
            joint.direction_x = M.z.x, joint.direction_y = M.z.y;
            joint.placement = identity_pose();
            compensation = M;
        }
    }
    if (first + size < loop.n) loop.joints[first + size].placement = compensation * loop.joints[first + size].placement;
    else loop.tip = compensation * loop.tip;
    return true;
}

// The fixed links between the outer joints, in the order of the loop.
inline void set_links(Loop& loop) {
    const int after = loop.n - loop.first - loop.size;
    loop.count = loop.n - loop.size;
    loop.target_link = after;
    for (int k = 0; k < after; ++k) loop.outer[k] = loop.first + loop.size + k;
    for (int k = 0; k < loop.first; ++k) loop.outer[after + k] = k;
    loop.left = loop.tip;
    loop.right =
        loop.size == 0 ? identity_pose() : loop.joints[0].placement;  // without a group the loop ends at the base
    for (int k = 0; k <= loop.count; ++k) {
        if (k < after) loop.link[k] = loop.joints[loop.first + loop.size + k].placement;
        else if (k > after) loop.link[k] = loop.joints[k - after].placement;  // ends with the group's own placement
        else loop.link[k] = identity_pose();
    }
    loop.height = 0.0;
    for (int i = loop.first + 1; i < loop.first + loop.size; ++i) loop.height += loop.joints[i].placement.origin.z;
}

// Where the axis of a (or c) intersects that of b, move the frame of joint b along its axis to the intersection: the
// equations then decouple.
inline void centre_middle(Loop& loop) {
    if (loop.count < 2) return;
    const int b = loop.outer[1];
    auto shift = [&](double by) {
        loop.joints[b].placement = loop.joints[b].placement * shifted_along_z(by);
        Pose<double>& next = b + 1 < loop.n ? loop.joints[b + 1].placement : loop.tip;
        next = shifted_along_z(-by) * next;
        set_links(loop);
    };
    const double near = SAME_PLACE * loop.scale;
    // the point of a line with direction d through p that is closest to the z axis: its height and its distance
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
        if (meeting(back.z, back.origin, along, gap) && gap <= near) return shift(along);
    }
    if (loop.has_c() && loop.target_link != 2 && meeting(loop.link[2].z, loop.link[2].origin, along, gap) &&
        gap <= near)
        shift(along);
}

}  // namespace limbik::closed_form
