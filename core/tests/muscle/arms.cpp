// Arms with muscles: configurations from lengths, searches inside limits, monotone descents.

#include "../support/shoulder_arm.hpp"

#include "../../muscle/fast_gradient.hpp"
#include "../../muscle/from_lengths.hpp"
#include "../../muscle/search.hpp"

namespace limbik::test {
namespace {

LAW("the elbow alone determines the distance of the tip from the shoulder", 200, [](std::uint64_t seed) {
    Random random(seed);
    const Kinematics k(random_shoulder_arm(random));
    const auto arm = ShoulderElbow::of(k, 0);
    if (!arm) return;  // axes that are almost parallel
    const std::vector<double> q = random_posture(random, k.mechanism);
    const Rigid T = reference_pose(k.mechanism, k.mechanism.frames[0], q);
    const Real S[3] = {arm->shoulder.x, arm->shoulder.y, arm->shoulder.z};
    Real sum = 0;
    for (int i = 0; i < 3; ++i) sum += (T.p[i] - S[i]) * (T.p[i] - S[i]);
    const double expected = double(sqrtl(sum)), near = 1e-11 * (1.0 + std::fabs(q[3]));
    HOLDS(std::fabs(arm->distance(q[3]) - expected) <= near, arm->distance(q[3]), expected);
    HOLDS(expected >= arm->nearest() - near && expected <= arm->farthest() + near, expected, arm->nearest(),
          arm->farthest());
    double both[2] = {};
    HOLDS(arm->elbows(arm->distance(q[3]), both));
    double off = HUGE_VAL;
    for (double each : both) {
        off = std::fmin(off, std::fabs(std::remainder(each - q[3], 2.0 * PI)));
        HOLDS(std::fabs(arm->distance(each) - expected) <= 1e-9, arm->distance(each), expected);
    }
    HOLDS(off <= 1e-5, off);  // a straight arm's elbow is known to half the digits
    HOLDS(!arm->elbows(arm->farthest() * 1.001 + 1e-6, both));
});

// Three straight muscles of the shoulder, a pulley on the third joint, and a pulley or a straight muscle at the elbow.
Muscles random_muscles(Random& random, const Mechanism& m, const ShoulderElbow& arm) {
    Muscles muscles;
    for (int i = 0; i < 3; ++i) {  // from the base to the third axis, the z axis of the upper arm's frame
        Muscle muscle;
        muscle.rest = random.uniform(0.0, 0.1);
        const Point from = arm.shoulder + Point{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        muscle.pieces.push_back(make_piece(m, {-1, from}, {2, {0, 0, random.sign() * random.uniform(0.1, 0.5)}}));
        muscles.push_back(muscle);
    }
    for (int joint : {2, 3}) {
        Muscle muscle;
        muscle.rest = random.uniform(0.0, 0.1);
        if (joint == 3 && random.chance(0.5))
            muscle.pieces.push_back(make_piece(m, {2, {0.1, 0.0, 0.1}}, {3, {0.2, 0.1, 0.0}}));
        else muscle.pulleys.push_back({joint, random.sign() * random.uniform(0.01, 0.1)});
        muscles.push_back(muscle);
    }
    return muscles;
}

LAW("the first configuration of a direction keeps the limits and has the lengths that determine it", 200,
    [](std::uint64_t seed) {
        Random random(seed);
        const Kinematics k(random_shoulder_arm(random));
        const auto arm = ShoulderElbow::of(k, 0);
        if (!arm) return;
        const Muscles muscles = random_muscles(random, k.mechanism, *arm);
        double lower[4], upper[4];
        for (int j = 0; j < 4; ++j)
            lower[j] = random.uniform(-9.0, 3.0), upper[j] = lower[j] + random.uniform(2.0, 7.0);
        const LengthSolver direct(k, *arm, muscles, lower, upper);
        std::vector<double> q(4), L(muscles.size()), own(muscles.size());
        const bool outside = random.chance(0.5);
        for (std::size_t j = 0; j < 4; ++j) q[j] = random.uniform(lower[j], upper[j]);
        if (outside) q[3] += random.sign() * 2.0 * PI;  // a 2-pi copy
        muscle_batch(k.mechanism, muscles, q.data(), 1, 1, L.data(), nullptr);
        const std::vector<char> known(muscles.size(), 1);
        int pair[2], roll, elbow, found = 0;
        HOLDS(direct.choose_muscles(known.data(), pair, roll, elbow));
        for (int side = 0; side < 2; ++side) {
            std::vector<double> each = q;
            if (!direct.first_posture(L.data(), pair, roll, elbow, side, each.data())) continue;
            ++found;
            for (std::size_t j = 0; j < 4; ++j)
                HOLDS(each[j] >= lower[j] && each[j] <= upper[j], j, each[j], lower[j], upper[j]);
            muscle_batch(k.mechanism, muscles, each.data(), 1, 1, own.data(), nullptr);
            for (const int i : {pair[0], pair[1], roll, elbow})
                HOLDS(std::fabs(own[std::size_t(i)] - L[std::size_t(i)]) <= 1e-6, i, own[std::size_t(i)],
                      L[std::size_t(i)]);
        }
        const bool inside = q[3] >= lower[3] && q[3] <= upper[3];
        const auto all = direct.solve(L.data(), 1e-8, false, q.data(), true);
        const bool same_pair = all.pair[0] == pair[0] && all.pair[1] == pair[1];
        HOLDS(found > 0 || !inside || !same_pair || all.conditioning < 0.02, all.conditioning);
        const bool pulley = muscles[std::size_t(elbow)].pieces.empty();
        HOLDS(inside || !pulley || found == 0, q[3], lower[3], upper[3]);
    });

LAW("muscle lengths determine the configuration from which they were computed", 200, [](std::uint64_t seed) {
    constexpr double FREE = 20.0, TOLERANCE = 1e-8;
    Random random(seed);
    const Kinematics k(random_shoulder_arm(random));
    const Mechanism& m = k.mechanism;
    const auto arm = ShoulderElbow::of(k, 0);
    if (!arm) return;
    const Muscles muscles = random_muscles(random, m, *arm);
    const double lower[4] = {-FREE, -FREE, -FREE, -FREE}, upper[4] = {FREE, FREE, FREE, FREE};
    const LengthSolver direct(k, *arm, muscles, lower, upper);
    HOLDS(direct.complete());
    std::vector<double> q(4), L(muscles.size());
    for (double& each : q) each = random.uniform(-3.0, 3.0);
    muscle_batch(m, muscles, q.data(), 1, 1, L.data(), nullptr);
    const auto found = direct.solve(L.data(), TOLERANCE, true, q.data(), true);
    HOLDS(found.count >= 0 && found.count <= LengthSolver::MOST, found.count);
    double nearest = HUGE_VAL;
    for (int i = 0; i < found.count; ++i) {
        std::vector<double> own(muscles.size());
        const std::array<double, 4>& each = found.q[std::size_t(i)];
        muscle_batch(m, muscles, each.data(), 1, 1, own.data(), nullptr);
        double off = 0.0;
        for (std::size_t j = 0; j < own.size(); ++j)
            HOLDS(std::fabs(own[j] - L[j]) <= 1.01 * TOLERANCE, i, own[j], L[j]);
        for (std::size_t j = 0; j < 4; ++j) off = std::fmax(off, std::fabs(std::remainder(each[j] - q[j], 2.0 * PI)));
        nearest = std::fmin(nearest, off);
    }
    if (found.conditioning > 0.02)
        HOLDS(found.count > 0 && nearest <= 1e-4, found.count, int(found.reason), nearest, found.conditioning);
});

LAW("a search keeps limits, gets no worse, and reports the reference's error", 60, [](std::uint64_t seed) {
    Random random(seed);
    Mechanism own = random_chain(random, random.integer(2, 6));
    own.frames.assign(1, {own.n - 1, random_placement(random)});
    const Kinematics k(own);
    const Mechanism& m = k.mechanism;
    const std::size_t N = std::size_t(m.n);
    std::vector<double> lower(N), upper(N), q(N), start(N);
    for (std::size_t j = 0; j < N; ++j) {
        lower[j] = random.uniform(-2.0, 0.0), upper[j] = random.uniform(0.1, 2.0);
        q[j] = random.uniform(lower[j], upper[j]), start[j] = random.uniform(lower[j], upper[j]);
    }
    const Muscles none;
    MuscleSearch search(k, 0, none, lower.data(), upper.data(), 1.0);
    MuscleGoal goal;
    goal.with_rotation = random.chance(0.5);
    goal.target = rounded(reference_pose(m, m.frames[0], q));
    auto state = search.state(goal, start);
    const double before = goal.with_rotation ? HUGE_VAL : state.position;
    search.reach(goal, state, false);
    for (std::size_t j = 0; j < N; ++j) HOLDS(state.q[j] >= lower[j] && state.q[j] <= upper[j], state.q[j]);
    HOLDS(state.position <= before * (1 + 1e-12), state.position, before);
    const Rigid T = reference_pose(m, m.frames[0], state.q), wanted = rigid(goal.target);
    Real sum = 0;
    for (int i = 0; i < 3; ++i) sum += (T.p[i] - wanted.p[i]) * (T.p[i] - wanted.p[i]);
    HOLDS(std::fabs(state.position - double(sqrtl(sum))) <= 1e-12, state.position, double(sqrtl(sum)));
});

LAW("a descent stays in its ranges, keeps its best, and counts its evaluations", 100, [](std::uint64_t seed) {
    Random random(seed);
    const std::size_t N = std::size_t(random.integer(1, 5));
    std::vector<double> L(N), lower(N), upper(N), aim(N);
    std::vector<std::vector<int>> subsets(std::size_t(random.integer(1, 3)));
    for (std::size_t i = 0; i < N; ++i) {
        lower[i] = random.uniform(0.0, 1.0), upper[i] = lower[i] + random.uniform(0.01, 1.0);
        L[i] = random.uniform(-1.0, 3.0), aim[i] = random.uniform(lower[i], upper[i]);
    }
    for (auto& subset : subsets)
        for (int i = 0; i < int(N); ++i) subset.push_back(i);
    DescentSettings set;
    set.sweeps = random.integer(0, 60), set.seed = random.bits(), set.goal = random.magnitude(-6.0, -1.0);
    set.far = 0.1, set.kick = 0.05;
    set.velocity = random.chance(0.7), set.annealing = random.chance(0.7), set.reheating = random.chance(0.7);
    const double forbidden = random.chance(0.3) ? aim[0] + 0.1 : HUGE_VAL;
    long calls = 0;
    const auto distance_of = [&](const std::vector<double>& at) {
        ++calls;
        for (std::size_t i = 0; i < N; ++i) HOLDS(std::isfinite(at[i]), at[i]);
        if (at[0] > forbidden) return double(NAN);
        double sum = 0.0;
        for (std::size_t i = 0; i < N; ++i) sum += (at[i] - aim[i]) * (at[i] - aim[i]);
        return std::sqrt(sum);
    };
    const DescentResult out = descend(L, lower, upper, subsets, set, distance_of, [] { return true; });
    HOLDS(calls == out.calls && out.sweeps <= set.sweeps && long(out.history.size()) == out.sweeps + 1, calls,
          out.calls);
    for (std::size_t i = 0; i < N; ++i) HOLDS(out.lengths[i] >= lower[i] && out.lengths[i] <= upper[i], out.lengths[i]);
    for (std::size_t k = 1; k < out.history.size(); ++k) HOLDS(out.history[k] <= out.history[k - 1], out.history[k]);
    const double distance = distance_of(out.lengths);
    HOLDS(std::isnan(distance) ? out.distance == HUGE_VAL : same_bits(distance, out.distance), distance, out.distance);
    HOLDS(out.reached == (out.distance <= set.goal), out.distance, set.goal);
});

}  // namespace
}  // namespace limbik::test
