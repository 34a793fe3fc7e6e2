// Every posture of a chain that comes apart (loop.hpp), one branch per lane or one target per lane.
//
// In the frame of the middle joint b, x is what must be reached (the group's point or normal, brought back over a) and y what
// is there (brought on over c): x = Jb y. For a point: equal heights and equal lengths. For a normal: equal heights, and the
// plane's distance agrees. Each of the two equations reads
//
//     a1 ua + a2 va + c1 uc + c2 vc = d        (u, v) = (cos, sin) of a turn, (q, q^2) of a slide.
//
// Where one of them holds a alone or c alone, it is a line and a circle, and so is the other then: 2 x 2 roots. Where not, the
// two together are a conic and a circle: at most 4 roots.
#pragma once

#include <optional>

#include "loop.hpp"
#include "spherical_group.hpp"

namespace limbik {

// Most postures of a chain of six joints that comes apart: 4 by the outer joints, 2 by the group.
inline constexpr int MOST_BRANCHES = 8;

template <class R> struct Equation {
    R a1, a2, c1, c2, d;
};

// What a target makes of the loop.
template <class R> struct Opened {
    Pose<R> K[4];
    Vector3<R> w, v;  // the point or normal, seen from the two ends
    Equation<R> e[2];
};

// One branch, per lane.
template <class R> struct Branch {
    R q[LOOP_JOINTS + 1];  // in the order of the loop's joints
    MaskOf<R> exists, family;
    R gap;             // how far the nearest double root is, squared, without units
};

class ClosedForm {
  public:
    explicit ClosedForm(const Loop& loop) : loop_(loop) {
        if (loop.group == Group::spherical && loop.size == 3)
            sphere_ = SphericalGroup(loop.joints[loop.first + 1].mount, loop.joints[loop.first + 2].mount);
    }

    const Loop& loop() const { return loop_; }

    int most() const { return loop_.most_branches(); }

    template <class R> LIMBIK_APART Opened<R> open(const Pose<R>& target) const {
        Opened<R> o;
        const int count = loop_.count;
        for (int k = 0; k <= count; ++k) o.K[k] = broadcast<R>(loop_.link[k]);
        o.K[loop_.target_link] = broadcast<R>(loop_.left) * inverse_of(target) * broadcast<R>(loop_.right);
        if (count == 0) return o;
        const Pose<R>&K0 = o.K[0], &last = o.K[count];
        if (loop_.group == Group::spherical) {
            o.w = back(K0, wide<R>(loop_.centre_last));
            o.v = transform(last, wide<R>(loop_.centre_first));
        } else {
            o.w = {K0.x.z, K0.y.z, K0.z.z};
            o.v = last.z;
        }
        if (count >= 2) equations(o);
        return o;
    }

    // The outer unknowns for two signs each; `which` numbers the roots where they come together.
    template <class R> struct Outer {
        Unknown<R> a, c;
    };
    template <class R> LIMBIK_APART Outer<R> outer(const Opened<R>& o, R first_sign, R second_sign, const R* seed) const {
        Outer<R> out;
        if (loop_.count < 2) {
            const auto yes = R(0.0) == R(0.0);
            out.a = out.c = {R(1.0), R(0.0), yes, !yes, !yes, R(1.0)};
            return out;
        }
        const Equation<R>&lead = o.e[loop_.leading], &other = o.e[1 - loop_.leading];
        if (!loop_.has_c()) {
            const auto yes = R(0.0) == R(0.0);
            out.c = {R(1.0), R(0.0), yes, !yes, !yes, R(1.0)};
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
        } else if (loop_.order == Order::a_first) {
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.a1, out.a.u, nmadd(other.a2, out.a.v, other.d));
            if (loop_.square_c) {
                const Vector3<R> x = turned(o.w, out.a.u, -out.a.v), across = {dot(o.K[1].x, x), dot(o.K[1].y, x), R(0.0)};
                out.c = freed(on_circle(other.c1, other.c2, rest, dot(across, across), second_sign, R(1.0)), loop_.c(), loop_.outer[2], seed);
            } else {
                out.c = solve_c(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        } else {
            out.c = solve_c(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.c1, out.c.u, nmadd(other.c2, out.c.v, other.d));
            if (loop_.square_a) {
                // the equation says cos(a) = the height of y; where that is nearly 1, the sine is what is left of y across
                const Vector3<R> y = rotate(o.K[2], turned(o.v, out.c.u, out.c.v));
                out.a = freed(on_circle(other.a1, other.a2, rest, madd(y.x, y.x, y.y * y.y), second_sign, R(1.0)), loop_.a(), loop_.outer[0], seed);
            } else {
                out.a = solve_a(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        }
        return out;
    }

    // Both outer unknowns at once, in plain numbers: up to 4 pairs (ua, va, uc, vc).
    int together(const Opened<double>& o, double out[4][4]) const;

    // The rest of a branch once a and c are known: joint b and what the group must do,
    template <class R>
    LIMBIK_APART Pose<R> reach_group(const Opened<R>& o, const Outer<R>& found, const R* seed, Branch<R>& out) const {
        out.exists = found.a.exists & found.c.exists;
        out.family = found.a.family | found.c.family;
        out.gap = select(found.a.gap < found.c.gap, found.a.gap, found.c.gap);
        const int count = loop_.count;
        Pose<R> D = o.K[0];
        if (count >= 2) {
            put(out, loop_.outer[0], loop_.a().turns, found.a, seed);
            move(D, loop_.a().turns, found.a.u, found.a.v);
        }
        if (count == 3) put(out, loop_.outer[2], loop_.c().turns, found.c, seed);
        if (count >= 1) {
            const Unknown<R> b = middle(o, found, seed);
            out.family = out.family | b.family;
            put(out, loop_.outer[count >= 2 ? 1 : 0], loop_.b().turns, b, seed);
            if (count >= 2) D = D * o.K[1];
            move(D, loop_.b().turns, b.u, b.v);
            D = D * o.K[count >= 2 ? 2 : 1];
            if (count == 3) {
                move(D, loop_.c().turns, found.c.u, found.c.v);
                D = D * o.K[3];
            }
        }
        return inverse_of(D);
    }
    // then the group's own joints.
    template <class R> LIMBIK_APART void split_group(const Pose<R>& G, R sign, const R* seed, Branch<R>& out) const {
        if (loop_.group == Group::spherical)
            turn_group(G, sign, seed, out);
        else
            plane_group(G, sign, seed, out);
    }

    // Whether the group can do what it must, as a number between -1 and 1; only for groups whose middle joint turns.
    bool can_measure() const {
        return loop_.size == 3 && loop_.joints[loop_.first + 1].turns &&
               (loop_.group == Group::spherical || (loop_.joints[loop_.first].turns && loop_.joints[loop_.first + 2].turns));
    }
    double measure(const Pose<double>& G) const {
        if (loop_.group == Group::spherical)
            return (G.z.z - sphere_.tilt.rest) / std::hypot(sphere_.tilt.first, sphere_.tilt.second);
        const Vector3<double>&k1 = loop_.joints[loop_.first + 1].mount.origin, &k2 = loop_.joints[loop_.first + 2].mount.origin;
        const double l1 = k1.x * k1.x + k1.y * k1.y, l2 = k2.x * k2.x + k2.y * k2.y;
        return 0.5 * (G.origin.x * G.origin.x + G.origin.y * G.origin.y - l1 - l2) / std::sqrt(l1 * l2);
    }

    // Determinant of the two equations by a and c, squared and without units: 0 where roots fall together, and its sign.
    double steepness(const Opened<double>& o, const double root[4], double& sign) const {
        double m[2][2];
        for (int k = 0; k < 2; ++k) {
            const Equation<double>& e = o.e[k];
            const double by = 1.0 / size_of_equation<double>(k);
            m[k][0] = by * (loop_.a().turns ? e.a2 * root[0] - e.a1 * root[1] : (e.a1 + 2.0 * e.a2 * root[0]) * loop_.scale);
            m[k][1] = by * (loop_.c().turns ? e.c2 * root[2] - e.c1 * root[3] : (e.c1 + 2.0 * e.c2 * root[2]) * loop_.scale);
        }
        const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        const double size = (m[0][0] * m[0][0] + m[1][0] * m[1][0]) * (m[0][1] * m[0][1] + m[1][1] * m[1][1]);
        sign = det < 0.0 ? -1.0 : 1.0;
        return size > 0.0 ? det * det / size : 0.0;
    }

  private:
    template <class R> static Vector3<R> wide(const Vector3<double>& a) { return {R(a.x), R(a.y), R(a.z)}; }
    template <class R> static Vector3<R> back(const Pose<R>& T, const Vector3<R>& p) {
        const Vector3<R> d = p - T.origin;
        return {dot(T.x, d), dot(T.y, d), dot(T.z, d)};
    }
    template <class R> static Vector3<R> row(const Pose<R>& T, int k) {
        return k == 0 ? Vector3<R>{T.x.x, T.y.x, T.z.x} : k == 1 ? Vector3<R>{T.x.y, T.y.y, T.z.y} : Vector3<R>{T.x.z, T.y.z, T.z.z};
    }
    template <class R> static void move(Pose<R>& T, bool turns, R u, R v) {
        if (turns)
            turn_about_z(T, v, u);
        else
            T.origin = madd(T.z, u, T.origin);
    }
    template <class R> void put(Branch<R>& out, int joint, bool turns, const Unknown<R>& x, const R* seed) const {
        R value = turns ? arc_tangent2(x.v, x.u) : x.u;
        if (any(x.free)) value = select(x.free, seed[joint], value);
        out.q[joint] = value;
    }

    // The size that the coefficients of equation k have when they matter: a length, its square, or 1 for directions.
    template <class R> R size_of_equation(int k) const {
        if (loop_.group == Group::planar) return R(k == 0 || !loop_.b().turns ? 1.0 : loop_.scale);
        return R(k == 0 || !loop_.b().turns ? loop_.scale : loop_.scale * loop_.scale);
    }
    template <class R> Unknown<R> solve_a(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return settle(loop_.a(), loop_.outer[0], e.a1, e.a2, d, sign, k, seed);
    }
    template <class R> Unknown<R> solve_c(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return settle(loop_.c(), loop_.outer[2], e.c1, e.c2, d, sign, k, seed);
    }
    template <class R>
    LIMBIK_INLINE Unknown<R> settle(const LoopJoint& joint, int place, R first, R second, R d, R sign, int k, const R* seed) const {
        return freed(joint.turns ? on_circle(first, second, d, sign, size_of_equation<R>(k))
                                 : on_line(first, second, loop_.squares(k), d, sign, size_of_equation<R>(k)),
                     joint, place, seed);
    }
    // An unknown that nothing holds stands where the seed has it.
    template <class R> LIMBIK_INLINE Unknown<R> freed(Unknown<R> x, const LoopJoint& joint, int place, const R* seed) const {
        if (any(x.free)) [[unlikely]] {
            R s, c;
            sincos(seed[place], s, c);
            x.u = select(x.free, joint.turns ? c : seed[place], x.u);
            x.v = select(x.free, joint.turns ? s : seed[place] * seed[place], x.v);
            x.gap = select(x.free, R(1.0), x.gap);
        }
        return x;
    }

    template <class R> void equations(Opened<R>& o) const {
        const bool point = loop_.group == Group::spherical;
        const Pose<R>&K1 = o.K[1], &K2 = o.K[2];
        const LoopJoint& a = loop_.a();
        const bool with_c = loop_.has_c();
        const bool c_turns = with_c && loop_.c().turns;
        const Vector3<R>&w = o.w, &v = o.v, &p1 = K1.origin;
        // x along a fixed vector g of a's frame: the part that moves, and what stays
        auto x_along = [&](const Vector3<R>& g, R& u, R& vv, R& rest) {
            if (a.turns) {
                const Wave<R> wave = turned_back(g, w);
                u = wave.first, vv = wave.second, rest = wave.rest;
            } else {
                u = point ? -g.z : R(0.0), vv = R(0.0), rest = dot(g, w);
            }
        };
        auto y_along = [&](const Vector3<R>& g, R& u, R& vv, R& rest) {
            if (!with_c) {
                u = vv = R(0.0), rest = dot(g, v);
            } else if (c_turns) {
                const Wave<R> wave = turned_on(g, v);
                u = wave.first, vv = wave.second, rest = wave.rest;
            } else {
                u = point ? g.z : R(0.0), vv = R(0.0), rest = dot(g, v);
            }
        };
        // equation "component k of x equals that of y"; without c, v is y itself
        auto component = [&](int k, Equation<R>& e) {
            R rest_x, rest_y, cu, cv;
            const Vector3<R> column = k == 0 ? K1.x : k == 1 ? K1.y : K1.z;
            x_along(column, e.a1, e.a2, rest_x);
            if (point) rest_x = rest_x - dot(column, p1);
            if (with_c) {
                y_along(row(K2, k), cu, cv, rest_y);
                if (point) rest_y = rest_y + (k == 0 ? K2.origin.x : k == 1 ? K2.origin.y : K2.origin.z);
            } else {
                cu = cv = R(0.0), rest_y = k == 0 ? v.x : k == 1 ? v.y : v.z;
            }
            e.c1 = -cu, e.c2 = -cv, e.d = rest_y - rest_x;
        };
        if (!loop_.b().turns) {
            component(0, o.e[0]);
            component(1, o.e[1]);
            return;
        }
        component(2, o.e[0]);
        Equation<R>& e = o.e[1];
        const R half = R(0.5);
        const Vector3<R> s = {dot(K2.x, K2.origin), dot(K2.y, K2.origin), dot(K2.z, K2.origin)};  // c's view of p2
        R rest_x, rest_y, cu, cv;
        if (point) {
            // half the squared lengths
            if (a.turns) {
                x_along(-p1, e.a1, e.a2, rest_x);
                rest_x = rest_x + half * (dot(w, w) + dot(p1, p1));
            } else {
                const Vector3<R> f = w - p1;
                e.a1 = -f.z, e.a2 = half, rest_x = half * dot(f, f);
            }
            if (!with_c) {
                cu = cv = R(0.0), rest_y = half * dot(v, v);
            } else if (c_turns) {
                y_along(s, cu, cv, rest_y);
                rest_y = rest_y + half * (dot(v, v) + dot(K2.origin, K2.origin));
            } else {
                const Vector3<R> f = v + s;
                cu = f.z, cv = half, rest_y = half * dot(f, f);
            }
            e.c1 = -cu, e.c2 = -cv, e.d = rest_y - rest_x;
            return;
        }
        // the heights of all links along the normal add up to minus the group's own
        rest_x = o.K[0].origin.z;
        if (a.turns) {
            R rest;
            x_along(p1, e.a1, e.a2, rest);
            rest_x = rest_x + rest;
        } else {
            e.a1 = w.z, e.a2 = R(0.0), rest_x = rest_x + dot(w, p1);
        }
        if (!with_c) {
            e.c1 = e.c2 = R(0.0), rest_y = dot(v, K2.origin);
        } else {
            const Vector3<R>& p3 = o.K[3].origin;
            if (c_turns) {
                y_along(s, e.c1, e.c2, rest_y);
            } else {
                e.c1 = v.z, e.c2 = R(0.0), rest_y = dot(s, v);
            }
            rest_y = rest_y + dot(v, p3);
        }
        e.d = R(-loop_.height) - rest_x - rest_y;
    }

    // Joint b, from x and y.
    template <class R> LIMBIK_INLINE Unknown<R> middle(const Opened<R>& o, const Outer<R>& found, const R* seed) const {
        const bool point = loop_.group == Group::spherical;
        const int count = loop_.count;
        Vector3<R> x = o.w, y = o.v;
        if (count >= 2) {
            if (loop_.a().turns)
                x = turned(o.w, found.a.u, -found.a.v);
            else if (point)
                x = {o.w.x, o.w.y, o.w.z - found.a.u};
            const Pose<R>& K1 = o.K[1];
            if (point)
                x = back(K1, x);
            else
                x = {dot(K1.x, x), dot(K1.y, x), dot(K1.z, x)};
        }
        if (count == 3) {
            if (loop_.c().turns)
                y = turned(o.v, found.c.u, found.c.v);
            else if (point)
                y = {o.v.x, o.v.y, o.v.z + found.c.u};
            y = point ? transform(o.K[2], y) : rotate(o.K[2], y);
        }
        Unknown<R> b;
        b.gap = R(1.0);
        b.exists = R(0.0) == R(0.0);
        if (loop_.b().turns) {
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
            // the heights without b's own, along the normal
            R sum = o.K[0].origin.z;
            if (count >= 2) {
                Vector3<R> p = o.K[1].origin;
                if (loop_.a().turns)
                    p = turned(p, found.a.u, found.a.v);
                else
                    p.z = p.z + found.a.u;
                sum = sum + dot(o.w, p);
            }
            Vector3<R> reached = o.K[count].origin;
            if (count == 3) {
                if (loop_.c().turns)
                    reached = turned(reached, found.c.u, found.c.v);
                else
                    reached.z = reached.z + found.c.u;
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

    template <class R> LIMBIK_INLINE void turn_group(const Pose<R>& G, R sign, const R* seed, Branch<R>& out) const {
        const int i = loop_.first;
        if (loop_.size == 0) return;
        if (loop_.size == 1) {
            out.q[i] = arc_tangent2(G.x.y - G.y.x, G.x.x + G.y.y);
            return;
        }
        if (loop_.size == 3) {
            const SphericalGroup::Turns<R> turns = sphere_.split(G, sign, seed[i]);
            for (int k = 0; k < 3; ++k) out.q[i + k] = turns.q[k];
            out.exists = out.exists & turns.exists, out.family = out.family | turns.family;
            out.gap = select(turns.gap < out.gap, turns.gap, out.gap);
            return;
        }
        const Pose<R> M1 = broadcast<R>(loop_.joints[i + 1].mount);
        const Alignment<R> turn = align(M1.z.x, M1.z.y, G.z.x, G.z.y, 1.0);
        out.q[i] = arc_tangent2(turn.s, turn.c);
        out.q[i + 1] = last_turn(turned(M1.x, turn.c, turn.s), turned(M1.y, turn.c, turn.s), G);
    }

    // ---- in the plane: numbers x + iy ------------------------------------------------------------------------------
    template <class R> struct Flat {
        R x, y;
    };
    template <class R> static Flat<R> times(Flat<R> a, Flat<R> b) { return {nmadd(a.y, b.y, a.x * b.x), madd(a.x, b.y, a.y * b.x)}; }
    template <class R> static Flat<R> undone(Flat<R> a) { return {a.x, -a.y}; }
    template <class R> static Flat<R> minus(Flat<R> a, Flat<R> b) { return {a.x - b.x, a.y - b.y}; }
    template <class R> static Flat<R> plus(Flat<R> a, Flat<R> b, R by) { return {madd(b.x, by, a.x), madd(b.y, by, a.y)}; }
    template <class R> static R along(Flat<R> a, Flat<R> b) { return madd(a.x, b.x, a.y * b.y); }

    template <class R> LIMBIK_INLINE void plane_group(const Pose<R>& G, R sign, const R* seed, Branch<R>& out) const {
        const int i = loop_.first;
        const bool three = loop_.size == 3;
        auto joint = [&](int k) -> const LoopJoint& { return loop_.joints[i + k]; };
        auto bend = [&](int k) { return Flat<R>{R(joint(k).mount.x.x), R(joint(k).mount.x.y)}; };
        auto link = [&](int k) { return Flat<R>{R(joint(k).mount.origin.x), R(joint(k).mount.origin.y)}; };
        auto slide = [&](int k) { return Flat<R>{R(joint(k).slide_x), R(joint(k).slide_y)}; };
        const Flat<R> p = {G.origin.x, G.origin.y};
        const R heading_x = G.x.x + G.y.y, heading_y = G.x.y - G.y.x;
        const R inverse = R(1.0) / square_root(madd(heading_x, heading_x, heading_y * heading_y));
        const Flat<R> heading = {heading_x * inverse, heading_y * inverse};
        const Flat<R> L1 = bend(1), k1 = link(1);
        const Flat<R> L2 = three ? bend(2) : Flat<R>{R(1.0), R(0.0)}, k2 = three ? link(2) : Flat<R>{R(0.0), R(0.0)};
        const int pattern = (joint(0).turns ? 4 : 0) | (joint(1).turns ? 2 : 0) | (three && joint(2).turns ? 1 : 0);
        auto angle = [](Flat<R> z) { return arc_tangent2(z.y, z.x); };
        auto free_turn = [&](Alignment<R>& turn, int k) {
            out.family = out.family | turn.family;
            if (any(turn.free)) [[unlikely]] {
                R s, c;
                sincos(seed[i + k], s, c);
                turn.c = select(turn.free, c, turn.c), turn.s = select(turn.free, s, turn.s);
            }
            return Flat<R>{turn.c, turn.s};
        };
        const double size = loop_.scale;
        const R length = R(size);
        if (!three) {
            if (pattern == 6) {  // turn, turn
                Alignment<R> turn = align(k1.x, k1.y, p.x, p.y, size);
                const Flat<R> q1 = free_turn(turn, 0);
                out.q[i] = angle(q1);
                out.q[i + 1] = angle(times(undone(times(q1, L1)), heading));
            } else if (pattern == 4) {  // turn, slide
                const Flat<R> q1 = times(heading, undone(L1));
                out.q[i] = angle(q1);
                out.q[i + 1] = along(minus(times(undone(q1), p), k1), times(L1, slide(1)));
            } else {  // slide, turn
                out.q[i] = along(minus(p, k1), slide(0));
                out.q[i + 1] = angle(times(undone(L1), heading));
            }
            return;
        }
        auto pair = [&](Flat<R> f, R squared, Flat<R> e) {  // |f + q e|^2 = squared, |e| = 1
            const Unknown<R> q = on_line(R(2.0) * along(f, e), R(1.0), true, squared - along(f, f), sign, length);
            out.exists = out.exists & q.exists;
            out.gap = select(q.gap < out.gap, q.gap, out.gap);
            return q.u;
        };
        auto two = [&](Flat<R> f, Flat<R> e1, Flat<R> e2, R& q1, R& q2) {  // f = q1 e1 + q2 e2
            const R det = nmadd(e1.y, e2.x, e1.x * e2.y);
            const auto flat = absolute(det) <= R(NO_HOLD);
            const R by = R(1.0) / select(flat, R(1.0), det);
            q1 = (nmadd(f.y, e2.x, f.x * e2.y)) * by, q2 = (nmadd(e1.y, f.x, e1.x * f.y)) * by;
            out.exists = out.exists & !flat & (sign > R(0.0));
        };
        switch (pattern) {
            case 7: {  // turn, turn, turn: two links and a heading
                const Flat<R> m = times(undone(L1), k1);
                const R a = along(m, k2), b = nmadd(m.x, k2.y, m.y * k2.x);
                const R d = R(0.5) * (along(p, p) - along(k1, k1) - along(k2, k2));
                const Unknown<R> q2 = on_circle(a, b, d, sign, length * length);
                out.exists = out.exists & q2.exists;
                out.gap = select(q2.gap < out.gap, q2.gap, out.gap);
                const Flat<R> t2 = {q2.u, q2.v}, elbow = times(L1, t2);
                const Flat<R> z = plus(k1, times(elbow, k2), R(1.0));
                Alignment<R> turn = align(z.x, z.y, p.x, p.y, size);
                const Flat<R> t1 = free_turn(turn, 0);
                out.q[i] = angle(t1), out.q[i + 1] = angle(t2);
                out.q[i + 2] = angle(times(undone(times(times(t1, elbow), L2)), heading));
                break;
            }
            case 5: {  // turn, slide, turn
                const Flat<R> e = times(L1, slide(1)), f = plus(k1, times(L1, k2), R(1.0));
                const R q2 = pair(f, along(p, p), e);
                const Flat<R> z = plus(f, e, q2);
                Alignment<R> turn = align(z.x, z.y, p.x, p.y, size);
                const Flat<R> t1 = free_turn(turn, 0);
                out.q[i] = angle(t1), out.q[i + 1] = q2;
                out.q[i + 2] = angle(times(undone(times(times(t1, L1), L2)), heading));
                break;
            }
            case 6: {  // turn, turn, slide
                const Flat<R> d = slide(2), f = minus(times(undone(heading), p), times(undone(L2), k2));
                const R q3 = -pair(f, along(k1, k1), d);
                const Flat<R> z = times(heading, plus(f, d, -q3));
                // the slide's own root: f - q3 d; `pair` solved f + q d
                Alignment<R> turn = align(k1.x, k1.y, z.x, z.y, size);
                const Flat<R> t1 = free_turn(turn, 0);
                out.q[i] = angle(t1), out.q[i + 2] = q3;
                out.q[i + 1] = angle(times(undone(times(times(t1, L1), L2)), heading));
                break;
            }
            case 3: {  // slide, turn, turn
                const Flat<R> d = slide(0), f = minus(p, k1);
                const R q1 = -pair(f, along(k2, k2), d);
                const Flat<R> z = times(undone(L1), plus(f, d, -q1));
                Alignment<R> turn = align(k2.x, k2.y, z.x, z.y, size);
                const Flat<R> t2 = free_turn(turn, 1);
                out.q[i] = q1, out.q[i + 1] = angle(t2);
                out.q[i + 2] = angle(times(undone(times(times(L1, t2), L2)), heading));
                break;
            }
            case 4: {  // turn, slide, slide
                const Flat<R> t1 = times(heading, undone(times(L1, L2)));
                out.q[i] = angle(t1);
                const Flat<R> f = minus(minus(times(undone(t1), p), k1), times(L1, k2));
                two(f, times(L1, slide(1)), times(times(L1, L2), slide(2)), out.q[i + 1], out.q[i + 2]);
                break;
            }
            case 2: {  // slide, turn, slide
                const Flat<R> t2 = times(undone(times(L1, L2)), heading);
                out.q[i + 1] = angle(t2);
                const Flat<R> f = minus(minus(p, k1), times(times(L1, t2), k2));
                two(f, slide(0), times(heading, slide(2)), out.q[i], out.q[i + 2]);
                break;
            }
            default: {  // slide, slide, turn
                out.q[i + 2] = angle(times(undone(times(L1, L2)), heading));
                two(minus(minus(p, k1), times(L1, k2)), slide(0), times(L1, slide(1)), out.q[i], out.q[i + 1]);
            }
        }
    }

    Loop loop_;
    SphericalGroup sphere_;
};

// a1 ua + a2 va + c1 uc + c2 vc = d, twice. One of the unknowns is expressed by the other, whose circle (or line) then meets a
// conic (or a parabola).
inline int ClosedForm::together(const Opened<double>& o, double out[4][4]) const {
    Equation<double> e[2] = {o.e[0], o.e[1]};
    const bool a_turns = loop_.a().turns, c_turns = loop_.c().turns;
    for (int k = 0; k < 2; ++k) {  // to a common size
        const double by = 1.0 / size_of_equation<double>(k);
        e[k] = {e[k].a1 * by, e[k].a2 * by, e[k].c1 * by, e[k].c2 * by, e[k].d * by};
    }
    // eliminate: a slide rather than a turn, else the one that the equations hold better
    const double det_a = e[0].a1 * e[1].a2 - e[0].a2 * e[1].a1, det_c = e[0].c1 * e[1].c2 - e[0].c2 * e[1].c1;
    const bool drop_a = a_turns != c_turns ? !a_turns : !a_turns || std::fabs(det_a) >= std::fabs(det_c);
    if (!drop_a)
        for (auto& x : e) x = {x.c1, x.c2, x.a1, x.a2, x.d};
    const bool dropped_turns = drop_a ? a_turns : c_turns, kept_turns = drop_a ? c_turns : a_turns;
    int found = 0;
    auto emit = [&](double u1, double v1, double u2, double v2) {
        double* r = out[found++];
        if (drop_a)
            r[0] = u1, r[1] = v1, r[2] = u2, r[3] = v2;
        else
            r[0] = u2, r[1] = v2, r[2] = u1, r[3] = v1;
    };
    std::array<double, 2> z[4];
    if (dropped_turns) {  // both turn: (u1, v1) = adj (d - C z) / det, of length 1
        const double det = e[0].a1 * e[1].a2 - e[0].a2 * e[1].a1;
        // rows of adj C and adj d
        const double x0 = e[1].a2 * e[0].d - e[0].a2 * e[1].d, xc = -(e[1].a2 * e[0].c1 - e[0].a2 * e[1].c1),
                     xs = -(e[1].a2 * e[0].c2 - e[0].a2 * e[1].c2);
        const double y0 = e[0].a1 * e[1].d - e[1].a1 * e[0].d, yc = -(e[0].a1 * e[1].c1 - e[1].a1 * e[0].c1),
                     ys = -(e[0].a1 * e[1].c2 - e[1].a1 * e[0].c2);
        const double Qcc = xc * xc + yc * yc, Qss = xs * xs + ys * ys, Qcs = xc * xs + yc * ys;
        const TrigonometricPolynomial f = {x0 * x0 + y0 * y0 - det * det + 0.5 * (Qcc + Qss), 2.0 * (x0 * xc + y0 * yc),
                                           2.0 * (x0 * xs + y0 * ys), 0.5 * (Qcc - Qss), Qcs};
        const int count = roots_on_circle(f, z);
        for (int k = 0; k < count; ++k) {
            const double c = z[k][0], s = z[k][1], x = x0 + xc * c + xs * s, y = y0 + yc * c + ys * s;
            const double length = std::copysign(std::hypot(x, y), det);
            if (length != 0.0) emit(x / length, y / length, c, s);
        }
        return found;
    }
    // a slide is dropped: from the equation without its square
    const int linear = e[0].a2 == 0.0 && (e[1].a2 != 0.0 || std::fabs(e[0].a1) >= std::fabs(e[1].a1)) ? 0 : 1;
    const Equation<double>&one = e[linear], &rest = e[1 - linear];
    if (one.a1 == 0.0) return 0;
    const double q0 = one.d / one.a1, q1 = -one.c1 / one.a1, q2 = -one.c2 / one.a1;  // q = q0 + q1 u + q2 v
    if (kept_turns) {
        const TrigonometricPolynomial f = {
            rest.a1 * q0 + rest.a2 * (q0 * q0 + 0.5 * (q1 * q1 + q2 * q2)) - rest.d,
            rest.a1 * q1 + rest.a2 * 2.0 * q0 * q1 + rest.c1,
            rest.a1 * q2 + rest.a2 * 2.0 * q0 * q2 + rest.c2,
            rest.a2 * 0.5 * (q1 * q1 - q2 * q2),
            rest.a2 * q1 * q2,
        };
        const int count = roots_on_circle(f, z);
        for (int k = 0; k < count; ++k) {
            const double q = q0 + q1 * z[k][0] + q2 * z[k][1];
            emit(q, q * q, z[k][0], z[k][1]);
        }
        return found;
    }
    // two slides: q = q0 + q1 u, and a quadratic in u
    const double A = rest.a2 * q1 * q1 + rest.c2, B = rest.a1 * q1 + 2.0 * rest.a2 * q0 * q1 + rest.c1,
                 C = rest.a1 * q0 + rest.a2 * q0 * q0 - rest.d;
    double u[2];
    int count = 0;
    if (std::fabs(A) <= NO_HOLD * std::fabs(rest.a2)|| A == 0.0) {
        if (B != 0.0) u[count++] = -C / B;
    } else {
        const double disc = B * B - 4.0 * A * C, size = B * B + std::fabs(4.0 * A * C);
        if (disc >= -LOST_ROOT * size) {
            const double root = std::sqrt(std::max(disc, 0.0));
            const double t = -0.5 * (B + std::copysign(root, B));
            u[count++] = t / A;
            if (t != 0.0) u[count++] = C / t;
            else u[count++] = 0.0;
        }
    }
    for (int k = 0; k < count; ++k) {
        const double q = q0 + q1 * u[k];
        emit(q, q * q, u[k], u[k] * u[k]);
    }
    return found;
}

}  // namespace limbik
