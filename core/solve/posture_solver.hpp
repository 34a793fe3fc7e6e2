// Every configuration of one chain's tip, in closed form: found, verified inside the limits, and what is known of
// others.
#pragma once

#include <memory>
#include <optional>

#include "../closed_form/completeness.hpp"
#include "../closed_form/posture_finder.hpp"
#include "../geometry/rigid.hpp"
#include "../iterative/outcome.hpp"

namespace limbik::solve {

// What finds one configuration of a target by attempts.
struct Attempts {
    virtual ~Attempts() = default;
    virtual Outcome attempt(const Pose<double>& target, const double* seed, double* q) const = 0;
};

// The configurations of one target. The equations list every root where `listed`: of an arm with a swivel, one of each
// branch and feasible range. `by_attempts`: the one there is was found by attempts, not in closed form.
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
          finder_(k, tip, scale, Effort{0.5 * scale, DAMPING, LARGEST_STEP}), options_{lower_.data(), upper_.data(),
                                                                                       tolerances} {}
    PostureSolver(const PostureSolver&) = delete;
    PostureSolver& operator=(const PostureSolver&) = delete;

    const PostureFinder& finder() const { return finder_; }
    const BranchOptions& options() const { return options_; }
    const std::vector<double>& home() const { return home_; }
    bool exists() const { return finder_.exists(); }
    int n() const { return int(home_.size()); }

    // Does it answer `solve`? A joint to be held would have to be searched for.
    bool solves() const { return exists() && finder_.redundancy() != Redundancy::joint; }

    // What is asked where the closed form finds nothing and proves nothing; it takes itself away before it ends.
    void ask(const Attempts* attempts) const { attempts_ = attempts; }
    const Attempts* asked() const { return attempts_; }

    // What tells whether answers are complete; none for redundant chains.
    std::shared_ptr<const Completeness> completeness() const {
        if (!exists() || finder_.redundancy() != Redundancy::none) return nullptr;
        return std::make_shared<const Completeness>(kinematics_, tip_, scale_, *finder_.form(), lower_, upper_, home_);
    }

    // ---- one
    // ---------------------------------------------------------------------------------------------------------

    // Of a chain with a held joint, where attempts found nothing.
    bool search(const Pose<double>& target, const double* seed, double* q, Outcome& out) const {
        Posture found;
        if (!finder_.search(target, seed, options_, found)) return false;
        std::copy_n(found.q, n(), q);
        out.status = Status::solved, out.errors = found.errors;
        return true;
    }

    // Where the elbow of a seed points; nothing for an arm without a swivel.
    double elbow_of(const double* seed) const {
        return finder_.redundancy() == Redundancy::swivel ? finder_.swivel().seed_swivel(seed) : 0.0;
    }

    // The configuration closest to the seed: of an arm with a swivel, where the elbow points as the seed's does
    // (`elbow`), or as nearly as it can. Not `closed` where nothing was found and nothing is proven.
    Outcome closest(const Pose<double>& target, const double* seed, double elbow, double doubt, double* q) const {
        const BranchOptions options = with_doubt(doubt);
        Outcome out;
        Postures found;
        found.count = found.outside = 0, found.open = false, found.nearest = true;
        if (finder_.redundancy() == Redundancy::swivel)
            finder_.swivel().near_swivel(target, seed, options, elbow, found);
        else finder_.all(target, seed, options, found);
        if (found.count == 0) finder_.conclude(target, seed, options, found);
        double far;
        std::uint64_t turned;
        const Posture* best = nearest_of(found, seed, n(), far, turned);
        // beside singular configurations and limits rounding may hide that the seed itself is one, or at which turn
        Posture own;
        const bool hidden = found.odd || (turned && far > SEED_IS_FOUND && hides_a_turn(found, turned, seed, options));
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

    // ---- all
    // ---------------------------------------------------------------------------------------------------------

    // Every configuration; of an arm with a swivel one of each branch and feasible range, or those at `swivel`. The
    // elbow of a range points as near to `wish` as it can, by default as the seed's does. Of a chain with a held joint:
    // at `swivel`, or sampled.
    void all(const Pose<double>& target, const double* seed, std::optional<double> swivel, std::optional<double> wish,
             double doubt, Listing& out) const {
        const BranchOptions options = with_doubt(doubt);
        Postures& found = out.postures;
        found.count = found.outside = 0, found.open = false;
        bool between = false;  // a joint or swivel was given: that nothing is there proves nothing
        if (finder_.redundancy() == Redundancy::swivel) {
            between = swivel.has_value();
            if (swivel) finder_.swivel().at_swivel(target, seed, options, *swivel, found);
            else
                finder_.swivel().in_ranges(target, seed, options, wish ? *wish : finder_.swivel().seed_swivel(seed),
                                           found);
        } else if (finder_.redundancy() == Redundancy::joint) {
            between = true;
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
        if (found.count == 0 && !between) finder_.conclude(target, seed, options, found);
        judge(out);
        if (between) out.listed = false;
        if (between && out.status != Status::solved) out.status = Status::not_found;
        if (out.status == Status::not_found && !swivel && attempts_) [[unlikely]]
            by_attempts(target, seed, out);
        if (finder_.redundancy() == Redundancy::joint)
            for (int k = 0; k < found.count; ++k) found.found[k].swivel = found.found[k].q[finder_.held()];
    }

    // Configurations of named branches at named swivels.
    void at_choices(const Pose<double>& target, const double* seed, const std::vector<SwivelChoice>& choices,
                    Listing& out) const {
        out.postures.count = out.postures.outside = 0, out.postures.open = false;
        if (!choices.empty())
            finder_.swivel().at_choices(target, seed, options_, choices.data(), int(choices.size()), out.postures);
        judge(out);
        out.listed = false;
        if (out.status != Status::solved) out.status = Status::not_found;
    }

    // All branches at a swivel, `out` by branch and n numbers each; branches that are not there are left as they are.
    void swing(const Pose<double>& target, const double* seed, double swivel, double* out) const {
        Postures found;
        finder_.swivel().at_swivel(target, seed, options_, swivel, found);
        for (int k = 0; k < found.count; ++k) std::copy_n(found.found[k].q, n(), out + found.found[k].branch * n());
    }

    void ranges(const Pose<double>& target, SwivelFinder::Ranges& out) const {
        finder_.swivel().ranges_or_points(target, home_.data(), options_, out);
    }

    // Rows begin..end of a batch, of chains without redundancy; `doubt` is the least of each target. Returns the first
    // row whose target is no rigid pose (then the rows after it are left alone), or end.
    long rows(const double* targets, double doubt, const double* seeds, long seed_stride, long begin, long end,
              const Places& out, const std::atomic<bool>& stop) const {
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
        Places places = out.from(begin);
        places.doubt = doubts.empty() ? nullptr : doubts.data();
        finder_.rows(from, seeds + begin * seed_stride, seed_stride, end - begin, options_, places, stop);
        return end;
    }

  private:
    // A configuration this near the seed is what the seed is; one this near it is on the same branch [rad or m].
    static constexpr double SEED_IS_FOUND = 1e-7, SAME_BRANCH = 1e-2;

    BranchOptions with_doubt(double doubt) const {
        BranchOptions options = options_;
        options.doubt = doubt;
        return options;
    }

    // Is a joint a whole turn away from the seed because its copy next to the seed passes a limit by a hair?
    LIMBIK_NOINLINE bool hides_a_turn(const Postures& found, std::uint64_t turned, const double* seed,
                                      const BranchOptions& options) const {
        for (int k = 0; k < found.count; ++k) {
            if (!(turned >> std::min(k, 63) & 1)) continue;
            for (int j = 0; j < n(); ++j) {
                const double q = found.found[k].q[j], gap = q - seed[j];
                if (!(std::fabs(gap) > PI)) continue;
                const double copy = q - std::copysign(TURN, gap);
                if (copy >= options.lower[j] - HARDLY_OUTSIDE && copy <= options.upper[j] + HARDLY_OUTSIDE) return true;
            }
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

    // Where the closed form has none: all configurations at the held joint's value that attempts find, else that one.
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
    double scale_;
    PostureFinder finder_;
    BranchOptions options_;
};

}  // namespace limbik::solve
