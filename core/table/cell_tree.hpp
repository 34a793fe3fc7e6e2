// A grid over few coordinates whose cells may be halved along every axis, recursively.
#pragma once

#include <cmath>
#include <cstdint>

#include "../layers.hpp"

namespace limbik::table {

struct CellTree {
    static constexpr int MOST_NUMBERS = 6, DEEPEST = 16;

    int numbers = 0;
    int bins[MOST_NUMBERS] = {};
    double low[MOST_NUMBERS] = {}, scale[MOST_NUMBERS] = {};  // bins per unit
    // A node for each cell of the grid, then 2^numbers for each that is divided: the index of a leaf, or minus one
    // minus the index of the first of its parts.
    const std::int32_t* nodes = nullptr;

    long roots() const {
        long count = 1;
        for (int k = 0; k < numbers; ++k) count *= bins[k];
        return count;
    }

    // The root cell of a point and the point's local coordinates in it, 0 to 1; beyond that outside the grid.
    long root(const double* at, double* inside) const {
        long cell = 0;
        for (int k = 0; k < numbers; ++k) {
            const double x = (at[k] - low[k]) * scale[k];
            const int bin = x > 0.0 ? int(std::fmin(x, bins[k] - 1)) : 0;
            inside[k] = x - bin;
            cell = cell * bins[k] + bin;
        }
        return cell;
    }

    // The part of a divided cell that contains a point; `inside` becomes the coordinates in that part.
    int part(double* inside) const {
        int which = 0;
        for (int k = 0; k < numbers; ++k) {
            const bool upper = inside[k] >= 0.5;
            which = 2 * which + int(upper);
            inside[k] = 2.0 * inside[k] - double(upper);
        }
        return which;
    }

    // The leaf of a point; `inside` becomes its local coordinates, -1 to 1.
    long leaf(const double* at, double* inside) const {
        std::int32_t node = nodes[root(at, inside)];
        while (node < 0) node = nodes[-(node + 1) + part(inside)];
        for (int k = 0; k < numbers; ++k) inside[k] = 2.0 * inside[k] - 1.0;
        return node;
    }
};

// The terms of a polynomial in so many coordinates: 1, the coordinates, their products.
inline constexpr int MOST_TREE_TERMS = 28;
inline int terms_of(int numbers, int order) {
    return order == 0 ? 1 : order == 1 ? 1 + numbers : (1 + numbers) * (2 + numbers) / 2;
}

inline int terms_at(const double* at, int numbers, int order, double* out) {
    int count = 0;
    out[count++] = 1.0;
    if (order >= 1)
        for (int k = 0; k < numbers; ++k) out[count++] = at[k];
    if (order >= 2)
        for (int k = 0; k < numbers; ++k)
            for (int j = 0; j <= k; ++j) out[count++] = at[k] * at[j];
    return count;
}

}  // namespace limbik::table
