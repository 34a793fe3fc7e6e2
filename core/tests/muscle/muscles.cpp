// Muscles: lengths against the reference, moment arms against differences, batches equal to single rows.

#include "../support/mechanisms.hpp"

#include "../../muscle/muscles.hpp"

namespace limbik::test {
namespace {

inline Muscles random_muscles(Random& random, const Mechanism& m) {
    const auto point = [&] {
        return MusclePoint{random.integer(-1, int(m.elements.size()) - 1),
                           {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)}};
    };
    Muscles muscles(std::size_t(random.integer(1, 5)));
    for (Muscle& muscle : muscles) {
        muscle.rest = random.uniform(0.0, 0.3);
        MusclePoint from = point();
        for (int k = random.integer(0, 3); k > 0; --k) {
            const MusclePoint to = point();
            muscle.pieces.push_back(make_piece(m, from, to));
            from = to;
        }
        for (int k = m.n > 0 ? random.integer(0, 2) : 0; k > 0; --k)
            muscle.pulleys.push_back({random.integer(0, m.n - 1), random.uniform(-0.1, 0.1)});
    }
    return muscles;
}

// Lengths by the reference: points as frames.
inline std::vector<Real> reference_lengths(const Mechanism& m, const Muscles& muscles, const std::vector<double>& q) {
    std::vector<Real> out;
    for (const Muscle& muscle : muscles) {
        Real length = muscle.rest;
        for (const MusclePiece& piece : muscle.pieces) {
            const auto place = [&](const MusclePoint& p) {
                return reference_pose(m, {p.element, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, p.at}}, q);
            };
            const Rigid a = place(piece.start), b = place(piece.end);
            Real sum = 0;
            for (int i = 0; i < 3; ++i) sum += (b.p[i] - a.p[i]) * (b.p[i] - a.p[i]);
            length += sqrtl(sum);
        }
        for (const MusclePulley& pulley : muscle.pulleys)
            length += Real(pulley.radius) * q[std::size_t(pulley.variable)];
        out.push_back(length);
    }
    return out;
}

LAW("lengths are the reference's, and moment arms their differences", 100, [](std::uint64_t seed) {
    constexpr double STEP_OF_Q = 1e-5, NEAR = 1e-7;
    Random random(seed);
    const Mechanism m = random_tree(random, random.integer(1, 6));
    const Muscles muscles = random_muscles(random, m);
    const std::vector<double> q = random_posture(random, m);
    std::vector<double> L(muscles.size(), NAN), G(muscles.size() * std::size_t(m.n), NAN), alone = L;
    muscle_batch(m, muscles, q.data(), 1, 1, L.data(), G.data());
    muscle_batch(m, muscles, q.data(), 1, 1, alone.data(), nullptr);
    const std::vector<Real> exact = reference_lengths(m, muscles, q);
    double size = 1.0;
    for (const Element& e : m.elements) size += std::fabs(q[std::size_t(e.first)]);
    for (std::size_t k = 0; k < muscles.size(); ++k) {
        HOLDS(fabsl(L[k] - exact[k]) <= 1e-13L * size, std::uint64_t(k), L[k], exact[k]);
        HOLDS(same_bits(L[k], alone[k]), L[k], alone[k]);
    }
    for (int j = 0; j < m.n; ++j) {
        std::vector<double> dq(std::size_t(m.n), 0.0), ahead(dq), behind(dq);
        dq[std::size_t(j)] = STEP_OF_Q;
        integrate_rows(m, q.data(), dq.data(), 1, ahead.data());
        dq[std::size_t(j)] = -STEP_OF_Q;
        integrate_rows(m, q.data(), dq.data(), 1, behind.data());
        const std::vector<Real> a = reference_lengths(m, muscles, ahead), b = reference_lengths(m, muscles, behind);
        for (std::size_t k = 0; k < muscles.size(); ++k) {
            // pulleys count entries of q, which are not coordinates of a ball joint's motion
            bool on_ball = false, short_piece = false;
            for (const MusclePulley& pulley : muscles[k].pulleys)
                for (const Element& e : m.elements)
                    on_ball = on_ball || (size_of(e.kind) > 1 && pulley.variable >= e.first &&
                                          pulley.variable < e.first + size_of(e.kind));
            // a muscle of almost no length has a kink
            for (const MusclePiece& piece : muscles[k].pieces) {
                Muscle one;
                one.pieces.push_back(piece);
                short_piece = short_piece || reference_lengths(m, {one}, q)[0] < 0.02L;
            }
            if (on_ball || short_piece) continue;
            const double difference = double((a[k] - b[k]) / (2 * STEP_OF_Q)),
                         arm = G[k * std::size_t(m.n) + std::size_t(j)];
            HOLDS(std::fabs(arm - difference) <= NEAR * size, std::uint64_t(k), j, arm, difference);
        }
    }
});

inline void check_muscle_rows(Random& random, long rows, int threads) {
    const Mechanism m = random_tree(random, random.integer(1, 4));
    const Muscles muscles = random_muscles(random, m);
    const std::size_t count = muscles.size(), arms = count * std::size_t(m.n), R = std::size_t(rows);
    std::vector<double> q;
    for (long row = 0; row < rows; ++row) {
        const std::vector<double> one = random_posture(random, m);
        q.insert(q.end(), one.begin(), one.end());
    }
    std::vector<double> L(R * count, NAN), G(R * arms, NAN);
    muscle_batch(m, muscles, q.data(), rows, threads, L.data(), G.data());
    for (long row = 0; row < rows; ++row) {
        std::vector<double> one_L(count, NAN), one_G(arms, NAN);
        muscle_batch(m, muscles, q.data() + row * m.n, 1, 1, one_L.data(), one_G.data());
        for (std::size_t k = 0; k < count; ++k) HOLDS(same_bits(one_L[k], L[std::size_t(row) * count + k]), rows, row);
        for (std::size_t k = 0; k < arms; ++k) HOLDS(same_bits(one_G[k], G[std::size_t(row) * arms + k]), rows, row);
    }
}

LAW("a row of muscle lengths is the single call", 40, [](std::uint64_t seed) {
    Random random(seed);
    check_muscle_rows(random, random.integer(0, 3 * width<Wide> + 1), 1);
});

LAW("a length is off centre by its part of the range, and more than all of it only outside", 300,
    [](std::uint64_t seed) {
        Random random(seed);
        Muscle muscle;
        muscle.lower = random.uniform(0.0, 1.0), muscle.upper = muscle.lower + random.uniform(0.01, 1.0);
        const double share = random.uniform(-3.0, 3.0), half = 0.5 * (muscle.upper - muscle.lower);
        const double off = off_centre(muscle, muscle.lower + half + share * half);
        HOLDS(std::fabs(off - std::fabs(share)) <= 1e-12, off, share);
        HOLDS(off_centre(muscle, muscle.lower) <= 1.0 && off_centre(muscle, muscle.upper) <= 1.0, muscle.lower,
              muscle.upper);
        if (std::fabs(share) > 1.0 + 1e-9) HOLDS(off > 1.0, off, share);
        muscle.upper = HUGE_VAL;
        const double length = random.uniform(0.0, 3.0);
        HOLDS((off_centre(muscle, length) <= 1.0) == (length >= muscle.lower), length, muscle.lower);
    });

TEST_SUITE_BEGIN("threads");

TEST_CASE("muscles of many rows on several threads") {
    Random random(FIXED);
    check_muscle_rows(random, ROWS_PER_THREAD + 5, 3);
}

TEST_SUITE_END();

}  // namespace
}  // namespace limbik::test
