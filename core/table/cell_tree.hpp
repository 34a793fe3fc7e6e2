// Cells in a space of few numbers: a grid, each of whose cells may be halved in every direction, again and again.
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
    // A node for each cell of the grid, then eight (four, sixteen ...) for each that is divided: a leaf's number, or
    // minus one minus the place of the first of its parts.
    const std::int32_t* nodes = nullptr;

    long roots() const {
        long count = 1;
        for (int k = 0; k < numbers; ++k) count *= bins[k];
        return count;
    }

    // The root cell of a point and where in it the point lies, from 0 to 1 (outside of that beyond the edge of the
    // grid).
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

    // Which part of a divided cell a point lies in; `inside` becomes the place in that part.
    int part(double* inside) const {
        int which = 0;
        for (int k = 0; k < numbers; ++k) {
            const bool upper = inside[k] >= 0.5;
            which = 2 * which + int(upper);
            inside[k] = 2.0 * inside[k] - double(upper);
        }
        return which;
    }

    // The leaf of a point; `inside` is where in it, from -1 to 1.
    long leaf(const double* at, double* inside) const {
        std::int32_t node = nodes[root(at, inside)];
        while (node < 0) node = nodes[-(node + 1) + part(inside)];
        for (int k = 0; k < numbers; ++k) inside[k] = 2.0 * inside[k] - 1.0;
        return node;
    }
};

// A polynomial's terms in so many numbers: 1, the numbers, their products.
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
