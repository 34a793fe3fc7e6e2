// Python bindings of Kim and Tarokh's tables: arrays in (those of a mapped file too), configurations out.

#define NO_IMPORT_ARRAY
#include "cells.hpp"

namespace limbik::bindings {

void bind_cells(nb::module_& m) {
    nb::class_<Level>(m, "CellLevel",
                      "A grid of cells over a few coordinates, and the models of the solutions in each cell.")
        .def(
            nb::init<const std::vector<double>&, const std::vector<double>&, const std::vector<std::int64_t>&, int,
                     const std::vector<std::vector<int>>&, int, nb::handle, nb::handle, nb::handle, nb::handle, bool>(),
            nb::arg("low"), nb::arg("side"), nb::arg("divisions"), nb::arg("joints"), nb::arg("terms"),
            nb::arg("hidden"), nb::arg("addresses"), nb::arg("first"), nb::arg("kinds"), nb::arg("words"),
            nb::arg("by_index") = false)
        .def("look", &Level::look, nb::arg("u"),
             nb::sig("def look(self, u: object) -> tuple[Array, npt.NDArray[np.int32], npt.NDArray[np.int32]]"))
        .def_prop_ro("most", &Level::most);
    nb::class_<Cells>(m, "CellTable",
                      "Kim and Tarokh's table: cells that give candidate postures for targets of the tip.")
        .def(nb::init<const Kernel&, const Level&, std::optional<Level*>, bool, bool, bool, const std::vector<double>&,
                      const std::vector<double>&, const std::vector<double>&, double, const std::vector<double>&,
                      const std::vector<bool>&>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::arg("kernel"),
             nb::arg("first"), nb::arg("second").none(), nb::arg("whole"), nb::arg("inclined"), nb::arg("zyz"),
             nb::arg("centre"), nb::arg("wrist_axes"), nb::arg("middle"), nb::arg("radius"), nb::arg("home"),
             nb::arg("turning"))
        .def("find", &Cells::find, nb::arg("targets"), nb::arg("inclinations").none() = nb::none(),
             nb::sig("def find(self, targets: object, inclinations: object = None) -> "
                     "tuple[Array, npt.NDArray[np.int32], npt.NDArray[np.int32], list[float]]"))
        .def("candidates", &Cells::candidates_of, nb::arg("target"),
             nb::sig("def candidates(self, target: object) -> Array"))
        .def_prop_ro("offers", &Cells::candidates, nb::rv_policy::reference_internal,
                     nb::sig("def offers(self) -> Candidates"))
        .def_prop_ro("most", &Cells::most);
}

}  // namespace limbik::bindings
