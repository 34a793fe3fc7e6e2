// Goals for an axis of a frame, free to spin about itself: along a direction, or towards a point.
//
// In the frame's coordinates the target is v = (x, y, z), z along the axis. The residual is the angle between the two,
// a = atan2(s, z) with s = hypot(x, y), times the direction across the axis: a (x, y)/s. It vanishes only at the
// target; an axis that points in the opposite direction has a residual of pi.
#pragma once

#include "relative_frame.hpp"

namespace limbik::goals {

class PointingGoal : public FrameGoal {
  public:
    PointingGoal(RelativeFrame view, std::vector<Part> parts, const Vector3<double>& axis)
        : FrameGoal(std::move(view), std::move(parts), 3), axis_(axis) {
        orthonormal_basis(axis, first_, second_);
    }

  protected:
    // Residual and derivatives from v in the frame's coordinates; moved(j) is the derivative of v for column j.
    template <class Moved> void point(const Vector3<double>& v, const Moved& moved, double* e, double* J) const {
        const std::size_t n = columns_.size();
        double x = dot(v, first_), y = dot(v, second_), z = dot(v, axis_);
        const double far = std::sqrt(x * x + y * y + z * z);
        if (!(far > 0.0)) {  // the target is the frame's own origin: no direction
            e[0] = e[1] = 0.0;
            std::fill_n(J, 2 * n, 0.0);
            return;
        }
        x /= far, y /= far, z /= far;
        if (z < 0.0 && std::hypot(x, y) < OPPOSITE) x = OPPOSITE;  // opposite: any direction across will do
        const double s = std::hypot(x, y), squared = x * x + y * y + z * z;
        double share, bend;  // a/s, and its derivative along x or y, divided by x or y
        if (z > 0.0 && s < SMALL * z) {
            const double t = s / z;
            share = (1.0 - t * t / 3.0) / z, bend = (-2.0 / 3.0 + 0.8 * t * t) / (z * z * z);
        } else {
            share = std::atan2(s, z) / s, bend = (z / squared - share) / (s * s);
        }
        e[0] = share * x, e[1] = share * y;
        for (std::size_t j = 0; j < n; ++j) {
            const Vector3<double> d = scaled(moved(j), 1.0 / far);
            const double dx = dot(d, first_), dy = dot(d, second_), dz = dot(d, axis_);
            const double ds = bend * (x * dx + y * dy) - dz / squared;
            J[j] = share * dx + x * ds, J[n + j] = share * dy + y * ds;
        }
    }

  private:
    // Sine below which an axis is opposite to its target; tangent below which a series is exact to 1e-12.
    static constexpr double OPPOSITE = 1e-9, SMALL = 1e-3;
    Vector3<double> axis_, first_, second_;
};

// aim: a direction, in the observer's coordinates.
class AxisGoal final : public PointingGoal {
  public:
    using PointingGoal::PointingGoal;

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> d = vector_at(aim);
        point(
            unrotate(T, d), [&](std::size_t j) { return unrotate(T, cross(d, twists[j].angular)); }, e, J);
    }
};

// aim: a point, in the observer's coordinates [m].
class LookAtGoal final : public PointingGoal {
  public:
    using PointingGoal::PointingGoal;

  private:
    void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> d = vector_at(aim) - T.origin;
        point(
            unrotate(T, d), [&](std::size_t j) { return unrotate(T, cross(d, twists[j].angular) - twists[j].linear); },
            e, J);
    }
};

}  // namespace limbik::goals
