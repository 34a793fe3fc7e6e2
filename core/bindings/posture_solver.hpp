// The Python face of closed forms: every posture of a target, the ranges of a swivel.
#pragma once

#include "../closed_form/posture_finder.hpp"
#include "answers.hpp"
#include "targets.hpp"
#include "threads.hpp"

namespace limbik::bindings {

// What finds one posture of a target by attempts.
struct Attempts {
    virtual ~Attempts() = default;
    virtual Outcome attempt(const Pose<double>& target, const double* seed, double* q) const = 0;
};

class PostureSolver {
  public:
    PostureSolver(const Kernel& kernel, const std::vector<double>& lower, const std::vector<double>& upper,
                  const std::vector<double>& home, double scale, double position_tolerance, double rotation_tolerance)
        : name_(kernel.name()), kinematics_(kernel.kinematics()), tip_(kernel.tip()), lower_(lower), upper_(upper),
          home_(home), scale_(scale),
          finder_(kernel.kinematics(), kernel.tip(), scale, Effort{0.5 * scale, DAMPING, LARGEST_STEP}) {
        const std::size_t n = std::size_t(kernel.kinematics().n());
        if (lower.size() != n || upper.size() != n || home.size() != n)
            raise("BadModel", "the parts of the solver differ in length");
        options_ = {lower_.data(), upper_.data(), position_tolerance, rotation_tolerance};
    }

    // What the form rests on and its branches' names; said once, by the one who made this.
    void describe(std::string how, std::vector<std::string> branches, std::string ask) {
        Form form{std::move(how), std::move(branches), std::move(ask), {}, {}};
        if (exists() && finder_.redundancy() == Redundancy::none) {
            // answers may outlive this solver
            const auto own =
                std::make_shared<const Judge>(kinematics_, tip_, scale_, *finder_.form(), lower_, upper_, home_);
            form.isolation = [own](const double* q, const Pose<double>& target) {
                return own->isolation_of(q, target);
            };
            form.certain = [own](const double* q, const std::vector<bool>& families, const Pose<double>& target) {
                return own->certain(q, families, target);
            };
        }
        form_ = std::make_shared<const Form>(std::move(form));
    }
    const std::shared_ptr<const Form>& description() const { return form_; }

    // What is asked where the closed form finds nothing and proves nothing; it takes itself away before it ends.
    void ask(const Attempts* attempts) const { attempts_ = attempts; }
    const Attempts* asked() const { return attempts_; }

    const PostureFinder& finder() const { return finder_; }
    const BranchOptions& options() const { return options_; }
    bool exists() const { return finder_.exists(); }
    int n() const { return int(home_.size()); }

    // Does it answer `solve`? A joint to be held would have to be searched for.
    bool solves() const { return exists() && finder_.redundancy() != Redundancy::joint; }

    // Of a chain with a held joint, where attempts found nothing.
    bool search(const Pose<double>& target, const double* start, double* q, Outcome& out) const {
        Posture found;
        if (!finder_.search(target, start, options_, found)) return false;
        std::copy_n(found.q, n(), q);
        out.status = Status::solved, out.position_error = found.position, out.rotation_error = found.rotation;
        return true;
    }

    // Where the elbow of a seed points; nothing for an arm without a swivel.
    double elbow_of(const double* start) const {
        return finder_.redundancy() == Redundancy::swivel ? finder_.seed_swivel(start) : 0.0;
    }

    // The posture nearest to the seed: of an arm with a swivel, where the elbow points as the seed's does (`elbow`), or
    // as nearly as it can. Not `closed` where nothing was found and nothing is proven.
    Outcome nearest(const Pose<double>& target, const double* start, double elbow, double* q, int branch = -1) const {
        Outcome out;
        Postures found;
        found.count = found.outside = 0, found.open = false, found.nearest = branch < 0;
        if (finder_.redundancy() == Redundancy::swivel) finder_.near_swivel(target, start, options_, elbow, found);
        else finder_.all(target, start, options_, found);
        if (found.count == 0) finder_.conclude(target, start, options_, found);
        double far;
        const Posture* best = nearest_of(found, start, n(), branch, far);
        // beside singular postures and limits rounding may hide that the seed itself is one, or at which whole turn
        Posture own;
        if (far > (found.odd ? SEED_IS_FOUND : PI) && branch < 0 && finder_.accept(start, target, options_, own) &&
            apart(own.q, start) < far) {
            if (apart(best->q, own.q) < SAME_BRANCH) own.branch = best->branch;
            own.family = best->family;
            best = &own;
        }
        if (best) {
            std::copy_n(best->q, n(), q);
            out.status = Status::solved, out.closed = true, out.branch = best->branch, out.family = best->family;
            out.position_error = best->position, out.rotation_error = best->rotation;
        } else if (found.count == 0 && found.proof != Proof::nothing) {
            out.status = found.proof == Proof::limits ? Status::limits : Status::out_of_reach, out.closed = true;
        }
        return out;
    }

    // Every posture; of an arm with a swivel one per branch and feasible range, or those at `swivel`.
    // The elbow of a range points as near to `wish` as it can, by default as the seed's does.
    Answers solve_all(nb::handle T, nb::handle seed, nb::handle swivel, nb::handle wish) const {
        must_exist();
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        Postures found;
        found.count = found.outside = 0, found.open = false;
        bool between = false;  // a joint or swivel was given: that nothing is there proves nothing
        if (!swivel.is_none() && !std::isfinite(nb::cast<double>(swivel)))
            raise("NotFinite", "swivel must be a finite number");
        if (finder_.redundancy() == Redundancy::swivel) {
            if (!swivel.is_none()) {
                finder_.at_swivel(target, start, options_, nb::cast<double>(swivel), found);
                between = true;
            } else {
                finder_.in_ranges(target, start, options_,
                                  wish.is_none() ? finder_.seed_swivel(start) : nb::cast<double>(wish), found);
            }
        } else if (finder_.redundancy() == Redundancy::joint) {
            std::vector<double> held(start, start + n());
            if (swivel.is_none()) {
                finder_.sampled(target, start, options_, found);
            } else {
                held[std::size_t(finder_.held())] = nb::cast<double>(swivel);
                finder_.all(target, held.data(), options_, found);
            }
            between = true;
        } else {
            finder_.all(target, start, options_, found);
        }
        if (found.count == 0 && !between) finder_.conclude(target, start, options_, found);
        Answers answers = answers_of(found, target);
        if (between && answers.status != Status::solved) answers.status = Status::not_found;
        answers.listed = answers.listed && !between;
        if (answers.status == Status::not_found && swivel.is_none() && attempts_) [[unlikely]]
            by_attempts(target, start, answers);
        if (finder_.redundancy() == Redundancy::joint)
            for (std::size_t k = 0; k < answers.row.size(); ++k)
                answers.row[k].swivel = answers.q[k * home_.size() + std::size_t(finder_.held())];
        return answers;
    }

    // Put what attempts find into answers without any: all postures at the held joint's value there, else the one.
    [[gnu::noinline]] void by_attempts(const Pose<double>& target, const double* start, Answers& answers) const {
        std::vector<double> q(home_.size());
        const Outcome out = attempts_->attempt(target, start, q.data());
        if (out.status != Status::solved) return;
        if (finder_.redundancy() == Redundancy::joint) {
            Postures found;
            finder_.all(target, q.data(), options_, found);
            if (found.count > 0) {
                answers = answers_of(found, target);
                answers.listed = false;
                return;
            }
        }
        answers.q = q, answers.row = {{out.position_error, out.rotation_error, 0.0, -1, false, false}};
        answers.status = Status::solved, answers.method = "lm", answers.form = nullptr, answers.listed = false;
        answers.swings = false;
        answers.why = "1 posture by lm; near a singularity there may be more";
    }

    // Postures of named branches at named swivels.
    Answers at_swivels(nb::handle T, nb::handle seed, const std::vector<int>& branches,
                       const std::vector<double>& swivels) const {
        must_swing();
        if (branches.size() != swivels.size() || branches.size() > std::size_t(MOST_POSTURES))
            raise("ShapeError", "give one swivel for each branch, at most " + std::to_string(MOST_POSTURES));
        std::vector<SwivelChoice> choices;
        for (std::size_t k = 0; k < branches.size(); ++k) {
            if (branches[k] < 0 || branches[k] >= SWIVEL_BRANCHES)
                raise("BadOption", "branches are numbered from 0 to 7");
            choices.push_back({branches[k], swivels[k]});
        }
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        Postures found;
        found.count = found.outside = 0, found.open = false;
        if (!choices.empty()) finder_.at_choices(target, start, options_, choices.data(), int(choices.size()), found);
        Answers answers = answers_of(found, target);
        answers.listed = false;
        if (answers.status != Status::solved) answers.status = Status::not_found;
        return answers;
    }

    // (k, 8, n): every branch at each of k swivels, NaN where there is none inside the limits.
    nb::object swing(nb::handle T, nb::handle seed, nb::handle swivels) const {
        must_swing();
        const Pose<double> target = target_of(T);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        const Input places(swivels, "swivels");
        if (places.ndim() != 1) raise("ShapeError", "swivels must be a row of numbers; got shape " + places.shape());
        if (first_not_finite(places.data(), 1, places.dims()[0]) >= 0)
            raise("NotFinite", "swivels must be finite numbers");
        const npy_intp k = places.dims()[0];
        double* out;
        nb::object array = new_array(&k, 1, {SWIVEL_BRANCHES, n()}, &out);
        std::fill_n(out, k * SWIVEL_BRANCHES * n(), std::numeric_limits<double>::quiet_NaN());
        const Released release;
        for (npy_intp i = 0; i < k; ++i) {
            Postures found;
            finder_.at_swivel(target, start, options_, places.data()[i], found);
            for (int p = 0; p < found.count; ++p)
                std::copy_n(found.found[p].q, n(), out + (i * SWIVEL_BRANCHES + found.found[p].branch) * n());
        }
        return array;
    }

    // {branch: [(low, high), ...]}
    nb::dict swivel_ranges(nb::handle T) const {
        must_swing();
        const Pose<double> target = target_of(T);
        PostureFinder::Ranges found;
        finder_.ranges_or_points(target, home_.data(), options_, found);
        nb::dict out;
        for (int b = 0; b < SWIVEL_BRANCHES; ++b) {
            nb::list ranges;
            for (int k = 0; k < found.counts[b]; ++k)
                ranges.append(nb::make_tuple(found.arcs[b][k].low, found.arcs[b][k].high));
            out[nb::cast(b)] = ranges;
        }
        return out;
    }

    double swivel_of(nb::handle q) const {
        must_swing();
        const Input given(q, "q");
        check_seeds(given, 1, npy_intp(home_.size()), name_);
        return finder_.seed_swivel(given.data());
    }
    // The swivel that brings the elbow nearest to a point.
    double swivel_towards(nb::handle T, nb::handle point) const {
        must_swing();
        const Pose<double> target = target_of(T);
        const Input p(point, "the point");
        if (p.ndim() != 1 || p.dims()[0] != 3) raise("ShapeError", "a point has 3 numbers; got shape " + p.shape());
        if (first_not_finite(p.data(), 1, 3) >= 0) raise("NotFinite", "the point holds NaN or infinity");
        return finder_.arm()->towards(target, {p.data()[0], p.data()[1], p.data()[2]});
    }

    // (q (N, most, n), count (N,), outside (N,), branches (N, most), families (N, most), open (N,))
    nb::tuple solve_all_batch(nb::handle Ts, nb::handle seeds, int threads) const {
        must_exist();
        if (finder_.redundancy() != Redundancy::none)
            raise("BadOption", "solve_all_batch is for arms without a redundant joint; '" + name_ +
                                   "' has one: call solve_all, or with_frozen to hold the joint");
        const BatchInput in(Ts, seeds, home_, name_, "solve_all_batch");
        const long rows = in.rows;
        const int most = finder_.most();
        const npy_intp size = rows, wide[2] = {rows, most};
        double* q;
        nb::object q_array = new_array(&size, 1, {most, n()}, &q);
        nb::object count_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object outside_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object branch_array = nb::steal(PyArray_SimpleNew(2, wide, NPY_INT32));
        nb::object family_array = nb::steal(PyArray_SimpleNew(2, wide, NPY_BOOL));
        nb::object open_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        WideRows overfull;
        const Places places = {n(),
                               most,
                               q,
                               data_of<std::int32_t>(branch_array),
                               data_of<std::uint8_t>(family_array),
                               data_of<std::int32_t>(count_array),
                               data_of<std::int32_t>(outside_array),
                               data_of<std::uint8_t>(open_array),
                               &overfull};
        std::atomic<long> bad{rows};
        auto work = [&](long begin, long end, const std::atomic<bool>& stop) {
            const double* from = in.targets.data() + begin * 16;
            std::vector<double> clean;
            if (!all_rigid_already(from, end - begin)) {
                clean.resize(std::size_t(end - begin) * 16);
                for (long row = begin; row < end; ++row) {
                    const auto T = rigid(in.targets.data() + row * 16);
                    if (!T) {
                        long seen = bad.load();
                        while (row < seen && !bad.compare_exchange_weak(seen, row)) {}
                        return;
                    }
                    store_pose(*T, 1, clean.data() + (row - begin) * 16, 16);
                }
                from = clean.data();
            }
            finder_.rows(from, in.starts + begin * in.stride, in.stride, end - begin, options_, places.from(begin),
                         stop);
        };
        share_rows(rows, threads, Patience(std::numeric_limits<double>::infinity()), work);
        if (bad.load() < rows) in.refuse(bad.load());
        if (!overfull.rows().empty()) widen(overfull, rows, most, q_array, branch_array, family_array);
        return nb::make_tuple(q_array, count_array, outside_array, branch_array, family_array, open_array);
    }

    // How the chain comes apart, for people and for names: None where it does not.
    nb::object form() const {
        if (!exists()) return nb::none();
        nb::dict d;
        d["redundancy"] = finder_.redundancy() == Redundancy::swivel  ? "swivel"
                          : finder_.redundancy() == Redundancy::joint ? "joint"
                                                                      : "none";
        d["held"] = finder_.held();
        d["most"] = finder_.most();
        nb::list choices;  // joints whose two roots the branch number counts, most significant first
        if (finder_.arm()) {
            const Vector3<double> zero = finder_.arm()->zero();
            d["zero"] = nb::make_tuple(zero.x, zero.y, zero.z);
            for (int joint : {3, 1, 5}) choices.append(joint);
            d["group"] = "swivel", d["joints"] = nb::list(), d["together"] = false;
        } else {
            const Loop& loop = finder_.form()->loop();
            d["group"] = loop.group == Group::spherical ? "spherical" : "planar";
            nb::list joints;
            for (int i = 0; i < loop.size; ++i) joints.append(loop.joints[loop.first + i].index);
            d["joints"] = joints;
            d["together"] = loop.order == Order::together;
            if (loop.order == Order::together && loop.first_roots() > 1) choices.append(-1);
            if (loop.order != Order::together && loop.count >= 2) {
                const int a = loop.a().index, c = loop.count == 3 ? loop.c().index : -1;
                if (loop.first_roots() > 1) choices.append(loop.order == Order::a_first ? a : c);
                if (loop.second_roots() > 1) choices.append(loop.order == Order::a_first ? c : a);
            }
            if (loop.group_roots() > 1) choices.append(loop.joints[loop.first + (loop.size == 3 ? 1 : 0)].index);
        }
        d["choices"] = choices;
        return d;
    }

  private:
    // What is asked of postures after they were found: whether they are isolated, and whether they are all.
    struct Judge {
        Judge(const Kinematics& k, int tip, double scale, const ClosedForm& form, const std::vector<double>& lower,
              const std::vector<double>& upper, const std::vector<double>& home)
            : kinematics(k), frame(tip), length(0.5 * scale), form(form), lower(lower), upper(upper), home(home),
              branches(make_branches(*kinematics.chain, kinematics.n(), tip, Effort{length, DAMPING, LARGEST_STEP})) {}

        Isolation isolation_of(const double* q, const Pose<double>& target) const {
            return isolation(*kinematics.chain, kinematics.chain->frames[std::size_t(frame)], length, kinematics.n(), q,
                             target);
        }
        bool certain(const double* q, const std::vector<bool>& families, const Pose<double>& target) const {
            constexpr double NEAR = 1e-6;  // what `complete` promises [rad]
            return branches->certain(form, target, home.data(), {lower.data(), upper.data(), 0.0, 0.0}, q, families,
                                     NEAR);
        }

        Kinematics kinematics;
        int frame;
        double length;
        ClosedForm form;
        std::vector<double> lower, upper, home;
        std::unique_ptr<Branches> branches;
    };

    // A posture this near the seed is what the seed is; one this near it is on the same branch [rad or m].
    static constexpr double SEED_IS_FOUND = 1e-7, SAME_BRANCH = 1e-2;

    double apart(const double* a, const double* b) const {
        double most = 0.0;
        for (int j = 0; j < n(); ++j) most = std::max(most, std::fabs(a[j] - b[j]));
        return most;
    }

    // Replace the arrays of a batch by wider ones, with room for the rows that have more postures.
    void widen(const WideRows& wide, long rows, int most, nb::object& q_array, nb::object& branch_array,
               nb::object& family_array) const {
        std::size_t widest = std::size_t(most);
        for (const WideRows::Row& row : wide.rows()) widest = std::max(widest, row.branch.size());
        const npy_intp size = rows, shape[2] = {rows, npy_intp(widest)};
        double* q;
        nb::object wide_q = new_array(&size, 1, {int(widest), n()}, &q);
        nb::object wide_branch = nb::steal(PyArray_SimpleNew(2, shape, NPY_INT32));
        nb::object wide_family = nb::steal(PyArray_SimpleNew(2, shape, NPY_BOOL));
        auto* branch = data_of<std::int32_t>(wide_branch);
        auto* family = data_of<std::uint8_t>(wide_family);
        const std::size_t total = std::size_t(rows) * widest, width = std::size_t(n());
        std::fill_n(q, total * width, std::numeric_limits<double>::quiet_NaN());
        std::fill_n(branch, total, -1), std::fill_n(family, total, std::uint8_t(0));
        const double* from_q = data_of<double>(q_array);
        const auto* from_branch = data_of<std::int32_t>(branch_array);
        const auto* from_family = data_of<std::uint8_t>(family_array);
        for (long row = 0; row < rows; ++row) {
            const std::size_t to = std::size_t(row) * widest, from = std::size_t(row * most);
            std::copy_n(from_q + from * width, std::size_t(most) * width, q + to * width);
            std::copy_n(from_branch + from, most, branch + to), std::copy_n(from_family + from, most, family + to);
        }
        for (const WideRows::Row& row : wide.rows()) {
            const std::size_t to = std::size_t(row.row) * widest;
            std::copy(row.q.begin(), row.q.end(), q + to * width);
            std::copy(row.branch.begin(), row.branch.end(), branch + to),
                std::copy(row.family.begin(), row.family.end(), family + to);
        }
        q_array = wide_q, branch_array = wide_branch, family_array = wide_family;
    }

    void must_exist() const {
        if (!exists()) raise("BadOption", "'" + name_ + "' has no closed form: use solve, or method='lm'");
    }
    void must_swing() const {
        if (finder_.redundancy() != Redundancy::swivel)
            raise("BadOption",
                  "'" + name_ +
                      "' has no swivel: that is for arms with seven joints, a spherical shoulder, an elbow and a "
                      "spherical wrist");
    }
    const double* start_of(nb::handle seed, std::optional<Input>& given) const {
        if (seed.is_none()) return home_.data();
        given.emplace(seed, "seed");
        check_seeds(*given, 1, npy_intp(home_.size()), name_);
        return given->data();
    }
    Answers answers_of(const Postures& found, const Pose<double>& target) const {
        Answers out;
        out.n = n(), out.target = target, out.method = "closed_form", out.form = form_, out.outside = found.outside;
        out.swings = finder_.redundancy() != Redundancy::none;
        out.q.reserve(std::size_t(found.count) * home_.size());
        out.row.reserve(std::size_t(found.count));
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            out.q.insert(out.q.end(), p.q, p.q + n());
            out.row.push_back({p.position, p.rotation, p.swivel, p.branch, p.family, p.doubled});
        }
        out.listed = finder_.redundancy() != Redundancy::joint && !found.open &&
                     (found.count > 0 || found.proof != Proof::nothing);
        out.status = found.count > 0                      ? Status::solved
                     : found.proof == Proof::limits       ? Status::limits
                     : found.proof == Proof::out_of_reach ? Status::out_of_reach
                                                          : Status::not_found;
        return out;
    }

    mutable const Attempts* attempts_ = nullptr;
    std::string name_;
    const Kinematics& kinematics_;
    int tip_;
    std::vector<double> lower_, upper_, home_;
    double scale_;
    PostureFinder finder_;
    BranchOptions options_;
    std::shared_ptr<const Form> form_;
};

inline void bind_postures(nb::module_& m) {
    bind_answers(m);
    nb::class_<PostureSolver>(m, "PostureSolver",
                              "Every posture of one chain's tip, in closed form where the chain has one.")
        .def(nb::init<const Kernel&, const std::vector<double>&, const std::vector<double>&, const std::vector<double>&,
                      double, double, double>(),
             nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("lower"), nb::arg("upper"), nb::arg("home"),
             nb::arg("scale"), nb::arg("position_tolerance"), nb::arg("rotation_tolerance"))
        .def_prop_ro("exists", &PostureSolver::exists)
        .def_prop_ro("form", &PostureSolver::form, nb::sig("def form(self) -> dict[str, Any] | None"))
        .def("describe", &PostureSolver::describe, nb::arg("how"), nb::arg("branches"), nb::arg("ask"))
        .def("solve_all", &PostureSolver::solve_all, nb::arg("target").none(), nb::arg("seed").none(),
             nb::arg("swivel").none() = nb::none(), nb::arg("wish").none() = nb::none(),
             nb::sig("def solve_all(self, target: object, seed: object, swivel: float | None = None, wish: float | "
                     "None = None) -> "
                     "Answers"))
        .def("at_swivels", &PostureSolver::at_swivels, nb::arg("target").none(), nb::arg("seed").none(),
             nb::arg("branches"), nb::arg("swivels"),
             nb::sig("def at_swivels(self, target: object, seed: object, branches: Sequence[int], swivels: "
                     "Sequence[float]) -> Answers"))
        .def("swing", &PostureSolver::swing, nb::arg("target").none(), nb::arg("seed").none(),
             nb::arg("swivels").none(),
             nb::sig("def swing(self, target: object, seed: object, swivels: object) -> Array"))
        .def("swivel_ranges", &PostureSolver::swivel_ranges, nb::arg("target").none(),
             nb::sig("def swivel_ranges(self, target: object) -> dict[int, list[tuple[float, float]]]"))
        .def("swivel_of", &PostureSolver::swivel_of, nb::arg("q").none(),
             nb::sig("def swivel_of(self, q: object) -> float"))
        .def("swivel_towards", &PostureSolver::swivel_towards, nb::arg("target").none(), nb::arg("point").none(),
             nb::sig("def swivel_towards(self, target: object, point: object) -> float"))
        .def("solve_all_batch", &PostureSolver::solve_all_batch, nb::arg("targets").none(), nb::arg("seeds").none(),
             nb::arg("threads"),
             nb::sig("def solve_all_batch(self, targets: object, seeds: object, threads: int) -> tuple[Array, "
                     "npt.NDArray[np.int32], "
                     "npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]"));
}

}  // namespace limbik::bindings
