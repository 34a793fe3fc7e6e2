// Ball joints in their cones.

#include "../support/random.hpp"

#include "../../geometry/cone.hpp"

namespace limbik::test {
namespace {

// A ball joint at a bound: the outward directions are orthogonal, and a velocity without them stays inside, to first
// order.
inline void check_outward_directions(const Cone& cone, const double* q, Vector3<double> pull) {
    constexpr double CONE_STEP = 1e-6, SECOND_ORDER = 1e-9;
    if (cone.swing < 0.1 || cone.swing > 2.9) return;  // near 0 and pi the bound curves too much
    Vector3<double> out[2];
    const int count = outward_directions(cone, q, pull, out);
    if (count == 2) HOLDS(std::fabs(dot(out[0], out[1])) < 1e-9, dot(out[0], out[1]));
    for (int w = 0; w < count; ++w) pull = pull - scaled(out[w], dot(pull, out[w]));
    const double step[3] = {CONE_STEP * pull.x, CONE_STEP * pull.y, CONE_STEP * pull.z};
    double moved[3], kept[3];
    const Vector3<double> there =
        vector_from_quaternion(quaternion_from_vector(Vector3<double>{q[0], q[1], q[2]}) *
                               quaternion_from_vector(Vector3<double>{step[0], step[1], step[2]}));
    moved[0] = there.x, moved[1] = there.y, moved[2] = there.z;
    std::copy_n(moved, 3, kept);
    clamp_cone(cone, kept);
    if (count > 0)
        for (int j = 0; j < 3; ++j) HOLDS(std::fabs(moved[j] - kept[j]) < SECOND_ORDER, moved[j], kept[j]);
}

// Clamping ends inside the cone and does not change a rotation that is inside.
inline void check_cones(std::uint64_t seed) {
    Random random(seed);
    Vector3<double> axis = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0)};
    axis = scaled(axis, 1.0 / std::sqrt(dot(axis, axis)));
    const Cone cone{0, axis, random.uniform(0.0, 3.0), random.uniform(-3.0, 0.0), random.uniform(0.0, 3.0)};
    for (int k = 0; k < 20; ++k) {
        double q[3] = {random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0)};
        clamp_cone(cone, q);
        double again[3] = {q[0], q[1], q[2]};
        clamp_cone(cone, again);
        for (int j = 0; j < 3; ++j) HOLDS(std::isfinite(q[j]) && std::fabs(q[j] - again[j]) < 1e-9, q[j], again[j]);
        check_outward_directions(cone, q,
                                 {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)});
    }
}

LAW("a clamped ball joint is inside its cone, and its outward directions are orthogonal", 200, check_cones);

}  // namespace
}  // namespace limbik::test
