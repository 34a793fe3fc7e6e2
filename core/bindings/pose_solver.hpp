// The Python face of the solvers: targets and seeds are checked here, answers are made here.
#pragma once

#include <cstdio>
#include <optional>

#include "../base/deadline.hpp"
#include "../iterative/chain_solver.hpp"
#include "../iterative/general_solver.hpp"
#include "../iterative/starts.hpp"
#include "answer.hpp"
#include "limits.hpp"
#include "posture_solver.hpp"
#include "targets.hpp"
#include "threads.hpp"

namespace limbik::bindings {

// ---- solvers -------------------------------------------------------------------------------------------------------

// What rounding may add to the bound on the reach, as a part of it.
constexpr double REACH_ROUNDING = 1e-12;

// A look that stays farther off than this is believed: without a search of the closed form, and without the remaining
// attempts, in lengths. A look is a search from many starts itself, and may be caught where joints are at their limits.
constexpr double HOPEFUL = 0.05, DOUBTED = 0.01;

class PoseSolver final : public Attempts {
  public:
    // Does this kernel's solver run in the lanes, and start from a table?
    static bool in_lanes(const Kernel& kernel) {
        return kernel.is_scalar_chain() && kernel.kinematics().n() <= LONGEST_CHAIN;
    }

    PoseSolver(const Kernel& kernel, const LazySeedTable* table, const PostureSolver* postures,
               const std::vector<double>& lower, const std::vector<double>& upper, const std::vector<double>& draw_low,
               const std::vector<double>& draw_high, const std::vector<std::vector<double>>& cones,
               const std::vector<double>& home, double length, double position_tolerance, double rotation_tolerance,
               int attempts, const std::vector<double>& centre, double span)
        : name_(kernel.name()), kinematics_(kernel.kinematics()), tip_(kernel.tip()), home_(home), span_(span),
          tolerance_(position_tolerance), rotation_tolerance_(rotation_tolerance), attempts_(attempts), table_(table),
          postures_(postures && postures->solves() ? postures : nullptr),
          held_(postures && postures->exists() && !postures->solves() ? postures : nullptr),
          doubted_(std::max(position_tolerance, DOUBTED * length)), hopeful_(HOPEFUL * length) {
        const Kinematics& k = kernel.kinematics();
        const std::size_t n = std::size_t(k.n());
        if (home.size() != n || centre.size() != 3) raise("BadModel", "the parts of the solver differ in length");
        limits_ = limits_from(lower, upper, draw_low, draw_high, cones, n);
        centre_ = {centre[0], centre[1], centre[2]};
        const Effort effort{length, DAMPING, LARGEST_STEP};
        const SolveOptions options{position_tolerance, rotation_tolerance};
        if ((table != nullptr) != in_lanes(kernel))
            raise("BadModel", "a solver in the lanes, and no other, takes a table");
        if (table) {
            solver_ = make_chain_solver(k, kernel.tip(), limits_, effort, *table_, options);
        } else {
            solver_ = std::make_unique<GeneralSolver>(k, kernel.tip(), limits_, effort, options);
        }
        from_starts_.emplace(*solver_, k, kernel.tip(), limits_, options);
        if (postures && postures->exists()) {
            asking_ = postures;
            asking_->ask(this);
        }
    }

    PoseSolver(const PoseSolver&) = delete;
    PoseSolver& operator=(const PoseSolver&) = delete;
    ~PoseSolver() override {
        if (asking_ && asking_->asked() == this) asking_->ask(nullptr);
    }

    Outcome attempt(const Pose<double>& target, const double* seed, double* q) const override {
        Outcome out;
        if (!out_of_reach(target)) {
            out = attempts(target, seed, 0, quick(nullptr), Patience(std::numeric_limits<double>::infinity()), q);
            if (out.status != Status::solved)
                settle_for_nearest(target, seed, quick(nullptr), Patience(std::numeric_limits<double>::infinity()),
                                   Weights{}, q, out);
        }
        return out;
    }

    void warm_up() const { solver_->warm_up(); }
    bool warm() const { return solver_->warm(); }

    // `closed`: in closed form where there is one; else, and where that proves nothing, by attempts. Weights of 0 and
    // 0: what is not reached is answered by the nearest position and then the nearest rotation. `starts` are tried
    // before the ordinary ones.
    Answer solve(nb::handle T, nb::handle seed, int first, double seconds, bool closed, double position_weight,
                 double rotation_weight, const Starts* starts) const {
        const Weights weights{position_weight, rotation_weight};
        const Patience patience(seconds);
        Answer answer;
        answer.target = target_of(T);
        const double* start = home_.data();
        std::optional<Input> given;
        if (!seed.is_none()) {
            given.emplace(seed, "seed");
            check_seeds(*given, 1, npy_intp(home_.size()), name_);
            start = given->data();
        }
        answer.q.resize(home_.size());
        answer.method = starts ? starts->method() : "lm";
        if (first > 0) {  // further attempts only: the caller has an answer already
            std::copy_n(start, answer.q.size(), answer.q.data());
            answer.outcome.tried = std::max(first, attempts_);
            if (first < attempts_)
                answer.outcome = attempts(answer.target, start, first, attempts_, patience, answer.q.data());
            return answer;
        }
        if (closed && postures_) {
            answer.outcome = postures_->nearest(answer.target, start, postures_->elbow_of(start), answer.q.data());
            if (answer.outcome.status == Status::solved) {
                answer.method = "closed_form", answer.form = postures_->description();
                return answer;
            }
        }
        if (answer.outcome.closed) {
            // proven: there is none
        } else if (out_of_reach(answer.target)) {
            answer.outcome.status = Status::out_of_reach;
        } else {
            if (starts)
                answer.outcome = from_starts_->solve(
                    *starts, answer.target, start, [&] { return patience.timed() && patience.over(); },
                    answer.q.data());
            if (answer.outcome.status != Status::solved && !answer.outcome.timed_out) {
                const int before = answer.outcome.steps;
                answer.outcome = attempts(answer.target, start, 0, quick(starts), patience, answer.q.data());
                answer.outcome.steps += before;
            }
        }
        if (answer.outcome.status != Status::solved)
            settle_for_nearest(answer.target, start, quick(starts), patience, weights, answer.q.data(), answer.outcome);
        if (answer.outcome.closed) answer.method = "closed_form", answer.form = postures_->description();
        return answer;
    }

    // (q, status, position error, rotation error, attempt, tried, timed out, target, branch, family, closed, steps),
    // one row per target; a target that is no rigid pose is NaN.
    nb::tuple solve_batch(nb::handle Ts, nb::handle seeds, int threads, bool mark, double seconds, bool closed,
                          double position_weight, double rotation_weight, const Starts* first_starts) const {
        const Weights weights{position_weight, rotation_weight};
        const Patience patience(seconds);
        const Input targets(nb::module_::import_("limbik.model.transform").attr("matrices")(Ts), "targets");
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError",
                  "solve_batch takes targets of shape (N, 4, 4); got " + targets.shape() + many_remedy(targets));
        const long rows = targets.dims()[0];
        const int n = solver_->n();
        std::optional<Input> given;
        if (!seeds.is_none()) {
            given.emplace(seeds, "seeds");
            check_seeds(*given, rows, npy_intp(home_.size()), name_);
        }
        const double* starts = given ? given->data() : home_.data();
        const long stride = given && given->ndim() == 2 ? n : 0;

        const npy_intp size = rows;
        double *q, *position, *rotation, *clean;
        nb::object q_array = new_array(&size, 1, {n}, &q);
        nb::object position_array = new_array(&size, 1, {}, &position);
        nb::object rotation_array = new_array(&size, 1, {}, &rotation);
        nb::object target_array = new_array(&size, 1, {4, 4}, &clean);
        nb::object status_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_UINT8));
        nb::object attempt_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object tried_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object late_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        nb::object branch_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object family_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        nb::object closed_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        nb::object steps_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        std::vector<Outcome> outcomes(static_cast<std::size_t>(rows));
        for (long row = 0; row < rows; ++row) {
            const auto T = rigid(targets.data() + row * 16);
            if (T) {
                store_pose(*T, 1, clean + row * 16, 16);
                if (out_of_reach(*T)) outcomes[std::size_t(row)].status = Status::out_of_reach;
            } else if (mark) {
                outcomes[std::size_t(row)].status = Status::invalid;
                std::fill_n(clean + row * 16, 16, std::numeric_limits<double>::quiet_NaN());
            } else {
                const npy_intp index = row;
                nb::object one = nb::steal(PySequence_GetItem(targets.object().ptr(), index));
                checked_pose(one, "target " + std::to_string(row));
                raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
            }
        }
        auto work = [&](long begin, long end, const std::atomic<bool>& stop) {
            std::vector<Status> known(std::size_t(end - begin));
            std::vector<int> spent(std::size_t(end - begin));
            if (first_starts)
                from_starts_->solve_rows(*first_starts, clean, starts, stride, begin, end, q, outcomes.data(), stop);
            const bool first_look = closed && postures_;
            double elbow = first_look ? postures_->elbow_of(starts + begin * stride) : 0.0;
            for (long row = begin; row < end; ++row) {  // solved and proven ones are passed over like invalid ones
                Outcome& out = outcomes[std::size_t(row)];
                if (first_look && out.status != Status::invalid && !stop.load(std::memory_order_relaxed)) {
                    const double* start = starts + row * stride;
                    if (stride != 0) elbow = postures_->elbow_of(start);
                    const Outcome found =
                        postures_->nearest(load_pose<double>(clean + row * 16, 1), start, elbow, q + row * n);
                    if (found.closed) out = found;
                }
                known[std::size_t(row - begin)] = out.status;
                if (out.status == Status::not_found) std::swap(spent[std::size_t(row - begin)], out.steps);
                if (out.status != Status::not_found) out.status = Status::invalid;
            }
            solver_->solve_rows(clean, starts, stride, begin, end, quick(first_starts), q, outcomes.data(), stop);
            for (long row = begin; row < end; ++row) {
                Outcome& out = outcomes[std::size_t(row)];
                const Status before = known[std::size_t(row - begin)];
                if (before != Status::not_found) out.status = before;
                out.steps += spent[std::size_t(row - begin)];
                if (out.status == Status::invalid) {
                    std::copy_n(starts + row * stride, n, q + row * n);
                    out.position_error = out.rotation_error = std::numeric_limits<double>::quiet_NaN();
                } else if (out.status != Status::solved) {
                    settle_for_nearest(load_pose<double>(clean + row * 16, 1), starts + row * stride,
                                       quick(first_starts), Patience(stop), weights, q + row * n, out);
                }
            }
        };
        if (table_ && !(closed && postures_)) table_->get();  // once, here, rather than by every thread at once
        share_rows(rows, threads, patience, work);
        auto* status = data_of<std::uint8_t>(status_array);
        auto *attempt = data_of<std::int32_t>(attempt_array), *tried = data_of<std::int32_t>(tried_array);
        auto *late = data_of<npy_bool>(late_array), *family = data_of<npy_bool>(family_array),
             *by_form = data_of<npy_bool>(closed_array);
        auto *branch = data_of<std::int32_t>(branch_array), *steps = data_of<std::int32_t>(steps_array);
        for (long row = 0; row < rows; ++row) {
            const Outcome& out = outcomes[std::size_t(row)];
            status[row] = std::uint8_t(out.status), attempt[row] = out.attempt, tried[row] = out.tried,
            late[row] = out.timed_out;
            position[row] = out.position_error, rotation[row] = out.rotation_error;
            branch[row] = out.branch, family[row] = out.family, by_form[row] = out.closed, steps[row] = out.steps;
        }
        return nb::make_tuple(q_array, status_array, position_array, rotation_array, attempt_array, tried_array,
                              late_array, target_array, branch_array, family_array, closed_array, steps_array);
    }

    // One attempt on each target from a start of its own: (q, solved, steps). q is where it ended.
    nb::tuple attempt_from(nb::handle Ts, nb::handle starts, int threads) const {
        const BatchInput input(Ts, starts, home_, name_, "attempt_from");
        if (input.stride == 0) raise("ShapeError", "attempt_from takes a start for each target");
        const npy_intp size = input.rows;
        double* q;
        nb::object q_array = new_array(&size, 1, {solver_->n()}, &q);
        nb::object solved_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        nb::object steps_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        std::copy_n(input.starts, input.rows * input.stride, q);
        std::vector<Outcome> outcomes(static_cast<std::size_t>(input.rows));
        share_rows(input.rows, threads, Patience(std::numeric_limits<double>::infinity()),
                   [&](long begin, long end, const std::atomic<bool>& stop) {
                       solver_->solve_rows(input.targets.data(), input.starts, input.stride, begin, end, 1, q,
                                           outcomes.data(), stop);
                   });
        auto* solved = data_of<npy_bool>(solved_array);
        auto* steps = data_of<std::int32_t>(steps_array);
        for (long row = 0; row < input.rows; ++row) {
            const Outcome& out = outcomes[std::size_t(row)];
            solved[row] = out.status == Status::solved, steps[row] = out.steps;
        }
        return nb::make_tuple(q_array, solved_array, steps_array);
    }

    // The least position error [m] of each target from so many random starts, each brought to rest: slow, to compare
    // with.
    nb::object least_positions(nb::handle Ts, int starts, int threads) const {
        const Input targets(Ts, "targets");
        if (targets.ndim() != 3 || product(targets.dims() + 1, 2) != 16)
            raise("ShapeError", "least_positions takes targets of shape (N, 4, 4); got " + targets.shape());
        const npy_intp rows = targets.dims()[0];
        std::vector<Pose<double>> poses;
        for (long row = 0; row < rows; ++row) poses.push_back(load_pose<double>(targets.data() + row * 16, 1));
        double* least;
        nb::object array = new_array(&rows, 1, {}, &least);
        share_rows(rows, threads, Patience(std::numeric_limits<double>::infinity()),
                   [&](long begin, long end, const std::atomic<bool>& stop) {
                       for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row)
                           least[row] = solver_->least_position(poses[std::size_t(row)], starts);
                   });
        return array;
    }

  private:
    // Attempts before a look, fewer after starts that stand for some.
    int quick(const Starts* starts) const {
        return std::min(attempts_, std::max(1, solver_->quick_attempts() - (starts ? starts->instead() : 0)));
    }

    // Attempts first..last; where patience may end, a few at a time. By their numbers, the answer is the same.
    Outcome attempts(const Pose<double>& target, const double* start, int first, int last, const Patience& patience,
                     double* q) const {
        if (patience.endless()) return solver_->solve(target, start, first, last, q);
        Outcome out;
        for (int begin = first, end; begin < last; begin = end) {
            end = begin == 0 ? 1 : std::min(last, begin + solver_->side_by_side());
            const int before = out.steps;
            out = solver_->solve(target, start, begin, end, q);
            out.steps += before;
            if (out.status == Status::solved) break;
            if (end < last && patience.over()) {
                out.timed_out = true;
                break;
            }
        }
        return out;
    }

    // The first attempts have failed: look how near the target some posture comes. Where even its position, or its
    // wrist's, stays off, more attempts would be in vain (as far as many starts can tell); else the remaining ones are
    // made.
    void settle_for_nearest(const Pose<double>& target, const double* start, int done, const Patience& patience,
                            const Weights& weights, double* q, Outcome& out) const {
        if (out.timed_out || (!patience.endless() && patience.over())) return stay(target, start, q, out);
        if (const Outcome own = at_seed(target, start, q); own.status == Status::solved) {
            out = own;
            return;
        }
        const bool proven = out.status != Status::not_found;
        const Look look = solver_->look(target, start, proven);
        auto go_on = [&](int first, int last) {  // true where one of these attempts succeeds
            if (!(look.gap <= doubted_ && first < last) || out.timed_out) return false;
            Outcome more = attempts(target, start, first, last, patience, q);
            more.steps += out.steps;
            if (more.status == Status::solved) out = more;
            else out.tried = more.tried, out.timed_out = more.timed_out, out.steps = more.steps;
            return more.status == Status::solved;
        };
        if (!proven) {
            // a search of the closed form takes as long as many attempts, so ordinary ones come first
            const int middle = std::clamp(HARD_ATTEMPTS, std::min(done, attempts_), attempts_);
            if (go_on(done, middle)) return;
            if (held_ && look.gap <= hopeful_ && !out.timed_out && held_->search(target, start, q, out)) {
                out.attempt = std::max(done, out.tried), out.tried = out.attempt + 1;
                return;
            }
            if (go_on(middle, attempts_)) return;
        }
        if (weights.position > 0.0 || weights.rotation > 0.0) solver_->weigh(target, start, weights, q, out);
        else solver_->nearest(target, start, look, q, out);
        if (out.position_error > tolerance_ || out.rotation_error > rotation_tolerance_) return;
        out.status = Status::solved;  // it was reachable after all
        out.closed = false;
        out.attempt = std::max(done, out.tried);
        out.tried = out.attempt + 1;
    }

    // The seed, brought inside the limits; solved where that reaches the target.
    Outcome at_seed(const Pose<double>& target, const double* start, double* q) const {
        Outcome out;
        stay(target, start, q, out);
        out.timed_out = false, out.attempt = 0, out.tried = 1;
        if (out.position_error <= tolerance_ && out.rotation_error <= rotation_tolerance_) out.status = Status::solved;
        return out;
    }

    // The time is over and nothing nearer is known: the seed, brought inside the limits.
    void stay(const Pose<double>& target, const double* start, double* q, Outcome& out) const {
        for (std::size_t j = 0; j < home_.size(); ++j) q[j] = std::clamp(start[j], limits_.lower[j], limits_.upper[j]);
        for (const Cone& cone : limits_.cones) clamp_cone(cone, q + cone.first);
        double T[16];
        forward_one(kinematics_, tip_, q, T, nullptr);
        Vector3<double> position, rotation;
        pose_error(load_pose<double>(T, 1), target, position, rotation);
        out.position_error = std::sqrt(dot(position, position)),
        out.rotation_error = std::sqrt(dot(rotation, rotation));
        out.timed_out = true;
    }

    bool out_of_reach(const Pose<double>& T) const {
        const Vector3<double> far = T.origin - centre_;
        const double size = span_ + std::sqrt(dot(T.origin, T.origin)) + std::sqrt(dot(centre_, centre_));
        return std::sqrt(dot(far, far)) > span_ + REACH_ROUNDING * size + tolerance_;
    }

    std::string name_;
    const Kinematics& kinematics_;
    int tip_;
    std::vector<double> home_;
    Limits limits_;
    Vector3<double> centre_{0, 0, 0};
    double span_, tolerance_, rotation_tolerance_;
    int attempts_;
    const LazySeedTable* table_;
    const PostureSolver *postures_, *held_;  // in closed form, or with one joint held
    const PostureSolver* asking_ = nullptr;
    double doubted_, hopeful_;
    std::unique_ptr<Solver> solver_;
    std::optional<FromStarts> from_starts_;
};

inline void bind_solving(nb::module_& m) {
    bind_answer(m);
    bind_postures(m);
    nb::class_<Starts>(m, "Starts", "Postures to begin with, found by a method of their own.");
    nb::class_<LazySeedTable>(m, "SeedTable", nb::is_weak_referenceable(),
                              "Postures to start from, made when first needed.")
        .def(
            "__init__",
            [](LazySeedTable* self, const Kernel& kernel, const std::vector<double>& low,
               const std::vector<double>& high) {
                if (!PoseSolver::in_lanes(kernel) || int(low.size()) != kernel.kinematics().n() ||
                    low.size() != high.size())
                    raise("BadModel", "a table needs a chain that is solved in the lanes, and a range for each joint");
                new (self) LazySeedTable(*kernel.kinematics().chain, low.data(), high.data());
            },
            nb::arg("kernel"), nb::arg("low"), nb::arg("high"),
            nb::sig("def __init__(self, kernel: Kernel, low: Sequence[float], high: Sequence[float]) -> None"))
        .def_prop_ro(
            "key",
            [](const LazySeedTable& t) {
                const std::string k = t.key();
                return nb::bytes(k.data(), k.size());
            },
            "Every bit that the table depends on.")
        .def(
            "make", [](const LazySeedTable& t) { t.get(); }, nb::call_guard<Released>(),
            "Make it now; once made it stays.")
        .def_prop_ro("made", &LazySeedTable::made);
    nb::class_<PoseSolver>(m, "PoseSolver", "Levenberg-Marquardt for the tip of one mechanism, ready to run.")
        .def(nb::init<const Kernel&, const LazySeedTable*, const PostureSolver*, const std::vector<double>&,
                      const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                      const std::vector<std::vector<double>>&, const std::vector<double>&, double, double, double, int,
                      const std::vector<double>&, double>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::arg("kernel"),
             nb::arg("table").none(), nb::arg("postures").none(), nb::arg("lower"), nb::arg("upper"),
             nb::arg("draw_low"), nb::arg("draw_high"), nb::arg("cones"), nb::arg("home"), nb::arg("length"),
             nb::arg("position_tolerance"), nb::arg("rotation_tolerance"), nb::arg("attempts"), nb::arg("centre"),
             nb::arg("span"))
        .def_static("in_lanes", &PoseSolver::in_lanes, nb::arg("kernel"))
        .def("warm_up", &PoseSolver::warm_up, nb::call_guard<Released>(),
             "Make now what a hard target would make first.")
        .def_prop_ro("warm", &PoseSolver::warm, "True when a hard target makes nothing first.")
        .def("solve", &PoseSolver::solve, nb::arg("target").none(), nb::arg("seed").none(), nb::arg("first") = 0,
             nb::arg("seconds") = std::numeric_limits<double>::infinity(), nb::arg("closed") = true,
             nb::arg("position_weight") = 0.0, nb::arg("rotation_weight") = 0.0, nb::arg("starts").none() = nb::none(),
             nb::sig(
                 "def solve(self, target: object, seed: object, first: int = 0, seconds: float = ..., closed: bool = "
                 "True, "
                 "position_weight: float = 0.0, rotation_weight: float = 0.0, starts: Starts | None = None) -> Answer"))
        .def(
            "solve_by_attempts",
            [](const PoseSolver& self, nb::handle target, nb::handle seed) {
                return self.solve(target, seed, 0, std::numeric_limits<double>::infinity(), false, 0.0, 0.0, nullptr);
            },
            nb::arg("target").none(), nb::arg("seed").none(),
            nb::sig("def solve_by_attempts(self, target: object, seed: object) -> Answer"))
        .def("solve_batch", &PoseSolver::solve_batch, nb::arg("targets").none(), nb::arg("seeds").none(),
             nb::arg("threads"), nb::arg("mark"), nb::arg("seconds") = std::numeric_limits<double>::infinity(),
             nb::arg("closed") = true, nb::arg("position_weight") = 0.0, nb::arg("rotation_weight") = 0.0,
             nb::arg("starts").none() = nb::none(),
             nb::sig(
                 "def solve_batch(self, targets: object, seeds: object, threads: int, mark: bool, seconds: float = "
                 "..., closed: "
                 "bool = True, position_weight: float = 0.0, rotation_weight: float = 0.0, starts: Starts | None = "
                 "None) -> "
                 "tuple[Array, npt.NDArray[np.uint8], Array, Array, npt.NDArray[np.int32], npt.NDArray[np.int32], "
                 "npt.NDArray[np.bool_], Array, npt.NDArray[np.int32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], "
                 "npt.NDArray[np.int32]]"))
        .def("attempt_from", &PoseSolver::attempt_from, nb::arg("targets"), nb::arg("starts"), nb::arg("threads") = 0,
             nb::sig("def attempt_from(self, targets: object, starts: object, threads: int = 0) -> "
                     "tuple[Array, npt.NDArray[np.bool_], npt.NDArray[np.int32]]"))
        .def("least_positions", &PoseSolver::least_positions, nb::arg("targets"), nb::arg("starts"), nb::arg("threads"),
             nb::sig("def least_positions(self, targets: Array, starts: int, threads: int) -> Array"));
}

}  // namespace limbik::bindings
