// Kim and Tarokh's tables for Python: arrays are checked and kept alive here, looked up in table/.
#pragma once

#include <optional>

#include "in_place_array.hpp"
#include "kernel.hpp"

#include "../table/cell_table.hpp"

namespace limbik::bindings {

// A new array of int32 of shape (rows[, columns]).
inline nb::object new_numbers(long rows, long columns, std::int32_t** data) {
    npy_intp dims[2] = {rows, columns};
    PyObject* made = PyArray_SimpleNew(columns < 0 ? 1 : 2, dims, NPY_INT32);
    if (!made) throw nb::python_error();
    *data = data_of<std::int32_t>(made);
    return nb::steal(made);
}

// The most divisions of the inclination: a look-up without an inclination tries each.
constexpr std::int64_t MOST_INCLINATIONS = 4096;

class Level {
  public:
    // terms: the coordinates of each product, without the constant; each extends an earlier term. hidden: 0 for a
    // polynomial.
    Level(const std::vector<double>& low, const std::vector<double>& side, const std::vector<std::int64_t>& divisions,
          int joints, const std::vector<std::vector<int>>& terms, int hidden, nb::handle addresses, nb::handle first,
          nb::handle kinds, nb::handle words, bool by_index)
        : addresses_(addresses, NPY_INT64, "addresses", 1), first_(first, NPY_INT64, "first records", 1),
          kinds_(kinds, NPY_INT32, "solution numbers", 1), words_(words, NPY_FLOAT32, "coefficients", 2) {
        const std::size_t axes = low.size();
        if (axes < 1 || axes > MOST_AXES_OF_CELL || side.size() != axes || divisions.size() != axes)
            raise("BadFile", "a table's grid has no axes, or too many");
        if (joints < 1 || joints > MOST_JOINTS_OF_CELL || hidden < 0 || hidden > MOST_HIDDEN ||
            terms.size() >= std::size_t(MOST_TERMS))
            raise("BadFile", "a table's model has an impossible size");
        data_.grid.axes = int(axes);
        for (std::size_t k = 0; k < axes; ++k)
            data_.grid.low[k] = low[k], data_.grid.per_side[k] = 1.0 / side[k], data_.grid.divisions[k] = divisions[k];
        data_.model = {int(axes), joints, hidden, {}};
        if (!hidden) data_.model.terms = chained(terms, int(axes));
        data_.cells = addresses_.rows(), data_.records = kinds_.rows();
        if (first_.rows() != data_.cells + 1 || words_.rows() != data_.records ||
            words_.columns() != data_.model.words())
            raise("BadFile", "a table's arrays differ in length");
        data_.addresses = addresses_.data(), data_.first = first_.data(), data_.kinds = kinds_.data(),
        data_.words = words_.data();
        const std::string defect = data_.defect();
        if (!defect.empty()) raise("BadFile", "a table cannot be read: " + defect);
        if (by_index && !data_.make_index())
            raise("BadOption", "the table has too many cells for an index in memory; search it by bisection instead");
    }
    Level(const Level&) = delete;

    // Every solution at rows of coordinates: (joints (N, most, joints), kinds (N, most), count (N,)).
    nb::tuple look(nb::handle given) const {
        const Input u(given, "u");
        const int axes = data_.grid.axes, joints = data_.model.joints;
        if (u.ndim() != 2 || u.dims()[1] != axes)
            raise("ShapeError", "u must have shape (N, " + std::to_string(axes) + "); got " + u.shape());
        const long rows = long(u.dims()[0]), most = std::max(data_.most, 1);
        double* q;
        std::int32_t *kinds, *counts;
        nb::object q_array = new_array(u.dims(), 1, {npy_intp(most), joints}, &q);
        nb::object kind_array = new_numbers(rows, most, &kinds), count_array = new_numbers(rows, -1, &counts);
        without_gil(rows, [&] {
            double x[MOST_AXES_OF_CELL], values[MOST_TERMS];
            std::fill_n(q, rows * most * joints, std::numeric_limits<double>::quiet_NaN());
            std::fill_n(kinds, rows * most, -1);
            for (long row = 0; row < rows; ++row) {
                const std::int64_t address = data_.grid.locate(u.data() + row * axes, x);
                const long cell = data_.find(address, !data_.index.empty());
                counts[row] = 0;
                if (cell < 0) continue;
                data_.model.prepare(x, values);
                for (std::int64_t r = data_.first[cell]; r < data_.first[cell + 1]; ++r) {
                    const long place = row * most + counts[row]++;
                    data_.model.evaluate(data_.words + r * data_.model.words(), values, q + place * joints);
                    kinds[place] = data_.kinds[r];
                }
            }
        });
        return nb::make_tuple(q_array, kind_array, count_array);
    }

    const CellLevel& data() const { return data_; }
    int most() const { return data_.most; }

  private:
    static std::vector<CellTerm> chained(const std::vector<std::vector<int>>& terms, int axes) {
        std::vector<CellTerm> out;
        for (const std::vector<int>& term : terms) {
            if (term.empty()) raise("BadFile", "a term of a table's model is empty; the constant is implied");
            const std::vector<int> start(term.begin(), term.end() - 1);
            int before = start.empty() ? 0 : -1;
            for (std::size_t k = 0; k < out.size() && before < 0; ++k)
                if (terms[k] == start) before = int(k) + 1;
            if (before < 0 || term.back() < 0 || term.back() >= axes)
                raise("BadFile", "a term of a table's model has an unknown axis, or extends an unknown term");
            out.push_back({before, term.back()});
        }
        return out;
    }

    InPlaceArray<std::int64_t> addresses_, first_;
    InPlaceArray<std::int32_t> kinds_;
    InPlaceArray<float> words_;
    CellLevel data_;
};

class Cells {
  public:
    Cells(const Kernel& kernel, const Level& first, std::optional<Level*> second, bool whole, bool inclined, bool zyz,
          const std::vector<double>& centre, const std::vector<double>& wrist_axes, const std::vector<double>& middle,
          double radius, const std::vector<double>& home, const std::vector<bool>& revolute)
        : inclined_(inclined),
          table_(kernel.kinematics(), kernel.tip(), first.data(), second ? &(*second)->data() : nullptr,
                 shape(kernel, first, second ? *second : nullptr, whole, inclined, zyz, centre, middle, radius, home,
                       revolute),
                 wrist(wrist_axes)) {
        if (!whole && !second && !kernel.is_scalar_chain())
            raise("BadModel", "the wrist of this chain has no closed form");
    }
    Cells(const Cells&) = delete;

    // (q (N, most, n), kinds (N, most), count (N,), seconds of each stage)
    nb::tuple find(nb::handle given, nb::handle at) const {
        const Input T(given, "targets");
        if (T.ndim() != 3 || T.dims()[1] != 4 || T.dims()[2] != 4)
            raise("ShapeError", "targets must have shape (N, 4, 4); got " + T.shape());
        const long rows = long(T.dims()[0]), most = table_.per_target();
        std::optional<Input> v;
        if (inclined_) {
            v.emplace(at, "inclinations");
            if (v->ndim() != 1 || v->dims()[0] != rows)
                raise("ShapeError", "one inclination for each target, shape (N,); got " + v->shape());
        }
        double* q;
        std::int32_t *kinds, *counts;
        nb::object q_array = new_array(T.dims(), 1, {npy_intp(most), table_.n()}, &q);
        nb::object kind_array = new_numbers(rows, most, &kinds), count_array = new_numbers(rows, -1, &counts);
        std::vector<double> seconds(CELL_PARTS, 0.0);
        without_gil(rows, [&] {
            table_.find_batch(T.data(), v ? v->data() : nullptr, rows, q, kinds, counts, seconds.data());
        });
        for (long row = 0; row < rows; ++row) {
            std::fill(q + (row * most + counts[row]) * table_.n(), q + (row + 1) * most * table_.n(),
                      std::numeric_limits<double>::quiet_NaN());
            std::fill(kinds + row * most + counts[row], kinds + (row + 1) * most, -1);
        }
        return nb::make_tuple(q_array, kind_array, count_array, seconds);
    }

    // The candidates of one target: (k, n).
    nb::object candidates_of(nb::handle given) const {
        const Input T(given, "target");
        if (T.ndim() != 2 || T.dims()[0] != 4 || T.dims()[1] != 4)
            raise("ShapeError", "a target has shape (4, 4); got " + T.shape());
        std::vector<double> q(std::size_t(table_.most()) * std::size_t(table_.n()));
        const npy_intp found = table_.find(pose_from_rows(T.data()), q.data());
        double* out;
        nb::object array = new_array(&found, 1, {table_.n()}, &out);
        std::copy_n(q.data(), found * table_.n(), out);
        return array;
    }

    const Candidates& candidates() const { return table_; }
    int most() const { return table_.most(); }

  private:
    static SphericalWrist wrist(const std::vector<double>& b) {
        if (b.size() != 9) raise("BadFile", "a table's wrist must have three axes");
        return {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}, {b[6], b[7], b[8]}};
    }
    static CellShape shape(const Kernel& kernel, const Level& first, const Level* second, bool whole, bool inclined,
                           bool zyz, const std::vector<double>& centre, const std::vector<double>& middle,
                           double radius, const std::vector<double>& home, const std::vector<bool>& revolute) {
        CellShape s;
        const int n = kernel.kinematics().n(), arm = first.data().model.joints, axes = first.data().grid.axes;
        if (n > MOST_JOINTS_OF_CELL || arm != (whole ? n : n - CellTable::WRIST) ||
            axes != (whole      ? 6
                     : inclined ? 4
                                : 3) ||
            (whole && (inclined || second)))
            raise("BadFile", "a table was made for another chain");
        if (inclined && first.data().grid.divisions[3] > MOST_INCLINATIONS)
            raise("BadFile", "a table has too many divisions of the inclination");
        if (second && (second->data().model.joints != CellTable::WRIST || second->data().grid.axes != arm + 3))
            raise("BadFile", "a table's orientation cells were made for another chain");
        if (centre.size() != 3 || middle.size() != 3 || home.size() != std::size_t(n) ||
            revolute.size() != std::size_t(n))
            raise("BadFile", "a table's vectors do not have the lengths that its chain needs");
        s.whole = whole, s.inclined = inclined, s.zyz = zyz, s.n = n;
        s.by_index = !first.data().index.empty() && (!second || !second->data().index.empty());
        s.centre = {centre[0], centre[1], centre[2]}, s.middle = {middle[0], middle[1], middle[2]},
        s.radius2 = radius * radius;
        for (int j = 0; j < n; ++j) s.home[j] = home[std::size_t(j)], s.revolute[j] = revolute[std::size_t(j)];
        return s;
    }

    bool inclined_;
    CellTable table_;
};

}  // namespace limbik::bindings
