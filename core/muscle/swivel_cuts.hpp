// The swivels at which a shoulder-elbow arm, its tip held at a point, meets a joint limit or the end of a muscle's
// range.
//
// Along the swivel psi
// - a joint of the shoulder meets a given angle where left' G right has a given value (closed_form/group_limits.hpp),
// - a straight muscle from the base to a point of the bent arm has the squared length P cos psi + Q sin psi + C,
// - a muscle on the pulley of one shoulder joint has a length where that joint has an angle,
// - a muscle across the elbow alone does not change.
// Each of these has two roots at the most. Muscles of another sort (several moving pieces, a pulley and a moving piece)
// have no such equation: there the circle is cut evenly as well.
#pragma once

#include <algorithm>

#include "../closed_form/group_limits.hpp"
#include "muscles.hpp"
#include "shoulder_elbow.hpp"

namespace limbik::muscle {

// The arm with one bend of the elbow, its tip at the target.
struct SwivelFamily {
    double q4;
    Point v, t;  // unit vectors along the bent arm and to the target
    Pose<double> R0, G0;
    Point k;  // the axis of the swivel in the frame of the group
    mutable long looks = 0;
};

class SwivelCuts {
  public:
    // `down`: where an elbow with a swivel of 0 points, as far as it can.
    SwivelCuts(const Kinematics& k, const ShoulderElbow& arm, const Muscles& muscles, const double* least,
               const double* most, const Point& down)
        : arm_(arm), muscles_(muscles), down_(down) {
        std::copy_n(least, 4, lower), std::copy_n(most, 4, upper);
        for (int j = 0; j < 4; ++j) choose_one_turn(j);
        const double zero[4] = {};
        forward_elements(k.mechanism, zero, zero_poses_);
        for (std::size_t i = 0; i < muscles.size(); ++i) sort_.push_back(sort_of(muscles[i]));
        exact_ = std::none_of(sort_.begin(), sort_.end(), [](const Sort& s) { return s.kind == Sort::other; });
    }

    // Whether the ends of all ranges are found.
    bool exact() const { return exact_; }
    // Whether a muscle counts the turns of a joint that has several.
    bool turns() const { return turns_; }

    SwivelFamily family_of(const Point& t, double d, double q4) const {
        SwivelFamily f;
        f.q4 = q4;
        const Point v = arm_.bent(q4);
        const double length = norm(v);
        f.v = length > 0.0 ? scaled(v, 1.0 / length) : -perpendicular(arm_.axis[3]);
        f.t = d > 0.0 ? scaled(t, 1.0 / d) : f.v;
        const auto side = [&](const Point& wish, const Point& line) {
            const Point flat = wish - scaled(line, dot(wish, line));
            const double size = norm(flat);
            return size > 1e-9 * norm(wish) ? scaled(flat, 1.0 / size) : -perpendicular(line);
        };
        f.R0 = ShoulderElbow::onto(f.v, f.t, side(arm_.elbow - arm_.shoulder, f.v), side(down_, f.t));
        f.G0 = arm_.in_group(f.R0);
        f.k = rotate(turned_back(arm_.frame(0)), f.t);
        return f;
    }

    // Swivels, in order, between which nothing changes.
    std::vector<double> cuts_of(const SwivelFamily& f) const {
        std::vector<double> out;
        out.reserve(64);
        const SphericalGroup& g = arm_.group();
        for (int j = 0; j < 3; ++j) cut_angle(f, j, lower[j], out), cut_angle(f, j, upper[j], out);
        for (int k = 0; k < 2 && !g.right_angled; ++k) cut_group(f, at_end(g, k), out);
        // where the last axis comes nearest the first its neighbours turn quickly
        const Point last = f.G0.z;
        const double a = last.z - f.k.z * dot(f.k, last), b = cross(f.k, last).z;
        out.push_back(std::atan2(b, a)), out.push_back(std::atan2(-b, -a));
        bool rough = false;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const Sort& sort = sort_[i];
            const Muscle& muscle = muscles_[i];
            rough = rough || sort.kind == Sort::other;
            if (sort.kind != Sort::swinging && sort.kind != Sort::angle) continue;
            Point base{0, 0, 0}, arm{0, 0, 0};
            const double still = still_part(f, muscle, base, arm);
            for (const double bound : {muscle.lower, muscle.upper}) {
                if (!std::isfinite(bound)) continue;
                if (sort.kind == Sort::angle) {
                    cut_angle(f, sort.joint, (bound - still) / sort.radius, out);
                } else if (bound >= still) {
                    // (bound - still)^2 = |base|^2 + |arm|^2 - 2 base . Rot(t, psi) arm
                    const double left = bound - still;
                    cut_turning(f.t, base, arm, 0.5 * (dot(base, base) + dot(arm, arm) - left * left), out);
                }
            }
        }
        if (rough)
            for (double psi = -PI; psi < PI; psi += LONGEST_STEP) out.push_back(psi);
        out.push_back(-PI), out.push_back(PI);
        std::sort(out.begin(), out.end());
        return out;
    }

    double lower[4], upper[4];  // of the joints

  private:
    static constexpr double LONGEST_STEP = 0.05;  // [rad] between looks where muscles of another sort are
    // Limits that are missed by less are touched at one swivel: by the sine, as a part of what it can be.
    static constexpr double TOUCHES = 1e-9;

    struct Sort {
        enum Kind { still, swinging, angle, other } kind;
        int joint;  // whose angle it is, and the radius of its pulley
        double radius;
    };
    // A joint that may go round more than once is on the turn that the muscles on its pulleys leave, where they do.
    void choose_one_turn(int j) {
        if (upper[j] - lower[j] <= TURN) return;
        bool counted = false;
        for (const Muscle& m : muscles_) {
            const double radius = radius_on(m, j);
            bool alone = m.pieces.empty() && radius != 0.0;
            for (int other = 0; other < 4; ++other) alone = alone && (other == j || radius_on(m, other) == 0.0);
            counted = counted || radius != 0.0;
            if (!alone) continue;
            const double a = (m.lower - m.rest) / radius, b = (m.upper - m.rest) / radius;
            lower[j] = std::max(lower[j], std::min(a, b)), upper[j] = std::min(upper[j], std::max(a, b));
        }
        turns_ = turns_ || (counted && upper[j] - lower[j] > TURN);
    }
    // What the pulleys of a muscle on a joint take up together.
    static double radius_on(const Muscle& m, int joint) {
        double radius = 0.0;
        for (const MusclePulley& pulley : m.pulleys)
            if (pulley.variable == joint) radius += pulley.radius;
        return radius;
    }

    // What a muscle does along the swivel.
    Sort sort_of(const Muscle& muscle) const {
        int moving = 0;
        for (const MusclePiece& piece : muscle.pieces) {
            const int a = piece.start.element, b = piece.end.element;
            if (a == 0 || a == 1 || b == 0 || b == 1) return {Sort::other, 0, 0.0};
            moving += (a < 0) != (b < 0);
        }
        int turning = 0, joint = 0;
        double radius = 0.0;
        for (int j = 0; j < 3; ++j)
            if (const double own = radius_on(muscle, j); own != 0.0) ++turning, joint = j, radius = own;
        if (moving == 0 && turning == 0) return {Sort::still, 0, 0.0};
        if (moving == 1 && turning == 0) return {Sort::swinging, 0, 0.0};
        // where a joint has several turns to choose from, an angle does not tell a length
        const bool one_turn = turning == 1 && upper[joint] - lower[joint] <= TURN;
        if (moving == 0 && one_turn) return {Sort::angle, joint, radius};
        return {Sort::other, 0, 0.0};
    }

    // a cos + b sin = d: at most two swivels.
    static void cut(double a, double b, double d, std::vector<double>& out) {
        const double rho = std::hypot(a, b);
        if (!(std::fabs(d) <= rho * (1.0 + TOUCHES)) || rho == 0.0) return;
        double at[2];
        two_angles(a, b, d / rho, at);
        out.insert(out.end(), at, at + 2);
    }
    // left' Rot(k, psi) right = value.
    static void cut_turning(const Point& k, const Point& left, const Point& right, double value,
                            std::vector<double>& out) {
        const double along = dot(left, k) * dot(k, right);
        cut(dot(left, right) - along, dot(left, cross(k, right)), value - along, out);
    }
    static void cut_group(const SwivelFamily& f, const GroupEquation& e, std::vector<double>& out) {
        cut_turning(f.k, e.left, rotate(f.G0, e.right), e.value, out);
    }
    void cut_angle(const SwivelFamily& f, int joint, double angle, std::vector<double>& out) const {
        if (!std::isfinite(angle)) return;
        cut_group(f, at_angle(arm_.group(), joint, std::cos(angle), std::sin(angle)), out);
    }

    // Where a point of the arm is at swivel 0, seen from the shoulder.
    Point place(const SwivelFamily& f, const MusclePoint& point) const {
        const Point zero = transform(zero_poses_[point.element], point.at);
        return rotate(f.R0, point.element == 3 ? arm_.bent(f.q4, zero) : zero - arm_.shoulder);
    }
    // The part of a muscle that does not change along the swivel; `base` and `arm` are the ends of the piece that does.
    double still_part(const SwivelFamily& f, const Muscle& muscle, Point& base, Point& arm) const {
        double still = muscle.rest;
        for (const MusclePiece& piece : muscle.pieces) {
            const bool a = piece.start.element < 0, b = piece.end.element < 0;
            if (a != b) {
                base = (a ? piece.start.at : piece.end.at) - arm_.shoulder;
                arm = place(f, a ? piece.end : piece.start);
            } else if (a) {
                still += norm(piece.end.at - piece.start.at);
            } else {
                still += norm(place(f, piece.end) - place(f, piece.start));
            }
        }
        for (const MusclePulley& pulley : muscle.pulleys)
            if (pulley.variable == 3) still += pulley.radius * f.q4;
        return still;
    }

    const ShoulderElbow& arm_;
    const Muscles& muscles_;
    Point down_;
    Pose<double> zero_poses_[4];
    std::vector<Sort> sort_;
    bool exact_ = false, turns_ = false;
};

}  // namespace limbik::muscle
