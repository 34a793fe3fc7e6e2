// Rigid poses from 16 rounded numbers: whether they are rigid, the nearest rotation, and how far rounding moved them.
#pragma once

#include <algorithm>
#include <optional>

#include "spatial.hpp"

namespace limbik::geometry {

// The largest |R'R - I| of a rotation written with few digits; below the second, numbers are not changed.
inline constexpr double RIGID_TOLERANCE = 1e-4, EXACT_ROTATION = 1e-14;
// Rounding moves a pose by about |R'R - I|, which may be smaller by chance; hence the factor. The deviation of products
// of doubles is below the second constant.
inline constexpr double DOUBT_PER_DEVIATION = 4.0, OF_DOUBLES = 1e-12;
// Positions farther away overflow in products [m].
inline constexpr double FARTHEST = 1e100;

// The unit to which the numbers of a pose were rounded: that of floats of 32 bits, or of a number of decimals; 0 where
// neither is found.
[[gnu::noinline]] inline double rounding_of(const double* m) {
    auto all = [m](auto is) { return std::all_of(m, m + 12, is); };
    if (all([](double x) { return double(float(x)) == x; })) return 0x1p-23;
    for (double step = 1e-3; step > 1e-12; step *= 0.1)
        if (all([step](double x) { return std::fabs(x - step * std::nearbyint(x / step)) <= 1e-3 * step; }))
            return step;
    return 0.0;
}

// How far the intended pose may be from the given one, as a fraction of lengths and in radians.
inline double doubt_of(const double* m, double deviation) {
    if (deviation <= OF_DOUBLES) return deviation <= EXACT_ROTATION ? 0.0 : DOUBT_PER_DEVIATION * deviation;
    return std::max(DOUBT_PER_DEVIATION * deviation, rounding_of(m));
}

// The rigid pose of 16 numbers with the nearest exact rotation; nullopt where they are no rigid pose. `doubt`: see
// doubt_of.
inline std::optional<Pose<double>> rigid(const double* m, double* doubt = nullptr) {
    for (int k = 0; k < 16; ++k)
        if (!(std::fabs(m[k]) < FARTHEST)) return std::nullopt;
    if (m[12] != 0.0 || m[13] != 0.0 || m[14] != 0.0 || m[15] != 1.0) return std::nullopt;
    Pose<double> T = pose_from_rows(m);
    // Newton's iteration for the nearest rotation, R (3 - R'R) / 2: each step squares the deviation.
    for (int round = 0; round < 4; ++round) {
        const double xx = dot(T.x, T.x), yy = dot(T.y, T.y), zz = dot(T.z, T.z);
        const double xy = dot(T.x, T.y), xz = dot(T.x, T.z), yz = dot(T.y, T.z);
        const double deviation = std::max(
            {std::fabs(xx - 1), std::fabs(yy - 1), std::fabs(zz - 1), std::fabs(xy), std::fabs(xz), std::fabs(yz)});
        if (round == 0 && !(deviation <= RIGID_TOLERANCE)) return std::nullopt;
        if (round == 0 && doubt) *doubt = doubt_of(m, deviation);
        if (deviation <= EXACT_ROTATION) break;
        const Vector3<double> x = T.x, y = T.y, z = T.z;
        T.x = scaled(x, 1.5 - 0.5 * xx) - scaled(y, 0.5 * xy) - scaled(z, 0.5 * xz);
        T.y = scaled(y, 1.5 - 0.5 * yy) - scaled(x, 0.5 * xy) - scaled(z, 0.5 * yz);
        T.z = scaled(z, 1.5 - 0.5 * zz) - scaled(x, 0.5 * xz) - scaled(y, 0.5 * yz);
    }
    if (dot(cross(T.x, T.y), T.z) < 0.0) return std::nullopt;
    return T;
}

// Whether `rigid` would leave all of these rows of 16 numbers as they are. W rows at a time.
inline bool all_rigid_already(const double* rows, long count) {
    constexpr int W = width<Wide>;
    for (long row = 0; row < count; row += W) {
        Wide m[16];
        load_rows(rows + row * 16, 16, int(std::min<long>(W, count - row)), m);
        const Vector3<Wide> x = {m[0], m[4], m[8]}, y = {m[1], m[5], m[9]}, z = {m[2], m[6], m[10]};
        const Wide exact = Wide(EXACT_ROTATION);
        auto small = [&](Wide v) { return absolute(v) <= exact; };
        auto near = [&](Wide v) { return absolute(v) < Wide(FARTHEST); };
        const auto good = small(dot(x, x) - Wide(1.0)) & small(dot(y, y) - Wide(1.0)) & small(dot(z, z) - Wide(1.0)) &
                          small(dot(x, y)) & small(dot(x, z)) & small(dot(y, z)) & (dot(cross(x, y), z) > Wide(0.0)) &
                          near(m[3]) & near(m[7]) & near(m[11]) & (m[12] == Wide(0.0)) & (m[13] == Wide(0.0)) &
                          (m[14] == Wide(0.0)) & (m[15] == Wide(1.0));
        if (any(!good)) return false;
    }
    return true;
}

}  // namespace limbik::geometry
