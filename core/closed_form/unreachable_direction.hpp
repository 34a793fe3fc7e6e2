// The part of a pose error that no joint of a chain of fewer than six can reduce.
#pragma once

#include "loop.hpp"

namespace limbik::closed_form {

// A joint's column whose independent part is below this fraction of it depends on the others.
inline constexpr double STRUCTURAL_PART = 1e-9;

// The pose error of a configuration, and the Jacobian: columns in the order of the loop.
struct PostureErrors {
    Vector3<double> position, rotation;
    double J[6][LOOP_JOINTS];
};

// The uncertainty of a target [m, rad].
struct Slack {
    double position, rotation;
};

// Whether the part of the error orthogonal to all columns of the Jacobian exceeds the slack and what the joints'
// intervals change at second order.
inline bool error_is_irreducible(const Loop& loop, const PostureErrors& e, const double by[LOOP_JOINTS], double rotated,
                                 double shifted, const Slack& slack, double span) {
    constexpr double SMALL = 0.1;  // [rad] beyond, the second order is not small
    if (!(rotated < SMALL && std::sqrt(dot(e.rotation, e.rotation)) < SMALL)) return false;
    const double unit = span > 0.0 ? span : 1.0;
    double y[6] = {e.position.x / unit, e.position.y / unit, e.position.z / unit,
                   e.rotation.x,        e.rotation.y,        e.rotation.z};
    const double error[6] = {y[0], y[1], y[2], y[3], y[4], y[5]};
    double basis[LOOP_JOINTS][6];
    int size = 0;
    auto inner = [](const double* a, const double* b) {
        double sum = 0.0;
        for (int k = 0; k < 6; ++k) sum += a[k] * b[k];
        return sum;
    };
    for (int j = 0; j < loop.n; ++j) {
        double* v = basis[size];
        for (int k = 0; k < 6; ++k) v[k] = k < 3 ? e.J[k][j] / unit : e.J[k][j];
        const double before = std::sqrt(inner(v, v));
        for (int pass = 0; pass < 2; ++pass)
            for (int i = 0; i < size; ++i) {
                const double along = inner(v, basis[i]);
                for (int k = 0; k < 6; ++k) v[k] -= along * basis[i][k];
            }
        const double left = std::sqrt(inner(v, v));
        if (!(left > STRUCTURAL_PART * before)) continue;
        for (int k = 0; k < 6; ++k) v[k] /= left;
        ++size;
    }
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < size; ++i) {
            const double along = inner(y, basis[i]);
            for (int k = 0; k < 6; ++k) y[k] -= along * basis[i][k];
        }
    const double norm = std::sqrt(inner(y, y));
    if (!(norm > 0.0)) return false;
    for (double& x : y) x /= norm;
    double room = std::hypot(y[0], y[1], y[2]) * slack.position / unit + std::hypot(y[3], y[4], y[5]) * slack.rotation;
    for (int j = 0; j < loop.n; ++j) {
        double along = 0.0;
        for (int k = 0; k < 6; ++k) along += y[k] * (k < 3 ? e.J[k][j] / unit : e.J[k][j]);
        room += std::fabs(along) * by[j];
    }
    const double most = rotated + shifted / unit;
    return inner(y, error) > room + 2.0 * most * (most + std::sqrt(dot(e.rotation, e.rotation)));
}

}  // namespace limbik::closed_form
