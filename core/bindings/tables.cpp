// Python bindings of tables: candidates corrected and verified, and starts of attempts.

#define NO_IMPORT_ARRAY
#include "kernel.hpp"

#include "../table/candidate_search.hpp"
#include "../table/table_starts.hpp"
#include "../table/wrist_lookup.hpp"
#include "answers.hpp"
#include "posture_tables.hpp"
#include "threads.hpp"

namespace limbik::bindings {

// The most configurations of one target in a batch: six revolute joints have at most sixteen.
constexpr int MOST_IN_BATCH = 16;

class TableSolver final : public Starts {
  public:
    TableSolver(const Kernel& kernel, const Candidates& table, const Numbers& lower, const Numbers& upper,
                const Numbers& home, double scale, double position_tolerance, double rotation_tolerance,
                std::string method)
        : name_(kernel.name()), method_(std::move(method)), lower_(lower), upper_(upper), home_(home), table_(table),
          search_(table, chain_for_table(kernel), tip_of(kernel), scale),
          starts_(table, chain_for_table(kernel), tip_of(kernel), kernel.kinematics().mechanism,
                  Limits{lower, upper, lower, upper, {}}, 0.5 * scale) {
        const std::size_t n = std::size_t(kernel.kinematics().n());
        if (lower.size() != n || upper.size() != n || home.size() != n || table.n() != int(n))
            raise("BadModel", "the parts of the solver differ in length");
        options_ = {lower_.data(), upper_.data(), position_tolerance, rotation_tolerance};
        if (const auto* file = dynamic_cast<const PostureTableFile*>(&table))
            lookup_ = make_wrist_lookup(search_.reduction(), file->models(), search_.polish());
    }
    TableSolver(const TableSolver&) = delete;

    // ---- starts of attempts, for `PoseSolver`

    const char* method() const override { return starts_.method(); }
    int n() const override { return int(home_.size()); }
    int most() const override { return starts_.most(); }
    int instead() const override { return starts_.instead(); }
    int propose(const Pose<double>& target, const double* seed, double* q) const override {
        return starts_.propose(target, seed, q);
    }
    void good_seeds(const double* targets, const double* seeds, long stride, long count, char* good) const override {
        starts_.good_seeds(targets, seeds, stride, count, good);
    }

    // ---- all configurations

    // The table's candidates, (k, n), uncorrected.
    nb::object look_up(nb::handle T) const {
        const Pose<double> target = target_of(T);
        std::vector<double> q(search_.room());
        const npy_intp count = table_.find(target, q.data());
        double* out;
        nb::object array = new_array(&count, 1, {n()}, &out);
        std::copy_n(q.data(), count * n(), out);
        return array;
    }
    // The same after one Newton step.
    nb::object look_up_and_step(nb::handle T) const {
        const Pose<double> target = target_of(T);
        std::vector<double> q(search_.room());
        const npy_intp count = table_.find(target, q.data());
        search_.polish().step(target, q.data(), int(count));
        double* out;
        nb::object array = new_array(&count, 1, {n()}, &out);
        std::copy_n(q.data(), count * n(), out);
        return array;
    }

    // Look-ups of many targets: (q (total, n), position error (total,), begin (N + 1,)), on one thread.
    nb::tuple look_up_batch(nb::handle Ts, int steps, double tolerance) const {
        if (!lookup_)
            raise("BadOption",
                  "look_up_batch is for a table of postures of a chain that ends in a spherical wrist; use "
                  "solve_all_batch");
        if (steps < 0 || steps > POLISH_STEPS || !(tolerance > 0.0))
            raise("BadOption",
                  "steps must be from 0 to " + std::to_string(POLISH_STEPS) + ", and the tolerance above 0");
        const BatchInput in(Ts, nb::none(), home_, name_, "look_up");
        const long rows = in.rows;
        std::vector<double> clean;
        const double* from = in.targets.data();
        if (!all_rigid_already(from, rows)) {
            clean.resize(std::size_t(rows) * 16);
            for (long row = 0; row < rows; ++row) {
                const auto T = rigid(from + row * 16);
                if (!T) in.refuse(row);
                store_pose(*T, 1, clean.data() + row * 16, 16);
            }
            from = clean.data();
        }
        const npy_intp buffer_size = rows * MOST_LOOKUPS, ends = rows + 1;
        LookupResult found;
        nb::object q_array = new_array(&buffer_size, 1, {n()}, &found.q),
                   error_array = new_array(&buffer_size, 1, {}, &found.error);
        nb::object begin_array = nb::steal(PyArray_SimpleNew(1, &ends, NPY_INT64));
        found.begin = data_of<std::int64_t>(begin_array);
        {
            const Released release;
            lookup_->rows(from, rows, steps, tolerance, options_, home_.data(), found);
        }
        const nb::slice used(nb::int_(0), nb::int_(found.total),
                             nb::none());  // pages that were not written take no memory
        return nb::make_tuple(q_array[used], error_array[used], begin_array);
    }

    Answers solve_all(nb::handle T, nb::handle seed) const {
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        Postures found;
        search_.all(target, start, options_, found);
        Answers out;
        out.n = n(), out.target = target, out.method = method_, out.outside = found.outside;
        out.q.resize(std::size_t(found.count) * home_.size());
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            std::copy_n(p.q, n(), out.q.data() + std::size_t(k) * home_.size());
            out.row.push_back({p.errors.position, p.errors.rotation, p.swivel, p.branch, p.family, p.doubled});
        }
        out.status = found.count > 0 ? Status::solved : Status::not_found;
        return out;
    }

    // (q (N, 16, n), count (N,), outside (N,)): at most 16 configurations of each target, as `solve_all`.
    nb::tuple solve_all_batch(nb::handle Ts, nb::handle seeds, int threads) const {
        const BatchInput in(Ts, seeds, home_, name_, "solve_all_batch");
        const long rows = in.rows;
        std::vector<Pose<double>> poses;
        for (long row = 0; row < rows; ++row) {
            const auto T = rigid(in.targets.data() + row * 16);
            if (!T) in.refuse(row);
            poses.push_back(*T);
        }
        const npy_intp size = rows;
        double* q;
        nb::object q_array = new_array(&size, 1, {MOST_IN_BATCH, n()}, &q);
        nb::object count_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object outside_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        auto *count = data_of<std::int32_t>(count_array), *outside = data_of<std::int32_t>(outside_array);
        const int n = this->n();
        share_rows(rows, threads, Deadline(), [&](long begin, long end, const std::atomic<bool>& stop) {
            Postures found;
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row) {
                search_.all(poses[std::size_t(row)], in.starts + row * in.stride, options_, found);
                const int kept = std::min(found.count, MOST_IN_BATCH);
                double* out = q + row * MOST_IN_BATCH * n;
                for (int k = 0; k < kept; ++k) std::copy_n(found.found[k].q, n, out + k * n);
                std::fill_n(out + kept * n, (MOST_IN_BATCH - kept) * n, std::numeric_limits<double>::quiet_NaN());
                count[row] = kept, outside[row] = found.outside;
            }
        });
        return nb::make_tuple(q_array, count_array, outside_array);
    }

  private:
    const double* start_of(nb::handle seed, std::optional<Input>& given) const {
        if (seed.is_none()) return home_.data();
        given.emplace(seed, "seed");
        check_seeds(*given, 1, npy_intp(home_.size()), name_);
        return given->data();
    }

    std::string name_, method_;
    Numbers lower_, upper_, home_;
    const Candidates& table_;
    CandidateSearch search_;
    TableStarts starts_;
    std::unique_ptr<WristLookup> lookup_;
    BranchOptions options_;
};

void bind_tables(nb::module_& m) {
    nb::class_<Candidates>(m, "Candidates", "Approximate configurations of a target, to be corrected and verified.");
    nb::class_<TableLayout>(m, "TableLayout",
                            "The reduced coordinates of a chain's targets, and the inner joints of its tables.")
        .def(nb::init<const Kernel&, double>(), nb::arg("kernel"), nb::arg("scale"))
        .def_prop_ro("numbers", [](const TableLayout& a) { return a.reduction.numbers(); })
        .def_prop_ro("inner", [](const TableLayout& a) { return a.reduction.inner(); })
        .def_prop_ro("revolute_first", [](const TableLayout& a) { return a.reduction.revolute_first(); })
        .def_prop_ro(
            "tail",
            [](const TableLayout& a) {
                return a.reduction.tail() == Tail::wrist ? "wrist" : a.reduction.tail() == Tail::roll ? "roll" : "none";
            })
        .def(
            "is_angle", [](const TableLayout& a, int number) { return a.reduction.is_angle(number); },
            nb::arg("number"))
        .def(
            "reduced",
            [](const TableLayout& a, nb::handle T) {
                const Reduced at = a.reduction.reduced(target_of(T));
                return std::vector<double>(at.numbers, at.numbers + a.reduction.numbers());
            },
            nb::arg("target").none(), nb::sig("def reduced(self, target: object) -> list[float]"));
    nb::class_<PostureTableFile, Candidates>(m, "PostureTable", "A table of postures; its arrays are read in place.")
        .def(nb::init<const Kernel&, double, const std::vector<int>&, const Numbers&, const Numbers&, int, nb::handle,
                      nb::handle, nb::handle>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("scale"), nb::arg("bins"), nb::arg("low"),
             nb::arg("high"), nb::arg("order"), nb::arg("nodes"), nb::arg("begin"), nb::arg("models"));
    nb::class_<SeedCandidatesOf, Candidates>(m, "SeedCandidates",
                                             "Candidates from a chain's table of starts, and random ones.")
        .def(nb::init<const Kernel&, const LazySeedTable&, double, const Numbers&, const Numbers&>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::arg("kernel"), nb::arg("seeds"), nb::arg("scale"),
             nb::arg("low"), nb::arg("high"));
    nb::class_<PostureTableBuilder>(m, "PostureTableBuilder",
                                    "Draws random postures and builds the cells of a table from them.")
        .def(nb::init<const Kernel&, double, const Numbers&, const Numbers&, std::uint64_t, int, int, double, long>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("scale"), nb::arg("low"), nb::arg("high"),
             nb::arg("seed"), nb::arg("order"), nb::arg("deepest"), nb::arg("tolerance"), nb::arg("look"))
        .def_prop_ro("numbers", &PostureTableBuilder::numbers)
        .def("draw", &PostureTableBuilder::draw, nb::arg("first"), nb::arg("count"),
             nb::sig("def draw(self, first: int, count: int) -> Array"))
        .def("places", &PostureTableBuilder::places, nb::arg("first"), nb::arg("count"),
             nb::sig("def places(self, first: int, count: int) -> Array"))
        .def("cells", &PostureTableBuilder::cells, nb::arg("bins"), nb::arg("low"), nb::arg("high"), nb::arg("first"),
             nb::arg("count"),
             nb::sig("def cells(self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], first: int, "
                     "count: int) -> "
                     "npt.NDArray[np.int32]"))
        .def("build_cells", &PostureTableBuilder::build_cells, nb::arg("bins"), nb::arg("low"), nb::arg("high"),
             nb::arg("begin"), nb::arg("numbers"),
             nb::sig("def build_cells(self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], begin: "
                     "object, "
                     "numbers: object) -> "
                     "tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint32], "
                     "npt.NDArray[np.float32], int, int, int]"));
    nb::class_<TableSolver, Starts>(
        m, "TableSolver", "All postures to which the candidates of a table converge, verified; and starts of attempts.")
        .def(nb::init<const Kernel&, const Candidates&, const Numbers&, const Numbers&, const Numbers&, double, double,
                      double, std::string>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::arg("kernel"), nb::arg("table"), nb::arg("lower"),
             nb::arg("upper"), nb::arg("home"), nb::arg("scale"), nb::arg("position_tolerance"),
             nb::arg("rotation_tolerance"), nb::arg("method"))
        .def("look_up", &TableSolver::look_up, nb::arg("target").none(),
             nb::sig("def look_up(self, target: object) -> Array"))
        .def("look_up_and_step", &TableSolver::look_up_and_step, nb::arg("target").none(),
             nb::sig("def look_up_and_step(self, target: object) -> Array"))
        .def("look_up_batch", &TableSolver::look_up_batch, nb::arg("targets").none(), nb::arg("steps"),
             nb::arg("tolerance"),
             nb::sig("def look_up_batch(self, targets: object, steps: int, tolerance: float) -> tuple[Array, Array, "
                     "npt.NDArray[np.int64]]"))
        .def("solve_all", &TableSolver::solve_all, nb::arg("target").none(), nb::arg("seed").none(),
             nb::sig("def solve_all(self, target: object, seed: object) -> Answers"))
        .def("solve_all_batch", &TableSolver::solve_all_batch, nb::arg("targets").none(), nb::arg("seeds").none(),
             nb::arg("threads"),
             nb::sig("def solve_all_batch(self, targets: object, seeds: object, threads: int) -> tuple[Array, "
                     "npt.NDArray[np.int32], "
                     "npt.NDArray[np.int32]]"));
}

}  // namespace limbik::bindings
