// Cells of a grid and their records: a point has an address, the address a cell, the cell a record for each solution.
//
// Addresses are sorted: a cell is found by bisection, or through an array over all addresses. The arrays belong to the
// caller and may be a mapped file: `defect` checks everything that an index is computed from, so that arrays it accepts
// are safe to read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "cell_model.hpp"

namespace limbik::table {

// The most solutions of one cell, and the most addresses of an index array (512 MB).
inline constexpr long MOST_RECORDS = 16, MOST_INDEXED = 1L << 27;

struct CellGrid {
    int axes = 0;
    double low[MOST_AXES_OF_CELL], per_side[MOST_AXES_OF_CELL];
    std::int64_t divisions[MOST_AXES_OF_CELL];

    // The address of the cell that contains u, or of the closest, and the local coordinates in it: -1 to 1, beyond that
    // outside the grid.
    std::int64_t locate(const double* u, double* x) const {
        std::int64_t address = 0;
        for (int k = axes - 1; k >= 0; --k) {
            const double at = (u[k] - low[k]) * per_side[k], last = double(divisions[k] - 1);
            const double part = at > 0.0 ? (at < last ? std::floor(at) : last) : 0.0;  // 0 for NaN
            x[k] = 2.0 * (at - part) - 1.0;
            address = address * divisions[k] + std::int64_t(part);
        }
        return address;
    }
    bool contains(const double* u, int count) const {
        for (int k = 0; k < count; ++k) {
            const double at = (u[k] - low[k]) * per_side[k];
            if (!(at >= 0.0 && at <= double(divisions[k]))) return false;
        }
        return true;
    }
    // The number of cells, nothing where it overflows.
    std::optional<std::int64_t> cells() const {
        std::int64_t product = 1;
        for (int k = 0; k < axes; ++k) {
            if (divisions[k] < 1 || divisions[k] > (std::int64_t(1) << 62) / product) return std::nullopt;
            product *= divisions[k];
        }
        return product;
    }
};

struct CellLevel {
    CellGrid grid;
    CellModel model;
    long cells = 0, records = 0;              // how many there are
    const std::int64_t* addresses = nullptr;  // of the cells, increasing
    const std::int64_t* first = nullptr;      // the first record of each cell, and past the last
    const std::int32_t* kinds = nullptr;      // the index of each record's solution
    const float* words = nullptr;             // model.words() of each record
    std::vector<std::int32_t> index;          // cell + 1 by address, if requested
    int most = 0;                             // largest number of records of one cell

    // What is wrong with the arrays, empty for nothing. Sets `most`.
    std::string defect() {
        const auto count = grid.cells();
        if (!count) return "its cells cannot be counted";
        for (int k = 0; k < grid.axes; ++k)
            if (!(std::isfinite(grid.low[k]) && std::isfinite(grid.per_side[k]) && grid.per_side[k] > 0.0))
                return "a grid has no size";
        if (cells > 0x7ffffff0) return "it has too many cells";
        most = 0;
        if (first[0] != 0 || first[cells] != records) return "its records are not those of its cells";
        for (long c = 0; c < cells; ++c) {
            if (addresses[c] < 0 || addresses[c] >= *count || (c && addresses[c] <= addresses[c - 1]))
                return "its addresses are not in order";
            const std::int64_t here = first[c + 1] - first[c];
            if (first[c] < 0 || first[c + 1] > records || here < 1 || here > MOST_RECORDS)
                return "a cell has no records, or too many";
            most = std::max(most, int(here));
        }
        for (long r = 0; r < records; ++r)
            if (kinds[r] < 0 || kinds[r] >= MOST_RECORDS) return "a solution has an impossible number";
        return {};
    }

    bool make_index() {
        const std::int64_t count = *grid.cells();
        if (count > MOST_INDEXED) return false;
        index.assign(std::size_t(count), 0);
        for (long c = 0; c < cells; ++c) index[std::size_t(addresses[c])] = std::int32_t(c + 1);
        return true;
    }

    // The cell of an address, or -1.
    long find(std::int64_t address, bool by_index) const {
        if (by_index) return long(index[std::size_t(address)]) - 1;
        const std::int64_t* at = addresses;
        for (long left = cells; left > 1;) {
            const long half = left / 2;
            at = at[half] <= address ? at + half : at;
            left -= half;
        }
        return cells && *at == address ? at - addresses : -1;
    }

    void fetch(long cell) const {
        const char* from = reinterpret_cast<const char*>(words + first[cell] * model.words());
        const char* to = reinterpret_cast<const char*>(words + first[cell + 1] * model.words());
#if defined(__GNUC__)
        for (; from < to; from += 64) __builtin_prefetch(from);
#endif
    }
};

}  // namespace limbik::table
