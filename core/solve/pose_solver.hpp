// The solve strategy, one for single calls and batches:
//
//   1. begin     the closed form, where there is one; if it decides nothing, the bound on the reach
//   2. starts    what a table or a network proposes, where the caller gives one
//   3. attempts  from the seed and the first starts of the seed table
//   4. finish    the seed itself; the closest approach in position; where its gap is small, the remaining attempts;
//                else the closest configuration
//
// A single call takes one row through these steps. A batch takes all rows through step 1, those that are still open
// through 2 and 3 side by side in the lanes, and each that is not solved through 4.
#pragma once

#include <memory>
#include <optional>

#include "../base/deadline.hpp"
#include "../iterative/chain_solvers.hpp"
#include "../iterative/general_solver.hpp"
#include "../iterative/starts.hpp"
#include "../kinematics/reach.hpp"
#include "posture_solver.hpp"

namespace limbik::solve {

// Attempts by default before a target counts as not found.
inline constexpr int ATTEMPTS = 256;

// What rounding may add to the bound on the reach, as a part of it.
inline constexpr double REACH_ROUNDING = 1e-12;

// The gap of the closest approach, in lengths, above which the closed form with a held joint is not searched, and above
// which the remaining attempts are not made. The approach is a search from many starts itself; it may end in a local
// minimum at joint limits.
inline constexpr double FORM_SEARCH_GAP = 0.05, ATTEMPTS_GAP = 0.01;

// The options of a solve: whether the closed form is used; the weights of the closest configuration (0: position first,
// then rotation); starts that are tried before the ordinary ones; the uncertainty of the target (see BranchOptions).
struct Request {
    bool closed = true;
    Weights weights = {0.0, 0.0};
    const Starts* starts = nullptr;
    double doubt = 0.0;
};

class PoseSolver final : public Attempts {
  public:
    // Whether this mechanism is solved in the lanes, from a seed table.
    static bool in_lanes(const Kinematics& k) { return k.chain && k.n() <= LONGEST_CHAIN; }

    // A mechanism that is solved in the lanes needs a table, no other takes one. Pointers must outlive this.
    PoseSolver(const Kinematics& k, int tip, const LazySeedTable* table, const PostureSolver* postures, Limits limits,
               std::vector<double> home, const Tolerances& tolerances, int attempts, const Reach& reach)
        : kinematics_(k), tip_(tip), home_(std::move(home)), limits_(std::move(limits)), reach_(reach),
          reach_by_limits_(reach_by_limits(k.mechanism, k.mechanism.frames[std::size_t(tip)])), tolerances_(tolerances),
          attempts_(attempts), table_(table), postures_(postures && postures->solves() ? postures : nullptr),
          held_(postures && postures->exists() && !postures->solves() ? postures : nullptr),
          attempts_gap_(std::max(tolerances.position, ATTEMPTS_GAP * reach.length())),
          form_search_gap_(FORM_SEARCH_GAP * reach.length()) {
        const StepSettings settings{reach.length(), DAMPING, LARGEST_STEP};
        const Frame& frame = k.mechanism.frames[std::size_t(tip)];
        if (goes_anywhere(k.mechanism, frame, limits_.lower.data(), limits_.upper.data()) || !std::isfinite(reach.span))
            reach_.span = std::numeric_limits<double>::infinity();  // no bound
        if (table) solver_ = make_chain_solver(k, tip, limits_, settings, *table_, tolerances_);
        else solver_ = std::make_unique<GeneralSolver>(k, tip, limits_, settings, tolerances_);
        if (reach_by_limits_) {
            Limits none = limits_;
            std::fill(none.lower.begin(), none.lower.end(), -std::numeric_limits<double>::infinity());
            std::fill(none.upper.begin(), none.upper.end(), std::numeric_limits<double>::infinity());
            none.cones.clear();
            if (table) unlimited_ = make_chain_solver(k, tip, none, settings, *table_, tolerances_);
            else unlimited_ = std::make_unique<GeneralSolver>(k, tip, none, settings, tolerances_);
        }
        from_starts_.emplace(*solver_, k, tip, limits_, tolerances_);
        if (postures && postures->exists()) {
            fallback_of_ = postures;
            fallback_of_->set_fallback(this);
        }
    }
    PoseSolver(const PoseSolver&) = delete;
    PoseSolver& operator=(const PoseSolver&) = delete;
    ~PoseSolver() override {
        if (fallback_of_ && fallback_of_->fallback() == this) fallback_of_->set_fallback(nullptr);
    }

    int n() const { return solver_->n(); }
    const std::vector<double>& home() const { return home_; }
    const Solver& iterative() const { return *solver_; }
    // The closed form, where it serves `solve`.
    const PostureSolver* postures() const { return postures_; }

    void warm_up() const { solver_->warm_up(); }
    bool warm() const { return solver_->warm(); }
    // Make what all threads of a batch share.
    void prepare(const Request& request) const {
        if (table_ && !by_form(request)) table_->get();
    }

    // ---- one row ---------------------------------------------------------------------------------------------------

    Outcome solve(const Pose<double>& target, const double* seed, const Request& request, const Deadline& deadline,
                  double* q) const {
        Outcome out =
            begin(target, seed, by_form(request) ? postures_->elbow_of(seed) : 0.0, request, request.doubt, q);
        if (out.status == Status::not_found) {
            auto late = [&] { return deadline.timed() && deadline.over(); };
            if (request.starts) out = from_starts_->solve(*request.starts, target, seed, late, q);
            if (out.status != Status::solved && !out.timed_out) {
                const int before = out.steps;
                out = attempts(target, seed, 0, quick(request), deadline, q);
                out.steps += before;
            }
        }
        if (out.status != Status::solved) finish(target, seed, request, deadline, q, out);
        return out;
    }

    // Attempts from number `first` on; q is the seed where none succeeds.
    Outcome solve_from(int first, const Pose<double>& target, const double* seed, const Deadline& deadline,
                       double* q) const {
        std::copy_n(seed, home_.size(), q);
        if (first < attempts_) return attempts(target, seed, first, attempts_, deadline, q);
        Outcome out;
        out.tried = first;
        return out;
    }

    Outcome attempt(const Pose<double>& target, const double* seed, double* q) const override {
        Outcome out;
        if (out_of_reach(target, 0.0)) return out;
        const Deadline none;
        const Request request{false};
        out = attempts(target, seed, 0, quick(request), none, q);
        if (out.status != Status::solved) finish(target, seed, request, none, q, out);
        return out;
    }

    // ---- many rows -------------------------------------------------------------------------------------------------

    // Rows begin .. end - 1. A row whose outcome is `invalid` has no target: its q is its seed.
    void solve_rows(const Rows& rows, long begin, long end, const Request& request,
                    const std::atomic<bool>& stop) const {
        if (begin == end) return;
        const bool form = by_form(request);
        double elbow = form ? postures_->elbow_of(rows.seed(begin)) : 0.0;
        std::vector<long> open;
        open.reserve(std::size_t(end - begin));
        for (long row = begin; row < end; ++row) {
            Outcome& out = rows.outcomes[row];
            if (out.status == Status::invalid) continue;
            const Pose<double> target = rows.target(row);
            if (form && !stop.load(std::memory_order_relaxed)) {
                if (rows.seed_stride != 0) elbow = postures_->elbow_of(rows.seed(row));
                out = this->begin(target, rows.seed(row), elbow, request, rows.doubt(row), rows.q + row * n());
            } else if (out_of_reach(target, rows.doubt(row))) {
                out.status = Status::out_of_reach;
            }
            if (out.status == Status::not_found) open.push_back(row);
        }
        if (request.starts) from_starts_->solve_rows(*request.starts, rows, begin, end, open, stop);
        if (!open.empty()) solver_->solve_rows(rows, open, quick(request), stop);
        for (long row = begin; row < end; ++row) {
            Outcome& out = rows.outcomes[row];
            double* q = rows.q + row * n();
            if (out.status == Status::invalid) {
                std::copy_n(rows.seed(row), n(), q);
                out.errors.position = out.errors.rotation = std::numeric_limits<double>::quiet_NaN();
            } else if (out.status != Status::solved) {
                finish(rows.target(row), rows.seed(row), request, Deadline(stop), q, out);
            }
        }
    }

  private:
    bool by_form(const Request& request) const { return request.closed && postures_; }

    // Step 1: the closed form, or the bound on the reach. `not_found` where neither decides.
    LIMBIK_INLINE Outcome begin(const Pose<double>& target, const double* seed, double elbow, const Request& request,
                                double doubt, double* q) const {
        if (by_form(request)) {
            const Outcome out = postures_->closest(target, seed, elbow, doubt, q);
            if (out.closed) return out;
        }
        return bounded(target, doubt);
    }
    Outcome bounded(const Pose<double>& target, double doubt) const {
        Outcome out;
        if (out_of_reach(target, doubt)) out.status = Status::out_of_reach;
        return out;
    }
    bool out_of_reach(const Pose<double>& T, double doubt) const {
        const Vector3<double> far = T.origin - reach_.centre;
        const double size =
            reach_.span + std::sqrt(dot(T.origin, T.origin)) + std::sqrt(dot(reach_.centre, reach_.centre));
        return std::sqrt(dot(far, far)) > reach_.span + (REACH_ROUNDING + doubt) * size + tolerances_.position;
    }

    // The number of attempts before the closest approach, fewer after proposed starts.
    int quick(const Request& request) const {
        return std::min(attempts_,
                        std::max(1, solver_->quick_attempts() - (request.starts ? request.starts->instead() : 0)));
    }

    // Attempts first .. last - 1; with a deadline a few at a time, which does not change the answer.
    Outcome attempts(const Pose<double>& target, const double* seed, int first, int last, const Deadline& deadline,
                     double* q) const {
        if (deadline.endless()) return solver_->solve(target, seed, first, last, q);
        Outcome out;
        for (int begin = first, end; begin < last; begin = end) {
            end = begin == 0 ? 1 : std::min(last, begin + solver_->side_by_side());
            const int before = out.steps;
            out = solver_->solve(target, seed, begin, end, q);
            out.steps += before;
            if (out.status == Status::solved) break;
            if (end < last && deadline.over()) {
                out.timed_out = true;
                break;
            }
        }
        return out;
    }

    // Step 4. Where the closest approach leaves the tip or the wrist away from its goal, no further attempts are made.
    void finish(const Pose<double>& target, const double* seed, const Request& request, const Deadline& deadline,
                double* q, Outcome& out) const {
        const bool proven = out.status != Status::not_found;
        // the bound holds inside the limits only; outside of them the target may be reachable
        const bool open_outside = out.status == Status::out_of_reach && !out.closed && reach_by_limits_;
        if (open_outside) out.status = Status::not_found;
        if (out.timed_out || (!deadline.endless() && deadline.over())) return stay(target, seed, q, out);
        if (open_outside && unlimited_->solve(target, seed, 0, attempts_, q).status == Status::solved)
            out.status = Status::limits;
        if (const Outcome own = at_seed(target, seed, q); own.status == Status::solved) {
            out = own;
            return;
        }
        const int done = quick(request);
        const Approach approach = solver_->approach(target, seed, proven);
        auto make_attempts = [&](int first, int last) {  // true where one of these attempts succeeds
            if (!(approach.gap <= attempts_gap_ && first < last) || out.timed_out) return false;
            Outcome more = attempts(target, seed, first, last, deadline, q);
            more.steps += out.steps;
            if (more.status == Status::solved) out = more;
            else out.tried = more.tried, out.timed_out = more.timed_out, out.steps = more.steps;
            return more.status == Status::solved;
        };
        if (!proven) {
            // a search of the closed form costs as much as many attempts, so ordinary ones come first
            const int middle = std::clamp(HARD_ATTEMPTS, std::min(done, attempts_), attempts_);
            if (make_attempts(done, middle)) return;
            if (held_ && approach.gap <= form_search_gap_ && !out.timed_out && held_->search(target, seed, q, out)) {
                out.attempt = std::max(done, out.tried), out.tried = out.attempt + 1;
                return;
            }
            if (make_attempts(middle, attempts_)) return;
        }
        const Weights& weights = request.weights;
        if (weights.position > 0.0 || weights.rotation > 0.0) solver_->closest_weighted(target, seed, weights, q, out);
        else solver_->closest(target, seed, approach, q, out);
        if (!out.errors.within(tolerances_)) return;
        out.status = Status::solved;  // reachable after all
        out.closed = false;
        out.attempt = std::max(done, out.tried);
        out.tried = out.attempt + 1;
    }

    // The seed, clamped to the limits: solved where it reaches the target.
    Outcome at_seed(const Pose<double>& target, const double* seed, double* q) const {
        Outcome out;
        stay(target, seed, q, out);
        out.timed_out = false, out.attempt = 0, out.tried = 1;
        if (out.errors.within(tolerances_)) out.status = Status::solved;
        return out;
    }

    // After the deadline: the seed, clamped to the limits.
    void stay(const Pose<double>& target, const double* seed, double* q, Outcome& out) const {
        for (std::size_t j = 0; j < home_.size(); ++j) q[j] = std::clamp(seed[j], limits_.lower[j], limits_.upper[j]);
        for (const Cone& cone : limits_.cones) clamp_cone(cone, q + cone.first);
        out.errors = errors_at(kinematics_, tip_, q, target);
        out.timed_out = true;
    }

    const Kinematics& kinematics_;
    int tip_;
    std::vector<double> home_;
    Limits limits_;
    Reach reach_;
    bool reach_by_limits_;  // the bound relies on the limits of prismatic joints
    Tolerances tolerances_;
    int attempts_;
    const LazySeedTable* table_;
    const PostureSolver *postures_, *held_;  // the closed form, if it serves `solve`; the one with a held joint
    const PostureSolver* fallback_of_ = nullptr;
    double attempts_gap_, form_search_gap_;
    std::unique_ptr<Solver> solver_, unlimited_;  // inside the limits; without limits, where reach_by_limits_
    std::optional<FromStarts> from_starts_;
};

}  // namespace limbik::solve
