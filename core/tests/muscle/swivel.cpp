// Swivels of an arm with muscles: the arcs against evaluations at single swivels.

#include "../support/shoulder_arm.hpp"

#include "../../muscle/swivel_arcs.hpp"

namespace limbik::test {
namespace {

// From the base or the upper arm to the arm, or around a pulley of one joint; a range around the length at q.
inline Muscle random_muscle(Random& random, const Mechanism& m, const std::vector<double>& q) {
    const auto point = [&] { return Point{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.2}; };
    Muscle muscle;
    muscle.rest = random.uniform(0.0, 0.1);
    switch (random.integer(0, 3)) {
        case 0: muscle.pieces.push_back(make_piece(m, {-1, point()}, {2, point()})); break;
        case 1: muscle.pieces.push_back(make_piece(m, {3, point()}, {-1, point()})); break;
        case 2: muscle.pieces.push_back(make_piece(m, {2, point()}, {3, point()})); break;
        default: muscle.pulleys.push_back({random.integer(0, 3), random.sign() * random.uniform(0.01, 0.1)});
    }
    double length = 0.0;
    muscle_batch(m, {muscle}, q.data(), 1, 1, &length, nullptr);
    muscle.lower = length - random.uniform(0.01, 0.2), muscle.upper = length + random.uniform(0.01, 0.2);
    return muscle;
}

LAW("the arcs of the swivel are where joints and muscles keep their ranges", 100, [](std::uint64_t seed) {
    constexpr int SAMPLES = 200;
    constexpr double NEAR = 1e-6;
    Random random(seed);
    const Kinematics k(random_shoulder_arm(random));
    const Mechanism& m = k.mechanism;
    const auto arm = ShoulderElbow::of(k, 0);
    if (!arm) return;
    double lower[4], upper[4];
    std::vector<double> q(4);
    for (std::size_t j = 0; j < 4; ++j) {
        q[j] = random.uniform(-2.0, 2.0);
        lower[j] = q[j] - random.uniform(0.1, 3.0), upper[j] = q[j] + random.uniform(0.1, 3.0);
        if (random.chance(0.2)) lower[j] = -PI, upper[j] = PI;
    }
    Muscles muscles;
    for (int i = random.integer(0, 4); i > 0; --i) muscles.push_back(random_muscle(random, m, q));
    const MuscleSwivel swivel(k, *arm, muscles, lower, upper, {0, 0, -1});
    HOLDS(swivel.exact());
    const Rigid T = reference_pose(m, m.frames[0], q);
    const Point p = rounded(T).origin;
    const auto found = swivel.solve(p, q.data(), false);
    HOLDS(found.outcome == MuscleSwivel::solved, int(found.outcome), int(found.reason));
    double width = 0.0;
    for (const auto& arc : found.arcs) {
        HOLDS(arc.low <= PI && arc.low <= arc.high && arc.high >= -PI && arc.high <= arc.low + TURN, arc.low, arc.high);
        width += arc.high - arc.low;
    }
    // Arcs overlap where both elbows or both branches fit: a swivel fits if any arc contains it.
    const auto distance_in = [&](double at) {  // the distance inside an arc, or minus the distance from all
        double most = -HUGE_VAL;
        for (const auto& arc : found.arcs) {
            const double half = 0.5 * (arc.high - arc.low);
            most = std::fmax(most, half - std::fabs(std::remainder(at - arc.low - half, TURN)));
        }
        return most;
    };
    for (int i = 0; i < SAMPLES; ++i) {
        const double at = -PI + TURN * (i + random.uniform(0.0, 1.0)) / SAMPLES, inside = distance_in(at);
        if (std::fabs(inside) < NEAR) continue;
        const auto here = swivel.solve(p, q.data(), false, &at);
        HOLDS((here.outcome == MuscleSwivel::solved) == (inside > 0.0), at, inside, width, int(here.reason));
    }
});

}  // namespace
}  // namespace limbik::test
