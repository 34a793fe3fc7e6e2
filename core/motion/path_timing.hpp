// The fastest time parametrisation of a joint trajectory q(s) under speed and acceleration bounds of each joint.
//
// The derivatives in time are q' = q_s s' and q'' = q_s s'' + q_ss s'^2. With x = s'^2 and u = s'' the bounds are
// linear in x and u, and from one sample of s to the next x grows by 2 u ds. Backward pass: the greatest x at each
// sample from which the end can still be reached at rest. Forward pass: the greatest u that stays below it
// (reachability analysis: Pham and Pham 2018). The bounds hold at both ends of every interval.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../layers.hpp"

namespace limbik::motion {

struct Timing {
    int n;
    long count;                          // samples
    const double* s;                     // (count) increasing
    const double *slope, *bend;          // (count, n) q_s, q_ss
    const double *speed, *acceleration;  // (n), infinite where there is no bound
    const double* most;                  // (count) upper bound of x; 0 where the motion must rest
};

class PathTimer {
  public:
    explicit PathTimer(const Timing& on) : on_(on), greatest_(std::size_t(on.count)) {}

    // x at every sample. Resting at a sample is always feasible, so there is always an answer.
    std::vector<double> find() {
        for (long i = 0; i < on_.count; ++i) greatest_[std::size_t(i)] = speed_bound(i);
        for (long i = on_.count - 2; i >= 0; --i) {
            double low = 0.0, high = std::min(greatest_[std::size_t(i)], LARGEST);
            if (!can_continue(i, high)) {
                for (int k = 0; k < HALVINGS && high - low > NARROW * high; ++k) {
                    const double middle = 0.5 * (low + high);
                    (can_continue(i, middle) ? low : high) = middle;
                }
                high = low;
            }
            greatest_[std::size_t(i)] = high;
        }
        std::vector<double> x(std::size_t(on_.count), 0.0);
        if (on_.count > 0) x[0] = greatest_[0];
        for (long i = 0; i + 1 < on_.count; ++i) {
            double low, high;
            range(i, x[std::size_t(i)], low, high);
            x[std::size_t(i) + 1] =
                std::clamp(x[std::size_t(i)] + 2.0 * step(i) * high, 0.0, greatest_[std::size_t(i) + 1]);
        }
        return x;
    }

  private:
    // The most halvings of a bisection, the relative width at which it ends, and the largest x.
    static constexpr int HALVINGS = 60;
    static constexpr double NARROW = 1e-12, LARGEST = 1e12;

    double step(long i) const { return on_.s[i + 1] - on_.s[i]; }

    double speed_bound(long i) const {
        double most = on_.most[i];
        for (int j = 0; j < on_.n; ++j) {
            const double slope = std::fabs(on_.slope[i * on_.n + j]);
            if (slope > 0.0) most = std::min(most, (on_.speed[j] / slope) * (on_.speed[j] / slope));
        }
        return most;
    }

    // The range of u at sample i that respects the bounds with this x and stays below the next sample's greatest x.
    void range(long i, double x, double& low, double& high) const {
        const double ds = step(i);
        low = -x / (2.0 * ds);
        high = (greatest_[std::size_t(i) + 1] - x) / (2.0 * ds);
        for (int j = 0; j < on_.n; ++j) {
            const double most = on_.acceleration[j];
            if (!std::isfinite(most)) continue;
            const double *slope = on_.slope + i * on_.n + j, *bend = on_.bend + i * on_.n + j;
            cut(slope[0], bend[0] * x, most, low, high);
            cut(slope[on_.n] + 2.0 * ds * bend[on_.n], bend[on_.n] * x, most, low, high);
        }
    }
    // Restrict u to |by u + rest| <= most.
    static void cut(double by, double rest, double most, double& low, double& high) {
        if (by == 0.0) {
            if (std::fabs(rest) > most) high = -std::numeric_limits<double>::infinity();
            return;
        }
        const double a = (-most - rest) / by, b = (most - rest) / by;
        low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
    }
    bool can_continue(long i, double x) const {
        double low, high;
        range(i, x, low, high);
        return low <= high;
    }

    const Timing& on_;
    std::vector<double> greatest_;
};

}  // namespace limbik::motion
