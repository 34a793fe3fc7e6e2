// Newton corrections of configurations that rounding has moved, and moves of a family's configuration into the limits.
#pragma once

#include <limits>

#include "../linalg/elimination.hpp"
#include "postures.hpp"

namespace limbik::closed_form {

// The most steps; the error below which steps are rounding [parts of the scale plus rad]; the largest step of a
// correction [rad or lengths].
inline constexpr int CORRECTIONS = 40;
inline constexpr double EXHAUSTED = 2e-16, SMALL_STEP = 0.05;

class Corrections {
  public:
    Corrections(const ScalarChain& chain, const ChainFrame& frame, const StepSettings& settings)
        : chain_(chain), frame_(frame), settings_(settings), n_(int(chain.joints.size())) {
        for (int j = 0; j < n_; ++j)
            no_lower_[j] = -std::numeric_limits<double>::infinity(), no_upper_[j] = -no_lower_[j];
    }

    // Newton steps while they lower the error. False where it stays above the tolerances. Near a double root each step
    // halves the distance, so they may be many.
    [[gnu::noinline]] bool correct(double scale, const Pose<double>& target, const double* seed,
                                   const BranchOptions& options, Posture& p) const {
        auto error_of = [&](const double* x) { return chain_errors(chain_, frame_, x, target).in_lengths(scale); };
        double best[POSTURE_JOINTS], trial[POSTURE_JOINTS], least_error = error_of(p.q);
        std::copy_n(p.q, n_, best);
        for (int step = 0; step < CORRECTIONS && least_error > EXHAUSTED; ++step) {
            bool better = false;
            for (const bool damped : {false, true}) {
                if (better) break;
                std::copy_n(best, n_, trial);
                if (damped) damped_step(n_, chain_, frame_, settings_, no_lower_, no_upper_, target, trial);
                else if (!newton_step(target, trial)) continue;
                const double error = error_of(trial);
                if (!(error < least_error)) continue;
                least_error = error, better = true;
                std::copy_n(trial, n_, best);
            }
            if (!better) break;
        }
        bool inside = true;
        for (int j = 0; j < n_; ++j) {
            const bool revolute = chain_.joints[std::size_t(j)].kind == Kind::revolute;
            p.q[j] = nearest_copy(best[j], seed[j], revolute, options.lower[j], options.upper[j],
                                  revolute ? EDGE : EDGE * scale, inside);
        }
        p.errors = chain_errors(chain_, frame_, p.q, target);
        p.inside = inside;
        return p.errors.within(options.tolerances);
    }

    // Move a configuration of a family into the limits: clamp it to them, then move it along the self-motion manifold
    // back to the target. False where that fails.
    [[gnu::noinline]] bool bring_inside(const Pose<double>& target, const double* seed, const BranchOptions& options,
                                        Posture& p) const {
        double q[POSTURE_JOINTS];
        for (int j = 0; j < n_; ++j) {
            bool inside = true;
            const bool revolute = chain_.joints[std::size_t(j)].kind == Kind::revolute;
            q[j] = std::clamp(nearest_copy(p.q[j], seed[j], revolute, options.lower[j], options.upper[j], 0.0, inside),
                              options.lower[j], options.upper[j]);
        }
        for (int step = 0; step < CORRECTIONS; ++step) {
            damped_step(n_, chain_, frame_, settings_, options.lower, options.upper, target, q);
            const Errors errors = chain_errors(chain_, frame_, q, target);
            if (errors.within(options.fine(settings_.length))) {
                std::copy_n(q, n_, p.q);
                p.errors = errors, p.inside = true;
                return true;
            }
        }
        return false;
    }

  private:
    // A Newton step of six joints, by elimination with pivoting: near a double root the product J J' would lose half
    // the digits. False where the step is not small.
    bool newton_step(const Pose<double>& target, double* q) const {
        if (n_ != 6) return false;
        Axis<double> axes[6];
        const Pose<double> T = forward_chain_noinline<true, double>(chain_, frame_, q, axes);
        const Residual<double> e = residual(T, target, settings_.length);
        double A[6][7] = {};
        double J[6][6];
        weighted_jacobian<6, 6, double>(chain_, axes, T.origin, settings_.length, J);
        const double b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < 6; ++j) A[i][j] = J[i][j];
            A[i][6] = b[i];
        }
        if (eliminate<6, 7>(A) == 0) return false;
        double dq[6];
        for (int i = 5; i >= 0; --i) {
            dq[i] = A[i][6];
            for (int j = i + 1; j < 6; ++j) dq[i] -= A[i][j] * dq[j];
            dq[i] /= A[i][i];
            if (!(std::fabs(dq[i]) <= SMALL_STEP)) return false;
        }
        for (int j = 0; j < 6; ++j)
            q[j] += chain_.joints[std::size_t(j)].kind == Kind::prismatic ? dq[j] * settings_.length : dq[j];
        return true;
    }

    const ScalarChain& chain_;
    const ChainFrame& frame_;
    StepSettings settings_;
    int n_;
    double no_lower_[POSTURE_JOINTS], no_upper_[POSTURE_JOINTS];
};

}  // namespace limbik::closed_form
