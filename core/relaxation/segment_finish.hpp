// Damped least squares over the joints of an MMC tree, from the network's fixed point to the targets, inside the
// ranges.
//
// Where hinges constrain it, the network rests where the corrections of all segments cancel, which need not be the
// closest configuration to the targets. From there the joints are rotated. With e the residual of the clamped points
// and J its Jacobian, a step is
//     dq = J' (J J' + lambda 1)^-1 e,
// with three equations for each clamped point, however many segments there are. Joints at the end of their range that
// the step would violate are left out of J, and joints are clamped to their range, so that every posture keeps lengths
// and ranges exactly. A step that does not lower |e| is rejected, and the damping grows (Levenberg, Marquardt).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../linalg/cholesky.hpp"
#include "segment_posture.hpp"

namespace limbik::relaxation {

struct FinishTrace {
    std::vector<Vector3<double>> points;
    std::vector<double> postures;  // after every accepted step, if recorded
    int steps = 0;
    double error = 0.0;  // the largest distance of a clamped point from its target
};

class SegmentFinish {
  public:
    // More equations than this are left to the network: a step costs O(rows^3).
    static constexpr int MOST_ROWS = 60;

    explicit SegmentFinish(const PointNetwork& network)
        : net_(network), n_(network.segments().size()), rows_(3 * network.clamped().size()), state_(network),
          trial_(network) {
        for (const int end : net_.clamped()) {
            std::vector<char> before(n_, 0);
            for (int point = end; point > 0; point = net_.segments()[std::size_t(point) - 1].parent)
                before[std::size_t(point) - 1] = 1;
            moves_.push_back(before);
        }
    }

    void begin(const Vector3<double>* p) { state_.read(p); }
    void randomise(std::uint64_t number) { state_.randomise(number); }

    // From the configuration set by `begin` or `randomise`, approach the targets.
    FinishTrace minimise(const Vector3<double>* target, double tolerance, int most, bool record) {
        FinishTrace trace;
        double best = squared_error(state_, target, trace.error), mu = FIRST_DAMPING;
        if (rows_ == 0 || rows_ > MOST_ROWS) most = 0;
        for (int slow = 0;
             trace.steps < most && trace.error > tolerance && mu < GREATEST_DAMPING && slow < MOST_SLOW_STEPS;) {
            ++trace.steps;
            columns();
            if (!step(target, mu)) break;
            trial_ = state_;
            for (const Column& column : columns_)
                if (column.prismatic) trial_.stretch(column.segment, column.amount);
                else trial_.rotate_about(column.segment, column.axis, column.amount, state_);
            trial_.forward();
            double error;
            const double cost = squared_error(trial_, target, error);
            if (!(cost < best)) {
                mu *= 4.0;
                continue;
            }
            slow = cost > SLOW_RATIO * best ? slow + 1 : 0;
            std::swap(state_, trial_);
            best = cost, trace.error = error, mu = std::max(0.2 * mu, LEAST_DAMPING);
            if (record)
                for (const auto& point : state_.point)
                    trace.postures.insert(trace.postures.end(), {point.x, point.y, point.z});
        }
        trace.points = state_.point;
        return trace;
    }

  private:
    // The initial, least and greatest damping, in mean squares of J's rows; the ratio of squared errors above which a
    // step is slow, and how many may be slow in a row; the largest rotation of a step [rad].
    static constexpr double FIRST_DAMPING = 1e-2, LEAST_DAMPING = 1e-9, GREATEST_DAMPING = 1e6, SLOW_RATIO = 0.98,
                            LONGEST_ROTATION = 0.7;
    static constexpr int MOST_SLOW_STEPS = 6;
    // A joint closer than this to the end of its range is at it [rad, and share of the segment].
    static constexpr double AT_BOUND = 1e-9;

    // A column of J: rotate a joint about an axis, or stretch its segment. low, high: whether it may not decrease, or
    // increase.
    struct Column {
        std::size_t segment;
        Vector3<double> axis;
        bool prismatic, low, high;
        double amount = 0.0;
    };

    double squared_error(const SegmentPosture& s, const Vector3<double>* target, double& error) const {
        double sum = 0.0, worst = 0.0;
        for (std::size_t k = 0; k < moves_.size(); ++k) {
            const Vector3<double> residual = target[k] - s.point[std::size_t(net_.clamped()[k])];
            sum += dot(residual, residual), worst = std::max(worst, dot(residual, residual));
        }
        error = std::sqrt(worst);
        return sum;
    }

    void columns() {
        columns_.clear();
        for (std::size_t i = 0; i < n_; ++i) {
            const Segment& segment = net_.segments()[i];
            const Rotation3& F = state_.frame[i + 1];
            const Rotation3& own = state_.own[i];
            if (segment.joint == SegmentJoint::hinge) {
                const double c = state_.hinge(i).first, s = state_.hinge(i).second;
                const double* end = segment.range.ends;
                const auto at = [&](const double* e) {
                    return segment.range.narrow && std::fabs(c * e[1] - s * e[0]) < AT_BOUND &&
                           c * e[0] + s * e[1] > 0.0;
                };
                columns_.push_back({i, segment.sweeps_cone() ? F.z : F.x, false, at(end), at(end + 2)});
            } else {
                const bool edge = segment.joint == SegmentJoint::cone && own.x.x <= segment.cosine + AT_BOUND;
                Vector3<double> tilt = cross({1, 0, 0}, own.x);  // in the axes at rest
                const double size = norm(tilt);
                tilt = size > AT_BOUND ? scaled(tilt, 1.0 / size) : Vector3<double>{0, 1, 0};
                const Vector3<double> axis = state_.axes(i).rotate(tilt);
                if (net_.planar()) {
                    const bool down = axis.z < 0.0;
                    columns_.push_back({i, {0, 0, 1}, false, edge && down, edge && !down});
                } else {
                    columns_.push_back({i, axis, false, false, edge});
                    columns_.push_back({i, cross(axis, F.x), false, false, false});
                    columns_.push_back({i, F.x, false, false, false});
                }
            }
            if (segment.shortest != segment.longest)
                columns_.push_back({i, state_.direction(i), true,
                                    state_.length[i] <= segment.shortest * (1.0 + AT_BOUND),
                                    state_.length[i] >= segment.longest * (1.0 - AT_BOUND)});
        }
        J_.assign(columns_.size() * rows_, 0.0);
        for (std::size_t c = 0; c < columns_.size(); ++c)
            for (std::size_t k = 0; k < moves_.size(); ++k) {
                const std::size_t i = columns_[c].segment;
                if (!moves_[k][i]) continue;
                const Vector3<double> arm =
                    state_.point[std::size_t(net_.clamped()[k])] - state_.point[std::size_t(net_.segments()[i].parent)];
                const Vector3<double> motion = columns_[c].prismatic ? columns_[c].axis : cross(columns_[c].axis, arm);
                double* at = &J_[c * rows_ + 3 * k];
                at[0] = motion.x, at[1] = motion.y, at[2] = motion.z;
            }
    }

    // The amount of each column; false where nothing can move.
    bool step(const Vector3<double>* target, double mu) {
        std::vector<char> held(columns_.size(), 0);
        for (bool again = true; again;) {
            again = false;
            A_.assign(rows_ * rows_, 0.0), y_.resize(rows_);
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                if (held[c]) continue;
                const double* column = &J_[c * rows_];
                for (std::size_t r = 0; r < rows_; ++r)
                    for (std::size_t q = 0; q <= r; ++q)
                        A_[r * rows_ + q] = madd(column[r], column[q], A_[r * rows_ + q]);
            }
            double trace = 0.0;
            for (std::size_t r = 0; r < rows_; ++r) trace += A_[r * rows_ + r];
            if (!(trace > 0.0)) return false;
            for (std::size_t r = 0; r < rows_; ++r) A_[r * rows_ + r] += mu * trace / double(rows_);
            for (std::size_t k = 0; k < moves_.size(); ++k) {
                const Vector3<double> residual = target[k] - state_.point[std::size_t(net_.clamped()[k])];
                y_[3 * k] = residual.x, y_[3 * k + 1] = residual.y, y_[3 * k + 2] = residual.z;
            }
            const FullRows rows{int(rows_), int(rows_)};
            if (!cholesky_factor(rows, A_.data())) return false;
            cholesky_solve(rows, A_.data(), y_.data());
            double longest = 0.0;
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                double amount = 0.0;
                if (!held[c])
                    for (std::size_t r = 0; r < rows_; ++r) amount = madd(J_[c * rows_ + r], y_[r], amount);
                columns_[c].amount = amount;
                if ((columns_[c].low && amount < 0.0) || (columns_[c].high && amount > 0.0)) held[c] = 1, again = true;
                if (!columns_[c].prismatic) longest = std::max(longest, std::fabs(amount));
            }
            if (!again && longest > LONGEST_ROTATION)
                for (Column& column : columns_) column.amount *= LONGEST_ROTATION / longest;
        }
        return true;
    }

    const PointNetwork& net_;
    std::size_t n_, rows_;
    std::vector<std::vector<char>> moves_;  // for each clamped point, whether the joint of a segment moves it
    SegmentPosture state_, trial_;
    std::vector<Column> columns_;
    std::vector<double> J_, A_, y_;
};

}  // namespace limbik::relaxation
