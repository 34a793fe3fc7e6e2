// Random mechanisms: the fast path against the general one, both against long double, derivatives against differences.

#include "../support/mechanisms.hpp"

namespace limbik::test {
namespace {

inline constexpr double PATH_ERROR = 1e-13;       // between the two paths, times the size of the mechanism
inline constexpr double STEP = 1e-5;              // of the central differences
inline constexpr double DIFFERENCE_ERROR = 1e-8;  // of the central differences, times the size of the mechanism

// The scale of errors: the reach of the mechanism from its base [m], plus 1 for rotations.
inline double reach(const Mechanism& m, const std::vector<double>& q) {
    auto length = [](const Vector3<double>& a) { return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z); };
    double sum = 1.0;
    for (const Element& e : m.elements) {
        sum += length(e.placement.origin);
        const double* value = &q[std::size_t(e.first)];
        if (e.kind == Kind::prismatic) sum += std::fabs(e.scale * value[0]) + std::fabs(e.offset);
        if (e.kind == Kind::floating) sum += length({value[0], value[1], value[2]});
    }
    for (const Frame& f : m.frames) sum += length(f.placement.origin);
    return sum;
}

// The angle of a mimic joint is rounded once more, in proportion to its size; its rotation may be off by that much.
inline double rounded_angles(const Mechanism& m, const std::vector<double>& q) {
    double sum = 1.0;
    for (const Element& e : m.elements)
        if (e.kind == Kind::revolute && (e.scale != 1.0 || e.offset != 0.0))
            sum += std::fabs(e.scale * q[std::size_t(e.first)]) + std::fabs(e.offset);
    return sum;
}

inline void check_pose(const Pose<double>& core, const Rigid& exact, double size, double angles, int frame,
                       const char* path) {
    const Rigid T = rigid(core);
    const double turned = distance(T.R, exact.R), moved = distance(T.p, exact.p);
    HOLDS(turned <= PATH_ERROR * angles, path, frame, turned, angles);
    HOLDS(moved <= PATH_ERROR * size * angles, path, frame, moved, size, angles);
}

// Central differences of the pose along each velocity, by the reference: of the core they use only integrate_rows.
inline void check_jacobian_by_differences(const Mechanism& m, int frame, const std::vector<double>& q, const double* J,
                                          double size, const char* path) {
    const int n = m.n;
    const Frame& f = m.frames[std::size_t(frame)];
    for (int k = 0; k < n; ++k) {
        std::vector<double> dq(std::size_t(n), 0.0), ahead(dq), behind(dq);
        dq[std::size_t(k)] = STEP;
        integrate_rows(m, q.data(), dq.data(), 1, ahead.data());
        dq[std::size_t(k)] = -STEP;
        integrate_rows(m, q.data(), dq.data(), 1, behind.data());
        const Rigid a = reference_pose(m, f, ahead), b = reference_pose(m, f, behind);
        Real velocity[6];
        for (int i = 0; i < 3; ++i) velocity[i] = (a.p[i] - b.p[i]) / (2 * STEP);
        // a = exp(w) b, so that w is the antisymmetric part of a b^T but for its third order.
        Rotation bt{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) bt.m[i][j] = b.R.m[j][i];
        const Rotation w = a.R * bt;
        velocity[3] = (w.m[2][1] - w.m[1][2]) / (4 * STEP);
        velocity[4] = (w.m[0][2] - w.m[2][0]) / (4 * STEP);
        velocity[5] = (w.m[1][0] - w.m[0][1]) / (4 * STEP);
        for (int i = 0; i < 6; ++i) {
            const double error = double(fabsl(J[i * n + k] - velocity[i]));
            HOLDS(error <= DIFFERENCE_ERROR * size, path, frame, i, k, J[i * n + k], velocity[i], size);
        }
    }
}

inline void check_posture(const Mechanism& m, const std::optional<ScalarChain>& chain, const std::vector<double>& q,
                          bool differences) {
    const double size = reach(m, q), angles = rounded_angles(m, q);
    const std::size_t numbers_of_J = std::size_t(6 * m.n);
    std::vector<Pose<double>> poses = places<Pose<double>>(long(m.elements.size()));
    forward_elements(m, q.data(), poses.data());
    for (int frame = 0; frame < int(m.frames.size()); ++frame) {
        const Frame& f = m.frames[std::size_t(frame)];
        const Pose<double> general = frame_pose(f, poses.data());
        check_pose(general, reference_pose(m, f, q), size, angles, frame, "general path");
        std::vector<double> J(numbers_of_J, NAN);  // NaN: a number that is not written shows
        jacobian_elements(m, f, poses.data(), J.data());
        if (differences) check_jacobian_by_differences(m, frame, q, J.data(), size, "general path");
        if (!chain) continue;

        const ChainFrame& cf = chain->frames[std::size_t(frame)];
        HOLDS(cf.joints == f.element + 1, frame, cf.joints);
        std::vector<Axis<double>> axes = places<Axis<double>>(cf.joints);  // exactly those that move the frame
        const Pose<double> fast = forward_chain<true, double>(*chain, cf, q.data(), axes.data());
        check_pose(fast, rigid(general), size, 1.0, frame, "fast path");
        const Numbers<double> a = numbers(fast);
        const Numbers<double> b = numbers(forward_chain<false, double>(*chain, cf, q.data(), nullptr));
        for (int i = 0; i < 12; ++i) HOLDS(same_bits(a.v[i], b.v[i]), frame, i, a.v[i], b.v[i]);
        std::vector<double> fast_J(numbers_of_J, NAN);
        jacobian_chain(*chain, cf, axes.data(), fast.origin, fast_J.data());
        for (std::size_t k = 0; k < numbers_of_J; ++k) {
            const double error = std::fabs(fast_J[k] - J[k]);
            HOLDS(error <= PATH_ERROR * size, frame, std::uint64_t(k), fast_J[k], J[k], size);
        }
        if (differences) check_jacobian_by_differences(m, frame, q, fast_J.data(), size, "fast path");
    }
}

// Lane i of poses and Jacobians, by both paths, is the single call to the last bit.
inline void check_mechanism_lanes(Random& random, const Mechanism& m, const std::optional<ScalarChain>& chain) {
    constexpr int W = width<Wide>;
    std::vector<double> rows{};
    for (int i = 0; i < W; ++i) {
        std::vector<double> q = random_posture(random, m);
        // A lane with a large angle takes another branch in sincos; the other lanes must not change.
        for (const Element& e : m.elements)
            if (e.kind == Kind::revolute && random.chance(0.03)) q[std::size_t(e.first)] = random.uniform(1e5, 1e7);
        rows.insert(rows.end(), q.begin(), q.end());
    }
    std::vector<Wide> q = places<Wide>(m.n), J = places<Wide>(6 * m.n), fast_J = places<Wide>(6 * m.n);
    load_rows(rows.data(), m.n, W, q.data());
    std::vector<Pose<Wide>> poses = places<Pose<Wide>>(long(m.elements.size()));
    forward_elements(m, q.data(), poses.data());
    for (int frame = 0; frame < int(m.frames.size()); ++frame) {
        const Frame& f = m.frames[std::size_t(frame)];
        const Numbers<Wide> wide = numbers(frame_pose(f, poses.data()));
        jacobian_elements(m, f, poses.data(), J.data());
        Numbers<Wide> wide_fast{};
        if (chain) {
            const ChainFrame& cf = chain->frames[std::size_t(frame)];
            std::vector<Axis<Wide>> axes = places<Axis<Wide>>(cf.joints);
            const Pose<Wide> fast = forward_chain<true, Wide>(*chain, cf, q.data(), axes.data());
            wide_fast = numbers(fast);
            jacobian_chain(*chain, cf, axes.data(), fast.origin, fast_J.data());
        }
        for (int i = 0; i < W; ++i) {
            const double* one_q = rows.data() + i * m.n;
            std::vector<Pose<double>> one_poses = places<Pose<double>>(long(m.elements.size()));
            std::vector<double> one_J(std::size_t(6 * m.n));
            forward_elements(m, one_q, one_poses.data());
            const Numbers<double> one = numbers(frame_pose(f, one_poses.data()));
            jacobian_elements(m, f, one_poses.data(), one_J.data());
            for (int k = 0; k < 12; ++k) HOLDS(same_bits(wide.v[k][i], one.v[k]), frame, i, k, wide.v[k][i], one.v[k]);
            for (int k = 0; k < 6 * m.n; ++k)
                HOLDS(same_bits(J[std::size_t(k)][i], one_J[std::size_t(k)]), frame, i, k, J[std::size_t(k)][i]);
            if (!chain) continue;
            const ChainFrame& cf = chain->frames[std::size_t(frame)];
            std::vector<Axis<double>> axes = places<Axis<double>>(cf.joints);
            const Pose<double> fast = forward_chain<true, double>(*chain, cf, one_q, axes.data());
            const Numbers<double> one_fast = numbers(fast);
            jacobian_chain(*chain, cf, axes.data(), fast.origin, one_J.data());
            for (int k = 0; k < 12; ++k)
                HOLDS(same_bits(wide_fast.v[k][i], one_fast.v[k]), frame, i, k, wide_fast.v[k][i], one_fast.v[k]);
            for (int k = 0; k < 6 * m.n; ++k)
                HOLDS(same_bits(fast_J[std::size_t(k)][i], one_J[std::size_t(k)]), frame, i, k);
        }
    }
}

// difference_rows and integrate_rows of the whole mechanism are each other's inverse.
inline void check_motion_of_rows(Random& random, const Mechanism& m) {
    const long rows = 3;
    const std::size_t total = std::size_t(rows * m.n);
    std::vector<double> q0{}, q1{}, v(total), moved(total);
    for (long row = 0; row < rows; ++row) {
        const std::vector<double> a = random_posture(random, m), b = random_posture(random, m);
        q0.insert(q0.end(), a.begin(), a.end()), q1.insert(q1.end(), b.begin(), b.end());
    }
    difference_rows(m, q0.data(), q1.data(), rows, v.data());
    integrate_rows(m, q0.data(), v.data(), rows, moved.data());
    for (long row = 0; row < rows; ++row)
        for (const Element& e : m.elements) {
            const std::size_t at = std::size_t(row * m.n + e.first);
            const Rigid a = joint_motion(e.kind, &moved[at]), b = joint_motion(e.kind, &q1[at]);
            const double scale = 1.0 + std::fabs(q0[at]) + std::fabs(q1[at]);
            HOLDS(distance(a.R, b.R) <= 1e-14 * scale && distance(a.p, b.p) <= 1e-15 * scale, row, int(e.kind));
        }
}

inline void check_mechanism(Random& random, const Mechanism& m) {
    const std::optional<ScalarChain> chain = as_scalar_chain(m);
    check_posture(m, chain, random_posture(random, m), true);
    check_posture(m, chain, std::vector<double>(std::size_t(m.n), 0.0), false);
    check_mechanism_lanes(random, m, chain);
    check_motion_of_rows(random, m);
}

inline void check_chain(std::uint64_t seed) {
    Random random(seed);
    const Mechanism m = random_chain(random, 1 + int(seed % 12));
    HOLDS(as_scalar_chain(m).has_value(), m.n);
    check_mechanism(random, m);
}

inline void check_tree(std::uint64_t seed) {
    Random random(seed);
    check_mechanism(random, random_tree(random, random.integer(0, 10)));
}

// A mechanism that is not a scalar chain must not be compiled as one.
inline void check_what_is_no_chain(std::uint64_t seed) {
    Random random(seed);
    const Mechanism m = random_chain(random, 4);
    HOLDS(as_scalar_chain(m).has_value());
    HOLDS(!as_scalar_chain(Mechanism{}).has_value());
    auto changed = [&](auto change) {
        Mechanism other = m;
        change(other);
        return as_scalar_chain(other).has_value();
    };
    HOLDS(!changed([](Mechanism& o) { o.elements[2].parent = 0; }));
    HOLDS(!changed([](Mechanism& o) { o.elements[2].first = 1; }));
    HOLDS(!changed([](Mechanism& o) { o.elements[1].scale = -1.0; }));
    HOLDS(!changed([](Mechanism& o) { o.elements[1].offset = 0.5; }));
    HOLDS(!changed([](Mechanism& o) { o.elements[3].kind = Kind::ball, o.n = 6; }));
    HOLDS(!changed([](Mechanism& o) { o.elements.pop_back(), o.frames.clear(); }));
    HOLDS(!changed([](Mechanism& o) { o.n = 5; }));
}

LAW_AT_LEAST("a chain by both paths, by the reference and by differences", 60, 60, check_chain);
LAW("a tree by the reference and by differences", 40, check_tree);
LAW("a mechanism that is not a scalar chain is not compiled as one", 1, check_what_is_no_chain);

}  // namespace
}  // namespace limbik::test
