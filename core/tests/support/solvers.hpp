// Mechanisms with their solvers, special configurations, and checks of answers against the reference.
#pragma once

#include <atomic>
#include <memory>

#include "../../solve/pose_solver.hpp"
#include "arms.hpp"

namespace limbik::test {

// ---- arms ----------------------------------------------------------------------------------------------------------

inline void add_joint(Mechanism& m, Real roll, Real tilt, double x, double y, double z) {
    Rigid T{about_z(roll) * about_x(tilt), {x, y, z}};
    m.elements.push_back({m.n - 1, Kind::revolute, m.n, 1.0, 0.0, false, rounded(T)});
    ++m.n;
}

// Six joints as in industrial robots: joints 2 and 3 are parallel, and the wrist is spherical. The elbow is straight,
// the wrist aligned and the shoulder singular at multiples of 90 degrees.
inline Mechanism upright_arm(Random& random) {
    Mechanism m;
    const double side = random.chance(0.5) ? 0.0 : random.uniform(-0.2, 0.2);
    const double upper_arm = random.uniform(0.3, 0.6);
    const double forearm = random.chance(0.3) ? upper_arm : random.uniform(0.3, 0.6);
    add_joint(m, 0, 0, 0, 0, random.uniform(0.0, 0.5));
    add_joint(m, 0, -PI_L / 2, random.chance(0.5) ? 0.0 : random.uniform(0.0, 0.2), side, 0);
    add_joint(m, 0, 0, upper_arm, 0, random.chance(0.5) ? -side : 0.0);
    add_joint(m, 0, PI_L / 2, random.chance(0.5) ? 0.0 : random.uniform(-0.05, 0.05), -forearm, 0);
    add_joint(m, 0, -PI_L / 2, 0, 0, 0);
    add_joint(m, 0, PI_L / 2, 0, 0, 0);
    m.frames.push_back({5, rounded(Rigid{about_z(0), {0, 0, random.uniform(0.0, 0.2)}})});
    return m;
}

// Seven joints: a spherical shoulder, an elbow, a spherical wrist. Straight or aligned where joints 1, 3 or 5 are 0.
inline Mechanism swivel_arm(Random& random) {
    Mechanism m;
    add_joint(m, 0, 0, 0, 0, random.uniform(0.0, 0.4));
    add_joint(m, 0, -PI_L / 2, 0, 0, 0);
    add_joint(m, 0, PI_L / 2, 0, 0, 0);
    add_joint(m, 0, -PI_L / 2, 0, 0, random.uniform(0.2, 0.5));
    add_joint(m, 0, PI_L / 2, 0, 0, 0);
    add_joint(m, 0, -PI_L / 2, 0, 0, random.uniform(0.2, 0.5));
    add_joint(m, 0, PI_L / 2, 0, 0, 0);
    m.frames.push_back({6, rounded(Rigid{about_z(0), {0, 0, random.uniform(0.0, 0.2)}})});
    return m;
}

// Six decoupled joints, after one that is held.
inline Mechanism held_arm(Random& random) {
    const Mechanism inner = arm_with_group(random, true, 3);
    Mechanism m;
    m.n = 7;
    m.elements.push_back({-1, Kind::revolute, 0, 1.0, 0.0, false, random_placement(random)});
    for (Element e : inner.elements) {
        ++e.parent, ++e.first;
        m.elements.push_back(e);
    }
    m.frames.push_back({6, inner.frames[0].placement});
    return m;
}

inline Mechanism chain_of(Random& random, int joints) {
    Mechanism m = random_chain(random, joints);
    m.frames.assign(1, {joints - 1, random_placement(random)});
    return m;
}

// A ball joint and three revolute joints: no scalar chain.
inline Mechanism arm_with_ball(Random& random) {
    Mechanism m;
    for (int i = 0; i < 4; ++i) {
        const Kind kind = i == 0 ? Kind::ball : Kind::revolute;
        m.elements.push_back({i - 1, kind, m.n, 1.0, 0.0, false, random_placement(random)});
        m.n += size_of(kind);
    }
    m.frames.push_back({3, random_placement(random)});
    return m;
}

enum class Arms { upright, group, swivel, held, chain, general, COUNT };

inline Mechanism some_arm(Random& random, Arms kind) {
    switch (kind) {
        case Arms::upright: return upright_arm(random);
        case Arms::group: return arm_with_group(random, random.chance(0.5), random.integer(0, 3));
        case Arms::swivel: return swivel_arm(random);
        case Arms::held: return held_arm(random);
        case Arms::chain: return chain_of(random, random.integer(1, LONGEST_CHAIN));
        default: return random.chance(0.5) ? arm_with_ball(random) : chain_of(random, LONGEST_CHAIN + 1);
    }
}

// ---- solvers -------------------------------------------------------------------------------------------------------

inline constexpr double INFINITE = std::numeric_limits<double>::infinity();

// Prismatic joints always have limits, revolute ones mostly, ball joints never.
inline Limits some_limits(Random& random, const Mechanism& m) {
    Limits limits;
    for (const Element& e : m.elements)
        for (int k = 0; k < size_of(e.kind); ++k) {
            const bool prismatic = e.kind == Kind::prismatic,
                       free = size_of(e.kind) > 1 || (!prismatic && random.chance(0.2));
            const double low = prismatic ? random.uniform(-0.5, -0.1) : random.uniform(-3.5, -0.3);
            const double high = prismatic ? random.uniform(0.1, 0.5) : random.uniform(0.3, 3.5);
            limits.draw_low.push_back(low), limits.draw_high.push_back(high);
            limits.lower.push_back(free ? -INFINITE : low), limits.upper.push_back(free ? INFINITE : high);
        }
    return limits;
}
inline Limits no_limits(const Mechanism& m) {
    const std::size_t n = std::size_t(m.n);
    return {std::vector<double>(n, -INFINITE),
            std::vector<double>(n, INFINITE),
            std::vector<double>(n, -PI),
            std::vector<double>(n, PI),
            {}};
}

class Solvable {
  public:
    static constexpr int ATTEMPTS = 24;

    Solvable(Random& random, const Mechanism& m) : Solvable(m, some_limits(random, m)) {}
    Solvable(const Mechanism& m, Limits inside) : kinematics(m), limits(std::move(inside)) {
        reach = reach_of(m, m.frames[0], limits.lower.data(), limits.upper.data());
        size = std::max(reach.size(), 0.1);
        for (int j = 0; j < m.n; ++j)
            home.push_back(std::clamp(0.0, limits.lower[std::size_t(j)], limits.upper[std::size_t(j)]));
        if (PoseSolver::in_lanes(kinematics))
            table.emplace(*kinematics.chain, limits.draw_low.data(), limits.draw_high.data());
        postures.emplace(kinematics, 0, limits.lower, limits.upper, home, size, tolerances);
        solver.emplace(kinematics, 0, table ? &*table : nullptr, &*postures, limits, home, tolerances, ATTEMPTS, reach);
    }

    int n() const { return kinematics.n(); }
    const Mechanism& mechanism() const { return kinematics.mechanism; }
    Pose<double> forward(const std::vector<double>& q) const {
        return rounded(reference_pose(mechanism(), mechanism().frames[0], q));
    }
    // Each revolute joint at its 2-pi copy inside the limits that is nearest to the seed.
    std::vector<double> nearest_copy_of(std::vector<double> q, const std::vector<double>& seed) const {
        for (const Element& e : mechanism().elements) {
            if (e.kind != Kind::revolute) continue;
            const std::size_t j = std::size_t(e.first);
            double best = q[j];
            for (int k = -4; k <= 4; ++k) {
                const double copy = q[j] + k * TURN;
                if (copy >= limits.lower[j] && copy <= limits.upper[j] &&
                    std::fabs(copy - seed[j]) < std::fabs(best - seed[j]))
                    best = copy;
            }
            q[j] = best;
        }
        return q;
    }
    bool is_inside(const double* q) const {
        for (std::size_t j = 0; j < home.size(); ++j)
            if (!(q[j] >= limits.lower[j] && q[j] <= limits.upper[j])) return false;
        for (const Cone& cone : limits.cones) {
            double clamped[3] = {q[cone.first], q[cone.first + 1], q[cone.first + 2]};
            clamp_cone(cone, clamped);
            for (int k = 0; k < 3; ++k)
                if (!(std::fabs(clamped[k] - q[cone.first + k]) <= 1e-9)) return false;
        }
        return true;
    }

    Kinematics kinematics;
    Limits limits;
    Reach reach{};
    double size = 1.0;
    std::vector<double> home;
    const Tolerances tolerances{1e-8, 1e-8};
    std::optional<LazySeedTable> table;
    std::optional<PostureSolver> postures;
    std::optional<PoseSolver> solver;
};

// ---- configurations and targets ------------------------------------------------------------------------------------

// A configuration inside the limits. `special`: the share of joints that are at or near a limit or a multiple of 90
// degrees, where the arm may be singular.
inline std::vector<double> configuration(Random& random, const Solvable& arm, double special) {
    std::vector<double> q(arm.home.size());
    for (std::size_t j = 0; j < q.size(); ++j) {
        const double low = arm.limits.lower[j], high = arm.limits.upper[j];
        q[j] = random.uniform(arm.limits.draw_low[j], arm.limits.draw_high[j]);
        if (!random.chance(special)) continue;
        switch (random.integer(0, 3)) {
            case 0: q[j] = std::isfinite(low) ? low : 0.0; break;
            case 1: q[j] = std::isfinite(high) ? high : 0.0; break;
            default: q[j] = 0.5 * PI * random.integer(-2, 2); break;
        }
        if (random.chance(0.3)) q[j] += random.sign() * random.magnitude(-15.0, -5.0);
        q[j] = std::clamp(q[j], low, high);
    }
    // a rotation vector of length pi or more equals a shorter one, so ball joints are drawn below that
    for (const Element& e : arm.mechanism().elements)
        if (e.kind == Kind::ball) random_value(random, e.kind, 0.9 * PI, &q[std::size_t(e.first)]);
    return q;
}

inline std::vector<double> some_seed(Random& random, const Solvable& arm) {
    if (random.chance(0.3)) return configuration(random, arm, 0.3);
    std::vector<double> q(arm.home.size());
    for (double& x : q) x = random.uniform(-5.0, 5.0);
    return q;
}

// A target: the pose of a configuration inside or outside the limits, sometimes moved.
inline Pose<double> some_target(Random& random, const Solvable& arm) {
    std::vector<double> q = configuration(random, arm, 0.2);
    if (random.chance(0.2))
        for (double& x : q) x += random.uniform(-2.0, 2.0);
    Pose<double> T = arm.forward(q);
    if (random.chance(0.2)) T.origin = scaled(T.origin, random.uniform(0.0, 2.0));
    if (random.chance(0.1)) T.origin = T.origin + Vector3<double>{30.0 * arm.size, 0.0, 0.0};
    return T;
}

// The same proposals for every target.
class Proposals final : public Starts {
  public:
    Proposals(const Solvable& arm, std::vector<std::vector<double>> proposals, bool good_seeds = false)
        : n_(arm.n()), proposals_(std::move(proposals)), good_(good_seeds) {}
    const char* method() const override { return "proposals"; }
    int n() const override { return n_; }
    int most() const override { return int(proposals_.size()); }
    int propose(const Pose<double>&, const double*, double* q) const override {
        for (const std::vector<double>& one : proposals_) q = std::copy(one.begin(), one.end(), q);
        return most();
    }
    int instead() const override { return 3; }
    void good_seeds(const double* targets, const double*, long, long count, char* good) const override {
        for (long k = 0; k < count; ++k) good[k] = good_ && targets[k * 16 + 3] > 0.0;  // depends on the target alone
    }

  private:
    int n_;
    std::vector<std::vector<double>> proposals_;
    bool good_;
};

// ---- answers -------------------------------------------------------------------------------------------------------

// The errors of a configuration, by the reference, which shares no code with the core's verification.
inline Errors reference_errors(const Solvable& arm, const std::vector<double>& q, const Pose<double>& target) {
    const Rigid actual = reference_pose(arm.mechanism(), arm.mechanism().frames[0], q), wanted = rigid(target);
    Real squared = 0, chord = 0;
    for (int i = 0; i < 3; ++i) {
        squared += (actual.p[i] - wanted.p[i]) * (actual.p[i] - wanted.p[i]);
        for (int j = 0; j < 3; ++j) {
            const Real d = actual.R.m[i][j] - wanted.R.m[i][j];
            chord += d * d;
        }
    }
    // the squared distance of two rotations is 8 sin^2(angle / 2)
    return {double(sqrtl(squared)), double(2 * asinl(fminl(1, sqrtl(chord / 8))))};
}

// An answer is inside the limits, its errors are those of the reference, and if it is solved they are within the
// tolerances.
inline void check_answer(const Solvable& arm, const Pose<double>& target, const std::vector<double>& q,
                         const Outcome& out) {
    // bounds on the rounding of poses and of errors [m, rad]
    constexpr double ROUNDED = 1e-12, NEARLY_EQUAL = 1e-10, TURNED_OVER = 1e-7;
    HOLDS(arm.is_inside(q.data()), int(out.status));
    const Errors errors = reference_errors(arm, q, target);
    HOLDS(std::fabs(errors.position - out.errors.position) <= NEARLY_EQUAL * (1.0 + errors.position), errors.position,
          out.errors.position);
    HOLDS(std::fabs(errors.rotation - out.errors.rotation) <= (errors.rotation > 3.0 ? TURNED_OVER : NEARLY_EQUAL),
          errors.rotation, out.errors.rotation);
    if (out.status != Status::solved) return;
    HOLDS(errors.position <= arm.tolerances.position + ROUNDED * (1.0 + arm.reach.span), errors.position);
    HOLDS(errors.rotation <= arm.tolerances.rotation + ROUNDED, errors.rotation);
}

inline bool same_outcome(const Outcome& a, const Outcome& b) {
    return a.status == b.status && a.attempt == b.attempt && a.tried == b.tried && a.timed_out == b.timed_out &&
           a.closed == b.closed && a.family == b.family && a.branch == b.branch && a.steps == b.steps &&
           same_bits(a.errors.position, b.errors.position) && same_bits(a.errors.rotation, b.errors.rotation);
}

inline double farthest_joint(const std::vector<double>& a, const double* b) {
    double most = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::fabs(a[j] - b[j]));
    return most;
}

}  // namespace limbik::test
