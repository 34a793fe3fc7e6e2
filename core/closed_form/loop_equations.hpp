// What a target makes of a loop: two equations for its outer joints.
//
// In the frame of the middle joint b, x is what must be reached (the group's point or normal, brought back over a) and
// y what is there (brought on over c): x = Jb y. For a point: equal heights and equal lengths. For a normal: equal
// heights, and the plane's distance agrees. Each of the two equations reads
//
//     a1 ua + a2 va + c1 uc + c2 vc = d        (u, v) = (cos, sin) of a turn, (q, q^2) of a slide.
#pragma once

#include "loop.hpp"
#include "outer_roots.hpp"
#include "waves.hpp"

namespace limbik::closed_form {

// What a target makes of the loop.
template <class R> struct Opened {
    Pose<R> K[4];
    Vector3<R> w, v;  // the point or normal, seen from the two ends
    Equation<R> e[2];
};

class LoopEquations {
  public:
    explicit LoopEquations(const Loop& loop) : loop_(loop) {}

    template <class R> LIMBIK_INLINE void open(const Pose<R>& target, Opened<R>& o) const {
        const int count = loop_.count;
        for (int k = 0; k <= count; ++k) o.K[k] = broadcast<R>(loop_.link[k]);
        o.K[loop_.target_link] = broadcast<R>(loop_.left) * inverse_pose(target) * broadcast<R>(loop_.right);
        if (count == 0) return;
        const Pose<R>&K0 = o.K[0], &last = o.K[count];
        if (loop_.group == Group::spherical) {
            o.w = untransform(K0, broadcast<R>(loop_.centre_last));
            o.v = transform(last, broadcast<R>(loop_.centre_first));
        } else {
            o.w = {K0.x.z, K0.y.z, K0.z.z};
            o.v = last.z;
        }
        if (count >= 2) equations(o);
    }

    // The equations, brought to a common size.
    void sized(const Opened<double>& o, Equation<double> e[2]) const {
        for (int k = 0; k < 2; ++k) {
            const double by = 1.0 / size_of_equation<double>(k);
            e[k] = {o.e[k].a1 * by, o.e[k].a2 * by, o.e[k].c1 * by, o.e[k].c2 * by, o.e[k].d * by};
        }
    }
    // The size that the coefficients of equation k have when they matter: a length, its square, or 1 for directions.
    template <class R> LIMBIK_INLINE R size_of_equation(int k) const {
        if (loop_.group == Group::planar) return R(k == 0 || !loop_.b().turns ? 1.0 : loop_.scale);
        return R(k == 0 || !loop_.b().turns ? loop_.scale : loop_.scale * loop_.scale);
    }

  private:
    template <class R> LIMBIK_INLINE static Vector3<R> row(const Pose<R>& T, int k) {
        return k == 0   ? Vector3<R>{T.x.x, T.y.x, T.z.x}
               : k == 1 ? Vector3<R>{T.x.y, T.y.y, T.z.y}
                        : Vector3<R>{T.x.z, T.y.z, T.z.z};
    }
    template <class R> LIMBIK_NOINLINE void equations(Opened<R>& o) const {
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

    const Loop& loop_;
};

}  // namespace limbik::closed_form
