// Two or three joints that move in one plane: the planar motion G decomposed into their values.
//
// In the plane a rotation is a unit complex number c + is, a link and a prismatic direction are numbers x + iy, and G
// is a position p and a heading. Three revolute joints: two links and an elbow, a line and a circle. One prismatic
// joint: a quadratic. Two prismatic joints: two linear equations. Frames are those of loop.hpp: revolute axes +z,
// prismatic joints as directions.
#pragma once

#include "loop.hpp"
#include "margins.hpp"

namespace limbik::closed_form {

// Complex numbers x + iy.
template <class R> struct Complex { R x, y; };
template <class R> inline Complex<R> times(Complex<R> a, Complex<R> b) {
    return {nmadd(a.y, b.y, a.x * b.x), madd(a.x, b.y, a.y * b.x)};
}
template <class R> inline Complex<R> conjugate(Complex<R> a) { return {a.x, -a.y}; }
template <class R> inline Complex<R> minus(Complex<R> a, Complex<R> b) { return {a.x - b.x, a.y - b.y}; }
template <class R> inline Complex<R> plus(Complex<R> a, Complex<R> b, R by) {
    return {madd(b.x, by, a.x), madd(b.y, by, a.y)};
}
template <class R> inline R along(Complex<R> a, Complex<R> b) { return madd(a.x, b.x, a.y * b.y); }

class PlanarGroup {
  public:
    PlanarGroup() = default;
    // The group's joints, two or three; the placement of the first does not belong to the group.
    PlanarGroup(const LoopJoint* joints, int size, double scale) : size_(size), scale_(scale) {
        for (int k = 0; k < size; ++k) {
            pattern_ |= joints[k].revolute ? 4 >> k : 0;
            direction_[k] = {joints[k].direction_x, joints[k].direction_y};
            if (k == 0) continue;
            bend_[k - 1] = {joints[k].placement.x.x, joints[k].placement.x.y};
            link_[k - 1] = {joints[k].placement.origin.x, joints[k].placement.origin.y};
        }
    }

    // Of three revolute joints: the cosine of the elbow's angle for G, in [-1, 1] where G is reachable.
    bool can_measure() const { return pattern_ == 7; }
    double measure(const Pose<double>& G) const {
        const double l1 = along(link_[0], link_[0]), l2 = along(link_[1], link_[1]);
        return 0.5 * (G.origin.x * G.origin.x + G.origin.y * G.origin.y - l1 - l2) / std::sqrt(l1 * l2);
    }

    // `seed`: values of the joints where they are undetermined.
    template <class R> LIMBIK_INLINE GroupMotion<R> split(const Pose<R>& G, R sign, const R* seed) const {
        GroupMotion<R> out;
        out.exists = R(0.0) == R(0.0), out.family = !out.exists, out.gap = R(1.0);
        const bool three = size_ == 3;
        auto wide = [](const Complex<double>& z) { return Complex<R>{R(z.x), R(z.y)}; };
        auto direction = [&](int k) { return wide(direction_[k]); };
        const Complex<R> p = {G.origin.x, G.origin.y};
        const R heading_x = G.x.x + G.y.y, heading_y = G.x.y - G.y.x;
        const R inverse = R(1.0) / square_root(madd(heading_x, heading_x, heading_y * heading_y));
        const Complex<R> heading = {heading_x * inverse, heading_y * inverse};
        const Complex<R> L1 = wide(bend_[0]), k1 = wide(link_[0]), L2 = wide(bend_[1]), k2 = wide(link_[1]);
        auto angle = [](Complex<R> z) { return arc_tangent2(z.y, z.x); };
        auto free_turn = [&](Alignment<R>& turn, int k) {
            out.family = out.family | turn.family;
            if (any(turn.free)) [[unlikely]] {
                R s, c;
                sincos(seed[k], s, c);
                turn.c = select(turn.free, c, turn.c), turn.s = select(turn.free, s, turn.s);
            }
            return Complex<R>{turn.c, turn.s};
        };
        const R length = R(scale_);
        if (!three) {
            if (pattern_ == 6) {  // R R
                Alignment<R> turn = align(k1.x, k1.y, p.x, p.y, scale_);
                const Complex<R> q1 = free_turn(turn, 0);
                out.q[0] = angle(q1);
                out.q[1] = angle(times(conjugate(times(q1, L1)), heading));
            } else if (pattern_ == 4) {  // R P
                const Complex<R> q1 = times(heading, conjugate(L1));
                out.q[0] = angle(q1);
                out.q[1] = along(minus(times(conjugate(q1), p), k1), times(L1, direction(1)));
            } else {  // P R
                out.q[0] = along(minus(p, k1), direction(0));
                out.q[1] = angle(times(conjugate(L1), heading));
            }
            return out;
        }
        auto pair = [&](Complex<R> f, R squared, Complex<R> e) {  // q with |f + q e|^2 = squared, |e| = 1
            const Unknown<R> q = on_line(R(2.0) * along(f, e), R(1.0), true, squared - along(f, f), sign, length);
            out.exists = out.exists & q.exists;
            out.gap = select(q.gap < out.gap, q.gap, out.gap);
            return q.u;
        };
        auto two = [&](Complex<R> f, Complex<R> e1, Complex<R> e2, R& q1, R& q2) {  // f = q1 e1 + q2 e2
            const R det = nmadd(e1.y, e2.x, e1.x * e2.y);
            const auto flat = absolute(det) <= R(NO_HOLD);
            const R by = R(1.0) / select(flat, R(1.0), det);
            q1 = (nmadd(f.y, e2.x, f.x * e2.y)) * by, q2 = (nmadd(e1.y, f.x, e1.x * f.y)) * by;
            out.exists = out.exists & !flat & (sign > R(0.0));
        };
        // A prismatic joint at one end and two revolute ones: f - q d is the link, rotated. Sets q of the prismatic
        // joint and returns the rotation of joint `revolute`; `frame` rotates f into that joint's frame.
        auto end_prismatic = [&](Complex<R> f, int prismatic, Complex<R> link, Complex<R> frame, int revolute) {
            const Complex<R> d = direction(prismatic);
            out.q[prismatic] = -pair(f, along(link, link), d);
            const Complex<R> z = times(frame, plus(f, d, -out.q[prismatic]));
            Alignment<R> turn = align(link.x, link.y, z.x, z.y, scale_);
            return free_turn(turn, revolute);
        };
        switch (pattern_) {
            case 7: {  // R R R: two links and a heading
                const Complex<R> m = times(conjugate(L1), k1);
                const R a = along(m, k2), b = nmadd(m.x, k2.y, m.y * k2.x);
                const R d = R(0.5) * (along(p, p) - along(k1, k1) - along(k2, k2));
                const Unknown<R> q2 = on_circle(a, b, d, sign, length * length);
                out.exists = out.exists & q2.exists;
                out.gap = select(q2.gap < out.gap, q2.gap, out.gap);
                const Complex<R> t2 = {q2.u, q2.v}, elbow = times(L1, t2);
                const Complex<R> z = plus(k1, times(elbow, k2), R(1.0));
                Alignment<R> turn = align(z.x, z.y, p.x, p.y, scale_);
                const Complex<R> t1 = free_turn(turn, 0);
                const Complex<R> t3 = times(conjugate(times(times(t1, elbow), L2)), heading);
                const R sine[3] = {t1.y, t2.y, t3.y}, cosine[3] = {t1.x, t2.x, t3.x};
                arc_tangents2<3>(sine, cosine, out.q);
                break;
            }
            case 5: {  // R P R
                const Complex<R> e = times(L1, direction(1)), f = plus(k1, times(L1, k2), R(1.0));
                const R q2 = pair(f, along(p, p), e);
                const Complex<R> z = plus(f, e, q2);
                Alignment<R> turn = align(z.x, z.y, p.x, p.y, scale_);
                const Complex<R> t1 = free_turn(turn, 0);
                out.q[0] = angle(t1), out.q[1] = q2;
                out.q[2] = angle(times(conjugate(times(times(t1, L1), L2)), heading));
                break;
            }
            case 6: {  // R R P
                const Complex<R> f = minus(times(conjugate(heading), p), times(conjugate(L2), k2));
                const Complex<R> t1 = end_prismatic(f, 2, k1, heading, 0);
                out.q[0] = angle(t1);
                out.q[1] = angle(times(conjugate(times(times(t1, L1), L2)), heading));
                break;
            }
            case 3: {  // P R R
                const Complex<R> t2 = end_prismatic(minus(p, k1), 0, k2, conjugate(L1), 1);
                out.q[1] = angle(t2);
                out.q[2] = angle(times(conjugate(times(times(L1, t2), L2)), heading));
                break;
            }
            case 4: {  // R P P
                const Complex<R> t1 = times(heading, conjugate(times(L1, L2)));
                out.q[0] = angle(t1);
                const Complex<R> f = minus(minus(times(conjugate(t1), p), k1), times(L1, k2));
                two(f, times(L1, direction(1)), times(times(L1, L2), direction(2)), out.q[1], out.q[2]);
                break;
            }
            case 2: {  // P R P
                const Complex<R> t2 = times(conjugate(times(L1, L2)), heading);
                out.q[1] = angle(t2);
                const Complex<R> f = minus(minus(p, k1), times(times(L1, t2), k2));
                two(f, direction(0), times(heading, direction(2)), out.q[0], out.q[2]);
                break;
            }
            default: {  // P P R
                out.q[2] = angle(times(conjugate(times(L1, L2)), heading));
                two(minus(minus(p, k1), times(L1, k2)), direction(0), times(L1, direction(1)), out.q[0], out.q[1]);
            }
        }
        return out;
    }

    // Bounds on the distance of the joint values from q of `split`, where G is known up to `place` and `heading`
    // [length, rad]. `none`: there are surely no such values.
    GroupSpread spread(const Pose<double>& G, const double q[3], double place, double heading) const {
        GroupSpread out{false, {0.0, 0.0, 0.0}};
        auto size = [](const Complex<double>& z) { return std::hypot(z.x, z.y); };
        const double p = std::hypot(G.origin.x, G.origin.y), k1 = size(link_[0]), k2 = size(link_[1]);
        auto set = [&](double a, double b, double c) { out.by[0] = a, out.by[1] = b, out.by[2] = c; };
        auto direction = [](double length, double by) { return spread_of_direction(length, by); };
        if (size_ == 2) {
            if (pattern_ == 6) {
                const double first = direction(p, place);
                set(first, heading + first, 0.0);
            } else if (pattern_ == 4) {
                set(heading, place + p * heading, 0.0);
            } else {
                set(place, heading, 0.0);
            }
            return out;
        }
        // |f + q e| = length, f known up to `by`: q^2 + 2 (f e) q + f^2 - length^2 = 0
        auto pair = [&](double f_along, double f_square, double length, double by) {
            const Spread s = spread_on_line(2.0 * f_along, 1.0, length * length - f_square, (2.0 * length + by) * by);
            out.none = s.none;
            return s.by;
        };
        // q1 e1 + q2 e2 = f, f known up to `by`
        auto two = [&](const Complex<double>& e1, const Complex<double>& e2, double by) {
            const double det = std::fabs(e1.x * e2.y - e1.y * e2.x);
            return det > NO_HOLD ? by / det : ANY_LENGTH;
        };
        const Complex<double> L1 = bend_[0], L2 = bend_[1], P = {G.origin.x, G.origin.y};
        const double length = std::hypot(G.x.x + G.y.y, G.x.y - G.y.x);
        const Complex<double> unit_heading = {(G.x.x + G.y.y) / length, (G.x.y - G.y.x) / length};
        switch (pattern_) {
            case 7: {
                const Complex<double> m = times(conjugate(L1), link_[0]);
                const double a = along(m, link_[1]), b = m.y * link_[1].x - m.x * link_[1].y;
                const Spread elbow =
                    spread_on_circle(a, b, 0.5 * (p * p - k1 * k1 - k2 * k2), (p + 0.5 * place) * place);
                out.none = elbow.none;
                const double first = direction(p, place + k2 * elbow.by);
                set(first, elbow.by, heading + first + elbow.by);
                break;
            }
            case 5: {
                const Complex<double> e = times(L1, direction_[1]), f = plus(link_[0], times(L1, link_[1]), 1.0);
                const double by = pair(along(f, e), along(f, f), p, place), first = direction(p, place + by);
                set(first, by, heading + first);
                break;
            }
            case 6: {
                const Complex<double> f = minus(times(conjugate(unit_heading), P), times(conjugate(L2), link_[1]));
                const double off = place + p * heading, by = pair(along(f, direction_[2]), along(f, f), k1, off);
                const double first = direction(k1, off + by + k1 * heading);
                set(first, heading + first, by);
                break;
            }
            case 3: {
                const Complex<double> f = minus(P, link_[0]);
                const double by = pair(along(f, direction_[0]), along(f, f), k2, place),
                             second = direction(k2, place + by);
                set(by, second, heading + second);
                break;
            }
            case 4: {
                const double by =
                    two(times(L1, direction_[1]), times(times(L1, L2), direction_[2]), place + p * heading);
                set(heading, by, by);
                break;
            }
            case 2: {
                const double by =
                    two(direction_[0], times(unit_heading, direction_[2]), place + (k2 + std::fabs(q[2])) * heading);
                set(by, heading, by);
                break;
            }
            default: {
                const double by = two(direction_[0], times(L1, direction_[1]), place);
                set(by, by, heading);
            }
        }
        return out;
    }

  private:
    int size_ = 0, pattern_ = 0;  // pattern: bits 4, 2, 1 where the first, second, third joint is revolute
    double scale_ = 1.0;
    Complex<double> bend_[2] = {{1, 0}, {1, 0}}, link_[2] = {{0, 0}, {0, 0}}, direction_[3] = {{0, 0}, {0, 0}, {0, 0}};
};

}  // namespace limbik::closed_form
