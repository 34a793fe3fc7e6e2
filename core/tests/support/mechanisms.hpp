// Random mechanisms and configurations, and their poses by the reference.
#pragma once

#include "../../kinematics/kinematics.hpp"
#include "../../kinematics/limits.hpp"
#include "reference.hpp"

namespace limbik::test {

inline Rigid joint_motion(Kind kind, const double* q) {
    const Rotation none = about_z(0);
    switch (kind) {
        case Kind::revolute: return {about_z(q[0]), {}};
        case Kind::prismatic: return {none, {0, 0, q[0]}};
        case Kind::ball: return {from_vector(q), {}};
        case Kind::floating: return {from_vector(q + 3), {q[0], q[1], q[2]}};
    }
    return {none, {}};
}

// A value of the joint. Rotation vectors have lengths up to `most`, often special ones.
inline void random_value(Random& random, Kind kind, double most, double* q) {
    int k = 0;
    if (kind == Kind::revolute) q[k++] = random.chance(0.1) ? random.uniform(-1e3, 1e3) : random.uniform(-PI, PI);
    if (kind == Kind::prismatic) q[k++] = random.uniform(-1.0, 1.0);
    if (kind == Kind::floating)
        for (; k < 3; ++k) q[k] = random.uniform(-1.0, 1.0);
    if (kind == Kind::ball || kind == Kind::floating) {
        Real axis[3];
        random_axis(random, axis);
        const double share = random.chance(0.5) ? random.uniform(0.0, 1.0) : double(random_turn(random) / PI_L);
        for (int i = 0; i < 3; ++i) q[k + i] = double(axis[i]) * share * most;
    }
}

inline Real quarters_or_any(Random& random) {
    if (random.chance(0.4)) return random.uniform(-PI, PI);
    const Real quarters = PI_L / 2 * random.integer(-2, 2);
    return random.chance(0.3) ? quarters + Real(random.sign() * random.magnitude(-16.0, -3.0)) : quarters;
}

// The angle between two neighbouring axes: special values, values near them, or any value.
inline Real random_tilt(Random& random) {
    const Real near = Real(random.sign() * random.magnitude(-16.0, -3.0));
    switch (random.integer(0, 6)) {
        case 0: return 0;
        case 1: return PI_L;
        case 2: return random.sign() * PI_L / 2;
        case 3: return near;
        case 4: return PI_L + near;
        case 5: return PI_L / 2 + near;
        default: return random.uniform(-PI, PI);
    }
}

inline Pose<double> random_placement(Random& random) {
    Rigid T{random_rotation(random), {}};
    if (!random.chance(0.2))
        T.R = about_z(quarters_or_any(random)) * about_x(random_tilt(random)) * about_z(quarters_or_any(random));
    for (Real& p : T.p) p = random.chance(0.4) ? 0.0 : random.uniform(-1.0, 1.0);
    Pose<double> M = rounded(T);
    if (random.chance(0.5))  // as in a careful model file: zeros without rounding
        for (double* x : {&M.x.x, &M.x.y, &M.x.z, &M.y.x, &M.y.y, &M.y.z, &M.z.x, &M.z.y, &M.z.z})
            if (std::fabs(*x) < 1e-18) *x = 0.0;
    return M;
}

inline void add_frames(Random& random, Mechanism& m) {
    const int elements = int(m.elements.size());
    const Pose<double> none = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    m.frames.push_back({-1, random_placement(random)});
    m.frames.push_back({elements - 1, none});
    m.frames.push_back({elements - 1, random_placement(random)});
    for (int k = random.integer(0, 2); k > 0; --k)
        m.frames.push_back({random.integer(-1, elements - 1), random.chance(0.3) ? none : random_placement(random)});
}

inline Mechanism random_chain(Random& random, int joints) {
    Mechanism m;
    m.n = joints;
    const double prismatic_share = random.chance(0.5) ? 0.0 : random.uniform(0.0, 1.0);
    for (int i = 0; i < joints; ++i) {
        const Kind kind = random.chance(prismatic_share) ? Kind::prismatic : Kind::revolute;
        m.elements.push_back(
            {i - 1, kind, i, 1.0, 0.0, kind == Kind::revolute && random.chance(0.3), random_placement(random)});
    }
    add_frames(random, m);
    return m;
}

// Any tree: every kind of joint, branches, and mimic joints.
inline Mechanism random_tree(Random& random, int elements) {
    Mechanism m;
    std::vector<int> scalars{};  // indices in q of the values of scalar joints
    for (int e = 0; e < elements; ++e) {
        Kind kind = Kind(random.integer(0, KINDS - 1));
        const int parent = random.chance(0.6) ? e - 1 : random.integer(-1, e - 1);
        const bool mimic = size_of(kind) == 1 && !scalars.empty() && random.chance(0.4);
        Element element{parent, kind, m.n, 1.0, 0.0, false, random_placement(random)};
        if (mimic) {
            element.first = scalars[std::size_t(random.integer(0, int(scalars.size()) - 1))];
            element.scale = random.chance(0.2) ? -1.0 : random.uniform(-2.0, 2.0);
            element.offset = random.chance(0.3) ? 0.0 : random.uniform(-1.0, 1.0);
        } else {
            if (size_of(kind) == 1) scalars.push_back(m.n);
            m.n += size_of(kind);
        }
        m.elements.push_back(element);
    }
    add_frames(random, m);
    return m;
}

inline std::vector<double> random_posture(Random& random, const Mechanism& m) {
    std::vector<double> q(std::size_t(m.n));
    for (const Element& e : m.elements) random_value(random, e.kind, 0.9 * PI, &q[std::size_t(e.first)]);
    return q;
}

inline Rigid reference_pose(const Mechanism& m, const Frame& frame, const std::vector<double>& q) {
    std::vector<Rigid> poses{};
    for (const Element& e : m.elements) {
        Rigid T = rigid(e.placement);
        if (e.parent >= 0) T = poses[std::size_t(e.parent)] * T;
        double value[6];
        for (int k = 0; k < size_of(e.kind); ++k) value[k] = q[std::size_t(e.first + k)];
        if (size_of(e.kind) == 1) value[0] = e.scale * value[0] + e.offset;
        poses.push_back(T * joint_motion(e.kind, value));
    }
    return frame.element < 0 ? rigid(frame.placement) : poses[std::size_t(frame.element)] * rigid(frame.placement);
}

inline Limits random_limits(Random& random, int n) {
    Limits limits;
    for (int j = 0; j < n; ++j) {
        const double middle = random.uniform(-1.0, 1.0), half = random.uniform(0.2, 3.0);
        const bool free = random.chance(0.2);
        limits.draw_low.push_back(middle - half), limits.draw_high.push_back(middle + half);
        limits.lower.push_back(free ? -std::numeric_limits<double>::infinity() : middle - half);
        limits.upper.push_back(free ? std::numeric_limits<double>::infinity() : middle + half);
    }
    return limits;
}

inline Vector3<double> random_direction(Random& random) {
    const Vector3<double> v = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0)};
    return scaled(v, 1.0 / std::sqrt(dot(v, v)));
}

}  // namespace limbik::test
