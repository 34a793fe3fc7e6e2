// Verification of branches, side by side in the lanes: whole turns and limits, then forward kinematics. The same as
// kinematics/verify.hpp does for one configuration, in steps, so that branches share what they have in common.
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

    // Forward kinematics on its way: what each joint does, and how far the frame has come.
    struct Travel {
        JointMotion<Wide> motion[POSTURE_JOINTS];
        Pose<Wide> T;
        int joint;  // the next
    };

    BranchVerifier(const ScalarChain& of_chain, const ChainFrame& of_frame)
        : chain(of_chain), frame(of_frame), size(int(of_chain.joints.size())) {}

    // Whole turns and limits, then forward kinematics.
    LIMBIK_INLINE Checked check(const Loop& loop, const Branch<Wide>& branch, const Pose<Wide>& target,
                                const double* seed, const Wide* wish, const BranchOptions& options) const {
        Checked out;
        Travel travel = set_out(loop, seed, out, size);
        place(loop, 0, loop.n, branch, wish, options, travel, out);
        go_on(travel, frame.joints);
        arrive(travel, target, out);
        return out;
    }

    // At the base; a joint that is held stays where the seed has it.
    LIMBIK_INLINE Travel set_out(const Loop& loop, const double* seed, Checked& out, int n) const {
        Travel travel;
        travel.T = broadcast<Wide>(chain.base), travel.joint = 0;
        out.inside = Wide(0.0) == Wide(0.0);
        for (int j = 0; j < n; ++j) {
            out.q[j] = Wide(seed[j]);
            if (loop.n < n) travel.motion[j] = motion_of(chain.joints[std::size_t(j)], out.q[j]);
        }
        return travel;
    }
    // Joints begin .. end - 1 of the loop take their values; the sines of three at a time.
    LIMBIK_INLINE void place(const Loop& loop, int begin, int end, const Branch<Wide>& branch, const Wide* wish,
                             const BranchOptions& options, Travel& travel, Checked& out) const {
        for (int i = begin; i < end; ++i) {
            const LoopJoint& joint = loop.joints[i];
            const int j = joint.index;
            const Wide q = joint.sign < 0.0 ? -branch.q[i] : branch.q[i];
            out.q[j] = nearest_copy(q, wish[j], joint.turns, options.lower[j], options.upper[j],
                                    joint.turns ? EDGE : EDGE * loop.scale, out.inside);
        }
        auto turns = [&](int i) { return loop.joints[i].turns; };
        int i = begin;
        for (; i + 3 <= end && turns(i) && turns(i + 1) && turns(i + 2); i += 3) {
            const int j[3] = {loop.joints[i].index, loop.joints[i + 1].index, loop.joints[i + 2].index};
            const Wide q[3] = {out.q[j[0]], out.q[j[1]], out.q[j[2]]};
            Wide sine[3], cosine[3];
            sincos<3>(q, sine, cosine);
            for (int k = 0; k < 3; ++k) {
                turn_pair(chain.joints[std::size_t(j[k])].offset, sine[k], cosine[k]);
                travel.motion[j[k]] = {sine[k], cosine[k]};
            }
        }
        for (; i < end; ++i) {
            const int j = loop.joints[i].index;
            travel.motion[j] = motion_of(chain.joints[std::size_t(j)], out.q[j]);
        }
    }
    LIMBIK_INLINE void go_on(Travel& travel, int end) const {
        for (; travel.joint < end; ++travel.joint)
            carry<Wide>(chain, frame, travel.joint, travel.motion[travel.joint], travel.T, nullptr);
    }
    LIMBIK_INLINE void arrive(Travel& travel, const Pose<Wide>& target, Checked& out) const {
        Pose<Wide>& T = travel.T;
        carry_to_frame(frame, T);
        // the rotation's sine, its angle to all digits where it passes; half a turn has none and does not
        Vector3<Wide> column[3];
        relative_rotation(target, T, column);
        const Vector3<Wide> vee = {Wide(0.5) * (column[1].z - column[2].y), Wide(0.5) * (column[2].x - column[0].z),
                                   Wide(0.5) * (column[0].y - column[1].x)};
        const auto facing = column[0].x + column[1].y + column[2].z > Wide(1.0);
        const Vector3<Wide> p = target.origin - T.origin;
        out.position = square_root(dot(p, p));
        out.rotation = select(facing, square_root(dot(vee, vee)), Wide(PI));
    }

    // Is every joint inside its limits, or hardly outside?
    LIMBIK_INLINE MaskOf<Wide> hardly_outside(const Wide* q, const BranchOptions& options) const {
        auto near = Wide(0.0) == Wide(0.0);
        for (int j = 0; j < size; ++j)
            near = near & (q[j] >= Wide(options.lower[j] - HARDLY_OUTSIDE)) &
                   (q[j] <= Wide(options.upper[j] + HARDLY_OUTSIDE));
        return near;
    }

    const ScalarChain& chain;
    const ChainFrame& frame;
    const int size;  // the number of joints
};

}  // namespace limbik::closed_form
