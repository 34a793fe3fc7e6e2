// Python bindings of paths: the best joint trajectory, and its timing.

#define NO_IMPORT_ARRAY
#include "../motion/path_timing.hpp"
#include "../motion/trajectory_search.hpp"
#include "kernel.hpp"
#include "posture_solver.hpp"

namespace limbik::bindings {
namespace {

// An argument that must have this shape.
Input shaped(nb::handle given, const char* what, std::initializer_list<npy_intp> dims) {
    Input in(given, what);
    bool fits = in.ndim() == int(dims.size());
    int k = 0;
    for (npy_intp d : dims) fits = fits && in.dims()[k++] == d;
    if (!fits) raise("ShapeError", std::string(what) + " has the wrong shape: " + in.shape());
    return in;
}

// A row of integers, as NumPy has them.
template <class T> class Row {
  public:
    Row(nb::handle given, int type, const char* what)
        : array_(nb::steal(PyArray_FROM_OTF(given.ptr(), type, NPY_ARRAY_CARRAY_RO))) {
        if (!array_.is_valid()) throw nb::python_error();
        if (PyArray_NDIM(reinterpret_cast<PyArrayObject*>(array_.ptr())) != 1)
            raise("ShapeError", std::string(what) + " must be a row");
    }
    const T* data() const { return data_of<T>(array_); }
    npy_intp size() const { return PyArray_DIM(reinterpret_cast<PyArrayObject*>(array_.ptr()), 0); }

  private:
    nb::object array_;
};

// (q (M, n), first (L + 1,), branch (M,), value (M,), family (M,)): the configurations of a redundant arm inside the
// limits, at each of its values (L, K) of the swivel or held joint; NaN for no value.
nb::tuple family_postures(const BoundPostureSolver& bound, nb::handle Ts, nb::handle values, nb::handle seed) {
    const PostureSolver& solver = bound.core();
    const PostureFinder& finder = solver.finder();
    if (finder.redundancy() == Redundancy::none) raise("BadOption", "family_postures is for redundant arms alone");
    const Input targets(Ts, "the poses");
    if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
        raise("ShapeError", "the poses have shape (N, 4, 4); got " + targets.shape());
    const long layers = targets.dims()[0];
    const int n = solver.n();
    const Input places(values, "the values"), start = shaped(seed, "the seed", {n});
    if (places.ndim() != 2 || places.dims()[0] != layers)
        raise("ShapeError", "the values have shape (N, K); got " + places.shape());
    const long each = places.dims()[1];
    std::vector<double> q;
    std::vector<std::int64_t> first(1, 0);
    std::vector<std::int32_t> branch, value;
    std::vector<std::uint8_t> family;
    bool rigid_all = true;
    {
        const Released release;
        std::vector<double> held(start.data(), start.data() + n);
        Postures found;
        for (long layer = 0; layer < layers && rigid_all; ++layer) {
            const auto target = rigid(targets.data() + layer * 16);
            rigid_all = bool(target);
            for (long k = 0; k < each && rigid_all; ++k) {
                const double at = places.data()[layer * each + k];
                if (!std::isfinite(at)) continue;
                found.count = found.outside = 0, found.open = false;
                if (finder.redundancy() == Redundancy::swivel) {
                    finder.swivel().at_swivel(*target, held.data(), solver.options(), at, found);
                } else {
                    held[std::size_t(finder.held())] = at;
                    finder.all(*target, held.data(), solver.options(), found);
                }
                for (int p = 0; p < found.count; ++p) {
                    q.insert(q.end(), found.found[p].q, found.found[p].q + n);
                    branch.push_back(found.found[p].branch), value.push_back(std::int32_t(k)),
                        family.push_back(found.found[p].family);
                }
            }
            first.push_back(std::int64_t(branch.size()));
        }
    }
    if (!rigid_all) raise("NotRigid", "a pose is not a rotation and a translation");
    const npy_intp rows = npy_intp(branch.size());
    double* out;
    nb::object array = new_array(&rows, 1, {n}, &out);
    std::copy(q.begin(), q.end(), out);
    return nb::make_tuple(array, array_of(first, NPY_INT64), array_of(branch, NPY_INT32), array_of(value, NPY_INT32),
                          array_of(family, NPY_BOOL));
}

// (posture (reached,), cost, costs (M,))
nb::tuple best_trajectory(nb::handle postures, nb::handle first, nb::handle key, int keys, bool round, int window,
                          nb::handle distance, nb::handle bound, nb::handle opposite, nb::handle branch,
                          nb::handle held, nb::handle weight, nb::handle pace, const std::vector<bool>& wraps,
                          nb::handle begin, nb::handle end) {
    const Input q(postures, "the postures");
    const Row<std::int64_t> begins_of(first, NPY_INT64, "first");
    const Row<std::int32_t> keys_of(key, NPY_INT32, "key");
    const Row<std::uint8_t> across(opposite, NPY_UINT8, "opposite"), holds(held, NPY_UINT8, "held");
    const Row<std::int32_t> branches(branch, NPY_INT32, "branch");
    const std::int64_t* from = begins_of.data();
    const npy_intp layers = begins_of.size() - 1;
    if (q.ndim() != 2 || layers < 1 || from[0] != 0 || from[layers] != q.dims()[0] ||
        !std::is_sorted(from, from + layers + 1))
        raise("ShapeError", "the postures and the layers do not fit: the postures have shape " + q.shape());
    const npy_intp n = q.dims()[1];
    const Input distances = shaped(distance, "distance", {layers - 1}), bounds = shaped(bound, "bound", {layers - 1}),
                weights = shaped(weight, "weight", {n}), paces = shaped(pace, "pace", {n}),
                begins = shaped(begin, "begin", {npy_intp(from[1])}),
                ends = shaped(end, "end", {npy_intp(from[layers] - from[layers - 1])});
    if (keys_of.size() != q.dims()[0] || across.size() != layers - 1 || holds.size() != layers - 1 ||
        branches.size() != q.dims()[0] || npy_intp(wraps.size()) != n || keys < 1 || window < 0)
        raise("ShapeError", "the parts of the layers differ in length");
    for (npy_intp k = 0; k < keys_of.size(); ++k)
        if (keys_of.data()[k] < 0 || keys_of.data()[k] >= keys)
            raise("BadOption", "every key must be from 0 to keys - 1");
    const std::vector<std::uint8_t> wrapping(wraps.begin(), wraps.end());
    const Layers on = {
        int(n),       layers,           q.data(),      from,          keys_of.data(),  keys,         round,
        window,       distances.data(), bounds.data(), across.data(), branches.data(), holds.data(), weights.data(),
        paces.data(), wrapping.data(),  begins.data(), ends.data()};
    LayerTrajectory trajectory;
    {
        const Released release;
        trajectory = TrajectorySearch(on).find();
    }
    return nb::make_tuple(array_of(trajectory.posture, NPY_INT64), trajectory.cost, array_of(trajectory.costs));
}

// (count,): the squared rate at each sample of a trajectory.
nb::object time_path(nb::handle s, nb::handle slope, nb::handle bend, nb::handle speed, nb::handle acceleration,
                     nb::handle most) {
    const Input places(s, "s");
    if (places.ndim() != 1 || places.dims()[0] < 1)
        raise("ShapeError", "s must have shape (samples,), with at least one; got " + places.shape());
    const npy_intp count = places.dims()[0];
    const Input speeds(speed, "speed");
    const npy_intp n = speeds.ndim() == 1 ? speeds.dims()[0] : -1;
    const Input slopes = shaped(slope, "slope", {count, n}), bends = shaped(bend, "bend", {count, n}),
                accelerations = shaped(acceleration, "acceleration", {n}), mosts = shaped(most, "most", {count});
    std::vector<double> x;
    {
        const Released release;
        x = PathTimer({int(n), count, places.data(), slopes.data(), bends.data(), speeds.data(), accelerations.data(),
                       mosts.data()})
                .find();
    }
    return array_of(x);
}

}  // namespace

void bind_paths(nb::module_& m) {
    m.def(
        "family_postures", &family_postures, nb::arg("solver"), nb::arg("targets"), nb::arg("values"), nb::arg("seed"),
        nb::sig(
            "def family_postures(solver: PostureSolver, targets: object, values: object, seed: object) -> tuple[Array, "
            "npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.bool_]]"));
    m.def("best_trajectory", &best_trajectory, nb::arg("postures"), nb::arg("first"), nb::arg("key"), nb::arg("keys"),
          nb::arg("round"), nb::arg("window"), nb::arg("distance"), nb::arg("bound"), nb::arg("opposite"),
          nb::arg("branch"), nb::arg("held"), nb::arg("weight"), nb::arg("pace"), nb::arg("wraps"), nb::arg("begin"),
          nb::arg("end"),
          nb::sig(
              "def best_trajectory(postures: object, first: object, key: object, keys: int, round: bool, window: int, "
              "distance: object, bound: object, opposite: object, branch: object, held: object, weight: object, "
              "pace: object, wraps: Sequence[bool], begin: object, end: object) "
              "-> tuple[npt.NDArray[np.int64], float, Array]"));
    m.def("time_path", &time_path, nb::arg("s"), nb::arg("slope"), nb::arg("bend"), nb::arg("speed"),
          nb::arg("acceleration"), nb::arg("most"),
          nb::sig("def time_path(s: object, slope: object, bend: object, speed: object, acceleration: object, most: "
                  "object) -> Array"));
}

}  // namespace limbik::bindings
