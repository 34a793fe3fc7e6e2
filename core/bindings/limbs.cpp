// Python bindings of two-bone limbs: arrays of targets in, rows of 16 numbers out.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"
#include "released.hpp"

#include <nanobind/stl/vector.h>

#include "../base/parallel.hpp"
#include "../two_bone/bone_rotations.hpp"

namespace limbik::bindings {

// Larger numbers are refused, as for joint values: their products would overflow.
constexpr double LARGEST_NUMBER = 1e100;

// Rows of `size` numbers: one for all targets, or one for each.
class Rows {
  public:
    Rows(nb::handle given, int size, const char* what) : in_(given, what), size_(size), what_(what) {
        const int axes = in_.ndim();
        if (axes < 1 || axes > 2 || in_.dims()[axes - 1] != size)
            raise("ShapeError", std::string(what) + " must have shape (" + std::to_string(size) + ",) or (N, " +
                                    std::to_string(size) + "); got " + in_.shape());
        const long all = product(in_.dims(), axes);
        bool good = true;
        for (long k = 0; k < all; ++k) good = good & (std::fabs(in_.data()[k]) <= LARGEST_NUMBER);
        if (!good) refuse(all);
    }
    bool many() const { return in_.ndim() == 2; }
    long rows() const { return many() ? in_.dims()[0] : 1; }
    void check(long rows) const {
        if (many() && in_.dims()[0] != rows)
            raise("ShapeError", std::string(what_) + " has " + std::to_string(in_.dims()[0]) + " rows for " +
                                    std::to_string(rows) + " targets");
    }
    template <class R> LIMBIK_INLINE void load(long row, int count, R* out) const {
        if (many()) return load_rows<R>(in_.data() + row * size_, size_, count, out);
        for (int j = 0; j < size_; ++j) out[j] = R(in_.data()[j]);
    }

  private:
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(long all) const {
        long k = 0;
        while (k < all && std::fabs(in_.data()[k]) <= LARGEST_NUMBER) ++k;
        raise("NotFinite", std::string(what_) + " holds NaN, infinity or a number too large to compute with" +
                               (many() ? " in row " + std::to_string(k / size_) : std::string()));
    }
    Input in_;
    int size_;
    const char* what_;
};

Vector3<double> direction(const std::vector<double>& x) {
    if (x.size() != 3) raise("ShapeError", "a direction has three numbers");
    return {x[0], x[1], x[2]};
}

template <class R> LIMBIK_INLINE Vector3<R> at(const R* x) { return {x[0], x[1], x[2]}; }

// previous: rows of line and side; lengths: rows of upper, lower, nearest, farthest; swivel: rows of one.
nb::object solve_two_bones(nb::handle roots, nb::handle targets, nb::handle lengths, nb::handle poles,
                           nb::handle swivels, nb::handle previous, const std::vector<double>& rest, bool pole_is_point,
                           double soft, double start, double most, int threads) {
    const double none[6] = {};
    npy_intp three = 3, six = 6, one = 1;
    auto blank = [&](npy_intp* size) {
        return nb::steal(PyArray_SimpleNewFromData(1, size, NPY_DOUBLE, const_cast<double*>(none)));
    };
    const Rows root(roots, 3, "the root"), target(targets, 3, "the target"), length(lengths, 4, "the lengths");
    const Rows pole(poles.is_none() ? blank(&three) : nb::borrow(poles), 3, "the pole");
    const Rows swivel(swivels.is_none() ? blank(&one) : nb::borrow(swivels), 1, "the swivel");
    const Rows earlier(previous.is_none() ? blank(&six) : nb::borrow(previous), 6, "previous");
    const npy_intp rows = target.rows();
    for (const Rows* part : {&root, &length, &pole, &swivel, &earlier}) part->check(rows);
    TwoBoneSettings set;
    set.reach = {soft, start, most};
    set.rest = direction(rest);
    set.pole_is_point = pole_is_point && !poles.is_none();
    set.has_swivel = !swivels.is_none();
    double* out;
    nb::object result = new_array(&rows, 1, {TWO_BONE_SIZE}, &out);
    const Released release;
    parallel_rows(rows, width<Wide>, threads, [&](long begin, long end) {
        for (long row = begin; row < end; row += width<Wide>) {
            const int count = int(std::min<long>(width<Wide>, end - row));
            Wide r[3], t[3], l[4], p[3], s[1], e[6], numbers[TWO_BONE_SIZE];
            root.load(row, count, r), target.load(row, count, t), length.load(row, count, l);
            pole.load(row, count, p), swivel.load(row, count, s), earlier.load(row, count, e);
            two_bone<Wide>(set, {at(r), at(t), at(p), at(e), at(e + 3), l[0], l[1], l[2], l[3], s[0]}).store(numbers);
            store_rows<Wide>(numbers, TWO_BONE_SIZE, count, out + row * TWO_BONE_SIZE, TWO_BONE_SIZE);
        }
    });
    return result;
}

// (N, 2, 3, 3): the rotations of both bones.
nb::object two_bone_rotations(nb::handle roots, nb::handle answers, const std::vector<double>& rest,
                              const std::vector<double>& axis, bool least) {
    const Rows root(roots, 3, "the root"), answer(answers, TWO_BONE_SIZE, "answers");
    const npy_intp rows = answer.rows();
    root.check(rows);
    const BoneRest set = {direction(rest), direction(axis), least};
    double* out;
    nb::object result = new_array(&rows, 1, {2, 3, 3}, &out);
    const Released release;
    for (long row = 0; row < rows; row += width<Wide>) {
        const int count = int(std::min<long>(width<Wide>, rows - row));
        Wide r[3], a[TWO_BONE_SIZE], numbers[18];
        root.load(row, count, r), answer.load(row, count, a);
        BoneRotation<Wide> rotations[2];
        bone_rotations<Wide>(set, at(r), a, rotations);
        for (int k = 0; k < 2; ++k) {
            const Vector3<Wide>* columns[] = {&rotations[k].x, &rotations[k].y, &rotations[k].z};
            for (int j = 0; j < 3; ++j)
                numbers[9 * k + j] = columns[j]->x, numbers[9 * k + 3 + j] = columns[j]->y,
                                numbers[9 * k + 6 + j] = columns[j]->z;
        }
        store_rows<Wide>(numbers, 18, count, out + row * 18, 18);
    }
    return result;
}

void bind_limbs(nb::module_& m) {
    m.def("solve_two_bones", &solve_two_bones, nb::arg("roots"), nb::arg("targets"), nb::arg("lengths"),
          nb::arg("poles").none(), nb::arg("swivels").none(), nb::arg("previous").none(), nb::arg("rest"),
          nb::arg("pole_is_point"), nb::arg("soft"), nb::arg("start"), nb::arg("most"), nb::arg("threads"),
          nb::sig("def solve_two_bones(roots: object, targets: object, lengths: object, poles: object, swivels: "
                  "object, previous: object, "
                  "rest: Sequence[float], pole_is_point: bool, soft: float, start: float, most: float, threads: int) "
                  "-> Array"));
    m.def(
        "two_bone_rotations", &two_bone_rotations, nb::arg("roots"), nb::arg("answers"), nb::arg("rest"),
        nb::arg("axis"), nb::arg("least"),
        nb::sig("def two_bone_rotations(roots: object, answers: object, rest: Sequence[float], axis: Sequence[float], "
                "least: bool) -> Array"));
}

}  // namespace limbik::bindings
