// The outer joints a and c of a loop, where one of its two equations determines one of them alone.
//
// That equation is a line and a circle. With its root inserted, so is the other equation: 2 x 2 roots. Where neither
// equation determines one joint alone, the two together are a conic and a circle (outer_roots.hpp): at most 4 roots.
#pragma once

#include "loop_equations.hpp"

namespace limbik::closed_form {

// A leading equation whose coefficients are below this part of their size leaves its unknown to the other equation.
inline constexpr double WEAK_HOLD = 1e-6;

// Joints a and c. One that the loop does not have exists and is fixed.
template <class R> struct OuterUnknowns { Unknown<R> a, c; };

class OuterSolver {
  public:
    explicit OuterSolver(const Loop& loop) : loop_(loop), equations_(loop) {}

    // The outer unknowns. A sign chooses the root of each.
    template <class R> LIMBIK_INLINE void outer(const TargetEquations<R>& o, R first_sign, R second_sign, const R* seed,
                                                OuterUnknowns<R>& out) const {
        const auto yes = R(0.0) == R(0.0);
        const Unknown<R> absent = {R(1.0), R(0.0), yes, !yes, !yes, R(1.0)};
        out = {absent, absent};
        if (loop_.count < 2) return;
        const Equation<R>&lead = o.e[loop_.leading], &other = o.e[1 - loop_.leading];
        if (!loop_.has_c()) {
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
            take_other_equation(lead, other, first_sign, seed, out.a);
        } else if (loop_.order == Order::a_first) {
            out.a = solve_a(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.a1, out.a.u, nmadd(other.a2, out.a.v, other.d));
            if (loop_.square_c) {
                const Vector3<R> x = rotated_z(o.w, out.a.u, -out.a.v),
                                 across = {dot(o.K[1].x, x), dot(o.K[1].y, x), R(0.0)};
                out.c = or_seed(on_circle(other.c1, other.c2, rest, dot(across, across), second_sign, R(1.0)),
                                loop_.c(), loop_.outer[2], seed);
            } else {
                out.c = solve_c(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        } else {
            out.c = solve_c(lead, lead.d, first_sign, loop_.leading, seed);
            const R rest = nmadd(other.c1, out.c.u, nmadd(other.c2, out.c.v, other.d));
            if (loop_.square_a) {
                // the equation is cos(a) = height of y; the sine is the length of y across, accurate also where the
                // cosine is nearly 1
                const Vector3<R> y = rotate(o.K[2], rotated_z(o.v, out.c.u, out.c.v));
                out.a = or_seed(on_circle(other.a1, other.a2, rest, madd(y.x, y.x, y.y * y.y), second_sign, R(1.0)),
                                loop_.a(), loop_.outer[0], seed);
            } else {
                out.a = solve_a(other, rest, second_sign, 1 - loop_.leading, seed);
            }
        }
    }

    // Whether `a` is determined by the equation that does not lead.
    bool uses_other_equation(const TargetEquations<double>& o) const {
        return loop_.count == 2 && loop_.a().revolute && is_weak(o.e[loop_.leading], o.e[1 - loop_.leading]);
    }

  private:
    template <class R> LIMBIK_INLINE Unknown<R> solve_a(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return solve_joint(loop_.a(), loop_.outer[0], e.a1, e.a2, d, sign, k, seed);
    }
    template <class R> LIMBIK_INLINE Unknown<R> solve_c(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return solve_joint(loop_.c(), loop_.outer[2], e.c1, e.c2, d, sign, k, seed);
    }
    template <class R> LIMBIK_INLINE MaskOf<R> is_weak(const Equation<R>& lead, const Equation<R>& other) const {
        const R size = equations_.template size_of_equation<R>(loop_.leading),
                other_size = equations_.template size_of_equation<R>(1 - loop_.leading);
        const R hold = madd(lead.a1, lead.a1, lead.a2 * lead.a2),
                other_hold = madd(other.a1, other.a1, other.a2 * other.a2);
        return (hold <= R(WEAK_HOLD * WEAK_HOLD) * size * size) &
               (hold * other_size * other_size < other_hold * size * size);
    }
    // Both equations contain `a` alone. Where the leading one is nearly singular (a tool parallel to the first axis),
    // the other decides. Its roots are numbered by the slope of the leading equation, where that differs.
    template <class R> LIMBIK_INLINE void take_other_equation(const Equation<R>& lead, const Equation<R>& other, R sign,
                                                              const R* seed, Unknown<R>& a) const {
        if (!loop_.a().revolute) return;
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
        const MaskOf<R> rises = slope(plus) > R(0.0), falls = slope(minus) < R(0.0), swapped = rises & falls;
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
    template <class R> LIMBIK_INLINE Unknown<R> solve_joint(const LoopJoint& joint, int place, R first, R second, R d,
                                                            R sign, int k, const R* seed) const {
        return or_seed(joint.revolute ? on_circle(first, second, d, sign, equations_.template size_of_equation<R>(k))
                                      : on_line(first, second, loop_.squares(k), d, sign,
                                                equations_.template size_of_equation<R>(k)),
                       joint, place, seed);
    }
    // An undetermined unknown takes the seed's value.
    template <class R>
    LIMBIK_INLINE Unknown<R> or_seed(Unknown<R> x, const LoopJoint& joint, int place, const R* seed) const {
        if (any(x.free)) [[unlikely]] {
            R s, c;
            sincos(seed[place], s, c);
            x.u = select(x.free, joint.revolute ? c : seed[place], x.u);
            x.v = select(x.free, joint.revolute ? s : seed[place] * seed[place], x.v);
            x.gap = select(x.free, R(1.0), x.gap);
        }
        return x;
    }

    const Loop& loop_;
    LoopEquations equations_;
};

}  // namespace limbik::closed_form
