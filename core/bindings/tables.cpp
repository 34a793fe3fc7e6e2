// The Python face of tables of postures: how they are taught, how they are looked up, and how what they offer becomes an answer.

#define NO_IMPORT_ARRAY
#include "kernel.hpp"

#include <optional>

#include "../seed_candidates.hpp"
#include "../teach.hpp"
#include "../wrist_lookup.hpp"
#include "answers.hpp"
#include "limits.hpp"
#include "targets.hpp"
#include "team.hpp"

namespace limbik::bindings {

// Postures of one target that a batch has room for: six joints have sixteen at the most.
constexpr int ROOM = 16;

inline const ScalarChain& chain_for_table(const Kernel& kernel) {
    if (!kernel.is_scalar_chain() || kernel.kinematics().n() > POSTURE_JOINTS)
        raise("BadOption", "a table is for a chain of up to " + std::to_string(POSTURE_JOINTS) +
                               " joints that turn or slide by themselves; '" + kernel.name() + "' is not one");
    return *kernel.kinematics().chain;
}
inline const ChainFrame& tip_of(const Kernel& kernel) { return chain_for_table(kernel).frames[std::size_t(kernel.tip())]; }

// An array of a table as it is kept: not copied, and not to be changed.
template <class T> class Kept {
  public:
    Kept(nb::handle given, int type, const char* what) {
        if (!PyArray_Check(given.ptr())) raise("BadFile", std::string("the table's ") + what + " is no array");
        auto* array = reinterpret_cast<PyArrayObject*>(given.ptr());
        if (PyArray_TYPE(array) != type || !PyArray_ISCARRAY_RO(array))
            raise("BadFile", std::string("the table's ") + what + " has another type than it must have");
        held_ = nb::borrow(given);
        data_ = static_cast<const T*>(PyArray_DATA(array));
        size_ = long(PyArray_SIZE(array));
    }
    const T* data() const { return data_; }
    long size() const { return size_; }
    T operator[](long i) const { return data_[i]; }

  private:
    nb::object held_;
    const T* data_;
    long size_;
};

inline CellTree tree_from(const Reduction& reduction, const std::vector<int>& bins, const Numbers& low, const Numbers& high) {
    CellTree tree;
    const std::size_t numbers = std::size_t(reduction.numbers());
    if (bins.size() != numbers || low.size() != numbers || high.size() != numbers)
        raise("BadFile", "the table's cells have " + std::to_string(bins.size()) + " numbers; this chain needs " + std::to_string(numbers));
    tree.numbers = int(numbers);
    double cells = 1.0;
    for (std::size_t k = 0; k < numbers; ++k) {
        const double span = high[k] - low[k];
        if (bins[k] < 1 || !std::isfinite(low[k]) || !std::isfinite(span) || span < 0.0) raise("BadFile", "the table's cells have no size");
        tree.bins[k] = bins[k], tree.low[k] = low[k], tree.scale[k] = span > 0.0 ? bins[k] / span : 0.0;
        cells *= bins[k];
    }
    if (cells > 1e8) raise("BadOption", "so many cells do not fit: use fewer bins");
    return tree;
}

// What tells how many numbers a table of a chain has, and which.
class TableLayout {
  public:
    TableLayout(const Kernel& kernel, double scale) : reduction(chain_for_table(kernel), tip_of(kernel), scale) {}
    Reduction reduction;
};

class PostureTableFile final : public Candidates {
  public:
    PostureTableFile(const Kernel& kernel, double scale, const std::vector<int>& bins, const Numbers& low, const Numbers& high, int order,
                     nb::handle nodes, nb::handle begin, nb::handle models)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale), nodes_(nodes, NPY_INT32, "nodes"), begin_(begin, NPY_UINT32, "leaves"),
          models_(models, NPY_FLOAT32, "models") {
        if (order < 0 || order > 2) raise("BadFile", "the table's polynomials have an order that is not known");
        PostureModels kept{tree_from(reduction_, bins, low, high), order, begin_.data(), models_.data()};
        kept.tree.nodes = nodes_.data();
        check(kept);
        table_.emplace(reduction_, kept);
    }
    PostureTableFile(const PostureTableFile&) = delete;

    int n() const override { return table_->n(); }
    int most() const override { return table_->most(); }
    bool in_pairs() const override { return table_->in_pairs(); }
    int find(const Pose<double>& target, double* q) const override { return table_->find(target, q); }
    const PostureModels& models() const { return table_->models(); }

  private:
    // A file may have been made by anyone: no index may lead outside, and every way down must end.
    void check(const PostureModels& kept) const {
        const long roots = kept.tree.roots(), parts = 1L << kept.tree.numbers, leaves = begin_.size() - 1;
        if (nodes_.size() < roots || leaves < 1) raise("BadFile", "the table's cells are not all there");
        for (long k = 0; k < nodes_.size(); ++k) {
            const long node = nodes_[k], first = -(node + 1);
            if (node >= 0 ? node >= leaves : first < roots || first <= k || first + parts > nodes_.size())
                raise("BadFile", "the table's cells lead nowhere");
        }
        for (long k = 0; k < leaves; ++k)
            if (begin_[k + 1] < begin_[k] || begin_[k + 1] - begin_[k] > std::uint32_t(MOST_SHEETS))
                raise("BadFile", "the table's leaves do not follow each other");
        const long terms = terms_of(kept.tree.numbers, kept.order);
        if (begin_[0] != 0 || models_.size() != long(begin_[leaves]) * reduction_.inner() * terms)
            raise("BadFile", "the table's models do not belong to its leaves");
        for (long k = 0; k < models_.size(); ++k)
            if (!std::isfinite(models_[k])) raise("BadFile", "the table's models hold numbers that are none");
    }

    Reduction reduction_;
    Kept<std::int32_t> nodes_;
    Kept<std::uint32_t> begin_;
    Kept<float> models_;
    std::optional<PostureTable> table_;
};

// Candidates from the table of starts that every chain has.
class SeedCandidatesOf final : public Candidates {
  public:
    SeedCandidatesOf(const Kernel& kernel, const LazySeedTable& seeds, double scale, const Numbers& low, const Numbers& high)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale), seeds_(reduction_, seeds, low, high) {
        if (low.size() != std::size_t(reduction_.n()) || high.size() != low.size()) raise("BadModel", "the parts of the solver differ in length");
    }
    SeedCandidatesOf(const SeedCandidatesOf&) = delete;
    int n() const override { return seeds_.n(); }
    int most() const override { return seeds_.most(); }
    bool in_pairs() const override { return seeds_.in_pairs(); }
    int find(const Pose<double>& target, double* q) const override { return seeds_.find(target, q); }

  private:
    Reduction reduction_;
    SeedCandidates seeds_;
};

class TableTeacher {
  public:
    TableTeacher(const Kernel& kernel, double scale, const Numbers& low, const Numbers& high, std::uint64_t seed, int order, int deepest,
                 double tolerance, long look)
        : reduction_(chain_for_table(kernel), tip_of(kernel), scale) {
        const ScalarChain& chain = chain_for_table(kernel);
        const std::size_t n = chain.joints.size();
        if (low.size() != n || high.size() != n) raise("BadModel", "the parts of the table differ in length");
        if (reduction_.inner() < 1) raise("BadOption", "'" + kernel.name() + "' has too few joints for a table: it needs none");
        if (order < 0 || order > 2 || deepest < 0 || deepest > CellTree::DEEPEST || !(tolerance > 0.0) || look < 8)
            raise("BadOption", "a table has order 0, 1 or 2, cells divided up to " + std::to_string(CellTree::DEEPEST) +
                                   " times, a tolerance above 0 and a look of 8 or more");
        const Lessons lessons{seed, order, deepest, tolerance, look, int(n) > 6};
        polish_ = make_polish(reduction_, reduction_.tail() == Tail::wrist, chain, tip_of(kernel), Effort{0.5 * scale, DAMPING, LARGEST_STEP});
        teacher_.emplace(reduction_, *polish_, chain, tip_of(kernel), scale, low, high, lessons);
    }
    TableTeacher(const TableTeacher&) = delete;

    int numbers() const { return reduction_.numbers(); }

    // (count, n)
    nb::object draw(std::uint64_t first, long count) const {
        const npy_intp rows = count;
        double* q;
        nb::object array = new_array(&rows, 1, {reduction_.n()}, &q);
        for (long k = 0; k < count; ++k) teacher_->draw(first + std::uint64_t(k), q + k * reduction_.n());
        return array;
    }
    // The numbers of drawn postures, (count, numbers).
    nb::object places(std::uint64_t first, long count) const {
        const npy_intp rows = count;
        double* out;
        nb::object array = new_array(&rows, 1, {numbers()}, &out);
        nb::gil_scoped_release release;
        for (long k = 0; k < count; ++k) {
            double q[POSTURE_JOINTS];
            teacher_->draw(first + std::uint64_t(k), q);
            std::copy_n(teacher_->place_of(q).numbers, numbers(), out + k * numbers());
        }
        return array;
    }
    // The cell of the grid of each drawn posture, (count,).
    nb::object cells(const std::vector<int>& bins, const Numbers& low, const Numbers& high, std::uint64_t first, long count) const {
        const CellTree tree = tree_from(reduction_, bins, low, high);
        const npy_intp rows = count;
        nb::object array = nb::steal(PyArray_SimpleNew(1, &rows, NPY_INT32));
        auto* out = data_of<std::int32_t>(array);
        nb::gil_scoped_release release;
        for (long k = 0; k < count; ++k) {
            double q[POSTURE_JOINTS], inside[CellTree::MOST_NUMBERS];
            teacher_->draw(first + std::uint64_t(k), q);
            out[k] = std::int32_t(tree.root(teacher_->place_of(q).numbers, inside));
        }
        return array;
    }

    // Teach cells one after the other: those whose postures are numbers[begin[k]] to numbers[begin[k + 1]]. Returns (roots, parts,
    // sheets, models, shown, learnt, late), see Grown.
    nb::tuple teach(const std::vector<int>& bins, const Numbers& low, const Numbers& high, nb::handle begin, nb::handle numbers) const {
        const CellTree tree = tree_from(reduction_, bins, low, high);
        const Kept<std::int64_t> from(begin, NPY_INT64, "places");
        const Kept<std::uint32_t> which(numbers, NPY_UINT32, "postures");
        for (long k = 0; k + 1 < from.size(); ++k)
            if (from[k] < 0 || from[k + 1] < from[k] || from[k + 1] > which.size()) raise("BadOption", "the postures of the cells are not in order");
        Grown grown;
        for (long k = 0; k + 1 < from.size(); ++k) {
            {
                nb::gil_scoped_release release;
                teacher_->cell(tree, which.data() + from[k], from[k + 1] - from[k], grown);
            }
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
        return nb::make_tuple(array_of(grown.roots, NPY_INT32), array_of(grown.parts, NPY_INT32), array_of(grown.sheets, NPY_UINT32),
                              array_of(grown.models, NPY_FLOAT32), grown.shown, grown.learnt, grown.late);
    }

  private:
    template <class T> static nb::object array_of(const std::vector<T>& values, int type) {
        const npy_intp size = npy_intp(values.size());
        nb::object array = nb::steal(PyArray_SimpleNew(1, &size, type));
        std::copy(values.begin(), values.end(), data_of<T>(array));
        return array;
    }
    Reduction reduction_;
    std::unique_ptr<Polish> polish_;
    std::optional<Teacher> teacher_;
};

class TableSolver {
  public:
    TableSolver(const Kernel& kernel, const Candidates& table, const Numbers& lower, const Numbers& upper, const Numbers& home, double scale,
                double position_tolerance, double rotation_tolerance, std::string method)
        : name_(kernel.name()), method_(std::move(method)), lower_(lower), upper_(upper), home_(home), table_(table),
          reduction_(chain_for_table(kernel), tip_of(kernel), scale),
          polish_(make_polish(reduction_, table.in_pairs(), chain_for_table(kernel), tip_of(kernel), Effort{0.5 * scale, DAMPING, LARGEST_STEP})) {
        const std::size_t n = std::size_t(kernel.kinematics().n());
        if (lower.size() != n || upper.size() != n || home.size() != n || table.n() != int(n))
            raise("BadModel", "the parts of the solver differ in length");
        options_ = {lower_.data(), upper_.data(), position_tolerance, rotation_tolerance};
        if (const auto* file = dynamic_cast<const PostureTableFile*>(&table)) lookup_ = make_wrist_lookup(reduction_, file->models(), *polish_);
    }
    TableSolver(const TableSolver&) = delete;

    // What the table offers, (k, n), as it is.
    nb::object look_up(nb::handle T) const {
        const Pose<double> target = target_of(T);
        std::vector<double> q(room());
        const npy_intp count = table_.find(target, q.data());
        double* out;
        nb::object array = new_array(&count, 1, {n()}, &out);
        std::copy_n(q.data(), count * n(), out);
        return array;
    }
    // The same after one plain Newton step.
    nb::object look_up_and_step(nb::handle T) const {
        const Pose<double> target = target_of(T);
        std::vector<double> q(room());
        const npy_intp count = table_.find(target, q.data());
        polish_->step(target, q.data(), int(count));
        double* out;
        nb::object array = new_array(&count, 1, {n()}, &out);
        std::copy_n(q.data(), count * n(), out);
        return array;
    }

    // Many targets as fast as they are read: (q (total, n), position error (total,), begin (N + 1,)), on one thread.
    nb::tuple look_up_batch(nb::handle Ts, int steps, double tolerance) const {
        if (!lookup_)
            raise("BadOption", "a quick look-up of many targets is for a table of postures of a chain that ends in a spherical wrist; use solve_all_batch");
        if (steps < 0 || steps > POLISH_STEPS || !(tolerance > 0.0))
            raise("BadOption", "steps must be from 0 to " + std::to_string(POLISH_STEPS) + ", and the tolerance above 0");
        const Input targets(nb::module_::import_("limbik.model.transform").attr("matrices")(Ts), "targets");
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError", "look_up takes targets of shape (N, 4, 4); got " + targets.shape());
        const long rows = targets.dims()[0];
        std::vector<double> clean;
        const double* from = targets.data();
        if (!all_rigid_already(from, rows)) {
            clean.resize(std::size_t(rows) * 16);
            for (long row = 0; row < rows; ++row) {
                const auto T = rigid(from + row * 16);
                if (!T) {
                    checked_pose(nb::steal(PySequence_GetItem(targets.object().ptr(), row)), "target " + std::to_string(row));
                    raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
                }
                store_pose(*T, 1, clean.data() + row * 16, 16);
            }
            from = clean.data();
        }
        const npy_intp room = rows * MOST_LOOKED_UP, ends = rows + 1;
        LookedUp found;
        nb::object q_array = new_array(&room, 1, {n()}, &found.q), error_array = new_array(&room, 1, {}, &found.error);
        nb::object begin_array = nb::steal(PyArray_SimpleNew(1, &ends, NPY_INT64));
        found.begin = data_of<std::int64_t>(begin_array);
        {
            nb::gil_scoped_release release;
            lookup_->rows(from, rows, steps, tolerance, options_, home_.data(), found);
        }
        const nb::slice used(nb::int_(0), nb::int_(found.total), nb::none());  // what was not written to takes no memory
        return nb::make_tuple(q_array[used], error_array[used], begin_array);
    }

    Answers solve_all(nb::handle T, nb::handle seed) const {
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        Postures found;
        all(target, start, found);
        Answers out;
        out.n = n(), out.target = target, out.method = method_, out.outside = found.outside;
        out.q.resize(std::size_t(found.count) * home_.size());
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            std::copy_n(p.q, n(), out.q.data() + std::size_t(k) * home_.size());
            out.row.push_back({p.position, p.rotation, p.swivel, p.branch, p.family, p.doubled});
        }
        out.status = found.count > 0 ? Status::solved : Status::not_found;
        return out;
    }

    // The posture nearest to the seed; None where the table leads to none.
    nb::object solve(nb::handle T, nb::handle seed) const {
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        Postures found;
        all(target, start, found);
        const Posture* best = nearest_of(found, start, n());
        if (!best) return nb::none();
        Answer answer;
        answer.target = target, answer.method = method_;
        answer.q.assign(best->q, best->q + n());
        answer.outcome.status = Status::solved;
        answer.outcome.position_error = best->position, answer.outcome.rotation_error = best->rotation;
        return nb::cast(std::move(answer));
    }

    // (q (N, 16, n), count (N,), outside (N,)): what `solve_all` gives of many targets, 16 at the most.
    nb::tuple solve_all_batch(nb::handle Ts, nb::handle seeds, int threads) const {
        const Input targets(nb::module_::import_("limbik.model.transform").attr("matrices")(Ts), "targets");
        if (targets.ndim() != 3 || targets.dims()[1] != 4 || targets.dims()[2] != 4)
            raise("ShapeError", "solve_all_batch takes targets of shape (N, 4, 4); got " + targets.shape());
        const long rows = targets.dims()[0];
        std::optional<Input> given;
        if (!seeds.is_none()) {
            given.emplace(seeds, "seeds");
            check_seeds(*given, rows, npy_intp(home_.size()), name_);
        }
        const double* starts = given ? given->data() : home_.data();
        const long stride = given && given->ndim() == 2 ? n() : 0;
        std::vector<Pose<double>> poses;
        for (long row = 0; row < rows; ++row) {
            const auto T = rigid(targets.data() + row * 16);
            if (!T) {
                nb::object one = nb::steal(PySequence_GetItem(targets.object().ptr(), row));
                checked_pose(one, "target " + std::to_string(row));
                raise("NotRigid", "target " + std::to_string(row) + " is not a rigid pose");
            }
            poses.push_back(*T);
        }
        const npy_intp size = rows;
        double* q;
        nb::object q_array = new_array(&size, 1, {ROOM, n()}, &q);
        nb::object count_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object outside_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        auto *count = data_of<std::int32_t>(count_array), *outside = data_of<std::int32_t>(outside_array);
        const int n = this->n();
        share_rows(rows, threads, Patience(std::numeric_limits<double>::infinity()), [&](long begin, long end, const std::atomic<bool>& stop) {
            Postures found;
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row) {
                all(poses[std::size_t(row)], starts + row * stride, found);
                const int kept = std::min(found.count, ROOM);
                double* out = q + row * ROOM * n;
                for (int k = 0; k < kept; ++k) std::copy_n(found.found[k].q, n, out + k * n);
                std::fill_n(out + kept * n, (ROOM - kept) * n, std::numeric_limits<double>::quiet_NaN());
                count[row] = kept, outside[row] = found.outside;
            }
        });
        return nb::make_tuple(q_array, count_array, outside_array);
    }

  private:
    int n() const { return int(home_.size()); }
    std::size_t room() const { return 2 * std::size_t(table_.most()) * home_.size(); }

    const double* start_of(nb::handle seed, std::optional<Input>& given) const {
        if (seed.is_none()) return home_.data();
        given.emplace(seed, "seed");
        check_seeds(*given, 1, npy_intp(home_.size()), name_);
        return given->data();
    }
    void all(const Pose<double>& target, const double* start, Postures& out) const {
        constexpr std::size_t USUAL = 4 * MOST_SHEETS;
        double few[USUAL * POSTURE_JOINTS];
        int few_numbers[USUAL];
        std::vector<double> many;
        std::vector<int> many_numbers;
        double* q = few;
        int* which = few_numbers;
        if (2 * std::size_t(table_.most()) > USUAL) {
            many.resize(room()), many_numbers.resize(2 * std::size_t(table_.most()));
            q = many.data(), which = many_numbers.data();
        }
        out.count = out.outside = 0, out.open = true;
        const int offered = table_.find(target, q);
        if (offered == 0) return;
        const int kept = polished(*polish_, n(), target, q, offered, which);
        if (kept > 0) polish_->verify(target, q, kept, start, options_, out);
    }

    std::string name_, method_;
    Numbers lower_, upper_, home_;
    const Candidates& table_;
    Reduction reduction_;
    std::unique_ptr<Polish> polish_;
    std::unique_ptr<WristLookup> lookup_;
    BranchOptions options_;
};

void bind_tables(nb::module_& m) {
    nb::class_<Candidates>(m, "Candidates", "Where a table says that the postures of a target may be.");
    nb::class_<TableLayout>(m, "TableLayout", "Which numbers of a target a table of a chain looks at, and which joints it holds.")
        .def(nb::init<const Kernel&, double>(), nb::arg("kernel"), nb::arg("scale"))
        .def_prop_ro("numbers", [](const TableLayout& a) { return a.reduction.numbers(); })
        .def_prop_ro("inner", [](const TableLayout& a) { return a.reduction.inner(); })
        .def_prop_ro("turns_first", [](const TableLayout& a) { return a.reduction.turns_first(); })
        .def_prop_ro("tail", [](const TableLayout& a) {
            return a.reduction.tail() == Tail::wrist ? "wrist" : a.reduction.tail() == Tail::roll ? "roll" : "none";
        })
        .def("is_angle", [](const TableLayout& a, int number) { return a.reduction.is_angle(number); }, nb::arg("number"))
        .def("reduced", [](const TableLayout& a, nb::handle T) {
            const Reduced at = a.reduction.reduced(target_of(T));
            return std::vector<double>(at.numbers, at.numbers + a.reduction.numbers());
        }, nb::arg("target").none(), nb::sig("def reduced(self, target: object) -> list[float]"));
    nb::class_<PostureTableFile, Candidates>(m, "PostureTable", "A table of postures, its arrays kept where they are.")
        .def(nb::init<const Kernel&, double, const std::vector<int>&, const Numbers&, const Numbers&, int, nb::handle, nb::handle, nb::handle>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("scale"), nb::arg("bins"), nb::arg("low"), nb::arg("high"), nb::arg("order"),
             nb::arg("nodes"), nb::arg("begin"), nb::arg("models"));
    nb::class_<SeedCandidatesOf, Candidates>(m, "SeedCandidates", "Candidates from the table of starts of a chain, and random ones.")
        .def(nb::init<const Kernel&, const LazySeedTable&, double, const Numbers&, const Numbers&>(), nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>(), nb::arg("kernel"), nb::arg("seeds"), nb::arg("scale"), nb::arg("low"), nb::arg("high"));
    nb::class_<TableTeacher>(m, "TableTeacher", "Draws postures and teaches them to the cells of a table.")
        .def(nb::init<const Kernel&, double, const Numbers&, const Numbers&, std::uint64_t, int, int, double, long>(), nb::keep_alive<1, 2>(),
             nb::arg("kernel"), nb::arg("scale"), nb::arg("low"), nb::arg("high"), nb::arg("seed"), nb::arg("order"), nb::arg("deepest"),
             nb::arg("tolerance"), nb::arg("look"))
        .def_prop_ro("numbers", &TableTeacher::numbers)
        .def("draw", &TableTeacher::draw, nb::arg("first"), nb::arg("count"), nb::sig("def draw(self, first: int, count: int) -> Array"))
        .def("places", &TableTeacher::places, nb::arg("first"), nb::arg("count"), nb::sig("def places(self, first: int, count: int) -> Array"))
        .def("cells", &TableTeacher::cells, nb::arg("bins"), nb::arg("low"), nb::arg("high"), nb::arg("first"), nb::arg("count"),
             nb::sig("def cells(self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], first: int, count: int) -> "
                     "npt.NDArray[np.int32]"))
        .def("teach", &TableTeacher::teach, nb::arg("bins"), nb::arg("low"), nb::arg("high"), nb::arg("begin"), nb::arg("numbers"),
             nb::sig("def teach(self, bins: Sequence[int], low: Sequence[float], high: Sequence[float], begin: object, numbers: object) -> "
                     "tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint32], npt.NDArray[np.float32], int, int, int]"));
    nb::class_<TableSolver>(m, "TableSolver", "Postures from what a table offers: corrected, verified, inside the limits.")
        .def(nb::init<const Kernel&, const Candidates&, const Numbers&, const Numbers&, const Numbers&, double, double, double, std::string>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::arg("kernel"), nb::arg("table"), nb::arg("lower"), nb::arg("upper"),
             nb::arg("home"), nb::arg("scale"), nb::arg("position_tolerance"), nb::arg("rotation_tolerance"), nb::arg("method"))
        .def("look_up", &TableSolver::look_up, nb::arg("target").none(), nb::sig("def look_up(self, target: object) -> Array"))
        .def("look_up_and_step", &TableSolver::look_up_and_step, nb::arg("target").none(),
             nb::sig("def look_up_and_step(self, target: object) -> Array"))
        .def("look_up_batch", &TableSolver::look_up_batch, nb::arg("targets").none(), nb::arg("steps"), nb::arg("tolerance"),
             nb::sig("def look_up_batch(self, targets: object, steps: int, tolerance: float) -> tuple[Array, Array, npt.NDArray[np.int64]]"))
        .def("solve_all", &TableSolver::solve_all, nb::arg("target").none(), nb::arg("seed").none(),
             nb::sig("def solve_all(self, target: object, seed: object) -> Answers"))
        .def("solve", &TableSolver::solve, nb::arg("target").none(), nb::arg("seed").none(),
             nb::sig("def solve(self, target: object, seed: object) -> Answer | None"))
        .def("solve_all_batch", &TableSolver::solve_all_batch, nb::arg("targets").none(), nb::arg("seeds").none(), nb::arg("threads"),
             nb::sig("def solve_all_batch(self, targets: object, seeds: object, threads: int) -> tuple[Array, npt.NDArray[np.int32], "
                     "npt.NDArray[np.int32]]"));
}

}  // namespace limbik::bindings
