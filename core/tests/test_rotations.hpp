// Rotation vectors, constant turns, and how single joints move.
#pragma once

#include "checks.hpp"

namespace limbik::test {

inline constexpr double ROTATION_ERROR = 1.2e-15;  // of each number of a matrix; the worst of two million was 9.7e-16

inline Rotation rotation_of(const Vector3<double>& x, const Vector3<double>& y, const Vector3<double>& z) {
    return rigid(Pose<double>{x, y, z, {0.0, 0.0, 0.0}}).R;
}

inline void check_logarithm_of(const Rotation& exact) {
    const Pose<double> T = rounded({exact, {}});
    const Vector3<double> w = rotation_logarithm(T.x, T.y, T.z);
    const Rotation again = from_vector(w.x, w.y, w.z);
    const double lost = distance(again, rigid(T).R);
    CHECK(lost <= ROTATION_ERROR, lost, w.x, w.y, w.z);
    CHECK(sqrtl(Real(w.x) * w.x + Real(w.y) * w.y + Real(w.z) * w.z) <= PI_L * (1 + 4e-16L), w.x, w.y, w.z);
    Vector3<double> x, y, z;
    rotation_from_vector(w, x, y, z);
    const double core_lost = distance(rotation_of(x, y, z), again);
    CHECK(core_lost <= 2e-15, core_lost, w.x, w.y, w.z);
}

inline void check_logarithm(const Real axis[3], Real angle) {
    const Rotation exact = about_axis(axis, angle);
    check_logarithm_of(exact);
    if (angle > 1e-3L) return;
    // Small rotations keep their digits, down to angles whose square is lost beside 1.
    const Pose<double> T = rounded({exact, {}});
    const Vector3<double> w = rotation_logarithm(T.x, T.y, T.z);
    const Real found[3] = {w.x, w.y, w.z}, expected[3] = {axis[0] * angle, axis[1] * angle, axis[2] * angle};
    const double error = distance(found, expected);
    CHECK(error <= 1e-15 * double(angle), error, angle, w.x, w.y, w.z);
    Vector3<double> x, y, z;
    rotation_from_vector(w, x, y, z);
    const Real sine = sinl(angle);
    const Real vee[3] = {(Real(y.z) - z.y) / 2, (Real(z.x) - x.z) / 2, (Real(x.y) - y.x) / 2};
    const Real expected_vee[3] = {axis[0] * sine, axis[1] * sine, axis[2] * sine};
    const double vee_error = distance(vee, expected_vee);
    CHECK(vee_error <= 2e-15 * double(angle), vee_error, angle, w.x, w.y, w.z);
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

inline void check_rotation_vectors(std::uint64_t seed) {
    Random random(seed);
    Real axis[3];
    random_axis(random, axis);
    check_logarithm(axis, random_turn(random));

    constexpr int W = width<Wide>;
    Vector3<Wide> x, y, z, w;
    Vector3<double> x1[W], y1[W], z1[W], w1[W];
    for (int i = 0; i < W; ++i) {
        random_axis(random, axis);
        const Real angle = random_turn(random);
        const Pose<double> T = rounded({about_axis(axis, angle), {}});
        x1[i] = T.x, y1[i] = T.y, z1[i] = T.z;
        w1[i] = {double(axis[0] * angle), double(axis[1] * angle), double(axis[2] * angle)};
        auto set = [i](Vector3<Wide>& to, const Vector3<double>& from) {
            to.x.set(i, from.x), to.y.set(i, from.y), to.z.set(i, from.z);
        };
        if (i == 0) {
            auto zero = [] { return Vector3<Wide>{Wide(0.0), Wide(0.0), Wide(0.0)}; };
            x = zero(), y = zero(), z = zero(), w = zero();
        }
        set(x, x1[i]), set(y, y1[i]), set(z, z1[i]), set(w, w1[i]);
    }
    auto same = [](const Vector3<Wide>& a, int i, const Vector3<double>& b) {
        return same_bits(a.x[i], b.x) && same_bits(a.y[i], b.y) && same_bits(a.z[i], b.z);
    };
    const Vector3<Wide> logarithm = rotation_logarithm(x, y, z);
    Vector3<Wide> ex, ey, ez;
    rotation_from_vector(w, ex, ey, ez);
    const Vector3<Wide> there = vector_from_quaternion(quaternion_from_vector(w));
    for (int i = 0; i < W; ++i) {
        CHECK(same(logarithm, i, rotation_logarithm(x1[i], y1[i], z1[i])), i);
        Vector3<double> a, b, c;
        rotation_from_vector(w1[i], a, b, c);
        CHECK(same(ex, i, a) && same(ey, i, b) && same(ez, i, c), i);
        CHECK(same(there, i, vector_from_quaternion(quaternion_from_vector(w1[i]))), i);
    }
}

// ---- constant turns ------------------------------------------------------------------------------------------------

inline void check_turn_pair(std::uint64_t seed) {
    Random random(seed);
    const double x0 = random.uniform(-2.0, 2.0), y0 = random.uniform(-2.0, 2.0);
    // Sines and cosines with the rounding that pi/2 in doubles leaves must still be exact quarters.
    const double noise = random.uniform(-ROUNDING, ROUNDING);
    const double s[4] = {0.0, 1.0, 0.0, -1.0}, c[4] = {1.0, 0.0, -1.0, 0.0};
    for (int quarter = 0; quarter < 4; ++quarter) {
        const Turn turn(s[quarter] == 0.0 ? noise : s[quarter], c[quarter] == 0.0 ? noise : c[quarter]);
        double x = x0, y = y0;
        turn_pair(turn, x, y);
        CHECK(turn.size != Turn::Size::general, quarter, noise);
        CHECK(x == x0 * c[quarter] + y0 * s[quarter] && y == y0 * c[quarter] - x0 * s[quarter], quarter, x0, y0, x, y);
        for (int turns : {-4, 0}) {  // further out pi/2 itself is too coarse
            const double angle = (quarter + turns) * (PI / 2);
            CHECK(Turn(std::sin(angle), std::cos(angle)).size == turn.size, quarter, turns);
        }
    }
    double x = x0, y = y0;
    turn_pair(Turn(), x, y);
    CHECK(x == x0 && y == y0, x, y);
    const double angle = random.chance(0.5) ? random.uniform(-PI, PI) : random.sign() * random.magnitude(-17.0, 0.0);
    turn_pair(Turn(std::sin(angle), std::cos(angle)), x, y);
    const Real exact_x = x0 * cosl(angle) + y0 * sinl(angle), exact_y = y0 * cosl(angle) - x0 * sinl(angle);
    CHECK(fabsl(x - exact_x) <= 2e-15L && fabsl(y - exact_y) <= 2e-15L, angle, x, exact_x, y, exact_y);
}

// ---- joints --------------------------------------------------------------------------------------------------------

inline Rigid joint_motion(Kind kind, const double* q) {
    const Rotation none = about_z(0);
    switch (kind) {
        case Kind::revolute: return {about_z(q[0]), {}};
        case Kind::prismatic: return {none, {0, 0, q[0]}};
        case Kind::ball: return {from_vector(q), {}};
        case Kind::floating: return {from_vector(q + 3), {q[0], q[1], q[2]}};
    }
    return {none, {}};
}

// A value of the joint; rotation vectors up to `most` long, often of the awkward lengths.
inline void random_value(Random& random, Kind kind, double most, double* q) {
    int k = 0;
    if (kind == Kind::revolute) q[k++] = random.chance(0.1) ? random.uniform(-1e3, 1e3) : random.uniform(-PI, PI);
    if (kind == Kind::prismatic) q[k++] = random.uniform(-1.0, 1.0);
    if (kind == Kind::floating)
        for (; k < 3; ++k) q[k] = random.uniform(-1.0, 1.0);
    if (kind == Kind::ball || kind == Kind::floating) {
        Real axis[3];
        random_axis(random, axis);
        const double share = random.chance(0.5) ? random.uniform(0.0, 1.0) : double(random_turn(random) / PI_L);
        for (int i = 0; i < 3; ++i) q[k + i] = double(axis[i]) * share * most;
    }
}

inline void check_joint(std::uint64_t seed) {
    Random random(seed);
    for (Kind kind : {Kind::revolute, Kind::prismatic, Kind::ball, Kind::floating})
        for (bool wraps : {false, true}) {
            if (wraps && kind != Kind::revolute) continue;
            const int size = size_of(kind), code = int(kind);
            // Exact heap blocks again: a joint reads and writes its own numbers only.
            std::vector<double> q0 = places(size), q1 = q0, v = q0, moved = q0, back = q0;
            random_value(random, kind, PI, q0.data());
            random_value(random, kind, PI, q1.data());

            // The joint moves a frame as the reference does.
            Rigid before{random_rotation(random), {random.uniform(-1, 1), random.uniform(-1, 1), 0.5}};
            Pose<double> T = rounded(before);
            before = rigid(T);
            apply_joint(kind, q0.data(), T);
            const Rigid after = before * joint_motion(kind, q0.data()), core = rigid(T);
            CHECK(distance(core.R, after.R) <= 2e-15, code, distance(core.R, after.R), q0[0]);
            const double off = distance(core.p, after.p);
            CHECK(off <= 2e-15, code, off, q0[0]);

            // q0 + (q1 - q0) is the posture q1.
            joint_difference(kind, wraps, q0.data(), q1.data(), v.data());
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            const Rigid there = joint_motion(kind, moved.data()), goal = joint_motion(kind, q1.data());
            const double scale = kind == Kind::revolute ? 1.0 + std::fabs(q0[0]) + std::fabs(q1[0]) : 1.0;
            CHECK(distance(there.R, goal.R) <= 4e-15 * scale, code, wraps, distance(there.R, goal.R), q0[0], q1[0]);
            CHECK(distance(there.p, goal.p) <= 4e-16, code, distance(there.p, goal.p));
            if (wraps) CHECK(std::fabs(v[0]) <= PI, v[0], q0[0], q1[0]);
            if (kind == Kind::revolute && !wraps) CHECK(v[0] == q1[0] - q0[0], v[0], q0[0], q1[0]);
            if (kind == Kind::ball || kind == Kind::floating) {
                const double* w = v.data() + size - 3;
                const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
                CHECK(length <= PI * (1.0 + 4e-16), code, length);
            }

            // (q0 + v) - q0 is v, while v is shorter than half a turn.
            random_value(random, kind, 0.999 * PI, v.data());
            if (wraps) v[0] = std::remainder(v[0], 2.0 * 0.999 * PI);
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            joint_difference(kind, wraps, q0.data(), moved.data(), back.data());
            double error = 0.0;
            for (std::size_t i = 0; i < v.size(); ++i) error = std::fmax(error, std::fabs(back[i] - v[i]));
            CHECK(error <= 4e-15 * (scale + std::fabs(v[0])), code, wraps, error, q0[0], v[0]);

            // No velocity, no motion; no difference between a posture and itself.
            for (double& x : v) x = 0.0;
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            CHECK(distance(joint_motion(kind, moved.data()).R, joint_motion(kind, q0.data()).R) <= 2e-15, code, q0[0]);
            joint_difference(kind, wraps, q0.data(), q0.data(), back.data());
            for (double x : back) CHECK(std::fabs(x) <= 1e-15, code, x);
        }
}

}  // namespace limbik::test
