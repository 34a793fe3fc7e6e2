// Targets and seeds from Python, checked once for every solver.
#pragma once

#include <optional>

#include "../geometry/rigid.hpp"
#include "../kinematics/kinematics.hpp"
#include "arrays.hpp"
#include "registered.hpp"

namespace limbik::bindings {

inline nb::object checked_pose(nb::handle given, const std::string& what) {
    return registered(Registered::as_pose)(given, what);
}

// The relative rounding error of an array's numbers by their type: 0 for float64.
inline double type_rounding(nb::handle given) {
    if (!PyArray_Check(given.ptr())) return 0.0;
    const int type = PyArray_TYPE(reinterpret_cast<PyArrayObject*>(given.ptr()));
    return type == NPY_FLOAT ? 0x1p-23 : type == NPY_HALF ? 0x1p-10 : 0.0;
}

// A target that is not a plain array: lists, other number types, pose objects; or the error that says why it is not a
// pose.
[[gnu::cold, gnu::noinline]] inline Pose<double> unusual_target(nb::handle T, double* doubt) {
    const nb::object numbers = registered(Registered::numbers)(
        registered(Registered::matrices)(T),
        "the target must be a 4x4 matrix of numbers (limbik.pose(xyz, xyzw= or wxyz= or rpy= or "
        "rotation=) makes one)");
    const Input given(numbers, "the target");
    if (given.ndim() == 3)
        raise("ShapeError",
              "solve takes one target of shape (4, 4); got " + given.shape() + ": use solve_batch for many");
    if (given.ndim() == 2 && given.dims()[0] == 4 && given.dims()[1] == 4)
        if (const auto pose = rigid(given.data(), doubt)) {
            if (doubt) *doubt = std::max(*doubt, type_rounding(T));
            return *pose;
        }
    checked_pose(numbers, "the target");
    raise("NotRigid", "the target is not a rigid pose");
}

// `doubt`: see `rigid`.
inline Pose<double> target_of(nb::handle T, double* doubt = nullptr) {
    if (PyArray_CheckExact(T.ptr())) {
        auto* a = reinterpret_cast<PyArrayObject*>(T.ptr());
        if (PyArray_TYPE(a) == NPY_DOUBLE && PyArray_ISCARRAY_RO(a) && PyArray_NDIM(a) == 2 && PyArray_DIM(a, 0) == 4 &&
            PyArray_DIM(a, 1) == 4) {
            if (const auto pose = rigid(static_cast<const double*>(PyArray_DATA(a)), doubt)) return *pose;
        }
    }
    return unusual_target(T, doubt);
}

// Check seeds for `rows` targets: one for all, or one each.
inline void check_seeds(const Input& seeds, long rows, npy_intp n, const std::string& name) {
    const bool one = seeds.ndim() == 1 && seeds.dims()[0] == n;
    const bool many = rows != 1 ? seeds.ndim() == 2 && seeds.dims()[0] == rows && seeds.dims()[1] == n
                                : seeds.ndim() == 2 && seeds.dims()[0] == 1 && seeds.dims()[1] == n;
    if (!one && !many)
        raise("ShapeError", "the seed has shape " + seeds.shape() + ", but '" + name +
                                "' has n = " + std::to_string(n) + " joint values" +
                                (rows == 1 ? std::string() : " and there are " + std::to_string(rows) + " targets"));
    if (first_not_finite(seeds.data(), product(seeds.dims(), seeds.ndim() - 1), n) >= 0)
        raise("NotFinite", "the seed holds NaN or infinity; joint values must be finite numbers");
}

// A hint for a single target where a batch is expected, else nothing.
inline const char* many_remedy(const Input& targets) {
    return targets.ndim() == 2 && targets.dims()[0] == 4 && targets.dims()[1] == 4 ? ": T[None] is a batch of one" : "";
}

// The targets and seeds of a batch, checked in shape: targets (N, 4, 4), seeds none (home), one, or one a row.
struct BatchInput {
    BatchInput(nb::handle Ts, nb::handle seeds, const std::vector<double>& home, const std::string& name,
               const char* verb)
        : targets(registered(Registered::matrices)(Ts), "targets") {
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError", std::string(verb) + " takes targets of shape (N, 4, 4); got " + targets.shape() +
                                    many_remedy(targets));
        rows = long(targets.dims()[0]), rounding = type_rounding(Ts);
        if (!seeds.is_none()) {
            given.emplace(seeds, "seeds");
            check_seeds(*given, rows, npy_intp(home.size()), name);
        }
        starts = given ? given->data() : home.data();
        stride = given && given->ndim() == 2 ? long(home.size()) : 0;
    }
    // Raise the error of a target that is not a rigid pose.
    [[noreturn]] void refuse(long row) const {
        nb::object one = nb::steal(PySequence_GetItem(targets.object().ptr(), row));
        checked_pose(one, "target " + std::to_string(row));
        raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
    }

    Input targets;
    double rounding = 0.0;      // relative, of the targets' numbers, by their type
    long rows = 0, stride = 0;  // stride: of the seeds, 0 where one serves all
    std::optional<Input> given;
    const double* starts = nullptr;
};

}  // namespace limbik::bindings
