// Rotation vectors to rotations and back.

#include "../support/reference.hpp"

#include "../../geometry/pose_error.hpp"

namespace limbik::test {
namespace {

inline constexpr double ROTATION_ERROR = 1.2e-15;  // of each number of a matrix; the worst of two million was 9.7e-16

inline Rotation rotation_of(const Vector3<double>& x, const Vector3<double>& y, const Vector3<double>& z) {
    return rigid(Pose<double>{x, y, z, {0.0, 0.0, 0.0}}).R;
}

inline void check_logarithm_of(const Rotation& exact) {
    const Pose<double> T = rounded({exact, {}});
    const Vector3<double> w = rotation_logarithm(T.x, T.y, T.z);
    const Rotation again = from_vector(w.x, w.y, w.z);
    const double lost = distance(again, rigid(T).R);
    HOLDS(lost <= ROTATION_ERROR, lost, w.x, w.y, w.z);
    HOLDS(sqrtl(Real(w.x) * w.x + Real(w.y) * w.y + Real(w.z) * w.z) <= PI_L * (1 + 4e-16L), w.x, w.y, w.z);
    Vector3<double> x, y, z;
    rotation_from_vector(w, x, y, z);
    const double core_lost = distance(rotation_of(x, y, z), again);
    HOLDS(core_lost <= 2e-15, core_lost, w.x, w.y, w.z);
}

inline void check_logarithm(const Real axis[3], Real angle) {
    const Rotation exact = about_axis(axis, angle);
    check_logarithm_of(exact);
    if (angle > 1e-3L) return;
    // Small rotations keep their digits, also where the square of the angle is below the rounding of 1.
    const Pose<double> T = rounded({exact, {}});
    const Vector3<double> w = rotation_logarithm(T.x, T.y, T.z);
    const Real found[3] = {w.x, w.y, w.z}, expected[3] = {axis[0] * angle, axis[1] * angle, axis[2] * angle};
    const double error = distance(found, expected);
    HOLDS(error <= 1e-15 * double(angle), error, angle, w.x, w.y, w.z);
    Vector3<double> x, y, z;
    rotation_from_vector(w, x, y, z);
    const Real sine = sinl(angle);
    const Real vee[3] = {(Real(y.z) - z.y) / 2, (Real(z.x) - x.z) / 2, (Real(x.y) - y.x) / 2};
    const Real expected_vee[3] = {axis[0] * sine, axis[1] * sine, axis[2] * sine};
    const double vee_error = distance(vee, expected_vee);
    HOLDS(vee_error <= 2e-15 * double(angle), vee_error, angle, w.x, w.y, w.z);
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
        HOLDS(same(logarithm, i, rotation_logarithm(x1[i], y1[i], z1[i])), i);
        Vector3<double> a, b, c;
        rotation_from_vector(w1[i], a, b, c);
        HOLDS(same(ex, i, a) && same(ey, i, b) && same(ez, i, c), i);
        HOLDS(same(there, i, vector_from_quaternion(quaternion_from_vector(w1[i]))), i);
    }
}

LAW("a rotation vector is the logarithm of its rotation", 1000, check_rotation_vectors);

}  // namespace
}  // namespace limbik::test
