// Python bindings of the descent in muscle space (muscle/fast_gradient.hpp).
#pragma once

#include "../muscle/fast_gradient.hpp"
#include "muscle_inputs.hpp"

namespace limbik::bindings {

inline void check_subsets(const std::vector<std::vector<int>>& subsets, std::size_t count) {
    if (subsets.empty()) raise("BadOption", "at least one subset of the muscles is needed");
    for (const auto& some : subsets)
        for (const int i : some)
            if (i < 0 || std::size_t(i) >= count) raise("BadOption", "a subset names muscle " + std::to_string(i));
}

template <class Distance, class GoOn>
inline DescentResult descend_with(const Input& L0, std::size_t count, const Numbers& least, const Numbers& most,
                                  const std::vector<std::vector<int>>& subsets, const DescentSettings& settings,
                                  const Distance& distance, const GoOn& go_on) {
    return muscle::descend(Numbers(L0.data(), L0.data() + count), least, most, subsets, settings, distance, go_on);
}

// (lengths, distance, q, calls, sweeps, reheated, reached, history)
inline nb::object report(const DescentResult& r, const Numbers& q) {
    return nb::make_tuple(array_of(r.lengths), r.distance, array_of(q), r.calls, r.sweeps, r.reheated, r.reached,
                          array_of(r.history));
}

// The descent with a measured distance: a Python function of the lengths.
inline nb::object descend_by(nb::callable measure, nb::handle lengths, const Numbers& least, const Numbers& most,
                             const std::vector<std::vector<int>>& subsets, const DescentSettings& settings) {
    const Input L0 = muscle_row(lengths, int(least.size()), "lengths");
    check_subsets(subsets, least.size());
    const auto distance = [&](const Numbers& L) { return nb::cast<double>(nb::float_(measure(array_of(L)))); };
    const auto go_on = [] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return true;
    };
    return report(descend_with(L0, least.size(), least, most, subsets, settings, distance, go_on), {});
}

}  // namespace limbik::bindings
