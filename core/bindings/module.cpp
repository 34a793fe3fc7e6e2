// The Python module of the core.

#include "answers.hpp"
#include "kernel.hpp"
#include "limits.hpp"

#if !defined(LIMBIK_MODULE)
#error "the build names the module and its instruction level"
#endif

namespace limbik::bindings {

void bind_postures(nb::module_& m);
void bind_solving(nb::module_& m);
void bind_goals(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_cells(nb::module_& m);
void bind_networks(nb::module_& m);
void bind_perceptrons(nb::module_& m);
void bind_relaxation(nb::module_& m);
void bind_muscles(nb::module_& m);
void bind_motions(nb::module_& m);
void bind_paths(nb::module_& m);
void bind_limbs(nb::module_& m);

nb::object pose_error_of(nb::handle actual_given, nb::handle target_given) {
    const Input actual(actual_given, "actual"), target(target_given, "target");
    for (const Input* T : {&actual, &target}) {
        const int d = T->ndim();
        if (d < 2 || T->dims()[d - 1] != 4 || T->dims()[d - 2] != 4)
            raise("ShapeError", "a pose has shape (..., 4, 4); got " + T->shape());
    }
    const Input& longer = actual.ndim() >= target.ndim() ? actual : target;
    const Input& shorter = actual.ndim() >= target.ndim() ? target : actual;
    const bool repeated = shorter.ndim() == 2;
    if (!repeated &&
        (actual.ndim() != target.ndim() || !std::equal(actual.dims(), actual.dims() + actual.ndim(), target.dims())))
        raise("ShapeError", "the poses have shapes " + actual.shape() + " and " + target.shape() +
                                "; give equal shapes, or one of them as (4, 4)");
    for (const Input* T : {&actual, &target})
        if (first_not_finite(T->data(), product(T->dims(), T->ndim() - 2), 16) >= 0)
            raise("NotFinite", "a pose holds NaN, infinity or a number too large to compute with");
    const int axes = longer.ndim() - 2;
    const long rows = product(longer.dims(), axes);
    double* out;
    nb::object result = new_array(longer.dims(), axes, {6}, &out);
    without_gil(rows, [&] {
        pose_error_batch(actual.data(), actual.ndim() == 2 ? 0 : 16, target.data(), target.ndim() == 2 ? 0 : 16, rows,
                         out);
    });
    return result;
}

// The middle of each range.
nb::object home_from(const Numbers& lower, const Numbers& upper, const std::vector<Numbers>& cones) {
    const Limits limits = limits_from(lower, upper, lower, upper, cones, lower.size());
    return array_of(home_of(limits.lower, limits.upper, limits.cones));
}

// (low, high) of each entry of q, the range of random draws.
nb::tuple draw_ranges(const Numbers& lower, const Numbers& upper, const Numbers& span) {
    const npy_intp n = npy_intp(lower.size());
    if (upper.size() != lower.size() || span.size() != lower.size())
        raise("ShapeError", "each number of q has a lower limit, an upper limit and a span");
    double *low, *high;
    nb::object lows = new_array(&n, 1, {}, &low), highs = new_array(&n, 1, {}, &high);
    for (std::size_t j = 0; j < lower.size(); ++j) {
        const DrawRange range = draw_range(lower[j], upper[j], span[j]);
        low[j] = range.low, high[j] = range.high;
    }
    return nb::make_tuple(lows, highs);
}

// Rotation vectors, each clamped to the closest swing and twist inside a ball joint's range.
nb::object clamp_rotations_of(nb::handle given, const std::vector<double>& axis, double swing, double low,
                              double high) {
    const Input rotations(given, "rotations");
    const int axes = rotations.ndim() - 1;
    if (axes < 0 || rotations.dims()[axes] != 3 || axis.size() != 3)
        raise("ShapeError", "rotation vectors have shape (..., 3), and so has an axis; got " + rotations.shape());
    double* out;
    nb::object result = new_array(rotations.dims(), axes, {3}, &out);
    const long rows = product(rotations.dims(), axes);
    std::copy_n(rotations.data(), 3 * rows, out);
    const Cone cone{0, {axis[0], axis[1], axis[2]}, swing, low, high};
    without_gil(rows, [&] {
        for (long row = 0; row < rows; ++row) clamp_cone(cone, out + 3 * row);
    });
    return result;
}

// Sine, cosine and arc tangent of the lanes, for tests against a reference.
nb::object trigonometry(nb::handle given) {
    const Input x(given, "x");
    const long rows = product(x.dims(), x.ndim());
    double* out;
    nb::object result = new_array(x.dims(), x.ndim(), {3}, &out);
    for (long i = 0; i < rows; i += width<Wide>) {
        const int count = int(std::min<long>(width<Wide>, rows - i));
        Wide angle, values[3];
        load_rows(x.data() + i, 1, count, &angle);
        sincos(angle, values[0], values[1]);
        values[2] = arc_tangent2(values[0], values[1]);
        store_rows(values, 3, count, out + 3 * i, 3);
    }
    return result;
}

}  // namespace limbik::bindings

static int import_numpy() {
    import_array1(-1);
    return 0;
}

NB_MODULE(LIMBIK_MODULE, m) {
    namespace nb = nanobind;
    using namespace limbik::bindings;
    if (import_numpy() < 0) throw nb::python_error();
    nb::set_leak_warnings(false);  // objects that live until finalization are no leak
    register_exit_hook();
    m.attr("LEVEL") = LIMBIK_LEVEL;
    m.attr("WIDTH") = limbik::simd::width<limbik::simd::Wide>;
    m.attr("COMPILER") = __VERSION__;
    m.attr("POSITION_TOLERANCE") = limbik::kinematics::POSITION_TOLERANCE;
    m.attr("RELATIVE_TOLERANCE") = limbik::kinematics::RELATIVE_TOLERANCE;
    m.attr("ROTATION_TOLERANCE") = limbik::kinematics::ROTATION_TOLERANCE;
    m.attr("LENGTH_SHARE") = limbik::kinematics::LENGTH_SHARE;
    m.attr("FARTHEST_LIMIT") = limbik::kinematics::FARTHEST_LIMIT;

    nb::class_<Kernel>(m, "Kernel", "A mechanism compiled for computing. Its methods take q of shape (..., n).")
        .def(nb::init<std::string, int, int, const std::vector<int>&, const std::vector<int>&, const std::vector<int>&,
                      const std::vector<double>&, const std::vector<double>&, const std::vector<bool>&,
                      const std::vector<double>&, const std::vector<int>&, const std::vector<double>&>(),
             nb::arg("name"), nb::arg("n"), nb::arg("tip"), nb::arg("parents"), nb::arg("kinds"), nb::arg("first"),
             nb::arg("scale"), nb::arg("offset"), nb::arg("wraps"), nb::arg("placements"), nb::arg("frame_elements"),
             nb::arg("frame_placements"))
        .def("forward", &Kernel::forward, nb::arg("q").none(), nb::arg("frame") = -1, nb::arg("threads").none() = 0,
             nb::sig("def forward(self, q: object, frame: int = -1, threads: int = 0) -> Array"))
        .def("jacobian", &Kernel::jacobian, nb::arg("q").none(), nb::arg("frame") = -1, nb::arg("threads").none() = 0,
             nb::sig("def jacobian(self, q: object, frame: int = -1, threads: int = 0) -> Array"))
        .def("forward_jacobian", &Kernel::forward_jacobian, nb::arg("q").none(), nb::arg("frame") = -1,
             nb::arg("threads").none() = 0,
             nb::sig("def forward_jacobian(self, q: object, frame: int = -1, threads: int = 0) -> tuple[Array, Array]"))
        .def("forward_all", &Kernel::forward_all, nb::arg("q").none(), nb::arg("threads").none() = 0,
             nb::sig("def forward_all(self, q: object, threads: int = 0) -> Array"))
        .def("checked", &Kernel::checked, nb::arg("q").none(), nb::sig("def checked(self, q: object) -> Array"))
        .def("integrate", &Kernel::integrate, nb::arg("q").none(), nb::arg("dq").none(),
             nb::sig("def integrate(self, q: object, dq: object) -> Array"))
        .def("difference", &Kernel::difference, nb::arg("q0").none(), nb::arg("q1").none(),
             nb::sig("def difference(self, q0: object, q1: object) -> Array"))
        .def("reach", &Kernel::reach, nb::arg("frame"), nb::arg("lower"), nb::arg("upper"),
             nb::sig("def reach(self, frame: int, lower: Sequence[float], upper: Sequence[float]) -> "
                     "tuple[float, float, tuple[float, float, float]]"))
        .def("goes_anywhere", &Kernel::goes_anywhere, nb::arg("frame"), nb::arg("lower"), nb::arg("upper"))
        .def_prop_ro("is_scalar_chain", &Kernel::is_scalar_chain);
    bind_answer(m);
    bind_answers(m);
    bind_postures(m);
    bind_solving(m);
    bind_goals(m);
    bind_tables(m);
    bind_cells(m);
    bind_networks(m);
    bind_perceptrons(m);
    bind_relaxation(m);
    bind_muscles(m);
    bind_motions(m);
    bind_paths(m);
    bind_limbs(m);
    m.def("register", &register_objects, nb::sig("def register(**objects: object) -> None"),
          "Register objects of the layers above: statuses, sentences, readers of poses, types of errors.");
    m.def("pose_error", &pose_error_of, nb::arg("actual").none(), nb::arg("target").none(),
          nb::sig("def pose_error(actual: object, target: object) -> Array"));
    m.def("home_of", &home_from, nb::arg("lower"), nb::arg("upper"), nb::arg("cones"),
          nb::sig("def home_of(lower: Sequence[float], upper: Sequence[float], cones: Sequence[Sequence[float]]) -> "
                  "Array"));
    m.def("draw_ranges", &draw_ranges, nb::arg("lower"), nb::arg("upper"), nb::arg("span"),
          nb::sig("def draw_ranges(lower: Sequence[float], upper: Sequence[float], span: Sequence[float]) -> "
                  "tuple[Array, Array]"));
    m.def("clamp_rotations", &clamp_rotations_of, nb::arg("rotations"), nb::arg("axis"), nb::arg("swing"),
          nb::arg("low"), nb::arg("high"),
          nb::sig(
              "def clamp_rotations(rotations: object, axis: Sequence[float], swing: float, low: float, high: float) -> "
              "Array"));
    m.def("trigonometry", &trigonometry, nb::arg("x"), nb::sig("def trigonometry(x: object) -> Array"));
}
