// The equations of a loop (loop.hpp) at a target: two, for its outer joints.
//
// In the frame of the middle joint b let x be the group's point or normal, transformed from one end of the loop through
// joint a, and y the same from the other end through joint c: x = Jb y. For a point, heights and lengths are equal. For
// a normal, heights and distances of the plane are equal. Both equations have the form
//
//     a1 ua + a2 va + c1 uc + c2 vc = d,
//
// where (u, v) is (cos q, sin q) of a revolute joint or (q, q^2) of a prismatic one.
#pragma once

#include "loop.hpp"
#include "outer_roots.hpp"
#include "sinusoid.hpp"

namespace limbik::closed_form {

// The links of the loop at a target, the group's point or normal at both ends, and the two equations.
template <class R> struct TargetEquations {
    Pose<R> K[4];
    Vector3<R> w, v;  // the group's point or normal: w in the frame before Ja, v in the frame after Jc (loop.hpp)
    Equation<R> e[2];
};

class LoopEquations {
  public:
    explicit LoopEquations(const Loop& loop) : loop_(loop) {}

    template <class R> LIMBIK_INLINE void set_target(const Pose<R>& target, TargetEquations<R>& o) const {
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
        if (count >= 2) write_equations(o);
    }

    // The equations, scaled to a common size.
    void sized(const TargetEquations<double>& o, Equation<double> e[2]) const {
        for (int k = 0; k < 2; ++k) {
            const double by = 1.0 / size_of_equation<double>(k);
            e[k] = {o.e[k].a1 * by, o.e[k].a2 * by, o.e[k].c1 * by, o.e[k].c2 * by, o.e[k].d * by};
        }
    }
    // The typical size of the coefficients of equation k: a length, its square, or 1 for directions.
    template <class R> LIMBIK_INLINE R size_of_equation(int k) const {
        if (loop_.group == Group::planar) return R(k == 0 || !loop_.b().revolute ? 1.0 : loop_.scale);
        return R(k == 0 || !loop_.b().revolute ? loop_.scale : loop_.scale * loop_.scale);
    }

  private:
    template <class R> LIMBIK_INLINE static Vector3<R> row(const Pose<R>& T, int k) {
        return k == 0   ? Vector3<R>{T.x.x, T.y.x, T.z.x}
               : k == 1 ? Vector3<R>{T.x.y, T.y.y, T.z.y}
                        : Vector3<R>{T.x.z, T.y.z, T.z.z};
    }
    template <class R> LIMBIK_NOINLINE void write_equations(TargetEquations<R>& o) const {
        const bool point = loop_.group == Group::spherical;
        const Pose<R>&K1 = o.K[1], &K2 = o.K[2];
        const LoopJoint& a = loop_.a();
        const bool with_c = loop_.has_c();
        const bool c_revolute = with_c && loop_.c().revolute;
        const Vector3<R>&w = o.w, &v = o.v, &p1 = K1.origin;
        // g . x for a constant vector g of a's frame: the coefficients of (u, v) of joint a, and the rest
        auto x_along = [&](const Vector3<R>& g, R& u, R& vv, R& rest) {
            if (a.revolute) {
                const Sinusoid<R> wave = rotated_back_component(g, w);
                u = wave.first, vv = wave.second, rest = wave.rest;
            } else {
                u = point ? -g.z : R(0.0), vv = R(0.0), rest = dot(g, w);
            }
        };
        auto y_along = [&](const Vector3<R>& g, R& u, R& vv, R& rest) {
            if (!with_c) {
                u = vv = R(0.0), rest = dot(g, v);
            } else if (c_revolute) {
                const Sinusoid<R> wave = rotated_component(g, v);
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
        if (!loop_.b().revolute) {
            component(0, o.e[0]);
            component(1, o.e[1]);
            return;
        }
        component(2, o.e[0]);
        Equation<R>& e = o.e[1];
        const R half = R(0.5);
        const Vector3<R> s = {dot(K2.x, K2.origin), dot(K2.y, K2.origin), dot(K2.z, K2.origin)};  // p2 in c's frame
        R rest_x, rest_y, cu, cv;
        if (point) {
            // half the squared lengths
            if (a.revolute) {
                x_along(-p1, e.a1, e.a2, rest_x);
                rest_x = rest_x + half * (dot(w, w) + dot(p1, p1));
            } else {
                const Vector3<R> f = w - p1;
                e.a1 = -f.z, e.a2 = half, rest_x = half * dot(f, f);
            }
            if (!with_c) {
                cu = cv = R(0.0), rest_y = half * dot(v, v);
            } else if (c_revolute) {
                y_along(s, cu, cv, rest_y);
                rest_y = rest_y + half * (dot(v, v) + dot(K2.origin, K2.origin));
            } else {
                const Vector3<R> f = v + s;
                cu = f.z, cv = half, rest_y = half * dot(f, f);
            }
            e.c1 = -cu, e.c2 = -cv, e.d = rest_y - rest_x;
            return;
        }
        // the heights of all links along the normal sum to minus the group's own
        rest_x = o.K[0].origin.z;
        if (a.revolute) {
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
            if (c_revolute) {
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
