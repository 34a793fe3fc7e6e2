// The centre of mass over a support: as far inside a polygon on the ground as is asked for.
//
// What is measured is the distance of the centre's plumb line from the edge of the polygon, negative inside. Its
// derivative is the speed of the centre away from the nearest point of the edge; that the nearest point slides along
// the edge costs nothing.
#pragma once

#include "bodies.hpp"
#include "relative_frame.hpp"

namespace limbik::goals {

struct Mass {
    int element;
    double mass;
    Vector3<double> centre;  // in the element's frame
};

// aim: three numbers for each point of the support, as the carrier of the support sees them; their convex hull counts,
// as it lies on the ground at the moment.
class BalanceGoal final : public Goal {
  public:
    BalanceGoal(const Mechanism& m, std::vector<Mass> masses, const Frame& ground, const Vector3<double>& up,
                int corners, Part part)
        : masses_(std::move(masses)), ground_(ground), up_(up), corners_(std::size_t(corners)) {
        std::vector<int> elements = {ground.element};
        for (const Mass& mass : masses_) elements.push_back(mass.element), whole_ += mass.mass;
        columns_ = columns_of(m, elements);
        parts_ = {part};
        aims_ = 3 * corners;
        across(up_, east_, north_);
    }

    void measure(const Stance& s, const double* aim, double* e, double* J) const override {
        Vector3<double> centre = {0, 0, 0};
        for (const Mass& mass : masses_)
            centre = madd(riding(s, mass.element, mass.centre), mass.mass / whole_, centre);
        const Pose<double> ground = frame_pose(ground_, s.elements.data());
        std::vector<Corner> corners;
        for (std::size_t k = 0; k < corners_; ++k) {
            const Vector3<double> place = transform(ground, vector_at(aim + 3 * k));
            corners.push_back({flat(place), place});
        }
        corners = hull(std::move(corners));
        Edge nearest;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Corner &a = corners[k], &b = corners[(k + 1) % corners.size()];
            nearest.look(flat(centre), a.flat, b.flat, a.place, b.place);
        }
        const bool inside = corners.size() >= 3 && nearest.inside;
        e[0] = inside ? -nearest.distance : nearest.distance;
        Flat way = inside ? Flat{-nearest.way.east, -nearest.way.north} : nearest.way;
        if (nearest.distance <= 0.0) way = nearest.outward;
        const Vector3<double> along = scaled(east_, way.east) + scaled(north_, way.north);
        std::vector<double> row(std::size_t(s.mechanism.n), 0.0);
        for (const Mass& mass : masses_)
            add_speed(s, mass.element, riding(s, mass.element, mass.centre), scaled(along, mass.mass / whole_),
                      row.data());
        add_speed(s, ground_.element, nearest.point, -along, row.data());
        for (std::size_t j = 0; j < columns_.size(); ++j) J[j] = row[std::size_t(columns_[j])];
    }

  private:
    // A point on the ground.
    struct Flat {
        double east, north;
    };
    struct Corner {
        Flat flat;
        Vector3<double> place;
    };

    // The convex hull, counter-clockwise seen from above (Andrew's monotone chain).
    static std::vector<Corner> hull(std::vector<Corner> points) {
        std::sort(points.begin(), points.end(), [](const Corner& a, const Corner& b) {
            return a.flat.east < b.flat.east || (a.flat.east == b.flat.east && a.flat.north < b.flat.north);
        });
        const auto left = [](const Flat& a, const Flat& b, const Flat& c) {
            return (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east) > 0.0;
        };
        std::vector<Corner> out;
        for (int side = 0; side < 2; ++side) {
            const std::size_t from = out.size();
            for (const Corner& point : points) {
                while (out.size() >= from + 2 && !left(out[out.size() - 2].flat, out.back().flat, point.flat))
                    out.pop_back();
                out.push_back(point);
            }
            out.pop_back();  // it begins the other side
            std::reverse(points.begin(), points.end());
        }
        return out.empty() ? std::vector<Corner>{points.front()} : out;
    }

    // The nearest of the edges looked at.
    struct Edge {
        double distance = 1e300;
        bool inside = true;
        Flat way{1, 0}, outward{1, 0};  // from the edge to the centre, and off the edge to the right of it
        Vector3<double> point{0, 0, 0};

        void look(const Flat& c, const Flat& a, const Flat& b, const Vector3<double>& from, const Vector3<double>& to) {
            const Flat ab = {b.east - a.east, b.north - a.north}, ac = {c.east - a.east, c.north - a.north};
            const double squared = ab.east * ab.east + ab.north * ab.north;
            const double share =
                squared > 0.0 ? std::clamp((ab.east * ac.east + ab.north * ac.north) / squared, 0.0, 1.0) : 0.0;
            const Flat d = {ac.east - share * ab.east, ac.north - share * ab.north};
            const double far = std::hypot(d.east, d.north);
            if (ab.east * ac.north - ab.north * ac.east < 0.0) inside = false;
            if (!(far < distance)) return;
            distance = far;
            const double length = std::sqrt(squared);
            if (length > 0.0) outward = {ab.north / length, -ab.east / length};
            if (far > 0.0) way = {d.east / far, d.north / far};
            point = from + scaled(to - from, share);
        }
    };

    Flat flat(const Vector3<double>& p) const { return {dot(east_, p), dot(north_, p)}; }

    std::vector<Mass> masses_;
    Frame ground_;
    Vector3<double> up_, east_, north_;
    std::size_t corners_;
    double whole_ = 0.0;
};

}  // namespace limbik::goals
