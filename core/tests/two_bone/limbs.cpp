// Two-bone limbs: the law of cosines, tips at their targets, elbows towards their poles, and lanes equal to single
// limbs.

#include "../support/reference.hpp"

#include "../../two_bone/bone_rotations.hpp"

namespace limbik::test {
namespace {

using Point3 = Vector3<double>;

inline double length_between(const Point3& a, const Point3& b) {
    return double(sqrtl((Real(a.x) - b.x) * (Real(a.x) - b.x) + (Real(a.y) - b.y) * (Real(a.y) - b.y) +
                        (Real(a.z) - b.z) * (Real(a.z) - b.z)));
}
inline Point3 random_point(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline Point3 random_unit(Random& random) {
    Real axis[3];
    random_direction(random, axis);
    return {double(axis[0]), double(axis[1]), double(axis[2])};
}
inline bool marked(double marks, int mark) { return (int(marks) & mark) != 0; }

struct RandomLimb {
    TwoBoneSettings set;
    TwoBoneInput<double> in{};

    explicit RandomLimb(Random& random) {
        in.upper = random.magnitude(-2.0, 1.0),
        in.lower = random.chance(0.2) ? in.upper : in.upper * random.uniform(0.2, 5.0);
        in.nearest = std::fabs(in.upper - in.lower), in.farthest = in.upper + in.lower;
        in.root = random_point(random, 1.0);
        in.target = in.root + scaled(random_unit(random), in.farthest * random.uniform(0.0, 1.3));
        in.pole = in.root + scaled(random_unit(random), in.farthest * random.uniform(0.1, 3.0));
        if (random.chance(0.3)) set.has_swivel = true, in.swivel = random.uniform(-4.0, 4.0);
    }
    double size() const { return in.upper + in.lower; }
};

// Bones have their lengths times the stretch, the tip is on its line, the side across it, and the bend follows the law
// of cosines.
inline void check_triangle(const RandomLimb& limb, const TwoBoneOutput<double>& out) {
    const double size = limb.size(), near = 1e-13 * (size + 1.0), f = out.stretch;
    const double a = length_between(limb.in.root, out.elbow), b = length_between(out.elbow, out.tip);
    const double y = length_between(limb.in.root, out.tip);
    HOLDS(std::fabs(a - f * limb.in.upper) <= near && std::fabs(b - f * limb.in.lower) <= near, a, b, f);
    HOLDS(std::fabs(dot(out.line, out.line) - 1.0) <= 1e-14 && std::fabs(dot(out.side, out.side) - 1.0) <= 1e-14);
    HOLDS(std::fabs(dot(out.line, out.side)) <= 1e-14, dot(out.line, out.side));
    HOLDS(length_between(out.tip, limb.in.root + scaled(out.line, y)) <= near, y);
    HOLDS(dot(out.elbow - limb.in.root, out.side) >= -near);
    HOLDS(std::fabs(out.tip_error - length_between(out.tip, limb.in.target)) <= near, out.tip_error);
    const Real A = f * limb.in.upper, B = f * limb.in.lower;
    const Real across = sqrtl(A * A + B * B + 2 * A * B * cosl(out.bend));  // the bend is 0 for a straight limb
    HOLDS(out.bend >= 0.0 && out.bend <= PI, out.bend);
    HOLDS(fabsl(across * across - Real(y) * y) <= 1e-13L * (size + 1) * (size + 1), double(across), y, out.bend);
}

LAW("a limb is a triangle of its bones, and reaches what it can", 500, [](std::uint64_t seed) {
    Random random(seed);
    const RandomLimb limb(random);
    const TwoBoneOutput<double> out = limbik::two_bone::two_bone(limb.set, limb.in);
    check_triangle(limb, out);
    const double x = length_between(limb.in.root, limb.in.target), near = 1e-8 * limb.size();
    if (x < limb.in.farthest - near && x > limb.in.nearest + near) {
        HOLDS(marked(out.marks, LIMB_REACHED) && out.tip_error <= 1e-13 * (1.0 + limb.size()), out.tip_error,
              out.marks);
        HOLDS(!marked(out.marks, LIMB_TOO_FAR) && !marked(out.marks, LIMB_TOO_NEAR), out.marks);
    }
    if (x > limb.in.farthest + near)
        HOLDS(marked(out.marks, LIMB_TOO_FAR) && std::fabs(out.tip_error - (x - limb.in.farthest)) <= near,
              out.tip_error);
    if (x < limb.in.nearest - near && x > near)
        HOLDS(marked(out.marks, LIMB_TOO_NEAR) && std::fabs(out.tip_error - (limb.in.nearest - x)) <= near,
              out.tip_error);
    // The elbow points to the pole, rotated by the swivel.
    if (marked(out.marks, LIMB_NEAR_POLE) || marked(out.marks, LIMB_NO_LINE)) return;
    const Point3 pole = limb.in.pole - limb.in.root, part = pole - scaled(out.line, dot(pole, out.line));
    const Point3 across = scaled(part, 1.0 / std::sqrt(dot(part, part)));
    const Real c = limb.set.has_swivel ? cosl(limb.in.swivel) : 1, s = limb.set.has_swivel ? sinl(limb.in.swivel) : 0;
    const Point3 desired = scaled(across, double(c)) + scaled(cross(out.line, across), double(s));
    HOLDS(length_between(desired, out.side) <= 1e-12, length_between(desired, out.side));
});

LAW("degenerate limbs have finite answers: no bones, no line, no pole, huge and tiny", 300, [](std::uint64_t seed) {
    Random random(seed);
    RandomLimb limb(random);
    const double unit = random.chance(0.5) ? 1.0 : random.magnitude(-100.0, 100.0);
    limb.in.upper = random.chance(0.2) ? 0.0 : limb.in.upper * unit,
    limb.in.lower = random.chance(0.2) ? 0.0 : limb.in.lower * unit;
    limb.in.nearest = std::fabs(limb.in.upper - limb.in.lower), limb.in.farthest = limb.in.upper + limb.in.lower;
    limb.in.root = scaled(limb.in.root, unit), limb.in.target = scaled(limb.in.target, unit);
    limb.in.pole = scaled(limb.in.pole, unit);
    if (random.chance(0.3)) limb.in.target = limb.in.root;
    if (random.chance(0.3)) limb.in.pole = random.chance(0.5) ? limb.in.root : limb.in.target;
    if (random.chance(0.3))
        limb.set.reach = {random.uniform(0.0, 0.5), random.uniform(0.5, 1.0), random.uniform(1.0, 2.0)};
    if (random.chance(0.5)) limb.in.line = random_unit(random), limb.in.side = across_line(limb.in.line);
    const TwoBoneOutput<double> out = limbik::two_bone::two_bone(limb.set, limb.in);
    double numbers[TWO_BONE_SIZE];
    out.store(numbers);
    for (double each : numbers) HOLDS(std::isfinite(each), each, unit);
    HOLDS(std::fabs(dot(out.line, out.line) - 1.0) <= 1e-14 && std::fabs(dot(out.side, out.side) - 1.0) <= 1e-14, unit);
    HOLDS(std::fabs(dot(out.line, out.side)) <= 1e-14, dot(out.line, out.side), unit);
});

LAW("soft reach follows without a kink, never beyond the limb, and stretch keeps its bounds", 300,
    [](std::uint64_t seed) {
        Random random(seed);
        const ReachSettings set{random.chance(0.3) ? 0.0 : random.uniform(0.0, 0.9), random.uniform(0.1, 1.0),
                                random.chance(0.5) ? 1.0 : random.uniform(1.0, 3.0)};
        const double longest = random.magnitude(-2.0, 2.0), whole = longest * set.most;
        double x = 0.0, before = 0.0;
        for (int k = 0; k < 200; ++k) {
            const double next = x + whole * random.magnitude(-6.0, -1.0);
            const ReachedDistance<double> at = soft_reach(set, next, longest);
            HOLDS(at.distance <= next * (1 + 1e-15) && at.distance <= whole * (1 + 1e-15), next, at.distance, whole);
            HOLDS(at.distance >= before - 1e-15 * whole &&
                      at.distance - before <= (next - x) * (1 + 1e-9) + 1e-15 * whole,
                  next, at.distance);
            if (next <= whole * (1.0 - set.soft)) HOLDS(at.distance == next, next, at.distance);
            HOLDS(at.factor >= 1.0 && at.factor <= set.most, at.factor, set.most);
            HOLDS(at.distance <= at.factor * longest * (1 + 1e-14), at.distance, at.factor);
            x = next, before = at.distance;
        }
    });

// The elbow's direction moves by at most 475 times the motion of the pole's direction.
LAW("near the line the elbow is held and never jumps", 100, [](std::uint64_t seed) {
    constexpr double MOST = (2.0 + 2.0 * PI) / POLE_CONE;
    Random random(seed);
    const Point3 d = random_unit(random);
    const Point3 x = across_line(d), y = cross(d, x);
    double u = random.uniform(-0.05, 0.05), v = random.uniform(-0.05, 0.05);
    const double step = random.magnitude(-6.0, -3.0);
    const auto pole_at = [&] {
        const Point3 p = d + scaled(x, u) + scaled(y, v);
        return scaled(p, 1.0 / std::sqrt(dot(p, p)));
    };
    Point3 pole = pole_at();
    BendPlane<double> at = bend_plane(d, pole, 1.0, 0.0, x, d, Point3{0, 0, 0});
    for (int k = 0; k < 300; ++k) {
        // towards the line, and past it
        const double r = std::hypot(u, v) + 1e-300;
        u += step * (random.uniform(-1.0, 1.0) - 0.5 * u / r), v += step * (random.uniform(-1.0, 1.0) - 0.5 * v / r);
        const Point3 next = pole_at();
        const BendPlane<double> then = bend_plane(d, next, 1.0, 0.0, x, d, at.side);
        const double moved = length_between(then.side, at.side), driven = length_between(next, pole);
        HOLDS(moved <= MOST * driven * (1 + 1e-6) + 1e-9, moved, driven, u, v);
        HOLDS(std::fabs(dot(then.side, d)) <= 1e-14 && std::fabs(dot(then.side, then.side) - 1.0) <= 1e-14);
        at = then, pole = next;
    }
});

LAW("bones are rotated from rest to their directions", 300, [](std::uint64_t seed) {
    Random random(seed);
    const RandomLimb limb(random);
    const TwoBoneOutput<double> out = limbik::two_bone::two_bone(limb.set, limb.in);
    const Point3 rest = random_unit(random);
    const BoneRest bones{rest, across_line(rest), random.chance(0.5)};
    double numbers[TWO_BONE_SIZE];
    out.store(numbers);
    BoneRotation<double> turn[2];
    bone_rotations(bones, limb.in.root, numbers, turn);
    const Point3 normal = cross(out.side, out.line), ends[2] = {out.elbow - limb.in.root, out.tip - out.elbow};
    for (int k = 0; k < 2; ++k) {
        const Rotation R = rigid(Pose<double>{turn[k].x, turn[k].y, turn[k].z, {0, 0, 0}}).R;
        Rotation Rt{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) Rt.m[i][j] = R.m[j][i];
        HOLDS(distance(R * Rt, about_z(0)) <= 1e-14, distance(R * Rt, about_z(0)));
        HOLDS(dot(cross(turn[k].x, turn[k].y), turn[k].z) > 0.0, k);
        const auto turned_by = [&](const Point3& a) {
            return scaled(turn[k].x, a.x) + scaled(turn[k].y, a.y) + scaled(turn[k].z, a.z);
        };
        const Point3 along = scaled(ends[k], 1.0 / std::sqrt(dot(ends[k], ends[k])));
        HOLDS(length_between(turned_by(rest), along) <= 1e-12 * (1.0 + 1.0 / limb.size()),
              length_between(turned_by(rest), along));
        if (!bones.shortest)
            HOLDS(length_between(turned_by(bones.axis), normal) <= 1e-13,
                  length_between(turned_by(bones.axis), normal));
        // the shortest rotation is by the angle between the two directions
        if (bones.shortest && dot(rest, along) > -0.99)
            HOLDS(std::fabs(double(R.m[0][0] + R.m[1][1] + R.m[2][2]) - (1.0 + 2.0 * dot(rest, along))) <= 1e-11,
                  dot(rest, along));
    }
});

LAW("a lane of limbs is the single limb", 100, [](std::uint64_t seed) {
    constexpr int W = width<Wide>;
    Random random(seed);
    TwoBoneSettings set;
    set.has_swivel = random.chance(0.5), set.pole_is_point = random.chance(0.7);
    if (random.chance(0.5)) set.reach = {random.uniform(0.0, 0.5), random.uniform(0.5, 1.0), random.uniform(1.0, 2.0)};
    std::vector<TwoBoneInput<double>> one;
    for (int i = 0; i < W; ++i) {
        one.push_back(RandomLimb(random).in);
        if (random.chance(0.2)) one.back().target = one.back().root;
        if (random.chance(0.3)) one.back().pole = one.back().target + random_point(random, 1e-3);
        if (random.chance(0.5)) one.back().line = random_unit(random), one.back().side = across_line(one.back().line);
    }
    constexpr int INPUTS = sizeof(TwoBoneInput<double>) / sizeof(double);
    static_assert(sizeof(TwoBoneInput<Wide>) == INPUTS * sizeof(Wide));
    std::vector<double> rows;
    for (const auto& each : one) {
        const double* all = reinterpret_cast<const double*>(&each);
        rows.insert(rows.end(), all, all + INPUTS);
    }
    TwoBoneInput<Wide> wide;
    load_rows(rows.data(), INPUTS, W, reinterpret_cast<Wide*>(&wide));
    Wide lanes[TWO_BONE_SIZE];
    limbik::two_bone::two_bone(set, wide).store(lanes);
    for (int i = 0; i < W; ++i) {
        double alone[TWO_BONE_SIZE];
        limbik::two_bone::two_bone(set, one[std::size_t(i)]).store(alone);
        for (int k = 0; k < TWO_BONE_SIZE; ++k) HOLDS(same_bits(lanes[k][i], alone[k]), i, k, lanes[k][i], alone[k]);
    }
});

}  // namespace
}  // namespace limbik::test
