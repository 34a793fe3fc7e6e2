// All configurations of a chain in closed form, verified inside the limits, with a status and a proof where there is
// none.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "../closed_form/completeness.hpp"
#include "../closed_form/posture_finder.hpp"
#include "../geometry/rigid.hpp"
#include "../iterative/outcome.hpp"

namespace limbik::solve {

// The fallback where the closed form finds nothing: one configuration by iterative attempts.
struct Attempts {
    virtual ~Attempts() = default;
    virtual Outcome attempt(const Pose<double>& target, const double* seed, double* q) const = 0;
};

// The configurations of one target. `listed`: every root is in the list; of an arm with a swivel, one of each branch
// and feasible range. `by_attempts`: the only one was found by attempts.
struct Listing {
    Postures postures;
    Status status = Status::not_found;
    bool listed = false, by_attempts = false;
};

class PostureSolver {
  public:
    PostureSolver(const Kinematics& k, int tip, std::vector<double> lower, std::vector<double> upper,
                  std::vector<double> home, double scale, const Tolerances& tolerances)
        : kinematics_(k), tip_(tip), lower_(std::move(lower)), upper_(std::move(upper)), home_(std::move(home)),
          scale_(scale),
          finder_(k, tip, scale, StepSettings{0.5 * scale, DAMPING, LARGEST_STEP}), options_{lower_.data(),
                                                                                             upper_.data(),
                                                                                             tolerances} {
        for (int j = 0; j < n(); ++j)
            if (upper_[j] - lower_[j] > TURN - 2.0 * HARDLY_OUTSIDE) with_copies_.push_back(j);
    }
    PostureSolver(const PostureSolver&) = delete;
    PostureSolver& operator=(const PostureSolver&) = delete;

    const PostureFinder& finder() const { return finder_; }
    const BranchOptions& options() const { return options_; }
    const std::vector<double>& home() const { return home_; }
    bool exists() const { return finder_.exists(); }
    int n() const { return int(home_.size()); }

    // Whether `solve` uses it: not with a held joint, whose value would have to be searched.
    bool solves() const { return exists() && finder_.redundancy() != Redundancy::joint; }

    // The fallback where the closed form finds and proves nothing. It removes itself in its destructor.
    void set_fallback(const Attempts* attempts) const { attempts_ = attempts; }
    const Attempts* fallback() const { return attempts_; }

    // The test of completeness; null for redundant chains.
    std::shared_ptr<const Completeness> completeness() const {
        if (!exists() || finder_.redundancy() != Redundancy::none) return nullptr;
        return std::make_shared<const Completeness>(kinematics_, tip_, scale_, *finder_.form(), lower_, upper_, home_);
    }

    // ---- one configuration -----------------------------------------------------------------------------------------

    // For a chain with a held joint, after attempts found nothing: PostureFinder::search.
    bool search(const Pose<double>& target, const double* seed, double* q, Outcome& out) const {
        Posture found;
        if (!finder_.search(target, seed, options_, found)) return false;
        std::copy_n(found.q, n(), q);
        out.status = Status::solved, out.errors = found.errors;
        return true;
    }

    // The swivel of a seed [rad]; 0 for an arm without a swivel.
    double elbow_of(const double* seed) const {
        return finder_.redundancy() == Redundancy::swivel ? finder_.swivel().seed_swivel(seed) : 0.0;
    }

    // The configuration closest to the seed; of an arm with a swivel, at the seed's swivel (`elbow`) or as close to it
    // as possible. Not `closed` where nothing was found and nothing is proven.
    Outcome closest(const Pose<double>& target, const double* seed, double elbow, double doubt, double* q) const {
        const BranchOptions options = with_doubt(doubt);
        Outcome out;
        Postures found;
        found.count = found.outside = 0, found.open = false, found.nearest = true;
        if (finder_.redundancy() == Redundancy::swivel)
            finder_.swivel().near_swivel(target, seed, options, elbow, found);
        else finder_.all(target, seed, options, found);
        if (found.count == 0) finder_.conclude(target, seed, options, found);
        double far, worst;
        const Posture* best = closest_of(found, seed, n(), far, worst);
        // near singular configurations and limits, rounding may hide that the seed itself or its 2-pi copy is a
        // solution
        Posture own;
        const bool hidden = found.special || (worst > PI && far > SEED_IS_FOUND && hides_copy(found, seed));
        if (far > (hidden ? SEED_IS_FOUND : PI) && finder_.accept(seed, target, options, own) &&
            apart(own.q, seed) < far) {
            if (apart(best->q, own.q) < SAME_BRANCH) own.branch = best->branch;
            own.family = best->family;
            best = &own;
        }
        if (best) {
            std::copy_n(best->q, n(), q);
            out.status = Status::solved, out.closed = true, out.branch = best->branch, out.family = best->family;
            out.errors = best->errors;
        } else if (found.count == 0 && found.proof != Proof::nothing) {
            out.status = found.proof == Proof::limits ? Status::limits : Status::out_of_reach, out.closed = true;
        }
        return out;
    }

    // ---- all configurations ----------------------------------------------------------------------------------------

    // Every configuration. Of an arm with a swivel: those at `swivel`, or one of each branch and feasible range, as
    // close to the swivel `preferred` as possible (default: the seed's). Of a chain with a held joint: at its value
    // `swivel`, or sampled.
    void all(const Pose<double>& target, const double* seed, std::optional<double> swivel,
             std::optional<double> preferred, double doubt, Listing& out) const {
        const BranchOptions options = with_doubt(doubt);
        Postures& found = out.postures;
        found.count = found.outside = 0, found.open = false;
        bool partial = false;  // at a given joint value or swivel: finding nothing proves nothing
        if (finder_.redundancy() == Redundancy::swivel) {
            partial = swivel.has_value();
            if (swivel) finder_.swivel().at_swivel(target, seed, options, *swivel, found);
            else
                finder_.swivel().in_ranges(target, seed, options,
                                           preferred ? *preferred : finder_.swivel().seed_swivel(seed), found);
        } else if (finder_.redundancy() == Redundancy::joint) {
            partial = true;
            if (swivel) {
                std::vector<double> held(seed, seed + n());
                held[std::size_t(finder_.held())] = *swivel;
                finder_.all(target, held.data(), options, found);
            } else {
                finder_.sampled(target, seed, options, found);
            }
        } else {
            finder_.all(target, seed, options, found);
        }
        if (found.count == 0 && !partial) finder_.conclude(target, seed, options, found);
        judge(out);
        if (partial) out.listed = false;
        if (partial && out.status != Status::solved) out.status = Status::not_found;
        if (out.status == Status::not_found && !swivel && attempts_) [[unlikely]]
            by_attempts(target, seed, out);
        if (finder_.redundancy() == Redundancy::joint)
            for (int k = 0; k < found.count; ++k) found.found[k].swivel = found.found[k].q[finder_.held()];
    }

    // Configurations of given branches at given swivels.
    void at_choices(const Pose<double>& target, const double* seed, const std::vector<SwivelChoice>& choices,
                    Listing& out) const {
        out.postures.count = out.postures.outside = 0, out.postures.open = false;
        if (!choices.empty())
            finder_.swivel().at_choices(target, seed, options_, choices.data(), int(choices.size()), out.postures);
        judge(out);
        out.listed = false;
        if (out.status != Status::solved) out.status = Status::not_found;
    }

    // All branches at a swivel: branch b goes to out + b n; branches that do not exist are not written.
    void swing(const Pose<double>& target, const double* seed, double swivel, double* out) const {
        Postures found;
        finder_.swivel().at_swivel(target, seed, options_, swivel, found);
        for (int k = 0; k < found.count; ++k) std::copy_n(found.found[k].q, n(), out + found.found[k].branch * n());
    }

    void ranges(const Pose<double>& target, SwivelFinder::Ranges& out) const {
        finder_.swivel().ranges_or_points(target, home_.data(), options_, out);
    }

    // Rows begin .. end - 1 of a batch, of chains without redundancy; `doubt` is a lower bound of each target's.
    // Returns the first row whose target is not a rigid pose (then rows after it are not written), or end.
    long rows(const double* targets, double doubt, const double* seeds, long seed_stride, long begin, long end,
              const BranchArrays& out, const std::atomic<bool>& stop) const {
        const double* from = targets + begin * 16;
        std::vector<double> clean, doubts(doubt > 0.0 ? std::size_t(end - begin) : 0, doubt);
        if (!all_rigid_already(from, end - begin)) {
            clean.resize(std::size_t(end - begin) * 16), doubts.resize(std::size_t(end - begin));
            for (long row = begin; row < end; ++row) {
                double own;
                const auto T = rigid(targets + row * 16, &own);
                if (!T) return row;
                doubts[std::size_t(row - begin)] = std::max(own, doubt);
                store_pose(*T, 1, clean.data() + (row - begin) * 16, 16);
            }
            from = clean.data();
        }
        BranchArrays places = out.from(begin);
        places.doubt = doubts.empty() ? nullptr : doubts.data();
        finder_.rows(from, seeds + begin * seed_stride, seed_stride, end - begin, options_, places, stop);
        return end;
    }

  private:
    // Distances [rad or m] below which a configuration is the seed itself, two are on the same branch, and a seed is at
    // a limit.
    static constexpr double SEED_IS_FOUND = 1e-7, SAME_BRANCH = 1e-2, AT_LIMIT = 10.0 * HARDLY_OUTSIDE;

    BranchOptions with_doubt(double doubt) const {
        BranchOptions options = options_;
        options.doubt = doubt;
        return options;
    }

    // Whether a joint is 2 pi from the seed because its copy beside the seed, which is at a limit, violates that limit
    // by at most HARDLY_OUTSIDE. Not inlined: it is rarely needed.
    LIMBIK_NOINLINE bool hides_copy(const Postures& found, const double* seed) const {
        bool at_limit = false;
        for (const int j : with_copies_) at_limit |= std::min(seed[j] - lower_[j], upper_[j] - seed[j]) < AT_LIMIT;
        if (!at_limit) return false;
        for (int k = 0; k < found.count; ++k)
            for (const int j : with_copies_) {
                const double q = found.found[k].q[j], gap = q - seed[j];
                if (!(std::fabs(gap) > PI)) continue;
                const double copy = q - std::copysign(TURN, gap);
                if (copy >= lower_[j] - HARDLY_OUTSIDE && copy <= upper_[j] + HARDLY_OUTSIDE) return true;
            }
        return false;
    }

    double apart(const double* a, const double* b) const {
        double most = 0.0;
        for (int j = 0; j < n(); ++j) most = std::max(most, std::fabs(a[j] - b[j]));
        return most;
    }

    void judge(Listing& out) const {
        const Postures& found = out.postures;
        out.listed = finder_.redundancy() != Redundancy::joint && !found.open &&
                     (found.count > 0 || found.proof != Proof::nothing);
        out.status = found.count > 0                      ? Status::solved
                     : found.proof == Proof::limits       ? Status::limits
                     : found.proof == Proof::out_of_reach ? Status::out_of_reach
                                                          : Status::not_found;
    }

    // The fallback: the configuration found by attempts; with a held joint, all configurations at its value there.
    LIMBIK_NOINLINE void by_attempts(const Pose<double>& target, const double* seed, Listing& out) const {
        double q[POSTURE_JOINTS];
        const Outcome outcome = attempts_->attempt(target, seed, q);
        if (outcome.status != Status::solved) return;
        Postures& found = out.postures;
        if (finder_.redundancy() == Redundancy::joint) {
            const int outside = found.outside;
            finder_.all(target, q, options_, found);
            if (found.count > 0) {
                judge(out);
                out.listed = false;
                return;
            }
            found.outside = outside;
        }
        Posture& one = found.found[0];
        std::copy_n(q, n(), one.q);
        one.errors = outcome.errors, one.swivel = 0.0, one.branch = -1;
        one.family = one.doubled = false, one.inside = true;
        found.count = 1;
        out.status = Status::solved, out.by_attempts = true, out.listed = false;
    }

    mutable const Attempts* attempts_ = nullptr;
    const Kinematics& kinematics_;
    int tip_;
    std::vector<double> lower_, upper_, home_;
    std::vector<int> with_copies_;  // joints whose range holds 2-pi copies
    double scale_;
    PostureFinder finder_;
    BranchOptions options_;
};

}  // namespace limbik::solve
