// Closed forms for Python: every configuration of a target, the feasible ranges of a swivel.
#pragma once

#include "../solve/posture_solver.hpp"
#include "answers.hpp"
#include "kernel.hpp"
#include "targets.hpp"
#include "threads.hpp"

namespace limbik::bindings {

class BoundPostureSolver {
  public:
    BoundPostureSolver(const Kernel& kernel, const std::vector<double>& lower, const std::vector<double>& upper,
                       const std::vector<double>& home, double scale, double position_tolerance,
                       double rotation_tolerance)
        : name_(kernel.name()),
          core_(kernel.kinematics(), kernel.tip(), of_length(kernel, lower), of_length(kernel, upper),
                of_length(kernel, home), scale, {position_tolerance, rotation_tolerance}) {}

    const PostureSolver& core() const { return core_; }
    int n() const { return core_.n(); }
    bool exists() const { return core_.exists(); }

    // Set the description of the closed form and its branches, once, after construction.
    void describe(std::string how, std::vector<std::string> branches, std::string ask) {
        form_ = std::make_shared<const Form>(
            Form{std::move(how), std::move(branches), std::move(ask), core_.completeness()});
    }
    const std::shared_ptr<const Form>& description() const { return form_; }

    Answers solve_all(nb::handle T, nb::handle seed, nb::handle swivel, nb::handle preferred) const {
        require_closed_form();
        double doubt = 0.0;
        const Pose<double> target = target_of(T, &doubt);
        std::optional<Input> given;
        const double* start = start_of(seed, given);
        std::optional<double> value, direction;
        if (!swivel.is_none()) value = nb::cast<double>(swivel);
        if (!preferred.is_none()) direction = nb::cast<double>(preferred);
        if (value && !std::isfinite(*value)) raise("NotFinite", "swivel must be a finite number");
        Listing found;
        core_.all(target, start, value, direction, doubt, found);
        return answers_of(found, target);
    }

    // Configurations of given branches at given swivels.
    Answers at_swivels(nb::handle T, nb::handle seed, const std::vector<int>& branches,
                       const std::vector<double>& swivels) const {
        require_swivel();
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
        Listing found;
        core_.at_choices(target, start, choices, found);
        return answers_of(found, target);
    }

    // (k, 8, n): every branch at each of k swivels, NaN where none is inside the limits.
    nb::object swing(nb::handle T, nb::handle seed, nb::handle swivels) const {
        require_swivel();
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
        for (npy_intp i = 0; i < k; ++i) core_.swing(target, start, places.data()[i], out + i * SWIVEL_BRANCHES * n());
        return array;
    }

    // {branch: [(low, high), ...]}
    nb::dict swivel_ranges(nb::handle T) const {
        require_swivel();
        const Pose<double> target = target_of(T);
        SwivelFinder::Ranges found;
        core_.ranges(target, found);
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
        require_swivel();
        const Input given(q, "q");
        check_seeds(given, 1, npy_intp(n()), name_);
        return core_.finder().swivel().seed_swivel(given.data());
    }
    // The swivel that points the elbow closest to a point.
    double swivel_towards(nb::handle T, nb::handle point) const {
        require_swivel();
        const Pose<double> target = target_of(T);
        const Input p(point, "the point");
        if (p.ndim() != 1 || p.dims()[0] != 3) raise("ShapeError", "a point has 3 numbers; got shape " + p.shape());
        if (first_not_finite(p.data(), 1, 3) >= 0) raise("NotFinite", "the point holds NaN or infinity");
        return core_.finder().swivel().arm().towards(target, {p.data()[0], p.data()[1], p.data()[2]});
    }

    // (q (N, most, n), count (N,), outside (N,), branches (N, most), families (N, most), open (N,))
    nb::tuple solve_all_batch(nb::handle Ts, nb::handle seeds, int threads) const {
        require_closed_form();
        if (core_.finder().redundancy() != Redundancy::none)
            raise("BadOption", "solve_all_batch is for arms without a redundant joint; '" + name_ +
                                   "' has one: call solve_all, or with_frozen to hold the joint");
        const BatchInput in(Ts, seeds, core_.home(), name_, "solve_all_batch");
        const long rows = in.rows;
        const int most = core_.finder().most();
        const npy_intp size = rows, wide[2] = {rows, most};
        double* q;
        nb::object q_array = new_array(&size, 1, {most, n()}, &q);
        nb::object count_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object outside_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_INT32));
        nb::object branch_array = nb::steal(PyArray_SimpleNew(2, wide, NPY_INT32));
        nb::object family_array = nb::steal(PyArray_SimpleNew(2, wide, NPY_BOOL));
        nb::object open_array = nb::steal(PyArray_SimpleNew(1, &size, NPY_BOOL));
        OverflowRows wider;
        const BranchArrays places = {n(),
                                     most,
                                     q,
                                     data_of<std::int32_t>(branch_array),
                                     data_of<std::uint8_t>(family_array),
                                     data_of<std::int32_t>(count_array),
                                     data_of<std::int32_t>(outside_array),
                                     data_of<std::uint8_t>(open_array),
                                     &wider};
        std::atomic<long> bad{rows};
        auto work = [&](long begin, long end, const std::atomic<bool>& stop) {
            const long refused =
                core_.rows(in.targets.data(), in.rounding, in.starts, in.stride, begin, end, places, stop);
            long seen = bad.load();
            while (refused < end && refused < seen && !bad.compare_exchange_weak(seen, refused)) {}
        };
        share_rows(rows, threads, Deadline(), work);
        if (bad.load() < rows) in.refuse(bad.load());
        if (!wider.rows().empty()) widen(wider, rows, most, q_array, branch_array, family_array);
        return nb::make_tuple(q_array, count_array, outside_array, branch_array, family_array, open_array);
    }

    // How the chain is decoupled, None where it is not.
    nb::object form() const {
        if (!core_.exists()) return nb::none();
        nb::dict d;
        d["redundancy"] = core_.finder().redundancy() == Redundancy::swivel  ? "swivel"
                          : core_.finder().redundancy() == Redundancy::joint ? "joint"
                                                                             : "none";
        d["held"] = core_.finder().held();
        d["most"] = core_.finder().most();
        nb::list choices;  // joints whose two roots the branch number encodes, most significant first
        if (core_.finder().redundancy() == Redundancy::swivel) {
            const Vector3<double> zero = core_.finder().swivel().arm().zero();
            d["zero"] = nb::make_tuple(zero.x, zero.y, zero.z);
            for (int joint : {3, 1, 5}) choices.append(joint);
            d["group"] = "swivel", d["joints"] = nb::list(), d["together"] = false;
        } else {
            const Loop& loop = core_.finder().form()->loop();
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
    // Replace the arrays of a batch by wider ones, with space for the rows that have more configurations.
    void widen(const OverflowRows& wide, long rows, int most, nb::object& q_array, nb::object& branch_array,
               nb::object& family_array) const {
        std::size_t widest = std::size_t(most);
        for (const OverflowRows::Row& row : wide.rows()) widest = std::max(widest, row.branch.size());
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
        for (const OverflowRows::Row& row : wide.rows()) {
            const std::size_t to = std::size_t(row.row) * widest;
            std::copy(row.q.begin(), row.q.end(), q + to * width);
            std::copy(row.branch.begin(), row.branch.end(), branch + to),
                std::copy(row.family.begin(), row.family.end(), family + to);
        }
        q_array = wide_q, branch_array = wide_branch, family_array = wide_family;
    }

    void require_closed_form() const {
        if (!core_.exists()) raise("BadOption", "'" + name_ + "' has no closed form: use solve, or method='lm'");
    }
    void require_swivel() const {
        if (core_.finder().redundancy() != Redundancy::swivel)
            raise("BadOption", "'" + name_ +
                                   "' has no swivel: only arms with seven joints, a spherical shoulder, an elbow and a "
                                   "spherical wrist have one");
    }
    const double* start_of(nb::handle seed, std::optional<Input>& given) const {
        if (seed.is_none()) return core_.home().data();
        given.emplace(seed, "seed");
        check_seeds(*given, 1, npy_intp(n()), name_);
        return given->data();
    }
    Answers answers_of(const Listing& listing, const Pose<double>& target) const {
        const Postures& found = listing.postures;
        Answers out;
        out.n = n(), out.target = target, out.status = listing.status, out.listed = listing.listed;
        out.outside = found.outside;
        out.q.reserve(std::size_t(found.count * n()));
        out.row.reserve(std::size_t(found.count));
        for (int k = 0; k < found.count; ++k) {
            const Posture& p = found.found[k];
            out.q.insert(out.q.end(), p.q, p.q + n());
            out.row.push_back({p.errors.position, p.errors.rotation, p.swivel, p.branch, p.family, p.doubled});
        }
        if (listing.by_attempts) {
            out.method = "lm", out.why = "1 posture by lm; near a singularity there may be more";
        } else {
            out.method = "closed_form", out.form = form_;
            out.has_swivel = core_.finder().redundancy() != Redundancy::none;
        }
        return out;
    }
    static const std::vector<double>& of_length(const Kernel& kernel, const std::vector<double>& values) {
        if (values.size() != std::size_t(kernel.kinematics().n()))
            raise("BadModel", "the parts of the solver differ in length");
        return values;
    }

    std::string name_;
    PostureSolver core_;
    std::shared_ptr<const Form> form_;
};

}  // namespace limbik::bindings
