// Joint limits: ranges, cones of ball joints, and configurations normalised to them.
#pragma once

#include <algorithm>
#include <vector>

#include "../geometry/angles.hpp"
#include "../geometry/cone.hpp"
#include "mechanism.hpp"

namespace limbik::kinematics {

// The limits of q, and the ranges that random starts are drawn from: finite, also for joints without limits.
struct Limits {
    std::vector<double> lower, upper, draw_low, draw_high;
    std::vector<Cone> cones;
};

// For drawing, a limit this far away counts as none [rad or m]: files write 1e16 for "no limit".
inline constexpr double FARTHEST_LIMIT = 1e9;

// The home configuration: the middle of each range; for a number without two limits, the value closest to 0 that its
// limits allow. Ball joints are clamped to their cones.
inline std::vector<double> home_of(const std::vector<double>& lower, const std::vector<double>& upper,
                                   const std::vector<Cone>& cones) {
    std::vector<double> home(lower.size());
    for (std::size_t j = 0; j < home.size(); ++j) {
        const bool both = std::isfinite(lower[j]) && std::isfinite(upper[j]);
        home[j] = std::clamp(both ? 0.5 * (lower[j] + upper[j]) : 0.0, lower[j], upper[j]);
    }
    for (const Cone& cone : cones) clamp_cone(cone, home.data() + cone.first);
    return home;
}

// The range from which one number of q is drawn. A missing lower limit becomes -span, or `span` below the upper limit
// where that is lower; a missing upper limit likewise.
struct DrawRange {
    double low, high;
};
inline DrawRange draw_range(double lower, double upper, double span) {
    const bool bounded = std::fabs(lower) < FARTHEST_LIMIT, capped = std::fabs(upper) < FARTHEST_LIMIT;
    const double low = bounded ? lower : std::min(-span, capped ? upper - span : -span);
    return {low, capped ? upper : std::max(span, low + span)};
}

// Normalise configurations: each angle becomes its 2-pi copy nearest to the seed's inside the limits, each number is
// clamped to its limits, each ball joint to its cone.
class Normaliser {
  public:
    Normaliser(const Mechanism& m, const Limits& limits) : limits_(limits), periodic_(std::size_t(m.n), true) {
        // 2-pi copies are the same configuration only where the number is the value of one revolute joint.
        for (const Element& e : m.elements)
            for (int j = 0; j < size_of(e.kind); ++j)
                if (e.kind != Kind::revolute || e.scale != 1.0 || e.offset != 0.0)
                    periodic_[std::size_t(e.first + j)] = false;
    }
    void normalise(double* q, const double* seed) const {
        for (std::size_t j = 0; j < periodic_.size(); ++j) {
            if (periodic_[j]) q[j] = nearest_copy(q[j], seed[j], limits_.lower[j], limits_.upper[j]);
            q[j] = std::clamp(q[j], limits_.lower[j], limits_.upper[j]);
        }
        for (const Cone& cone : limits_.cones) clamp_cone(cone, q + cone.first);
    }

    // The same in the lanes, without cones. Returns which configurations have such a copy inside the limits.
    MaskOf<Wide> normalise(Wide* q, const double* seed) const {
        auto inside = Wide(0.0) == Wide(0.0);
        for (std::size_t j = 0; j < periodic_.size(); ++j) {
            const Wide x =
                nearest_copy(q[j], Wide(seed[j]), periodic_[j], limits_.lower[j], limits_.upper[j], 0.0, inside);
            q[j] = clamp(x, Wide(limits_.lower[j]), Wide(limits_.upper[j]));
        }
        return inside;
    }
    bool has_cones() const { return !limits_.cones.empty(); }

  private:
    Limits limits_;
    std::vector<bool> periodic_;
};

}  // namespace limbik::kinematics
