// Every posture of a chain that comes apart (loop.hpp), one branch per lane or one target per lane.
//
// In the frame of the middle joint b, x is what must be reached (the group's point or normal, brought back over a) and
// y what is there (brought on over c): x = Jb y. For a point: equal heights and equal lengths. For a normal: equal
// heights, and the plane's distance agrees. Each of the two equations reads
//
//     a1 ua + a2 va + c1 uc + c2 vc = d        (u, v) = (cos, sin) of a turn, (q, q^2) of a slide.
//
// Where one of them holds a alone or c alone, it is a line and a circle, and so is the other then: 2 x 2 roots. Where
// not, the two together are a conic and a circle: at most 4 roots.
#pragma once

#include <optional>

#include "outer_roots.hpp"
#include "planar_group.hpp"
#include "spherical_group.hpp"

namespace limbik::closed_form {

// Most postures of a chain of six joints that comes apart: 4 by the outer joints, 2 by the group.
inline constexpr int MOST_BRANCHES = 8;
// Most pairs of outer roots with both ways of the group, where roots that are nearly double are found more than once.
inline constexpr int MOST_CANDIDATES = 2 * CIRCLE_ROOTS;

// A leading equation that holds its unknown by less than this part leaves it to the other, where that one can.
inline constexpr double WEAK_HOLD = 1e-6;
// A root this near another [squared gap] makes what follows from it uncertain: that something is missing there proves
// nothing.
inline constexpr double LOOSE_ROOT = 1e-8;

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
    MaskOf<R> loose;  // found from a root that is nearly double, or hardly held: what follows from it is not certain
    R gap;            // how far the nearest double root is, squared, without units
};

class ClosedForm {
  public:
    explicit ClosedForm(const Loop& loop) : loop_(loop) {
        if (loop.group == Group::spherical && loop.size == 3)
            sphere_ = SphericalGroup(loop.joints[loop.first + 1].mount, loop.joints[loop.first + 2].mount);
        if (loop.group == Group::planar) plane_ = PlanarGroup(loop.joints + loop.first, loop.size, loop.scale);
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

    // The outer unknowns for a sign each, where one of them is held alone.
    template <class R> struct Outer { Unknown<R> a, c; };
    template <class R>
    LIMBIK_APART Outer<R> outer(const Opened<R>& o, R first_sign, R second_sign, const R* seed) const {
        const auto yes = R(0.0) == R(0.0);
        const Unknown<R> absent = {R(1.0), R(0.0), yes, !yes, !yes, R(1.0)};
        Outer<R> out = {absent, absent};
        if (loop_.count < 2) return out;
        const Equation<R>&lead = o.e[loop_.leading], &other = o.e[1 - loop_.leading];
        if (!loop_.has_c()) {
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
            take_other_equation(lead, other, first_sign, seed, out.a);
        } else if (loop_.order == Order::a_first) {
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.a1, out.a.u, nmadd(other.a2, out.a.v, other.d));
            if (loop_.square_c) {
                const Vector3<R> x = turned(o.w, out.a.u, -out.a.v),
                                 across = {dot(o.K[1].x, x), dot(o.K[1].y, x), R(0.0)};
                out.c = freed(on_circle(other.c1, other.c2, rest, dot(across, across), second_sign, R(1.0)), loop_.c(),
                              loop_.outer[2], seed);
            } else {
                out.c = solve_c(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        } else {
            out.c = solve_c(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.c1, out.c.u, nmadd(other.c2, out.c.v, other.d));
            if (loop_.square_a) {
                // the equation says cos(a) = the height of y; where that is nearly 1, the sine is what is left of y
                // across
                const Vector3<R> y = rotate(o.K[2], turned(o.v, out.c.u, out.c.v));
                out.a = freed(on_circle(other.a1, other.a2, rest, madd(y.x, y.x, y.y * y.y), second_sign, R(1.0)),
                              loop_.a(), loop_.outer[0], seed);
            } else {
                out.a = solve_a(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        }
        return out;
    }

    // The rest of a branch once a and c are known: joint b and what the group must do,
    template <class R>
    LIMBIK_APART Pose<R> reach_group(const Opened<R>& o, const Outer<R>& found, const R* seed, Branch<R>& out) const {
        out.exists = found.a.exists & found.c.exists;
        out.family = found.a.family | found.c.family;
        out.gap = select(found.a.gap < found.c.gap, found.a.gap, found.c.gap);
        out.loose = out.family | (found.a.exists & (found.a.gap < R(LOOSE_ROOT))) |
                    (found.c.exists & (found.c.gap < R(LOOSE_ROOT)));
        const int count = loop_.count;
        Pose<R> D = o.K[0];
        if (count >= 2) move(D, loop_.a().turns, found.a.u, found.a.v);
        if (count >= 1) {
            const Unknown<R> b = middle(o, found, seed);
            out.family = out.family | b.family;
            out.loose = out.loose | b.family;
            put_outer(out, found, b, seed);
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
        const int i = loop_.first;
        if (loop_.group == Group::planar) {
            take(plane_.split(G, sign, seed + i), out);
        } else if (loop_.size == 3) {
            take(sphere_.split(G, sign, seed[i]), out);
        } else if (loop_.size == 2) {
            const Pose<R> M1 = broadcast<R>(loop_.joints[i + 1].mount);
            const Alignment<R> turn = align(M1.z.x, M1.z.y, G.z.x, G.z.y, 1.0);
            out.q[i] = arc_tangent2(turn.s, turn.c);
            R s, c;
            last_turn(turned(M1.x, turn.c, turn.s), turned(M1.y, turn.c, turn.s), G, s, c);
            out.q[i + 1] = arc_tangent2(s, c);
        } else if (loop_.size == 1) {
            out.q[i] = arc_tangent2(G.x.y - G.y.x, G.x.x + G.y.y);
        }
    }

    // Whether the group can do what it must: it can where this lies between -1 and 1.
    bool can_measure() const { return loop_.group == Group::spherical ? loop_.size == 3 : plane_.can_measure(); }
    double measure(const Pose<double>& G) const {
        return loop_.group == Group::spherical ? sphere_.measure(G) : plane_.measure(G);
    }

    // Both outer unknowns at once, in plain numbers: pairs (ua, va, uc, vc).
    // `spread`: how far they lie off where the equations do, each by its eps [its own unit].
    int together(const Opened<double>& o, double out[CIRCLE_ROOTS][4], OuterSpread* spread = nullptr) const {
        Equation<double> e[2];
        sized(o, e);
        if (spread)
            for (int k = 0; k < 2; ++k) spread->eps[k] /= size_of_equation<double>(k);
        return roots_together(e, loop_.a().turns, loop_.c().turns, out, spread);
    }
    // How their two equations meet in a root.
    Crossing crossing(const Opened<double>& o, const double root[4]) const {
        Equation<double> e[2];
        sized(o, e);
        return crossing_of(e, loop_.a().turns, loop_.c().turns, loop_.scale, root);
    }

    // What joint b must bring together: x as it must be and y as it is, in b's frame.
    template <class R>
    LIMBIK_INLINE void seen_from_middle(const Opened<R>& o, const Outer<R>& found, Vector3<R>& x, Vector3<R>& y) const {
        const bool point = loop_.group == Group::spherical;
        const int count = loop_.count;
        x = o.w, y = o.v;
        if (count >= 2) {
            if (loop_.a().turns) x = turned(o.w, found.a.u, -found.a.v);
            else if (point) x = {o.w.x, o.w.y, o.w.z - found.a.u};
            const Pose<R>& K1 = o.K[1];
            if (point) x = back(K1, x);
            else x = {dot(K1.x, x), dot(K1.y, x), dot(K1.z, x)};
        }
        if (count == 3) {
            if (loop_.c().turns) y = turned(o.v, found.c.u, found.c.v);
            else if (point) y = {o.v.x, o.v.y, o.v.z + found.c.u};
            y = point ? transform(o.K[2], y) : rotate(o.K[2], y);
        }
    }
    // Is `a` taken from the equation that does not lead?
    bool led_by_other(const Opened<double>& o) const {
        return loop_.count == 2 && loop_.a().turns && is_weak(o.e[loop_.leading], o.e[1 - loop_.leading]);
    }
    const SphericalGroup& sphere() const { return sphere_; }
    const PlanarGroup& plane() const { return plane_; }

  private:
    template <class R> static Vector3<R> wide(const Vector3<double>& a) { return {R(a.x), R(a.y), R(a.z)}; }
    template <class R> static Vector3<R> back(const Pose<R>& T, const Vector3<R>& p) {
        const Vector3<R> d = p - T.origin;
        return {dot(T.x, d), dot(T.y, d), dot(T.z, d)};
    }
    template <class R> static Vector3<R> row(const Pose<R>& T, int k) {
        return k == 0   ? Vector3<R>{T.x.x, T.y.x, T.z.x}
               : k == 1 ? Vector3<R>{T.x.y, T.y.y, T.z.y}
                        : Vector3<R>{T.x.z, T.y.z, T.z.z};
    }
    template <class R> static void move(Pose<R>& T, bool turns, R u, R v) {
        if (turns) turn_about_z(T, v, u);
        else T.origin = madd(T.z, u, T.origin);
    }
    // The values of the outer joints.
    template <class R>
    LIMBIK_INLINE void put_outer(Branch<R>& out, const Outer<R>& found, const Unknown<R>& b, const R* seed) const {
        const int count = loop_.count;
        R value[3] = {R(0.0), R(0.0), R(0.0)};
        if (count == 3 && loop_.a().turns && loop_.b().turns && loop_.c().turns) {
            const R sine[3] = {found.a.v, b.v, found.c.v}, cosine[3] = {found.a.u, b.u, found.c.u};
            arc_tangents2<3>(sine, cosine, value);
        } else {
            auto of = [](const LoopJoint& joint, const Unknown<R>& x) {
                return joint.turns ? arc_tangent2(x.v, x.u) : x.u;
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

    // The equations, brought to a common size.
    void sized(const Opened<double>& o, Equation<double> e[2]) const {
        for (int k = 0; k < 2; ++k) {
            const double by = 1.0 / size_of_equation<double>(k);
            e[k] = {o.e[k].a1 * by, o.e[k].a2 * by, o.e[k].c1 * by, o.e[k].c2 * by, o.e[k].d * by};
        }
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
    template <class R> LIMBIK_INLINE MaskOf<R> is_weak(const Equation<R>& lead, const Equation<R>& other) const {
        const R size = size_of_equation<R>(loop_.leading), other_size = size_of_equation<R>(1 - loop_.leading);
        const R hold = madd(lead.a1, lead.a1, lead.a2 * lead.a2),
                other_hold = madd(other.a1, other.a1, other.a2 * other.a2);
        return (hold <= R(WEAK_HOLD * WEAK_HOLD) * size * size) &
               (hold * other_size * other_size < other_hold * size * size);
    }
    // Two equations hold `a` alone. Where the leading one hardly does (a tool parallel to the first axis), the other
    // decides; its roots are called as the leading equation's slope there would call them, where it tells them apart.
    template <class R> LIMBIK_INLINE void take_other_equation(const Equation<R>& lead, const Equation<R>& other, R sign,
                                                              const R* seed, Unknown<R>& a) const {
        if (!loop_.a().turns) return;
        if (any(is_weak(lead, other))) [[unlikely]]
            give_to_other_equation(lead, other, sign, seed, a);
    }
    template <class R> [[gnu::noinline, gnu::cold]] void give_to_other_equation(const Equation<R>& lead,
                                                                                const Equation<R>& other, R sign,
                                                                                const R* seed, Unknown<R>& a) const {
        const auto weak = is_weak(lead, other);
        const Unknown<R> plus = solve_a(other, other.d, R(1.0), 1 - loop_.leading, seed),
                         minus = solve_a(other, other.d, R(-1.0), 1 - loop_.leading, seed);
        auto slope = [&](const Unknown<R>& x) { return nmadd(lead.a1, x.v, lead.a2 * x.u); };
        const auto swapped = (slope(plus) > R(0.0)) & (slope(minus) < R(0.0));
        const auto above = sign > R(0.0);
        const auto first = (above & !swapped) | ((!above) & swapped);
        auto pick = [&](auto field) { return select(weak, select(first, field(plus), field(minus)), field(a)); };
        auto pick_mask = [&](auto field) {
            return (weak & ((first & field(plus)) | ((!first) & field(minus)))) | ((!weak) & field(a));
        };
        a.u = pick([](const Unknown<R>& x) { return x.u; }), a.v = pick([](const Unknown<R>& x) { return x.v; });
        a.gap = pick([](const Unknown<R>& x) { return x.gap; });
        a.exists = pick_mask([](const Unknown<R>& x) { return x.exists; }),
        a.free = pick_mask([](const Unknown<R>& x) { return x.free; });
        a.family = pick_mask([](const Unknown<R>& x) { return x.family; });
    }
    template <class R> LIMBIK_INLINE Unknown<R> settle(const LoopJoint& joint, int place, R first, R second, R d,
                                                       R sign, int k, const R* seed) const {
        return freed(joint.turns ? on_circle(first, second, d, sign, size_of_equation<R>(k))
                                 : on_line(first, second, loop_.squares(k), d, sign, size_of_equation<R>(k)),
                     joint, place, seed);
    }
    // An unknown that nothing holds stands where the seed has it.
    template <class R>
    LIMBIK_INLINE Unknown<R> freed(Unknown<R> x, const LoopJoint& joint, int place, const R* seed) const {
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
        Vector3<R> x, y;
        seen_from_middle(o, found, x, y);
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
                if (loop_.a().turns) p = turned(p, found.a.u, found.a.v);
                else p.z = p.z + found.a.u;
                sum = sum + dot(o.w, p);
            }
            Vector3<R> reached = o.K[count].origin;
            if (count == 3) {
                if (loop_.c().turns) reached = turned(reached, found.c.u, found.c.v);
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

    template <class R> LIMBIK_INLINE void take(const GroupMotion<R>& motion, Branch<R>& out) const {
        for (int k = 0; k < loop_.size; ++k) out.q[loop_.first + k] = motion.q[k];
        out.exists = out.exists & motion.exists, out.family = out.family | motion.family;
        out.gap = select(motion.gap < out.gap, motion.gap, out.gap);
    }

    Loop loop_;
    SphericalGroup sphere_;
    PlanarGroup plane_;
};

}  // namespace limbik::closed_form
