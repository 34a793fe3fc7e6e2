// From where points came to rest to where their ends should be, by the turns of the joints: damped least squares inside
// the ranges.
//
// Points that a hinge does not let go where they want come to rest where the corrections of all limbs cancel, which
// need not be where the ends are as near as the joints allow. From there on the joints themselves are turned. With e
// what the ends miss, J what a small turn (or stretch) of each joint does to them, a step is
//     dq = J' (J J' + lambda 1)^-1 e,
// as many equations as ends have coordinates, however many limbs there are. Joints at the end of their range that the
// step would take out of it are left out of J, and what goes over an end is brought back to it, so that every posture
// keeps lengths and ranges exactly. A step that does not lower |e| is taken back and damped more (Levenberg,
// Marquardt).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../linalg/cholesky.hpp"
#include "segment_posture.hpp"

namespace limbik::relaxation {

struct FinishCourse {
    std::vector<Vector3<double>> points;
    std::vector<double> postures;  // of every step that lowered the error, where they are recorded
    int steps = 0;
    double error = 0.0;  // the largest distance of a clamped point from its target
};

class LimbFinish {
  public:
    // More equations than this are left to the network: a step costs their third power.
    static constexpr int MOST_ROWS = 60;

    explicit LimbFinish(const PointNetwork& network)
        : net_(network), n_(network.limbs().size()), rows_(3 * network.clamped().size()), state_(network),
          trial_(network) {
        for (const int end : net_.clamped()) {
            std::vector<char> before(n_, 0);
            for (int point = end; point > 0; point = net_.limbs()[std::size_t(point) - 1].parent)
                before[std::size_t(point) - 1] = 1;
            before_.push_back(before);
        }
    }

    void begin(const Vector3<double>* p) { state_.read(p); }
    void scatter(std::uint64_t number) { state_.scatter(number); }

    // From where it stands, by `begin` or `scatter`, to the targets as near as it comes.
    FinishCourse pursue(const Vector3<double>* target, double tolerance, int most, bool record) {
        FinishCourse course;
        double best = missed(state_, target, course.error), mu = FIRST;
        if (rows_ == 0 || rows_ > MOST_ROWS) most = 0;
        for (int dull = 0; course.steps < most && course.error > tolerance && mu < LAST && dull < DULL;) {
            ++course.steps;
            columns();
            if (!step(target, mu)) break;
            trial_ = state_;
            for (const Column& column : columns_)
                if (column.slides) trial_.stretch(column.limb, column.amount);
                else trial_.turn(column.limb, column.axis, column.amount, state_);
            trial_.forward();
            double error;
            const double worth = missed(trial_, target, error);
            if (!(worth < best)) {
                mu *= 4.0;
                continue;
            }
            dull = worth > PROGRESS * best ? dull + 1 : 0;
            std::swap(state_, trial_);
            best = worth, course.error = error, mu = std::max(0.2 * mu, LEAST);
            if (record)
                for (const auto& point : state_.point)
                    course.postures.insert(course.postures.end(), {point.x, point.y, point.z});
        }
        course.points = state_.point;
        return course;
    }

  private:
    // The damping at first, at least and at last, in mean squares of J's rows; the share of the square error that a
    // step has to undercut, and how many in a row may not; the longest turn of a step [rad].
    static constexpr double FIRST = 1e-2, LEAST = 1e-9, LAST = 1e6, PROGRESS = 0.98, LONGEST = 0.7;
    static constexpr int DULL = 6;
    // A joint stands at the end of its range when it is nearer to it than this [rad, and of the limb].
    static constexpr double AT_END = 1e-9;

    // One way to move: turn a joint about an axis, or stretch its limb. low, high: whether it may not go down, or up.
    struct Column {
        std::size_t limb;
        Vector3<double> axis;
        bool slides, low, high;
        double amount = 0.0;
    };

    double missed(const LimbPosture& s, const Vector3<double>* target, double& error) const {
        double sum = 0.0, worst = 0.0;
        for (std::size_t k = 0; k < before_.size(); ++k) {
            const Vector3<double> miss = target[k] - s.point[std::size_t(net_.clamped()[k])];
            sum += dot(miss, miss), worst = std::max(worst, dot(miss, miss));
        }
        error = std::sqrt(worst);
        return sum;
    }

    void columns() {
        columns_.clear();
        for (std::size_t i = 0; i < n_; ++i) {
            const Limb& limb = net_.limbs()[i];
            const Turned& F = state_.frame[i + 1];
            const Turned& own = state_.own[i];
            if (limb.socket == Socket::hinge) {
                const double c = state_.hinge(i).first, s = state_.hinge(i).second;
                const double* end = limb.arc.ends;
                const auto at = [&](const double* e) {
                    return limb.arc.narrow && std::fabs(c * e[1] - s * e[0]) < AT_END && c * e[0] + s * e[1] > 0.0;
                };
                columns_.push_back({i, limb.swings() ? F.z : F.x, false, at(end), at(end + 2)});
            } else {
                const bool edge = limb.socket == Socket::cone && own.x.x <= limb.cosine + AT_END;
                Vector3<double> tilt = cross({1, 0, 0}, own.x);  // in the axes at rest
                const double size = length_of(tilt);
                tilt = size > AT_END ? scaled(tilt, 1.0 / size) : Vector3<double>{0, 1, 0};
                const Vector3<double> axis = state_.axes(i).out(tilt);
                if (net_.planar()) {
                    const bool down = axis.z < 0.0;
                    columns_.push_back({i, {0, 0, 1}, false, edge && down, edge && !down});
                } else {
                    columns_.push_back({i, axis, false, false, edge});
                    columns_.push_back({i, cross(axis, F.x), false, false, false});
                    columns_.push_back({i, F.x, false, false, false});
                }
            }
            if (limb.shortest != limb.longest)
                columns_.push_back({i, state_.ahead(i), true, state_.length[i] <= limb.shortest * (1.0 + AT_END),
                                    state_.length[i] >= limb.longest * (1.0 - AT_END)});
        }
        J_.assign(columns_.size() * rows_, 0.0);
        for (std::size_t c = 0; c < columns_.size(); ++c)
            for (std::size_t k = 0; k < before_.size(); ++k) {
                const std::size_t i = columns_[c].limb;
                if (!before_[k][i]) continue;
                const Vector3<double> arm =
                    state_.point[std::size_t(net_.clamped()[k])] - state_.point[std::size_t(net_.limbs()[i].parent)];
                const Vector3<double> way = columns_[c].slides ? columns_[c].axis : cross(columns_[c].axis, arm);
                double* at = &J_[c * rows_ + 3 * k];
                at[0] = way.x, at[1] = way.y, at[2] = way.z;
            }
    }

    // How much of each column; false where nothing can move.
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
            for (std::size_t k = 0; k < before_.size(); ++k) {
                const Vector3<double> miss = target[k] - state_.point[std::size_t(net_.clamped()[k])];
                y_[3 * k] = miss.x, y_[3 * k + 1] = miss.y, y_[3 * k + 2] = miss.z;
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
                if (!columns_[c].slides) longest = std::max(longest, std::fabs(amount));
            }
            if (!again && longest > LONGEST)
                for (Column& column : columns_) column.amount *= LONGEST / longest;
        }
        return true;
    }

    const PointNetwork& net_;
    std::size_t n_, rows_;
    std::vector<std::vector<char>> before_;  // for each clamped point, whether a limb lies on the way to it
    LimbPosture state_, trial_;
    std::vector<Column> columns_;
    std::vector<double> J_, A_, y_;
};

}  // namespace limbik::relaxation
