// Bodies kept apart: capsules that ride on the mechanism from obstacles, and from each other.
//
// A capsule is everything within a radius of a segment; a sphere is one whose segment has no length. Two are as far apart as
// their segments' nearest points, less both radii. Each pair is one number of the goal.
#pragma once

#include "bodies.hpp"

namespace limbik {

struct Capsule {
    int element;  // what it rides on; -1 stands still
    Vector3<double> start, end;
    double radius;
};

// The nearest points of two segments.
inline void nearest_points(const Vector3<double>& a, const Vector3<double>& b, const Vector3<double>& c, const Vector3<double>& d,
                           Vector3<double>& on_first, Vector3<double>& on_second) {
    const Vector3<double> u = b - a, v = d - c, w = a - c;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    const auto share = [](double part, double whole) { return whole > 0.0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0; };
    // where the lines come nearest, or anywhere if they are parallel; then each end that is passed is put right
    const double area = uu * vv - uv * uv;
    double s = share(uv * vw - vv * uw, area > 1e-12 * uu * vv ? area : 0.0);
    const double t = share(uv * s + vw, vv);
    s = share(uv * t - uw, uu);
    on_first = madd(u, s, a), on_second = madd(v, t, c);
}

// aim: seven numbers for each obstacle, start, end and radius, seen from the base.
class ClearanceGoal final : public Goal {
  public:
    // `pairs`: two bodies each, to be kept from each other, as far as `apart` says. `part`: of a body and an obstacle.
    ClearanceGoal(const Mechanism& m, std::vector<Capsule> bodies, int obstacles, const std::vector<int>& pairs,
                  const std::vector<double>& apart, const Part& part)
        : bodies_(std::move(bodies)), obstacles_(std::size_t(obstacles)), pairs_(pairs) {
        std::vector<int> elements;
        for (const Capsule& body : bodies_) elements.push_back(body.element);
        columns_ = columns_of(m, elements);
        guard = true;
        aims_ = 7 * obstacles;
        parts_.assign(bodies_.size() * obstacles_, part);
        for (const double low : apart) {
            parts_.push_back(part);
            parts_.back().low = low;
        }
    }

    void measure(const Stance& s, const double* aim, double* e, double* J) const override {
        std::vector<Capsule> here = bodies_;
        for (Capsule& body : here) body.start = riding(s, body.element, body.start), body.end = riding(s, body.element, body.end);
        const std::size_t n = columns_.size();
        std::vector<double> row(std::size_t(s.mechanism.n));
        std::size_t at = 0;
        const auto apart = [&](const Capsule& one, const Capsule& other) {
            Vector3<double> x, y;
            nearest_points(one.start, one.end, other.start, other.end, x, y);
            const Vector3<double> d = x - y;
            const double far = std::sqrt(dot(d, d));
            e[at] = far - one.radius - other.radius;
            if (e[at] >= parts_[at].low) {
                std::fill_n(J + at * n, n, 0.0);
            } else {
                const Vector3<double> way = far > 0.0 ? scaled(d, 1.0 / far) : aside(one, other);
                std::fill(row.begin(), row.end(), 0.0);
                add_speed(s, one.element, x, way, row.data());
                add_speed(s, other.element, y, -way, row.data());
                for (std::size_t j = 0; j < n; ++j) J[at * n + j] = row[std::size_t(columns_[j])];
            }
            ++at;
        };
        for (std::size_t k = 0; k < obstacles_; ++k, aim += 7) {
            const Capsule obstacle = {-1, vector_at(aim), vector_at(aim + 3), aim[6]};
            for (const Capsule& body : here) apart(body, obstacle);
        }
        for (std::size_t k = 0; k + 1 < pairs_.size(); k += 2) apart(here[std::size_t(pairs_[k])], here[std::size_t(pairs_[k + 1])]);
    }

  private:
    // Where segments cross: a way across both.
    static Vector3<double> aside(const Capsule& one, const Capsule& other) {
        Vector3<double> way = cross(one.end - one.start, other.end - other.start);
        double length = std::sqrt(dot(way, way));
        if (!(length > 0.0)) way = {0, 0, 1}, length = 1.0;
        return scaled(way, 1.0 / length);
    }

    std::vector<Capsule> bodies_;
    std::size_t obstacles_;
    std::vector<int> pairs_;
};

}  // namespace limbik
