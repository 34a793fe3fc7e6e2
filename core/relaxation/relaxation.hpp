// Cycles of the networks until they converge, reach their targets or stall: bounded, deterministic, and always finite.
#pragma once

#include "angle_network.hpp"
#include "point_network.hpp"

namespace limbik::relaxation {

// A network has converged when it changes by no more than its tolerance in two cycles in a row; it has diverged when a
// variable exceeds this.
inline constexpr double DIVERGED = 1e6;

// Points farther away than this have diverged.
inline constexpr double DIVERGED_POINT = 1e120;

enum class End { converged, cycles, diverged };

struct AngleTrace {
    std::vector<double> states;  // rows of the variables, the start first
    std::vector<double> change;  // of each cycle
    End end = End::cycles;
    double disagreement = 0.0;  // of the last state
};

struct AngleInputs {
    const bool* clamped;
    const double *value, *low, *high;
    const unsigned char *removed, *noisy;
};

inline AngleTrace relax(const AngleNetwork& network, const double* start, const AngleInputs& in, int cycles,
                        double tolerance, const NetworkSettings& settings, std::uint64_t first_cycle) {
    const std::size_t m = std::size_t(network.variables());
    std::vector<double> state(start, start + m), found, before;
    state.insert(state.end(), network.lengths().begin(), network.lengths().end());
    AngleTrace trace;
    trace.states.assign(state.begin(), state.begin() + long(m));
    int small_changes = 0;
    for (int k = 0; k < cycles; ++k) {
        const double changed = network.cycle(state.data(), in.clamped, in.value, in.low, in.high, in.removed, in.noisy,
                                             settings, first_cycle + std::uint64_t(k), found, before);
        bool sound = std::isfinite(changed);
        for (std::size_t v = 0; v < m; ++v) sound = sound && std::fabs(state[v]) <= DIVERGED;
        if (!sound) {  // keep the last finite state
            std::copy(before.begin(), before.end(), state.begin());
            trace.end = End::diverged;
            break;
        }
        trace.states.insert(trace.states.end(), state.begin(), state.begin() + long(m));
        trace.change.push_back(changed);
        small_changes = changed <= tolerance ? small_changes + 1 : 0;
        if (small_changes >= 2) {
            trace.end = End::converged;
            break;
        }
    }
    trace.disagreement = network.disagreement(state.data(), in.removed, settings);
    return trace;
}

struct PointSettings {
    int cycles = 1000;
    double tolerance = 1e-2;  // largest distance of a clamped point from its target
    double pull = 0.0;        // initial factor of the pulls
    double fading = 0.97;     // by which it is multiplied each cycle
    int patience = 200;       // cycles without progress before a perturbation, and again before the run ends
    double progress = 1e-3;   // relative decrease of the error that counts as progress
    double kick = 1e-2;       // size of the perturbation, in lengths of segments
    bool record = false;
};

struct PointTrace {
    std::vector<double> points, postures, errors;  // a row for each cycle, the start first, if recorded
    int cycles = 0, kicks = 0;
    double error = 0.0, depth = 0.0;
    bool reached = false;
};

// p: the points, changed; posture: the best posture found, exact in lengths and ranges.
inline PointTrace relax(const PointNetwork& network, Vector3<double>* p, const Vector3<double>* target,
                        const double* step, const std::vector<Region>& regions, const std::vector<double>& radius,
                        const std::vector<double>& longest, bool planar, const PointSettings& s,
                        Vector3<double>* posture) {
    const std::size_t points = std::size_t(network.points());
    PointNetwork::Buffers buffers;
    buffers.make(points - 1, network.framed());
    PointTrace trace;
    double pull = s.pull, best = std::numeric_limits<double>::infinity(), mark = best;
    int since = 0;
    for (int k = 0;; ++k) {
        const double error = network.correct(p, target, pull, buffers);
        // Points that diverge end the run before their squares overflow; the best posture so far is returned.
        double sound = error;
        for (std::size_t i = 0; i < points; ++i)
            sound += std::fabs(p[i].x) + std::fabs(p[i].y) + std::fabs(p[i].z) +
                     std::fabs(buffers.posture[i].x + buffers.posture[i].y + buffers.posture[i].z);
        if (!(sound < DIVERGED_POINT)) break;
        const double depth = regions.empty() ? -1.0 : network.depth(buffers.posture.data(), regions, radius);
        if (s.record) {
            for (std::size_t i = 0; i < points; ++i) {
                trace.points.insert(trace.points.end(), {p[i].x, p[i].y, p[i].z});
                trace.postures.insert(trace.postures.end(),
                                      {buffers.posture[i].x, buffers.posture[i].y, buffers.posture[i].z});
            }
            trace.errors.push_back(error);
        }
        const double cost = error + std::max(depth, 0.0);
        if (cost < best || k == 0) {
            best = cost, trace.error = error, trace.depth = depth, trace.cycles = k;
            std::copy(buffers.posture.begin(), buffers.posture.end(), posture);
        }
        const bool faded = pull * s.fading < 1e-6;
        if (error <= s.tolerance && depth <= 0.0 && (s.pull == 0.0 || faded)) {
            trace.error = error, trace.depth = depth, trace.cycles = k, trace.reached = true;
            std::copy(buffers.posture.begin(), buffers.posture.end(), posture);
            break;
        }
        if (k >= s.cycles) {  // a reached target counts as reached, even if the pull has not faded yet
            trace.cycles = k;
            if (error <= s.tolerance && depth <= 0.0) {
                trace.error = error, trace.depth = depth, trace.reached = true;
                std::copy(buffers.posture.begin(), buffers.posture.end(), posture);
            }
            break;
        }
        if (cost < (1.0 - s.progress) * mark) mark = cost, since = 0;
        else if (++since > s.patience && pull < 1e-3) {
            if (trace.kicks >= 1) {
                trace.cycles = k;
                break;
            }
            ++trace.kicks, since = 0, mark = std::numeric_limits<double>::infinity();
            for (std::size_t i = 1; i < points; ++i) {  // each point in another direction
                const double angle = 2.399963229728653 * double(i), size = s.kick * longest[i - 1];
                p[i] = p[i] + Vector3<double>{size * std::cos(angle), size * std::sin(angle),
                                              planar ? 0.0 : size * std::cos(3.0 * angle)};
            }
        }
        network.move(p, target, step, regions, radius, buffers);
        pull *= s.fading;
    }
    return trace;
}

}  // namespace limbik::relaxation
