// The pose of a frame in the coordinates of another frame, and its derivatives with respect to q.
//
// Joints that move both frames have no effect and are left out. A joint that moves only the observer counts with the
// opposite sign.
#pragma once

#include "goal.hpp"

namespace limbik::goals {

// Linear and angular velocity of a frame.
struct Twist {
    Vector3<double> linear, angular;
};

class RelativeFrame {
  public:
    // `from`: the observer's frame, or -1 for the base. `at`: the observed point, in the frame's coordinates.
    RelativeFrame(const Mechanism& m, int frame, const Vector3<double>& at, int from)
        : frame_(m.frames[std::size_t(frame)]), from_(from) {
        frame_.placement.origin = transform(frame_.placement, at);
        if (from >= 0) observer_ = m.frames[std::size_t(from)];
        std::vector<int> signs(m.elements.size(), 0);
        for (int e = frame_.element; e >= 0; e = m.elements[std::size_t(e)].parent) signs[std::size_t(e)] += 1;
        for (int e = from >= 0 ? observer_.element : -1; e >= 0; e = m.elements[std::size_t(e)].parent)
            signs[std::size_t(e)] -= 1;
        for (std::size_t e = 0; e < signs.size(); ++e) {
            if (signs[e] == 0) continue;
            movers_.push_back({int(e), double(signs[e]), 0});
            for (int k = 0; k < size_of(m.elements[e].kind); ++k) columns_.push_back(m.elements[e].first + k);
        }
        std::sort(columns_.begin(), columns_.end());
        columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
        for (Mover& mover : movers_) {
            const int first = m.elements[std::size_t(mover.element)].first;
            mover.place = std::size_t(std::lower_bound(columns_.begin(), columns_.end(), first) - columns_.begin());
        }
    }

    const std::vector<int>& columns() const { return columns_; }

    Pose<double> pose(const MechanismState& s) const {
        const Pose<double> T = frame_pose(frame_, s.elements.data());
        if (from_ < 0) return T;
        const Pose<double> from = frame_pose(observer_, s.elements.data());
        return {unrotate(from, T.x), unrotate(from, T.y), unrotate(from, T.z), unrotate(from, T.origin - from.origin)};
    }

    // One twist per column, in the observer's coordinates.
    void twists(const MechanismState& s, Twist* out) const {
        const Vector3<double> none = {0, 0, 0};
        std::fill_n(out, columns_.size(), Twist{none, none});
        const Vector3<double> p = frame_pose(frame_, s.elements.data()).origin;
        for (const Mover& mover : movers_) {
            const Element& element = s.mechanism.elements[std::size_t(mover.element)];
            const Pose<double>& T = s.elements[std::size_t(mover.element)];
            Twist* to = out + mover.place;
            const auto translate = [&](const Vector3<double>& axis, double rate) {
                to->linear = madd(axis, rate, to->linear);
            };
            const auto rotate_about = [&](const Vector3<double>& axis, double rate) {
                to->linear = madd(cross(axis, p - T.origin), rate, to->linear);
                to->angular = madd(axis, rate, to->angular);
            };
            switch (element.kind) {
                case Kind::revolute: rotate_about(T.z, mover.sign * element.scale); break;
                case Kind::prismatic: translate(T.z, mover.sign * element.scale); break;
                case Kind::floating: {
                    const Pose<double> before = element.parent < 0
                                                    ? element.placement
                                                    : s.elements[std::size_t(element.parent)] * element.placement;
                    translate(before.x, mover.sign), ++to;
                    translate(before.y, mover.sign), ++to;
                    translate(before.z, mover.sign), ++to;
                    [[fallthrough]];
                }
                case Kind::ball:
                    rotate_about(T.x, mover.sign), ++to;
                    rotate_about(T.y, mover.sign), ++to;
                    rotate_about(T.z, mover.sign);
            }
        }
        if (from_ < 0) return;
        const Pose<double> from = frame_pose(observer_, s.elements.data());
        for (std::size_t k = 0; k < columns_.size(); ++k)
            out[k] = {unrotate(from, out[k].linear), unrotate(from, out[k].angular)};
    }

  private:
    struct Mover {
        int element;
        double sign;
        std::size_t place;  // the index of its first column
    };
    Frame frame_, observer_{};
    int from_;
    std::vector<Mover> movers_;
    std::vector<int> columns_;
};

// A goal for one frame in the coordinates of another.
class FrameGoal : public Goal {
  public:
    FrameGoal(RelativeFrame view, std::vector<Part> parts, int aims) : view_(std::move(view)) {
        columns_ = view_.columns();
        parts_ = std::move(parts);
        aims_ = aims;
    }

    void measure(const MechanismState& state, const double* aim, double* e, double* J) const final {
        Twist few[FEW];
        std::vector<Twist> many;
        Twist* twists = few;
        if (columns_.size() > FEW) many.resize(columns_.size()), twists = many.data();
        view_.twists(state, twists);
        measure_frame(view_.pose(state), twists, aim, e, J);
    }

  protected:
    // Residual and derivatives from the pose and the twist of every column.
    virtual void measure_frame(const Pose<double>& T, const Twist* twists, const double* aim, double* e,
                               double* J) const = 0;

    static constexpr std::size_t FEW = 64;
    RelativeFrame view_;
};

// Two unit vectors that complete a unit vector to a right-handed basis.
inline void orthonormal_basis(const Vector3<double>& axis, Vector3<double>& first, Vector3<double>& second) {
    const Vector3<double> other = std::abs(axis.x) < 0.6 ? Vector3<double>{1, 0, 0} : Vector3<double>{0, 1, 0};
    first = other - scaled(axis, dot(axis, other));
    first = scaled(first, 1.0 / std::sqrt(dot(first, first)));
    second = cross(axis, first);
}

}  // namespace limbik::goals
