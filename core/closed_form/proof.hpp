// Proofs that no configuration reaches a target. It is not enough that the closed form finds none.
//
// A configuration within the tolerances is an exact solution of some target that differs by at most the tolerances. A
// proof must hold for all these targets, and for rounding. So every equation of the closed form is known only up to a
// margin: the largest change by such a target (its position, and a lever times its rotation). Each root then lies in an
// interval around the computed one (margins.hpp), wide where the root is nearly double, unbounded where it is
// undetermined; and everything computed from it inherits that uncertainty.
//
// A branch is refuted where an equation differs from zero by more than its margin, or where the pose error of the
// computed configuration exceeds what its joints' intervals can correct. It is outside the limits where a joint is
// outside by more than its interval. Else the branch is possible, and nothing is proven.
// docs/decisions/0030-margins-of-proofs.md derives the margins.
#pragma once

#include "closed_form.hpp"
#include "postures.hpp"
#include "unreachable_direction.hpp"

namespace limbik::closed_form {

// The rounding of a rotation [rad], and of a length as a part of all lengths involved.
inline constexpr double PROOF_ROUNDING = 64.0 * ROUNDING;

// Proofs about the branches of one closed form at one target.
class Prover {
  public:
    enum class Branch { refuted, outside, possible };

    Prover(const ClosedForm& form, const Pose<double>& target, const double* seed, const BranchOptions& options)
        : form_(form), loop_(form.loop()), options_(options), o_(form.equations(target)) {
        for (int i = 0; i < loop_.n; ++i) preferred_[i] = loop_.joints[i].sign * seed[loop_.joints[i].index];
        const double away = length(target.origin - loop_.right.origin);
        // a bound on the distance of any two points of the loop
        span_ = length(loop_.tip.origin) + length(loop_.right.origin);
        for (int i = 1; i < loop_.n; ++i) span_ += length(loop_.joints[i].placement.origin);
        for (int i = 0; i < loop_.n; ++i)
            if (!loop_.joints[i].revolute) displacements_ += extent(loop_.joints[i]);
        span_ += displacements_;
        const double relative = PROOF_ROUNDING + options.doubt;
        const double rounding = relative * (span_ + loop_.scale + length(target.origin) + away);
        slack_ = {options.tolerances.position + rounding, options.tolerances.rotation + relative};
        if (loop_.count >= 1) find_margins(target, away);
    }

    // `errors(loop, q, out)`: the pose error of a configuration and its derivatives. `outside_verified`: a
    // configuration outside the limits is known.
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

    // Whether every exact root is known: each branch is refuted, outside, or `known(q, by)`, its roots lying within
    // `by` of the joints q.
    template <class Errors, class Known> bool certain(const Errors& errors, const Known& known) const {
        return each_branch([&](const ClosedForm::Outer<double>& ac, double a_by, double c_by, double group_sign) {
            Range range;
            const Branch branch = judge(ac, a_by, c_by, group_sign, errors, range);
            return branch != Branch::possible || (range.exists && known(range.q, range.by));
        });
    }

  private:
    // The interval of the roots of a branch: within `by` of q, in the order of the loop.
    struct Range {
        double q[LOOP_JOINTS] = {}, by[LOOP_JOINTS] = {};
        bool exists = false;
    };

    // Call use(outer unknowns, their spreads, sign of the group) for every branch that is not refuted yet, until it
    // returns false. False also where the outer unknowns of a branch do not exist but are not refuted.
    template <class Use> bool each_branch(const Use& use) const {
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
                    if (!use(ac, spread.a[k], spread.c[k], g ? -1.0 : 1.0)) return false;
            }
            return true;
        }
        for (const double first : {1.0, -1.0}) {
            if (first < 0.0 && loop_.first_roots() < 2) break;
            for (const double second : {1.0, -1.0}) {
                if (second < 0.0 && loop_.second_roots() < 2) break;
                double a_by, c_by;
                const ClosedForm::Outer<double> ac = form_.outer(o_, first, second, preferred_);
                if (!outer_spread(ac, a_by, c_by)) continue;
                if (!(ac.a.exists && ac.c.exists)) return false;
                for (int g = 0; g < groups; ++g)
                    if (!use(ac, a_by, c_by, g ? -1.0 : 1.0)) return false;
            }
        }
        return true;
    }

    static double length(const Vector3<double>& a) { return std::sqrt(dot(a, a)); }
    static double across(const Vector3<double>& a) { return std::hypot(a.x, a.y); }

    // The largest displacement of a prismatic joint: its limits, or the reach where it has none.
    double extent(const LoopJoint& joint) const {
        const double most = std::max(std::fabs(options_.lower[joint.index]), std::fabs(options_.upper[joint.index]));
        return std::isfinite(most) ? std::max(most, loop_.scale) : 4.0 * loop_.scale;
    }

    // The margins of the two equations, and of the vectors that joint b aligns.
    void find_margins(const Pose<double>& target, double away) {
        const int count = loop_.count, link = loop_.target_link;
        const Pose<double> left = inverse_pose(loop_.left);
        const double p1 = length(o_.K[1].origin), p2 = count >= 2 ? length(o_.K[2].origin) : 0.0;
        double lever;
        if (loop_.group == Group::spherical) {
            // the group's centre, moved by the side of the loop that contains the target
            if (link == 0) lever = length(transform(left, loop_.centre_last));
            else if (link == count) lever = length(transform(loop_.right, loop_.centre_first) - target.origin);
            else if (link == 1) lever = length(left.origin) + length(o_.w) + displacements_;
            else lever = away + length(o_.v) + displacements_;
            meeting_ = slack_.position + slack_.rotation * lever;
            // half the squared lengths; in a solution both sides are equal, so the shorter one bounds both
            const double x = length(o_.w) + p1 + (count >= 2 && !loop_.a().revolute ? extent(loop_.a()) : 0.0);
            const double y =
                length(o_.v) + (count == 3 ? p2 : 0.0) + (count == 3 && !loop_.c().revolute ? extent(loop_.c()) : 0.0);
            margin_[0] = meeting_;
            margin_[1] = loop_.b().revolute ? (std::min(x, y) + meeting_) * meeting_ : meeting_;
            return;
        }
        // the group's normal, and the height of its plane
        if (link == 0) lever = away + p1 + displacements_;
        else if (link == 1) lever = away;
        else if (link == 2) lever = length(left.origin);
        else lever = length(left.origin) + p2 + displacements_;
        meeting_ = slack_.rotation;
        height_ = slack_.position + slack_.rotation * lever;
        margin_[0] = slack_.rotation;
        margin_[1] = loop_.b().revolute ? height_ : slack_.rotation;
    }

    Spread spread_of(const LoopJoint& joint, double first, double second, double d, double eps) const {
        return joint.revolute ? spread_on_circle(first, second, d, eps) : spread_on_line(first, second, d, eps);
    }
    // The largest change of an equation when its unknown moves by `by`.
    static double moved(const LoopJoint& joint, double first, double second, double u, double by) {
        if (joint.revolute) return std::hypot(first, second) * std::min(by, 2.0);
        return (std::fabs(first + 2.0 * second * u) + std::fabs(second) * by) * by;
    }

    // The spreads of the outer unknowns; false where there are surely none.
    bool outer_spread(const ClosedForm::Outer<double>& ac, double& a_by, double& c_by) const {
        a_by = c_by = 0.0;
        if (loop_.count < 2) return true;
        const int k = loop_.leading;
        const Equation<double>&lead = o_.e[k], &other = o_.e[1 - k];
        if (!loop_.has_c()) {  // both equations contain a alone: the better one determines it
            const Spread one = spread_of(loop_.a(), lead.a1, lead.a2, lead.d, margin_[k]);
            const Spread two = spread_of(loop_.a(), other.a1, other.a2, other.d, margin_[1 - k]);
            if (one.none || two.none) return false;
            if (!ac.a.exists) return true;
            a_by = form_.uses_other_equation(o_) ? two.by : one.by;
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

    // A branch, given its outer unknowns.
    template <class Errors> Branch judge(const ClosedForm::Outer<double>& ac, double a_by, double c_by,
                                         double group_sign, const Errors& errors, Range& range) const {
        const int count = loop_.count;
        closed_form::Branch<double> branch;
        const Pose<double> G = form_.reach_group(o_, ac, preferred_, branch);
        double by[LOOP_JOINTS] = {}, rotated = slack_.rotation, shifted = 0.0;
        auto add_spread = [&](int place, double spread) {
            const int i = loop_.outer[place];
            by[i] = spread;
            (loop_.joints[i].revolute ? rotated : shifted) += spread;
        };
        if (count >= 2) add_spread(0, a_by);
        if (count == 3) add_spread(2, c_by);
        if (count >= 1) {
            double b_by;
            if (!middle_spread(ac, a_by, c_by, b_by)) return Branch::refuted;
            add_spread(count >= 2 ? 1 : 0, b_by);
        }
        form_.split_group(G, group_sign, preferred_, branch);
        const int i = loop_.first;
        GroupSpread group{false, {0.0, 0.0, 0.0}};
        if (loop_.group == Group::planar)
            group = form_.plane().spread(G, branch.q + i, slack_.position + shifted + rotated * span_, rotated);
        else if (loop_.size == 3) group = form_.sphere().spread(G, rotated);
        else if (loop_.size == 2)
            group.by[0] = spread_of_direction(across(G.z), rotated), group.by[1] = rotated + group.by[0];
        else if (loop_.size == 1)
            group.by[0] = spread_of_direction(0.5 * std::hypot(G.x.y - G.y.x, G.x.x + G.y.y), rotated);
        if (group.none) return Branch::refuted;
        if (!branch.exists) return Branch::possible;
        for (int k = 0; k < loop_.size; ++k) by[i + k] = group.by[k];
        range.exists = true;
        for (int k = 0; k < loop_.n; ++k) range.q[k] = loop_.joints[k].sign * branch.q[k], range.by[k] = by[k];
        return by_forward_kinematics(branch, by, errors);
    }

    // The spread of joint b; false where x and y surely cannot be aligned.
    bool middle_spread(const ClosedForm::Outer<double>& ac, double a_by, double c_by, double& b_by) const {
        const bool point = loop_.group == Group::spherical;
        Vector3<double> x, y;
        form_.seen_from_middle(o_, ac, x, y);
        double off = meeting_;
        if (loop_.has_a()) off += loop_.a().revolute ? across(o_.w) * a_by : point ? a_by : 0.0;
        if (loop_.has_c()) off += loop_.c().revolute ? across(o_.v) * c_by : point ? c_by : 0.0;
        if (loop_.b().revolute) {
            if (std::fabs(x.z - y.z) > off || std::fabs(across(x) - across(y)) > off) return false;
            b_by = spread_of_direction(std::min(across(x), across(y)), off);
        } else if (point) {
            if (std::hypot(x.x - y.x, x.y - y.y) > off) return false;
            b_by = off;
        } else {
            const double rotated = slack_.rotation + (loop_.has_a() && loop_.a().revolute ? a_by : 0.0) +
                                   (loop_.has_c() && loop_.c().revolute ? c_by : 0.0);
            const double shifted = height_ + (loop_.has_a() && !loop_.a().revolute ? a_by : 0.0) +
                                   (loop_.has_c() && !loop_.c().revolute ? c_by : 0.0);
            b_by = std::fabs(x.z) > 2.0 * rotated ? 2.0 * (shifted + rotated * span_) / std::fabs(x.z) : ANY_LENGTH;
        }
        return true;
    }

    template <class Errors> Branch by_forward_kinematics(const closed_form::Branch<double>& branch,
                                                         const double by[LOOP_JOINTS], const Errors& errors) const {
        double q[LOOP_JOINTS], rotated = 0.0, shifted = 0.0;
        bool outside = false;
        for (int i = 0; i < loop_.n; ++i) {
            const LoopJoint& joint = loop_.joints[i];
            q[i] = joint.sign * branch.q[i];
            (joint.revolute ? rotated : shifted) += by[i];
            const double lower = options_.lower[joint.index], upper = options_.upper[joint.index];
            const double room = by[i] + PROOF_ROUNDING * (joint.revolute ? TURN : loop_.scale);
            outside = outside || (joint.revolute ? angle_outside(q[i], lower, upper)
                                                 : std::max(lower - q[i], q[i] - upper)) > room;
        }
        PostureErrors e;
        errors(loop_, q, e);
        const double position = length(e.position), rotation = length(e.rotation);
        if (position > slack_.position + shifted + rotated * span_ || rotation > slack_.rotation + rotated)
            return Branch::refuted;
        if (loop_.n < 6 && error_is_irreducible(loop_, e, by, rotated, shifted, slack_, span_)) return Branch::refuted;
        return outside ? Branch::outside : Branch::possible;
    }

    const ClosedForm& form_;
    const Loop& loop_;
    const BranchOptions& options_;
    TargetEquations<double> o_;
    double preferred_[LOOP_JOINTS];
    double span_ = 0.0, displacements_ = 0.0;
    Slack slack_{0.0, 0.0};
    // Margins of the two equations, of the vectors that joint b aligns, and of the height of a planar group.
    double margin_[2] = {0.0, 0.0}, meeting_ = 0.0, height_ = 0.0;
};

}  // namespace limbik::closed_form
