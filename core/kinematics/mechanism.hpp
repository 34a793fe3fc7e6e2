// A mechanism of joints in a tree, parents first, with fixed links merged: forward kinematics and Jacobian.
#pragma once

#include <vector>

#include "joint.hpp"

namespace limbik::kinematics {

struct Element {
    int parent;  // the element that this one is attached to; -1 is the base
    Kind kind;
    int first;     // where its values begin in q
    double scale;  // a mimic joint's value is scale * q[first] + offset
    double offset;
    bool wraps;              // 2-pi copies are the same configuration (continuous joints)
    Pose<double> placement;  // T_parent_joint; the joint's axis is z
};

struct Frame {
    int element;             // the element that the frame is attached to; -1 is the base
    Pose<double> placement;  // T_element_frame
};

struct Mechanism {
    int n = 0;  // numbers in q
    std::vector<Element> elements;
    std::vector<Frame> frames;
};

// The pose of every element. `poses` has one place per element.
template <class R> inline void forward_elements(const Mechanism& m, const R* q, Pose<R>* poses) {
    for (std::size_t e = 0; e < m.elements.size(); ++e) {
        const Element& element = m.elements[e];
        Pose<R> T = element.parent < 0 ? broadcast<R>(element.placement)
                                       : poses[element.parent] * broadcast<R>(element.placement);
        if (size_of(element.kind) == 1) {
            const R value = madd(R(element.scale), q[element.first], R(element.offset));
            apply_joint(element.kind, &value, T);
        } else {
            apply_joint(element.kind, q + element.first, T);
        }
        poses[e] = T;
    }
}

template <class R> inline Pose<R> frame_pose(const Frame& frame, const Pose<R>* poses) {
    return frame.element < 0 ? broadcast<R>(frame.placement) : poses[frame.element] * broadcast<R>(frame.placement);
}

// The velocity of `tip`'s frame per joint velocity: J is 6 rows of n, three linear rows and then three angular,
// base frame, at the tip. Columns of elements that share a number of q (mimic joints) add up.
template <class R> inline void jacobian_elements(const Mechanism& m, const Frame& tip, const Pose<R>* poses, R* J) {
    const int n = m.n;
    for (int k = 0; k < 6 * n; ++k) J[k] = R(0.0);
    const Vector3<R> p = frame_pose(tip, poses).origin;
    auto add = [&](int column, double scale, const Vector3<R>& linear, const Vector3<R>& angular) {
        R* c = J + column;
        c[0 * n] = madd(linear.x, R(scale), c[0 * n]);
        c[1 * n] = madd(linear.y, R(scale), c[1 * n]);
        c[2 * n] = madd(linear.z, R(scale), c[2 * n]);
        c[3 * n] = madd(angular.x, R(scale), c[3 * n]);
        c[4 * n] = madd(angular.y, R(scale), c[4 * n]);
        c[5 * n] = madd(angular.z, R(scale), c[5 * n]);
    };
    const Vector3<R> zero = {R(0.0), R(0.0), R(0.0)};
    for (int e = tip.element; e >= 0; e = m.elements[e].parent) {
        const Element& element = m.elements[e];
        const Pose<R>& T = poses[e];
        int column = element.first;
        switch (element.kind) {
            case Kind::revolute: add(column, element.scale, cross(T.z, p - T.origin), T.z); break;
            case Kind::prismatic: add(column, element.scale, T.z, zero); break;
            case Kind::floating: {
                const Pose<R> before = element.parent < 0 ? broadcast<R>(element.placement)
                                                          : poses[element.parent] * broadcast<R>(element.placement);
                add(column++, 1.0, before.x, zero);
                add(column++, 1.0, before.y, zero);
                add(column++, 1.0, before.z, zero);
                [[fallthrough]];
            }
            case Kind::ball: {
                const Vector3<R> arm = p - T.origin;
                add(column++, 1.0, cross(T.x, arm), T.x);
                add(column++, 1.0, cross(T.y, arm), T.y);
                add(column, 1.0, cross(T.z, arm), T.z);
            }
        }
    }
}

}  // namespace limbik::kinematics
