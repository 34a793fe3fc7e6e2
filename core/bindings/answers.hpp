// The result of `solve_all` for Python: every configuration of one target.
#pragma once

#include "answer.hpp"

namespace limbik::bindings {

// All configurations of one target: a sequence of `Answer`s, made on request.
struct Answers {
    struct Row {
        double position, rotation, swivel;
        int branch;
        bool family, doubled;
    };
    int n = 0;
    std::vector<double> q;  // n a row
    std::vector<Row> row;
    bool has_swivel = false;  // the rows have a swivel
    Status status = Status::not_found;
    Pose<double> target;
    std::string method, why;
    std::shared_ptr<const Form> form;
    std::shared_ptr<const SelfMotionTest> self_motion;  // of configurations found by attempts
    int outside = 0;                                    // configurations that reach the target outside the limits
    // Every root of the equations is listed; for an arm with a swivel, one of each branch and feasible range.
    bool listed = false;

    long size() const { return long(row.size()); }

    // Whether each configuration is isolated, computed on first request.
    const std::vector<Isolation>& isolation() const {
        if (isolation_.size() != row.size()) {
            isolation_.assign(row.size(), Isolation::isolated);
            for (std::size_t k = 0; form && form->completeness && k < row.size(); ++k) {
                isolation_[k] = form->completeness->isolation_of(q.data() + long(k) * n, target);
                if (row[k].family && isolation_[k] == Isolation::isolated) isolation_[k] = Isolation::self_motion;
            }
        }
        return isolation_;
    }
    // Every configuration of a redundant arm lies on a self-motion manifold.
    bool family(std::size_t k) const {
        const double* own = q.data() + long(k) * n;
        return has_swivel || row[k].family || (form && form->completeness && form->completeness->on_self_motion(own)) ||
               (self_motion && self_motion->passes(own));
    }
    // Whether no configuration is missing. Proven on request: those found are all roots of the equations, and each is
    // so well conditioned that no other can be beside it.
    bool complete() const {
        if (!listed || row.empty() || !form || !form->completeness) return listed;
        std::vector<bool> families;
        for (std::size_t k = 0; k < row.size(); ++k)
            families.push_back(has_swivel || row[k].family || isolation()[k] == Isolation::self_motion);
        return form->completeness->complete(q.data(), families, target);
    }

    Answer at(long k) const {
        if (k < 0) k += size();
        if (k < 0 || k >= size())
            throw nb::index_error(("there are " + std::to_string(size()) + " postures, numbered from 0").c_str());
        Answer a;
        a.q.assign(q.begin() + k * n, q.begin() + (k + 1) * n);
        const Row& r = row[std::size_t(k)];
        a.outcome.status = Status::solved;
        a.outcome.errors = {r.position, r.rotation};
        a.outcome.closed = method == "closed_form", a.outcome.family = family(std::size_t(k)),
        a.outcome.branch = r.branch;
        a.target = target, a.method = method, a.form = form;
        return a;
    }
    nb::object rows() const {
        const npy_intp k = size();
        double* data;
        nb::object array = new_array(&k, 1, {n}, &data);
        std::copy(q.begin(), q.end(), data);
        return array;
    }
    template <class T, class Field> nb::object column(Field Row::*field, int type) const {
        const npy_intp k = size();
        nb::object array = nb::steal(PyArray_SimpleNew(1, &k, type));
        T* out = static_cast<T*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
        for (const Row& r : row) *out++ = T(r.*field);
        return array;
    }
    nb::object families() const {
        const npy_intp k = size();
        nb::object array = nb::steal(PyArray_SimpleNew(1, &k, NPY_BOOL));
        auto* out = static_cast<npy_bool*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
        for (std::size_t i = 0; i < row.size(); ++i) *out++ = npy_bool(family(i));
        return array;
    }
    nb::object swivels() const { return has_swivel ? column<double>(&Row::swivel, NPY_DOUBLE) : nb::none(); }
    nb::object target_array() const {
        double* data;
        nb::object array = new_array(nullptr, 0, {4, 4}, &data);
        store_pose(target, 1, data, 16);
        return array;
    }
    nb::object status_object() const { return registered(Registered::status)(int(status)); }
    std::string sentence() const {
        if (!why.empty()) return why;
        return nb::cast<std::string>(
            registered(Registered::explain_all)(int(status), size(), outside, method, form ? form->how : std::string(),
                                                form && !complete() ? form->ask : std::string()));
    }
    nb::tuple state() const {
        return nb::make_tuple(rows(), column<int>(&Row::branch, NPY_INT32), families(),
                              column<npy_bool>(&Row::doubled, NPY_BOOL), column<double>(&Row::position, NPY_DOUBLE),
                              column<double>(&Row::rotation, NPY_DOUBLE), swivels(), int(status), target_array(),
                              method, outside, sentence(), complete());
    }
    bool equals(const Answers& o) const {
        auto same = [](const Vector3<double>& a, const Vector3<double>& b) {
            return a.x == b.x && a.y == b.y && a.z == b.z;
        };
        if (row.size() != o.row.size() || has_swivel != o.has_swivel) return false;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const Row &a = row[k], &b = o.row[k];
            if (a.position != b.position || a.rotation != b.rotation || (has_swivel && a.swivel != b.swivel) ||
                a.branch != b.branch || family(k) != o.family(k) || a.doubled != b.doubled)
                return false;
        }
        return n == o.n && q == o.q && status == o.status && method == o.method && outside == o.outside &&
               complete() == o.complete() && same(target.x, o.target.x) && same(target.y, o.target.y) &&
               same(target.z, o.target.z) && same(target.origin, o.target.origin);
    }

  private:
    mutable std::vector<Isolation> isolation_;
};

inline std::vector<double> doubles_of(nb::handle given, const char* what) {
    const Input a(given, what);
    return std::vector<double>(a.data(), a.data() + product(a.dims(), a.ndim()));
}

inline void bind_answers(nb::module_& m) {
    nb::class_<Answers>(m, "Answers",
                        "The postures (configurations) that reach one target: an immutable sequence of `Answer`s.")
        .def(
            "__init__",
            [](Answers* self, nb::handle q, nb::handle branches, nb::handle families, nb::handle doubled,
               nb::handle position, nb::handle rotation, nb::handle swivels, int status, nb::handle target,
               std::string method, int outside, std::string why, bool complete) {
                const Input rows(q, "q"), T(target, "target");
                const std::vector<double> b = doubles_of(branches, "branches"), f = doubles_of(families, "families"),
                                          d = doubles_of(doubled, "doubled"),
                                          p = doubles_of(position, "position_error"),
                                          r = doubles_of(rotation, "rotation_error"),
                                          s = swivels.is_none() ? std::vector<double>(b.size())
                                                                : doubles_of(swivels, "swivels");
                const std::size_t k = rows.ndim() == 2 ? std::size_t(rows.dims()[0]) : 0;
                if (rows.ndim() != 2 || T.ndim() != 2 || product(T.dims(), 2) != 16 || b.size() != k || f.size() != k ||
                    d.size() != k || p.size() != k || r.size() != k || s.size() != k)
                    raise("ShapeError",
                          "the arrays of an Answers differ in length, or q is not (k, n), or the target not (4, 4)");
                if (status < 0 || status > int(Status::invalid))
                    raise("BadOption", "a status is an integer from 0 to 6");
                new (self) Answers();
                self->n = int(rows.dims()[1]);
                self->q.assign(rows.data(), rows.data() + k * std::size_t(self->n));
                for (std::size_t i = 0; i < k; ++i)
                    self->row.push_back({p[i], r[i], s[i], int(b[i]), f[i] != 0.0, d[i] != 0.0});
                self->has_swivel = !swivels.is_none();
                self->status = Status(status), self->target = load_pose<double>(T.data(), 1);
                self->method = std::move(method), self->outside = outside, self->why = std::move(why),
                self->listed = complete;
            },
            nb::arg("q"), nb::arg("branches"), nb::arg("families"), nb::arg("doubled"), nb::arg("position_error"),
            nb::arg("rotation_error"), nb::arg("swivels").none(), nb::arg("status"), nb::arg("target"),
            nb::arg("method"), nb::arg("outside"), nb::arg("why"), nb::arg("complete") = false,
            nb::sig("def __init__(self, q: object, branches: object, families: object, doubled: object, "
                    "position_error: object, "
                    "rotation_error: object, swivels: object, status: int, target: object, method: str, outside: int, "
                    "why: str, complete: bool = False) -> None"))
        .def("__len__", &Answers::size)
        .def("__getitem__", &Answers::at, nb::arg("index"))
        .def(
            "__iter__",
            [](const Answers& a) {
                nb::list all;
                for (long k = 0; k < a.size(); ++k) all.append(a.at(k));
                return nb::iter(all);
            },
            nb::sig("def __iter__(self) -> Iterator[Answer]"))
        .def_prop_ro(
            "ok", [](const Answers& a) { return a.status == Status::solved; },
            "True when at least one posture reaches the target inside the limits.")
        .def_prop_ro("status", &Answers::status_object, nb::sig("def status(self) -> Status"), "The outcome.")
        .def_prop_ro("q", &Answers::rows, nb::sig("def q(self) -> Array"), "The postures, (k, n) [rad or m].")
        .def_prop_ro(
            "branches", [](const Answers& a) { return a.column<int>(&Answers::Row::branch, NPY_INT32); },
            nb::sig("def branches(self) -> npt.NDArray[np.int32]"),
            "The branch of each posture, (k,); -1 where there is none.")
        .def_prop_ro("families", &Answers::families, nb::sig("def families(self) -> npt.NDArray[np.bool_]"),
                     "Whether a self-motion manifold passes through each posture, (k,).")
        .def_prop_ro(
            "doubled", [](const Answers& a) { return a.column<npy_bool>(&Answers::Row::doubled, NPY_BOOL); },
            nb::sig("def doubled(self) -> npt.NDArray[np.bool_]"),
            "Whether each posture is a double root of the equations, (k,).")
        .def_prop_ro(
            "swivels", &Answers::swivels, nb::sig("def swivels(self) -> Array | None"),
            "The swivel of each posture, or the value of its free joint, (k,) [rad or m]; None for other arms.")
        .def_prop_ro(
            "position_error", [](const Answers& a) { return a.column<double>(&Answers::Row::position, NPY_DOUBLE); },
            nb::sig("def position_error(self) -> Array"),
            "The distance of the tip from the target's position, (k,) [m].")
        .def_prop_ro(
            "rotation_error", [](const Answers& a) { return a.column<double>(&Answers::Row::rotation, NPY_DOUBLE); },
            nb::sig("def rotation_error(self) -> Array"),
            "The angle between the tip's orientation and the target's, (k,) [rad].")
        .def_prop_ro("target", &Answers::target_array, nb::sig("def target(self) -> Array"),
                     "The target of the tip in the base frame, (4, 4).")
        .def_prop_ro(
            "method", [](const Answers& a) { return a.method; }, "The name of the method that gave the postures.")
        .def_prop_ro(
            "outside", [](const Answers& a) { return a.outside; },
            "The number of postures that reach the target outside the limits.")
        .def_prop_ro("complete", &Answers::complete,
                     "True when it is proven that no posture is missing; for an arm with a swivel, no branch and no "
                     "feasible range.")
        .def_prop_ro("why", &Answers::sentence, "The outcome and its reason in one sentence.")
        .def("__eq__", &equal_objects<Answers>, nb::arg("other").none(),
             nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", [](const Answers& a) { return hash_of(a.status, a.q); })
        .def("__repr__",
             [](const Answers& a) {
                 return "Answers(" + nb::cast<std::string>(a.status_object().attr("name")) + ", " +
                        std::to_string(a.size()) + (a.size() == 1 ? " posture" : " postures") + ")";
             })
        .def(
            "__reduce__",
            [](const Answers& a) { return nb::make_tuple(registered(Registered::restore_all), a.state()); },
            nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace limbik::bindings
