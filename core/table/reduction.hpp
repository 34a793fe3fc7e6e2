// What is left of a target once the joints at both ends have done what they can do by themselves.
//
// A chain that begins with a turning joint looks the same from every side: the turn of the first joint is found when
// the others are known. One that ends with a turning joint does not care how its tip is rolled; one that ends with
// three axes that meet in a point does not care how its tip is turned at all, as those three take any orientation, in
// two ways. A table needs to know the joints between, as a function of few numbers: for six joints two of two numbers
// (distance and height of the wrist's centre), or four of four (and the direction of the last axis, seen from the side
// where the arm stands).
#pragma once

#include <array>

#include "../closed_form/spherical_group.hpp"

namespace limbik::table {

enum class Tail { none, roll, wrist };

// A target as a table sees it.
struct Reduced {
    Pose<double> pose;  // of the last joint's frame, seen from the chain's first joint
    double side = 0.0;  // where the arm must stand, about the first axis
    double numbers[6] = {};
};

class Reduction {
  public:
    static constexpr int MOST_NUMBERS = 6;
    static constexpr double UPRIGHT = 1e-6;  // sine of the angle between two axes that count as parallel

    // wrists: whether three last axes that meet in a point are taken together.
    Reduction(const ScalarChain& chain, const ChainFrame& frame, double scale, bool wrists = true)
        : bare_{no_turn(), chain.joints, {}}, n_(int(chain.joints.size())), base_inverse_(inverse_pose(chain.base)),
          tool_inverse_(inverse_pose(frame.mount)) {
        turns_first_ = n_ > 1 && chain.joints.front().kind == Kind::revolute;
        find_tail(scale, wrists);
    }

    int n() const { return n_; }
    bool turns_first() const { return turns_first_; }
    Tail tail() const { return tail_; }
    int first() const { return turns_first_ ? 1 : 0; }
    int inner() const { return n_ - first() - tail_joints(); }
    // How many numbers, and which of them close up like an angle.
    int numbers() const {
        const int place = turns_first_ ? 2 : 3;
        return place + (tail_ == Tail::wrist ? 0 : tail_ == Tail::roll ? 2 : 3);
    }
    bool is_angle(int number) const { return number > (turns_first_ ? 2 : 3); }
    // Postures that one choice of the inner joints gives.
    int ways() const { return tail_ == Tail::wrist ? 2 : 1; }
    const ScalarChain& bare() const { return bare_; }

    // The last joint's frame, seen from the first joint, when the tip is at its target.
    template <class R> Pose<R> inward(const Pose<R>& target) const {
        return broadcast<R>(base_inverse_) * (target * broadcast<R>(tool_inverse_));
    }
    Reduced reduced(const Pose<double>& target) const {
        Reduced out;
        out.pose = inward(target);
        describe(out);
        return out;
    }

    // The numbers of a posture of the inner joints, the others being at 0.
    Reduced of_posture(const double* q) const {
        Reduced out;
        out.pose = forward_chain_noinline<false, double>(bare_, last(), q, nullptr);
        describe(out);
        return out;
    }

    // Complete postures whose inner joints are known: the first joint turns them to the target's side, the last ones do
    // the rest. `way` chooses between the wrist's two.
    template <class R> LIMBIK_INLINE void complete(const Pose<R>& wanted, R side, R way, R* q) const {
        if (turns_first_) q[0] = R(0.0);
        if (tail_ == Tail::roll) q[n_ - 1] = R(0.0);
        const int before = n_ - tail_joints();
        Pose<R> T = carried<R>(tail_ == Tail::wrist ? before : n_, q);
        if (turns_first_) {
            const Vector3<R> p = transform(T, tail_ == Tail::wrist ? centre_ : point_);
            q[0] = side - arc_tangent2(p.y, p.x);
            R s, c;
            sincos(q[0], s, c);
            T.x = turned(T.x, c, s), T.y = turned(T.y, c, s), T.z = turned(T.z, c, s);
        }
        if (tail_ == Tail::roll) {
            R s, c;
            last_turn(T.x, T.y, wanted, s, c);
            q[n_ - 1] = arc_tangent2(s, c);
        } else if (tail_ == Tail::wrist) {
            turn_wrist_from(T, wanted, way, q);
        }
    }

    // ---- chains with a wrist
    // -----------------------------------------------------------------------------------------

    // Where the wrist's centre is, for a pose of the last joint's frame; and the centre as a frame that the arm
    // carries.
    template <class R> Vector3<R> centre(const Pose<R>& pose) const { return transform(pose, point_); }
    ChainFrame centre_frame() const {
        const int before = n_ - 3;
        ChainFrame frame{before, no_turn(), false};
        const ChainJoint& link = bare_.joints[std::size_t(before - 1)];
        const double c = link.twist.cosine, s = link.twist.sine;
        frame.mount.origin =
            link.shift + Vector3<double>{centre_.x, c * centre_.y - s * centre_.z, s * centre_.y + c * centre_.z};
        return frame;
    }
    // Where the wrist begins, for a posture of the joints before it; and where its centre then is.
    template <class R> LIMBIK_INLINE Pose<R> before_wrist(const R* q) const { return carried<R>(n_ - 3, q); }
    template <class R> LIMBIK_INLINE Vector3<R> centre_of(const Pose<R>& before) const {
        return transform(before, centre_);
    }
    // Turn the first joint so that the wrist stands on a side.
    template <class R> LIMBIK_INLINE void turn_to_side(R side, R* q) const {
        if (!turns_first_) return;
        q[0] = R(0.0);
        const Vector3<R> p = centre_of(before_wrist(q));
        q[0] = side - arc_tangent2(p.y, p.x);
    }
    template <class R> LIMBIK_INLINE void turn_wrist_from(const Pose<R>& T, const Pose<R>& wanted, R way, R* q) const {
        Pose<R> G;
        const auto seen = [&](const Vector3<R>& a) { return Vector3<R>{dot(T.x, a), dot(T.y, a), dot(T.z, a)}; };
        G.x = seen(wanted.x), G.y = seen(wanted.y), G.z = seen(wanted.z);
        G.origin = {R(0.0), R(0.0), R(0.0)};
        const GroupMotion<R> m = wrist_.split(G, way, R(0.0));
        for (int k = 0; k < 3; ++k) q[n_ - 3 + k] = m.q[k] - R(offset_[k]);
    }
    // The wrist's other way, where its axes are square to each other: the outer two turn by half a turn, the middle one
    // back.
    bool turns_over() const { return wrist_.right_angled; }
    template <class R> LIMBIK_INLINE void turn_wrist_over(R* q) const {
        const double middle = std::atan2(wrist_.tilt.second, wrist_.tilt.first) - offset_[1];
        q[n_ - 3] = q[n_ - 3] + R(PI), q[n_ - 2] = R(2.0 * middle) - q[n_ - 2], q[n_ - 1] = q[n_ - 1] + R(PI);
    }
    // The last three joints for a posture of the others, in one of two ways.
    template <class R> LIMBIK_INLINE void turn_wrist(const Pose<R>& wanted, R way, R* q) const {
        turn_wrist_from(carried<R>(n_ - 3, q), wanted, way, q);
    }

  private:
    static constexpr double SOMEWHERE = 0.7316;  // joint values at which nothing is special
    static constexpr double MEETING = 1e-12;     // axes that miss each other by less, in parts of the scale, meet

    static Pose<double> no_turn() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}; }
    ChainFrame last() const { return {n_, no_turn(), false}; }
    int tail_joints() const { return tail_ == Tail::wrist ? 3 : tail_ == Tail::roll ? 1 : 0; }

    // Where joint number `count` is mounted, or, past the last, where the last one has turned it.
    template <class R> LIMBIK_INLINE Pose<R> carried(int count, const R* q) const {
        Pose<R> T = broadcast<R>(no_turn());
        const ChainFrame whole = last();
        for (int i = 0; i < count; ++i)
            carry(bare_, whole, i, motion_of(bare_.joints[std::size_t(i)], q[i]), T, static_cast<Axis<R>*>(nullptr));
        return T;
    }
    void describe(Reduced& at) const {
        const Pose<double>& W = at.pose;
        const Vector3<double> p = transform(W, point_);
        double c = 1.0, s = 0.0;
        int k = 0;
        if (turns_first_) {
            const double distance = std::hypot(p.x, p.y);
            at.side = std::atan2(p.y, p.x);
            if (distance > 0.0) c = p.x / distance, s = p.y / distance;
            at.numbers[k++] = distance;
        } else {
            at.numbers[k++] = p.x, at.numbers[k++] = p.y;
        }
        at.numbers[k++] = p.z;
        if (tail_ == Tail::wrist) return;
        // The direction of the last axis. Along the first it has no side to point to, only rounding.
        const double across = c * W.z.x + s * W.z.y, along = c * W.z.y - s * W.z.x;
        at.numbers[k++] = W.z.z;
        at.numbers[k++] = std::hypot(across, along) < UPRIGHT ? 0.0 : std::atan2(along, across);
        if (tail_ == Tail::none) at.numbers[k++] = std::atan2(W.y.z, W.x.z);
    }

    // Three last axes that meet in one point; else a last one that turns, with the point on it that is nearest to the
    // axis before.
    void find_tail(double scale, bool wrists) {
        point_ = {0, 0, 0};
        if (n_ < 2 || bare_.joints.back().kind != Kind::revolute) return;
        tail_ = Tail::roll;
        std::array<double, 16> q{};
        for (int i = 0; i < n_; ++i) q[std::size_t(i)] = SOMEWHERE * (1 + i % 3);
        std::vector<Axis<double>> axes(static_cast<std::size_t>(n_));
        const Pose<double> T = forward_chain_noinline<true, double>(bare_, last(), q.data(), axes.data());
        const Axis<double>& end = axes[std::size_t(n_ - 1)];
        const Vector3<double> point = nearest_point(end, axes[std::size_t(n_ - 2)]);
        point_ = seen_from(T, point);
        if (!wrists || n_ - first() < 5) return;  // nothing would be left to look up
        const int before = n_ - 3;
        for (int i = before; i < n_; ++i)
            if (bare_.joints[std::size_t(i)].kind != Kind::revolute) return;
        const Axis<double>& begin = axes[std::size_t(before)];
        const Vector3<double> to_first = point - begin.point, to_middle = point - axes[std::size_t(n_ - 2)].point;
        const Vector3<double> a = cross(begin.direction, to_first),
                              b = cross(axes[std::size_t(n_ - 2)].direction, to_middle);
        const double tilt = dot(cross(begin.direction, axes[std::size_t(n_ - 2)].direction), end.direction);
        if (std::sqrt(dot(a, a) + dot(b, b)) > MEETING * scale || std::fabs(tilt) < UPRIGHT) return;
        tail_ = Tail::wrist;
        Pose<double> M[2];
        for (int k = 0; k < 2; ++k) {
            const Turn& twist = bare_.joints[std::size_t(before + k)].twist;
            M[k] = {{1, 0, 0}, {0, twist.cosine, twist.sine}, {0, -twist.sine, twist.cosine}, {0, 0, 0}};
        }
        wrist_ = SphericalGroup(M[0], M[1]);
        for (int k = 0; k < 3; ++k) {
            const Turn& turn = bare_.joints[std::size_t(before + k)].offset;
            offset_[k] = std::atan2(turn.sine, turn.cosine);
        }
        centre_ = seen_from(carried<double>(before, q.data()), point);
    }

    static Vector3<double> seen_from(const Pose<double>& T, const Vector3<double>& p) {
        const Vector3<double> d = p - T.origin;
        return {dot(T.x, d), dot(T.y, d), dot(T.z, d)};
    }
    // The point of a line that is nearest to another; its own where they are parallel.
    static Vector3<double> nearest_point(const Axis<double>& line, const Axis<double>& other) {
        const Vector3<double> across = cross(line.direction, other.direction);
        const double size = dot(across, across);
        if (size < UPRIGHT) return line.point;
        const double t = dot(cross(other.point - line.point, other.direction), across) / size;
        return madd(line.direction, t, line.point);
    }

    ScalarChain bare_;
    int n_;
    Pose<double> base_inverse_, tool_inverse_;
    bool turns_first_ = false;
    Tail tail_ = Tail::none;
    Vector3<double> point_,
        centre_{0, 0, 0};  // on the last axis, seen from the last frame; the wrist's, from before the wrist
    SphericalGroup wrist_;
    double offset_[3] = {};
};

}  // namespace limbik::table
