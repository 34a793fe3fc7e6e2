// Pose, position and orientation of a frame.
//
// The rotation that is missing is the logarithm of R_target R', so that its length is the angle up to half a turn. Its
// derivative is exact: when the frame turns with w, the rotation vector r loses (I + [r]/2 + c [r]^2) w.
#pragma once

#include "../iterative/newton.hpp"
#include "relative_frame.hpp"

namespace limbik::goals {

// Numbers that say a pose: three rows of its matrix.
inline constexpr int POSE_AIMS = 12;

inline void place_missing(const Pose<double>& T, const Vector3<double>& target, const Twist* twists, std::size_t n,
                          double* e, double* J) {
    const Vector3<double> d = T.origin - target;
    e[0] = d.x, e[1] = d.y, e[2] = d.z;
    for (std::size_t j = 0; j < n; ++j) {
        const Vector3<double>& v = twists[j].linear;
        J[j] = v.x, J[n + j] = v.y, J[2 * n + j] = v.z;
    }
}

inline void turn_missing(const Pose<double>& T, const Pose<double>& target, const Twist* twists, std::size_t n,
                         double* e, double* J) {
    Vector3<double> column[3];
    relative_rotation(target, T, column);
    const Vector3<double> r = rotation_logarithm(column[0], column[1], column[2]);
    e[0] = -r.x, e[1] = -r.y, e[2] = -r.z;
    const double c = logarithm_bend(dot(r, r));
    for (std::size_t j = 0; j < n; ++j) {
        const Vector3<double>& w = twists[j].angular;
        const Vector3<double> rw = cross(r, w), lost = w + scaled(rw, 0.5) + scaled(cross(r, rw), c);
        J[j] = lost.x, J[n + j] = lost.y, J[2 * n + j] = lost.z;
    }
}

// aim: 12 numbers.
class PoseGoal final : public SightGoal {
  public:
    PoseGoal(Sight sight, std::vector<Part> parts) : SightGoal(std::move(sight), std::move(parts), POSE_AIMS) {}

  private:
    void measure_sight(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Pose<double> target = pose_from_rows(aim);
        const std::size_t n = columns_.size();
        place_missing(T, target.origin, twists, n, e, J);
        turn_missing(T, target, twists, n, e + 3, J + 3 * n);
    }
};

// aim: a point.
class PositionGoal final : public SightGoal {
  public:
    PositionGoal(Sight sight, std::vector<Part> parts) : SightGoal(std::move(sight), std::move(parts), 3) {}

  private:
    void measure_sight(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        place_missing(T, vector_at(aim), twists, columns_.size(), e, J);
    }
};

// aim: 12 numbers, of which the last column is not read.
class OrientationGoal final : public SightGoal {
  public:
    OrientationGoal(Sight sight, std::vector<Part> parts) : SightGoal(std::move(sight), std::move(parts), POSE_AIMS) {}

  private:
    void measure_sight(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        turn_missing(T, pose_from_rows(aim), twists, columns_.size(), e, J);
    }
};

}  // namespace limbik::goals
