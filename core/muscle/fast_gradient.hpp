// Fast gradient following with annealing: a descent in muscle space that needs only a distance (Gini et al., section
// 4).
//
// As printed: for each muscle of Sub(i), shorten it a little, compute the distance and its slope, v <- eta v - alpha
// grad (17), keep the new length if the distance falls; eta is 1.3, 1.1 or 0.5 after a decrease of more than 10 %, a
// smaller one, an increase. The temperature falls, T <- b T, and rises again where the distance stalls above the goal.
//
// What the print leaves open is chosen as follows. The gradient of a distance does not shrink towards the target, and
// eta does not scale the alpha grad term: as printed the descent stalls at a distance of the order of alpha. So the
// temperature scales that term, v <- eta v - alpha T grad, and falls after a sweep in which a muscle was rejected; a
// rejected muscle loses its velocity. Where 0.999 d' < d < 1.001 d' above a given distance, T <- min(T0, T / b^3), and
// a random step proportional to T is taken with the probability exp(-rise / T), in units that are settings. That
// distance is "a specified value" in print; if it is far below the desired precision (1 cm there), the slow convergence
// of the last digits counts as a stall, and reheating undoes them. The best lengths so far are kept, so the descent can
// be ended at any time.
//
// The classical gradient is the same loop with eta = 0 and T = 1: a constant step along the gradient, kept where the
// distance falls.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../base/random.hpp"

namespace limbik::muscle {

struct DescentSettings {
    double alpha = 0.03;                           // the step at T = 1 and a gradient of 1 [m^2 / m]
    double much = 1.3, little = 1.1, worse = 0.5;  // eta
    double cooling = 0.65, heat = 3.0;             // b and T0
    double still = 0.001;                          // relative change of the distance below which it stalls
    double goal = 0.0;                             // the distance at which the descent ends [m]
    double far = 1.0;                              // the distance above which a stall is reheated [m]
    double probe = 1e-4, probe_part = 1e-3, probe_least = 1e-8;  // a muscle is shortened by min(probe, part d + least)
    double kick = 1.0;                                           // size of a random step at T = 1 [m]
    double rise = 30.0;  // the increase of the distance accepted with probability 1 / e at T = 1
    bool velocity = true, annealing = true, reheating = true;
    int sweeps = 200;
    double seconds = HUGE_VAL;  // after which no sweep starts
    std::uint64_t seed = 0;
};

struct DescentResult {
    std::vector<double> lengths;  // the best
    double distance = HUGE_VAL;
    long calls = 0;  // evaluations of the distance
    int sweeps = 0, reheated = 0;
    bool reached = false;
    std::vector<double> history;  // the best distance before the first sweep and after each
};

// `distance`: of lengths, infinite (or NaN) where they are impossible. `subsets`: Sub(i), the muscles of sweep i,
// cyclically. `go_on`: called before each sweep.
template <class Distance, class GoOn>
DescentResult descend(std::vector<double> L, const std::vector<double>& lower, const std::vector<double>& upper,
                      const std::vector<std::vector<int>>& subsets, const DescentSettings& s, const Distance& distance,
                      const GoOn& go_on) {
    const std::size_t n = L.size();
    DescentResult out;
    const auto evaluate = [&](const std::vector<double>& at) {
        ++out.calls;
        const double d = distance(at);
        return std::isnan(d) ? HUGE_VAL : d;
    };
    std::uint64_t draws = 0;
    const auto random = [&] { return counter_random(s.seed, draws++); };
    for (std::size_t i = 0; i < n; ++i) L[i] = std::clamp(L[i], lower[i], upper[i]);
    double d = evaluate(L), T = s.heat;
    out.lengths = L, out.distance = d, out.history.push_back(d);
    std::vector<double> v(n, 0.0), eta(n, s.worse), trial(L);
    const auto remember = [&] {
        if (d < out.distance) out.distance = d, out.lengths = L;
    };
    const auto begin = std::chrono::steady_clock::now();
    const auto in_time = [&] {
        return !(s.seconds < HUGE_VAL) ||
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < s.seconds;
    };
    for (; out.sweeps < s.sweeps && !(out.distance <= s.goal) && in_time() && go_on(); ++out.sweeps) {
        const double before = d;
        bool refused = false;
        for (const int m : subsets[std::size_t(out.sweeps) % subsets.size()]) {
            const std::size_t i = std::size_t(m);
            // shortened, or lengthened at its lower end
            double h = -std::min(s.probe, s.probe_part * d + s.probe_least);
            if (L[i] + h < lower[i]) h = -h;
            trial = L;
            trial[i] = L[i] + h;
            double slope = (evaluate(trial) - d) / h;
            if (!std::isfinite(slope)) {
                trial[i] = std::clamp(L[i] - h, lower[i], upper[i]);
                slope = (evaluate(trial) - d) / -h;
            }
            if (!std::isfinite(slope)) {
                refused = true, v[i] = 0.0;
                continue;
            }
            v[i] = (s.velocity ? eta[i] * v[i] : 0.0) - s.alpha * (s.annealing ? T : 1.0) * slope;
            trial[i] = std::clamp(L[i] + v[i], lower[i], upper[i]);
            const double tried = evaluate(trial);
            if (tried < d) {
                eta[i] = tried < 0.9 * d ? s.much : s.little;
                d = tried, L[i] = trial[i];
                remember();
            } else {
                eta[i] = s.worse, v[i] = 0.0, refused = true;
            }
        }
        if (s.annealing && refused) T *= s.cooling;
        const bool stalled = d > (1.0 - s.still) * before && d < (1.0 + s.still) * before;
        if (s.annealing && s.reheating && d > std::max(s.far, s.goal) && stalled) {
            ++out.reheated;
            T = std::min(s.heat, T / (s.cooling * s.cooling * s.cooling));
            for (std::size_t i = 0; i < n; ++i)
                trial[i] = std::clamp(L[i] + s.kick * T * (2.0 * random() - 1.0), lower[i], upper[i]);
            const double tried = evaluate(trial);
            if (std::isfinite(tried) && random() < std::exp(-(tried - d) / (s.rise * T))) {
                d = tried, L = trial;
                std::fill(v.begin(), v.end(), 0.0);
                remember();
            }
        }
        out.history.push_back(out.distance);
    }
    out.reached = out.distance <= s.goal;
    return out;
}

}  // namespace limbik::muscle
