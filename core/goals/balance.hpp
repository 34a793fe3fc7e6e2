// The goal that keeps the centre of mass over a support polygon, with a margin.
//
// It measures the distance [m] of the centre of mass, projected along gravity, from the polygon's boundary, negative
// inside. The derivative is the velocity of the centre away from the closest point of the boundary; the motion of that
// point along its edge does not count.
#pragma once

#include "bodies.hpp"
#include "relative_frame.hpp"

namespace limbik::goals {

struct Mass {
    int element;
    double mass;
    Vector3<double> centre;  // in the element's frame [m]
};

// aim: three coordinates for each support point, in the frame to which the support is fixed. The support is the convex
// hull of the points, projected onto the ground.
class BalanceGoal final : public Goal {
  public:
    BalanceGoal(const Mechanism& m, std::vector<Mass> masses, const Frame& ground, const Vector3<double>& up,
                int corners, Part part)
        : masses_(std::move(masses)), ground_(ground), up_(up), corners_(std::size_t(corners)) {
        std::vector<int> elements = {ground.element};
        for (const Mass& mass : masses_) elements.push_back(mass.element), total_mass_ += mass.mass;
        columns_ = columns_of(m, elements);
        parts_ = {part};
        aims_ = 3 * corners;
        orthonormal_basis(up_, east_, north_);
    }

    void measure(const MechanismState& s, const double* aim, double* e, double* J) const override {
        Vector3<double> centre = {0, 0, 0};
        for (const Mass& mass : masses_)
            centre = madd(point_on(s, mass.element, mass.centre), mass.mass / total_mass_, centre);
        const Pose<double> ground = frame_pose(ground_, s.elements.data());
        std::vector<Corner> corners;
        for (std::size_t k = 0; k < corners_; ++k) {
            const Vector3<double> place = transform(ground, vector_at(aim + 3 * k));
            corners.push_back({on_ground(place), place});
        }
        corners = hull(std::move(corners));
        Edge nearest;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Corner &a = corners[k], &b = corners[(k + 1) % corners.size()];
            nearest.consider(on_ground(centre), a.on_ground, b.on_ground, a.place, b.place);
        }
        const bool inside = corners.size() >= 3 && nearest.inside;
        e[0] = inside ? -nearest.distance : nearest.distance;
        GroundPoint direction =
            inside ? GroundPoint{-nearest.direction.east, -nearest.direction.north} : nearest.direction;
        if (nearest.distance <= 0.0) direction = nearest.outward;
        const Vector3<double> along = scaled(east_, direction.east) + scaled(north_, direction.north);
        std::vector<double> row(std::size_t(s.mechanism.n), 0.0);
        for (const Mass& mass : masses_)
            add_speed(s, mass.element, point_on(s, mass.element, mass.centre), scaled(along, mass.mass / total_mass_),
                      row.data());
        add_speed(s, ground_.element, nearest.point, -along, row.data());
        for (std::size_t j = 0; j < columns_.size(); ++j) J[j] = row[std::size_t(columns_[j])];
    }

  private:
    // A point in the ground plane [m].
    struct GroundPoint {
        double east, north;
    };
    struct Corner {
        GroundPoint on_ground;
        Vector3<double> place;
    };

    // The convex hull, counter-clockwise seen from above (Andrew's monotone chain).
    static std::vector<Corner> hull(std::vector<Corner> points) {
        std::sort(points.begin(), points.end(), [](const Corner& a, const Corner& b) {
            return a.on_ground.east < b.on_ground.east ||
                   (a.on_ground.east == b.on_ground.east && a.on_ground.north < b.on_ground.north);
        });
        const auto left = [](const GroundPoint& a, const GroundPoint& b, const GroundPoint& c) {
            return (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east) > 0.0;
        };
        std::vector<Corner> out;
        for (int side = 0; side < 2; ++side) {
            const std::size_t from = out.size();
            for (const Corner& point : points) {
                while (out.size() >= from + 2 &&
                       !left(out[out.size() - 2].on_ground, out.back().on_ground, point.on_ground))
                    out.pop_back();
                out.push_back(point);
            }
            out.pop_back();  // it begins the other half
            std::reverse(points.begin(), points.end());
        }
        return out.empty() ? std::vector<Corner>{points.front()} : out;
    }

    // The closest boundary edge of those considered.
    struct Edge {
        double distance = 1e300;
        bool inside = true;
        // Unit vectors: from the edge to the centre of mass, and outward across the edge.
        GroundPoint direction{1, 0}, outward{1, 0};
        Vector3<double> point{0, 0, 0};

        void consider(const GroundPoint& c, const GroundPoint& a, const GroundPoint& b, const Vector3<double>& from,
                      const Vector3<double>& to) {
            const GroundPoint ab = {b.east - a.east, b.north - a.north}, ac = {c.east - a.east, c.north - a.north};
            const double squared = ab.east * ab.east + ab.north * ab.north;
            const double share =
                squared > 0.0 ? std::clamp((ab.east * ac.east + ab.north * ac.north) / squared, 0.0, 1.0) : 0.0;
            const GroundPoint d = {ac.east - share * ab.east, ac.north - share * ab.north};
            const double far = std::hypot(d.east, d.north);
            if (ab.east * ac.north - ab.north * ac.east < 0.0) inside = false;
            if (!(far < distance)) return;
            distance = far;
            const double length = std::sqrt(squared);
            if (length > 0.0) outward = {ab.north / length, -ab.east / length};
            if (far > 0.0) direction = {d.east / far, d.north / far};
            point = from + scaled(to - from, share);
        }
    };

    GroundPoint on_ground(const Vector3<double>& p) const { return {dot(east_, p), dot(north_, p)}; }

    std::vector<Mass> masses_;
    Frame ground_;
    Vector3<double> up_, east_, north_;
    std::size_t corners_;
    double total_mass_ = 0.0;
};

}  // namespace limbik::goals
