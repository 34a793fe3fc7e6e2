// The limits of q from a model's arrays.
#pragma once

#include "../iterative/solver.hpp"
#include "arrays.hpp"

namespace limbik::bindings {

using Numbers = std::vector<double>;

// `cones`: seven numbers each: index in q, axis, swing, least and greatest twist.
inline Limits limits_from(const Numbers& lower, const Numbers& upper, const Numbers& draw_low, const Numbers& draw_high,
                          const std::vector<Numbers>& cones, std::size_t n) {
    if (lower.size() != n || upper.size() != n || draw_low.size() != n || draw_high.size() != n)
        raise("BadModel", "the parts of the solver differ in length");
    Limits limits{lower, upper, draw_low, draw_high, {}};
    for (const Numbers& c : cones) {
        if (c.size() != 7 || c[0] < 0 || c[0] + 3 > double(n)) raise("BadModel", "a cone has no place in q");
        limits.cones.push_back({int(c[0]), {c[1], c[2], c[3]}, c[4], c[5], c[6]});
    }
    return limits;
}

}  // namespace limbik::bindings
