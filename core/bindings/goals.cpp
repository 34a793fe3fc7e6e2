// Python bindings of goals: a list that is filled goal by goal, and the solver and the tracker made from it.

#define NO_IMPORT_ARRAY
#include "kernel.hpp"

#include <optional>

#include "../goals/goal_solver.hpp"
#include "../motion/tracker.hpp"
#include "goal_list.hpp"
#include "limits.hpp"
#include "targets.hpp"
#include "threads.hpp"

namespace limbik::bindings {

std::vector<bool> checked(const std::vector<bool>& frozen, int n) {
    if (frozen.size() != std::size_t(n)) raise("BadModel", "frozen needs one flag for each value of q");
    return frozen;
}

// One positive stiffness for each entry of q, or none.
const Numbers& positive(const Numbers& stiffness, int n) {
    if (!stiffness.empty() && stiffness.size() != std::size_t(n))
        raise("BadModel", "stiffness needs one number for each value of q");
    for (const double x : stiffness)
        if (!(x > 0.0 && std::isfinite(x))) raise("BadModel", "a stiffness must be finite and above 0");
    return stiffness;
}

void check_aims(const Input& aims, const GoalSet& goals) {
    if (aims.ndim() != 1 || std::size_t(aims.dims()[0]) != goals.aims())
        raise("ShapeError",
              "the aims of these goals have shape (" + std::to_string(goals.aims()) + ",); got " + aims.shape());
    if (first_not_finite(aims.data(), 1, aims.dims()[0]) >= 0)
        raise("NotFinite", "a goal holds NaN, infinity or a number too large to compute with");
}

class GoalPlan {
  public:
    GoalPlan(GoalList& list, const Numbers& lower, const Numbers& upper, const Numbers& draw_low,
             const Numbers& draw_high, const std::vector<Numbers>& cones, const std::vector<bool>& frozen,
             double length, const Numbers& stiffness)
        : name_(list.kernel().name()),
          solver_(list.kernel().kinematics(),
                  limits_from(lower, upper, draw_low, draw_high, cones, std::size_t(list.kernel().kinematics().n())),
                  list.take(), checked(frozen, list.kernel().kinematics().n()), length,
                  positive(stiffness, list.kernel().kinematics().n())) {}

    GoalPlan(const GoalPlan&) = delete;

    // (q, errors, solved) after one frame of dragging from q, no entry farther than `most`.
    nb::tuple drag(nb::handle aims_given, nb::handle q_given, nb::handle most_given) const {
        const Input aims(aims_given, "aims"), from(q_given, "q"), most(most_given, "most");
        check_aims(aims, solver_.goals());
        check_seeds(from, 1, solver_.n(), name_);
        check_seeds(most, 1, solver_.n(), name_);
        double* q;
        const npy_intp n = solver_.n();
        nb::object q_array = new_array(&n, 1, {}, &q);
        const GoalOutcome out = solver_.drag(aims.data(), from.data(), most.data(), q);
        return nb::make_tuple(q_array, array_of(out.errors), out.solved);
    }

    // (q, errors, solved, attempt, tried, timed out) of attempts first..last - 1.
    nb::tuple solve(nb::handle aims_given, nb::handle seed_given, int first, int last, double seconds) const {
        const Input aims(aims_given, "aims"), seed(seed_given, "seed");
        check_aims(aims, solver_.goals());
        check_seeds(seed, 1, solver_.n(), name_);
        double* q;
        const npy_intp n = solver_.n();
        nb::object q_array = new_array(&n, 1, {}, &q);
        GoalOutcome out;
        {
            const Released release;
            out = solver_.solve(aims.data(), seed.data(), first, last, Deadline(seconds), q);
        }
        return nb::make_tuple(q_array, array_of(out.errors), out.solved, out.attempt, out.tried, out.timed_out);
    }

    // The residual norm of each part at q.
    nb::object errors(nb::handle aims_given, nb::handle q_given) const {
        const Input aims(aims_given, "aims"), q(q_given, "q");
        check_aims(aims, solver_.goals());
        check_seeds(q, 1, solver_.n(), name_);
        Residuals residuals = solver_.goals().make_residuals();
        solver_.evaluate(aims.data(), q.data(), residuals);
        return array_of(solver_.goals().errors(residuals));
    }

    // The residuals at q (rows,) and their derivatives (rows, n).
    nb::tuple look(nb::handle aims_given, nb::handle q_given) const {
        const Input aims(aims_given, "aims"), q(q_given, "q");
        check_aims(aims, solver_.goals());
        check_seeds(q, 1, solver_.n(), name_);
        const GoalSet& goals = solver_.goals();
        Residuals residuals = goals.make_residuals();
        solver_.evaluate(aims.data(), q.data(), residuals);
        double* J;
        const npy_intp rows = npy_intp(goals.rows()), n = solver_.n();
        nb::object e_array = array_of(residuals.e), J_array = new_array(&rows, 1, {n}, &J);
        std::fill_n(J, rows * n, 0.0);
        const double* from = residuals.J.data();
        for (const auto& goal : goals.goals())
            for (int row = 0; row < goal->rows(); ++row, J += n)
                for (const int column : goal->columns()) J[column] += *from++;
        return nb::make_tuple(e_array, J_array);
    }

  private:
    std::string name_;
    GoalSolver solver_;
};

class TrackPlan {
  public:
    TrackPlan(GoalList& list, const Numbers& lower, const Numbers& upper, const std::vector<Numbers>& cones,
              const std::vector<bool>& frozen, const Numbers& speed, double length)
        : name_(list.kernel().name()),
          tracker_(list.kernel().kinematics(),
                   limits_from(lower, upper, lower, upper, cones, std::size_t(list.kernel().kinematics().n())),
                   list.take(), checked(frozen, list.kernel().kinematics().n()), speed, length) {
        if (speed.size() != std::size_t(tracker_.n())) raise("BadModel", "speed needs one number for each value of q");
    }
    TrackPlan(const TrackPlan&) = delete;

    // (q, errors, met) after one step of `time` [s].
    nb::tuple step(nb::handle aims_given, nb::handle q_given, double time) const {
        const Input aims(aims_given, "aims"), q(q_given, "q");
        check_aims(aims, tracker_.goals());
        check_seeds(q, 1, tracker_.n(), name_);
        if (!(time > 0.0 && std::isfinite(time))) raise("BadOption", "dt must be a time above 0 [s]");
        double* to;
        const npy_intp n = tracker_.n();
        nb::object q_array = new_array(&n, 1, {}, &to);
        std::vector<double> errors;
        const bool met = tracker_.step(aims.data(), q.data(), time, to, errors);
        return nb::make_tuple(q_array, array_of(errors), met);
    }

  private:
    std::string name_;
    Tracker tracker_;
};

// A pose with its rotation projected to the closest exact one; None for anything but a float64 array of a rigid pose.
nb::object rigid_pose(nb::handle T) {
    if (!PyArray_CheckExact(T.ptr())) return nb::none();
    auto* a = reinterpret_cast<PyArrayObject*>(T.ptr());
    if (PyArray_TYPE(a) != NPY_DOUBLE || !PyArray_ISCARRAY_RO(a) || PyArray_NDIM(a) != 2 || PyArray_DIM(a, 0) != 4 ||
        PyArray_DIM(a, 1) != 4)
        return nb::none();
    const auto pose = rigid(static_cast<const double*>(PyArray_DATA(a)));
    if (!pose) return nb::none();
    double* out;
    nb::object array = new_array(nullptr, 0, {4, 4}, &out);
    store_pose(*pose, 1, out, 16);
    return array;
}

// The signed distance of two solids [m], by the numbers of each.
double solid_distance(const Numbers& one, const Numbers& other) {
    if (one.size() != SOLID_SIZE || other.size() != SOLID_SIZE) raise("ShapeError", "a solid has thirteen numbers");
    const Solid a = solid_at(-1, one.data()), b = solid_at(-1, other.data());
    return contact(a, b).distance - a.radius - b.radius;
}

void bind_goals(nb::module_& m) {
    m.def("rigid_pose", &rigid_pose, nb::arg("T").none(), nb::sig("def rigid_pose(T: object) -> Array | None"));
    m.def("solid_distance", &solid_distance, nb::arg("one"), nb::arg("other"));
    nb::class_<GoalList>(m, "GoalList", "Goals for one mechanism, added one by one.")
        .def(nb::init<const Kernel&>(), nb::keep_alive<1, 2>(), nb::arg("kernel"))
        .def("sight", &GoalList::sight, nb::arg("kind"), nb::arg("frame"), nb::arg("at"), nb::arg("seen_from"),
             nb::arg("axis"), nb::arg("parts"), nb::arg("level"), nb::arg("required"))
        .def("posture", &GoalList::posture, nb::arg("elements"), nb::arg("parts"), nb::arg("level"),
             nb::arg("required"))
        .def("manipulability", &GoalList::manipulability, nb::arg("frame"), nb::arg("position"), nb::arg("rotation"),
             nb::arg("length"), nb::arg("part"), nb::arg("level"), nb::arg("required"))
        .def("balance", &GoalList::balance, nb::arg("masses"), nb::arg("ground"), nb::arg("up"), nb::arg("corners"),
             nb::arg("part"), nb::arg("level"), nb::arg("required"))
        .def("clearance", &GoalList::clearance, nb::arg("bodies"), nb::arg("obstacles"), nb::arg("pairs"),
             nb::arg("apart"), nb::arg("part"), nb::arg("level"), nb::arg("required"));
    nb::class_<GoalPlan>(m, "GoalPlan", "The solver of a list of goals. It empties the list.")
        .def(nb::init<GoalList&, const Numbers&, const Numbers&, const Numbers&, const Numbers&,
                      const std::vector<Numbers>&, const std::vector<bool>&, double, const Numbers&>(),
             nb::keep_alive<1, 2>(), nb::arg("goals"), nb::arg("lower"), nb::arg("upper"), nb::arg("draw_low"),
             nb::arg("draw_high"), nb::arg("cones"), nb::arg("frozen"), nb::arg("length"),
             nb::arg("stiffness") = Numbers{})
        .def("drag", &GoalPlan::drag, nb::arg("aims"), nb::arg("q").none(), nb::arg("most"),
             nb::sig("def drag(self, aims: Array, q: object, most: Array) -> tuple[Array, Array, bool]"))
        .def("solve", &GoalPlan::solve, nb::arg("aims"), nb::arg("seed").none(), nb::arg("first"), nb::arg("last"),
             nb::arg("seconds"),
             nb::sig("def solve(self, aims: Array, seed: object, first: int, last: int, seconds: float) -> "
                     "tuple[Array, Array, bool, int, int, bool]"))
        .def("errors", &GoalPlan::errors, nb::arg("aims"), nb::arg("q"),
             nb::sig("def errors(self, aims: Array, q: object) -> Array"))
        .def("look", &GoalPlan::look, nb::arg("aims"), nb::arg("q"),
             nb::sig("def look(self, aims: Array, q: object) -> tuple[Array, Array]"));
    nb::class_<TrackPlan>(m, "TrackPlan", "Control steps towards a list of moving goals. It empties the list.")
        .def(nb::init<GoalList&, const Numbers&, const Numbers&, const std::vector<Numbers>&, const std::vector<bool>&,
                      const Numbers&, double>(),
             nb::keep_alive<1, 2>(), nb::arg("goals"), nb::arg("lower"), nb::arg("upper"), nb::arg("cones"),
             nb::arg("frozen"), nb::arg("speed"), nb::arg("length"))
        .def("step", &TrackPlan::step, nb::arg("aims"), nb::arg("q").none(), nb::arg("time"),
             nb::sig("def step(self, aims: Array, q: object, time: float) -> tuple[Array, Array, bool]"));
}

}  // namespace limbik::bindings
