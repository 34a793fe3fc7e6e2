// Goals for the pose, the position or the orientation of a frame.
//
// The rotation residual is minus the logarithm r of R_target R'; its norm is the angle, up to pi. Its derivative is
// exact: when the frame rotates with w, r changes by -(I + [r]/2 + c [r]^2) w.
#pragma once

#include "../iterative/newton.hpp"
#include "relative_frame.hpp"

namespace limbik::goals {

// Numbers of a pose: the upper three rows of its matrix.
inline constexpr int POSE_AIMS = 12;

inline void position_residual(const Pose<double>& T, const Vector3<double>& target, const Twist* twists, std::size_t n,
                              double* e, double* J) {
    const Vector3<double> d = T.origin - target;
    e[0] = d.x, e[1] = d.y, e[2] = d.z;
    for (std::size_t j = 0; j < n; ++j) {
        const Vector3<double>& v = twists[j].linear;
        J[j] = v.x, J[n + j] = v.y, J[2 * n + j] = v.z;
    }
}

inline void rotation_residual(const Pose<double>& T, const Pose<double>& target, const Twist* twists, std::size_t n,
                              double* e, double* J) {
    Vector3<double> column[3];
    relative_rotation(target, T, column);
    const Vector3<double> r = rotation_logarithm(column[0], column[1], column[2]);
    e[0] = -r.x, e[1] = -r.y, e[2] = -r.z;
    const double c = logarithm_bend(dot(r, r));
    for (std::size_t j = 0; j < n; ++j) {
        const Vector3<double>& w = twists[j].angular;
        const Vector3<double> rw = cross(r, w), changed = w + scaled(rw, 0.5) + scaled(cross(r, rw), c);
        J[j] = changed.x, J[n + j] = changed.y, J[2 * n + j] = changed.z;
    }
}

// aim: 12 numbers.
class PoseGoal final : public FrameGoal {
  public:
    PoseGoal(RelativeFrame view, std::vector<Part> parts) : FrameGoal(std::move(view), std::move(parts), POSE_AIMS) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Pose<double> target = pose_from_rows(aim);
        const std::size_t n = columns_.size();
        position_residual(T, target.origin, twists, n, e, J);
        rotation_residual(T, target, twists, n, e + 3, J + 3 * n);
    }
};

// aim: a point.
class PositionGoal final : public FrameGoal {
  public:
    PositionGoal(RelativeFrame view, std::vector<Part> parts) : FrameGoal(std::move(view), std::move(parts), 3) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        position_residual(T, vector_at(aim), twists, columns_.size(), e, J);
    }
};

// aim: 12 numbers; the last column is not read.
class OrientationGoal final : public FrameGoal {
  public:
    OrientationGoal(RelativeFrame view, std::vector<Part> parts)
        : FrameGoal(std::move(view), std::move(parts), POSE_AIMS) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        rotation_residual(T, pose_from_rows(aim), twists, columns_.size(), e, J);
    }
};

}  // namespace limbik::goals
