// Targets and seeds as Python hands them over, checked once for every solver.
#pragma once

#include <optional>

#include "../kinematics/kinematics.hpp"
#include "arrays.hpp"

namespace limbik::bindings {

// Largest |R'R - I| that is taken for a rotation written with few digits; below the second it is left as it is.
constexpr double RIGID_TOLERANCE = 1e-4, EXACT_ROTATION = 1e-14;
// A position farther away cannot be computed with [m].
constexpr double FARTHEST = 1e100;

// A rigid pose from 16 numbers, its rotation made exact; nothing where they are something else.
inline std::optional<Pose<double>> rigid(const double* m) {
    for (int k = 0; k < 16; ++k)
        if (!(std::fabs(m[k]) < FARTHEST)) return std::nullopt;
    if (m[12] != 0.0 || m[13] != 0.0 || m[14] != 0.0 || m[15] != 1.0) return std::nullopt;
    Pose<double> T = pose_from_rows(m);
    // Newton's iteration for the nearest rotation, R (3 - R'R) / 2: each step squares the deviation.
    for (int round = 0; round < 4; ++round) {
        const double xx = dot(T.x, T.x), yy = dot(T.y, T.y), zz = dot(T.z, T.z);
        const double xy = dot(T.x, T.y), xz = dot(T.x, T.z), yz = dot(T.y, T.z);
        const double deviation = std::max(
            {std::fabs(xx - 1), std::fabs(yy - 1), std::fabs(zz - 1), std::fabs(xy), std::fabs(xz), std::fabs(yz)});
        if (round == 0 && !(deviation <= RIGID_TOLERANCE)) return std::nullopt;
        if (deviation <= EXACT_ROTATION) break;
        const Vector3<double> x = T.x, y = T.y, z = T.z;
        T.x = scaled(x, 1.5 - 0.5 * xx) - scaled(y, 0.5 * xy) - scaled(z, 0.5 * xz);
        T.y = scaled(y, 1.5 - 0.5 * yy) - scaled(x, 0.5 * xy) - scaled(z, 0.5 * yz);
        T.z = scaled(z, 1.5 - 0.5 * zz) - scaled(x, 0.5 * xz) - scaled(y, 0.5 * yz);
    }
    if (dot(cross(T.x, T.y), T.z) < 0.0) return std::nullopt;
    return T;
}

// Are all of so many rows of 16 numbers rigid poses that `rigid` would leave as they are? A register full at a time.
inline bool all_rigid_already(const double* rows, long count) {
    constexpr int W = width<Wide>;
    for (long row = 0; row < count; row += W) {
        Wide m[16];
        load_rows(rows + row * 16, 16, int(std::min<long>(W, count - row)), m);
        const Vector3<Wide> x = {m[0], m[4], m[8]}, y = {m[1], m[5], m[9]}, z = {m[2], m[6], m[10]};
        const Wide exact = Wide(EXACT_ROTATION);
        auto small = [&](Wide v) { return absolute(v) <= exact; };
        auto near = [&](Wide v) { return absolute(v) < Wide(FARTHEST); };
        const auto good = small(dot(x, x) - Wide(1.0)) & small(dot(y, y) - Wide(1.0)) & small(dot(z, z) - Wide(1.0)) &
                          small(dot(x, y)) & small(dot(x, z)) & small(dot(y, z)) & (dot(cross(x, y), z) > Wide(0.0)) &
                          near(m[3]) & near(m[7]) & near(m[11]) & (m[12] == Wide(0.0)) & (m[13] == Wide(0.0)) &
                          (m[14] == Wide(0.0)) & (m[15] == Wide(1.0));
        if (any(!good)) return false;
    }
    return true;
}

inline nb::object checked_pose(nb::handle given, const std::string& what) {
    return nb::module_::import_("limbik.model.transform").attr("as_pose")(given, what);
}

// A target that is not a plain array: lists, other numbers, objects that say a pose; or no pose at all, and why.
[[gnu::cold, gnu::noinline]] inline Pose<double> unusual_target(nb::handle T) {
    const nb::module_ transform = nb::module_::import_("limbik.model.transform");
    const nb::object numbers = transform.attr("numbers")(
        transform.attr("matrices")(T),
        "the target must be a 4x4 matrix of numbers (limbik.pose(xyz, xyzw= or wxyz= or rpy= or "
        "rotation=) makes one)");
    const Input given(numbers, "the target");
    if (given.ndim() == 3)
        raise("ShapeError",
              "solve takes one target of shape (4, 4); got " + given.shape() + ": use solve_batch for many");
    if (given.ndim() == 2 && given.dims()[0] == 4 && given.dims()[1] == 4)
        if (const auto pose = rigid(given.data())) return *pose;
    checked_pose(numbers, "the target");
    raise("NotRigid", "the target is not a rigid pose");
}

inline Pose<double> target_of(nb::handle T) {
    if (PyArray_CheckExact(T.ptr())) {
        auto* a = reinterpret_cast<PyArrayObject*>(T.ptr());
        if (PyArray_TYPE(a) == NPY_DOUBLE && PyArray_ISCARRAY_RO(a) && PyArray_NDIM(a) == 2 && PyArray_DIM(a, 0) == 4 &&
            PyArray_DIM(a, 1) == 4) {
            if (const auto pose = rigid(static_cast<const double*>(PyArray_DATA(a)))) return *pose;
        }
    }
    return unusual_target(T);
}

// Seeds for so many targets: one for all, or one each.
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

// What to do with one target where many are asked for.
inline const char* many_remedy(const Input& targets) {
    return targets.ndim() == 2 && targets.dims()[0] == 4 && targets.dims()[1] == 4 ? ": T[None] is a batch of one" : "";
}

// The targets and seeds of a batch, checked in shape: targets (N, 4, 4), seeds none (home), one or one a row.
struct BatchInput {
    BatchInput(nb::handle Ts, nb::handle seeds, const std::vector<double>& home, const std::string& name,
               const char* verb)
        : targets(nb::module_::import_("limbik.model.transform").attr("matrices")(Ts), "targets") {
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError", std::string(verb) + " takes targets of shape (N, 4, 4); got " + targets.shape() +
                                    many_remedy(targets));
        rows = long(targets.dims()[0]);
        if (!seeds.is_none()) {
            given.emplace(seeds, "seeds");
            check_seeds(*given, rows, npy_intp(home.size()), name);
        }
        starts = given ? given->data() : home.data();
        stride = given && given->ndim() == 2 ? long(home.size()) : 0;
    }
    // Say what is wrong with a target that is no rigid pose.
    [[noreturn]] void refuse(long row) const {
        nb::object one = nb::steal(PySequence_GetItem(targets.object().ptr(), row));
        checked_pose(one, "target " + std::to_string(row));
        raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
    }

    Input targets;
    long rows = 0, stride = 0;  // stride: of the seeds, 0 where one serves all
    std::optional<Input> given;
    const double* starts = nullptr;
};

}  // namespace limbik::bindings
