// 2-pi copies against every other choice, Euler angles against the reference's rotations, and shortest paths.

#include "../support/reference.hpp"

#include "../../geometry/angles.hpp"
#include "../../geometry/euler.hpp"
#include "../../geometry/reach.hpp"

namespace limbik::test {
namespace {

LAW("the chosen 2-pi copy is inside, and no other copy inside is nearer", 400, [](std::uint64_t seed) {
    constexpr double TURN = 2.0 * PI, NEAR = 1e-9;
    Random random(seed);
    const double q = random.uniform(-20.0, 20.0), seed_value = random.uniform(-20.0, 20.0);
    const double lower = random.uniform(-12.0, 12.0), upper = lower + random.uniform(0.0, 15.0);
    double best = HUGE_VAL;
    bool edge = false;  // rounding decides whether it is inside
    for (int k = -12; k <= 12; ++k) {
        const double x = q + TURN * k;
        if (x >= lower && x <= upper) best = std::fmin(best, std::fabs(x - seed_value));
        edge = edge || std::fabs(x - lower) < NEAR || std::fabs(x - upper) < NEAR;
    }
    if (edge) return;
    const double plain = nearest_copy(q, seed_value, lower, upper);
    bool inside = true, prismatic_inside = true;
    const double chosen = nearest_copy(q, seed_value, true, lower, upper, 0.0, inside);
    HOLDS(inside == std::isfinite(best), q, lower, upper);
    for (double x : {plain, chosen}) {
        HOLDS(std::fabs(std::remainder(x - q, TURN)) < NEAR, q, x);
        if (inside)
            HOLDS(x >= lower && x <= upper && std::fabs(x - seed_value) <= best + NEAR, q, seed_value, lower, upper, x);
    }
    if (!inside) HOLDS(plain == q, q, plain);
    const double kept = nearest_copy(q, seed_value, false, lower, upper, 0.0, prismatic_inside);
    HOLDS(kept == q && prismatic_inside == (q >= lower && q <= upper), q, kept);
    HOLDS(std::fabs(nearest_copy(q, seed_value) - seed_value) <= PI + NEAR &&
              std::fabs(std::remainder(nearest_copy(q, seed_value) - q, TURN)) < NEAR,
          q);

    constexpr int W = width<Wide>;
    Wide many(0.0), seed_values(0.0);
    for (int i = 0; i < W; ++i)
        many.set(i, random.uniform(-20.0, 20.0)), seed_values.set(i, random.uniform(-20.0, 20.0));
    MaskOf<Wide> all = Wide(0.0) < Wide(1.0);
    const Wide found = nearest_copy(many, seed_values, true, lower, upper, 1e-6, all);
    for (int i = 0; i < W; ++i) {
        bool one = true;
        const double alone = nearest_copy(many[i], seed_values[i], true, lower, upper, 1e-6, one);
        HOLDS(same_bits(found[i], alone) && (all.bits[i] != 0) == one, i, found[i], alone);
    }
});

inline Rotation euler_rotation(const int axis[3], const double angle[3]) {
    Rotation R = about_z(0);
    for (int k = 0; k < 3; ++k) {
        Real along[3] = {0, 0, 0};
        along[axis[k]] = 1;
        R = R * about_axis(along, angle[k]);
    }
    return R;
}

LAW("three angles and their rotation vector are the same rotation, there and back", 400, [](std::uint64_t seed) {
    constexpr int ORDERS[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    constexpr double LOCK = 1e-9;
    Random random(seed);
    const int* axis = ORDERS[random.integer(0, 5)];
    const long rows = random.integer(1, 2 * width<Wide> + 1), wide = 3 + random.integer(0, 2),
               size = 3 + random.integer(0, 2);
    const EulerPlace place{{2, 0, 1}, {axis[0], axis[1], axis[2]}, size - 3};
    const double unit = random.chance(0.5) ? 1.0 : PI / 180;
    std::vector<double> angles(std::size_t(rows * wide), 0.0), out(std::size_t(rows * size), NAN), lanes = out;
    for (double& each : angles) each = random.uniform(-6.0, 6.0) / unit;
    for (long row = 0; row < rows; ++row)  // near the lock too
        if (random.chance(0.3))
            angles[std::size_t(row * wide)] =
                (random.sign() * PI / 2 + random.sign() * random.magnitude(-12.0, -1.0)) / unit;
    vectors_from_euler<double>(angles.data(), wide, rows, {place}, unit, out.data(), size);
    vectors_from_euler<Wide>(angles.data(), wide, rows, {place}, unit, lanes.data(), size);
    for (std::size_t k = 0; k < out.size(); ++k) HOLDS(same_bits(out[k], lanes[k]), std::uint64_t(k), out[k], lanes[k]);
    for (long row = 0; row < rows; ++row) {
        const double* given = angles.data() + row * wide;
        const double* vector = out.data() + row * size + size - 3;
        const double own[3] = {given[2] * unit, given[0] * unit, given[1] * unit};
        const Rotation R = from_vector(vector);
        HOLDS(distance(R, euler_rotation(axis, own)) <= 4e-15, distance(R, euler_rotation(axis, own)), own[0], own[1],
              own[2]);
        const double level = std::fabs(std::cos(own[1]));
        if (level < 2 * LOCK) continue;  // a and c are not determined separately
        double back[3], elsewhere[3];
        euler_from_vector(vector, axis, own, back);
        for (int k = 0; k < 3; ++k)
            HOLDS(std::fabs(back[k] - own[k]) <= 1e-14 / level + 1e-13, k, back[k], own[k], level);
        const double before[3] = {random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0)};
        euler_from_vector(vector, axis, before, elsewhere);
        HOLDS(distance(R, euler_rotation(axis, elsewhere)) <= 1e-14, distance(R, euler_rotation(axis, elsewhere)),
              level);
        // no triple is nearer, of either solution
        double least = HUGE_VAL, found = 0.0;
        for (int kind = 0; kind < 2; ++kind) {
            const double other[3] = {kind ? own[0] + PI : own[0], kind ? PI - own[1] : own[1],
                                     kind ? own[2] + PI : own[2]};
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) sum += std::pow(std::remainder(other[k] - before[k], 2.0 * PI), 2);
            least = std::fmin(least, sum);
        }
        for (int k = 0; k < 3; ++k) found += (elsewhere[k] - before[k]) * (elsewhere[k] - before[k]);
        HOLDS(found <= least + 1e-12 / level + 1e-12, found, least, level);
    }
});

LAW("sweeps shorten a path, and its points stay on their axes", 200, [](std::uint64_t seed) {
    Random random(seed);
    const auto anywhere = [&] {
        return Vector3<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    std::vector<PathPoint> path(std::size_t(random.integer(1, 7)));
    for (PathPoint& each : path) {
        const Vector3<double> axis = anywhere();
        each = {anywhere(), scaled(axis, 1.0 / std::sqrt(dot(axis, axis))), random.chance(0.6)};
    }
    const std::vector<PathPoint> start = path;
    double before = HUGE_VAL;
    for (int sweeps : {0, 1, 1, 3, 10}) {
        const double length = shortest_path(path.data(), int(path.size()), sweeps);
        const Vector3<double> straight = path.back().point - path.front().point;
        HOLDS(length <= before + 1e-12 && length >= std::sqrt(dot(straight, straight)) - 1e-12, length, before);
        before = length;
        for (std::size_t k = 0; k < path.size(); ++k) {
            const Vector3<double> moved = path[k].point - start[k].point, off = cross(moved, path[k].axis);
            HOLDS(dot(off, off) <= 1e-24 * (1.0 + dot(moved, moved)), dot(off, off));
            if (!path[k].movable) HOLDS(dot(moved, moved) == 0.0);
        }
    }
});

}  // namespace
}  // namespace limbik::test
