// The Python face of the core: shapes are checked here, numbers are computed in the headers.

#include "arrays.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <limits>
#include <memory>

#include "../kinematics.hpp"
#include "../reach.hpp"

#if !defined(LIMBIK_MODULE)
#error "the build names the module and its instruction level"
#endif

namespace limbik::bindings {

// Rows from which a call lets other Python threads run meanwhile.
constexpr long ROWS_WITHOUT_GIL = 64;

template <class Work> void without_gil(long rows, const Work& work) {
    if (rows < ROWS_WITHOUT_GIL) return work();
    nb::gil_scoped_release release;
    work();
}

class Kernel {
  public:
    Kernel(std::string name, int n, int tip, const std::vector<int>& parents, const std::vector<int>& kinds,
           const std::vector<int>& first, const std::vector<double>& scale, const std::vector<double>& offset,
           const std::vector<bool>& wraps, const std::vector<double>& mounts, const std::vector<int>& frame_elements,
           const std::vector<double>& frame_mounts)
        : name_(std::move(name)), tip_(tip),
          k_(assembled(n, parents, kinds, first, scale, offset, wraps, mounts, frame_elements, frame_mounts)) {
        if (tip < 0 || tip >= k_.frames()) raise("BadModel", "the tip is not one of the frames");
    }

    nb::object forward(nb::handle q, int frame, nb::handle threads) const {
        return run(q, frame, thread_count(threads), true, false);
    }
    nb::object jacobian(nb::handle q, int frame, nb::handle threads) const {
        return run(q, frame, thread_count(threads), false, true);
    }
    nb::object forward_jacobian(nb::handle q, int frame, nb::handle threads) const {
        return run(q, frame, thread_count(threads), true, true);
    }

    nb::object forward_all(nb::handle given, nb::handle wanted) const {
        const int threads = thread_count(wanted);
        const Input q = postures(given, "q");
        const int axes = q.ndim() - 1;
        const long rows = product(q.dims(), axes);
        double* T;
        nb::object out = new_array(q.dims(), axes, {k_.frames(), 4, 4}, &T);
        without_gil(rows, [&] { forward_all_batch(k_, q.data(), rows, threads, T); });
        return out;
    }

    // A copy of q, once it has passed the checks that every method makes.
    nb::object checked(nb::handle given) const {
        const Input q = postures(given, "q");
        double* out;
        nb::object result = new_array(q.dims(), q.ndim() - 1, {k_.n()}, &out);
        std::copy_n(q.data(), product(q.dims(), q.ndim()), out);
        return result;
    }

    nb::object integrate(nb::handle q, nb::handle dq) const {
        return pairwise(q, "q", dq, "dq", integrate_rows);
    }
    nb::object difference(nb::handle q0, nb::handle q1) const {
        return pairwise(q0, "q0", q1, "q1", difference_rows);
    }

    const Kinematics& kinematics() const { return k_; }
    const std::string& name() const { return name_; }
    int tip() const { return tip_; }
    bool is_scalar_chain() const { return k_.chain.has_value(); }

  private:
    static Kinematics assembled(int n, const std::vector<int>& parents, const std::vector<int>& kinds,
                                const std::vector<int>& first, const std::vector<double>& scale,
                                const std::vector<double>& offset, const std::vector<bool>& wraps,
                                const std::vector<double>& mounts, const std::vector<int>& frame_elements,
                                const std::vector<double>& frame_mounts) {
        const std::size_t m = parents.size(), f = frame_elements.size();
        if (kinds.size() != m || first.size() != m || scale.size() != m || offset.size() != m || wraps.size() != m ||
            mounts.size() != 12 * m || frame_mounts.size() != 12 * f || n < 0)
            raise("BadModel", "the parts of the mechanism differ in length");
        Mechanism mechanism;
        mechanism.n = n;
        for (std::size_t e = 0; e < m; ++e) {
            if (kinds[e] < 0 || kinds[e] >= KINDS || parents[e] < -1 || parents[e] >= int(e))
                raise("BadModel", "an element has an unknown kind or comes before its parent");
            const Kind kind = Kind(kinds[e]);
            if (first[e] < 0 || first[e] + size_of(kind) > n) raise("BadModel", "an element reads past the end of q");
            mechanism.elements.push_back(
                {parents[e], kind, first[e], scale[e], offset[e], bool(wraps[e]), pose_from_rows(&mounts[12 * e])});
        }
        for (std::size_t i = 0; i < f; ++i) {
            if (frame_elements[i] < -1 || frame_elements[i] >= int(m)) raise("BadModel", "a frame has no carrier");
            mechanism.frames.push_back({frame_elements[i], pose_from_rows(&frame_mounts[12 * i])});
        }
        return Kinematics(std::move(mechanism));
    }

    // Checked joint values: the last axis is n, every number finite and not too large to compute with.
    Input postures(nb::handle given, const char* what) const {
        Input q(given, what);
        if (q.ndim() < 1 || q.dims()[q.ndim() - 1] != k_.n())
            raise("ShapeError", std::string(what) + " has shape " + q.shape() + ", but '" + name_ + "' has n = " +
                                    std::to_string(k_.n()) + " joint values: pass shape (" + std::to_string(k_.n()) +
                                    ",) or (..., " + std::to_string(k_.n()) + ")");
        const long bad = first_not_finite(q.data(), product(q.dims(), q.ndim() - 1), k_.n());
        if (bad >= 0)
            raise("NotFinite", std::string(what) + " holds NaN, infinity or a number too large to compute with" +
                                   (q.ndim() > 1 ? " in row " + std::to_string(bad) : std::string()) +
                                   "; joint values must be finite, and below 1e100");
        return q;
    }

    nb::object run(nb::handle given, int frame, int threads, bool with_pose, bool with_jacobian) const {
        if (frame < 0) frame = tip_;
        if (frame >= k_.frames()) raise("UnknownFrame", "there is no frame number " + std::to_string(frame));
        const Input q = postures(given, "q");
        const int axes = q.ndim() - 1;
        const long rows = product(q.dims(), axes);
        double *T = nullptr, *J = nullptr;
        nb::object pose, jacobian;
        if (with_pose) pose = new_array(q.dims(), axes, {4, 4}, &T);
        if (with_jacobian) jacobian = new_array(q.dims(), axes, {6, k_.n()}, &J);
        if (rows == 1)
            forward_one(k_, frame, q.data(), T, J);
        else
            without_gil(rows, [&] { forward_batch(k_, frame, q.data(), rows, threads, T, J); });
        if (!with_jacobian) return pose;
        if (!with_pose) return jacobian;
        return nb::steal(PyTuple_Pack(2, pose.ptr(), jacobian.ptr()));
    }

    template <class Work>
    nb::object pairwise(nb::handle a_given, const char* a_name, nb::handle b_given, const char* b_name,
                        const Work& work) const {
        const Input a = postures(a_given, a_name), b = postures(b_given, b_name);
        const int axes = a.ndim() - 1;
        if (a.ndim() != b.ndim() || !std::equal(a.dims(), a.dims() + axes, b.dims()))
            raise("ShapeError", std::string(a_name) + " has shape " + a.shape() + " and " + b_name + " has shape " +
                                    b.shape() + "; they must be the same");
        double* out;
        const long rows = product(a.dims(), axes);
        nb::object result = new_array(a.dims(), axes, {k_.n()}, &out);
        without_gil(rows, [&] { work(k_.mechanism, a.data(), b.data(), rows, out); });
        return result;
    }

    std::string name_;
    int tip_;
    Kinematics k_;
};

}  // namespace limbik::bindings

#include "solving.hpp"

namespace limbik::bindings {

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
    if (!repeated && (actual.ndim() != target.ndim() ||
                      !std::equal(actual.dims(), actual.dims() + actual.ndim(), target.dims())))
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

// Rows of seven: a point, a direction, and whether the point may slide along it. The length of the shortest way
// and where its first point ends up.
nb::tuple shortest_way_of(nb::handle given, int sweeps) {
    const Input rows(given, "points");
    if (rows.ndim() != 2 || rows.dims()[1] != 7) raise("ShapeError", "points must have shape (k, 7); got " + rows.shape());
    std::vector<WayPoint> way;
    for (const double* r = rows.data(); r < rows.data() + product(rows.dims(), 2); r += 7)
        way.push_back({{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, r[6] != 0.0});
    const double length = shortest_way(way.data(), int(way.size()), sweeps);
    const Vector3<double> first = way.empty() ? Vector3<double>{0, 0, 0} : way[0].point;
    return nb::make_tuple(length, nb::make_tuple(first.x, first.y, first.z));
}

// Rotation vectors, each moved to the nearest swing and twist inside a ball's range.
nb::object clamp_rotations_of(nb::handle given, const std::vector<double>& axis, double swing, double low, double high) {
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

// Sine, cosine and arc tangent of the lanes, so that tests can hold them against a reference.
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
    nb::set_leak_warnings(false);  // objects that live until the interpreter ends are no leak
    m.attr("LEVEL") = LIMBIK_LEVEL;
    m.attr("WIDTH") = limbik::width<limbik::Wide>;
    m.attr("COMPILER") = __VERSION__;

    nb::class_<Kernel>(m, "Kernel", "A mechanism compiled for computing. Its methods take q of shape (..., n).")
        .def(nb::init<std::string, int, int, const std::vector<int>&, const std::vector<int>&, const std::vector<int>&,
                      const std::vector<double>&, const std::vector<double>&, const std::vector<bool>&,
                      const std::vector<double>&, const std::vector<int>&, const std::vector<double>&>(),
             nb::arg("name"), nb::arg("n"), nb::arg("tip"), nb::arg("parents"), nb::arg("kinds"), nb::arg("first"),
             nb::arg("scale"), nb::arg("offset"), nb::arg("wraps"), nb::arg("mounts"), nb::arg("frame_elements"),
             nb::arg("frame_mounts"))
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
        .def_prop_ro("is_scalar_chain", &Kernel::is_scalar_chain);
    bind_solving(m);
    m.def("pose_error", &pose_error_of, nb::arg("actual").none(), nb::arg("target").none(),
          nb::sig("def pose_error(actual: object, target: object) -> Array"));
    m.def("shortest_way", &shortest_way_of, nb::arg("points").none(), nb::arg("sweeps"),
          nb::sig("def shortest_way(points: object, sweeps: int) -> tuple[float, tuple[float, float, float]]"));
    m.def("clamp_rotations", &clamp_rotations_of, nb::arg("rotations"), nb::arg("axis"), nb::arg("swing"), nb::arg("low"),
          nb::arg("high"),
          nb::sig("def clamp_rotations(rotations: object, axis: Sequence[float], swing: float, low: float, high: float) -> "
                  "Array"));
    m.def("trigonometry", &trigonometry, nb::arg("x"), nb::sig("def trigonometry(x: object) -> Array"));
}
