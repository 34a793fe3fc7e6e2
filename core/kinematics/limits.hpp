// Where q may be: the ranges of joints, the cones of balls, and configurations brought inside them.
#pragma once

#include <algorithm>
#include <vector>

#include "../geometry/angles.hpp"
#include "../geometry/cone.hpp"
#include "mechanism.hpp"

namespace limbik::kinematics {

// Where q may be, and where starts are drawn: finite, also for joints without limits.
struct Limits {
    std::vector<double> lower, upper, draw_low, draw_high;
    std::vector<Cone> cones;
};

// Postures brought to where they may be: each number at the whole turn nearest the seed's, inside the limits; balls in
// their cones.
class Settling {
  public:
    Settling(const Mechanism& m, const Limits& limits) : limits_(limits), turns_(std::size_t(m.n), true) {
        // A whole turn is the same posture only where one joint answers to the number, one to one.
        for (const Element& e : m.elements)
            for (int j = 0; j < size_of(e.kind); ++j)
                if (e.kind != Kind::revolute || e.scale != 1.0 || e.offset != 0.0)
                    turns_[std::size_t(e.first + j)] = false;
    }
    void settle(double* q, const double* seed) const {
        for (std::size_t j = 0; j < turns_.size(); ++j) {
            if (turns_[j]) q[j] = nearest_copy(q[j], seed[j], limits_.lower[j], limits_.upper[j]);
            q[j] = std::clamp(q[j], limits_.lower[j], limits_.upper[j]);
        }
        for (const Cone& cone : limits_.cones) clamp_cone(cone, q + cone.first);
    }

    // The same for postures in the lanes; without cones. Returns which of them were inside the limits before.
    MaskOf<Wide> settle(Wide* q, const double* seed) const {
        auto inside = Wide(0.0) == Wide(0.0);
        for (std::size_t j = 0; j < turns_.size(); ++j) {
            const Wide x =
                nearest_copy(q[j], Wide(seed[j]), turns_[j], limits_.lower[j], limits_.upper[j], 0.0, inside);
            q[j] = clamp(x, Wide(limits_.lower[j]), Wide(limits_.upper[j]));
        }
        return inside;
    }
    bool has_cones() const { return !limits_.cones.empty(); }

  private:
    Limits limits_;
    std::vector<bool> turns_;
};

}  // namespace limbik::kinematics
