// The target of a search in muscle space: a pose of the tip, its position, or its orientation.
#pragma once

#include "../geometry/spatial.hpp"

namespace limbik::muscle {

struct MuscleGoal {
    bool with_position = true, with_rotation = false;  // the parts of the pose that count
    Pose<double> target = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    int rows() const { return 3 * (int(with_position) + int(with_rotation)); }
    int first() const { return with_position ? 0 : 3; }  // of the six rows of a pose
};

}  // namespace limbik::muscle
