// Python bindings of closed forms.

#define NO_IMPORT_ARRAY
#include "posture_solver.hpp"

namespace limbik::bindings {

void bind_postures(nb::module_& m) {
    nb::class_<BoundPostureSolver>(
        m, "PostureSolver",
        "All postures that reach a target of a chain's tip, in closed form where the chain has one.")
        .def(nb::init<const Kernel&, const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                      double, double, double>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("lower"), nb::arg("upper"), nb::arg("home"),
             nb::arg("scale"), nb::arg("position_tolerance"), nb::arg("rotation_tolerance"))
        .def_prop_ro("exists", &BoundPostureSolver::exists)
        .def_prop_ro("form", &BoundPostureSolver::form, nb::sig("def form(self) -> dict[str, Any] | None"))
        .def("describe", &BoundPostureSolver::describe, nb::arg("how"), nb::arg("branches"), nb::arg("ask"))
        .def(
            "solve_all", &BoundPostureSolver::solve_all, nb::arg("target").none(), nb::arg("seed").none(),
            nb::arg("swivel").none() = nb::none(), nb::arg("preferred").none() = nb::none(),
            nb::sig("def solve_all(self, target: object, seed: object, swivel: float | None = None, preferred: float | "
                    "None = None) -> "
                    "Answers"))
        .def("at_swivels", &BoundPostureSolver::at_swivels, nb::arg("target").none(), nb::arg("seed").none(),
             nb::arg("branches"), nb::arg("swivels"),
             nb::sig("def at_swivels(self, target: object, seed: object, branches: Sequence[int], swivels: "
                     "Sequence[float]) -> Answers"))
        .def("swing", &BoundPostureSolver::swing, nb::arg("target").none(), nb::arg("seed").none(),
             nb::arg("swivels").none(),
             nb::sig("def swing(self, target: object, seed: object, swivels: object) -> Array"))
        .def("swivel_ranges", &BoundPostureSolver::swivel_ranges, nb::arg("target").none(),
             nb::sig("def swivel_ranges(self, target: object) -> dict[int, list[tuple[float, float]]]"))
        .def("swivel_of", &BoundPostureSolver::swivel_of, nb::arg("q").none(),
             nb::sig("def swivel_of(self, q: object) -> float"))
        .def("swivel_towards", &BoundPostureSolver::swivel_towards, nb::arg("target").none(), nb::arg("point").none(),
             nb::sig("def swivel_towards(self, target: object, point: object) -> float"))
        .def("solve_all_batch", &BoundPostureSolver::solve_all_batch, nb::arg("targets").none(),
             nb::arg("seeds").none(), nb::arg("threads"),
             nb::sig("def solve_all_batch(self, targets: object, seeds: object, threads: int) -> tuple[Array, "
                     "npt.NDArray[np.int32], "
                     "npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]"));
}

}  // namespace limbik::bindings
