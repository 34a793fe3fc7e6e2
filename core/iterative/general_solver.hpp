// Iterative inverse kinematics of any mechanism: ball, floating and mimic joints, any number of them. Plain doubles,
// one problem at a time.
//
// The residual, steps and rules are those of chains in the lanes (levenberg_marquardt.hpp, closest_step.hpp), for a
// Jacobian of any width. Steps are integrated on the configuration manifold; ball joints are clamped to their cones
// after each step.
#pragma once

#include <vector>

#include "../geometry/cone.hpp"
#include "../kinematics/verify.hpp"
#include "closest_configuration.hpp"
#include "corners.hpp"
#include "solver.hpp"

namespace limbik::iterative {

// Rounds towards the closest configuration: position and rotation, then the position alone, which has priority.
inline constexpr Round GENERAL_ROUNDS[] = {{0.02, 14}, {0.0, 8}};

// Attempts before the closest approach is searched, and starts of that search.
inline constexpr int GENERAL_QUICK = 25, GENERAL_STARTS = 24;
// Steps of a weighted search from each start.
inline constexpr int GENERAL_WEIGHTED_STEPS = 60;

class GeneralSolver final : public Solver {
  public:
    GeneralSolver(const Kinematics& k, int frame, Limits limits, const StepSettings& settings,
                  const Tolerances& tolerances)
        : k_(k.mechanism), frame_(k.mechanism.frames[std::size_t(frame)]), limits_(std::move(limits)),
          settings_(settings), tolerances_(tolerances), normaliser_(k.mechanism, limits_),
          unit_(std::size_t(k.n()), 1.0), linear_(std::size_t(k.n()), false),
          corners_(limits_.draw_low.data(), limits_.draw_high.data(), k.n(), settings.length),
          cornered_(k.n() <= CORNERED_JOINTS) {
        for (const Element& e : k_.elements) {
            const int size = size_of(e.kind);
            cornered_ = cornered_ && size == 1;
            for (int j = 0; j < size; ++j) {
                const std::size_t at = std::size_t(e.first + j);
                const bool linear = e.kind == Kind::prismatic || (e.kind == Kind::floating && j < 3);
                if (linear) unit_[at] = settings.length, linear_[at] = true;
            }
        }
    }

    Outcome solve(const Pose<double>& target, const double* seed, int first, int last, double* q_out) const override {
        Outcome out;
        Work w(k_);
        CornerOrder corners;
        for (int number = first; number < last; ++number) {
            start(seed, number, w.q);
            if (cornered_ && number >= HARD_ATTEMPTS) start_hard(target, seed, number, corners, w);
            Attempt attempt;
            attempt.begin(0, number);
            bool on;
            do {
                const double squared = step(target, w);
                on = attempt.continues(squared);
                if (squared < ONE_STEP_AWAY && w.facing > 0.0 && accept(w.q.data(), target, seed, on, q_out, out, w)) {
                    out.status = Status::solved;
                    out.attempt = number;
                    out.tried = number + 1;
                    out.steps += attempt.step;
                    return out;
                }
            } while (on);
            out.steps += attempt.step;
        }
        out.tried = last;
        return out;
    }

    int quick_attempts() const override { return GENERAL_QUICK; }

    Approach approach(const Pose<double>& target, const double* seed, bool) const override {
        Work w(k_);
        Approach out;
        double least = 0.0, rotated = 0.0;
        for (int number = 0; number < GENERAL_STARTS; ++number) {
            start(seed, number, w.q);
            for (const Round& round : GENERAL_ROUNDS) descend_round(target, round, w);
            normalise(w.q.data(), seed);
            const Errors found = errors(w.q.data(), target, w);
            if (number > 0 && !nearer(found.position, found.rotation, least, rotated, tolerances_.position)) continue;
            out.postures = w.q;
            least = found.position, rotated = found.rotation;
        }
        out.gap = least;
        return out;
    }

    void closest(const Pose<double>& target, const double*, const Approach& approach, double* q_out,
                 Outcome& out) const override {
        Work w(k_);
        std::copy(approach.postures.begin(), approach.postures.end(), q_out);
        out.errors = errors(q_out, target, w);
    }

    void closest_weighted(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                          Outcome& out) const override {
        const Weights in_lengths = unit_weights(weights, settings_.length);
        Work w(k_);
        double least = 0.0;
        for (int number = 0; number < GENERAL_STARTS; ++number) {
            start(seed, number, w.q);
            const double cost = descend_weighted(target, in_lengths, w);
            if (number > 0 && !(cost < least)) continue;
            least = cost;
            std::copy(w.q.begin(), w.q.end(), q_out);
        }
        normalise(q_out, seed);
        out.errors = errors(q_out, target, w);
    }

    double least_position(const Pose<double>& target, int starts) const override {
        Work w(k_);
        double least = 1e300;
        for (int number = 0; number < starts; ++number) {
            start(limits_.draw_low.data(), number + 1, w.q);
            descend_round(target, {0.0, REFERENCE_DAMPED + REFERENCE_NEWTON}, w);
            least = std::min(least, errors(w.q.data(), target, w).position);
        }
        return least;
    }

    int n() const override { return k_.n; }

  private:
    // Working memory of one call.
    struct Work {
        std::vector<double> q, trial, J, new_J, dq;
        std::vector<Pose<double>> poses;
        double facing = 1.0;
        explicit Work(const Mechanism& m)
            : q(std::size_t(m.n)), trial(std::size_t(m.n)), J(std::size_t(6 * m.n)), new_J(std::size_t(6 * m.n)),
              dq(std::size_t(m.n)), poses(m.elements.size()) {}
    };

    void start(const double* seed, int number, std::vector<double>& q) const {
        if (number == 0) std::copy_n(seed, k_.n, q.begin());
        for (int j = 0; number > 0 && j < k_.n; ++j) {
            const double u = counter_random(std::uint64_t(j) + RESTARTS, std::uint64_t(number));
            q[std::size_t(j)] = limits_.draw_low[std::size_t(j)] +
                                (limits_.draw_high[std::size_t(j)] - limits_.draw_low[std::size_t(j)]) * u;
        }
        for (const Element& e : k_.elements)
            if (e.kind == Kind::ball || e.kind == Kind::floating) {  // the shortest equal rotation vector
                double* w = q.data() + e.first + size_of(e.kind) - 3;
                const double none[3] = {0, 0, 0};
                compose_rotations(w, none, w);
            }
        normalise(q.data(), seed);
    }

    // The start of a late attempt of a chain with few joints.
    void start_hard(const Pose<double>& target, const double* seed, int number, CornerOrder& corners, Work& w) const {
        const HardStart kind = hard_start(number);
        if (kind == HardStart::corner) {
            if (corners.count == 0)
                corners = corners_.order(target, [&](const double* q) {
                    forward_elements(k_, q, w.poses.data());
                    return frame_pose(frame_, w.poses.data());
                });
            if (const int rank = corner_rank(number); rank < corners.count)
                corners_.posture(corners.corner[std::size_t(rank)], w.q.data());
        } else if (kind == HardStart::at_some_limits) {
            onto_some_limits(
                limits_.draw_low.data(), limits_.draw_high.data(), k_.n,
                [&](int j) { return counter_random(std::uint64_t(j) + AT_LIMITS, std::uint64_t(number)); }, w.q.data());
        }
        normalise(w.q.data(), seed);
    }

    void normalise(double* q, const double* seed) const { normaliser_.normalise(q, seed); }

    Errors errors(const double* q, const Pose<double>& target, Work& w) const {
        forward_elements(k_, q, w.poses.data());
        return errors_between(frame_pose(frame_, w.poses.data()), target);
    }

    bool accept(const double* q, const Pose<double>& target, const double* seed, bool continues, double* q_out,
                Outcome& out, Work& w) const {
        std::vector<double> x(q, q + k_.n);
        normalise(x.data(), seed);
        const Errors found = errors(x.data(), target, w);
        if (!reached(tolerances_, settings_, continues, found)) return false;
        std::copy(x.begin(), x.end(), q_out);
        out.errors = found;
        return true;
    }

    // The pose at q; writes the Jacobian without units.
    Pose<double> linearise(const double* q, double weight, std::vector<double>& J, Work& w) const {
        forward_elements(k_, q, w.poses.data());
        jacobian_elements(k_, frame_, w.poses.data(), J.data());
        for (int j = 0; j < k_.n; ++j)
            for (int k = 0; k < 6; ++k)
                J[std::size_t(k * k_.n + j)] *= unit_[std::size_t(j)] * (k < 3 ? 1.0 / settings_.length : weight);
        return frame_pose(frame_, w.poses.data());
    }

    // A ball joint at the bound of its cone does not move outward: that direction is projected out of its columns.
    void hold_in(const Cone& cone, const std::vector<double>& q, const double b[6], std::vector<double>& J) const {
        const std::size_t n = std::size_t(k_.n), first = std::size_t(cone.first);
        Vector3<double> pull = {0, 0, 0}, out[2];
        for (std::size_t k = 0; k < 6; ++k) {
            const double* row = J.data() + k * n + first;
            pull = pull + scaled(Vector3<double>{row[0], row[1], row[2]}, b[k]);
        }
        const int count = outward_directions(cone, q.data() + first, pull, out);
        for (std::size_t k = 0; k < 6; ++k) {
            double* row = J.data() + k * n + first;
            for (int w = 0; w < count; ++w) {
                const double along = dot(Vector3<double>{row[0], row[1], row[2]}, out[w]);
                row[0] -= along * out[w].x, row[1] -= along * out[w].y, row[2] -= along * out[w].z;
            }
        }
    }

    // The configuration after the damped step from q for the right side b. Held columns of J become 0; b is
    // overwritten.
    void advance(const std::vector<double>& q, std::vector<double>& J, double b[6], double damping,
                 std::vector<double>& to, std::vector<double>& dq) const {
        const int n = k_.n;
        for (int j = 0; j < n; ++j) {
            double gradient = 0.0;
            for (int k = 0; k < 6; ++k) gradient += J[std::size_t(k * n + j)] * b[k];
            const std::size_t at = std::size_t(j);
            if ((q[at] <= limits_.lower[at] && gradient < 0.0) || (q[at] >= limits_.upper[at] && gradient > 0.0))
                for (int k = 0; k < 6; ++k) J[std::size_t(k * n + j)] = 0.0;
        }
        for (const Cone& cone : limits_.cones) hold_in(cone, q, b, J);
        double a[21];
        for (int i = 0, m = 0; i < 6; ++i)
            for (int j = 0; j <= i; ++j, ++m) {
                a[m] = i == j ? damping : 0.0;
                for (int k = 0; k < n; ++k) a[m] += J[std::size_t(i * n + k)] * J[std::size_t(j * n + k)];
            }
        solve_spd<6>(a, b);
        for (int j = 0; j < n; ++j) {
            double step = 0.0;
            for (int k = 0; k < 6; ++k) step += J[std::size_t(k * n + j)] * b[k];
            const std::size_t at = std::size_t(j);
            const bool endless = linear_[at] && !(std::isfinite(limits_.lower[at]) && std::isfinite(limits_.upper[at]));
            dq[at] = (endless ? step : std::clamp(step, -settings_.largest_step, settings_.largest_step)) * unit_[at];
        }
        integrate_rows(k_, q.data(), dq.data(), 1, to.data());
        for (int j = 0; j < n; ++j)
            to[std::size_t(j)] =
                std::clamp(to[std::size_t(j)], limits_.lower[std::size_t(j)], limits_.upper[std::size_t(j)]);
        for (const Cone& cone : limits_.cones) clamp_cone(cone, to.data() + cone.first);
    }

    // One damped step. Returns the squared residual before it.
    double step(const Pose<double>& target, Work& w) const {
        const Pose<double> T = linearise(w.q.data(), 1.0, w.J, w);
        const Residual<double> e = residual(T, target, settings_.length);
        double b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
        advance(w.q, w.J, b, damping_of(settings_, e.squared), w.trial, w.dq);
        w.q.swap(w.trial);
        w.facing = e.facing;
        return e.squared;
    }

    // Levenberg-Marquardt from w.q: a step that lowers the cost is accepted, else the damping increases. `evaluate`
    // writes the Jacobian and the right side at a configuration and returns its cost. Returns the last cost.
    template <class Evaluate> double descend(int steps, Work& w, const Evaluate& evaluate) const {
        double b[6] = {}, new_b[6] = {}, damping = FIRST_DAMPING;
        double cost = evaluate(w.q.data(), w.J, b);
        for (int k = 0; k < steps; ++k) {
            std::vector<double> J = w.J;
            double side[6];
            std::copy_n(b, 6, side);
            advance(w.q, J, side, damping * (cost + LEAST_DAMPING), w.trial, w.dq);
            const double trial = evaluate(w.trial.data(), w.new_J, new_b);
            if (trial < cost) {
                cost = trial;
                w.q.swap(w.trial), w.J.swap(w.new_J);
                std::copy_n(new_b, 6, b);
                damping *= DAMPING_DECREASE;
            } else {
                damping *= DAMPING_INCREASE;
            }
        }
        return cost;
    }

    // Minimise the weighted sum of squares, by the exact Jacobian of the logarithm. Returns half that sum.
    double descend_weighted(const Pose<double>& target, const Weights& weights, Work& w) const {
        return descend(GENERAL_WEIGHTED_STEPS, w, [&](const double* q, std::vector<double>& J, double* side) {
            const Pose<double> T = linearise(q, 1.0, J, w);
            Vector3<double> p, r;
            pose_error(T, target, p, r);
            const double squared = dot(r, r), c = logarithm_bend(squared);
            const std::size_t n = std::size_t(k_.n);
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t k = 0; k < 3; ++k) J[k * n + j] *= weights.position;
                const Vector3<double> a = {J[3 * n + j], J[4 * n + j], J[5 * n + j]};
                // (I + [r]x/2 + c [r]x^2) a: the decrease of r as the actual frame rotates along a
                const Vector3<double> ra = cross(r, a), lost = a + scaled(ra, 0.5) + scaled(cross(r, ra), c);
                J[3 * n + j] = weights.rotation * lost.x, J[4 * n + j] = weights.rotation * lost.y;
                J[5 * n + j] = weights.rotation * lost.z;
            }
            p = scaled(p, weights.position / settings_.length), r = scaled(r, weights.rotation);
            side[0] = p.x, side[1] = p.y, side[2] = p.z, side[3] = r.x, side[4] = r.y, side[5] = r.z;
            return 0.5 * (dot(p, p) + dot(r, r));
        });
    }

    // One round towards the closest configuration.
    void descend_round(const Pose<double>& target, const Round& round, Work& w) const {
        descend(round.steps, w, [&](const double* q, std::vector<double>& J, double* side) {
            const Pose<double> T = linearise(q, round.weight, J, w);
            return round.weight == 0.0 ? cost_of<3>(T, target, settings_.length, 0.0, side)
                                       : cost_of<6>(T, target, settings_.length, round.weight, side);
        });
    }

    const Mechanism& k_;
    const Frame& frame_;
    Limits limits_;
    StepSettings settings_;
    Tolerances tolerances_;
    Normaliser normaliser_;
    std::vector<double> unit_;
    std::vector<bool> linear_;
    Corners corners_;
    bool cornered_;  // starts at corners are used: the mechanism has few joints, each of one axis
};

}  // namespace limbik::iterative
