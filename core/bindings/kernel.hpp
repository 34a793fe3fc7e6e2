// A compiled mechanism for Python: shapes are checked here, numbers are computed in kinematics/.
#pragma once

#include "arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <limits>
#include <memory>

#include "../kinematics/kinematics.hpp"
#include "../kinematics/reach.hpp"
#include "released.hpp"

namespace limbik::bindings {

// A call releases the interpreter's lock from this many rows on.
constexpr long ROWS_WITHOUT_GIL = 64;

template <class Work> void without_gil(long rows, const Work& work) {
    if (rows < ROWS_WITHOUT_GIL) return work();
    const Released release;
    work();
}

class Kernel {
  public:
    Kernel(std::string name, int n, int tip, const std::vector<int>& parents, const std::vector<int>& kinds,
           const std::vector<int>& first, const std::vector<double>& scale, const std::vector<double>& offset,
           const std::vector<bool>& wraps, const std::vector<double>& placements,
           const std::vector<int>& frame_elements, const std::vector<double>& frame_placements)
        : name_(std::move(name)), tip_(tip),
          k_(assembled(n, parents, kinds, first, scale, offset, wraps, placements, frame_elements, frame_placements)) {
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

    // A copy of q, after the checks that every method makes.
    nb::object checked(nb::handle given) const {
        const Input q = postures(given, "q");
        double* out;
        nb::object result = new_array(q.dims(), q.ndim() - 1, {k_.n()}, &out);
        std::copy_n(q.data(), product(q.dims(), q.ndim()), out);
        return result;
    }

    nb::object integrate(nb::handle q, nb::handle dq) const { return pairwise(q, "q", dq, "dq", integrate_rows); }
    nb::object difference(nb::handle q0, nb::handle q1) const { return pairwise(q0, "q0", q1, "q1", difference_rows); }

    // (from the base, span, centre) of a frame, where each number of q has this range.
    nb::tuple reach(int frame, const std::vector<double>& lower, const std::vector<double>& upper) const {
        const Reach r = reach_of(k_.mechanism, frame_with(frame, lower, upper), lower.data(), upper.data());
        return nb::make_tuple(r.from_base, r.span, nb::make_tuple(r.centre.x, r.centre.y, r.centre.z));
    }
    bool goes_anywhere(int frame, const std::vector<double>& lower, const std::vector<double>& upper) const {
        return kinematics::goes_anywhere(k_.mechanism, frame_with(frame, lower, upper), lower.data(), upper.data());
    }

    const Kinematics& kinematics() const { return k_; }
    const std::string& name() const { return name_; }
    int tip() const { return tip_; }
    bool is_scalar_chain() const { return k_.chain.has_value(); }

  private:
    static Kinematics assembled(int n, const std::vector<int>& parents, const std::vector<int>& kinds,
                                const std::vector<int>& first, const std::vector<double>& scale,
                                const std::vector<double>& offset, const std::vector<bool>& wraps,
                                const std::vector<double>& placements, const std::vector<int>& frame_elements,
                                const std::vector<double>& frame_placements) {
        const std::size_t m = parents.size(), f = frame_elements.size();
        if (kinds.size() != m || first.size() != m || scale.size() != m || offset.size() != m || wraps.size() != m ||
            placements.size() != 12 * m || frame_placements.size() != 12 * f || n < 0)
            raise("BadModel", "the parts of the mechanism differ in length");
        Mechanism mechanism;
        mechanism.n = n;
        for (std::size_t e = 0; e < m; ++e) {
            if (kinds[e] < 0 || kinds[e] >= KINDS || parents[e] < -1 || parents[e] >= int(e))
                raise("BadModel", "an element has an unknown kind or comes before its parent");
            const Kind kind = Kind(kinds[e]);
            if (first[e] < 0 || first[e] + size_of(kind) > n) raise("BadModel", "an element reads past the end of q");
            mechanism.elements.push_back(
                {parents[e], kind, first[e], scale[e], offset[e], bool(wraps[e]), pose_from_rows(&placements[12 * e])});
        }
        for (std::size_t i = 0; i < f; ++i) {
            if (frame_elements[i] < -1 || frame_elements[i] >= int(m))
                raise("BadModel", "a frame is attached to an element that does not exist");
            mechanism.frames.push_back({frame_elements[i], pose_from_rows(&frame_placements[12 * i])});
        }
        return Kinematics(std::move(mechanism));
    }

    // Check joint values: the last axis is n, every number finite and not too large to compute with.
    Input postures(nb::handle given, const char* what) const {
        Input q(given, what);
        if (q.ndim() < 1 || q.dims()[q.ndim() - 1] != k_.n())
            raise("ShapeError", std::string(what) + " has shape " + q.shape() + ", but '" + name_ +
                                    "' has n = " + std::to_string(k_.n()) + " joint values: pass shape (" +
                                    std::to_string(k_.n()) + ",) or (..., " + std::to_string(k_.n()) + ")");
        const long bad = first_not_finite(q.data(), product(q.dims(), q.ndim() - 1), k_.n());
        if (bad >= 0)
            raise("NotFinite", std::string(what) + " holds NaN, infinity or a number too large to compute with" +
                                   (q.ndim() > 1 ? " in row " + std::to_string(bad) : std::string()) +
                                   "; joint values must be finite, and below 1e100");
        return q;
    }

    int known_frame(int frame) const {
        if (frame < 0) return tip_;
        if (frame >= k_.frames()) raise("UnknownFrame", "there is no frame number " + std::to_string(frame));
        return frame;
    }
    const Frame& frame_with(int frame, const std::vector<double>& lower, const std::vector<double>& upper) const {
        if (lower.size() != std::size_t(k_.n()) || upper.size() != lower.size())
            raise("ShapeError", "each number of q has a lower and an upper limit");
        return k_.mechanism.frames[std::size_t(known_frame(frame))];
    }

    nb::object run(nb::handle given, int frame, int threads, bool with_pose, bool with_jacobian) const {
        frame = known_frame(frame);
        const Input q = postures(given, "q");
        const int axes = q.ndim() - 1;
        const long rows = product(q.dims(), axes);
        double *T = nullptr, *J = nullptr;
        nb::object pose, jacobian;
        if (with_pose) pose = new_array(q.dims(), axes, {4, 4}, &T);
        if (with_jacobian) jacobian = new_array(q.dims(), axes, {6, k_.n()}, &J);
        if (rows == 1) forward_one(k_, frame, q.data(), T, J);
        else without_gil(rows, [&] { forward_batch(k_, frame, q.data(), rows, threads, T, J); });
        if (!with_jacobian) return pose;
        if (!with_pose) return jacobian;
        return nb::steal(PyTuple_Pack(2, pose.ptr(), jacobian.ptr()));
    }

    template <class Work> nb::object pairwise(nb::handle a_given, const char* a_name, nb::handle b_given,
                                              const char* b_name, const Work& work) const {
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
