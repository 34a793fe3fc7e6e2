// `MuscleSearch` from several seeds: the first that reaches the target, or the configuration that comes closest to it.
#pragma once

#include "search.hpp"

namespace limbik::muscle {

// Rows of q, `count` of them.
struct Seeds {
    const double* q;
    long count;
    int n;

    std::vector<double> row(long i) const { return {q + i * n, q + (i + 1) * n}; }
};

struct SeededResult {
    MuscleSearch::State state;
    bool found = false;
    long attempt = 0;  // the last seed that was tried
};

// The first seed that leads to the target, with muscles in range, to these tolerances [m, rad]; with `centred` its
// muscles are then centred. Where none does, the one with the smallest error.
inline SeededResult search_from(MuscleSearch& search, const MuscleGoal& goal, const Seeds& seeds, double position,
                                double rotation, bool centred) {
    SeededResult out;
    const auto good = [&](const MuscleSearch::State& at) {
        return at.position <= position && at.rotation <= rotation && at.worst <= 1.0 + MuscleSearch::ROUND_OFF;
    };
    for (long i = 0; i < seeds.count && !out.found; ++i) {
        MuscleSearch::State at = search.state(goal, seeds.row(i));
        if (!good(at)) search.reach(goal, at, true);
        out.found = good(at), out.attempt = i;
        if (out.found || out.state.q.empty() || search.error(at, goal) < search.error(out.state, goal)) out.state = at;
    }
    if (out.found && centred) search.centre(goal, out.state, position, rotation);
    return out;
}

// The configuration inside limits and ranges whose tip is closest to the target, by at most `steps` steps from each
// seed. `found`: it is inside.
inline SeededResult closest_from(MuscleSearch& search, const MuscleGoal& goal, const Seeds& seeds, int steps) {
    // The weight of a length outside its range, beside the tip's error.
    constexpr double RANGE_WEIGHT = 30.0;
    // The relative decrease of the error below which steps end.
    constexpr double STALLED = 1e-9;
    SeededResult out;
    for (long i = 0; i < seeds.count; ++i) {
        MuscleSearch::State at = search.state(goal, seeds.row(i));
        search.reach(goal, at, true, MuscleSearch::STEPS, RANGE_WEIGHT);
        if (at.worst > 1.0) search.enter_ranges(at);
        at = search.state(goal, at.q);
        const bool inside = at.worst <= 1.0;
        double last = HUGE_VAL;
        for (int step = 0; inside && step < steps && search.error(at, goal) < last * (1.0 - STALLED); ++step) {
            last = search.error(at, goal);
            MuscleSearch::State next = at;
            search.track(goal, next, 0.0);
            if (search.error(next, goal) < last) at = next;
        }
        const bool closer = inside == out.found && search.error(at, goal) < search.error(out.state, goal);
        if (out.state.q.empty() || inside > out.found || closer) out.state = at;
        out.found = out.found || inside;
    }
    return out;
}

}  // namespace limbik::muscle
