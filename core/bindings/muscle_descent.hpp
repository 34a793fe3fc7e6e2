// The paper's descent in muscle space (fast_gradient.hpp), for arrays of Python.
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
inline nb::object told(const DescentResult& r, const Numbers& q) {
    double *L, *posture, *history;
    const npy_intp none = 0;
    nb::object a = new_array(&none, 0, {npy_intp(r.lengths.size())}, &L),
               b = new_array(&none, 0, {npy_intp(q.size())}, &posture),
               c = new_array(&none, 0, {npy_intp(r.history.size())}, &history);
    std::copy(r.lengths.begin(), r.lengths.end(), L), std::copy(q.begin(), q.end(), posture);
    std::copy(r.history.begin(), r.history.end(), history);
    return nb::make_tuple(a, r.distance, b, r.calls, r.sweeps, r.reheated, r.reached, c);
}

// The descent with a distance that is measured: a function of the lengths.
inline nb::object descend_by(nb::callable measure, nb::handle lengths, const Numbers& least, const Numbers& most,
                             const std::vector<std::vector<int>>& subsets, const DescentSettings& settings) {
    const Input L0 = muscle_row(lengths, int(least.size()), "lengths");
    check_subsets(subsets, least.size());
    const auto distance = [&](const Numbers& L) {
        double* data;
        const npy_intp none = 0;
        nb::object given = new_array(&none, 0, {npy_intp(L.size())}, &data);
        std::copy(L.begin(), L.end(), data);
        return nb::cast<double>(nb::float_(measure(given)));
    };
    const auto go_on = [] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return true;
    };
    return told(descend_with(L0, least.size(), least, most, subsets, settings, distance, go_on), {});
}

}  // namespace limbik::bindings
