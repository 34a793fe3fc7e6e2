// All configurations of a decoupled chain (loop.hpp), a branch or a target in each lane.
//
// The equations are those of loop_equations.hpp. outer_unknowns.hpp solves them one after the other, outer_roots.hpp
// both at once. Then follow the middle joint and the group.
#pragma once

#include <limits>
#include <optional>

#include "outer_unknowns.hpp"
#include "planar_group.hpp"
#include "spherical_group.hpp"

namespace limbik::closed_form {

// Below this squared gap to the other root, results that follow from a root are uncertain: missing ones prove nothing.
inline constexpr double LOOSE_ROOT = 1e-8;

// One branch, per lane.
template <class R> struct Branch {
    R q[LOOP_JOINTS + 1];  // in the order of the loop's joints
    MaskOf<R> exists, family;
    MaskOf<R> loose;  // found from a root that is nearly double or undetermined: what follows is uncertain
    R gap;            // the squared distance to the closest double root, without units
};

class ClosedForm {
  public:
    explicit ClosedForm(const Loop& loop) : loop_(loop) {
        if (loop.group == Group::spherical && loop.size == 3)
            sphere_ = SphericalGroup(loop.joints[loop.first + 1].placement, loop.joints[loop.first + 2].placement);
        if (loop.group == Group::planar) plane_ = PlanarGroup(loop.joints + loop.first, loop.size, loop.scale);
    }

    const Loop& loop() const { return loop_; }

    int most() const { return loop_.most_branches(); }

    template <class R> LIMBIK_NOINLINE TargetEquations<R> equations(const Pose<R>& target) const {
        TargetEquations<R> o;
        LoopEquations(loop_).set_target(target, o);
        return o;
    }

    // Solve the outer unknowns where one equation contains only one of them. A sign chooses the root of each.
    template <class R> using Outer = OuterUnknowns<R>;
    template <class R>
    LIMBIK_NOINLINE Outer<R> outer(const TargetEquations<R>& o, R first_sign, R second_sign, const R* seed) const {
        Outer<R> out;
        OuterSolver(loop_).outer(o, first_sign, second_sign, seed, out);
        return out;
    }

    // Solve joint b of a branch, given a and c. Returns the motion G of the group.
    template <class R> LIMBIK_NOINLINE Pose<R> reach_group(const TargetEquations<R>& o, const Outer<R>& found,
                                                           const R* seed, Branch<R>& out) const {
        out.exists = found.a.exists & found.c.exists;
        out.family = found.a.family | found.c.family;
        out.gap = select(found.a.gap < found.c.gap, found.a.gap, found.c.gap);
        out.loose = out.family | (found.a.exists & (found.a.gap < R(LOOSE_ROOT))) |
                    (found.c.exists & (found.c.gap < R(LOOSE_ROOT)));
        const int count = loop_.count;
        Pose<R> D = o.K[0];
        if (count >= 2) move(D, loop_.a().revolute, found.a.u, found.a.v);
        if (count >= 1) {
            const Unknown<R> b = middle(o, found, seed);
            out.family = out.family | b.family;
            out.loose = out.loose | b.family;
            put_outer(out, found, b, seed);
            if (count >= 2) D = D * o.K[1];
            move(D, loop_.b().revolute, b.u, b.v);
            D = D * o.K[count >= 2 ? 2 : 1];
            if (count == 3) {
                move(D, loop_.c().revolute, found.c.u, found.c.v);
                D = D * o.K[3];
            }
        }
        return inverse_pose(D);
    }
    // Decompose G into the values of the group's joints.
    template <class R> LIMBIK_NOINLINE GroupMotion<R> group_motion(const Pose<R>& G, R sign, const R* seed) const {
        return group_of(G, sign, seed);
    }
    // The same, written into the branch.
    template <class R> LIMBIK_NOINLINE void split_group(const Pose<R>& G, R sign, const R* seed, Branch<R>& out) const {
        const GroupMotion<R> motion = group_of(G, sign, seed);
        for (int k = 0; k < 3; ++k)
            if (k < loop_.size) out.q[loop_.first + k] = motion.q[k];
        out.exists = out.exists & motion.exists, out.family = out.family | motion.family;
        out.gap = select(motion.gap < out.gap, motion.gap, out.gap);
    }

    // The group's measure of a motion: it is reachable where this is in [-1, 1].
    bool can_measure() const { return loop_.group == Group::spherical ? loop_.size == 3 : plane_.can_measure(); }
    double measure(const Pose<double>& G) const {
        return loop_.group == Group::spherical ? sphere_.measure(G) : plane_.measure(G);
    }

    // Both outer unknowns at once: pairs (ua, va, uc, vc). `spread`: bounds on them for equations known up to eps, each
    // in its own unit.
    int together(const TargetEquations<double>& o, double out[CIRCLE_ROOTS][4], OuterSpread* spread = nullptr) const {
        const LoopEquations equations(loop_);
        Equation<double> e[2];
        equations.sized(o, e);
        if (spread)
            for (int k = 0; k < 2; ++k) spread->eps[k] /= equations.size_of_equation<double>(k);
        return roots_together(e, loop_.a().revolute, loop_.c().revolute, out, spread);
    }
    // How the two equations intersect in a root.
    Crossing crossing(const TargetEquations<double>& o, const double root[4]) const {
        Equation<double> e[2];
        LoopEquations(loop_).sized(o, e);
        return crossing_of(e, loop_.a().revolute, loop_.c().revolute, loop_.scale, root);
    }

    // The two vectors that joint b aligns, in its frame: Jb y = x.
    template <class R> LIMBIK_INLINE void seen_from_middle(const TargetEquations<R>& o, const Outer<R>& found,
                                                           Vector3<R>& x, Vector3<R>& y) const {
        const bool point = loop_.group == Group::spherical;
        const int count = loop_.count;
        x = o.w, y = o.v;
        if (count >= 2) {
            if (loop_.a().revolute) x = rotated_z(o.w, found.a.u, -found.a.v);
            else if (point) x = {o.w.x, o.w.y, o.w.z - found.a.u};
            const Pose<R>& K1 = o.K[1];
            x = point ? untransform(K1, x) : unrotate(K1, x);
        }
        if (count == 3) {
            if (loop_.c().revolute) y = rotated_z(o.v, found.c.u, found.c.v);
            else if (point) y = {o.v.x, o.v.y, o.v.z + found.c.u};
            y = point ? transform(o.K[2], y) : rotate(o.K[2], y);
        }
    }
    // Whether `a` is determined by the equation that does not lead.
    bool uses_other_equation(const TargetEquations<double>& o) const {
        return OuterSolver(loop_).uses_other_equation(o);
    }
    const SphericalGroup& sphere() const { return sphere_; }
    const PlanarGroup& plane() const { return plane_; }

  private:
    // The group's joints.
    template <class R> LIMBIK_INLINE GroupMotion<R> group_of(const Pose<R>& G, R sign, const R* seed) const {
        const int i = loop_.first;
        if (loop_.group == Group::planar) return plane_.split(G, sign, seed + i);
        if (loop_.size == 3) return sphere_.split(G, sign, seed[i]);
        // one or two axes through a point: one solution, which verification accepts or not
        GroupMotion<R> out = {{R(0.0), R(0.0), R(0.0)}, R(std::numeric_limits<double>::infinity()), {}, {}};
        out.exists = R(0.0) == R(0.0), out.family = !out.exists;
        if (loop_.size == 2) {
            const Pose<R> M1 = broadcast<R>(loop_.joints[i + 1].placement);
            const Alignment<R> turn = align(M1.z.x, M1.z.y, G.z.x, G.z.y, 1.0);
            out.q[0] = arc_tangent2(turn.s, turn.c);
            R s, c;
            last_turn(rotated_z(M1.x, turn.c, turn.s), rotated_z(M1.y, turn.c, turn.s), G, s, c);
            out.q[1] = arc_tangent2(s, c);
        } else if (loop_.size == 1) {
            out.q[0] = arc_tangent2(G.x.y - G.y.x, G.x.x + G.y.y);
        }
        return out;
    }
    template <class R> static void move(Pose<R>& T, bool revolute, R u, R v) {
        if (revolute) rotate_about_z(T, v, u);
        else T.origin = madd(T.z, u, T.origin);
    }
    // The values of the outer joints.
    template <class R>
    LIMBIK_INLINE void put_outer(Branch<R>& out, const Outer<R>& found, const Unknown<R>& b, const R* seed) const {
        const int count = loop_.count;
        R value[3] = {R(0.0), R(0.0), R(0.0)};
        if (count == 3 && loop_.a().revolute && loop_.b().revolute && loop_.c().revolute) {
            const R sine[3] = {found.a.v, b.v, found.c.v}, cosine[3] = {found.a.u, b.u, found.c.u};
            arc_tangents2<3>(sine, cosine, value);
        } else {
            auto of = [](const LoopJoint& joint, const Unknown<R>& x) {
                return joint.revolute ? arc_tangent2(x.v, x.u) : x.u;
            };
            if (count >= 2) value[0] = of(loop_.a(), found.a);
            value[count >= 2 ? 1 : 0] = of(loop_.b(), b);
            if (count == 3) value[2] = of(loop_.c(), found.c);
        }
        auto put = [&](int k, const Unknown<R>& x) {
            const int joint = loop_.outer[k];
            out.q[joint] = any(x.free) ? select(x.free, seed[joint], value[k]) : value[k];
        };
        if (count >= 2) put(0, found.a);
        put(count >= 2 ? 1 : 0, b);
        if (count == 3) put(2, found.c);
    }

    // Joint b, from x and y.
    template <class R>
    LIMBIK_INLINE Unknown<R> middle(const TargetEquations<R>& o, const Outer<R>& found, const R* seed) const {
        const bool point = loop_.group == Group::spherical;
        const int count = loop_.count;
        Vector3<R> x, y;
        seen_from_middle(o, found, x, y);
        Unknown<R> b;
        b.gap = R(1.0);
        b.exists = R(0.0) == R(0.0);
        if (loop_.b().revolute) {
            const double scale = point ? loop_.scale : 1.0;
            const Alignment<R> turn = align(y.x, y.y, x.x, x.y, scale);
            b.u = turn.c, b.v = turn.s, b.free = turn.free, b.family = turn.family;
            if (any(b.free)) [[unlikely]] {
                R s, c;
                sincos(seed[loop_.outer[count >= 2 ? 1 : 0]], s, c);
                b.u = select(b.free, c, b.u), b.v = select(b.free, s, b.v);
            }
            return b;
        }
        if (point) {
            b.u = x.z - y.z;
            b.free = b.family = !b.exists;
        } else {
            // the sum of the heights along the normal, without that of b
            R sum = o.K[0].origin.z;
            if (count >= 2) {
                Vector3<R> p = o.K[1].origin;
                if (loop_.a().revolute) p = rotated_z(p, found.a.u, found.a.v);
                else p.z = p.z + found.a.u;
                sum = sum + dot(o.w, p);
            }
            Vector3<R> reached = o.K[count].origin;
            if (count == 3) {
                if (loop_.c().revolute) reached = rotated_z(reached, found.c.u, found.c.v);
                else reached.z = reached.z + found.c.u;
                reached = transform(o.K[2], reached);
            }
            sum = sum + dot(y, reached);
            b.free = b.family = absolute(x.z) <= R(NO_HOLD);
            b.u = (R(-loop_.height) - sum) / select(b.free, R(1.0), x.z);
            if (any(b.free)) b.u = select(b.free, seed[loop_.outer[count >= 2 ? 1 : 0]], b.u);
        }
        b.v = b.u * b.u;
        return b;
    }

    Loop loop_;
    SphericalGroup sphere_;
    PlanarGroup plane_;
};

}  // namespace limbik::closed_form
