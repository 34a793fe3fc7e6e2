// The configurations of an arm with a swivel: at a given swivel, or one in each feasible range of swivels.
//
// Targets are in metres and seeds have seven angles [rad]. "Damped steps" are damped least-squares steps on the joint
// values: an iterative solution, for configurations that rounding keeps from the closed form.
#pragma once

#include <algorithm>
#include <functional>

#include "branches.hpp"
#include "swivel_ranges.hpp"

namespace limbik::closed_form {

class SwivelFinder {
  public:
    // `branches` are those of the arm, and must outlive this. scale: a length of the arm's size [m].
    SwivelFinder(const SwivelArm& arm, const Branches& branches, double scale)
        : arm_(arm), branches_(&branches), scale_(scale) {}

    const SwivelArm& arm() const { return arm_; }

    // If `out` has no configuration inside the limits: prove that there is none, or else search by damped steps.
    void conclude(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        branches_->conclude_swivel(arm_, target, seed, seed_swivel(seed), options, out);
    }

    // The configuration of each branch at a swivel.
    void at_swivel(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                   Postures& out) const {
        SwivelChoice choices[SWIVEL_BRANCHES];
        for (int k = 0; k < SWIVEL_BRANCHES; ++k) choices[k] = {k, swivel};
        at_choices(target, seed, options, choices, SWIVEL_BRANCHES, out);
    }
    // One configuration for each choice. Near a double root, as with a straight elbow, rounding of the angles may
    // violate limits: configurations outside the limits are then checked again.
    void at_choices(const Pose<double>& target, const double* seed, const BranchOptions& options,
                    const SwivelChoice* choices, int count, Postures& out) const {
        branches_->swivel_branches(arm_, target, seed, options, choices, count, out);
        // those outside the limits follow the `count` inside
        bool doubled = false;
        for (int k = 0; k < out.outside; ++k) doubled = doubled || out.found[out.count + k].gap < NEARLY_DOUBLE;
        if (doubled) [[unlikely]]
            recheck_outside(target, seed, options, out);
    }

    // Configurations at a swivel; if none is inside the limits there, one in each feasible range, provided that the
    // elbow can reach the target at all.
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

    // The feasible ranges of each branch. For a doubtful one (an Arc that a margin decided), `verified` has a
    // configuration in it.
    struct Ranges {
        Arc arcs[SWIVEL_BRANCHES][MOST_ARCS];
        int counts[SWIVEL_BRANCHES];
        bool may_have_more;  // ranges may be missing
        Posture verified[SWIVEL_BRANCHES][MOST_ARCS];
    };
    void find_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options, Ranges& out) const;
    // The same, and where there is none, the swivels of configurations found by damped steps, as points.
    void ranges_or_points(const Pose<double>& target, const double* seed, const BranchOptions& options,
                          Ranges& out) const;

    // In each feasible range of each branch the swivel closest to a preferred one. Returns the number of choices, at
    // most MOST_POSTURES.
    static int choose(const Ranges& ranges, double preferred, SwivelChoice* choices);

    // The swivel in an arc closest to a preferred one; at an end of the arc, a little inside.
    static double nearest_in(const Arc& arc, double preferred);

  private:
    // The inset of swivels from the ends of a feasible range [rad].
    static constexpr double INSET = 1e-9;
    // How far damped steps may change the swivel, and the distance of swivels that count as one [rad].
    static constexpr double MOST_SHIFT = 1e-4, SAME_POINT = 1e-6;
    // The gap of a configuration (the least one of elbow, shoulder and wrist) below which rounding may violate limits,
    // and by how much [rad].
    static constexpr double NEARLY_DOUBLE = 1e-8, LIMIT_ROUNDING = 1e-6;
    // The parts into which an arc is divided where there is no configuration in its middle.
    static constexpr int PARTS = 16;
    // A configuration whose slope has a smaller magnitude counts to both branches.
    static constexpr double EITHER_BRANCH = 1e-4;

    // The slope at the middle joint of shoulder (1) or wrist (5), or at the elbow (3): negative on the first of its two
    // solutions, positive on the second. It is the derivative of the group's tilt, or of -distance^2 / 2 at the elbow.
    double slope_of(const double* q, int joint) const;
    // The bits of a branch: elbow 4, shoulder 2, wrist 1.
    int branch_of(const double* q) const {
        return (slope_of(q, 3) > 0.0) * 4 + (slope_of(q, 1) > 0.0) * 2 + (slope_of(q, 5) > 0.0);
    }
    bool is_on_branch(const double* q, int branch) const;

    // A configuration of a branch at a swivel, where rounding may make the computed one fail verification: the computed
    // one where it is verified, else one by damped steps from it, clamped to the limits.
    [[gnu::noinline]] bool find_verified(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                         const BranchOptions& options, const SwivelChoice& choice, Posture& out) const;

    // Near a double root: search again for configurations that violate limits by no more than rounding.
    [[gnu::noinline]] void recheck_outside(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                           Postures& out) const;

    // Of the doubtful arcs of a branch, keep those with a verified configuration in the middle, or the parts of them
    // that have one; then add isolated points.
    [[gnu::noinline]] void verify_arcs(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                       const BranchOptions& options, int branch, Ranges& out) const;
    // The distance of a swivel from an arc; 0 inside it [rad].
    static double distance_to(const Arc& arc, double swivel) {
        const double half = 0.5 * (arc.high - arc.low);
        return std::max(0.0, std::fabs(wrap(swivel - arc.low - half)) - half);
    }

    // Add configurations found by damped steps, as ranges of one point.
    [[gnu::noinline]] void add_solved(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                      Ranges& out) const;

    // For each range of which `out` has no configuration, add the one verified before, or one found at the chosen
    // swivel or in the middle.
    [[gnu::noinline]] void complete(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                    const Ranges& ranges, const SwivelChoice* choices, Postures& out) const;
    // Whether two configurations are equal, except for rounding and 2-pi copies.
    static bool is_same(const double* a, const double* b);

    SwivelArm arm_;
    const Branches* branches_;
    double scale_;
};

}  // namespace limbik::closed_form
