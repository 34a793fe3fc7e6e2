// The branches of an arm with a swivel at one target, W at a time, not yet verified.
#pragma once

#include "closed_form.hpp"
#include "postures.hpp"

namespace limbik::closed_form {

// The arguments must outlive this.
class SwivelBranches {
  public:
    SwivelBranches(const SwivelArm& arm, const Pose<Wide>& target, const double* seed, const SwivelChoice* choices,
                   int count)
        : arm_(arm), target_(target), line_(arm.line(target)), choices_(choices), count_(count) {
        for (int i = 0; i < SWIVEL_JOINTS; ++i) preferred_[i] = Wide(seed[i]);
    }

    // Choices first .. first + W - 1; the last one is repeated.
    LIMBIK_INLINE void operator()(int first, Branch<Wide>& branch, Mark* marks) const {
        double swivel[W], elbow[W], shoulder[W], wrist[W];
        for (int i = 0; i < W; ++i) {
            const SwivelChoice& choice = choices_[std::min(first + i, count_ - 1)];
            swivel[i] = marks[i].swivel = choice.swivel;
            marks[i].branch = choice.branch;
            elbow[i] = choice.branch & 4 ? -1.0 : 1.0;
            shoulder[i] = choice.branch & 2 ? -1.0 : 1.0;
            wrist[i] = choice.branch & 1 ? -1.0 : 1.0;
        }
        const auto p = arm_.posture(target_, line_, load_lanes<W>(swivel), load_lanes<W>(elbow),
                                    load_lanes<W>(shoulder), load_lanes<W>(wrist), preferred_);
        for (int j = 0; j < SWIVEL_JOINTS; ++j) branch.q[j] = p.q[j];
        branch.exists = p.exists, branch.family = branch.loose = p.family, branch.gap = p.gap;
    }

  private:
    static constexpr int W = width<Wide>;

    const SwivelArm& arm_;
    const Pose<Wide>& target_;
    SwivelArm::Line<Wide> line_;
    Wide preferred_[SWIVEL_JOINTS];
    const SwivelChoice* choices_;
    int count_;
};

}  // namespace limbik::closed_form
