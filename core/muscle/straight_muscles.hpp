// Straight muscles of an arm like MaximumOne: two of the shoulder determine the direction of the upper arm, one across
// the elbow its angle (from_lengths.hpp). Lengths are those of the straight piece alone [m].
#pragma once

#include <optional>

#include "muscles.hpp"
#include "shoulder_elbow.hpp"

namespace limbik::muscle {

// Relative rounding error of a discriminant.
inline constexpr double DISCRIMINANT_ROUNDING = 1e-12;

// A muscle of the shoulder, from the base to a point on the third axis.
struct ShoulderMuscle {
    int muscle;
    Point origin;      // relative to the shoulder
    double insertion;  // the coordinate of its other end, the insertion, on the third axis from the shoulder
};
inline std::optional<ShoulderMuscle> shoulder_muscle_of(int muscle, const MusclePoint& a, const MusclePoint& b,
                                                        const ShoulderElbow& arm, const Pose<double>* poses) {
    const Point end = transform(poses[2], b.at) - arm.shoulder;
    const double s = dot(end, arm.axis[2]);
    const ShoulderMuscle shoulder_muscle = {muscle, a.at - arm.shoulder, s};
    if (norm(cross(end, arm.axis[2])) <= ShoulderElbow::MEET * arm.size && s != 0.0 &&
        norm(shoulder_muscle.origin) > 0.0)
        return shoulder_muscle;
    return std::nullopt;
}

// A straight muscle across the elbow: L^2 = mean_square - 2 (first cos + second sin), all in m^2.
struct ElbowMuscle {
    int muscle;
    double first, second, mean_square;
};
inline std::optional<ElbowMuscle> elbow_muscle_of(int muscle, const MusclePoint& a, const MusclePoint& b,
                                                  const ShoulderElbow& arm, const Pose<double>* poses) {
    const Point from = transform(poses[2], a.at) - arm.elbow, to = transform(poses[3], b.at) - arm.elbow;
    const Point& k = arm.axis[3];
    const double along = dot(from, k) * dot(k, to);
    const ElbowMuscle elbow_muscle = {muscle, dot(from, to) - along, dot(from, cross(k, to)),
                                      dot(from, from) + dot(to, to) - 2.0 * along};
    if (std::hypot(elbow_muscle.first, elbow_muscle.second) > 0.0) return elbow_muscle;
    return std::nullopt;
}
// The elbow angles for a length: none, one or two.
inline int elbow_angles(const ElbowMuscle& c, double l, double out[2]) {
    const double rho = std::hypot(c.first, c.second), value = 0.5 * (c.mean_square - l * l) / rho;
    if (!(std::fabs(value) <= 1.0 + DISCRIMINANT_ROUNDING) || l < 0.0) return 0;
    return cosine_roots(c.first, c.second, value, out) == 0.0 ? 1 : 2;
}

// The two directions of the upper arm for two lengths: unit vectors, mirror images in the plane of the two origins.
struct Directions {
    Point u[2];
    double height;  // of each above or below that plane; 0: they coincide
};

inline bool directions(const ShoulderMuscle& a, double la, const ShoulderMuscle& b, double lb, Directions& out) {
    const double aa = dot(a.origin, a.origin), bb = dot(b.origin, b.origin), ab = dot(a.origin, b.origin);
    const double ca = 0.5 * (aa + a.insertion * a.insertion - la * la) / a.insertion,
                 cb = 0.5 * (bb + b.insertion * b.insertion - lb * lb) / b.insertion;
    const Point normal = cross(a.origin, b.origin);
    const double det = dot(normal, normal);
    if (det <= 1e-18 * aa * bb) return false;
    const Point flat = madd(a.origin, (ca * bb - cb * ab) / det, scaled(b.origin, (cb * aa - ca * ab) / det));
    const double left = 1.0 - dot(flat, flat);
    if (left < -DISCRIMINANT_ROUNDING) return false;
    out.height = left <= DISCRIMINANT_ROUNDING ? 0.0 : std::sqrt(left);
    // the direction on the insertion's side first
    const Point step = scaled(normal, std::copysign(out.height / std::sqrt(det), a.insertion));
    out.u[0] = flat + step, out.u[1] = flat - step;
    for (Point& u : out.u) u = scaled(u, 1.0 / norm(u));
    return true;
}

// The range of the second muscle's length for a given length of the first: u moves on a cone about the first origin.
inline void length_range(const ShoulderMuscle& a, double la, const ShoulderMuscle& b, double& low, double& high) {
    const double o = norm(a.origin), p = norm(b.origin);
    const double c = std::clamp(0.5 * (o * o + a.insertion * a.insertion - la * la) / (a.insertion * o), -1.0, 1.0),
                 tilt = std::acos(c);
    const double between = std::acos(std::clamp(dot(a.origin, b.origin) / (o * p), -1.0, 1.0));
    const double nearest = std::fabs(tilt - between), farthest = std::min(tilt + between, TURN - tilt - between);
    const auto length = [&](double angle) {
        return std::sqrt(std::max(0.0, p * p + b.insertion * b.insertion - 2.0 * b.insertion * p * std::cos(angle)));
    };
    low = std::min(length(nearest), length(farthest)), high = std::max(length(nearest), length(farthest));
}

}  // namespace limbik::muscle
