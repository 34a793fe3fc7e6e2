// The muscles of a mechanism for Python: arrays in, arrays and tuples out.
#pragma once

#include "kernel.hpp"
#include "limits.hpp"
#include "muscle_descent.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "../muscle/from_lengths.hpp"
#include "../muscle/seeded_search.hpp"
#include "../muscle/swivel_arcs.hpp"

namespace limbik::bindings {

class MuscleSet {
  public:
    // points: for each muscle (frame, x, y, z) flat; pulleys: (variable, radius) flat.
    MuscleSet(const Kernel& kernel, const std::vector<Numbers>& points, const std::vector<Numbers>& pulleys,
              const Numbers& rest, const Numbers& least, const Numbers& most, const Numbers& lower,
              const Numbers& upper, double size, const Numbers& down)
        : kernel_(kernel), lower_(lower), upper_(upper), size_(size) {
        const Mechanism& m = kernel.kinematics().mechanism;
        const std::size_t count = points.size();
        if (pulleys.size() != count || rest.size() != count || least.size() != count || most.size() != count ||
            int(lower.size()) != m.n || int(upper.size()) != m.n || down.size() != 3)
            raise("BadModel", "the parts of the muscles differ in length");
        for (std::size_t i = 0; i < count; ++i)
            muscles_.push_back(made_muscle(m, points[i], pulleys[i], rest[i], least[i], most[i]));
        arm_ = ShoulderElbow::of(kernel.kinematics(), kernel.tip());
        if (arm_) {
            swivel_.emplace(k(), *arm_, muscles_, lower_.data(), upper_.data(), Point{down[0], down[1], down[2]});
            direct_.emplace(k(), *arm_, muscles_, lower_.data(), upper_.data());
        }
    }
    MuscleSet(const MuscleSet&) = delete;

    nb::object lengths(nb::handle q, nb::handle threads) const { return run(q, thread_count(threads), true, false); }
    nb::object arms(nb::handle q, nb::handle threads) const { return run(q, thread_count(threads), false, true); }
    nb::object both(nb::handle q, nb::handle threads) const { return run(q, thread_count(threads), true, true); }

    bool has_swivel() const { return swivel_.has_value(); }
    bool exact() const { return swivel_ && swivel_->exact(); }
    bool has_direct() const { return direct_ && direct_->complete(); }

    // ---- the tip at a point, in closed form -------------------------------------------------------------------------

    // (outcome, reason, q, swivel, worst, branch, arcs (k, 4) as (elbow, branch, low, high), evaluations, error of the
    // tip, lengths). `worst` and the last two come from forward kinematics of q.
    nb::object solve_point(nb::handle point, nb::handle seed, bool nearest, std::optional<double> only,
                           double tolerance) const {
        const Input p = muscle_row(point, 3, "the point"), s = muscle_row(seed, k().n(), "seed");
        const MuscleSwivel::Result r = swivel().solve({p.data()[0], p.data()[1], p.data()[2]}, s.data(), nearest,
                                                      only ? &*only : nullptr, tolerance);
        double *q, *arcs, *L;
        const npy_intp none = 0;
        nb::object posture = new_array(&none, 0, {4}, &q),
                   lengths = new_array(&none, 0, {npy_intp(muscles_.size())}, &L);
        Pose<double> poses[4];
        forward_elements(k().mechanism, r.q, poses);
        muscle_lengths<double>(k().mechanism, muscles_, r.q, poses, L, nullptr);
        double worst = 0.0;
        for (std::size_t i = 0; i < muscles_.size(); ++i) worst = std::max(worst, off_centre(muscles_[i], L[i]));
        const Point tip = frame_pose(k().mechanism.frames[std::size_t(kernel_.tip())], poses).origin;
        const double error = norm(tip - Point{p.data()[0], p.data()[1], p.data()[2]});
        nb::object ranges = new_array(&none, 0, {npy_intp(r.arcs.size()), 4}, &arcs);
        std::copy_n(r.q, 4, q);
        for (const MuscleSwivel::SwivelArc& a : r.arcs)
            *arcs++ = a.elbow, *arcs++ = a.branch, *arcs++ = a.low, *arcs++ = a.high;
        return nb::make_tuple(int(r.outcome), int(r.reason), posture, r.swivel, worst, r.elbow * 2 + r.branch, ranges,
                              r.evaluations, error, lengths);
    }

    // (outcome (N,), reason (N,), q (N, 4), worst (N,), width (N,)): width is the total width of the arcs [rad].
    nb::object solve_points(nb::handle points, nb::handle seed, bool nearest, nb::handle wanted,
                            double tolerance) const {
        const int threads = thread_count(wanted);
        const Input p = muscle_rows(points, 3, "points"), s = muscle_row(seed, k().n(), "seed");
        const npy_intp rows = p.ndim() > 1 ? p.dims()[0] : 1;
        double *outcome, *reason, *q, *worst, *wide;
        nb::object a = new_array(&rows, 1, {}, &outcome), b = new_array(&rows, 1, {}, &reason),
                   c = new_array(&rows, 1, {4}, &q), d = new_array(&rows, 1, {}, &worst),
                   e = new_array(&rows, 1, {}, &wide);
        const MuscleSwivel& solver = swivel();
        without_gil(rows, [&] {
            parallel_rows(rows, 1, threads, [&](long begin, long end) {
                for (long i = begin; i < end; ++i) {
                    const double* at = p.data() + 3 * i;
                    const MuscleSwivel::Result r =
                        solver.solve({at[0], at[1], at[2]}, s.data(), nearest, nullptr, tolerance);
                    outcome[i] = r.outcome, reason[i] = r.reason, worst[i] = r.worst, wide[i] = 0.0;
                    std::copy_n(r.q, 4, q + 4 * i);
                    for (const MuscleSwivel::SwivelArc& x : r.arcs) wide[i] += x.high - x.low;
                }
            });
        });
        return nb::make_tuple(a, b, c, d, e);
    }

    // (shoulder (3,), least, greatest distance of the tip from it), without limits [m].
    nb::object shell() const {
        if (!arm_) raise("BadOption", "this arm has no shoulder and elbow of four revolute joints");
        return nb::make_tuple(std::vector<double>{arm_->shoulder.x, arm_->shoulder.y, arm_->shoulder.z},
                              arm_->nearest(), arm_->farthest());
    }

    // ---- configurations from lengths --------------------------------------------------------------------------------

    // All configurations with these lengths: (q (k, 4), branches, deviations (k,), reason, muscle, other, low, high,
    // pair, conditioning, families); see LengthSolver.
    nb::object direct(nb::handle lengths, double tolerance, bool limited, nb::handle seed, bool seeded) const {
        const Input L = muscle_row(lengths, int(muscles_.size()), "lengths", true),
                    s = muscle_row(seed, k().n(), "seed");
        if (!has_direct()) raise("BadOption", "these muscles have no closed form");
        const LengthSolver::Result r = direct_->solve(L.data(), tolerance, limited, s.data(), seeded);
        double *q, *off;
        const npy_intp none = 0;
        nb::object postures = new_array(&none, 0, {r.count, 4}, &q), offs = new_array(&none, 0, {r.count}, &off);
        std::vector<int> branches;
        std::vector<bool> families;
        for (int i = 0; i < r.count; ++i) {
            families.push_back(r.family[std::size_t(i)]);
            std::copy_n(r.q[std::size_t(i)].begin(), 4, q + 4 * i);
            off[i] = r.off[std::size_t(i)], branches.push_back(r.branch[std::size_t(i)]);
        }
        return nb::make_tuple(postures, branches, offs, int(r.reason), r.muscle, r.other, r.low, r.high,
                              std::make_pair(r.pair[0], r.pair[1]), r.conditioning, families);
    }

    // From each seed (k, n) to a configuration with these lengths: (q (k, n), deviations (k,) [m]).
    nb::object match(nb::handle lengths, nb::handle seeds, bool limited) const {
        const Input L = muscle_row(lengths, int(muscles_.size()), "lengths", true),
                    s = muscle_rows(seeds, k().n(), "seeds");
        const npy_intp rows = s.ndim() > 1 ? s.dims()[0] : 1;
        double *q, *off;
        nb::object postures = new_array(&rows, 1, {k().n()}, &q), offs = new_array(&rows, 1, {}, &off);
        const Numbers low(lower_.size(), -HUGE_VAL), high(upper_.size(), HUGE_VAL);
        without_gil(ROWS_WITHOUT_GIL, [&] {
            MuscleSearch search(k(), kernel_.tip(), muscles_, limited ? lower_.data() : low.data(),
                                limited ? upper_.data() : high.data(), size_);
            for (long i = 0; i < rows; ++i) {
                MuscleSearch::State at = search.state({}, seeds_of(s).row(i));
                off[i] = search.match(L.data(), at);
                std::copy(at.q.begin(), at.q.end(), q + i * k().n());
            }
        });
        return nb::make_tuple(postures, offs);
    }

    // ---- any arm ----------------------------------------------------------------------------------------------------

    // See `search_from`; the target has 3 or 16 numbers. (found, q, position, rotation, worst, muscle, attempt,
    // evaluations).
    nb::object search(nb::handle target, nb::handle seeds, double position, double rotation, bool centred) const {
        const MuscleGoal goal = muscle_goal(target);
        return from_seeds(seeds, [&](MuscleSearch& search, const Seeds& all) {
            return search_from(search, goal, all, position, rotation, centred);
        });
    }

    // Steps of tracking in muscle space from q: (inside, q, position, rotation, worst, muscle, steps, evaluations).
    nb::object track(nb::handle target, nb::handle q, int steps, double centring, double position,
                     double rotation) const {
        const MuscleGoal goal = muscle_goal(target);
        const Input s = muscle_rows(q, k().n(), "q");
        MuscleSearch search = searcher();
        MuscleSearch::State at = search.state(goal, seeds_of(s).row(0));
        int step = 0;
        without_gil(ROWS_WITHOUT_GIL, [&] {
            for (; step < steps && !(at.position <= position && at.rotation <= rotation); ++step)
                search.track(goal, at, centring);
        });
        return report(at, at.worst <= 1.0 + MuscleSearch::ROUND_OFF, step, search.evaluations);
    }

    // See `closest_from`; as `search`.
    nb::object nearest(nb::handle target, nb::handle seeds, int steps) const {
        const MuscleGoal goal = muscle_goal(target);
        return from_seeds(
            seeds, [&](MuscleSearch& search, const Seeds& all) { return closest_from(search, goal, all, steps); });
    }

    // ---- the paper's descent ----------------------------------------------------------------------------------------

    // Move the muscles `moved` (indices) from their start lengths until the tip is at a point. (lengths, distance, q,
    // calls, sweeps, reheated, reached, history). `side`: which of the two directions of the upper arm; without a
    // closed form configurations follow from q.
    nb::object descend(nb::handle point, const std::vector<int>& moved, nb::handle lengths, nb::handle q, int side,
                       const std::vector<std::vector<int>>& subsets, const DescentSettings& settings) const {
        const Input p = muscle_row(point, 3, "the point"), L0 = muscle_row(lengths, int(moved.size()), "lengths"),
                    q0 = muscle_row(q, k().n(), "q");
        const Point goal = {p.data()[0], p.data()[1], p.data()[2]};
        Numbers least, most, all(muscles_.size(), std::numeric_limits<double>::quiet_NaN()),
            posture(q0.data(), q0.data() + k().n());
        std::vector<char> known(muscles_.size(), 0);
        for (const int i : moved) {
            if (i < 0 || i >= int(muscles_.size()))
                raise("BadOption", "there is no muscle number " + std::to_string(i));
            least.push_back(muscles_[std::size_t(i)].lower), most.push_back(muscles_[std::size_t(i)].upper),
                known[std::size_t(i)] = 1;
        }
        check_subsets(subsets, moved.size());
        int pair[2] = {-1, -1}, roll = -1, elbow = -1;
        const bool closed = direct_ && direct_->choose_muscles(known.data(), pair, roll, elbow);
        const std::vector<int> pulleys = one_pulley_each(known);
        MuscleSearch search = searcher();
        Numbers now(posture);
        std::vector<Pose<double>> poses(k().mechanism.elements.size());
        const auto tip_at = [&](const Numbers& at) {
            forward_elements(k().mechanism, at.data(), poses.data());
            return frame_pose(k().mechanism.frames[std::size_t(kernel_.tip())], poses.data()).origin;
        };
        const auto set_posture = [&](const Numbers& L) {
            for (std::size_t i = 0; i < moved.size(); ++i) all[std::size_t(moved[i])] = L[i];
            if (closed) return direct_->first_posture(all.data(), pair, roll, elbow, side, now.data());
            if (!pulleys.empty()) return by_pulleys(pulleys, all, now);
            MuscleSearch::State at = search.state({}, posture);
            if (search.match(all.data(), at, MATCH_STEPS) > 1e-9 * size_) return false;
            now = posture = at.q;
            return true;
        };
        const auto distance = [&](const Numbers& L) { return set_posture(L) ? norm(tip_at(now) - goal) : HUGE_VAL; };
        DescentResult r;
        without_gil(ROWS_WITHOUT_GIL, [&] {
            r = descend_with(L0, moved.size(), least, most, subsets, settings, distance, [] { return true; });
            if (!set_posture(r.lengths)) r.distance = HUGE_VAL;
        });
        return bindings::report(r, now);
    }

  private:
    static constexpr int MATCH_STEPS = 20;

    const Kinematics& k() const { return kernel_.kinematics(); }
    const MuscleSwivel& swivel() const {
        if (!swivel_) raise("BadOption", "this arm has no shoulder and elbow of four revolute joints");
        return *swivel_;
    }

    // A muscle on a pulley alone for every entry of q, out of those that are known; empty where an entry has none.
    std::vector<int> one_pulley_each(const std::vector<char>& known) const {
        std::vector<int> out(std::size_t(k().n()), -1);
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const Muscle& m = muscles_[i];
            if (known[i] && m.pieces.empty() && m.pulleys.size() == 1) out[std::size_t(m.pulleys[0].variable)] = int(i);
        }
        return std::find(out.begin(), out.end(), -1) == out.end() ? out : std::vector<int>{};
    }
    bool by_pulleys(const std::vector<int>& pulleys, const Numbers& L, Numbers& q) const {
        for (std::size_t j = 0; j < pulleys.size(); ++j) {
            const std::size_t i = std::size_t(pulleys[j]);
            q[j] = (L[i] - muscles_[i].rest) / muscles_[i].pulleys[0].radius;
            if (!(q[j] >= lower_[j] && q[j] <= upper_[j])) return false;
        }
        return true;
    }

    nb::object report(const MuscleSearch::State& s, bool found, long attempt, long evaluations) const {
        return nb::make_tuple(found, array_of(s.q), s.position, s.rotation, s.worst, s.muscle, attempt, evaluations);
    }

    MuscleSearch searcher() const { return {k(), kernel_.tip(), muscles_, lower_.data(), upper_.data(), size_}; }
    Seeds seeds_of(const Input& given) const { return {given.data(), given.ndim() > 1 ? given.dims()[0] : 1, k().n()}; }
    template <class Search> nb::object from_seeds(nb::handle given, const Search& method) const {
        const Input seeds = muscle_rows(given, k().n(), "seeds");
        MuscleSearch search = searcher();
        SeededResult r;
        without_gil(ROWS_WITHOUT_GIL, [&] { r = method(search, seeds_of(seeds)); });
        return report(r.state, r.found, r.attempt, search.evaluations);
    }

    nb::object run(nb::handle given, int threads, bool with_lengths, bool with_arms) const {
        const int n = k().n(), count = int(muscles_.size());
        const Input q(given, "q");
        if (q.ndim() < 1 || q.dims()[q.ndim() - 1] != n)
            raise("ShapeError", "q has shape " + q.shape() + ", but '" + kernel_.name() +
                                    "' has n = " + std::to_string(n) + " joint values: pass shape (" +
                                    std::to_string(n) + ",) or (..., " + std::to_string(n) + ")");
        const int axes = q.ndim() - 1;
        const long rows = product(q.dims(), axes);
        if (first_not_finite(q.data(), rows, n) >= 0)
            raise("NotFinite", "q holds NaN, infinity or a number too large to compute with");
        double *L = nullptr, *G = nullptr;
        nb::object lengths, arms;
        if (with_lengths) lengths = new_array(q.dims(), axes, {count}, &L);
        if (with_arms) arms = new_array(q.dims(), axes, {count, n}, &G);
        without_gil(rows, [&] { muscle_batch(k().mechanism, muscles_, q.data(), rows, threads, L, G); });
        if (!with_arms) return lengths;
        if (!with_lengths) return arms;
        return nb::steal(PyTuple_Pack(2, lengths.ptr(), arms.ptr()));
    }

    const Kernel& kernel_;
    Numbers lower_, upper_;
    double size_;
    Muscles muscles_;
    std::optional<ShoulderElbow> arm_;
    std::optional<MuscleSwivel> swivel_;
    std::optional<LengthSolver> direct_;
};

}  // namespace limbik::bindings
