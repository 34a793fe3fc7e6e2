// An axis of a frame that points somewhere, free to spin about itself: along a direction, or at a point.
//
// Seen in the frame, what is pointed at stands at v = (x, y, z), z counted along the axis and x, y across it. What is
// missing is the angle between the two, a = atan2(s, z) with s = hypot(x, y), laid off across the axis: a (x, y)/s. It
// has no zero but where it should: with the axis turned the wrong way it is half a turn.
#pragma once

#include "relative_frame.hpp"

namespace limbik::goals {

class PointingGoal : public SightGoal {
  public:
    PointingGoal(Sight sight, std::vector<Part> parts, const Vector3<double>& axis)
        : SightGoal(std::move(sight), std::move(parts), 3), axis_(axis) {
        across(axis, first_, second_);
    }

  protected:
    // From v as the frame sees it, and how each column moves it.
    template <class Moved> void point(const Vector3<double>& v, const Moved& moved, double* e, double* J) const {
        const std::size_t n = columns_.size();
        double x = dot(v, first_), y = dot(v, second_), z = dot(v, axis_);
        const double far = std::sqrt(x * x + y * y + z * z);
        if (!(far > 0.0)) {  // nothing to point at: the frame stands on it
            e[0] = e[1] = 0.0;
            std::fill_n(J, 2 * n, 0.0);
            return;
        }
        x /= far, y /= far, z /= far;
        if (z < 0.0 && std::hypot(x, y) < TURNED) x = TURNED;  // the wrong way round: any way across will do
        const double s = std::hypot(x, y), squared = x * x + y * y + z * z;
        double share, bend;  // a/s, and its derivative along x or y, per x or y
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
    // Closer to half a turn than this is half a turn; a tangent below this has a series that is exact to 1e-12.
    static constexpr double TURNED = 1e-9, SMALL = 1e-3;
    Vector3<double> axis_, first_, second_;
};

// aim: a direction, as the observer sees it.
class AxisGoal final : public PointingGoal {
  public:
    using PointingGoal::PointingGoal;

  private:
    void measure_sight(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> d = vector_at(aim);
        point(
            unrotate(T, d), [&](std::size_t j) { return unrotate(T, cross(d, twists[j].angular)); }, e, J);
    }
};

// aim: a point, as the observer sees it.
class LookAtGoal final : public PointingGoal {
  public:
    using PointingGoal::PointingGoal;

  private:
    void measure_sight(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                       double* J) const override {
        const Vector3<double> d = vector_at(aim) - T.origin;
        point(
            unrotate(T, d), [&](std::size_t j) { return unrotate(T, cross(d, twists[j].angular) - twists[j].linear); },
            e, J);
    }
};

}  // namespace limbik::goals
