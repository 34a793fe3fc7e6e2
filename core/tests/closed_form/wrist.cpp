// A spherical wrist against forward kinematics.

#include "../support/reference.hpp"

#include "../../closed_form/spherical_wrist.hpp"

namespace limbik::test {
namespace {

inline void check_wrist(std::uint64_t seed) {
    Random random(seed);
    const auto unit = [&] {
        Real along[3];
        random_direction(random, along);
        return Vector3<double>{double(along[0]), double(along[1]), double(along[2])};
    };
    const Vector3<double> axis[3] = {unit(), unit(), unit()};
    const SphericalWrist wrist(axis[0], axis[1], axis[2]);
    const auto turned = [&](const double* q) {
        Pose<double> T = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
        for (int k = 0; k < 3; ++k) {
            Pose<double> turn = T;
            rotation_from_vector(scaled(axis[k], q[k]), turn.x, turn.y, turn.z);
            turn.origin = {0, 0, 0};
            T = T * turn;
        }
        return T;
    };
    const double q[3] = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    const Pose<double> M = turned(q);
    const WristPostures<double> both = wrist.solve(M);
    HOLDS(both.exist);
    // The determinant of the Jacobian: positive at the first solution, negative at the second.
    const double a = dot(axis[0], axis[2]) - dot(axis[0], axis[1]) * dot(axis[1], axis[2]),
                 b = dot(axis[0], cross(axis[1], axis[2]));
    for (int k = 0; k < 2; ++k) {
        const double determinant = b * std::cos(both.q[k][1]) - a * std::sin(both.q[k][1]);
        HOLDS((k == 0 ? determinant : -determinant) > -1e-6, k, determinant);
    }
    for (const auto& found : both.q) {
        const Pose<double> reached = turned(found);
        for (const Vector3<double>& off : {reached.x - M.x, reached.y - M.y, reached.z - M.z})
            HOLDS(dot(off, off) < 1e-10, dot(off, off));  // near the double root an angle is known to half the digits
    }
}

LAW("both solutions of a wrist give its rotation, the one with the positive determinant first", 300, check_wrist);

LAW("a wrist whose neighbouring axes are not orthogonal does not reach every rotation", 300, [](std::uint64_t seed) {
    Random random(seed);
    // The last axis stays within `bend` of the second, and that within `bend` of the first.
    const double bend = random.uniform(0.1, 0.7), s = std::sin(bend), c = std::cos(bend);
    const SphericalWrist wrist({0, 0, 1}, {s, 0, c}, {0, 0, 1});
    const double tilt = random.uniform(-3.0, 3.0), off = std::fabs(std::fabs(tilt) - 2.0 * bend);
    Pose<double> M{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    rotation_from_vector(Vector3<double>{0.0, tilt, 0.0}, M.x, M.y, M.z);
    if (off > 1e-4) HOLDS(wrist.solve(M).exist == (std::fabs(tilt) < 2.0 * bend), tilt, bend);
});

}  // namespace
}  // namespace limbik::test
