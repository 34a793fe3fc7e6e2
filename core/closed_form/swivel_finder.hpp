// The postures of an arm with a swivel: at one, or one in each range of them that is feasible.
#pragma once

#include <algorithm>
#include <functional>

#include "branches.hpp"
#include "swivel_ranges.hpp"

namespace limbik::closed_form {

class SwivelFinder {
  public:
    // The branches are those of the arm, and must outlive this.
    SwivelFinder(const SwivelArm& arm, const Branches& branches, double scale)
        : arm_(arm), branches_(&branches), scale_(scale) {}

    const SwivelArm& arm() const { return arm_; }

    // Nothing was found inside the limits: what is proven, or else what damped steps find.
    void conclude(const Pose<double>& target, const double* seed, const BranchOptions& options, Postures& out) const {
        branches_->conclude_swung(arm_, target, seed, seed_swivel(seed), options, out);
    }

    void at_swivel(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                   Postures& out) const {
        SwivelChoice choices[SWIVEL_BRANCHES];
        for (int k = 0; k < SWIVEL_BRANCHES; ++k) choices[k] = {k, swivel};
        at_choices(target, seed, options, choices, SWIVEL_BRANCHES, out);
    }
    // Where the elbow is nearly straight its angle, and what follows from it, is known so little that limits are passed
    // by rounding: those postures are settled.
    void at_choices(const Pose<double>& target, const double* seed, const BranchOptions& options,
                    const SwivelChoice* choices, int count, Postures& out) const {
        branches_->swung(arm_, target, seed, options, choices, count, out);
        bool straight = false;
        for (int k = 0; k < out.outside; ++k) straight = straight || out.found[out.count + k].gap < NEARLY_STRAIGHT;
        if (straight) [[unlikely]]
            settle_outside(target, seed, options, out);
    }

    // At a swivel; where none keeps the limits there, one posture in each feasible range.
    void near_swivel(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                     Postures& out) const {
        at_swivel(target, seed, options, swivel, out);
        if (out.count == 0 && (out.outside > 0 || !arm_.follows_everywhere() || arm_.reaches(target)))
            in_ranges(target, seed, options, swivel, out);
    }
    // One posture in each feasible range, as near to a swivel as it allows. Where there is none: is there one without
    // limits?
    void in_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options, double swivel,
                   Postures& out) const;

    // Where the elbow of a posture points.
    double seed_swivel(const double* q) const;

    // The feasible ranges of each branch. Those that margins decided hold a verified posture.
    struct Ranges {
        Arc arcs[SWIVEL_BRANCHES][MOST_ARCS];
        int counts[SWIVEL_BRANCHES];
        bool open;  // there may be others
        Posture verified[SWIVEL_BRANCHES][MOST_ARCS];
    };
    void find_ranges(const Pose<double>& target, const double* seed, const BranchOptions& options, Ranges& out) const;
    // The same, and where there is none, the places of what damped steps find: whatever is solved lies in a range.
    void ranges_or_points(const Pose<double>& target, const double* seed, const BranchOptions& options,
                          Ranges& out) const;

    // In each feasible range of each branch the swivel nearest to a wish.
    static int choose(const Ranges& ranges, double wish, SwivelChoice* choices);

    static double nearest_in(const Arc& arc, double wish);

  private:
    // How far inside its ends a feasible range is entered [rad].
    static constexpr double AWAY_FROM_ENDS = 1e-9;
    // How far damped steps may lead from a point that stands alone, and points that are one [rad].
    static constexpr double BESIDE_POINT = 1e-4, ONE_POINT = 1e-6;
    // The elbow's squared sine below which limits may be passed by rounding, and by how much [rad].
    static constexpr double NEARLY_STRAIGHT = 1e-8, BY_ROUNDING = 1e-6;
    // Parts of an arc at whose ends postures are looked for, where there is none in its middle.
    static constexpr int PLACES = 16;
    // A posture this near another branch may count to either [the slope of what chooses the branch].
    static constexpr double EITHER_BRANCH = 1e-4;

    // The slope that is positive on the second of two ways: of a group's tilt, of the elbow's distance.
    double slope_of(const double* q, int joint) const;
    int branch_of(const double* q) const {
        return (slope_of(q, 3) > 0.0) * 4 + (slope_of(q, 1) > 0.0) * 2 + (slope_of(q, 5) > 0.0);
    }
    bool stands_on(const double* q, int branch) const;

    // A posture of a branch at a swivel that rounding may hide: as it comes, or else put inside the limits, where
    // damped steps lead to one beside it.
    [[gnu::noinline]] bool settle(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                  const BranchOptions& options, const SwivelChoice& choice, Posture& out) const;

    // Postures that pass limits by no more than rounding may be, at a nearly straight elbow.
    [[gnu::noinline]] void settle_outside(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                          Postures& out) const;

    // Of the arcs of a branch that margins decided those stay that hold a posture in the middle, or the parts that hold
    // some; then the points outside of them.
    [[gnu::noinline]] void verify_arcs(const SwivelRanges& ranges, const Pose<double>& target, const double* seed,
                                       const BranchOptions& options, int branch, Ranges& out) const;
    static double distance_to(const Arc& arc, double swivel) {
        const double half = 0.5 * (arc.high - arc.low);
        return std::max(0.0, std::fabs(wrap(swivel - arc.low - half)) - half);
    }

    // What damped steps find, as points.
    [[gnu::noinline]] void add_solved(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                      Ranges& out) const;

    // Ranges whose posture was not good where it was chosen: the verified one, or what is found there or in the middle.
    [[gnu::noinline]] void complete(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                    const Ranges& ranges, const SwivelChoice* choices, Postures& out) const;
    static bool is_same(const double* a, const double* b);

    SwivelArm arm_;
    const Branches* branches_;
    double scale_;
};

}  // namespace limbik::closed_form
