// Goals for a point of a frame: on a plane, on a line, or at a distance from a point.
#pragma once

#include "relative_frame.hpp"

namespace limbik::goals {

// aim: a point of the plane [m] and its unit normal. The range is an interval of signed distances.
class PlaneGoal final : public FrameGoal {
  public:
    PlaneGoal(RelativeFrame view, std::vector<Part> parts) : FrameGoal(std::move(view), std::move(parts), 6) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> normal = vector_at(aim + 3);
        e[0] = dot(normal, T.origin - vector_at(aim));
        for (std::size_t j = 0; j < columns_.size(); ++j) J[j] = dot(normal, twists[j].linear);
    }
};

// aim: a point of the line [m] and its unit direction.
class LineGoal final : public FrameGoal {
  public:
    LineGoal(RelativeFrame view, std::vector<Part> parts) : FrameGoal(std::move(view), std::move(parts), 6) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        Vector3<double> first, second;
        orthonormal_basis(vector_at(aim + 3), first, second);
        const Vector3<double> d = T.origin - vector_at(aim);
        const std::size_t n = columns_.size();
        e[0] = dot(first, d), e[1] = dot(second, d);
        for (std::size_t j = 0; j < n; ++j)
            J[j] = dot(first, twists[j].linear), J[n + j] = dot(second, twists[j].linear);
    }
};

// aim: a point [m] and the distance from it [m]. The range is an interval around that distance.
class DistanceGoal final : public FrameGoal {
  public:
    DistanceGoal(RelativeFrame view, std::vector<Part> parts) : FrameGoal(std::move(view), std::move(parts), 4) {}

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> d = T.origin - vector_at(aim);
        const double far = std::sqrt(dot(d, d));
        const Vector3<double> away =
            far > 0.0 ? scaled(d, 1.0 / far) : Vector3<double>{1, 0, 0};  // at the point itself, any direction
        e[0] = far - aim[3];
        for (std::size_t j = 0; j < columns_.size(); ++j) J[j] = dot(away, twists[j].linear);
    }
};

}  // namespace limbik::goals
