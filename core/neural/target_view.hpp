// What a network is shown of a target, and what it is asked for.
//
// Chains of joints that turn or slide are shown what is left of a target once the joints at both ends have done what
// they can do by themselves (reduction.hpp): where the last axis is, seen from the side on which the arm must stand,
// and where it points. They are asked for the joints between; the others follow. Other mechanisms, and chains with no
// joint between, are shown the whole pose and asked for all of q. A network to which sides are not alike, because
// something stands in the way on one of them, is shown the side too. Where places alone are wanted, the turn is left
// out of both: the first joint then takes the tip to the side where its place is.
#pragma once

#include <optional>

#include "../kinematics/kinematics.hpp"
#include "../table/reduction.hpp"

namespace limbik::neural {

class TargetView {
  public:
    static constexpr int MOST_INPUTS = 11;

    // places: whether targets are places, and the turn does not matter. sided: whether the side they are on matters.
    TargetView(const Kinematics& k, int frame, double scale, bool places, bool sided)
        : n_(k.n()), scale_(scale), places_(places), sided_(sided) {
        if (!k.chain || n_ > SMALL_CHAIN) return;
        frame_ = k.chain->frames[std::size_t(frame)];
        if (places) {
            if (n_ < 2 || k.chain->joints.front().kind != Kind::revolute) return;
            base_inverse_ = inverse_pose(k.chain->base);
            bare_.emplace(*k.chain).base = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
            return;
        }
        reduction_.emplace(*k.chain, k.chain->frames[std::size_t(frame)], scale, false);
        if (reduction_->inner() == 0) reduction_.reset();
    }

    int n() const { return n_; }
    bool places() const { return places_; }
    int inputs() const {
        if (places_) return bare_ ? (sided_ ? 4 : 2) : 3;
        if (!reduction_) return 9;
        const int place = !reduction_->turns_first() ? 3 : sided_ ? 4 : 2;
        return place + (reduction_->tail() == Tail::none ? 6 : 3);
    }
    int outputs() const { return reduction_ ? reduction_->inner() : bare_ ? n_ - 1 : n_; }
    // The first number of q that is asked for; the others follow it.
    int first() const { return reduction_ ? reduction_->first() : bare_ ? 1 : 0; }

    // A target as it is seen: what is left of it, and what is shown of that.
    struct Seen {
        Reduced left;
        double side = 0.0;  // of a place
        double x[MOST_INPUTS];
    };

    Seen look(const Pose<double>& target) const {
        Seen seen;
        double* x = seen.x;
        int k = 0;
        const double unit = 1.0 / scale_;
        const auto put = [&](const Vector3<double>& a, double factor) {
            x[k++] = a.x * factor, x[k++] = a.y * factor, x[k++] = a.z * factor;
        };
        if (bare_) {
            const Vector3<double> p = transform(base_inverse_, target.origin);
            const double distance = std::hypot(p.x, p.y);
            x[0] = distance * unit, x[1] = p.z * unit;
            if (sided_) x[2] = distance > 0.0 ? p.x / distance : 1.0, x[3] = distance > 0.0 ? p.y / distance : 0.0;
            seen.side = std::atan2(p.y, p.x);
            return seen;
        }
        if (!reduction_) {
            put(target.origin, unit);
            if (!places_) put(target.x, 1.0), put(target.y, 1.0);
            return seen;
        }
        seen.left = reduction_->reduced(target);
        const Reduced& at = seen.left;
        double c = 1.0, s = 0.0;
        const int place = reduction_->turns_first() ? 2 : 3;
        for (int j = 0; j < place; ++j) x[k++] = at.numbers[j] * unit;
        if (reduction_->turns_first()) {
            const Vector3<double> p = reduction_->centre(at.pose);
            if (at.numbers[0] > 0.0) c = p.x / at.numbers[0], s = p.y / at.numbers[0];
            if (sided_) x[k++] = c, x[k++] = s;
        }
        const auto aside = [&](const Vector3<double>& a) {
            return Vector3<double>{c * a.x + s * a.y, c * a.y - s * a.x, a.z};
        };
        put(aside(at.pose.z), 1.0);
        if (reduction_->tail() == Tail::none) put(aside(at.pose.x), 1.0);
        return seen;
    }

    // Postures, one a lane, in which the numbers asked for are known: the others follow.
    void complete(const Seen& seen, Wide* q) const {
        if (bare_) {
            q[0] = Wide(0.0);
            const Vector3<Wide> tip = forward_chain_noinline<false, Wide>(*bare_, frame_, q, nullptr).origin;
            q[0] = Wide(seen.side) - arc_tangent2(tip.y, tip.x);
        } else if (reduction_) {
            reduction_->complete<Wide>(broadcast<Wide>(seen.left.pose), Wide(seen.left.side), Wide(1.0), q);
        }
    }

  private:
    int n_;
    double scale_;
    bool places_, sided_;
    std::optional<Reduction> reduction_;
    std::optional<ScalarChain> bare_;  // without its base
    ChainFrame frame_{};
    Pose<double> base_inverse_{};
};

}  // namespace limbik::neural
