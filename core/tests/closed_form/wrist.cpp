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
    for (const auto& found : both.q) {
        const Pose<double> reached = turned(found);
        for (const Vector3<double>& off : {reached.x - M.x, reached.y - M.y, reached.z - M.z})
            HOLDS(dot(off, off) < 1e-10, dot(off, off));  // near the double root an angle is known to half the digits
    }
}

LAW("both postures of a wrist turn it as wanted", 300, check_wrist);

}  // namespace
}  // namespace limbik::test
