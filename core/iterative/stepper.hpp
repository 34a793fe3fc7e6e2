// Steps of q of any mechanism that minimise a quadratic inside the limits (linalg/bounded_step.hpp).
//
// Joints of one axis end at their bounds; a ball joint at the bound of its cone does not move outward. Displacements
// are counted in lengths.
#pragma once

#include "../geometry/cone.hpp"
#include "../linalg/bounded_step.hpp"
#include "solver.hpp"

namespace limbik::iterative {

class Stepper {
  public:
    // `still`: numbers of q that do not move. `stiffness`: the weight of each number's squared step, 1 by default.
    Stepper(const Mechanism& m, Limits inside, std::vector<bool> still, double length,
            const std::vector<double>& stiffness = {})
        : limits(std::move(inside)), frozen(std::move(still)), unit(std::size_t(m.n), 1.0), m_(m),
          wide_(std::size_t(m.n), false), straight_(std::size_t(m.n), true) {
        for (const Element& e : m_.elements)
            for (int j = 0; j < size_of(e.kind); ++j) {
                const std::size_t at = std::size_t(e.first + j);
                const bool linear = e.kind == Kind::prismatic || (e.kind == Kind::floating && j < 3);
                if (linear) unit[at] = length;
                if (size_of(e.kind) > 1 && !linear) straight_[at] = false;
                if (linear && !(std::isfinite(limits.lower[at]) && std::isfinite(limits.upper[at]))) wide_[at] = true;
            }
        for (std::size_t j = 0; j < stiffness.size(); ++j) unit[j] /= std::sqrt(stiffness[j]);
    }

    // The index of a number of q in the quadratic: leaves first.
    int rank(int column) const { return m_.n - 1 - column; }

    // The bounds of a step from q: the limits, and at most `largest` units.
    void bound(const std::vector<double>& q, double largest, BoundedStep& s) const {
        bound(q, limits.lower.data(), limits.upper.data(), largest, s);
    }

    // The same with other limits.
    void bound(const std::vector<double>& q, const double* lower, const double* upper, double largest,
               BoundedStep& s) const {
        for (std::size_t j = 0; j < q.size(); ++j) {
            const std::size_t at = std::size_t(rank(int(j)));
            const double most = wide_[j] ? 1e300 : largest * unit[j];
            s.low[at] = std::clamp(lower[j] - q[j], -most, most), s.high[at] = std::clamp(upper[j] - q[j], -most, most);
        }
    }

    // Tighten the bounds to speed * time; a number outside its limits returns at its full speed.
    void bound_speed(const std::vector<double>& speed, double time, BoundedStep& s) const {
        for (std::size_t j = 0; j < speed.size(); ++j) {
            const std::size_t at = std::size_t(rank(int(j)));
            const double most = speed[j] * time * (1.0 - SPEED_ROUNDING);
            s.low[at] = std::clamp(s.low[at], -most, most), s.high[at] = std::clamp(s.high[at], -most, most);
        }
    }

    // The step dq from q of least quadratic plus shift |dq|^2 / 2, in units; false where there is none.
    bool solve(const std::vector<double>& q, double shift, BoundedStep& s, std::vector<double>& dq,
               int rounds = ROUNDS) const {
        const std::size_t n = q.size();
        for (const Cone& cone : limits.cones) hold_in(cone, q, s);
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t at = std::size_t(rank(int(j)));
            s.H[at * n + at] += shift / (unit[j] * unit[j]);
            if (frozen[j]) s.held[at] = Held::frozen, s.x[at] = 0.0;
            else if (s.low[at] >= 0.0 && s.g[at] > 0.0) s.held[at] = Held::low;
            else if (s.high[at] <= 0.0 && s.g[at] < 0.0) s.held[at] = Held::high;
            else s.held[at] = Held::free;
        }
        if (!s.solve(rounds)) return false;
        for (std::size_t j = 0; j < n; ++j) {
            dq[j] = s.x[std::size_t(rank(int(j)))];
            if (!std::isfinite(dq[j])) return false;
        }
        return true;
    }

    // Move q along dq.
    void move(std::vector<double>& q, const std::vector<double>& dq) const {
        for (std::size_t j = 0; j < q.size(); ++j)
            if (straight_[j] && !frozen[j]) q[j] += dq[j];
        for (const Element& e : m_.elements)
            if ((e.kind == Kind::ball || e.kind == Kind::floating) && !frozen[std::size_t(e.first)]) {
                const int rotation = e.first + size_of(e.kind) - 3;
                compose_rotations(q.data() + rotation, dq.data() + rotation, q.data() + rotation);
            }
    }

    void keep_limits(std::vector<double>& q) const { keep_limits(q, limits.lower.data(), limits.upper.data()); }

    // The same with other limits; cones stay as they are.
    void keep_limits(std::vector<double>& q, const double* lower, const double* upper) const {
        for (std::size_t j = 0; j < q.size(); ++j)
            if (!frozen[j]) q[j] = std::clamp(q[j], lower[j], upper[j]);
        for (const Cone& cone : limits.cones)
            if (!frozen[std::size_t(cone.first)]) clamp_cone(cone, q.data() + cone.first);
    }

    // Clamp rotations to at most `most` [rad] from those of `from`, then to their cones.
    void keep_near(const std::vector<double>& from, const double* most, std::vector<double>& q) const {
        for (const Element& e : m_.elements) {
            const int rotation = e.first + size_of(e.kind) - 3;
            if ((e.kind != Kind::ball && e.kind != Kind::floating) || frozen[std::size_t(e.first)]) continue;
            double step[3];
            joint_difference(Kind::ball, false, from.data() + rotation, q.data() + rotation, step);
            const double length = std::sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
            if (length <= most[rotation]) continue;
            for (double& x : step) x *= most[rotation] / length;
            compose_rotations(from.data() + rotation, step, q.data() + rotation);
        }
        for (const Cone& cone : limits.cones)
            if (!frozen[std::size_t(cone.first)]) clamp_cone(cone, q.data() + cone.first);
    }

    // Whether a number of q moves by addition; the others belong to a rotation vector.
    bool straight(std::size_t j) const { return straight_[j]; }

    double longest(const std::vector<double>& dq) const {
        double most = 0.0;
        for (std::size_t j = 0; j < dq.size(); ++j) most = std::max(most, std::abs(dq[j]) / unit[j]);
        return most;
    }

    // The largest diagonal entry of the Hessian, in units.
    double stiffest(const BoundedStep& s) const {
        double most = 0.0;
        for (int j = 0; j < m_.n; ++j) {
            const std::size_t at = std::size_t(rank(j));
            most = std::max(most, s.H[at * std::size_t(m_.n) + at] * unit[std::size_t(j)] * unit[std::size_t(j)]);
        }
        return most;
    }

    const Limits limits;
    const std::vector<bool> frozen;
    std::vector<double> unit;  // of each number of q: 1 rad or a length, divided by the root of its stiffness

  private:
    // Rounds of the bounded step: a search does not need the optimum.
    static constexpr int ROUNDS = 6;
    // Speeds stay below their bounds by this part, so that rounding does not exceed them.
    static constexpr double SPEED_ROUNDING = 1e-9;

    // A ball joint at the bound of its cone does not move outward: that direction is projected out of the quadratic.
    void hold_in(const Cone& cone, const std::vector<double>& q, BoundedStep& s) const {
        const std::size_t n = std::size_t(m_.n);
        const auto place = [&](int k) { return std::size_t(rank(cone.first + k)); };
        const Vector3<double> pull = {-s.g[place(0)], -s.g[place(1)], -s.g[place(2)]};
        Vector3<double> out[2];
        const int count = outward_directions(cone, q.data() + cone.first, pull, out);
        for (int k_out = 0; k_out < count; ++k_out) {
            const double u[3] = {out[k_out].x, out[k_out].y, out[k_out].z};
            const auto entry = [&](std::size_t a, std::size_t b) -> double& {
                return s.H[std::max(a, b) * n + std::min(a, b)];
            };
            double along = 0.0;
            for (int k = 0; k < 3; ++k) along += u[k] * s.g[place(k)];
            for (int k = 0; k < 3; ++k) s.g[place(k)] -= along * u[k];
            for (std::size_t other = 0; other < n; ++other) {  // H (I - uu'), then (I - uu') H
                if (other == place(0) || other == place(1) || other == place(2)) continue;
                if (std::size_t(s.shape().first(int(std::max(other, place(0))))) > std::min(other, place(2))) continue;
                double sum = 0.0;
                for (int k = 0; k < 3; ++k) sum += u[k] * entry(other, place(k));
                for (int k = 0; k < 3; ++k) entry(other, place(k)) -= sum * u[k];
            }
            double block[3][3], half[3][3];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) block[i][j] = entry(place(i), place(j));
            for (int i = 0; i < 3; ++i) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k) sum += block[i][k] * u[k];
                for (int j = 0; j < 3; ++j) half[i][j] = block[i][j] - sum * u[j];
            }
            for (int j = 0; j < 3; ++j) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k) sum += u[k] * half[k][j];
                for (int i = 0; i < 3; ++i) block[i][j] = half[i][j] - u[i] * sum;
            }
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j <= i; ++j) entry(place(i), place(j)) = 0.5 * (block[i][j] + block[j][i]);
        }
    }

    const Mechanism& m_;
    std::vector<bool> wide_, straight_;
};

}  // namespace limbik::iterative
