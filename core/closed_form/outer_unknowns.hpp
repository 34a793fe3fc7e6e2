// The outer joints of a loop, where one of its two equations holds one of them alone.
//
// Where one of them holds a alone or c alone, it is a line and a circle, and so is the other then: 2 x 2 roots. Where
// not, the two together are a conic and a circle: at most 4 roots.
#pragma once

#include "loop_equations.hpp"

namespace limbik::closed_form {

// A leading equation that holds its unknown by less than this part leaves it to the other, where that one can.
inline constexpr double WEAK_HOLD = 1e-6;

// Joints a and c. One that the loop does not have is there, and held.
template <class R> struct OuterUnknowns { Unknown<R> a, c; };

class OuterSolver {
  public:
    explicit OuterSolver(const Loop& loop) : loop_(loop), equations_(loop) {}

    // The outer unknowns for a sign each.
    template <class R> LIMBIK_INLINE void outer(const Opened<R>& o, R first_sign, R second_sign, const R* seed,
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
    }

    // Is `a` taken from the equation that does not lead?
    bool led_by_other(const Opened<double>& o) const {
        return loop_.count == 2 && loop_.a().turns && is_weak(o.e[loop_.leading], o.e[1 - loop_.leading]);
    }

  private:
    template <class R> LIMBIK_INLINE Unknown<R> solve_a(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return settle(loop_.a(), loop_.outer[0], e.a1, e.a2, d, sign, k, seed);
    }
    template <class R> LIMBIK_INLINE Unknown<R> solve_c(const Equation<R>& e, R d, R sign, int k, const R* seed) const {
        return settle(loop_.c(), loop_.outer[2], e.c1, e.c2, d, sign, k, seed);
    }
    template <class R> LIMBIK_INLINE MaskOf<R> is_weak(const Equation<R>& lead, const Equation<R>& other) const {
        const R size = equations_.template size_of_equation<R>(loop_.leading),
                other_size = equations_.template size_of_equation<R>(1 - loop_.leading);
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
    template <class R> LIMBIK_INLINE Unknown<R> settle(const LoopJoint& joint, int place, R first, R second, R d,
                                                       R sign, int k, const R* seed) const {
        return freed(
            joint.turns ? on_circle(first, second, d, sign, equations_.template size_of_equation<R>(k))
                        : on_line(first, second, loop_.squares(k), d, sign, equations_.template size_of_equation<R>(k)),
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

    const Loop& loop_;
    LoopEquations equations_;
};

}  // namespace limbik::closed_form
