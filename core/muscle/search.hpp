// Configurations of any mechanism with the tip at a target and the muscles in their ranges, by least squares.
//
// Three problems share one loop, Levenberg-Marquardt inside the joint limits (a joint at a limit whose gradient points
// outward is held):
//   reach   residuals: the error of the tip, and each muscle's violation of its range
//   match   residuals: the deviations from given lengths
//   centre  moves in the null space of the tip towards the middle of the ranges: least sum of off_centre^8, by Newton
//           steps under the linear constraint J x = 0
// `track` is one step towards a moving target: of the steps with J x = error the one with the least motion of the
// muscles (relative to their ranges), subject to ranges and limits.
#pragma once

#include <algorithm>

#include "../linalg/conditional_step.hpp"
#include "muscle_goal.hpp"
#include "muscles.hpp"

namespace limbik::muscle {

class MuscleSearch {
  public:
    static constexpr double ROUND_OFF = 1e-12;  // as in MuscleSwivel
    static constexpr int STEPS = 100, CENTRINGS = 40;

    struct State {
        std::vector<double> q, J, L, G;
        double error[6] = {}, position = HUGE_VAL, rotation = 0.0, worst = 0.0;  // worst: the largest off_centre
        int muscle = -1;                                                         // its muscle
    };

    MuscleSearch(const Kinematics& k, int tip, const Muscles& muscles, const double* lower, const double* upper,
                 double size)
        : k_(k), tip_(tip), muscles_(muscles), lower_(lower), upper_(upper), size_(size),
          poses_(k.mechanism.elements.size()) {}

    long evaluations = 0;  // how many configurations were evaluated

    State state(const MuscleGoal& goal, const std::vector<double>& q) {
        State s;
        s.q = q, s.J.resize(std::size_t(6 * n())), s.L.resize(muscles_.size()),
        s.G.resize(muscles_.size() * std::size_t(n()));
        evaluate(goal, s);
        return s;
    }

    // The error of the tip [m]; a radian counts RADIAN_LENGTH of the arm's size.
    double error(const State& s, const MuscleGoal& goal) const {
        return goal.with_rotation ? std::hypot(s.position, RADIAN_LENGTH * size_ * s.rotation) : s.position;
    }

    // From s, reach the goal, or come as close as possible. `with_muscles`: with muscles in range. `weight`: of the
    // violation of a range, relative to the tip's position.
    void reach(const MuscleGoal& goal, State& s, bool with_muscles, int steps = STEPS, double weight = 1.0) {
        const int m = int(muscles_.size()), rows = goal.rows() + (with_muscles ? m : 0);
        const double radian = RADIAN_LENGTH * size_;
        fit(rows, s, steps, [&](State& at, double* r, double* A) {
            evaluate(goal, at);
            for (int i = 0; i < goal.rows(); ++i) {
                const int row = goal.first() + i;
                const double by = row < 3 ? 1.0 : radian;
                r[i] = -by * at.error[row];
                for (int j = 0; A && j < n(); ++j) A[i * n() + j] = by * at.J[std::size_t(row * n() + j)];
            }
            for (int i = 0; with_muscles && i < m; ++i) {
                const double violation = range_violation(muscles_[std::size_t(i)], at.L[std::size_t(i)]);
                r[goal.rows() + i] = weight * violation;
                for (int j = 0; A && j < n(); ++j)
                    A[(goal.rows() + i) * n() + j] = violation != 0.0 ? weight * at.G[std::size_t(i * n() + j)] : 0.0;
            }
        });
        evaluate(goal, s);
    }

    // From s to a nearby configuration whose muscles are in their ranges, wherever its tip is.
    void enter_ranges(State& s) {
        const int m = int(muscles_.size());
        const MuscleGoal none{};
        fit(m, s, STEPS, [&](State& at, double* r, double* A) {
            evaluate(none, at);
            for (int i = 0; i < m; ++i) {
                r[i] = range_violation(muscles_[std::size_t(i)], at.L[std::size_t(i)]);
                for (int j = 0; A && j < n(); ++j) A[i * n() + j] = r[i] != 0.0 ? at.G[std::size_t(i * n() + j)] : 0.0;
            }
        });
    }

    // From s to a configuration with these lengths; NaN where none is given. Returns the largest deviation [m].
    double match(const double* wanted, State& s, int steps = STEPS) {
        const int m = int(muscles_.size());
        const MuscleGoal none{};
        fit(m, s, steps, [&](State& at, double* r, double* A) {
            evaluate(none, at);
            for (int i = 0; i < m; ++i) {
                const bool given = !std::isnan(wanted[i]);
                r[i] = given ? at.L[std::size_t(i)] - wanted[i] : 0.0;
                for (int j = 0; A && j < n(); ++j) A[i * n() + j] = given ? at.G[std::size_t(i * n() + j)] : 0.0;
            }
        });
        evaluate(none, s);
        double off = 0.0;
        for (int i = 0; i < m; ++i)
            if (!std::isnan(wanted[i])) off = std::max(off, std::fabs(s.L[std::size_t(i)] - wanted[i]));
        return off;
    }

    // Centre the muscles of a configuration that meets the goal, along its self-motion manifold.
    void centre(const MuscleGoal& goal, State& s, double position, double rotation) {
        double size = 1.0;
        double value = measure(s);
        for (int step = 0; step < CENTRINGS && size > 1e-3; ++step) {
            std::vector<double> M, g, x;
            centring_quadratic(s, M, g);
            const std::vector<double> C = rows_of(goal, s), d(std::size_t(goal.rows()), 0.0);
            if (!conditional_step(M, g, C, d, goal.rows(), s.q.data(), lower_, upper_, x)) return;
            double longest = 0.0;
            for (const double v : x) longest = std::max(longest, std::fabs(v));
            if (longest < 1e-9) return;
            const double by = size * std::min(1.0, LONGEST_STEP / longest);
            State next = s;
            move(s, x, by, next);
            reach(goal, next, false, CORRECTIONS);
            const bool good =
                next.position <= position && next.rotation <= rotation && next.worst <= std::max(1.0, s.worst);
            const double moved = measure(next);
            if (good && moved < value) {
                const bool done = value - moved < 1e-7 * value;
                s = next, value = moved, size = std::min(1.0, 2.0 * size);
                if (done) return;
            } else {
                size *= 0.3;
            }
        }
    }

    // One step towards a goal in muscle space. s stays inside limits and ranges.
    void track(const MuscleGoal& goal, State& s, double centring) {
        std::vector<double> M, g, x;
        motion_quadratic(s, centring, M, g);
        const int task = goal.rows();
        std::vector<double> C = rows_of(goal, s), d(s.error + goal.first(), s.error + goal.first() + task);
        std::vector<char> limited(std::size_t(n()), 0), stopped(muscles_.size(), 0);
        for (int round = 0; round < ROUNDS; ++round) {
            if (!conditional_step(M, g, C, d, task, s.q.data(), lower_, upper_, x)) return;
            if (!add_conditions(s, x, C, d, limited, stopped)) break;
        }
        State next = s;
        for (double by = 1.0; by > 1e-6; by *= 0.5) {
            move(s, x, by, next);
            evaluate(goal, next);
            if (next.worst <= std::max(1.0 - RANGE_MARGIN, s.worst)) {
                s = next;
                return;
            }
        }
    }

  private:
    static constexpr double RADIAN_LENGTH = 0.3;  // length of a radian, relative to the arm's size
    static constexpr double RANGE_MARGIN = 1e-7;  // ranges are entered by this share of them
    static constexpr double LONGEST_STEP = 0.3;   // along a self-motion manifold [rad or m]
    static constexpr int CORRECTIONS = 6, ROUNDS = 8;
    static constexpr double POWER = 4.0;  // of off_centre in the residuals of `centre`

    int n() const { return k_.mechanism.n; }

    void evaluate(const MuscleGoal& goal, State& s) {
        ++evaluations;
        forward_elements(k_.mechanism, s.q.data(), poses_.data());
        const Frame& f = k_.mechanism.frames[std::size_t(tip_)];
        jacobian_elements(k_.mechanism, f, poses_.data(), s.J.data());
        const Pose<double> T = frame_pose(f, poses_.data());
        Point3 p = {0, 0, 0}, w = {0, 0, 0};
        pose_error(T, goal.target, p, w);
        if (!goal.with_position) p = {0, 0, 0};
        if (!goal.with_rotation) w = {0, 0, 0};
        const double e[6] = {p.x, p.y, p.z, w.x, w.y, w.z};
        std::copy_n(e, 6, s.error);
        s.position = std::sqrt(dot(p, p)), s.rotation = std::sqrt(dot(w, w));
        muscle_lengths(k_.mechanism, muscles_, s.q.data(), poses_.data(), s.L.data(), s.G.data());
        s.worst = 0.0, s.muscle = -1;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            const double off = off_centre(muscles_[i], s.L[i]);
            if (off > s.worst) s.worst = off, s.muscle = int(i);
        }
    }

    std::vector<double> rows_of(const MuscleGoal& goal, const State& s) const {
        return {s.J.begin() + goal.first() * n(), s.J.begin() + (goal.first() + goal.rows()) * n()};
    }

    // The violation of a range, relative to a target slightly inside.
    static double range_violation(const Muscle& m, double length) {
        const double room = RANGE_MARGIN * (std::isfinite(m.upper) ? m.upper - m.lower : std::fabs(m.lower));
        if (length > m.upper - room) return length - (m.upper - room);
        if (length < m.lower + room) return length - (m.lower + room);
        return 0.0;
    }

    void move(const State& from, const std::vector<double>& x, double by, State& to) const {
        std::vector<double> step(x);
        for (double& v : step) v *= by;
        integrate_rows(k_.mechanism, from.q.data(), step.data(), 1, to.q.data());
        for (int j = 0; j < n(); ++j) to.q[std::size_t(j)] = std::clamp(to.q[std::size_t(j)], lower_[j], upper_[j]);
    }

    // Levenberg-Marquardt. residual(state, r, A or null) evaluates the state and its residuals.
    template <class Residual> void fit(int rows, State& s, int steps, const Residual& residual) {
        const std::size_t N = std::size_t(n()), height = std::size_t(rows);
        const FullRows square{n(), n()};
        std::vector<double> r(height), A(height * N), r2(r), A2(A), H(N * N), x(N), g(N);
        for (int j = 0; j < n(); ++j) s.q[std::size_t(j)] = std::clamp(s.q[std::size_t(j)], lower_[j], upper_[j]);
        const auto cost_of = [](const std::vector<double>& v) {
            double sum = 0.0;
            for (const double y : v) sum += y * y;
            return sum;
        };
        residual(s, r.data(), A.data());
        double cost = cost_of(r), damping = 1e-4;
        State next = s;
        for (int step = 0; step < steps && cost > 1e-30 * size_ * size_; ++step) {
            for (std::size_t j = 0; j < N; ++j) {
                g[j] = 0.0;
                for (std::size_t i = 0; i < r.size(); ++i) g[j] += A[i * N + j] * r[i];
            }
            double trace = 0.0;
            std::fill(H.begin(), H.end(), 0.0);
            for (std::size_t i = 0; i < r.size(); ++i)
                for (std::size_t a = 0; a < N; ++a)
                    for (std::size_t b = 0; b <= a; ++b) H[a * N + b] += A[i * N + a] * A[i * N + b];
            for (std::size_t j = 0; j < N; ++j) trace += H[j * N + j];
            for (std::size_t j = 0; j < N; ++j) {
                const bool held = (s.q[j] <= lower_[j] && g[j] > 0.0) || (s.q[j] >= upper_[j] && g[j] < 0.0);
                x[j] = held ? 0.0 : -g[j];
                if (held) {
                    for (std::size_t b = 0; b < N; ++b) H[j * N + b] = H[b * N + j] = 0.0;
                    H[j * N + j] = 1.0;
                } else {
                    H[j * N + j] += damping * (H[j * N + j] + 1e-3 * trace / double(N)) + 1e-14 * trace + 1e-300;
                }
            }
            if (!cholesky_factor(square, H.data())) {
                damping = std::max(1e-8, damping * 10.0);
                if (damping > 1e10) return;
                continue;
            }
            cholesky_solve(square, H.data(), x.data());
            double longest = 0.0, predicted = 0.0;
            for (std::size_t j = 0; j < N; ++j) longest = std::max(longest, std::fabs(x[j])), predicted -= g[j] * x[j];
            if (!(predicted > 1e-16 * cost)) return;
            move(s, x, std::min(1.0, 1.0 / longest), next);
            residual(next, r2.data(), A2.data());
            const double moved = cost_of(r2);
            if (moved < cost) {
                const bool still = cost - moved < 1e-14 * cost;
                s = next, cost = moved, r.swap(r2), A.swap(A2), damping = std::max(1e-12, damping * 0.2);
                if (still) return;
            } else {
                damping *= 5.0;
                if (damping > 1e10) return;
            }
        }
    }

    double measure(const State& s) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < muscles_.size(); ++i) sum += std::pow(off_centre(muscles_[i], s.L[i]), 2.0 * POWER);
        return sum;
    }
    void range_of(std::size_t i, double& middle, double& half) const {
        middle = 0.5 * (muscles_[i].lower + muscles_[i].upper), half = 0.5 * (muscles_[i].upper - muscles_[i].lower);
    }
    void add_outer(const double* row, double by, std::vector<double>& M) const {
        for (int a = 0; a < n(); ++a)
            for (int b = 0; b < n(); ++b) M[std::size_t(a * n() + b)] += by * row[a] * row[b];
    }
    // Keep M positive definite where muscles do not determine it.
    void regularise(std::vector<double>& M) const {
        double trace = 0.0;
        for (int j = 0; j < n(); ++j) trace += M[std::size_t(j * n() + j)];
        for (int j = 0; j < n(); ++j) M[std::size_t(j * n() + j)] += 1e-6 * (trace / n()) + 1e-9;
    }

    void centring_quadratic(const State& s, std::vector<double>& M, std::vector<double>& g) const {
        M.assign(std::size_t(n() * n()), 0.0), g.assign(std::size_t(n()), 0.0);
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            double middle, half;
            range_of(i, middle, half);
            if (!std::isfinite(half) || half <= 0.0) continue;
            const double c = (s.L[i] - middle) / half, rise = POWER * std::pow(std::fabs(c), POWER - 1.0) / half;
            const double residual = std::copysign(std::pow(std::fabs(c), POWER), c);
            const double* row = s.G.data() + long(i) * n();
            add_outer(row, rise * rise, M);
            for (int j = 0; j < n(); ++j) g[std::size_t(j)] += rise * residual * row[j];
        }
        regularise(M);
    }
    void motion_quadratic(const State& s, double centring, std::vector<double>& M, std::vector<double>& g) const {
        M.assign(std::size_t(n() * n()), 0.0), g.assign(std::size_t(n()), 0.0);
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            double middle, half;
            range_of(i, middle, half);
            if (!std::isfinite(half) || half <= 0.0) continue;
            const double* row = s.G.data() + long(i) * n();
            add_outer(row, 1.0 / (half * half), M);
            for (int j = 0; j < n(); ++j) g[std::size_t(j)] += centring * (s.L[i] - middle) / (half * half) * row[j];
        }
        regularise(M);
    }

    // Add the constraints that the step x would violate: a muscle stops at the end of its range, a joint at its limit.
    // False where there is none.
    bool add_conditions(const State& s, const std::vector<double>& x, std::vector<double>& C, std::vector<double>& d,
                        std::vector<char>& limited, std::vector<char>& stopped) const {
        bool added = false;
        for (std::size_t i = 0; i < muscles_.size(); ++i) {
            if (stopped[i]) continue;
            double next = s.L[i];
            for (int j = 0; j < n(); ++j) next += s.G[i * std::size_t(n()) + std::size_t(j)] * x[std::size_t(j)];
            const Muscle& m = muscles_[i];
            const double room = 10.0 * RANGE_MARGIN * (std::isfinite(m.upper) ? m.upper - m.lower : std::fabs(m.lower));
            const double end = next > m.upper - room ? m.upper - room : next < m.lower + room ? m.lower + room : next;
            if (end == next) continue;
            C.insert(C.end(), s.G.begin() + long(i) * n(), s.G.begin() + long(i + 1) * n());
            d.push_back(end - s.L[i]), stopped[i] = 1, added = true;
        }
        for (int j = 0; j < n(); ++j) {
            const double next = s.q[std::size_t(j)] + x[std::size_t(j)];
            const double end = std::clamp(next, lower_[j], upper_[j]);
            if (end == next || limited[std::size_t(j)]) continue;
            std::vector<double> row(std::size_t(n()), 0.0);
            row[std::size_t(j)] = 1.0;
            C.insert(C.end(), row.begin(), row.end());
            d.push_back(end - s.q[std::size_t(j)]), added = true, limited[std::size_t(j)] = 1;
        }
        return added;
    }

    using Point3 = Vector3<double>;
    const Kinematics& k_;
    int tip_;
    const Muscles& muscles_;
    const double *lower_, *upper_;
    double size_;
    std::vector<Pose<double>> poses_;
};

}  // namespace limbik::muscle
