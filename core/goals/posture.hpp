// The goal that keeps joints near given values: a posture (configuration), or the middle of the limits.
#pragma once

#include "../iterative/newton.hpp"
#include "goal.hpp"

namespace limbik::goals {

// aim: the values of the named joints, in the order of q. The residual is `joint_difference`: wrapped to [-pi, pi] for
// continuous joints, a rotation vector for ball joints.
class PostureGoal final : public Goal {
  public:
    // `elements`: those whose joints are named, in the order of q. One part for a joint of one axis and for a ball, two
    // for a floating joint.
    PostureGoal(const Mechanism& m, std::vector<int> elements, std::vector<Part> parts)
        : elements_(std::move(elements)) {
        for (const int e : elements_)
            for (int k = 0; k < size_of(m.elements[std::size_t(e)].kind); ++k)
                columns_.push_back(m.elements[std::size_t(e)].first + k);
        parts_ = std::move(parts);
        aims_ = int(columns_.size());
    }

    void measure(const MechanismState& state, const double* aim, double* e, double* J) const override {
        const std::size_t n = columns_.size();
        std::fill_n(J, n * n, 0.0);
        std::size_t at = 0;
        for (const int index : elements_) {
            const Element& element = state.mechanism.elements[std::size_t(index)];
            const std::size_t size = std::size_t(size_of(element.kind)), straight = size == 3 ? 0 : size == 6 ? 3 : 1;
            joint_difference(element.kind, element.wraps, aim + at, state.q.data() + element.first, e + at);
            for (std::size_t k = at; k < at + straight; ++k) J[k * n + k] = 1.0;
            if (straight != size) ball(e + at + straight, J + (at + straight) * (n + 1), n);
            at += size;
        }
    }

  private:
    // r = log(R_aim' R); when R rotates with w in its own frame, r' = (I + [r]/2 + c [r]^2) w.
    static void ball(const double* from, double* J, std::size_t n) {
        const Vector3<double> r = vector_at(from);
        const double c = logarithm_bend(dot(r, r));
        const Vector3<double> axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (std::size_t j = 0; j < 3; ++j) {
            const Vector3<double> rw = cross(r, axes[j]), gained = axes[j] + scaled(rw, 0.5) + scaled(cross(r, rw), c);
            J[j] = gained.x, J[n + j] = gained.y, J[2 * n + j] = gained.z;
        }
    }

    std::vector<int> elements_;
};

}  // namespace limbik::goals
