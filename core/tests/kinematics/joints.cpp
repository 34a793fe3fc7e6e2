// Constant rotations, and the motion of single joints.

#include "../support/mechanisms.hpp"

namespace limbik::test {
namespace {

inline void check_rotate_pair(std::uint64_t seed) {
    Random random(seed);
    const double x0 = random.uniform(-2.0, 2.0), y0 = random.uniform(-2.0, 2.0);
    // Sines and cosines with the rounding of pi/2 in doubles must still count as exact quarter turns.
    const double noise = random.uniform(-ROUNDING, ROUNDING);
    const double s[4] = {0.0, 1.0, 0.0, -1.0}, c[4] = {1.0, 0.0, -1.0, 0.0};
    for (int quarter = 0; quarter < 4; ++quarter) {
        const ConstantRotation turn(s[quarter] == 0.0 ? noise : s[quarter], c[quarter] == 0.0 ? noise : c[quarter]);
        double x = x0, y = y0;
        rotate_pair(turn, x, y);
        HOLDS(turn.size != ConstantRotation::Size::general, quarter, noise);
        HOLDS(x == x0 * c[quarter] + y0 * s[quarter] && y == y0 * c[quarter] - x0 * s[quarter], quarter, x0, y0, x, y);
        for (int turns : {-4, 0}) {  // for larger angles the rounding of pi/2 is too large
            const double angle = (quarter + turns) * (PI / 2);
            HOLDS(ConstantRotation(std::sin(angle), std::cos(angle)).size == turn.size, quarter, turns);
        }
    }
    double x = x0, y = y0;
    rotate_pair(ConstantRotation(), x, y);
    HOLDS(x == x0 && y == y0, x, y);
    const double angle = random.chance(0.5) ? random.uniform(-PI, PI) : random.sign() * random.magnitude(-17.0, 0.0);
    rotate_pair(ConstantRotation(std::sin(angle), std::cos(angle)), x, y);
    const Real exact_x = x0 * cosl(angle) + y0 * sinl(angle), exact_y = y0 * cosl(angle) - x0 * sinl(angle);
    HOLDS(fabsl(x - exact_x) <= 2e-15L && fabsl(y - exact_y) <= 2e-15L, angle, x, exact_x, y, exact_y);
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
            HOLDS(distance(core.R, after.R) <= 2e-15, code, distance(core.R, after.R), q0[0]);
            const double off = distance(core.p, after.p);
            HOLDS(off <= 2e-15, code, off, q0[0]);

            // q0 + (q1 - q0) is the configuration q1.
            joint_difference(kind, wraps, q0.data(), q1.data(), v.data());
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            const Rigid there = joint_motion(kind, moved.data()), goal = joint_motion(kind, q1.data());
            const double scale = kind == Kind::revolute ? 1.0 + std::fabs(q0[0]) + std::fabs(q1[0]) : 1.0;
            HOLDS(distance(there.R, goal.R) <= 4e-15 * scale, code, wraps, distance(there.R, goal.R), q0[0], q1[0]);
            HOLDS(distance(there.p, goal.p) <= 4e-16, code, distance(there.p, goal.p));
            if (wraps) HOLDS(std::fabs(v[0]) <= PI, v[0], q0[0], q1[0]);
            if (kind == Kind::revolute && !wraps) HOLDS(v[0] == q1[0] - q0[0], v[0], q0[0], q1[0]);
            if (kind == Kind::ball || kind == Kind::floating) {
                const double* w = v.data() + size - 3;
                const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
                HOLDS(length <= PI * (1.0 + 4e-16), code, length);
            }

            // (q0 + v) - q0 is v, while v is shorter than half a turn.
            random_value(random, kind, 0.999 * PI, v.data());
            if (wraps) v[0] = std::remainder(v[0], 2.0 * 0.999 * PI);
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            joint_difference(kind, wraps, q0.data(), moved.data(), back.data());
            double error = 0.0;
            for (std::size_t i = 0; i < v.size(); ++i) error = std::fmax(error, std::fabs(back[i] - v[i]));
            HOLDS(error <= 4e-15 * (scale + std::fabs(v[0])), code, wraps, error, q0[0], v[0]);

            // A zero velocity is no motion; the difference between a configuration and itself is zero.
            for (double& x : v) x = 0.0;
            integrate_joint(kind, q0.data(), v.data(), moved.data());
            HOLDS(distance(joint_motion(kind, moved.data()).R, joint_motion(kind, q0.data()).R) <= 2e-15, code, q0[0]);
            joint_difference(kind, wraps, q0.data(), q0.data(), back.data());
            for (double x : back) HOLDS(std::fabs(x) <= 1e-15, code, x);
        }
}

LAW("constant rotations by multiples of 90 degrees are exact", 1000, check_rotate_pair);
LAW("a joint moves as the reference does, and differences undo steps", 1000, check_joint);

}  // namespace
}  // namespace limbik::test
