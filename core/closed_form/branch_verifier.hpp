// Verification of branches, one per lane: 2-pi copies and limits, then forward kinematics. It computes what
// kinematics/verify.hpp computes for one configuration, in steps, so that branches share what they have in common.
#pragma once

#include "closed_form.hpp"
#include "postures.hpp"

namespace limbik::closed_form {

class BranchVerifier {
  public:
    struct Checked {
        Wide q[POSTURE_JOINTS], position, rotation;
        MaskOf<Wide> inside;
    };

    // The motion of each joint. The pose is a separate variable, so that it stays in registers.
    using Motions = JointMotion<Wide>[POSTURE_JOINTS];

    BranchVerifier(const ScalarChain& of_chain, const ChainFrame& of_frame)
        : chain(of_chain), frame(of_frame), size(int(of_chain.joints.size())) {}

    // 2-pi copies and limits, then forward kinematics.
    LIMBIK_INLINE Checked check(const Loop& loop, const Branch<Wide>& branch, const Pose<Wide>& target,
                                const double* seed, const Wide* preferred, const BranchOptions& options, int n) const {
        Checked out;
        Motions motions;
        start(loop, seed, motions, out, n);
        assign(loop, 0, loop.n, branch.q, preferred, options, motions, out);
        errors(advance(broadcast<Wide>(chain.base), motions, 0, frame.joints), target, out);
        return out;
    }

    // Set all joints to the seed; those outside the loop keep it.
    LIMBIK_INLINE void start(const Loop& loop, const double* seed, Motions& motions, Checked& out, int n) const {
        out.inside = Wide(0.0) == Wide(0.0);
        for (int j = 0; j < n; ++j) {
            out.q[j] = Wide(seed[j]);
            if (loop.n < n) motions[j] = motion_of(chain.joints[std::size_t(j)], out.q[j]);
        }
    }
    // Set joints begin .. end - 1 of the loop to their 2-pi copies closest to the seed; the sines of three at a time.
    LIMBIK_INLINE void assign(const Loop& loop, int begin, int end, const Wide* values, const Wide* preferred,
                              const BranchOptions& options, Motions& motions, Checked& out) const {
        for (int i = begin; i < end; ++i) {
            const LoopJoint& joint = loop.joints[i];
            const int j = joint.index;
            const Wide q = joint.sign < 0.0 ? -values[i - begin] : values[i - begin];
            out.q[j] = nearest_copy(q, preferred[j], joint.revolute, options.lower[j], options.upper[j],
                                    joint.revolute ? EDGE : EDGE * loop.scale, out.inside);
        }
        auto revolute = [&](int i) { return loop.joints[i].revolute; };
        int i = begin;
        for (; i + 3 <= end && revolute(i) && revolute(i + 1) && revolute(i + 2); i += 3) {
            const int j[3] = {loop.joints[i].index, loop.joints[i + 1].index, loop.joints[i + 2].index};
            const Wide q[3] = {out.q[j[0]], out.q[j[1]], out.q[j[2]]};
            Wide sine[3], cosine[3];
            sincos<3>(q, sine, cosine);
            for (int k = 0; k < 3; ++k) {
                rotate_pair(chain.joints[std::size_t(j[k])].offset, sine[k], cosine[k]);
                motions[j[k]] = {sine[k], cosine[k]};
            }
        }
        for (; i < end; ++i) {
            const int j = loop.joints[i].index;
            motions[j] = motion_of(chain.joints[std::size_t(j)], out.q[j]);
        }
    }
    // Partial forward kinematics: T goes from before joint `begin` over joints begin .. end - 1.
    LIMBIK_INLINE Pose<Wide> advance(Pose<Wide> T, const Motions& motions, int begin, int end) const {
        for (int j = begin; j < end; ++j) forward_joint<Wide>(chain, frame, j, motions[j], T, nullptr);
        return T;
    }
    // Errors of the frame, from the pose after the last joint.
    LIMBIK_INLINE void errors(Pose<Wide> T, const Pose<Wide>& target, Checked& out) const {
        forward_to_frame(frame, T);
        // the sine of the rotation error, which is its angle where it is small; pi beyond 90 degrees
        Vector3<Wide> column[3];
        relative_rotation(target, T, column);
        const Vector3<Wide> vee = {Wide(0.5) * (column[1].z - column[2].y), Wide(0.5) * (column[2].x - column[0].z),
                                   Wide(0.5) * (column[0].y - column[1].x)};
        const auto facing = column[0].x + column[1].y + column[2].z > Wide(1.0);
        const Vector3<Wide> p = target.origin - T.origin;
        out.position = square_root(dot(p, p));
        out.rotation = select(facing, square_root(dot(vee, vee)), Wide(PI));
    }

    // Whether a branch violates its limits by at most HARDLY_OUTSIDE. Not inlined: it is rarely needed, and would take
    // registers from the ordinary path.
    LIMBIK_NOINLINE bool any_hardly_outside(MaskOf<Wide> of, const Wide* q, const BranchOptions& options) const {
        for (int j = 0; j < size; ++j)
            of = of & (q[j] >= Wide(options.lower[j] - HARDLY_OUTSIDE)) &
                 (q[j] <= Wide(options.upper[j] + HARDLY_OUTSIDE));
        return any(of);
    }

    const ScalarChain& chain;
    const ChainFrame& frame;
    const int size;  // the number of joints
};

}  // namespace limbik::closed_form
