// Arms with a shoulder and a wrist whose axes meet and one elbow between (S-R-S): seven joints, one more than a pose needs.
//
// With the hand held still the elbow can swing about the line from shoulder to wrist; how far is the swivel. Its zero is where
// the elbow points along ZERO = minus the first axis, as far as a direction across the line can, and it turns right-handed
// about the way from shoulder to wrist. `Elbow direction` is the side of that line on which the elbow lies: across the line and
// the elbow's axis, so that it exists for a straight arm too.
//
// The elbow's angle follows from the distance (two roots). At swivel s the upper arm's rotation is
//     R(s) = B Rx(s) L'     B = (d, zero, d x zero) in the base, L = (r, elbow, r x elbow) in the upper arm,
// and shoulder and wrist come apart (spherical_group.hpp), two ways each: eight branches.
//
// Every entry of R(s) is P cos s + Q sin s + C. A joint of the shoulder or wrist stands at a given angle exactly where
// one such expression has a given value: for the middle joint the tilt of the last axis, for an outer joint the tilt of what is
// left when that joint is undone. So the swivels at which a joint meets a limit are intersections of a line and a circle, at
// most two each; between neighbouring ones nothing changes, and one look in the middle decides. The feasible ranges are exact.
// (The idea: Shimizu, Kakuya, Yoon, Kitagaki and Kosuge 2008, here for any bends between the axes and any elbow.)
#pragma once

#include <algorithm>
#include <optional>

#include "loop.hpp"
#include "spherical_group.hpp"

namespace limbik {

// A line this near the zero direction leaves the swivel without a zero; another direction serves then [sine].
inline constexpr double NO_ZERO = 1e-9;

inline constexpr int SWIVEL_BRANCHES = 8, SWIVEL_JOINTS = 7;

// Expressions P cos s + Q sin s + C.
struct Swinging {
    double P, Q, C;
};

struct Arc {
    double low, high;  // low <= high <= low + 2 pi
};

class SwivelArm {
  public:
    // Nothing where the chain has another shape.
    static std::optional<SwivelArm> of(const Loop& chain) {
        if (chain.n != SWIVEL_JOINTS) return std::nullopt;
        SwivelArm arm;
        arm.layout_ = chain;
        if (!chain.joints[3].turns) return std::nullopt;
        Vector3<double> shoulder_in_first, wrist_in_first;
        if (!meet(chain, 0, 3, shoulder_in_first, arm.shoulder_in_upper_)) return std::nullopt;
        if (!meet(chain, 4, 3, wrist_in_first, arm.wrist_in_last_)) return std::nullopt;
        auto mount = [&](int i) -> const Pose<double>& { return chain.joints[i].mount; };
        arm.base_ = mount(0);
        arm.shoulder_ = transform(mount(0), shoulder_in_first);
        arm.zero_ = -mount(0).z;
        arm.other_zero_ = -mount(0).x;
        arm.shoulder_group_ = SphericalGroup(mount(1), mount(2));
        arm.wrist_group_ = SphericalGroup(mount(5), mount(6));
        arm.upper_ = mount(3), arm.fore_ = mount(4), arm.tip_inverse_ = inverse_of(chain.tip);
        arm.wrist_in_hand_ = transform(arm.tip_inverse_, arm.wrist_in_last_);
        arm.reach_ = transform(mount(4), wrist_in_first);
        const Pose<double> back = inverse_of(mount(3));
        arm.root_ = transform(back, arm.shoulder_in_upper_);
        arm.bend_ = turned_on(arm.root_, arm.reach_);
        // the elbow must hold the distance
        if (arm.bend_.first * arm.bend_.first + arm.bend_.second * arm.bend_.second <=
            SAME_PLACE * SAME_PLACE * chain.scale * chain.scale * chain.scale * chain.scale)
            return std::nullopt;
        return arm;
    }

    const Loop& layout() const { return layout_; }
    const Vector3<double>& zero() const { return zero_; }

    // The target as the arm sees it: the line from shoulder to wrist, and the directions across it.
    template <class R> struct Line {
        Vector3<R> d, zero, third;  // unit vectors, right-handed
        R length;
        MaskOf<R> has_zero;         // the zero direction is not along the line
    };
    template <class R> LIMBIK_APART Line<R> line(const Pose<R>& target) const {
        Line<R> out;
        const Vector3<R> w = transform(target, wide<R>(wrist_in_hand_)) - wide<R>(shoulder_);
        out.length = square_root(dot(w, w));
        const auto none = out.length <= R(NO_HOLD * layout_.scale);
        out.d = scaled(w, R(1.0) / select(none, R(1.0), out.length));
        out.d = select(none, wide<R>(base_.z), out.d);
        auto across = [&](const Vector3<double>& v) {
            const R along = dot(wide<R>(v), out.d);
            return madd(out.d, -along, wide<R>(v));
        };
        Vector3<R> z = across(zero_);
        R n2 = dot(z, z);
        out.has_zero = n2 > R(NO_ZERO * NO_ZERO);
        if (any(!out.has_zero)) {
            z = select(out.has_zero, z, across(other_zero_));
            n2 = dot(z, z);
        }
        out.zero = scaled(z, R(1.0) / square_root(n2));
        out.third = cross(out.d, out.zero);
        return out;
    }

    // The elbow's turn for a distance; then the upper arm's own directions.
    template <class R> struct Bent {
        Unknown<R> elbow;
        Vector3<R> r, side, third;  // in the upper arm's frame: towards the wrist, to the elbow's side, r x side
        Pose<R> forearm;            // rotation of the wrist's first frame in the upper arm's
    };
    template <class R> LIMBIK_INLINE Bent<R> bend(R length, R sign, R seed) const {
        Bent<R> out;
        // |Rz(q) reach - root| = length
        const R d = R(0.5) * nmadd(length, length, R(dot(reach_, reach_) + dot(root_, root_))) - R(bend_.rest);
        out.elbow = on_circle(R(bend_.first), R(bend_.second), d, sign, R(layout_.scale * layout_.scale));
        (void)seed;
        const Vector3<R> there = turned(wide<R>(reach_), out.elbow.u, out.elbow.v) - wide<R>(root_);
        Vector3<R> r = rotate(broadcast<R>(upper_), there);
        const R n2 = dot(r, r);
        const auto none = n2 <= R(NO_HOLD * NO_HOLD * layout_.scale * layout_.scale);
        r = scaled(r, R(1.0) / square_root(select(none, R(1.0), n2)));
        // the elbow lies on the side sign(derivative of the distance) * (axis x r); `sign` is minus that of root.Rz(q)reach,
        // whose derivative is minus half that of the squared distance
        Vector3<R> side = cross(wide<R>(upper_.z), r);
        const R s2 = dot(side, side);
        const auto along = s2 <= R(NO_ZERO * NO_ZERO);
        const R by = sign / square_root(select(along, R(1.0), s2));
        side = scaled(side, by);
        out.elbow.exists = out.elbow.exists & !along & !none;
        out.r = r, out.side = side, out.third = cross(r, side);
        Pose<R> fore = broadcast<R>(upper_);
        turn_about_z(fore, out.elbow.v, out.elbow.u);
        const Pose<R> M4 = broadcast<R>(fore_);
        out.forearm = {rotate(fore, M4.x), rotate(fore, M4.y), rotate(fore, M4.z), {R(0.0), R(0.0), R(0.0)}};
        return out;
    }

    // Rotation of the upper arm from three coefficient columns: k-th column of B Rx(s) L'.
    template <class R> LIMBIK_INLINE Pose<R> upper_arm(const Line<R>& line, const Bent<R>& bent, R c, R s) const {
        const Vector3<R> e2 = madd(line.third, s, scaled(line.zero, c)), e3 = madd(line.zero, -s, scaled(line.third, c));
        auto column = [&](R r, R side, R third) { return madd(line.d, r, madd(e2, side, scaled(e3, third))); };
        return {column(bent.r.x, bent.side.x, bent.third.x), column(bent.r.y, bent.side.y, bent.third.y),
                column(bent.r.z, bent.side.z, bent.third.z), {R(0.0), R(0.0), R(0.0)}};
    }

    // A branch at a swivel. Signs: elbow, shoulder, wrist.
    template <class R> struct Posture7 {
        R q[SWIVEL_JOINTS], gap;
        MaskOf<R> exists, family;
    };
    template <class R>
    LIMBIK_APART Posture7<R> posture(const Pose<R>& target, const Line<R>& line, R swivel, R elbow_sign, R shoulder_sign,
                                      R wrist_sign, const R* seed) const {
        Posture7<R> out;
        const Bent<R> bent = bend(line.length, elbow_sign, seed[3]);
        R s, c;
        sincos(swivel, s, c);
        const Pose<R> U = upper_arm(line, bent, c, s);
        const Pose<R> base_turn = broadcast<R>(base_);
        const auto first = shoulder_group_.split(undone(base_turn, U), shoulder_sign, seed[0]);
        const Pose<R> hand = hand_turn(target);
        const Pose<R> F = {rotate(U, bent.forearm.x), rotate(U, bent.forearm.y), rotate(U, bent.forearm.z), U.origin};
        const auto last = wrist_group_.split(undone(F, hand), wrist_sign, seed[4]);
        for (int k = 0; k < 3; ++k) out.q[k] = first.q[k], out.q[4 + k] = last.q[k];
        out.q[3] = arc_tangent2(bent.elbow.v, bent.elbow.u);
        out.exists = bent.elbow.exists & first.exists & last.exists;
        out.family = first.family | last.family;
        auto less = [](R a, R b) { return select(a < b, a, b); };
        out.gap = less(bent.elbow.gap, less(first.gap, last.gap));
        return out;
    }

    // The swivel of a posture: where its elbow points.
    double swivel_of(const Pose<double>& upper_arm_turn, const Pose<double>& target, double elbow_sine_sign) const {
        const Line<double> l = line(target);
        const Vector3<double> axis = rotate(upper_arm_turn, upper_.z);
        const Vector3<double> side = scaled(cross(axis, l.d), elbow_sine_sign);
        return std::atan2(dot(side, l.third), dot(side, l.zero));
    }
    // The swivel that turns the elbow towards a point.
    double towards(const Pose<double>& target, const Vector3<double>& point) const {
        const Line<double> l = line(target);
        const Vector3<double> p = point - shoulder_;
        return std::atan2(dot(p, l.third), dot(p, l.zero));
    }
    // +1 or -1: on which root of the elbow a posture stands.
    double elbow_sign(double q3) const {
        return -bend_.first * std::sin(q3) + bend_.second * std::cos(q3) > 0.0 ? -1.0 : 1.0;
    }

    // ---- feasible ranges -------------------------------------------------------------------------------------------

    static constexpr int MOST_CUTS = 36;

    // Exact ranges of the swivel for each branch (number = elbow * 4 + shoulder * 2 + wrist), at most `most` arcs each; the
    // count of each branch is written. `fits(joint, angle)` tells whether an angle has a turn inside the limits.
    template <int MOST, class Fits>
    void ranges(const Pose<double>& target, const double* lower, const double* upper, const Fits& fits, Arc out[][MOST],
                int counts[SWIVEL_BRANCHES]) const {
        const Line<double> l = line(target);
        const Pose<double> hand = hand_turn(target);
        for (int elbow = 0; elbow < 2; ++elbow) {
            int* count = counts + elbow * 4;
            count[0] = count[1] = count[2] = count[3] = 0;
            const Bent<double> bent = bend(l.length, elbow ? -1.0 : 1.0, 0.0);
            if (!bent.elbow.exists || !fits(3, std::atan2(bent.elbow.v, bent.elbow.u))) continue;
            // R(s) = P cos + Q sin + C, seen from the shoulder's first frame and from the wrist's first frame
            Pose<double> PQC[3];
            for (int k = 0; k < 3; ++k) {
                const Vector3<double> none = {0, 0, 0};
                const Vector3<double> e2 = k == 0 ? l.zero : k == 1 ? l.third : none;
                const Vector3<double> e3 = k == 0 ? l.third : k == 1 ? -l.zero : none;
                const Vector3<double> d = k == 2 ? l.d : none;
                auto column = [&](double r, double side, double third) { return madd(d, r, madd(e2, side, scaled(e3, third))); };
                PQC[k] = {column(bent.r.x, bent.side.x, bent.third.x), column(bent.r.y, bent.side.y, bent.third.y),
                          column(bent.r.z, bent.side.z, bent.third.z), none};
            }
            Pose<double> S[3], W[3];
            for (int k = 0; k < 3; ++k) {
                S[k] = undone(base_, PQC[k]);
                const Pose<double> F = {rotate(PQC[k], bent.forearm.x), rotate(PQC[k], bent.forearm.y), rotate(PQC[k], bent.forearm.z),
                                        {0, 0, 0}};
                W[k] = undone(F, hand);
            }
            Arc shoulder[2][MOST_CUTS], wrist[2][MOST_CUTS];
            int shoulders[2], wrists[2];
            arcs_of(shoulder_group_, S, 0, lower, upper, fits, shoulder, shoulders);
            arcs_of(wrist_group_, W, 4, lower, upper, fits, wrist, wrists);
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b)
                    count[a * 2 + b] = intersect<MOST>(shoulder[a], shoulders[a], wrist[b], wrists[b], out[elbow * 4 + a * 2 + b]);
        }
    }

  private:
    template <class R> static Vector3<R> wide(const Vector3<double>& a) { return {R(a.x), R(a.y), R(a.z)}; }
    // A' B, rotations.
    template <class R> static Pose<R> undone(const Pose<R>& A, const Pose<R>& B) {
        auto column = [&](const Vector3<R>& b) { return Vector3<R>{dot(A.x, b), dot(A.y, b), dot(A.z, b)}; };
        return {column(B.x), column(B.y), column(B.z), {R(0.0), R(0.0), R(0.0)}};
    }
    template <class R> Pose<R> hand_turn(const Pose<R>& target) const {
        const Pose<R> t = broadcast<R>(tip_inverse_);
        return {rotate(target, t.x), rotate(target, t.y), rotate(target, t.z), {R(0.0), R(0.0), R(0.0)}};
    }

    // Where one group's joints fit, for both of its signs: arcs inside [-pi, pi], in order, apart.
    template <class Fits>
    void arcs_of(const SphericalGroup& group, const Pose<double> G[3], int first, const double* lower, const double* upper,
                 const Fits& fits, Arc out[2][MOST_CUTS], int count[2]) const {
        double cut[MOST_CUTS + 2];
        int cuts = 0;
        auto add = [&](const Swinging& f, double value) {  // f(s) = value
            const double rho2 = f.P * f.P + f.Q * f.Q, d = value - f.C, disc = rho2 - d * d;
            if (disc < 0.0 || rho2 <= NO_HOLD * NO_HOLD) return;
            const double root = std::sqrt(disc);
            for (const double sign : {1.0, -1.0})
                cut[cuts++] = std::atan2(f.Q * d + sign * f.P * root, f.P * d - sign * f.Q * root);
        };
        auto form = [&](const Vector3<double>& left, const Vector3<double>& right) {  // left' G right
            Swinging f;
            double* out[3] = {&f.P, &f.Q, &f.C};
            for (int k = 0; k < 3; ++k) *out[k] = dot(left, rotate(G[k], right));
            return f;
        };
        const Vector3<double> z = {0, 0, 1};
        const Swinging tilt = form(z, z);
        const Vector3<double> row = {group.M2.x.z, group.M2.y.z, group.M2.z.z};
        bool limited = false;
        for (int k = 0; k < 3; ++k)
            for (const double bound : {lower[first + k], upper[first + k]}) {
                if (!std::isfinite(bound)) continue;
                limited = true;
                const double c = std::cos(bound), s = std::sin(bound);
                if (k == 0) add(form(turned(group.M1.z, c, s), z), group.M2.z.z);
                if (k == 1) add(tilt, group.tilt.first * c + group.tilt.second * s + group.tilt.rest);
                if (k == 2) add(form(z, turned(row, c, -s)), group.M1.z.z);
            }
        const double rho = std::hypot(group.tilt.first, group.tilt.second);
        if (!group.right_angled)
            for (const double side : {rho, -rho}) add(tilt, group.tilt.rest + side);
        if (!limited && group.right_angled) {
            for (int a = 0; a < 2; ++a) out[a][0] = {-PI, PI}, count[a] = 1;
            return;
        }
        if (limited && std::hypot(tilt.P, tilt.Q) > NO_HOLD) {  // where the last axis comes nearest the first, turns are quick
            const double near = std::atan2(tilt.Q, tilt.P);
            cut[cuts++] = near;
            cut[cuts++] = near > 0.0 ? near - PI : near + PI;
        }
        std::sort(cut, cut + cuts);
        for (int a = 0; a < 2; ++a) {
            count[a] = 0;
            bool open = false;
            double low = -PI;
            for (int k = 0; k <= cuts; ++k) {
                const double high = k < cuts ? cut[k] : PI;
                if (high > low) {
                    const double middle = 0.5 * (low + high), c = std::cos(middle), s = std::sin(middle);
                    auto at = [&](const Vector3<double>& p, const Vector3<double>& q, const Vector3<double>& r) {
                        return madd(p, c, madd(q, s, r));
                    };
                    const Pose<double> R = {at(G[0].x, G[1].x, G[2].x), at(G[0].y, G[1].y, G[2].y), at(G[0].z, G[1].z, G[2].z), {0, 0, 0}};
                    const auto turns = group.split(R, a ? -1.0 : 1.0, 0.0);
                    const double d = R.z.z - group.tilt.rest;
                    bool inside = group.right_angled || std::fabs(d) <= rho;
                    for (int j = 0; j < 3 && inside; ++j) inside = fits(first + j, turns.q[j]);
                    if (inside && open)
                        out[a][count[a] - 1].high = high;
                    else if (inside)
                        out[a][count[a]++] = {low, high};
                    open = inside;
                    low = high;
                }
            }
        }
    }

    // The common part of two rows of arcs; an arc that goes on over the half turn becomes one.
    template <int MOST> static int intersect(const Arc* a, int na, const Arc* b, int nb, Arc* out) {
        int count = 0;
        for (int i = 0, j = 0; i < na && j < nb;) {
            const double low = std::max(a[i].low, b[j].low), high = std::min(a[i].high, b[j].high);
            if (low < high && count < MOST) out[count++] = {low, high};
            (a[i].high < b[j].high ? i : j)++;
        }
        if (count > 1 && out[0].low == -PI && out[count - 1].high == PI) {
            out[count - 1].high = out[0].high + 2.0 * PI;
            for (int k = 1; k < count; ++k) out[k - 1] = out[k];
            --count;
        }
        return count;
    }

    Loop layout_;
    Pose<double> base_, upper_, fore_, tip_inverse_;
    Vector3<double> shoulder_, zero_, other_zero_, shoulder_in_upper_, wrist_in_last_, wrist_in_hand_, reach_, root_;
    Wave<double> bend_;
    SphericalGroup shoulder_group_, wrist_group_;
};

}  // namespace limbik
