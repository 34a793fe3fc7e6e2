// Python bindings of muscles: lengths, moment arms and the configurations they determine.

#define NO_IMPORT_ARRAY
#include "muscles.hpp"

namespace limbik::bindings {

void bind_muscles(nb::module_& m) {
    nb::class_<DescentSettings>(m, "DescentSettings", "Settings of the descent in muscle space.")
        .def(
            "__init__",
            [](DescentSettings* self, double alpha, double much, double little, double worse, double cooling,
               double heat, double still, double goal, double far, double probe, double part, double kick, double rise,
               bool velocity, bool annealing, bool reheating, int sweeps, double seconds, std::uint64_t seed) {
                new (self) DescentSettings{alpha,    much,      little,    worse,  cooling,      heat, still,
                                           goal,     far,       probe,     part,   1e-4 * probe, kick, rise,
                                           velocity, annealing, reheating, sweeps, seconds,      seed};
            },
            nb::arg("alpha"), nb::arg("much"), nb::arg("little"), nb::arg("worse"), nb::arg("cooling"), nb::arg("heat"),
            nb::arg("still"), nb::arg("goal"), nb::arg("far"), nb::arg("probe"), nb::arg("part"), nb::arg("kick"),
            nb::arg("rise"), nb::arg("velocity"), nb::arg("annealing"), nb::arg("reheating"), nb::arg("sweeps"),
            nb::arg("seconds"), nb::arg("seed"));
    nb::class_<MuscleSet>(m, "MuscleSet", "The muscles of a mechanism, ready for computing.")
        .def(nb::init<const Kernel&, const std::vector<Numbers>&, const std::vector<Numbers>&, const Numbers&,
                      const Numbers&, const Numbers&, const Numbers&, const Numbers&, double, const Numbers&>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("points"), nb::arg("pulleys"), nb::arg("rest"),
             nb::arg("least"), nb::arg("most"), nb::arg("lower"), nb::arg("upper"), nb::arg("size"), nb::arg("down"))
        .def("lengths", &MuscleSet::lengths, nb::arg("q"), nb::arg("threads") = 0,
             nb::sig("def lengths(self, q: object, threads: object = 0) -> Array"))
        .def("arms", &MuscleSet::arms, nb::arg("q"), nb::arg("threads") = 0,
             nb::sig("def arms(self, q: object, threads: object = 0) -> Array"))
        .def("both", &MuscleSet::both, nb::arg("q"), nb::arg("threads") = 0,
             nb::sig("def both(self, q: object, threads: object = 0) -> tuple[Array, Array]"))
        .def_prop_ro("has_swivel", &MuscleSet::has_swivel)
        .def_prop_ro("exact", &MuscleSet::exact)
        .def_prop_ro("has_direct", &MuscleSet::has_direct)
        .def("shell", &MuscleSet::shell, nb::sig("def shell(self) -> tuple[list[float], float, float]"))
        .def("solve_point", &MuscleSet::solve_point, nb::arg("point"), nb::arg("seed"), nb::arg("nearest"),
             nb::arg("only").none() = nb::none(), nb::arg("tolerance") = 0.0,
             nb::sig("def solve_point(self, point: object, seed: object, nearest: bool, only: float | None = None, "
                     "tolerance: float = 0.0) -> "
                     "tuple[int, int, Array, float, float, int, Array, int, float, Array]"))
        .def("solve_points", &MuscleSet::solve_points, nb::arg("points"), nb::arg("seed"), nb::arg("nearest"),
             nb::arg("threads") = 0, nb::arg("tolerance") = 0.0,
             nb::sig("def solve_points(self, points: object, seed: object, nearest: bool, threads: object = 0, "
                     "tolerance: float = 0.0) -> "
                     "tuple[Array, Array, Array, Array, Array]"))
        .def("direct", &MuscleSet::direct, nb::arg("lengths"), nb::arg("tolerance"), nb::arg("limited"),
             nb::arg("seed"), nb::arg("seeded") = false,
             nb::sig("def direct(self, lengths: object, tolerance: float, limited: bool, seed: object, seeded: bool = "
                     "False) -> "
                     "tuple[Array, list[int], Array, int, int, int, float, float, tuple[int, int], float, list[bool]]"))
        .def("match", &MuscleSet::match, nb::arg("lengths"), nb::arg("seeds"), nb::arg("limited"),
             nb::sig("def match(self, lengths: object, seeds: object, limited: bool) -> tuple[Array, Array]"))
        .def("search", &MuscleSet::search, nb::arg("target"), nb::arg("seeds"), nb::arg("position"),
             nb::arg("rotation"), nb::arg("centred"),
             nb::sig(
                 "def search(self, target: object, seeds: object, position: float, rotation: float, centred: bool) -> "
                 "tuple[bool, Array, float, float, float, int, int, int]"))
        .def("track", &MuscleSet::track, nb::arg("target"), nb::arg("q"), nb::arg("steps"), nb::arg("centring"),
             nb::arg("position"), nb::arg("rotation"),
             nb::sig("def track(self, target: object, q: object, steps: int, centring: float, position: float, "
                     "rotation: float) -> "
                     "tuple[bool, Array, float, float, float, int, int, int]"))
        .def("nearest", &MuscleSet::nearest, nb::arg("target"), nb::arg("seeds"), nb::arg("steps"),
             nb::sig("def nearest(self, target: object, seeds: object, steps: int) -> "
                     "tuple[bool, Array, float, float, float, int, int, int]"))
        .def("descend", &MuscleSet::descend, nb::arg("point"), nb::arg("moved"), nb::arg("lengths"), nb::arg("q"),
             nb::arg("side"), nb::arg("subsets"), nb::arg("settings"),
             nb::sig("def descend(self, point: object, moved: Sequence[int], lengths: object, q: object, side: int, "
                     "subsets: Sequence[Sequence[int]], settings: DescentSettings) -> "
                     "tuple[Array, float, Array, int, int, int, bool, Array]"))
        .def_static(
            "descend_by", &descend_by, nb::arg("measure"), nb::arg("lengths"), nb::arg("least"), nb::arg("most"),
            nb::arg("subsets"), nb::arg("settings"),
            nb::sig("def descend_by(measure: object, lengths: object, least: Sequence[float], most: Sequence[float], "
                    "subsets: Sequence[Sequence[int]], settings: DescentSettings) -> "
                    "tuple[Array, float, Array, int, int, int, bool, Array]"));
}

}  // namespace limbik::bindings
