// The result of `solve` for Python: a C++ object that behaves like a frozen dataclass.
#pragma once

#include <cstdio>
#include <memory>

#include "../closed_form/completeness.hpp"
#include "../iterative/outcome.hpp"
#include "arrays.hpp"
#include "registered.hpp"

namespace limbik::bindings {

// The description of a closed form and the names of its branches, shared by all answers of a solver.
struct Form {
    std::string how;
    std::vector<std::string> branches;
    std::string ask;                                   // the advice where not every configuration is listed
    std::shared_ptr<const Completeness> completeness;  // none for redundant chains
};

// The result of `solve`.
struct Answer {
    std::vector<double> q;
    Outcome outcome;
    Pose<double> target;
    std::string method, why;
    std::shared_ptr<const Form> form;  // of a closed form
    std::shared_ptr<const SelfMotionTest> self_motion;

    bool ok() const { return outcome.status == Status::solved; }
    // Computed on request: the equations of a closed form do not detect every self-motion, and attempts detect none.
    bool family() const {
        if (outcome.family || !ok() || !self_motion) return outcome.family;
        return self_motion->passes(q.data());
    }
    nb::object q_array() const { return array_of(q); }
    nb::object target_array() const {
        double* data;
        nb::object array = new_array(nullptr, 0, {4, 4}, &data);
        store_pose(target, 1, data, 16);
        return array;
    }
    nb::object status() const { return registered(Registered::status)(int(outcome.status)); }
    bool equals(const Answer& o) const {
        // An answer to a target that is not rigid has NaN for target and errors, and still equals itself.
        auto same = [](double a, double b) { return a == b || (a != a && b != b); };
        auto alike = [&](const Vector3<double>& a, const Vector3<double>& b) {
            return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
        };
        return q == o.q && outcome.status == o.outcome.status &&
               same(outcome.errors.position, o.outcome.errors.position) &&
               same(outcome.errors.rotation, o.outcome.errors.rotation) && outcome.attempt == o.outcome.attempt &&
               outcome.tried == o.outcome.tried && outcome.steps == o.outcome.steps &&
               outcome.timed_out == o.outcome.timed_out && outcome.branch == o.outcome.branch && method == o.method &&
               alike(target.x, o.target.x) && alike(target.y, o.target.y) && alike(target.z, o.target.z) &&
               alike(target.origin, o.target.origin);
    }
    std::string repr() const {
        std::string text = "Answer(" + nb::cast<std::string>(status().attr("name")) + ", q=[";
        char number[64];
        for (std::size_t k = 0; k < q.size(); ++k) {
            std::snprintf(number, sizeof number, "%s%.6g", k ? ", " : "", q[k]);
            text += number;
        }
        std::snprintf(number, sizeof number, "], position_error=%.2g, ", outcome.errors.position);
        text += number;
        std::snprintf(number, sizeof number, "rotation_error=%.2g)", outcome.errors.rotation);
        return text + number;
    }
    // The text of `why` for a pickle: written out where it depends on the closed form, which is not pickled.
    std::string why_text() const { return form && why.empty() ? sentence() : why; }
    std::string sentence() const {
        if (!why.empty()) return why;
        const bool named = form && outcome.branch >= 0 && std::size_t(outcome.branch) < form->branches.size();
        return nb::cast<std::string>(
            registered(Registered::explain)(*this, form ? form->how : std::string(),
                                            named ? form->branches[std::size_t(outcome.branch)] : std::string()));
    }
    nb::tuple reduce() const {
        return nb::make_tuple(registered(Registered::restore),
                              nb::make_tuple(q_array(), int(outcome.status), outcome.attempt, outcome.tried,
                                             outcome.errors.position, outcome.errors.rotation, target_array(), method,
                                             why_text(), outcome.timed_out, outcome.branch, family(), outcome.steps));
    }
};

// `a == other` for Python: NotImplemented where the types differ.
template <class T> nb::object equal_objects(const T& a, nb::handle other) {
    const T* o;
    if (!nb::try_cast(other, o) || !o) return nb::borrow(Py_NotImplemented);
    return nb::cast(a.equals(*o));
}
inline std::size_t hash_of(Status status, const std::vector<double>& q) {
    std::size_t h = std::size_t(int(status));
    for (const double x : q) h = h * 1000003u ^ std::hash<double>{}(x);
    return h;
}

inline void bind_answer(nb::module_& m) {
    nb::class_<Answer>(m, "Answer",
                       "The result of one solve, immutable. It compares, prints and pickles like a frozen dataclass.")
        .def(
            "__init__",
            [](Answer* self, nb::handle q, int status, int attempt, int tried, double position, double rotation,
               nb::handle target, std::string method, std::string why, bool timed_out, int branch, bool family,
               int steps) {
                const Input values(q, "q"), T(target, "target");
                if (values.ndim() != 1 || T.ndim() != 2 || product(T.dims(), 2) != 16)
                    raise("ShapeError", "an Answer takes q of shape (n,) and a target of shape (4, 4)");
                if (status < 0 || status > int(Status::invalid))
                    raise("BadOption", "a status is an integer from 0 to 6");
                new (self) Answer();
                self->q.assign(values.data(), values.data() + values.dims()[0]);
                self->outcome = {Status(status),          attempt, tried,  timed_out, {position, rotation},
                                 method == "closed_form", family,  branch, steps};
                self->target = load_pose<double>(T.data(), 1);
                self->method = std::move(method), self->why = std::move(why);
            },
            nb::arg("q"), nb::arg("status"), nb::arg("attempt"), nb::arg("tried"), nb::arg("position_error"),
            nb::arg("rotation_error"), nb::arg("target"), nb::arg("method"), nb::arg("why"),
            nb::arg("timed_out") = false, nb::arg("branch") = -1, nb::arg("family") = false, nb::arg("steps") = 0,
            nb::sig("def __init__(self, q: object, status: int, attempt: int, tried: int, position_error: float, "
                    "rotation_error: float, target: object, method: str, why: str, timed_out: bool = False, branch: "
                    "int = -1, "
                    "family: bool = False, steps: int = 0) -> None"))
        .def_prop_ro("ok", &Answer::ok,
                     "True when q is verified: it reaches the target by forward kinematics, inside the limits.")
        .def_prop_ro("status", &Answer::status, nb::sig("def status(self) -> Status"), "The outcome.")
        .def_prop_ro(
            "code", [](const Answer& a) { return int(a.outcome.status); }, "The status as an integer, 0 to 6.")
        .def_prop_ro("q", &Answer::q_array, nb::sig("def q(self) -> Array"),
                     "The configuration, (n,) [rad or m]; the closest one known where the target is not reached.")
        .def_prop_ro("target", &Answer::target_array, nb::sig("def target(self) -> Array"),
                     "The target of the tip in the base frame, (4, 4).")
        .def_prop_ro(
            "position_error", [](const Answer& a) { return a.outcome.errors.position; },
            "The distance of the tip at q from the target's position [m].")
        .def_prop_ro(
            "rotation_error", [](const Answer& a) { return a.outcome.errors.rotation; },
            "The angle between the tip's orientation at q and the target's [rad].")
        .def_prop_ro(
            "attempt", [](const Answer& a) { return a.outcome.attempt; },
            "The attempt that succeeded: 0 starts at the seed; below 0: closed form, table, network or none.")
        .def_prop_ro(
            "tried", [](const Answer& a) { return a.outcome.tried; }, "The number of attempts that were made.")
        .def_prop_ro(
            "steps", [](const Answer& a) { return a.outcome.steps; }, "The iterations of all attempts that were made.")
        .def_prop_ro(
            "timed_out", [](const Answer& a) { return a.outcome.timed_out; },
            "True when `seconds` ended the solve before every attempt was made.")
        .def_prop_ro(
            "method", [](const Answer& a) { return a.method; }, "The name of the method that gave q.")
        .def_prop_ro(
            "closed", [](const Answer& a) { return a.outcome.closed; },
            "True when the closed form gave the outcome, not an attempt.")
        .def_prop_ro(
            "branch",
            [](const Answer& a) { return a.outcome.branch < 0 ? nb::object(nb::none()) : nb::cast(a.outcome.branch); },
            nb::sig("def branch(self) -> int | None"), "The branch of the closed form; None where there is none.")
        .def_prop_ro(
            "family", &Answer::family,
            "True when a self-motion manifold passes through q: neighbouring configurations reach the target too.")
        .def_prop_ro("why", &Answer::sentence, "The outcome and its reason in one sentence.")
        .def("__eq__", &equal_objects<Answer>, nb::arg("other").none(),
             nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", [](const Answer& a) { return hash_of(a.outcome.status, a.q); })
        .def("__bool__", &Answer::ok)
        .def("__repr__", &Answer::repr)
        .def("__reduce__", &Answer::reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

}  // namespace limbik::bindings
