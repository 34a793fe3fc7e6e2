// A slow, plain reference in long double that shares no code with the core, and random rotations.
#pragma once

#include "../../geometry/spatial.hpp"
#include "random.hpp"

namespace limbik::test {

using Real = long double;

inline constexpr Real PI_L = 3.14159265358979323846264338327950288L;

struct Rotation {
    Real m[3][3];
};
struct Rigid {
    Rotation R;
    Real p[3];
};

inline Rotation operator*(const Rotation& a, const Rotation& b) {
    Rotation c{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}
inline Rigid operator*(const Rigid& a, const Rigid& b) {
    Rigid c{a.R * b.R, {}};
    for (int i = 0; i < 3; ++i) {
        c.p[i] = a.p[i];
        for (int k = 0; k < 3; ++k) c.p[i] += a.R.m[i][k] * b.p[k];
    }
    return c;
}

// Rodrigues, with 1 - cos written as 2 sin^2 of half the angle so that small angles keep their digits.
inline Rotation about_axis(const Real axis[3], Real angle) {
    const Real s = sinl(angle), h = sinl(angle / 2), v = 2 * h * h, x = axis[0], y = axis[1], z = axis[2];
    return {{{1 - v * (y * y + z * z), v * x * y - s * z, v * x * z + s * y},
             {v * x * y + s * z, 1 - v * (x * x + z * z), v * y * z - s * x},
             {v * x * z - s * y, v * y * z + s * x, 1 - v * (x * x + y * y)}}};
}
inline Rotation about_z(Real angle) {
    const Real axis[3] = {0, 0, 1};
    return about_axis(axis, angle);
}
inline Rotation about_x(Real angle) {
    const Real axis[3] = {1, 0, 0};
    return about_axis(axis, angle);
}
inline Rotation from_vector(Real x, Real y, Real z) {
    const Real length = sqrtl(x * x + y * y + z * z);
    const Real axis[3] = {length > 0 ? x / length : 1, length > 0 ? y / length : 0, length > 0 ? z / length : 0};
    return about_axis(axis, length);
}
inline Rotation from_vector(const double* w) { return from_vector(w[0], w[1], w[2]); }

inline Rigid rigid(const Pose<double>& T) {
    return {{{{T.x.x, T.y.x, T.z.x}, {T.x.y, T.y.y, T.z.y}, {T.x.z, T.y.z, T.z.z}}},
            {T.origin.x, T.origin.y, T.origin.z}};
}
inline Pose<double> rounded(const Rigid& T) {
    auto column = [&](int j) { return Vector3<double>{double(T.R.m[0][j]), double(T.R.m[1][j]), double(T.R.m[2][j])}; };
    return {column(0), column(1), column(2), {double(T.p[0]), double(T.p[1]), double(T.p[2])}};
}

inline double distance(const Rotation& a, const Rotation& b) {
    Real most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) most = fmaxl(most, fabsl(a.m[i][j] - b.m[i][j]));
    return double(most);
}
inline double distance(const Real a[3], const Real b[3]) {
    return double(fmaxl(fabsl(a[0] - b[0]), fmaxl(fabsl(a[1] - b[1]), fabsl(a[2] - b[2]))));
}

inline void random_direction(Random& random, Real axis[3]) {
    Real length = 0;
    do {
        length = 0;
        for (int i = 0; i < 3; ++i) axis[i] = random.uniform(-1.0, 1.0), length += axis[i] * axis[i];
    } while (length < 0.01L || length > 1);
    for (int i = 0; i < 3; ++i) axis[i] /= sqrtl(length);
}
inline Rotation random_rotation(Random& random) {
    Real axis[3];
    random_direction(random, axis);
    return about_axis(axis, random.uniform(0.0, PI));
}

// The numbers of a pose, one after the other.
template <class R> struct Numbers { R v[12]; };
template <class R> inline Numbers<R> numbers(const Pose<R>& T) {
    return {{T.x.x, T.x.y, T.x.z, T.y.x, T.y.y, T.y.z, T.z.x, T.z.y, T.z.z, T.origin.x, T.origin.y, T.origin.z}};
}

inline Real random_turn(Random& random) {
    switch (random.integer(0, 5)) {
        case 0: return 0;
        case 1: return random.magnitude(-12.0, -3.0);
        case 2: return PI_L - Real(random.magnitude(-12.0, -3.0));
        case 3: return PI_L;
        case 4: return PI_L / 2 + Real(random.sign() * random.magnitude(-17.0, -3.0));  // where the formula changes
        default: return random.uniform(0.0, PI);
    }
}

// Axes with zeros and equal components too: there the choice of the largest column is a tie.
inline void random_axis(Random& random, Real axis[3]) {
    if (random.chance(0.5)) return random_direction(random, axis);
    Real length = 0;
    while (length == 0) {
        for (int i = 0; i < 3; ++i) axis[i] = random.integer(-1, 1);
        length = sqrtl(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    }
    for (int i = 0; i < 3; ++i) axis[i] /= length;
}

}  // namespace limbik::test
