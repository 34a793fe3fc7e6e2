// The swivels at which a shoulder-elbow arm, its tip held at a point, meets a joint limit or the end of a muscle's
// range.
//
// Along the swivel psi
// - a joint of the shoulder meets a given angle where left' G right has a given value (closed_form/group_limits.hpp),
// - a straight muscle from the base to a point of the bent arm has the squared length P cos psi + Q sin psi + C,
// - a muscle on the pulley of one shoulder joint has a length where that joint has an angle,
// - a muscle across the elbow alone does not change.
// Each of these has two roots at most. Muscles of another kind (several moving pieces, a pulley and a moving piece)
// have no such equation: for them the circle is also cut evenly.
#pragma once

#include <algorithm>

#include "../closed_form/group_limits.hpp"
#include "muscles.hpp"
#include "shoulder_elbow.hpp"

namespace limbik::muscle {

// The arm at one elbow angle with its tip at the target, up to the swivel.
struct SwivelCircle {
    double q4;
    Point v, t;  // unit vectors along the bent arm and to the target
    Pose<double> R0, G0;
    Point k;  // the axis of the swivel in the frame of the group
    mutable long evaluations = 0;
};

class SwivelCuts {
  public:
    // `down`: the direction of the elbow at swivel 0, as far as it can point there.
    SwivelCuts(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* least,
               const double* most, const Point& down)
        : arm_(arm), muscles_(muscles), down_(down) {
        std::copy_n(least, 4, lower), std::copy_n(most, 4, upper);
        for (int j = 0; j < 4; ++j) narrow_to_one_copy(j);
        const double zero[4] = {};
        forward_elements(k.mechanism, zero, zero_poses_);
        for (std::size_t i = 0; i < muscles.size(); ++i) kinds_.push_back(kind_of(muscles[i]));
        exact_ =
            std::none_of(kinds_.begin(), kinds_.end(), [](const MuscleKind& s) { return s.kind == MuscleKind::other; });
    }

    // Whether the cuts contain all ends of ranges.
    bool exact() const { return exact_; }
    // Whether a muscle's length distinguishes 2-pi copies of a joint of which several are inside the limits.
    bool ambiguous() const { return ambiguous_; }

    SwivelCircle circle_of(const Point& t, double d, double q4) const {
        SwivelCircle f;
        f.q4 = q4;
        const Point v = arm_.bent(q4);
        const double length = norm(v);
        f.v = length > 0.0 ? scaled(v, 1.0 / length) : -perpendicular(arm_.axis[3]);
        f.t = d > 0.0 ? scaled(t, 1.0 / d) : f.v;
        const auto side = [&](const Point& direction, const Point& line) {
            const Point flat = direction - scaled(line, dot(direction, line));
            const double size = norm(flat);
            return size > 1e-9 * norm(direction) ? scaled(flat, 1.0 / size) : -perpendicular(line);
        };
        f.R0 = ShoulderElbow::rotation_onto(f.v, f.t, side(arm_.elbow - arm_.shoulder, f.v), side(down_, f.t));
        f.G0 = arm_.in_group(f.R0);
        f.k = rotate(transposed(arm_.frame(0)), f.t);
        return f;
    }

    // Swivels, ascending, between which no condition changes.
    std::vector<double> cuts_of(const SwivelCircle& f) const {
        std::vector<double> out;
        out.reserve(64);
        const SphericalGroup& g = arm_.group();
        for (int j = 0; j < 3; ++j) cut_angle(f, j, lower[j], out), cut_angle(f, j, upper[j], out);
        for (int k = 0; k < 2 && !g.right_angled; ++k) cut_group(f, at_end(g, k), out);
        // where the last axis is closest to being parallel to the first, the outer joints move fast
        const Point last = f.G0.z;
        const double a = last.z - f.k.z * dot(f.k, last), b = cross(f.k, last).z;
        out.push_back(std::atan2(b, a)), out.push_back(std::atan2(-b, -a));
        bool has_other = false;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const MuscleKind& kind = kinds_[i];
            const Muscle& muscle = muscles_[i];
            has_other = has_other || kind.kind == MuscleKind::other;
            if (kind.kind != MuscleKind::straight && kind.kind != MuscleKind::angle) continue;
            Point base{0, 0, 0}, arm{0, 0, 0};
            const double constant = constant_length(f, muscle, base, arm);
            for (const double bound : {muscle.lower, muscle.upper}) {
                if (!std::isfinite(bound)) continue;
                if (kind.kind == MuscleKind::angle) {
                    cut_angle(f, kind.joint, (bound - constant) / kind.radius, out);
                } else if (bound >= constant) {
                    // (bound - constant)^2 = |base|^2 + |arm|^2 - 2 base . Rot(t, psi) arm
                    const double left = bound - constant;
                    cut_rotation(f.t, base, arm, 0.5 * (dot(base, base) + dot(arm, arm) - left * left), out);
                }
            }
        }
        if (has_other)
            for (double psi = -PI; psi < PI; psi += LONGEST_STEP) out.push_back(psi);
        out.push_back(-PI), out.push_back(PI);
        std::sort(out.begin(), out.end());
        return out;
    }

    double lower[4], upper[4];  // of the joints

  private:
    static constexpr double LONGEST_STEP = 0.05;  // [rad] between samples for muscles of another kind
    // The relative margin within which a limit counts as touched.
    static constexpr double TOUCHES = 1e-9;

    struct MuscleKind {
        enum Kind { constant, straight, angle, other } kind;
        int joint;  // whose angle it is; the radius of its pulley
        double radius;
    };
    // A joint with a range above 2 pi is narrowed to the range of the muscles on its pulley alone.
    void narrow_to_one_copy(int j) {
        if (upper[j] - lower[j] <= TURN) return;
        bool on_pulley = false;
        for (const Muscle& m : muscles_) {
            const double radius = radius_on(m, j);
            bool alone = m.pieces.empty() && radius != 0.0;
            for (int other = 0; other < 4; ++other) alone = alone && (other == j || radius_on(m, other) == 0.0);
            on_pulley = on_pulley || radius != 0.0;
            if (!alone) continue;
            const double a = (m.lower - m.rest) / radius, b = (m.upper - m.rest) / radius;
            lower[j] = std::max(lower[j], std::min(a, b)), upper[j] = std::min(upper[j], std::max(a, b));
        }
        ambiguous_ = ambiguous_ || (on_pulley && upper[j] - lower[j] > TURN);
    }
    // The sum of the radii of a muscle's pulleys on a joint.
    static double radius_on(const Muscle& m, int joint) {
        double radius = 0.0;
        for (const MusclePulley& pulley : m.pulleys)
            if (pulley.variable == joint) radius += pulley.radius;
        return radius;
    }

    // How a muscle's length depends on the swivel.
    MuscleKind kind_of(const Muscle& muscle) const {
        int moving = 0;
        for (const MusclePiece& piece : muscle.pieces) {
            const int a = piece.start.element, b = piece.end.element;
            if (a == 0 || a == 1 || b == 0 || b == 1) return {MuscleKind::other, 0, 0.0};
            moving += (a < 0) != (b < 0);
        }
        int pulley_joints = 0, joint = 0;
        double radius = 0.0;
        for (int j = 0; j < 3; ++j)
            if (const double own = radius_on(muscle, j); own != 0.0) ++pulley_joints, joint = j, radius = own;
        if (moving == 0 && pulley_joints == 0) return {MuscleKind::constant, 0, 0.0};
        if (moving == 1 && pulley_joints == 0) return {MuscleKind::straight, 0, 0.0};
        // with several 2-pi copies an angle does not determine a length
        const bool one_turn = pulley_joints == 1 && upper[joint] - lower[joint] <= TURN;
        if (moving == 0 && one_turn) return {MuscleKind::angle, joint, radius};
        return {MuscleKind::other, 0, 0.0};
    }

    // a cos + b sin = d: at most two swivels.
    static void cut(double a, double b, double d, std::vector<double>& out) {
        const double rho = std::hypot(a, b);
        if (!(std::fabs(d) <= rho * (1.0 + TOUCHES)) || rho == 0.0) return;
        double at[2];
        cosine_roots(a, b, d / rho, at);
        out.insert(out.end(), at, at + 2);
    }
    // left' Rot(k, psi) right = value.
    static void cut_rotation(const Point& k, const Point& left, const Point& right, double value,
                             std::vector<double>& out) {
        const double along = dot(left, k) * dot(k, right);
        cut(dot(left, right) - along, dot(left, cross(k, right)), value - along, out);
    }
    static void cut_group(const SwivelCircle& f, const GroupEquation& e, std::vector<double>& out) {
        cut_rotation(f.k, e.left, rotate(f.G0, e.right), e.value, out);
    }
    void cut_angle(const SwivelCircle& f, int joint, double angle, std::vector<double>& out) const {
        if (!std::isfinite(angle)) return;
        cut_group(f, at_angle(arm_.group(), joint, std::cos(angle), std::sin(angle)), out);
    }

    // A point of the arm at swivel 0, relative to the shoulder.
    Point place(const SwivelCircle& f, const MusclePoint& point) const {
        const Point zero = transform(zero_poses_[point.element], point.at);
        return rotate(f.R0, point.element == 3 ? arm_.bent(f.q4, zero) : zero - arm_.shoulder);
    }
    // The part of a muscle's length that is independent of the swivel; `base` and `arm` are the ends of the piece that
    // is not.
    double constant_length(const SwivelCircle& f, const Muscle& muscle, Point& base, Point& arm) const {
        double constant = muscle.rest;
        for (const MusclePiece& piece : muscle.pieces) {
            const bool a = piece.start.element < 0, b = piece.end.element < 0;
            if (a != b) {
                base = (a ? piece.start.at : piece.end.at) - arm_.shoulder;
                arm = place(f, a ? piece.end : piece.start);
            } else if (a) {
                constant += norm(piece.end.at - piece.start.at);
            } else {
                constant += norm(place(f, piece.end) - place(f, piece.start));
            }
        }
        for (const MusclePulley& pulley : muscle.pulleys)
            if (pulley.variable == 3) constant += pulley.radius * f.q4;
        return constant;
    }

    const ShoulderElbow& arm_;
    const Muscles& muscles_;
    Point down_;
    Pose<double> zero_poses_[4];
    std::vector<MuscleKind> kinds_;
    bool exact_ = false, ambiguous_ = false;
};

}  // namespace limbik::muscle
