// Intrinsic Euler angles to rotation vectors and back.
//
// R = R_i(a) R_j(b) R_k(c), each about an axis of the moved frame. To a vector: the product of three quaternions, in
// lanes. To angles, for three different axes, with e = +1 where (i, j, k) is an even permutation of (x, y, z) and -1
// else:
//     R[i][k] = e sin b,   R[j][k] = -e sin a cos b,   R[k][k] = cos a cos b,
// and R' = R_i(-a) R has the row j of a rotation about k alone:
//     R'[j][i] = e sin c,  R'[j][j] = cos c.
// The second solution is (a + pi, pi - b, c + pi), and each angle has 2-pi copies. Where cos b vanishes (gimbal lock)
// only a + c or a - c is determined: a keeps its value from the previous row, and c follows from R'. Of all these the
// triple nearest to the previous row is taken, so that curves do not jump, also beyond 180 degrees.
#pragma once

#include <vector>

#include "angles.hpp"

namespace limbik::geometry {

// The columns of three angles in a row of channels, their axes (0 to 2), and the column of their rotation vector.
struct EulerPlace {
    int column[3];
    int axis[3];
    long target;
};

template <class R> inline Quaternion<R> rotated_about(const Quaternion<R>& before, int axis, R angle) {
    R s, c;
    sincos(angle * R(0.5), s, c);
    const Vector3<R> v{axis == 0 ? s : R(0.0), axis == 1 ? s : R(0.0), axis == 2 ? s : R(0.0)};
    return before * Quaternion<R>{c, v};
}

// Rows of `width_` angles, in units of `unit` [rad], become rows of `size` numbers: a rotation vector at each target.
template <class R> void vectors_from_euler(const double* rows, long width_, long count,
                                           const std::vector<EulerPlace>& places, double unit, double* out, long size) {
    constexpr int W = width<R>;
    for (long first = 0; first < count; first += W) {
        const int used = int(std::min<long>(W, count - first));
        for (const EulerPlace& place : places) {
            Quaternion<R> rotation{R(1.0), {R(0.0), R(0.0), R(0.0)}};
            for (int k = 0; k < 3; ++k) {
                R angle(0.0);
                for (int i = 0; i < used; ++i) set_lane(angle, i, rows[(first + i) * width_ + place.column[k]]);
                rotation = rotated_about(rotation, place.axis[k], angle * R(unit));
            }
            const Vector3<R> v = vector_from_quaternion(rotation);
            const R values[3] = {v.x, v.y, v.z};
            store_rows(values, 3, used, out + first * size + place.target, size);
        }
    }
}

// The 2-pi copy of an angle nearest to the previous one. Halfway between two copies std::round decides: away from 0
// turns.
inline double unwrapped(double angle, double before) { return angle + TURN * std::round((before - angle) / TURN); }

// The three angles of a rotation vector about different axes, nearest to the previous ones.
inline void euler_from_vector(const double* vector, const int axis[3], const double before[3], double out[3]) {
    constexpr double LOCKED = 1e-9;  // cos b below which a and c are not determined separately
    Vector3<double> x, y, z;
    rotation_from_vector(Vector3<double>{vector[0], vector[1], vector[2]}, x, y, z);
    const double m[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    const int i = axis[0], j = axis[1], k = axis[2];
    const double e = (i + 1) % 3 == j ? 1.0 : -1.0;
    const double level = std::hypot(m[i][i], m[i][j]);
    auto third = [&](double a) {  // c, from R_i(-a) R
        const double s = std::sin(a), c = std::cos(a);
        return std::atan2(e * (c * m[j][i] + e * s * m[k][i]), c * m[j][j] + e * s * m[k][j]);
    };
    double best = -1.0;
    for (const double side : {1.0, -1.0}) {  // the sign of cos b
        const double a = level < LOCKED ? before[0] : std::atan2(-e * side * m[j][k], side * m[k][k]);
        const double tried[3] = {unwrapped(a, before[0]), unwrapped(std::atan2(e * m[i][k], side * level), before[1]),
                                 unwrapped(third(a), before[2])};
        double distance = 0.0;
        for (int n = 0; n < 3; ++n) distance += (tried[n] - before[n]) * (tried[n] - before[n]);
        if (best < 0.0 || distance < best) {
            best = distance;
            for (int n = 0; n < 3; ++n) out[n] = tried[n];
        }
    }
}

// (count, places, 3) angles [rad] of rotation vectors of the same shape, each nearest to the previous row. Where
// `known` is not 0 the angles in `out` are kept. `before` (places, 3) is the row before the first.
inline void euler_from_vectors(const double* vectors, long count, const std::vector<EulerPlace>& places,
                               const double* before, const double* known, double* out) {
    const long each = long(places.size());
    for (long row = 0; row < count; ++row)
        for (long p = 0; p < each; ++p) {
            const long at = row * each + p;
            const double* last = row == 0 ? before + 3 * p : out + 3 * (at - each);
            if (known[at] == 0.0) euler_from_vector(vectors + 3 * at, places[std::size_t(p)].axis, last, out + 3 * at);
        }
}

}  // namespace limbik::geometry
