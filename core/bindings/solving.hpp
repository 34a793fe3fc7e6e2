// The Python face of the solvers: targets and seeds are checked here, answers are made here.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>

#include "../chain_solver.hpp"
#include "../general_solver.hpp"
#include "answer.hpp"

namespace limbik::bindings {

// ---- targets -------------------------------------------------------------------------------------------------------

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
        const double deviation = std::max({std::fabs(xx - 1), std::fabs(yy - 1), std::fabs(zz - 1), std::fabs(xy),
                                           std::fabs(xz), std::fabs(yz)});
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

inline nb::object checked_pose(nb::handle given, const std::string& what) {
    return nb::module_::import_("limbik.model.transform").attr("as_pose")(given, what);
}

// ---- solvers -------------------------------------------------------------------------------------------------------

// Rows of a batch that a thread takes at a time, and from how many on a batch is shared out.
constexpr long ROWS_AT_A_TIME = 512, ROWS_TO_SHARE = 1024;
// How often a waiting batch looks whether the user has interrupted it [ms].
constexpr int LOOK_FOR_SIGNALS = 20;

// What rounding may add to the bound on the reach, as a part of it.
constexpr double REACH_ROUNDING = 1e-12;

class PoseSolver {
  public:
    PoseSolver(const Kernel& kernel, const std::vector<double>& lower, const std::vector<double>& upper,
               const std::vector<double>& draw_low, const std::vector<double>& draw_high,
               const std::vector<std::vector<double>>& cones, const std::vector<double>& home, double length,
               double position_tolerance, double rotation_tolerance, int attempts, const std::vector<double>& centre,
               double span)
        : name_(kernel.name()), home_(home), span_(span), tolerance_(position_tolerance), rotation_tolerance_(rotation_tolerance),
          attempts_(attempts),
          nearly_(std::max(position_tolerance, NEARLY_THERE * length)) {
        const Kinematics& k = kernel.kinematics();
        const std::size_t n = std::size_t(k.n());
        if (lower.size() != n || upper.size() != n || draw_low.size() != n || draw_high.size() != n || home.size() != n ||
            centre.size() != 3)
            raise("BadModel", "the parts of the solver differ in length");
        limits_ = {lower, upper, draw_low, draw_high, {}};
        for (const auto& c : cones) {
            if (c.size() != 7 || c[0] < 0 || c[0] + 3 > double(n)) raise("BadModel", "a cone has no place in q");
            limits_.cones.push_back({int(c[0]), {c[1], c[2], c[3]}, c[4], c[5], c[6]});
        }
        centre_ = {centre[0], centre[1], centre[2]};
        const Effort effort{length, DAMPING, LARGEST_STEP};
        const SolveOptions options{position_tolerance, rotation_tolerance};
        if (k.chain && k.n() <= LONGEST_CHAIN) {
            table_ = std::make_unique<LazySeedTable>(*k.chain, limits_.draw_low.data(), limits_.draw_high.data());
            solver_ = make_chain_solver(k, kernel.tip(), limits_, effort, *table_, options);
        } else {
            solver_ = std::make_unique<GeneralSolver>(k, kernel.tip(), limits_, effort, options);
        }
    }

    Answer solve(nb::handle T, nb::handle seed, int first) const {
        Answer answer;
        answer.target = target_of(T);
        const double* start = home_.data();
        std::optional<Input> given;
        if (!seed.is_none()) {
            given.emplace(seed, "seed");
            check_seeds(*given, 1);
            start = given->data();
        }
        answer.q.resize(home_.size());
        answer.method = "lm";
        if (first > 0) {  // further attempts only: the caller has an answer already
            std::copy_n(start, answer.q.size(), answer.q.data());
            answer.outcome.tried = std::max(first, attempts_);
            if (first < attempts_) answer.outcome = solver_->solve(answer.target, start, first, attempts_, answer.q.data());
            return answer;
        }
        if (out_of_reach(answer.target)) {
            answer.outcome.status = Status::out_of_reach;
        } else {
            answer.outcome = solver_->solve(answer.target, start, 0, quick(), answer.q.data());
        }
        if (answer.outcome.status != Status::solved)
            settle_for_nearest(answer.target, start, quick(), answer.q.data(), answer.outcome);
        return answer;
    }

    // (q, status, position error, rotation error, attempt), one row per target.
    nb::tuple solve_batch(nb::handle Ts, nb::handle seeds, int threads, bool mark) const {
        const Input targets(Ts, "targets");
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError", "solve_batch takes targets of shape (N, 4, 4); got " + targets.shape());
        const long rows = targets.dims()[0];
        const int n = solver_->n();
        std::optional<Input> given;
        if (!seeds.is_none()) {
            given.emplace(seeds, "seeds");
            check_seeds(*given, rows);
        }
        const double* starts = given ? given->data() : home_.data();
        const long stride = given && given->ndim() == 2 ? n : 0;

        std::vector<double> clean(std::size_t(rows) * 16);
        std::vector<Outcome> outcomes(static_cast<std::size_t>(rows));
        for (long row = 0; row < rows; ++row) {
            const auto T = rigid(targets.data() + row * 16);
            if (T) {
                store_pose(*T, 1, clean.data() + row * 16, 16);
                if (out_of_reach(*T)) outcomes[std::size_t(row)].status = Status::out_of_reach;
            } else if (mark) {
                outcomes[std::size_t(row)].status = Status::invalid;
            } else {
                const npy_intp index = row;
                nb::object one = nb::steal(PySequence_GetItem(targets.object().ptr(), index));
                checked_pose(one, "target " + std::to_string(row));
                raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
            }
        }
        const npy_intp size = rows;
        double *q, *position, *rotation;
        nb::object q_array = new_array(&size, 1, {n}, &q);
        nb::object position_array = new_array(&size, 1, {}, &position);
        nb::object rotation_array = new_array(&size, 1, {}, &rotation);
        nb::object status_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_UINT8));
        nb::object attempt_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        auto work = [&](long begin, long end, const std::atomic<bool>& stop) {
            std::vector<Status> known(std::size_t(end - begin));
            for (long row = begin; row < end; ++row) {  // proven ones are passed over like invalid ones
                known[std::size_t(row - begin)] = outcomes[std::size_t(row)].status;
                if (outcomes[std::size_t(row)].status == Status::out_of_reach) outcomes[std::size_t(row)].status = Status::invalid;
            }
            solver_->solve_rows(clean.data(), starts, stride, begin, end, quick(), q, outcomes.data(), stop);
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row) {
                Outcome& out = outcomes[std::size_t(row)];
                const Status before = known[std::size_t(row - begin)];
                if (before == Status::out_of_reach || before == Status::invalid) out.status = before;
                if (out.status == Status::invalid) {
                    std::copy_n(starts + row * stride, n, q + row * n);
                    out.position_error = out.rotation_error = std::numeric_limits<double>::quiet_NaN();
                } else if (out.status != Status::solved) {
                    settle_for_nearest(load_pose<double>(clean.data() + row * 16, 1), starts + row * stride, quick(), q + row * n,
                                       out);
                }
            }
        };
        run(rows, threads, work);
        auto* status = static_cast<std::uint8_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(status_array.ptr())));
        auto* attempt = static_cast<std::int32_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(attempt_array.ptr())));
        for (long row = 0; row < rows; ++row) {
            const Outcome& out = outcomes[std::size_t(row)];
            status[row] = std::uint8_t(out.status), attempt[row] = out.attempt;
            position[row] = out.position_error, rotation[row] = out.rotation_error;
        }
        return nb::make_tuple(q_array, status_array, position_array, rotation_array, attempt_array);
    }

    // The least position error [m] of each target from so many random starts, each brought to rest: slow, to compare with.
    nb::object least_positions(nb::handle Ts, int starts, int threads) const {
        const Input targets(Ts, "targets");
        if (targets.ndim() != 3 || product(targets.dims() + 1, 2) != 16)
            raise("ShapeError", "least_positions takes targets of shape (N, 4, 4); got " + targets.shape());
        const npy_intp rows = targets.dims()[0];
        std::vector<Pose<double>> poses;
        for (long row = 0; row < rows; ++row) poses.push_back(load_pose<double>(targets.data() + row * 16, 1));
        double* least;
        nb::object array = new_array(&rows, 1, {}, &least);
        run(rows, threads, [&](long begin, long end, const std::atomic<bool>& stop) {
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row)
                least[row] = solver_->least_position(poses[std::size_t(row)], starts);
        });
        return array;
    }

  private:
    Pose<double> target_of(nb::handle T) const {
        if (PyArray_CheckExact(T.ptr())) {
            auto* a = reinterpret_cast<PyArrayObject*>(T.ptr());
            if (PyArray_TYPE(a) == NPY_DOUBLE && PyArray_ISCARRAY_RO(a) && PyArray_NDIM(a) == 2 && PyArray_DIM(a, 0) == 4 &&
                PyArray_DIM(a, 1) == 4) {
                if (const auto pose = rigid(static_cast<const double*>(PyArray_DATA(a)))) return *pose;
            }
            if (PyArray_NDIM(a) == 3)
                raise("ShapeError", "solve takes one target of shape (4, 4); got " + shape_text(3, PyArray_DIMS(a)) +
                                        ": use solve_batch for many");
        }
        nb::object numpy = nb::module_::import_("numpy");
        if (nb::isinstance<nb::list>(T) || nb::isinstance<nb::tuple>(T)) {
            const nb::object first = nb::len(T) ? nb::object(T[0]) : nb::none();
            if (nb::cast<int>(numpy.attr("ndim")(first)) == 2)
                raise("ShapeError", "solve takes one target of shape (4, 4); got several: use solve_batch for many");
        }
        const Input checked(checked_pose(T, "the target"), "the target");
        const auto pose = rigid(checked.data());
        if (!pose) raise("NotRigid", "the target is not a rigid pose");
        return *pose;
    }

    void check_seeds(const Input& seeds, long rows) const {
        const npy_intp n = npy_intp(home_.size());
        const bool one = seeds.ndim() == 1 && seeds.dims()[0] == n;
        const bool many = rows != 1 ? seeds.ndim() == 2 && seeds.dims()[0] == rows && seeds.dims()[1] == n
                                    : seeds.ndim() == 2 && seeds.dims()[0] == 1 && seeds.dims()[1] == n;
        if (!one && !many)
            raise("ShapeError", "the seed has shape " + seeds.shape() + ", but '" + name_ + "' has n = " + std::to_string(n) +
                                    " joint values" + (rows == 1 ? std::string() : " and there are " + std::to_string(rows) + " targets"));
        if (first_not_finite(seeds.data(), product(seeds.dims(), seeds.ndim() - 1), n) >= 0)
            raise("NotFinite", "the seed holds NaN or infinity; joint values must be finite numbers");
    }

    int quick() const { return std::min(attempts_, solver_->quick_attempts()); }

    // The first attempts have failed: look how near the target some posture comes. Where even its position, or its wrist's,
    // stays off, more attempts would be in vain (as far as many starts can tell); else the remaining ones are made.
    void settle_for_nearest(const Pose<double>& target, const double* start, int done, double* q, Outcome& out) const {
        const Look look = solver_->look(target, start, out.status == Status::out_of_reach);
        if (out.status == Status::not_found && look.gap <= nearly_ && done < attempts_) {
            out = solver_->solve(target, start, done, attempts_, q);
            if (out.status == Status::solved) return;
        }
        solver_->nearest(target, start, look, q, out);
        if (out.position_error > tolerance_ || out.rotation_error > rotation_tolerance_) return;
        out.status = Status::solved;  // it was reachable after all
        out.attempt = out.tried++;
    }

    bool out_of_reach(const Pose<double>& T) const {
        const Vector3<double> far = T.origin - centre_;
        return std::sqrt(dot(far, far)) > span_ * (1.0 + REACH_ROUNDING) + tolerance_;
    }

    // Share the rows out between threads that end with the call, and look for Ctrl-C meanwhile.
    template <class Work> void run(long rows, int threads, const Work& work) const {
        std::atomic<bool> stop{false};
        if (rows < ROWS_TO_SHARE && threads <= 1) {
            nb::gil_scoped_release release;
            return work(0L, rows, stop);
        }
        long count = threads > 0 ? threads : long(std::max(1u, std::thread::hardware_concurrency()));
        count = std::clamp<long>(count, 1, std::max<long>(1, (rows + ROWS_AT_A_TIME - 1) / ROWS_AT_A_TIME));
        std::atomic<long> next{0};
        std::atomic<long> ended{0};
        std::mutex mutex;
        std::condition_variable done;
        std::exception_ptr failure;
        auto take = [&] {
            try {
                for (long begin; !stop.load() && (begin = next.fetch_add(ROWS_AT_A_TIME)) < rows;)
                    work(begin, std::min(rows, begin + ROWS_AT_A_TIME), stop);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                stop = true;
            }
            const std::lock_guard lock(mutex);
            ++ended;
            done.notify_one();
        };
        bool interrupted = false;
        {
            std::vector<std::jthread> team;
            for (long k = 0; k < count; ++k) team.emplace_back(take);
            while (true) {
                bool over;
                {
                    nb::gil_scoped_release release;
                    std::unique_lock lock(mutex);
                    over = done.wait_for(lock, std::chrono::milliseconds(LOOK_FOR_SIGNALS), [&] { return ended == count; });
                }
                if (over) break;
                if (PyErr_CheckSignals() != 0) {
                    stop = true;
                    interrupted = true;
                    break;
                }
            }
            nb::gil_scoped_release release;
            team.clear();
        }
        if (interrupted) throw nb::python_error();
        if (failure) std::rethrow_exception(failure);
    }

    std::string name_;
    std::vector<double> home_;
    Limits limits_;
    Vector3<double> centre_{0, 0, 0};
    double span_, tolerance_, rotation_tolerance_;
    int attempts_;
    double nearly_;
    std::unique_ptr<LazySeedTable> table_;
    std::unique_ptr<Solver> solver_;
};

inline void bind_solving(nb::module_& m) {
    bind_answer(m);
    nb::class_<PoseSolver>(m, "PoseSolver", "Levenberg-Marquardt for the tip of one mechanism, ready to run.")
        .def(nb::init<const Kernel&, const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                      const std::vector<double>&, const std::vector<std::vector<double>>&, const std::vector<double>&, double,
                      double, double, int, const std::vector<double>&, double>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("lower"), nb::arg("upper"), nb::arg("draw_low"),
             nb::arg("draw_high"), nb::arg("cones"), nb::arg("home"), nb::arg("length"), nb::arg("position_tolerance"),
             nb::arg("rotation_tolerance"), nb::arg("attempts"), nb::arg("centre"), nb::arg("span"))
        .def("solve", &PoseSolver::solve, nb::arg("target").none(), nb::arg("seed").none(), nb::arg("first") = 0,
             nb::sig("def solve(self, target: object, seed: object, first: int = 0) -> Answer"))
        .def("solve_batch", &PoseSolver::solve_batch, nb::arg("targets").none(), nb::arg("seeds").none(), nb::arg("threads"),
             nb::arg("mark"),
             nb::sig("def solve_batch(self, targets: object, seeds: object, threads: int, mark: bool) -> tuple[Array, "
                     "npt.NDArray[np.uint8], Array, Array, npt.NDArray[np.int32]]"))
        .def("least_positions", &PoseSolver::least_positions, nb::arg("targets"), nb::arg("starts"), nb::arg("threads"),
             nb::sig("def least_positions(self, targets: Array, starts: int, threads: int) -> Array"));
}

}  // namespace limbik::bindings
