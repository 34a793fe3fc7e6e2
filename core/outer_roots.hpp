// Two equations in two joints that neither holds alone: a conic and a circle.
#pragma once

#include "subproblems.hpp"

namespace limbik {

// a1 ua + a2 va + c1 uc + c2 vc = d, where (u, v) is (cos, sin) of a turn or (q, q^2) of a slide.
template <class R> struct Equation {
    R a1, a2, c1, c2, d;
};

// One of the unknowns is expressed by the other, whose circle (or line) then meets a conic (or a parabola). Up to 4 pairs
// (ua, va, uc, vc). The equations have a common size; they are used up.
inline int roots_together(Equation<double> e[2], bool a_turns, bool c_turns, double out[4][4]) {
    // eliminate: a slide rather than a turn, else the one that the equations hold better
    const double det_a = e[0].a1 * e[1].a2 - e[0].a2 * e[1].a1, det_c = e[0].c1 * e[1].c2 - e[0].c2 * e[1].c1;
    const bool drop_a = a_turns != c_turns ? !a_turns : !a_turns || std::fabs(det_a) >= std::fabs(det_c);
    if (!drop_a)
        for (int k = 0; k < 2; ++k) e[k] = {e[k].c1, e[k].c2, e[k].a1, e[k].a2, e[k].d};
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
    if (std::fabs(A) <= NO_HOLD * std::fabs(rest.a2) || A == 0.0) {
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

// How two equations meet in a root, from the determinant of their slopes by a and c. Both measures are squared, without units,
// and 0 where roots fall together.
struct Crossing {
    double square;  // beside the slopes in the root: the sine between them, which tells how far the other root is
    double steep;   // beside the slopes elsewhere: also where one of the unknowns holds nothing here, the root is double
    double sign;
};
inline Crossing crossing_of(const Equation<double> e[2], bool a_turns, bool c_turns, double scale, const double root[4]) {
    struct Slope {
        double here, most_squared;
    };
    auto slope = [&](double first, double second, bool turns, double u, double v) -> Slope {
        if (turns) return {second * u - first * v, first * first + second * second};
        const double most = (std::fabs(first) + 2.0 * std::fabs(second * u)) * scale;
        return {(first + 2.0 * second * u) * scale, most * most};
    };
    const Slope a0 = slope(e[0].a1, e[0].a2, a_turns, root[0], root[1]), c0 = slope(e[0].c1, e[0].c2, c_turns, root[2], root[3]);
    const Slope a1 = slope(e[1].a1, e[1].a2, a_turns, root[0], root[1]), c1 = slope(e[1].c1, e[1].c2, c_turns, root[2], root[3]);
    const double det = a0.here * c1.here - c0.here * a1.here;
    const double here = (a0.here * a0.here + a1.here * a1.here) * (c0.here * c0.here + c1.here * c1.here);
    const double most = (a0.most_squared + a1.most_squared) * (c0.most_squared + c1.most_squared);
    auto beside = [&](double size) { return size > 0.0 ? det * det / size : 0.0; };
    return {beside(here), beside(most), det < 0.0 ? -1.0 : 1.0};
}

}  // namespace limbik
