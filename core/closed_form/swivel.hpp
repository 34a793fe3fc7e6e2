// S-R-S arms: spherical shoulder, revolute elbow, spherical wrist; seven joints, redundant by one.
//
// With the tip fixed the elbow rotates about the line from shoulder to wrist; the angle is the swivel. It is zero where
// the elbow points along the zero direction: minus the first axis, projected across the line. It is positive
// right-handed about the direction d from shoulder to wrist. The elbow's direction is the side of that line on which
// the elbow lies: orthogonal to the line and to the elbow's axis, so that it exists for a straight arm too.
//
// The elbow's angle follows from the distance (two roots). At swivel s the upper arm's rotation is
//     R(s) = B Rx(s) L^T     B = (d, zero, d x zero) in the base, L = (r, side, r x side) in the upper arm.
// Here r is the direction from shoulder to wrist and `side` that to the elbow. Shoulder and wrist are spherical groups
// (spherical_group.hpp) with two solutions each: eight branches.
//
// The swivels inside the limits: swivel_ranges.hpp.
#pragma once

#include <optional>

#include "loop.hpp"
#include "spherical_group.hpp"

namespace limbik::closed_form {

// The sine between the line and the zero direction below which another zero direction is used.
inline constexpr double NO_ZERO = 1e-9;

inline constexpr int SWIVEL_BRANCHES = 8, SWIVEL_JOINTS = 7;

// A rotation as a function of the swivel s: P cos s + Q sin s + C, entry by entry.
struct SwivelRotation {
    Pose<double> P, Q, C;

    Pose<double> at(double cosine, double sine) const {
        auto column = [&](const Vector3<double>& p, const Vector3<double>& q, const Vector3<double>& r) {
            return madd(p, cosine, madd(q, sine, r));
        };
        return {column(P.x, Q.x, C.x), column(P.y, Q.y, C.y), column(P.z, Q.z, C.z), {0, 0, 0}};
    }
};

class SwivelArm {
  public:
    // The decomposition of a chain; nothing where it has another structure.
    static std::optional<SwivelArm> of(const Loop& chain) {
        if (chain.n != SWIVEL_JOINTS) return std::nullopt;
        SwivelArm arm;
        arm.loop_ = chain;
        if (!chain.joints[3].revolute) return std::nullopt;
        Vector3<double> shoulder_in_first, wrist_in_first;
        if (!axes_intersect(chain, 0, 3, shoulder_in_first, arm.shoulder_in_upper_)) return std::nullopt;
        if (!axes_intersect(chain, 4, 3, wrist_in_first, arm.wrist_in_last_)) return std::nullopt;
        auto placement = [&](int i) -> const Pose<double>& { return chain.joints[i].placement; };
        arm.base_ = placement(0);
        arm.shoulder_ = transform(placement(0), shoulder_in_first);
        arm.zero_ = -placement(0).z;
        arm.other_zero_ = -placement(0).x;
        arm.shoulder_group_ = SphericalGroup(placement(1), placement(2));
        arm.wrist_group_ = SphericalGroup(placement(5), placement(6));
        arm.upper_ = placement(3), arm.fore_ = placement(4), arm.tip_inverse_ = inverse_pose(chain.tip);
        arm.wrist_in_tip_ = transform(arm.tip_inverse_, arm.wrist_in_last_);
        arm.reach_ = transform(placement(4), wrist_in_first);
        const Pose<double> back = inverse_pose(placement(3));
        arm.root_ = transform(back, arm.shoulder_in_upper_);
        arm.projection_ = rotated_component(arm.root_, arm.reach_);
        // the distance must depend on the elbow
        if (arm.projection_.first * arm.projection_.first + arm.projection_.second * arm.projection_.second <=
            SAME_PLACE * SAME_PLACE * chain.scale * chain.scale * chain.scale * chain.scale)
            return std::nullopt;
        return arm;
    }

    const Loop& loop() const { return loop_; }
    const Vector3<double>& zero() const { return zero_; }

    // The line from shoulder to wrist at a target, and the directions across it.
    template <class R> struct Line {
        Vector3<R> d, zero, third;  // unit vectors, right-handed
        R length;
        MaskOf<R> has_zero;  // false: the zero direction is along the line, and the other one is used
    };
    template <class R> LIMBIK_NOINLINE Line<R> line(const Pose<R>& target) const {
        Line<R> out;
        const Vector3<R> w = transform(target, broadcast<R>(wrist_in_tip_)) - broadcast<R>(shoulder_);
        out.length = square_root(dot(w, w));
        // where shoulder and wrist coincide the line has no direction of its own
        const auto none = out.length <= R(NO_HOLD * loop_.scale);
        out.d = scaled(w, R(1.0) / select(none, R(1.0), out.length));
        out.d = select(none, broadcast<R>(base_.z), out.d);
        auto across = [&](const Vector3<double>& v) {
            const R along = dot(broadcast<R>(v), out.d);
            return madd(out.d, -along, broadcast<R>(v));
        };
        Vector3<R> z = across(zero_);
        R n2 = dot(z, z);
        out.has_zero = n2 > R(NO_ZERO * NO_ZERO);
        if (any(!out.has_zero)) {
            z = select(out.has_zero, z, across(other_zero_));
            n2 = dot(z, z);
        }
        out.zero = scaled(z, R(1.0) / square_root(n2));
        out.third = cross(out.d, out.zero);
        return out;
    }

    // The elbow's angle for a distance, and directions in the upper arm's frame.
    template <class R> struct Bent {
        Unknown<R> elbow;
        Vector3<R> r, side, third;  // in the upper arm's frame: to the wrist, to the elbow's side, r x side
        Pose<R> forearm;            // rotation of the wrist's first frame in the upper arm's
    };
    template <class R> LIMBIK_INLINE Bent<R> bend(R length, R sign) const {
        Bent<R> out;
        // |Rz(q) reach - root| = length
        const R d = R(0.5) * nmadd(length, length, R(dot(reach_, reach_) + dot(root_, root_))) - R(projection_.rest);
        out.elbow = on_circle(R(projection_.first), R(projection_.second), d, sign, R(loop_.scale * loop_.scale));
        const Vector3<R> there = rotated_z(broadcast<R>(reach_), out.elbow.u, out.elbow.v) - broadcast<R>(root_);
        Vector3<R> r = rotate(broadcast<R>(upper_), there);
        const R n2 = dot(r, r);
        const auto none = n2 <= R(NO_HOLD * NO_HOLD * loop_.scale * loop_.scale);
        r = scaled(r, R(1.0) / square_root(select(none, R(1.0), n2)));
        // the elbow lies on the side sign(derivative of the distance) * (axis x r). That sign is `sign`: on_circle
        // takes the root where the derivative of root.Rz(q) reach = constant - length^2 / 2 has the opposite sign
        Vector3<R> side = cross(broadcast<R>(upper_.z), r);
        const R s2 = dot(side, side);
        const auto along = s2 <= R(NO_ZERO * NO_ZERO);
        const R by = sign / square_root(select(along, R(1.0), s2));
        side = scaled(side, by);
        out.elbow.exists = out.elbow.exists & !along & !none;
        out.r = r, out.side = side, out.third = cross(r, side);
        Pose<R> fore = broadcast<R>(upper_);
        rotate_about_z(fore, out.elbow.v, out.elbow.u);
        const Pose<R> M4 = broadcast<R>(fore_);
        out.forearm = {rotate(fore, M4.x), rotate(fore, M4.y), rotate(fore, M4.z), {R(0.0), R(0.0), R(0.0)}};
        return out;
    }

    // The rotation of the upper arm, B Rx(s) L'.
    template <class R> LIMBIK_INLINE Pose<R> upper_arm(const Line<R>& line, const Bent<R>& bent, R c, R s) const {
        const Vector3<R> e2 = madd(line.third, s, scaled(line.zero, c)),
                         e3 = madd(line.zero, -s, scaled(line.third, c));
        auto column = [&](R r, R side, R third) { return madd(line.d, r, madd(e2, side, scaled(e3, third))); };
        return {column(bent.r.x, bent.side.x, bent.third.x),
                column(bent.r.y, bent.side.y, bent.third.y),
                column(bent.r.z, bent.side.z, bent.third.z),
                {R(0.0), R(0.0), R(0.0)}};
    }

    // A branch at a swivel. The signs choose the solutions of elbow, shoulder and wrist.
    template <class R> struct SwivelPosture {
        R q[SWIVEL_JOINTS];
        R gap;  // as in `Posture`: the least one of elbow, shoulder and wrist; 0 at a double root
        MaskOf<R> exists;
        MaskOf<R> family;  // of shoulder or wrist, the first and last axis coincide: their joints share one rotation
    };
    template <class R> LIMBIK_NOINLINE SwivelPosture<R> posture(const Pose<R>& target, const Line<R>& line, R swivel,
                                                                R elbow_sign, R shoulder_sign, R wrist_sign,
                                                                const R* seed) const {
        SwivelPosture<R> out;
        const Bent<R> bent = bend(line.length, elbow_sign);
        R s, c;
        sincos(swivel, s, c);
        const Pose<R> U = upper_arm(line, bent, c, s);
        const Pose<R> base_rotation = broadcast<R>(base_);
        const auto first = shoulder_group_.split(relative(base_rotation, U), shoulder_sign, seed[0]);
        const Pose<R> last_link = last_link_rotation(target);
        const Pose<R> F = {rotate(U, bent.forearm.x), rotate(U, bent.forearm.y), rotate(U, bent.forearm.z), U.origin};
        const auto last = wrist_group_.split(relative(F, last_link), wrist_sign, seed[4]);
        for (int k = 0; k < 3; ++k) out.q[k] = first.q[k], out.q[4 + k] = last.q[k];
        out.q[3] = arc_tangent2(bent.elbow.v, bent.elbow.u);
        out.exists = bent.elbow.exists & first.exists & last.exists;
        out.family = first.family | last.family;
        auto less = [](R a, R b) { return select(a < b, a, b); };
        out.gap = less(bent.elbow.gap, less(first.gap, last.gap));
        return out;
    }

    // The swivel of a configuration, from the rotation of its upper arm and the sign of its elbow.
    double swivel_of(const Pose<double>& upper_arm_rotation, const Pose<double>& target, double sign_of_elbow) const {
        const Line<double> l = line(target);
        const Vector3<double> axis = rotate(upper_arm_rotation, upper_.z);
        const Vector3<double> side = scaled(cross(axis, l.d), sign_of_elbow);
        return std::atan2(dot(side, l.third), dot(side, l.zero));
    }
    // The swivel that points the elbow towards a point in the base frame.
    double towards(const Pose<double>& target, const Vector3<double>& point) const {
        const Line<double> l = line(target);
        const Vector3<double> p = point - shoulder_;
        return std::atan2(dot(p, l.third), dot(p, l.zero));
    }
    // The `sign` of `bend` for the elbow of a configuration: -1 where the distance decreases as q3 increases, else +1.
    double elbow_sign(double q3) const { return elbow_slope(q3) > 0.0 ? -1.0 : 1.0; }
    // The derivative of -distance^2 / 2 by the elbow's angle, relative to its maximum.
    double elbow_slope(double q3) const {
        return (projection_.second * std::cos(q3) - projection_.first * std::sin(q3)) /
               std::hypot(projection_.first, projection_.second);
    }

    // The rotations of shoulder and wrist as functions of the swivel: those of `upper_arm` and `posture`, part by part.
    void rotations_over_swivel(const Pose<double>& target, const Line<double>& line, const Bent<double>& bent,
                               SwivelRotation& shoulder, SwivelRotation& wrist) const {
        const Vector3<double> none = {0, 0, 0};
        const Pose<double> last_link = last_link_rotation(target);
        auto part = [&](const Vector3<double>& d, const Vector3<double>& e2, const Vector3<double>& e3, Pose<double>& S,
                        Pose<double>& W) {
            auto column = [&](double r, double side, double third) {
                return madd(d, r, madd(e2, side, scaled(e3, third)));
            };
            const Pose<double> U = {column(bent.r.x, bent.side.x, bent.third.x),
                                    column(bent.r.y, bent.side.y, bent.third.y),
                                    column(bent.r.z, bent.side.z, bent.third.z), none};
            S = relative(base_, U);
            W = relative({rotate(U, bent.forearm.x), rotate(U, bent.forearm.y), rotate(U, bent.forearm.z), none},
                         last_link);
        };
        part(none, line.zero, line.third, shoulder.P, wrist.P);
        part(none, line.third, -line.zero, shoulder.Q, wrist.Q);
        part(line.d, none, none, shoulder.C, wrist.C);
    }
    // The distance of the wrist from the tip.
    double wrist_to_tip() const { return std::sqrt(dot(wrist_in_tip_, wrist_in_tip_)); }
    // The distance of the wrist from the elbow's axis.
    double wrist_to_elbow_axis() const { return std::hypot(reach_.x, reach_.y); }
    // The spread of the elbow's angle for a distance known up to `by`.
    Spread elbow_spread(double length, double by) const {
        const double d = 0.5 * (dot(reach_, reach_) + dot(root_, root_) - length * length) - projection_.rest;
        return spread_on_circle(projection_.first, projection_.second, d, (length + by) * by);
    }
    // Whether the elbow can reach the wrist's distance.
    bool reaches(const Pose<double>& target) const { return bend(line(target).length, 1.0).elbow.exists; }
    // Whether shoulder and wrist are right-angled and so reach every rotation: there is a configuration at every swivel
    // or none.
    bool reaches_every_rotation() const { return shoulder_group_.right_angled && wrist_group_.right_angled; }
    const SphericalGroup& shoulder_group() const { return shoulder_group_; }
    const SphericalGroup& wrist_group() const { return wrist_group_; }

  private:
    // The rotation A^T B.
    template <class R> static Pose<R> relative(const Pose<R>& A, const Pose<R>& B) {
        return {unrotate(A, B.x), unrotate(A, B.y), unrotate(A, B.z), {R(0.0), R(0.0), R(0.0)}};
    }
    // The rotation of the last link, without the tip's placement.
    template <class R> Pose<R> last_link_rotation(const Pose<R>& target) const {
        const Pose<R> t = broadcast<R>(tip_inverse_);
        return {rotate(target, t.x), rotate(target, t.y), rotate(target, t.z), {R(0.0), R(0.0), R(0.0)}};
    }

    Loop loop_;
    // The placements of the first joint, the elbow and the joint after it.
    Pose<double> base_, upper_, fore_, tip_inverse_;
    Vector3<double> shoulder_, zero_, other_zero_, shoulder_in_upper_, wrist_in_last_, wrist_in_tip_;
    Vector3<double> reach_, root_;  // the wrist from the elbow's link, the shoulder from the elbow's placement
    Sinusoid<double> projection_;   // root.Rz(q) reach; the squared distance is |reach|^2 + |root|^2 - 2 projection
    SphericalGroup shoulder_group_, wrist_group_;
};

}  // namespace limbik::closed_form
