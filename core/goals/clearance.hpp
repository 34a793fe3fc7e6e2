// The goal that keeps bodies clear of obstacles and of each other: one signed distance [m] for each pair.
#pragma once

#include <algorithm>

#include "bodies.hpp"
#include "contact.hpp"

namespace limbik::goals {

// Numbers of a solid: start, end, radius, two half sides.
inline constexpr int SOLID_SIZE = 13;

inline Solid solid_at(int element, const double* x) {
    return {element, vector_at(x), vector_at(x + 3), x[6], {vector_at(x + 7), vector_at(x + 10)}};
}

// aim: the numbers of each obstacle, in the base frame. Bodies fixed to the base are not checked against obstacles.
class ClearanceGoal final : public Goal {
  public:
    // `pairs`: two indices of bodies for each pair; `apart`: the least distance of each pair [m]. `part`: the part of
    // each pair of a body and an obstacle.
    ClearanceGoal(const Mechanism& m, std::vector<Solid> bodies, int obstacles, const std::vector<int>& pairs,
                  const std::vector<double>& apart, const Part& part)
        : bodies_(std::move(bodies)), obstacles_(std::size_t(obstacles)), pairs_(pairs) {
        std::vector<int> elements;
        for (const Solid& body : bodies_) elements.push_back(body.element);
        const auto moving = std::count_if(elements.begin(), elements.end(), [](int element) { return element >= 0; });
        columns_ = columns_of(m, elements);
        guard = true;
        aims_ = SOLID_SIZE * obstacles;
        parts_.assign(std::size_t(moving) * obstacles_, part);
        for (const double low : apart) {
            parts_.push_back(part);
            parts_.back().low = low;
        }
    }

    void measure(const MechanismState& s, const double* aim, double* e, double* J) const override {
        std::vector<Solid> here = bodies_;
        for (Solid& body : here) {
            body.start = point_on(s, body.element, body.start), body.end = point_on(s, body.element, body.end);
            if (body.element < 0) continue;
            for (Vector3<double>& side : body.across) side = rotate(s.elements[std::size_t(body.element)], side);
        }
        const std::size_t n = columns_.size();
        std::vector<double> row(std::size_t(s.mechanism.n));
        std::size_t at = 0;
        const auto apart = [&](const Solid& one, const Solid& other) {
            const Contact found = contact(one, other, parts_[at].low + one.radius + other.radius);
            e[at] = found.distance - one.radius - other.radius;
            if (e[at] >= parts_[at].low) {
                std::fill_n(J + at * n, n, 0.0);
            } else {
                std::fill(row.begin(), row.end(), 0.0);
                add_speed(s, one.element, found.x, found.normal, row.data());
                add_speed(s, other.element, found.y, -found.normal, row.data());
                for (std::size_t j = 0; j < n; ++j) J[at * n + j] = row[std::size_t(columns_[j])];
            }
            ++at;
        };
        for (std::size_t k = 0; k < obstacles_; ++k, aim += SOLID_SIZE) {
            const Solid obstacle = solid_at(-1, aim);
            for (const Solid& body : here)
                if (body.element >= 0) apart(body, obstacle);
        }
        for (std::size_t k = 0; k + 1 < pairs_.size(); k += 2)
            apart(here[std::size_t(pairs_[k])], here[std::size_t(pairs_[k + 1])]);
    }

  private:
    std::vector<Solid> bodies_;
    std::size_t obstacles_;
    std::vector<int> pairs_;
};

}  // namespace limbik::goals
