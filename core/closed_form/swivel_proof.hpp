// Is it proven that an arm with a swivel has no posture at a target? (proof.hpp has the idea, swivel.hpp the arm.)
//
// The distance from shoulder to wrist holds the elbow, up to a margin. Whatever target within the tolerances is solved
// exactly: its upper arm takes the arm's own direction r to the line d, both known up to a margin, so at some swivel s
// it differs from the computed upper arm by no more than both together, and so do the rotations that shoulder and wrist
// must make. In a range of swivels s +- h they differ by h more. A range is refuted where every way of the shoulder, or
// every way of the wrist, breaks a limit (or the bends do not allow it) by more than that. Ranges are halved until all
// are refuted, or one is no wider than the margins: then nothing is proven, and its swivel is where a posture may be.
#pragma once

#include "proof.hpp"
#include "swivel.hpp"

namespace limbik::closed_form {

class SwivelProver {
  public:
    SwivelProver(const SwivelArm& arm, const Pose<double>& target, const BranchOptions& options)
        : arm_(arm), target_(target), options_(options), line_(arm.line(target)) {
        const double scale = arm.layout().scale;
        const double relative = PROOF_ROUNDING + options.doubt;
        const double rounding = relative * (4.0 * scale + std::sqrt(dot(target.origin, target.origin)));
        turn_ = options.tolerances.rotation + relative;
        shift_ = options.tolerances.position + rounding + turn_ * arm.lever();
    }

    // `outside`: a posture outside the limits is known. `doubt`: a swivel that could not be refuted.
    Proof prove(bool outside, double& doubt) const {
        doubt = 0.0;
        const Spread elbow = arm_.elbow_spread(line_.length, shift_);
        if (elbow.none) return outside ? Proof::nothing : Proof::out_of_reach;
        for (const double sign : {1.0, -1.0}) {
            const SwivelArm::Bent<double> bent = arm_.bend(line_.length, sign, 0.0);
            if (!bent.elbow.exists) return Proof::nothing;
            const double angle = arc_tangent2(bent.elbow.v, bent.elbow.u);
            if (outside && angle_outside(angle, options_.lower[3], options_.upper[3]) > elbow.by + PROOF_ROUNDING)
                continue;
            // the line's direction and the arm's own
            const double off = spread_of_direction(line_.length, shift_ + arm_.forearm() * elbow.by) + PROOF_ROUNDING;
            if (!refuted(bent, off, off + elbow.by + turn_, outside, doubt)) return Proof::nothing;
        }
        return outside ? Proof::limits : Proof::out_of_reach;
    }

  private:
    // Ranges to begin with, and how often one is halved at the most in all.
    static constexpr int RANGES = 16, HALVINGS = 400;

    bool refuted(const SwivelArm::Bent<double>& bent, double shoulder_off, double wrist_off, bool limited,
                 double& doubt) const {
        Swinging S, W;
        arm_.swinging(target_, line_, bent, S, W);
        struct Range {
            double middle, half;
        };
        Range open[RANGES + HALVINGS];
        int count = 0, halvings = 0;
        for (int k = 0; k < RANGES; ++k) open[count++] = {-PI + (2 * k + 1) * PI / RANGES, PI / RANGES};
        while (count > 0) {
            const Range range = open[--count];
            const double s = std::sin(range.middle), c = std::cos(range.middle);
            if (breaks(arm_.shoulder_group(), 0, S.at(c, s), shoulder_off + range.half, limited) ||
                breaks(arm_.wrist_group(), 4, W.at(c, s), wrist_off + range.half, limited))
                continue;
            if (range.half < shoulder_off || halvings == HALVINGS) {
                doubt = range.middle;
                return false;
            }
            ++halvings;
            const double half = 0.5 * range.half;
            open[count++] = {range.middle - half, half}, open[count++] = {range.middle + half, half};
        }
        return true;
    }

    // Does a group break its limits both ways, for every rotation within `off`?
    bool breaks(const SphericalGroup& group, int first, const Pose<double>& G, double off, bool limited) const {
        const GroupSpread spread = group.spread(G, off);
        if (spread.none) return true;
        if (!limited) return false;
        for (const double sign : {1.0, -1.0}) {
            const auto turns = group.turns(G, sign, 0.0);
            bool outside = false;
            for (int k = 0; k < 3 && !outside; ++k)
                outside = spread.by[k] < ANY_ANGLE &&
                          angle_outside(std::atan2(turns.sine[k], turns.cosine[k]), options_.lower[first + k],
                                        options_.upper[first + k]) > spread.by[k] + PROOF_ROUNDING;
            if (!outside) return false;
        }
        return true;
    }

    const SwivelArm& arm_;
    const Pose<double>& target_;
    const BranchOptions& options_;
    SwivelArm::Line<double> line_;
    double turn_, shift_;
};

}  // namespace limbik::closed_form
