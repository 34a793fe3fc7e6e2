// The configurations of an arm with a swivel: at a given swivel, or one in each feasible range of swivels.
#pragma once

#include <algorithm>
#include <functional>

#include "branches.hpp"
#include "swivel_ranges.hpp"

namespace limbik::closed_form {

class SwivelFinder {
  public:
    // `branches` are those of the arm, and must outlive this.
    SwivelFinder(const SwivelArm& arm, const Branches& branches, double scale)
        : arm_(arm), branches_(&branches), scale_(scale) {}

    const SwivelArm& arm() const { return arm_; }

    // After nothing was found inside the limits: prove that there is nothing, or else search by damped steps.
    void conclude(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        branches_->conclude_swivel(arm_, target, seed, seed_swivel(seed), options, out);
    }

    void at_swivel(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                   Postures& out) const {
        SwivelChoice choices[SWIVEL_BRANCHES];
        for (int k = 0; k < SWIVEL_BRANCHES; ++k) choices[k] = {k, swivel};
        at_choices(target, seed, options, choices, SWIVEL_BRANCHES, out);
    }
    // One configuration for each choice. Where the elbow is nearly straight, rounding of its angle may violate limits:
    // those configurations are checked again.
    void at_choices(const Pose<double>& target, const double* seed, const BranchOptions& options,
                    const SwivelChoice* choices, int count, Postures& out) const {
        branches_->swivel_branches(arm_, target, seed, options, choices, count, out);
        bool straight = false;
        for (int k = 0; k < out.outside; ++k) straight = straight || out.found[out.count + k].gap < NEARLY_STRAIGHT;
        if (straight) [[unlikely]]
            recheck_outside(target, seed, options, out);
    }

    // Configurations at a swivel; if none is inside the limits there, one in each feasible range.
    void near_swivel(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                     Postures& out) const {
        at_swivel(target, seed, options, swivel, out);
        if (out.count == 0 && (out.outside > 0 || !arm_.reaches_every_rotation() || arm_.reaches(target)))
            in_ranges(target, seed, options, swivel, out);
    }
    // One configuration in each feasible range, as close to a swivel as possible. Where there is none, those outside
    // the limits.
    void in_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                   Postures& out) const;

    // The swivel of a configuration [rad].
    double seed_swivel(const double* q) const;

    // The feasible ranges of each branch. Doubtful ones have a verified configuration.
    struct Ranges {
        Arc arcs[SWIVEL_BRANCHES][MOST_ARCS];
        int counts[SWIVEL_BRANCHES];
        bool open;  // there may be others
        Posture verified[SWIVEL_BRANCHES][MOST_ARCS];
    };
    void find_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options, Ranges& out) const;
    // The same, and where there is none, the swivels of configurations found by damped steps, as points.
    void ranges_or_points(const Pose<double>& target, const double* seed, const BranchOptions& options,
                          Ranges& out) const;

    // In each feasible range of each branch the swivel closest to a preferred one.
    static int choose(const Ranges& ranges, double preferred, SwivelChoice* choices);

    static double nearest_in(const Arc& arc, double preferred);

  private:
    // The distance from the ends of a feasible range at which it is entered [rad].
    static constexpr double AWAY_FROM_ENDS = 1e-9;
    // How far damped steps may move from an isolated point, and the distance of points that are the same [rad].
    static constexpr double BESIDE_POINT = 1e-4, ONE_POINT = 1e-6;
    // The elbow's squared sine below which rounding may violate limits, and by how much [rad].
    static constexpr double NEARLY_STRAIGHT = 1e-8, BY_ROUNDING = 1e-6;
    // The parts into which an arc is divided where there is no configuration in its middle.
    static constexpr int PLACES = 16;
    // The slope that chooses the branch, below which a configuration may count to either.
    static constexpr double EITHER_BRANCH = 1e-4;

    // The derivative that is positive on the second of two solutions: of a group's tilt, or of the distance at the
    // elbow.
    double slope_of(const double* q, int joint) const;
    int branch_of(const double* q) const {
        return (slope_of(q, 3) > 0.0) * 4 + (slope_of(q, 1) > 0.0) * 2 + (slope_of(q, 5) > 0.0);
    }
    bool is_on_branch(const double* q, int branch) const;

    // A configuration of a branch at a swivel that rounding may hide: the computed one where it is verified, else by
    // damped steps from it, clamped to the limits.
    [[gnu::noinline]] bool find_verified(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                         const BranchOptions& options, const SwivelChoice& choice, Posture& out) const;

    // At a nearly straight elbow: search again for configurations that violate limits by no more than rounding.
    [[gnu::noinline]] void recheck_outside(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                           Postures& out) const;

    // Of the doubtful arcs of a branch, keep those with a verified configuration in the middle, or the parts of them
    // that have one; then add isolated points.
    [[gnu::noinline]] void verify_arcs(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                       const BranchOptions& options, int branch, Ranges& out) const;
    static double distance_to(const Arc& arc, double swivel) {
        const double half = 0.5 * (arc.high - arc.low);
        return std::max(0.0, std::fabs(wrap(swivel - arc.low - half)) - half);
    }

    // Configurations found by damped steps, as points.
    [[gnu::noinline]] void add_solved(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                      Ranges& out) const;

    // For each range without a listed configuration, add the one verified before, or one found at the chosen swivel or
    // in the middle.
    [[gnu::noinline]] void complete(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                    const Ranges& ranges, const SwivelChoice* choices, Postures& out) const;
    static bool is_same(const double* a, const double* b);

    SwivelArm arm_;
    const Branches* branches_;
    double scale_;
};

}  // namespace limbik::closed_form
