// Contact of solids that overlap: the derivative of the depth against differences, with sides that are parallel or
// nearly so.

#include "../../goals/contact.hpp"
#include "../support/reference.hpp"

namespace limbik::test {
namespace {

constexpr double CONTACT_STEP = 1e-7;

// No rotation, a rotation about y, or any. A small tilt changes its sign within a thousandth of the step.
inline Rotation random_orientation(Random& random) {
    const Real y[3] = {0, 1, 0};
    const Rotation planar = about_axis(y, random.uniform(-3.0, 3.0));
    switch (random.integer(0, 3)) {
        case 0: return about_z(0);
        case 1: return planar;
        case 2: {
            Real axis[3];
            random_direction(random, axis);
            return planar * about_axis(axis, CONTACT_STEP * random.magnitude(-7.0, -5.0));
        }
        default: return random_rotation(random);
    }
}

inline Vector3<double> rotated(const Rotation& R, const Vector3<double>& v) {
    return rotate(rounded({R, {0, 0, 0}}), v);
}
inline Vector3<double> random_vector(Random& random, double most) {
    return {random.uniform(-most, most), random.uniform(-most, most), random.uniform(-most, most)};
}

// A segment, or a box that may be flat.
inline Solid random_solid(Random& random, bool box) {
    const Rotation R = random_orientation(random);
    const int flat = random.chance(0.2) ? random.integer(0, 2) : 3;
    double sides[3];
    for (int k = 0; k < 3; ++k) sides[k] = k == flat ? 0.0 : random.magnitude(-2.0, 0.0);
    const Vector3<double> centre = random_vector(random, 0.2), half = rotated(R, {sides[0], 0, 0});
    Solid solid = {-1, centre - half, centre + half, 0.05};
    if (box) solid.across = {rotated(R, {0, sides[1], 0}), rotated(R, {0, 0, sides[2]})};
    return solid;
}

inline Solid moved(const Solid& solid, const Vector3<double>& shift, const Vector3<double>& turn) {
    const Rotation R = from_vector(turn.x, turn.y, turn.z);
    return {solid.element,
            rotated(R, solid.start) + shift,
            rotated(R, solid.end) + shift,
            solid.radius,
            {rotated(R, solid.across[0]), rotated(R, solid.across[1])}};
}

LAW("the rate of a depth lies between its differences to either side", 2000, [](std::uint64_t seed) {
    constexpr double NEAR = 5e-5, DEEP = 1e-4, SAME_NORMAL = 0.999;
    Random random(seed);
    Solid one = random_solid(random, random.chance(0.7)), other = random_solid(random, true);
    if (random.chance(0.5)) std::swap(one, other);
    const Contact here = contact(one, other);
    if (here.distance > -DEEP) return;
    const bool first = random.chance(0.5);  // the one that moves
    const Vector3<double> shift = random_vector(random, 1.0);
    const Vector3<double> turn = random.chance(0.5) ? Vector3<double>{0, 1, 0} : random_vector(random, 1.0);
    const auto after = [&](double time) {
        const Vector3<double> by = scaled(shift, time), about = scaled(turn, time);
        return first ? contact(moved(one, by, about), other) : contact(one, moved(other, by, about));
    };
    const Contact behind = after(-CONTACT_STEP), ahead = after(CONTACT_STEP);
    // not where another normal takes over within the step
    if (dot(behind.normal, here.normal) < SAME_NORMAL || dot(ahead.normal, here.normal) < SAME_NORMAL) return;
    const double left = (here.distance - behind.distance) / CONTACT_STEP;
    const double right = (ahead.distance - here.distance) / CONTACT_STEP;
    const Vector3<double> speed = shift + cross(turn, first ? here.x : here.y);
    const double rate = first ? dot(here.normal, speed) : -dot(here.normal, speed);
    HOLDS(rate > std::min(left, right) - NEAR && rate < std::max(left, right) + NEAR, rate, left, right, here.distance);
});

}  // namespace
}  // namespace limbik::test
