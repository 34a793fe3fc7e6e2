// The inputs of a network for a target, and the outputs it is trained on.
//
// For chains of revolute and prismatic joints the inputs are the reduced coordinates (table/reduction.hpp): the
// position of the last axis, relative to the azimuth of the arm, and its direction; the outputs are the inner joints,
// and the others follow. For other mechanisms, and chains without inner joints, the inputs are the whole pose and the
// outputs all of q. A network for a scene without rotational symmetry, such as obstacles, also takes the azimuth. For
// positions alone, orientation is left out of both, and the first joint follows from the azimuth of the position.
#pragma once

#include <optional>

#include "../kinematics/kinematics.hpp"
#include "../table/reduction.hpp"

namespace limbik::neural {

class TargetView {
  public:
    static constexpr int MOST_INPUTS = 11;

    // position_only: targets are positions. azimuth: the azimuth is an input.
    TargetView(const Kinematics& k, int frame, double scale, bool position_only, bool azimuth)
        : n_(k.n()), scale_(scale), position_only_(position_only), azimuth_(azimuth) {
        if (!k.chain || n_ > SMALL_CHAIN) return;
        frame_ = k.chain->frames[std::size_t(frame)];
        if (position_only) {
            if (n_ < 2 || k.chain->joints.front().kind != Kind::revolute) return;
            base_inverse_ = inverse_pose(k.chain->base);
            bare_.emplace(*k.chain).base = identity_pose();
            return;
        }
        reduction_.emplace(*k.chain, k.chain->frames[std::size_t(frame)], scale, false);
        if (reduction_->inner() == 0) reduction_.reset();
    }

    int n() const { return n_; }
    bool position_only() const { return position_only_; }
    int inputs() const {
        if (position_only_) return bare_ ? (azimuth_ ? 4 : 2) : 3;
        if (!reduction_) return 9;
        const int place = !reduction_->revolute_first() ? 3 : azimuth_ ? 4 : 2;
        return place + (reduction_->tail() == Tail::none ? 6 : 3);
    }
    int outputs() const { return reduction_ ? reduction_->inner() : bare_ ? n_ - 1 : n_; }
    // The index in q of the first output; the others follow it.
    int first() const { return reduction_ ? reduction_->first() : bare_ ? 1 : 0; }

    // A target's reduced coordinates, and the network's inputs.
    struct Features {
        Reduced reduced;
        double azimuth = 0.0;  // of a position
        double x[MOST_INPUTS];
    };

    Features features(const Pose<double>& target) const {
        Features features;
        double* x = features.x;
        int k = 0;
        const double unit = 1.0 / scale_;
        const auto put = [&](const Vector3<double>& a, double factor) {
            x[k++] = a.x * factor, x[k++] = a.y * factor, x[k++] = a.z * factor;
        };
        if (bare_) {
            const Vector3<double> p = transform(base_inverse_, target.origin);
            const double distance = std::hypot(p.x, p.y);
            x[0] = distance * unit, x[1] = p.z * unit;
            if (azimuth_) x[2] = distance > 0.0 ? p.x / distance : 1.0, x[3] = distance > 0.0 ? p.y / distance : 0.0;
            features.azimuth = std::atan2(p.y, p.x);
            return features;
        }
        if (!reduction_) {
            put(target.origin, unit);
            if (!position_only_) put(target.x, 1.0), put(target.y, 1.0);
            return features;
        }
        features.reduced = reduction_->reduced(target);
        const Reduced& at = features.reduced;
        double c = 1.0, s = 0.0;
        const int place = reduction_->revolute_first() ? 2 : 3;
        for (int j = 0; j < place; ++j) x[k++] = at.numbers[j] * unit;
        if (reduction_->revolute_first()) {
            const Vector3<double> p = reduction_->centre(at.pose);
            if (at.numbers[0] > 0.0) c = p.x / at.numbers[0], s = p.y / at.numbers[0];
            if (azimuth_) x[k++] = c, x[k++] = s;
        }
        const auto rotated_back = [&](const Vector3<double>& a) {
            return Vector3<double>{c * a.x + s * a.y, c * a.y - s * a.x, a.z};
        };
        put(rotated_back(at.pose.z), 1.0);
        if (reduction_->tail() == Tail::none) put(rotated_back(at.pose.x), 1.0);
        return features;
    }

    // Complete configurations, one a lane, whose outputs are set.
    void complete(const Features& features, Wide* q) const {
        if (bare_) {
            q[0] = Wide(0.0);
            const Vector3<Wide> tip = forward_chain_noinline<false, Wide>(*bare_, frame_, q, nullptr).origin;
            q[0] = Wide(features.azimuth) - arc_tangent2(tip.y, tip.x);
        } else if (reduction_) {
            reduction_->complete<Wide>(broadcast<Wide>(features.reduced.pose), Wide(features.reduced.azimuth),
                                       Wide(1.0), q);
        }
    }

  private:
    int n_;
    double scale_;
    bool position_only_, azimuth_;
    std::optional<Reduction> reduction_;
    std::optional<ScalarChain> bare_;  // without its base
    ChainFrame frame_{};
    Pose<double> base_inverse_{};
};

}  // namespace limbik::neural
