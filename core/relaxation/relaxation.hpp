// Cycles of the networks, until they rest, arrive or give up. Bounded, deterministic, and no number that is not finite
// comes out.
#pragma once

#include "angle_network.hpp"
#include "point_network.hpp"

namespace limbik::relaxation {

// A network that still changes less than this after a cycle, twice, is at rest; one that grows beyond `runaway` is
// lost.
inline constexpr double RUNAWAY = 1e6;

// Points farther away than this have flown apart.
inline constexpr double FLOWN = 1e120;

enum class End { settled, cycles, lost };

struct AngleCourse {
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

inline AngleCourse relax(const AngleNetwork& network, const double* start, const AngleInputs& in, int cycles,
                         double tolerance, const NetworkSettings& settings, std::uint64_t first_cycle) {
    const std::size_t m = std::size_t(network.variables());
    std::vector<double> state(start, start + m), found, before;
    state.insert(state.end(), network.lengths().begin(), network.lengths().end());
    AngleCourse course;
    course.states.assign(state.begin(), state.begin() + long(m));
    int quiet = 0;
    for (int k = 0; k < cycles; ++k) {
        const double changed = network.cycle(state.data(), in.clamped, in.value, in.low, in.high, in.removed, in.noisy,
                                             settings, first_cycle + std::uint64_t(k), found, before);
        bool sound = std::isfinite(changed);
        for (std::size_t v = 0; v < m; ++v) sound = sound && std::fabs(state[v]) <= RUNAWAY;
        if (!sound) {  // the last sound state stands
            std::copy(before.begin(), before.end(), state.begin());
            course.end = End::lost;
            break;
        }
        course.states.insert(course.states.end(), state.begin(), state.begin() + long(m));
        course.change.push_back(changed);
        quiet = changed <= tolerance ? quiet + 1 : 0;
        if (quiet >= 2) {
            course.end = End::settled;
            break;
        }
    }
    course.disagreement = network.disagreement(state.data(), in.removed, settings);
    return course;
}

struct PointSettings {
    int cycles = 1000;
    double tolerance = 1e-2;  // of a clamped point's distance from its target
    double pull = 0.0;        // strength of the pulls at first
    double fading = 0.97;     // what it is multiplied by each cycle
    int patience = 200;       // cycles without progress before a kick, and after it before the end
    double progress = 1e-3;   // a share of the error that counts as progress
    double kick = 1e-2;       // how far points are moved where nothing else moves them, in lengths of limbs
    bool record = false;
};

struct PointCourse {
    std::vector<double> points, postures, errors;  // a row for each cycle, the start first, where they are recorded
    int cycles = 0, kicks = 0;
    double error = 0.0, depth = 0.0;
    bool arrived = false;
};

// p: the points, changed; whole: the best posture found, exact in lengths and ranges.
inline PointCourse relax(const PointNetwork& network, Vector3<double>* p, const Vector3<double>* target,
                         const double* step, const std::vector<Region>& regions, const std::vector<double>& radius,
                         const std::vector<double>& longest, bool planar, const PointSettings& s,
                         Vector3<double>* whole) {
    const std::size_t points = std::size_t(network.points());
    PointNetwork::Room room;
    room.make(points - 1, network.framed());
    PointCourse course;
    double pull = s.pull, best = std::numeric_limits<double>::infinity(), mark = best;
    int since = 0;
    for (int k = 0;; ++k) {
        const double error = network.put_right(p, target, pull, room);
        double sound =
            error;  // points that fly apart end it, before their squares overflow; the best posture so far stands
        for (std::size_t i = 0; i < points; ++i)
            sound += std::fabs(p[i].x) + std::fabs(p[i].y) + std::fabs(p[i].z) +
                     std::fabs(room.whole[i].x + room.whole[i].y + room.whole[i].z);
        if (!(sound < FLOWN)) break;
        const double depth = regions.empty() ? -1.0 : network.depth(room.whole.data(), regions, radius);
        if (s.record) {
            for (std::size_t i = 0; i < points; ++i) {
                course.points.insert(course.points.end(), {p[i].x, p[i].y, p[i].z});
                course.postures.insert(course.postures.end(), {room.whole[i].x, room.whole[i].y, room.whole[i].z});
            }
            course.errors.push_back(error);
        }
        const double worth = error + std::max(depth, 0.0);
        if (worth < best || k == 0) {
            best = worth, course.error = error, course.depth = depth, course.cycles = k;
            std::copy(room.whole.begin(), room.whole.end(), whole);
        }
        const bool calm = pull * s.fading < 1e-6;
        if (error <= s.tolerance && depth <= 0.0 && (s.pull == 0.0 || calm)) {
            course.error = error, course.depth = depth, course.cycles = k, course.arrived = true;
            std::copy(room.whole.begin(), room.whole.end(), whole);
            break;
        }
        if (k >= s.cycles) {  // a pull that has not faded yet is no reason to call a posture that is there missing
            course.cycles = k;
            if (error <= s.tolerance && depth <= 0.0) {
                course.error = error, course.depth = depth, course.arrived = true;
                std::copy(room.whole.begin(), room.whole.end(), whole);
            }
            break;
        }
        if (worth < (1.0 - s.progress) * mark) mark = worth, since = 0;
        else if (++since > s.patience && pull < 1e-3) {
            if (course.kicks >= 1) {
                course.cycles = k;
                break;
            }
            ++course.kicks, since = 0, mark = std::numeric_limits<double>::infinity();
            for (std::size_t i = 1; i < points; ++i) {  // to and fro, each point another way
                const double angle = 2.399963229728653 * double(i), size = s.kick * longest[i - 1];
                p[i] = p[i] + Vector3<double>{size * std::cos(angle), size * std::sin(angle),
                                              planar ? 0.0 : size * std::cos(3.0 * angle)};
            }
        }
        network.move(p, target, step, regions, radius, room);
        pull *= s.fading;
    }
    return course;
}

}  // namespace limbik::relaxation
