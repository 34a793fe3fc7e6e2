// Is it proven that no posture reaches a target? An empty closed form alone proves nothing.
//
// A posture counts as solved when its errors are within the tolerances, so it solves exactly some other target, off by
// at most the tolerances. A proof must hold for all of these, and for what rounding does to the one that was asked for.
// So every equation of the closed form is known only up to a margin: what such a change of the target adds to it at the
// most (its position, and a lever times its rotation). Each root then lies in a range around the computed one
// (margins.hpp), wider where the root is nearly double, and anywhere where its equation hardly holds it; and what
// follows from it is uncertain by as much.
//
// A branch is refuted where an equation stays away from zero by more than its margin, or where forward kinematics of
// the computed posture is off by more than its joints' ranges can make good. It is outside the limits where a joint is
// by more than its range. Where neither is certain the branch is possible, and nothing is proven.
// docs/decisions/0030-margins-of-proofs.md derives the margins.
#pragma once

#include "closed_form.hpp"
#include "postures.hpp"
#include "unreachable_direction.hpp"

namespace limbik::closed_form {

// What rounding may do to a rotation, and to a length as a part of all lengths at hand.
inline constexpr double PROOF_ROUNDING = 64.0 * ROUNDING;

// The branches of one closed form at one target, by margins.
class Prover {
  public:
    enum class Branch { refuted, outside, possible };

    Prover(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options)
        : form_(form), loop_(form.loop()), options_(options), o_(form.open(target)) {
        for (int i = 0; i < loop_.n; ++i) wish_[i] = loop_.joints[i].sign * seed[loop_.joints[i].index];
        const double away = length(target.origin - loop_.right.origin);
        // everything that may lie between two points of the loop
        span_ = length(loop_.tip.origin) + length(loop_.right.origin);
        for (int i = 1; i < loop_.n; ++i) span_ += length(loop_.joints[i].mount.origin);
        for (int i = 0; i < loop_.n; ++i)
            if (!loop_.joints[i].turns) slides_ += extent(loop_.joints[i]);
        span_ += slides_;
        const double relative = PROOF_ROUNDING + options.doubt;
        const double rounding = relative * (span_ + loop_.scale + length(target.origin) + away);
        slack_ = {options.tolerances.position + rounding, options.tolerances.rotation + relative};
        if (loop_.count >= 1) find_margins(target, away);
    }

    // Nothing that exists is refuted; `errors` are those of a posture of the chain against the target.
    template <class Errors> Proof prove(bool outside_verified, const Errors& errors) const {
        bool outside = false;
        const bool all =
            each_branch([&](const ClosedForm::Outer<double>& ac, double a_by, double c_by, double group_sign) {
                Range range;
                const Branch branch = judge(ac, a_by, c_by, group_sign, errors, range);
                outside = outside || branch == Branch::outside;
                return branch != Branch::possible;
            });
        if (!all || outside != outside_verified) return Proof::nothing;
        return outside ? Proof::limits : Proof::out_of_reach;
    }

    // Every exact root is known: each branch is refuted, outside, or `known(q, by)`, where q are the joints of the
    // chain that its roots lie within `by` of.
    template <class Errors, class Known> bool certain(const Errors& errors, const Known& known) const {
        return each_branch([&](const ClosedForm::Outer<double>& ac, double a_by, double c_by, double group_sign) {
            Range range;
            const Branch branch = judge(ac, a_by, c_by, group_sign, errors, range);
            return branch != Branch::possible || (range.exists && known(range.q, range.by));
        });
    }

  private:
    // Where the roots of a branch lie: within `by` of q, in the order of the loop.
    struct Range {
        double q[LOOP_JOINTS] = {}, by[LOOP_JOINTS] = {};
        bool exists = false;
    };

    // Calls look(outer unknowns, how far they may be off, the group's way) for every branch that is not surely none,
    // until it returns false. False, too, where some branch has nothing to look at.
    template <class Look> bool each_branch(const Look& look) const {
        const int groups = loop_.group_roots();
        if (loop_.order == Order::together) {
            double roots[CIRCLE_ROOTS][4];
            OuterSpread spread;
            spread.eps[0] = margin_[0], spread.eps[1] = margin_[1];
            const int count = form_.together(o_, roots, &spread);
            if (spread.doubtful) return false;
            for (int k = 0; k < count; ++k) {
                const double* r = roots[k];
                const ClosedForm::Outer<double> ac = {{r[0], r[1], true, false, false, 1.0},
                                                      {r[2], r[3], true, false, false, 1.0}};
                for (int g = 0; g < groups; ++g)
                    if (!look(ac, spread.a[k], spread.c[k], g ? -1.0 : 1.0)) return false;
            }
            return true;
        }
        for (const double first : {1.0, -1.0}) {
            if (first < 0.0 && loop_.first_roots() < 2) break;
            for (const double second : {1.0, -1.0}) {
                if (second < 0.0 && loop_.second_roots() < 2) break;
                double a_by, c_by;
                const ClosedForm::Outer<double> ac = form_.outer(o_, first, second, wish_);
                if (!outer_spread(ac, a_by, c_by)) continue;
                if (!(ac.a.exists && ac.c.exists)) return false;
                for (int g = 0; g < groups; ++g)
                    if (!look(ac, a_by, c_by, g ? -1.0 : 1.0)) return false;
            }
        }
        return true;
    }

    static double length(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }
    static double across(const Vector3<double>& a) { return std::hypot(a.x, a.y); }

    // How far a prismatic joint moves things: its limits, and the reach where it has none.
    double extent(const LoopJoint& joint) const {
        const double most = std::max(std::fabs(options_.lower[joint.index]), std::fabs(options_.upper[joint.index]));
        return std::isfinite(most) ? std::max(most, loop_.scale) : 4.0 * loop_.scale;
    }

    // What a change of the target adds to the two equations, and to what joint b must bring together.
    void find_margins(const Pose<double>& target, double away) {
        const int count = loop_.count, link = loop_.target_link;
        const Pose<double> left = inverse_pose(loop_.left);
        const double p1 = length(o_.K[1].origin), p2 = count >= 2 ? length(o_.K[2].origin) : 0.0;
        double lever;
        if (loop_.group == Group::spherical) {
            // the group's centre, carried by the side of the loop that moves with the target
            if (link == 0) lever = length(transform(left, loop_.centre_last));
            else if (link == count) lever = length(transform(loop_.right, loop_.centre_first) - target.origin);
            else if (link == 1) lever = length(left.origin) + length(o_.w) + slides_;
            else lever = away + length(o_.v) + slides_;
            meeting_ = slack_.position + slack_.rotation * lever;
            // half the squared lengths: the shorter of both sides, which are equal in a solution
            const double x = length(o_.w) + p1 + (count >= 2 && !loop_.a().turns ? extent(loop_.a()) : 0.0);
            const double y =
                length(o_.v) + (count == 3 ? p2 : 0.0) + (count == 3 && !loop_.c().turns ? extent(loop_.c()) : 0.0);
            margin_[0] = meeting_;
            margin_[1] = loop_.b().turns ? (std::min(x, y) + meeting_) * meeting_ : meeting_;
            return;
        }
        // the group's normal, and the height of its plane
        if (link == 0) lever = away + p1 + slides_;
        else if (link == 1) lever = away;
        else if (link == 2) lever = length(left.origin);
        else lever = length(left.origin) + p2 + slides_;
        meeting_ = slack_.rotation;
        height_ = slack_.position + slack_.rotation * lever;
        margin_[0] = slack_.rotation;
        margin_[1] = loop_.b().turns ? height_ : slack_.rotation;
    }

    Spread spread_of(const LoopJoint& joint, double first, double second, double d, double eps) const {
        return joint.turns ? spread_on_circle(first, second, d, eps) : spread_on_line(first, second, d, eps);
    }
    // What an equation changes by when its unknown moves so far from where it is.
    static double moved(const LoopJoint& joint, double first, double second, double u, double by) {
        if (joint.turns) return std::hypot(first, second) * std::min(by, 2.0);
        return (std::fabs(first + 2.0 * second * u) + std::fabs(second) * by) * by;
    }

    // How far the outer unknowns may lie off; false where there are surely none.
    bool outer_spread(const ClosedForm::Outer<double>& ac, double& a_by, double& c_by) const {
        a_by = c_by = 0.0;
        if (loop_.count < 2) return true;
        const int k = loop_.leading;
        const Equation<double>&lead = o_.e[k], &other = o_.e[1 - k];
        if (!loop_.has_c()) {  // both equations hold a alone: whichever holds it better
            const Spread one = spread_of(loop_.a(), lead.a1, lead.a2, lead.d, margin_[k]);
            const Spread two = spread_of(loop_.a(), other.a1, other.a2, other.d, margin_[1 - k]);
            if (one.none || two.none) return false;
            if (!ac.a.exists) return true;
            a_by = form_.led_by_other(o_) ? two.by : one.by;
            auto misses = [&](const Equation<double>& e, double margin) {
                return std::fabs(e.a1 * ac.a.u + e.a2 * ac.a.v - e.d) >
                       margin + moved(loop_.a(), e.a1, e.a2, ac.a.u, a_by);
            };
            return !misses(lead, margin_[k]) && !misses(other, margin_[1 - k]);
        }
        // The leading equation determines one joint, the other equation the second.
        const bool a_first = loop_.order == Order::a_first;
        const LoopJoint &first = a_first ? loop_.a() : loop_.c(), &second = a_first ? loop_.c() : loop_.a();
        const Unknown<double>& x = a_first ? ac.a : ac.c;
        double &first_by = a_first ? a_by : c_by, &second_by = a_first ? c_by : a_by;
        const Terms of_lead = terms(lead, a_first), known = terms(other, a_first), unknown = terms(other, !a_first);
        const Spread one = spread_of(first, of_lead.u, of_lead.v, lead.d, margin_[k]);
        first_by = one.by;
        if (one.none) return false;
        const double rest = other.d - known.u * x.u - known.v * x.v;
        const Spread two = spread_of(second, unknown.u, unknown.v, rest,
                                     margin_[1 - k] + moved(first, known.u, known.v, x.u, first_by));
        second_by = two.by;
        return !two.none;
    }

    // The coefficients of one outer joint, a or c, in an equation.
    struct Terms {
        double u, v;
    };
    static Terms terms(const Equation<double>& e, bool of_a) { return of_a ? Terms{e.a1, e.a2} : Terms{e.c1, e.c2}; }

    // The rest of a branch.
    template <class Errors> Branch judge(const ClosedForm::Outer<double>& ac, double a_by, double c_by,
                                         double group_sign, const Errors& errors, Range& range) const {
        const int count = loop_.count;
        closed_form::Branch<double> branch;
        const Pose<double> G = form_.reach_group(o_, ac, wish_, branch);
        double by[LOOP_JOINTS] = {}, turned = slack_.rotation, shifted = 0.0;
        auto spend = [&](int place, double spread) {
            const int i = loop_.outer[place];
            by[i] = spread;
            (loop_.joints[i].turns ? turned : shifted) += spread;
        };
        if (count >= 2) spend(0, a_by);
        if (count == 3) spend(2, c_by);
        if (count >= 1) {
            double b_by;
            if (!middle_spread(ac, a_by, c_by, b_by)) return Branch::refuted;
            spend(count >= 2 ? 1 : 0, b_by);
        }
        form_.split_group(G, group_sign, wish_, branch);
        const int i = loop_.first;
        GroupSpread group{false, {0.0, 0.0, 0.0}};
        if (loop_.group == Group::planar)
            group = form_.plane().spread(G, branch.q + i, slack_.position + shifted + turned * span_, turned);
        else if (loop_.size == 3) group = form_.sphere().spread(G, turned);
        else if (loop_.size == 2)
            group.by[0] = spread_of_direction(across(G.z), turned), group.by[1] = turned + group.by[0];
        else if (loop_.size == 1)
            group.by[0] = spread_of_direction(0.5 * std::hypot(G.x.y - G.y.x, G.x.x + G.y.y), turned);
        if (group.none) return Branch::refuted;
        if (!branch.exists) return Branch::possible;
        for (int k = 0; k < loop_.size; ++k) by[i + k] = group.by[k];
        range.exists = true;
        for (int k = 0; k < loop_.n; ++k) range.q[k] = loop_.joints[k].sign * branch.q[k], range.by[k] = by[k];
        return by_forward_kinematics(branch, by, errors);
    }

    // Joint b; false where x and y cannot be brought together.
    bool middle_spread(const ClosedForm::Outer<double>& ac, double a_by, double c_by, double& b_by) const {
        const bool point = loop_.group == Group::spherical;
        Vector3<double> x, y;
        form_.seen_from_middle(o_, ac, x, y);
        double off = meeting_;
        if (loop_.has_a()) off += loop_.a().turns ? across(o_.w) * a_by : point ? a_by : 0.0;
        if (loop_.has_c()) off += loop_.c().turns ? across(o_.v) * c_by : point ? c_by : 0.0;
        if (loop_.b().turns) {
            if (std::fabs(x.z - y.z) > off || std::fabs(across(x) - across(y)) > off) return false;
            b_by = spread_of_direction(std::min(across(x), across(y)), off);
        } else if (point) {
            if (std::hypot(x.x - y.x, x.y - y.y) > off) return false;
            b_by = off;
        } else {
            const double turned = slack_.rotation + (loop_.has_a() && loop_.a().turns ? a_by : 0.0) +
                                  (loop_.has_c() && loop_.c().turns ? c_by : 0.0);
            const double shifted = height_ + (loop_.has_a() && !loop_.a().turns ? a_by : 0.0) +
                                   (loop_.has_c() && !loop_.c().turns ? c_by : 0.0);
            b_by = std::fabs(x.z) > 2.0 * turned ? 2.0 * (shifted + turned * span_) / std::fabs(x.z) : ANY_LENGTH;
        }
        return true;
    }

    template <class Errors> Branch by_forward_kinematics(const closed_form::Branch<double>& branch,
                                                         const double by[LOOP_JOINTS], const Errors& errors) const {
        double q[LOOP_JOINTS], turned = 0.0, shifted = 0.0;
        bool outside = false;
        for (int i = 0; i < loop_.n; ++i) {
            const LoopJoint& joint = loop_.joints[i];
            q[i] = joint.sign * branch.q[i];
            (joint.turns ? turned : shifted) += by[i];
            const double lower = options_.lower[joint.index], upper = options_.upper[joint.index];
            const double room = by[i] + PROOF_ROUNDING * (joint.turns ? TURN : loop_.scale);
            outside = outside ||
                      (joint.turns ? angle_outside(q[i], lower, upper) : std::max(lower - q[i], q[i] - upper)) > room;
        }
        PostureErrors e;
        errors(loop_, q, e);
        const double position = length(e.position), rotation = length(e.rotation);
        if (position > slack_.position + shifted + turned * span_ || rotation > slack_.rotation + turned)
            return Branch::refuted;
        if (loop_.n < 6 && stays_off(loop_, e, by, turned, shifted, slack_, span_)) return Branch::refuted;
        return outside ? Branch::outside : Branch::possible;
    }

    const ClosedForm& form_;
    const Loop& loop_;
    const BranchOptions& options_;
    Opened<double> o_;
    double wish_[LOOP_JOINTS];
    double span_ = 0.0, slides_ = 0.0;
    Slack slack_{0.0, 0.0};
    // What the target's slack makes of: the two equations, what joint b brings together, the height of a planar group.
    double margin_[2] = {0.0, 0.0}, meeting_ = 0.0, height_ = 0.0;
};

}  // namespace limbik::closed_form
