// A target reduced to the coordinates that the inner joints of a chain depend on.
//
// A chain whose first joint is revolute has rotational symmetry about its axis: the first joint follows from the
// others. A chain whose last joint is revolute reaches any roll of its tip; one whose last three axes meet in a point
// reaches any orientation, in two branches. So a table needs only the inner joints as a function of few coordinates. Of
// six joints, with a wrist: two joints as a function of two coordinates, the distance and the height of the wrist's
// centre. Without a wrist: four joints as a function of four, also the direction of the last axis relative to the
// azimuth of the arm.
#pragma once

#include <array>

#include "../closed_form/spherical_group.hpp"

namespace limbik::table {

enum class Tail { none, roll, wrist };

// The reduced coordinates of a target.
struct Reduced {
    Pose<double> pose;     // of the last joint's frame, in the first joint's frame
    double azimuth = 0.0;  // about the first axis [rad]
    double numbers[6] = {};
};

class Reduction {
  public:
    static constexpr int MOST_NUMBERS = 6;
    static constexpr double PARALLEL_SINE = 1e-6;  // axes at a smaller sine count as parallel

    // wrists: whether a spherical wrist is separated.
    Reduction(const ScalarChain& chain, const ChainFrame& frame, double scale, bool wrists = true)
        : bare_{identity_pose(), chain.joints, {}}, n_(int(chain.joints.size())),
          base_inverse_(inverse_pose(chain.base)), tool_inverse_(inverse_pose(frame.placement)) {
        revolute_first_ = n_ > 1 && chain.joints.front().kind == Kind::revolute;
        find_tail(scale, wrists);
    }

    int n() const { return n_; }
    bool revolute_first() const { return revolute_first_; }
    Tail tail() const { return tail_; }
    int first() const { return revolute_first_ ? 1 : 0; }
    int inner() const { return n_ - first() - tail_joints(); }
    // The number of coordinates, and which of them are angles.
    int numbers() const {
        const int place = revolute_first_ ? 2 : 3;
        return place + (tail_ == Tail::wrist ? 0 : tail_ == Tail::roll ? 2 : 3);
    }
    bool is_angle(int number) const { return number > (revolute_first_ ? 2 : 3); }
    // Configurations for one choice of the inner joints.
    int branches() const { return tail_ == Tail::wrist ? 2 : 1; }
    // The chain without its base and its tool.
    const ScalarChain& bare() const { return bare_; }

    // The last joint's frame in the first joint's frame, for a target of the tip.
    template <class R> Pose<R> last_frame(const Pose<R>& target) const {
        return broadcast<R>(base_inverse_) * (target * broadcast<R>(tool_inverse_));
    }
    Reduced reduced(const Pose<double>& target) const {
        Reduced out;
        out.pose = last_frame(target);
        describe(out);
        return out;
    }

    // The coordinates of a configuration of the inner joints, the others at 0.
    Reduced of_posture(const double* q) const {
        Reduced out;
        out.pose = forward_chain_noinline<false, double>(bare_, last(), q, nullptr);
        describe(out);
        return out;
    }

    // Complete configurations whose inner joints are known: the first joint takes the target's azimuth, the last ones
    // the orientation. `branch`, 1 or -1, chooses between the wrist's two.
    template <class R> LIMBIK_INLINE void complete(const Pose<R>& wanted, R azimuth, R branch, R* q) const {
        if (revolute_first_) q[0] = R(0.0);
        if (tail_ == Tail::roll) q[n_ - 1] = R(0.0);
        const int before = n_ - tail_joints();
        Pose<R> T = frame_after<R>(tail_ == Tail::wrist ? before : n_, q);
        if (revolute_first_) {
            const Vector3<R> p = transform(T, tail_ == Tail::wrist ? centre_ : point_);
            q[0] = azimuth - arc_tangent2(p.y, p.x);
            R s, c;
            sincos(q[0], s, c);
            T.x = rotated_z(T.x, c, s), T.y = rotated_z(T.y, c, s), T.z = rotated_z(T.z, c, s);
        }
        if (tail_ == Tail::roll) {
            R s, c;
            last_turn(T.x, T.y, wanted, s, c);
            q[n_ - 1] = arc_tangent2(s, c);
        } else if (tail_ == Tail::wrist) {
            solve_wrist_from(T, wanted, branch, q);
        }
    }

    // ---- chains with a wrist

    // The wrist's centre for a pose of the last joint's frame, and as a frame fixed on the arm.
    template <class R> Vector3<R> centre(const Pose<R>& pose) const { return transform(pose, point_); }
    ChainFrame centre_frame() const {
        const int before = n_ - 3;
        ChainFrame frame{before, identity_pose(), false};
        const ChainJoint& link = bare_.joints[std::size_t(before - 1)];
        const double c = link.twist.cosine, s = link.twist.sine;
        frame.placement.origin =
            link.shift + Vector3<double>{centre_.x, c * centre_.y - s * centre_.z, s * centre_.y + c * centre_.z};
        return frame;
    }
    // The frame before the wrist for given joints of the arm, and the wrist's centre for that frame.
    template <class R> LIMBIK_INLINE Pose<R> before_wrist(const R* q) const { return frame_after<R>(n_ - 3, q); }
    template <class R> LIMBIK_INLINE Vector3<R> centre_of(const Pose<R>& before) const {
        return transform(before, centre_);
    }
    // Set the first joint so that the wrist's centre has this azimuth.
    template <class R> LIMBIK_INLINE void rotate_to_azimuth(R azimuth, R* q) const {
        if (!revolute_first_) return;
        q[0] = R(0.0);
        const Vector3<R> p = centre_of(before_wrist(q));
        q[0] = azimuth - arc_tangent2(p.y, p.x);
    }
    template <class R>
    LIMBIK_INLINE void solve_wrist_from(const Pose<R>& T, const Pose<R>& wanted, R branch, R* q) const {
        Pose<R> G;
        G.x = unrotate(T, wanted.x), G.y = unrotate(T, wanted.y), G.z = unrotate(T, wanted.z);
        G.origin = {R(0.0), R(0.0), R(0.0)};
        const GroupMotion<R> m = wrist_.split(G, branch, R(0.0));
        for (int k = 0; k < 3; ++k) q[n_ - 3 + k] = m.q[k] - R(offset_[k]);
    }
    // The wrist's other branch where its axes are perpendicular: the outer joints change by pi, the middle one is
    // mirrored.
    bool can_flip_wrist() const { return wrist_.right_angled; }
    template <class R> LIMBIK_INLINE void flip_wrist(R* q) const {
        const double middle = std::atan2(wrist_.tilt.second, wrist_.tilt.first) - offset_[1];
        q[n_ - 3] = q[n_ - 3] + R(PI), q[n_ - 2] = R(2.0 * middle) - q[n_ - 2], q[n_ - 1] = q[n_ - 1] + R(PI);
    }
    // The last three joints for given joints of the arm.
    template <class R> LIMBIK_INLINE void solve_wrist(const Pose<R>& wanted, R branch, R* q) const {
        solve_wrist_from(frame_after<R>(n_ - 3, q), wanted, branch, q);
    }

  private:
    static constexpr double GENERIC_VALUE = 0.7316;  // joint values without special symmetry
    static constexpr double AXES_MEET = 1e-12;       // axes that are closer than this share of the scale meet

    ChainFrame last() const { return {n_, identity_pose(), false}; }
    int tail_joints() const { return tail_ == Tail::wrist ? 3 : tail_ == Tail::roll ? 1 : 0; }

    // The placement of joint number `count` in the first joint's frame, or, past the last, the last joint's frame.
    template <class R> LIMBIK_INLINE Pose<R> frame_after(int count, const R* q) const {
        Pose<R> T = broadcast<R>(identity_pose());
        const ChainFrame whole = last();
        for (int i = 0; i < count; ++i)
            forward_joint(bare_, whole, i, motion_of(bare_.joints[std::size_t(i)], q[i]), T,
                          static_cast<Axis<R>*>(nullptr));
        return T;
    }
    void describe(Reduced& at) const {
        const Pose<double>& W = at.pose;
        const Vector3<double> p = transform(W, point_);
        double c = 1.0, s = 0.0;
        int k = 0;
        if (revolute_first_) {
            const double distance = std::hypot(p.x, p.y);
            at.azimuth = std::atan2(p.y, p.x);
            if (distance > 0.0) c = p.x / distance, s = p.y / distance;
            at.numbers[k++] = distance;
        } else {
            at.numbers[k++] = p.x, at.numbers[k++] = p.y;
        }
        at.numbers[k++] = p.z;
        if (tail_ == Tail::wrist) return;
        // The direction of the last axis. Parallel to the first it has no azimuth but rounding.
        const double across = c * W.z.x + s * W.z.y, along = c * W.z.y - s * W.z.x;
        at.numbers[k++] = W.z.z;
        at.numbers[k++] = std::hypot(across, along) < PARALLEL_SINE ? 0.0 : std::atan2(along, across);
        if (tail_ == Tail::none) at.numbers[k++] = std::atan2(W.y.z, W.x.z);
    }

    // Find three last axes that meet in one point; else a last revolute joint, with the point of its axis closest to
    // the axis before.
    void find_tail(double scale, bool wrists) {
        point_ = {0, 0, 0};
        if (n_ < 2 || bare_.joints.back().kind != Kind::revolute) return;
        tail_ = Tail::roll;
        std::array<double, 16> q{};
        for (int i = 0; i < n_; ++i) q[std::size_t(i)] = GENERIC_VALUE * (1 + i % 3);
        std::vector<Axis<double>> axes(static_cast<std::size_t>(n_));
        const Pose<double> T = forward_chain_noinline<true, double>(bare_, last(), q.data(), axes.data());
        const Axis<double>& end = axes[std::size_t(n_ - 1)];
        const Vector3<double> point = nearest_point(end, axes[std::size_t(n_ - 2)]);
        point_ = untransform(T, point);
        if (!wrists || n_ - first() < 5) return;  // no inner joints would remain
        const int before = n_ - 3;
        for (int i = before; i < n_; ++i)
            if (bare_.joints[std::size_t(i)].kind != Kind::revolute) return;
        const Axis<double>& begin = axes[std::size_t(before)];
        const Vector3<double> to_first = point - begin.point, to_middle = point - axes[std::size_t(n_ - 2)].point;
        const Vector3<double> a = cross(begin.direction, to_first),
                              b = cross(axes[std::size_t(n_ - 2)].direction, to_middle);
        const double tilt = dot(cross(begin.direction, axes[std::size_t(n_ - 2)].direction), end.direction);
        if (std::sqrt(dot(a, a) + dot(b, b)) > AXES_MEET * scale || std::fabs(tilt) < PARALLEL_SINE) return;
        tail_ = Tail::wrist;
        Pose<double> M[2];
        for (int k = 0; k < 2; ++k) {
            const ConstantRotation& twist = bare_.joints[std::size_t(before + k)].twist;
            M[k] = {{1, 0, 0}, {0, twist.cosine, twist.sine}, {0, -twist.sine, twist.cosine}, {0, 0, 0}};
        }
        wrist_ = SphericalGroup(M[0], M[1]);
        for (int k = 0; k < 3; ++k) {
            const ConstantRotation& turn = bare_.joints[std::size_t(before + k)].offset;
            offset_[k] = std::atan2(turn.sine, turn.cosine);
        }
        centre_ = untransform(frame_after<double>(before, q.data()), point);
    }

    // The point of a line closest to another line; its own point where they are parallel.
    static Vector3<double> nearest_point(const Axis<double>& line, const Axis<double>& other) {
        const Vector3<double> across = cross(line.direction, other.direction);
        const double size = dot(across, across);
        if (size < PARALLEL_SINE) return line.point;
        const double t = dot(cross(other.point - line.point, other.direction), across) / size;
        return madd(line.direction, t, line.point);
    }

    ScalarChain bare_;
    int n_;
    Pose<double> base_inverse_, tool_inverse_;
    bool revolute_first_ = false;
    Tail tail_ = Tail::none;
    // A point of the last axis in the last frame, and the wrist's centre in the frame before the wrist.
    Vector3<double> point_, centre_{0, 0, 0};
    SphericalGroup wrist_;
    double offset_[3] = {};
};

}  // namespace limbik::table
