// Tables of cells: bisection against the index, and random arrays, which are either refused or read within bounds
// (under the sanitizers).

#include "../support/random.hpp"

#include "../../table/cell_table.hpp"

namespace limbik::test {
namespace {

// A level over its own arrays.
struct OwnLevel {
    std::vector<std::int64_t> addresses, first;
    std::vector<std::int32_t> kinds;
    std::vector<float> words;
    CellLevel level;

    void point() {
        level.cells = long(addresses.size()), level.records = long(kinds.size());
        level.addresses = addresses.data(), level.first = first.data(), level.kinds = kinds.data(),
        level.words = words.data();
    }
};

inline void fill_level(Random& random, OwnLevel& own, int axes, int joints, int hidden) {
    CellLevel& level = own.level;
    level.grid.axes = axes;
    for (int k = 0; k < axes; ++k)
        level.grid.low[k] = -1.0, level.grid.per_side[k] = 1.5, level.grid.divisions[k] = random.integer(1, 3);
    level.model = {axes, joints, hidden, {}};
    if (!hidden)
        for (int k = 0; k < axes; ++k) level.model.terms.push_back({0, k});
    own.first.push_back(0);
    for (std::int64_t address = 0; address < *level.grid.cells(); ++address) {
        if (random.chance(0.4)) continue;
        own.addresses.push_back(address);
        for (int r = random.integer(1, 4); r > 0; --r) own.kinds.push_back(random.integer(0, 3));
        own.first.push_back(std::int64_t(own.kinds.size()));
    }
    for (long k = long(own.kinds.size()) * level.model.words(); k > 0; --k)
        own.words.push_back(float(random.uniform(-2.0, 2.0)));
    own.point();
}

inline void check_search(std::uint64_t seed) {
    Random random(seed);
    OwnLevel own;
    fill_level(random, own, random.integer(1, 4), random.integer(1, 6), 0);
    HOLDS(own.level.defect().empty());
    HOLDS(own.level.make_index());
    for (std::int64_t address = 0; address < *own.level.grid.cells(); ++address) {
        const long cell = own.level.find(address, false);
        HOLDS(cell == own.level.find(address, true), long(address), cell);
        HOLDS(cell < 0 || own.addresses[std::size_t(cell)] == address, long(address), cell);
    }
}

// Arrays with one number changed: what `defect` accepts must be safe to look anything up in.
inline void check_hostile_cells(std::uint64_t seed) {
    Random random(seed);
    OwnLevel own;
    fill_level(random, own, random.integer(1, 4), random.integer(1, 6), random.chance(0.3) ? random.integer(1, 9) : 0);
    const std::int64_t wild = random.chance(0.5) ? random.integer(-5, 60) : std::int64_t(random.bits());
    const auto spoil = [&](auto& array) {
        if (!array.empty()) array[std::size_t(random.integer(0, int(array.size()) - 1))] = decltype(+array[0])(wild);
    };
    switch (random.integer(0, 4)) {
        case 0: spoil(own.addresses); break;
        case 1: spoil(own.first); break;
        case 2: spoil(own.kinds); break;
        case 3: own.level.grid.divisions[0] = wild; break;
        default: own.level.grid.low[0] = random.chance(0.5) ? std::nan("") : 1e300; break;
    }
    if (!own.level.defect().empty()) return;
    const CellLevel& level = own.level;
    double u[MOST_AXES_OF_CELL], x[MOST_AXES_OF_CELL], values[MOST_TERMS], q[MOST_JOINTS_OF_CELL];
    for (int look_up = 0; look_up < 50; ++look_up) {
        for (double& each : u)
            each = random.chance(0.1) ? std::nan("") : random.uniform(-3.0, 3.0) * random.magnitude(-2, 2);
        const std::int64_t address = level.grid.locate(u, x);
        HOLDS(address >= 0 && address < *level.grid.cells(), long(address));
        const long cell = level.find(address, false);
        if (cell < 0) continue;
        level.fetch(cell);
        level.model.prepare(x, values);
        for (std::int64_t r = level.first[cell]; r < level.first[cell + 1]; ++r)
            level.model.evaluate(level.words + r * level.model.words(), values, q);
    }
}

LAW("bisection finds what the index finds", 300, check_search);
LAW("spoilt arrays are refused, or safe to read", 300, check_hostile_cells);

}  // namespace
}  // namespace limbik::test
