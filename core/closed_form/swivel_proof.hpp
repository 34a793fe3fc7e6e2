// Proofs that an arm with a swivel (swivel.hpp) has no configuration at a target, by the method of proof.hpp.
//
// The distance from shoulder to wrist determines the elbow, up to a margin. For any target within the tolerances the
// upper arm takes its own direction r to the line d, both known up to margins, so at some swivel s its rotation differs
// from the computed one by at most both margins, and so do the rotations of shoulder and wrist. Over swivels s +- h
// they differ by h more. A range is refuted where both solutions of the shoulder, or both of the wrist, violate a limit
// (or do not exist) by more than that. Ranges are halved until all are refuted, or one is as narrow as the margins:
// then nothing is proven, and a configuration may exist at its swivel.
#pragma once

#include "proof.hpp"
#include "swivel.hpp"

namespace limbik::closed_form {

class SwivelProver {
  public:
    SwivelProver(const SwivelArm& arm, const Pose<double>& target, const BranchOptions& options)
        : arm_(arm), target_(target), options_(options), line_(arm.line(target)) {
        const double scale = arm.loop().scale;
        const double relative = PROOF_ROUNDING + options.doubt;
        const double rounding = relative * (4.0 * scale + std::sqrt(dot(target.origin, target.origin)));
        turn_ = options.tolerances.rotation + relative;
        shift_ = options.tolerances.position + rounding + turn_ * arm.wrist_to_tip();
    }

    // `outside`: a configuration outside the limits is known. `doubt`: a swivel that was not refuted [rad].
    Proof prove(bool outside, double& doubt) const {
        doubt = 0.0;
        const Spread elbow = arm_.elbow_spread(line_.length, shift_);
        if (elbow.none) return outside ? Proof::nothing : Proof::out_of_reach;
        for (const double sign : {1.0, -1.0}) {
            const SwivelArm::Bent<double> bent = arm_.bend(line_.length, sign);
            if (!bent.elbow.exists) return Proof::nothing;
            const double angle = arc_tangent2(bent.elbow.v, bent.elbow.u);
            if (outside && angle_outside(angle, options_.lower[3], options_.upper[3]) > elbow.by + PROOF_ROUNDING)
                continue;
            // the directions of the line and of the arm
            const double off =
                spread_of_direction(line_.length, shift_ + arm_.wrist_to_elbow_axis() * elbow.by) + PROOF_ROUNDING;
            if (!refuted(bent, off, off + elbow.by + turn_, outside, doubt)) return Proof::nothing;
        }
        return outside ? Proof::limits : Proof::out_of_reach;
    }

  private:
    // The number of ranges at first, and the most halvings of all together.
    static constexpr int RANGES = 16, HALVINGS = 400;

    bool refuted(const SwivelArm::Bent<double>& bent, double shoulder_off, double wrist_off, bool limited,
                 double& doubt) const {
        SwivelRotation S, W;
        arm_.rotations_over_swivel(target_, line_, bent, S, W);
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

    // Whether both solutions of a group violate its limits, for every rotation within `off` [rad].
    bool breaks(const SphericalGroup& group, int first, const Pose<double>& G, double off, bool limited) const {
        const GroupSpread spread = group.spread(G, off);
        if (spread.none) return true;
        if (!limited) return false;
        for (const double sign : {1.0, -1.0}) {
            const auto rotations = group.rotations(G, sign, 0.0);
            bool outside = false;
            for (int k = 0; k < 3 && !outside; ++k)
                outside = spread.by[k] < ANY_ANGLE &&
                          angle_outside(std::atan2(rotations.sine[k], rotations.cosine[k]), options_.lower[first + k],
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
