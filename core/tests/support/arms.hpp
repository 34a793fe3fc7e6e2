// Arms of six joints with three axes that intersect in a point or are parallel.
#pragma once

#include "../../closed_form/loop.hpp"
#include "mechanisms.hpp"

namespace limbik::test {

inline Pose<double> turned_about_z_and_x(Random& random) {
    Rigid T{about_z(random.uniform(-3, 3)) * about_x(random.uniform(-3, 3)) * about_z(random.uniform(-3, 3)),
            {0, 0, 0}};
    return rounded(T);
}

// Six joints. The axes of joints `first` to `first` + 2 intersect in a point (`meeting`) or are parallel; the others
// lie anywhere.
inline Mechanism arm_with_group(Random& random, bool meeting, int first) {
    Mechanism m;
    m.n = 6;
    double along = 0.0;
    for (int i = 0; i < 6; ++i) {
        Pose<double> placement = turned_about_z_and_x(random);
        placement.origin = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
        const bool inside = i > first && i < first + 3;
        if (inside && meeting) {
            placement.origin = {0, 0, 0};
            const double next = random.uniform(-0.5, 0.5);
            placement = shifted_along_z(-along) * placement * shifted_along_z(next);
            along = next;
        } else if (inside) {
            const double angle = random.uniform(-3, 3);
            placement = {{std::cos(angle), std::sin(angle), 0},
                         {-std::sin(angle), std::cos(angle), 0},
                         {0, 0, 1},
                         placement.origin};
            if (random.chance(0.3)) placement = placement * half_turn_about_x();
        }
        const bool revolute = inside || i == first || random.chance(0.8);
        m.elements.push_back({i - 1, revolute ? Kind::revolute : Kind::prismatic, i, 1.0, 0.0, false, placement});
    }
    Pose<double> tip = turned_about_z_and_x(random);
    tip.origin = {0.1, -0.2, 0.05};
    m.frames.push_back({5, tip});
    return m;
}

}  // namespace limbik::test
