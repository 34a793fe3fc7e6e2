// Random arms of four joints, for the tests of muscles.
#pragma once

#include "mechanisms.hpp"

namespace limbik::test {

// Three axes that intersect in the shoulder, an elbow, and a tip.
inline Mechanism random_shoulder_arm(Random& random) {
    Mechanism m;
    m.n = 4;
    for (int i = 0; i < 4; ++i) {
        Pose<double> placement = rounded({random_rotation(random), {0, 0, 0}});
        if (i == 0) placement.origin = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (i == 3) placement.origin = {random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(0.2, 0.5)};
        m.elements.push_back({i - 1, Kind::revolute, i, 1.0, 0.0, false, placement});
    }
    m.frames.push_back(
        {3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {random.uniform(0.1, 0.5), random.uniform(-0.2, 0.2), 0.1}}});
    return m;
}

}  // namespace limbik::test
