// The solve strategy for Python: targets and seeds are checked here, answers are made here.

#define NO_IMPORT_ARRAY
#include <numeric>

#include "../solve/pose_solver.hpp"
#include "answers.hpp"
#include "limits.hpp"
#include "posture_solver.hpp"

namespace limbik::bindings {

// How many targets of a batch are checked at once for being exactly rigid.
constexpr long RIGID_CHECK_BLOCK = 64;

class BoundPoseSolver {
  public:
    BoundPoseSolver(const Kernel& kernel, const LazySeedTable* table, const BoundPostureSolver* postures,
                    const std::vector<double>& lower, const std::vector<double>& upper,
                    const std::vector<double>& draw_low, const std::vector<double>& draw_high,
                    const std::vector<std::vector<double>>& cones, const std::vector<double>& home,
                    double position_tolerance, double rotation_tolerance, int attempts,
                    const std::vector<double>& centre, double span)
        : name_(kernel.name()), postures_(postures),
          core_(kernel.kinematics(), kernel.tip(), checked(kernel, table, home, centre),
                postures ? &postures->core() : nullptr,
                limits_from(lower, upper, draw_low, draw_high, cones, std::size_t(kernel.kinematics().n())), home,
                {position_tolerance, rotation_tolerance}, attempts, {0.0, span, {centre[0], centre[1], centre[2]}}),
          self_motion_(
              std::make_shared<const SelfMotionTest>(kernel.kinematics(), kernel.tip(), Reach{0.0, span, {}}.size())) {}

    void warm_up() const { core_.warm_up(); }
    bool warm() const { return core_.warm(); }

    // `first` > 0: further attempts only. Weights of 0 and 0: a target that is not reached is answered by the closest
    // position and then the closest rotation. `starts` are tried before the ordinary ones.
    Answer solve(nb::handle T, nb::handle seed, int first, double seconds, bool closed, double position_weight,
                 double rotation_weight, const Starts* starts) const {
        const Deadline deadline(seconds);
        Answer answer;
        double doubt = 0.0;
        answer.target = target_of(T, &doubt);
        const double* start = core_.home().data();
        std::optional<Input> given;
        if (!seed.is_none()) {
            given.emplace(seed, "seed");
            check_seeds(*given, 1, npy_intp(core_.n()), name_);
            start = given->data();
        }
        answer.q.resize(std::size_t(core_.n()));
        answer.method = starts ? starts->method() : "lm";
        answer.self_motion = self_motion_;
        const Request request = {closed, {position_weight, rotation_weight}, starts, doubt};
        answer.outcome = first > 0 ? core_.solve_from(first, answer.target, start, deadline, answer.q.data())
                                   : core_.solve(answer.target, start, request, deadline, answer.q.data());
        if (answer.outcome.closed) answer.method = "closed_form", answer.form = postures_->description();
        return answer;
    }

    // (q, status, position error, rotation error, attempt, tried, timed out, target, branch, family, closed, steps),
    // one row per target; a target that is no rigid pose is NaN.
    nb::tuple solve_batch(nb::handle Ts, nb::handle seeds, int threads, bool mark, double seconds, bool closed,
                          double position_weight, double rotation_weight, const Starts* starts) const {
        const Deadline deadline(seconds);
        const Request request = {closed, {position_weight, rotation_weight}, starts};
        const BatchInput in(Ts, seeds, core_.home(), name_, "solve_batch");
        const npy_intp size = in.rows;
        double *q, *position, *rotation, *clean;
        nb::object q_array = new_array(&size, 1, {core_.n()}, &q);
        nb::object position_array = new_array(&size, 1, {}, &position);
        nb::object rotation_array = new_array(&size, 1, {}, &rotation);
        nb::object target_array = new_array(&size, 1, {4, 4}, &clean);
        auto column = [&](int type) { return nb::object(nb::steal(PyArray_SimpleNew(1, &size, type))); };
        nb::object status_array = column(NPY_UINT8), attempt_array = column(NPY_INT32), tried_array = column(NPY_INT32),
                   late_array = column(NPY_BOOL), branch_array = column(NPY_INT32), family_array = column(NPY_BOOL),
                   closed_array = column(NPY_BOOL), steps_array = column(NPY_INT32);
        std::vector<Outcome> outcomes(static_cast<std::size_t>(in.rows));
        std::vector<double> doubts(outcomes.size());
        for (long first = 0; first < in.rows; first += RIGID_CHECK_BLOCK) {
            const long end = std::min(in.rows, first + RIGID_CHECK_BLOCK);
            const double* from = in.targets.data() + first * 16;
            if (all_rigid_already(from, end - first)) {
                std::copy_n(from, 16 * (end - first), clean + first * 16);
                std::fill(doubts.begin() + first, doubts.begin() + end, in.rounding);
                continue;
            }
            for (long row = first; row < end; ++row) {
                double& doubt = doubts[std::size_t(row)];
                if (const auto T = rigid(in.targets.data() + row * 16, &doubt)) {
                    doubt = std::max(doubt, in.rounding);
                    store_pose(*T, 1, clean + row * 16, 16);
                } else if (mark) {
                    outcomes[std::size_t(row)].status = Status::invalid;
                    std::fill_n(clean + row * 16, 16, std::numeric_limits<double>::quiet_NaN());
                } else {
                    in.refuse(row);
                }
            }
        }
        const iterative::Rows rows = {clean, in.starts, in.stride, q, outcomes.data(), doubts.data()};
        core_.prepare(request);
        share_rows(in.rows, threads, deadline, [&](long begin, long end, const std::atomic<bool>& stop) {
            core_.solve_rows(rows, begin, end, request, stop);
        });
        auto* status = data_of<std::uint8_t>(status_array);
        auto *attempt = data_of<std::int32_t>(attempt_array), *tried = data_of<std::int32_t>(tried_array);
        auto *late = data_of<npy_bool>(late_array), *family = data_of<npy_bool>(family_array),
             *by_form = data_of<npy_bool>(closed_array);
        auto *branch = data_of<std::int32_t>(branch_array), *steps = data_of<std::int32_t>(steps_array);
        for (long row = 0; row < in.rows; ++row) {
            const Outcome& out = outcomes[std::size_t(row)];
            status[row] = std::uint8_t(out.status), attempt[row] = out.attempt, tried[row] = out.tried,
            late[row] = out.timed_out;
            position[row] = out.errors.position, rotation[row] = out.errors.rotation;
            branch[row] = out.branch, family[row] = out.family, by_form[row] = out.closed, steps[row] = out.steps;
        }
        return nb::make_tuple(q_array, status_array, position_array, rotation_array, attempt_array, tried_array,
                              late_array, target_array, branch_array, family_array, closed_array, steps_array);
    }

    // Whether a self-motion manifold passes through each configuration (N, n): (N,); false where `asked` is false.
    nb::object self_motions(nb::handle Q, nb::handle asked) const {
        const Input q(Q, "q"), wanted(asked, "asked");
        const npy_intp rows = q.ndim() == 2 ? q.dims()[0] : -1;
        if (rows < 0 || q.dims()[1] != core_.n() || wanted.ndim() != 1 || wanted.dims()[0] != rows)
            raise("ShapeError", "self_motions takes q of shape (N, n) and N flags");
        nb::object array = nb::steal(PyArray_SimpleNew(1, &rows, NPY_BOOL));
        auto* out = data_of<npy_bool>(array);
        for (long row = 0; row < rows; ++row)
            out[row] = wanted.data()[row] != 0.0 && self_motion_->passes(q.data() + row * core_.n());
        return array;
    }

    // Answers found by attempts are tested for self-motions on request.
    void test_self_motions(Answers& answers) const { answers.self_motion = self_motion_; }

    // One attempt for each target from its own start: (q, solved, steps). q is the last configuration.
    nb::tuple attempt_from(nb::handle Ts, nb::handle starts, int threads) const {
        const BatchInput input(Ts, starts, core_.home(), name_, "attempt_from");
        if (input.stride == 0) raise("ShapeError", "attempt_from takes a start for each target");
        const npy_intp size = input.rows;
        double* q;
        nb::object q_array = new_array(&size, 1, {core_.n()}, &q);
        nb::object solved_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        nb::object steps_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        std::copy_n(input.starts, input.rows * input.stride, q);
        std::vector<Outcome> outcomes(static_cast<std::size_t>(input.rows));
        const iterative::Rows rows = {input.targets.data(), input.starts, input.stride, q, outcomes.data()};
        share_rows(input.rows, threads, Deadline(), [&](long begin, long end, const std::atomic<bool>& stop) {
            std::vector<long> which(std::size_t(end - begin));
            std::iota(which.begin(), which.end(), begin);
            core_.iterative().solve_rows(rows, which, 1, stop);
        });
        auto* solved = data_of<npy_bool>(solved_array);
        auto* steps = data_of<std::int32_t>(steps_array);
        for (long row = 0; row < input.rows; ++row) {
            const Outcome& out = outcomes[std::size_t(row)];
            solved[row] = out.status == Status::solved, steps[row] = out.steps;
        }
        return nb::make_tuple(q_array, solved_array, steps_array);
    }

    // The least position error [m] of each target from so many random starts, each minimised: a slow reference.
    nb::object least_positions(nb::handle Ts, int starts, int threads) const {
        const Input targets(Ts, "targets");
        if (targets.ndim() != 3 || product(targets.dims() + 1, 2) != 16)
            raise("ShapeError", "least_positions takes targets of shape (N, 4, 4); got " + targets.shape());
        const npy_intp rows = targets.dims()[0];
        std::vector<Pose<double>> poses;
        for (long row = 0; row < rows; ++row) poses.push_back(load_pose<double>(targets.data() + row * 16, 1));
        double* least;
        nb::object array = new_array(&rows, 1, {}, &least);
        share_rows(rows, threads, Deadline(), [&](long begin, long end, const std::atomic<bool>& stop) {
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row)
                least[row] = core_.iterative().least_position(poses[std::size_t(row)], starts);
        });
        return array;
    }

  private:
    static const LazySeedTable* checked(const Kernel& kernel, const LazySeedTable* table,
                                        const std::vector<double>& home, const std::vector<double>& centre) {
        if (home.size() != std::size_t(kernel.kinematics().n()) || centre.size() != 3)
            raise("BadModel", "the parts of the solver differ in length");
        if ((table != nullptr) != PoseSolver::in_lanes(kernel.kinematics()))
            raise("BadModel",
                  "a chain that is solved in the lanes needs a table of starts, and no other mechanism takes one");
        return table;
    }

    std::string name_;
    const BoundPostureSolver* postures_;
    PoseSolver core_;
    std::shared_ptr<const SelfMotionTest> self_motion_;
};

void bind_solving(nb::module_& m) {
    nb::class_<Starts>(m, "Starts", "Starts of attempts, proposed by a table or a network.");
    m.attr("ATTEMPTS") = ATTEMPTS;
    nb::class_<LazySeedTable>(m, "SeedTable", nb::is_weak_referenceable(),
                              "A table of starts for the attempts on a chain, built on first use.")
        .def(
            "__init__",
            [](LazySeedTable* self, const Kernel& kernel, const std::vector<double>& low,
               const std::vector<double>& high) {
                if (!PoseSolver::in_lanes(kernel.kinematics()) || int(low.size()) != kernel.kinematics().n() ||
                    low.size() != high.size())
                    raise("BadModel",
                          "a table of starts needs a chain that is solved in the lanes, and a range for each joint");
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
            "The bytes that determine the table: equal keys, equal tables.")
        .def(
            "make", [](const LazySeedTable& t) { t.get(); }, nb::call_guard<Released>(),
            "Build the table now, unless it is built already.")
        .def_prop_ro("made", &LazySeedTable::made, "True when the table is built.");
    nb::class_<BoundPoseSolver>(
        m, "PoseSolver",
        "The solver for the tip of one mechanism: closed form, bound on the reach, attempts, closest configuration.")
        .def(nb::init<const Kernel&, const LazySeedTable*, const BoundPostureSolver*, const std::vector<double>&,
                      const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                      const std::vector<std::vector<double>>&, const std::vector<double>&, double, double, int,
                      const std::vector<double>&, double>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::arg("kernel"),
             nb::arg("table").none(), nb::arg("postures").none(), nb::arg("lower"), nb::arg("upper"),
             nb::arg("draw_low"), nb::arg("draw_high"), nb::arg("cones"), nb::arg("home"),
             nb::arg("position_tolerance"), nb::arg("rotation_tolerance"), nb::arg("attempts"), nb::arg("centre"),
             nb::arg("span"))
        .def_static(
            "in_lanes", [](const Kernel& kernel) { return PoseSolver::in_lanes(kernel.kinematics()); },
            nb::arg("kernel"))
        .def("warm_up", &BoundPoseSolver::warm_up, nb::call_guard<Released>(),
             "Build the tables now that the first difficult target would build.")
        .def_prop_ro("warm", &BoundPoseSolver::warm, "True when every table is built.")
        .def("solve", &BoundPoseSolver::solve, nb::arg("target").none(), nb::arg("seed").none(), nb::arg("first") = 0,
             nb::arg("seconds") = std::numeric_limits<double>::infinity(), nb::arg("closed") = true,
             nb::arg("position_weight") = 0.0, nb::arg("rotation_weight") = 0.0, nb::arg("starts").none() = nb::none(),
             nb::sig(
                 "def solve(self, target: object, seed: object, first: int = 0, seconds: float = ..., closed: bool = "
                 "True, "
                 "position_weight: float = 0.0, rotation_weight: float = 0.0, starts: Starts | None = None) -> Answer"))
        .def(
            "solve_by_attempts",
            [](const BoundPoseSolver& self, nb::handle target, nb::handle seed) {
                return self.solve(target, seed, 0, std::numeric_limits<double>::infinity(), false, 0.0, 0.0, nullptr);
            },
            nb::arg("target").none(), nb::arg("seed").none(),
            nb::sig("def solve_by_attempts(self, target: object, seed: object) -> Answer"))
        .def("solve_batch", &BoundPoseSolver::solve_batch, nb::arg("targets").none(), nb::arg("seeds").none(),
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
        .def("self_motions", &BoundPoseSolver::self_motions, nb::arg("q"), nb::arg("asked"),
             nb::sig("def self_motions(self, q: object, asked: object) -> npt.NDArray[np.bool_]"),
             "Whether a self-motion manifold passes through each configuration (N, n) that is asked for.")
        .def("test_self_motions", &BoundPoseSolver::test_self_motions, nb::arg("answers"),
             "Let answers found by attempts test for self-motions when their families are asked for.")
        .def("attempt_from", &BoundPoseSolver::attempt_from, nb::arg("targets"), nb::arg("starts"),
             nb::arg("threads") = 0,
             nb::sig("def attempt_from(self, targets: object, starts: object, threads: int = 0) -> "
                     "tuple[Array, npt.NDArray[np.bool_], npt.NDArray[np.int32]]"))
        .def("least_positions", &BoundPoseSolver::least_positions, nb::arg("targets"), nb::arg("starts"),
             nb::arg("threads"),
             nb::sig("def least_positions(self, targets: Array, starts: int, threads: int) -> Array"));
}

}  // namespace limbik::bindings
