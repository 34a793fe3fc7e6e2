// The goal that raises a frame's manipulability: the geometric mean of the singular values of its Jacobian.
//
// Lengths are divided by `length`, so the mean has no unit: 0 in a singular configuration, about 1 in a good one. The
// residual is 1/(1 + mean), which falls from 1 to 0 as the mean grows. SMALL is added to every squared singular value,
// so that the measure is smooth, also for a mechanism that cannot move in some direction.
//
// A motion is one column of one joint: (v, w), the frame's twist when that joint moves alone. Motion j rotates the axis
// of every motion k farther along the chain, and its own: (v, w) of k changes by (wj x vk, wj x wk). A motion k nearer
// to the base than j keeps its axis, and only its lever to the frame changes: v by wk x vj. Among the three rotations
// of a ball joint each rotates the axes of all.
#pragma once

#include <array>
#include <cmath>

#include "../linalg/cholesky.hpp"
#include "relative_frame.hpp"

namespace limbik::goals {

class ManipulabilityGoal final : public Goal {
  public:
    // `position`, `rotation`: which rows of the Jacobian count.
    ManipulabilityGoal(const Mechanism& m, int frame, bool position, bool rotation, double length, Part part)
        : frame_(m.frames[std::size_t(frame)]), columns_of_frame_(m, frame, {0, 0, 0}, -1), length_(length),
          first_(position ? 0 : 3), last_(rotation ? 6 : 3) {
        columns_ = columns_of_frame_.columns();
        parts_ = {part};
        std::vector<int> path;
        for (int e = frame_.element; e >= 0; e = m.elements[std::size_t(e)].parent) path.push_back(e);
        std::reverse(path.begin(), path.end());
        for (const int e : path) {
            const Element& element = m.elements[std::size_t(e)];
            const std::size_t place =
                std::size_t(std::lower_bound(columns_.begin(), columns_.end(), element.first) - columns_.begin());
            const int size = size_of(element.kind);
            for (int k = 0; k < size; ++k) {
                const bool prismatic = element.kind == Kind::prismatic || (size == 6 && k < 3);
                if (k == 0 || (size == 6 && k <= 3)) ++ranks_;
                motions_.push_back({e, size == 1 ? 2 : k % 3, prismatic, size == 1 ? element.scale : 1.0,
                                    place + std::size_t(k), ranks_});
            }
        }
    }

    void measure(const MechanismState& s, const double*, double* e, double* J) const override {
        const std::size_t n = columns_.size();
        const int rows = last_ - first_;
        std::vector<Twist> moves(motions_.size());
        Columns jacobian(n), pulled(n);
        const Vector3<double> p = frame_pose(frame_, s.elements.data()).origin;
        for (std::size_t k = 0; k < motions_.size(); ++k) {
            const Motion& motion = motions_[k];
            const Element& element = s.mechanism.elements[std::size_t(motion.element)];
            Pose<double> T = s.elements[std::size_t(motion.element)];
            if (motion.prismatic && element.kind == Kind::floating)
                T = element.parent < 0 ? element.placement
                                       : s.elements[std::size_t(element.parent)] * element.placement;
            const Vector3<double> axis = scaled(motion.axis == 0 ? T.x : motion.axis == 1 ? T.y : T.z, motion.scale);
            moves[k] = motion.prismatic ? Twist{axis, {0, 0, 0}} : Twist{cross(axis, p - T.origin), axis};
            add(jacobian[motion.place], moves[k], motion.prismatic ? length_ : 1.0);
        }
        const int count = std::min<int>(rows, int(n));
        const double half_log = pull(jacobian, pulled, rows, count);
        std::fill_n(J, n, 0.0);
        for (std::size_t j = 0; j < motions_.size(); ++j)
            for (std::size_t k = 0; k < motions_.size(); ++k) {
                const Motion &of = motions_[j], &at = motions_[k];
                const Twist change = of.rank <= at.rank ? Twist{cross(moves[j].angular, moves[k].linear),
                                                                cross(moves[j].angular, moves[k].angular)}
                                                        : Twist{cross(moves[k].angular, moves[j].linear), {0, 0, 0}};
                std::array<double, 6> column{};
                add(column, change, at.prismatic ? length_ : 1.0);
                for (std::size_t r = 0; r < 6; ++r) J[of.place] += pulled[at.place][r] * column[r];
            }
        const double mean = count > 0 ? std::exp(half_log / count) : 0.0, missing = 1.0 / (1.0 + mean);
        e[0] = missing;
        for (std::size_t j = 0; j < n; ++j) J[j] *= -missing * missing * mean / std::max(count, 1);
    }

  private:
    using Columns = std::vector<std::array<double, 6>>;

    // G = (J J' + SMALL)^-1 J = J (J' J + SMALL)^-1. Returns half the logarithm of the determinant of the smaller of
    // the two matrices.
    double pull(const Columns& J, Columns& G, int rows, int count) const {
        const bool by_rows = count == rows;
        const std::size_t n = J.size(), size = std::size_t(count);
        const auto entry = [&](std::size_t column, std::size_t row) { return J[column][std::size_t(first_) + row]; };
        const FullRows square{count, 6};
        double L[6 * 6], half_log = 0.0;
        for (std::size_t r = 0; r < size; ++r)
            for (std::size_t c = 0; c <= r; ++c) {
                double& sum = L[r * 6 + c];
                sum = r == c ? SMALL : 0.0;
                for (std::size_t k = 0; k < (by_rows ? n : std::size_t(rows)); ++k)
                    sum += by_rows ? entry(k, r) * entry(k, c) : entry(r, k) * entry(c, k);
            }
        cholesky_factor(square, L, [](double d) { return std::max(d, 0.5 * SMALL); });
        for (std::size_t r = 0; r < size; ++r) half_log -= std::log(L[r * 6 + r]);
        for (std::size_t j = 0; j < n; ++j) {
            double x[6] = {};
            for (std::size_t r = 0; r < size; ++r) x[r] = by_rows ? entry(j, r) : double(r == j);
            cholesky_solve(square, L, x);
            G[j] = {};
            for (std::size_t r = 0; r < std::size_t(rows); ++r) {
                double& to = G[j][std::size_t(first_) + r];
                if (by_rows) to = x[r];
                for (std::size_t k = 0; !by_rows && k < n; ++k) to += x[k] * entry(k, r);
            }
        }
        return half_log;
    }

    struct Motion {
        int element, axis;
        bool prismatic;
        double scale;
        std::size_t place;
        int rank;
    };
    // Added to every squared singular value.
    static constexpr double SMALL = 1e-6;

    void add(std::array<double, 6>& to, const Twist& t, double unit) const {
        const double per_length = unit / length_;
        to[0] += t.linear.x * per_length, to[1] += t.linear.y * per_length, to[2] += t.linear.z * per_length;
        to[3] += t.angular.x * unit, to[4] += t.angular.y * unit, to[5] += t.angular.z * unit;
    }

    Frame frame_;
    RelativeFrame columns_of_frame_;
    double length_;
    int first_, last_, ranks_ = 0;
    std::vector<Motion> motions_;
};

}  // namespace limbik::goals
