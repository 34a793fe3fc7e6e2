// A spherical group whose first and last axis are collinear: only the sum or difference of its outer joints is
// determined.
#pragma once

#include <algorithm>

#include "group_limits.hpp"

namespace limbik::closed_form {

// Arcs narrower than this, and gaps narrower than this, are rounding [rad].
inline constexpr double NARROW_ARC = 1e-6;
// The sine between first and last axis below which one outer joint of a group can compensate the motion of the other.
inline constexpr double COLLINEAR_AXES = 1e-6;

// The outer joints of a group whose first and last axis are collinear: q3 = sum - parity q1, with parity 1 where the
// axes point the same way and -1 where they are opposed. The middle joint is determined.
struct SharedRotation {
    double sum, parity, middle;
};
inline SharedRotation shared_rotation(const SphericalGroup& group, const Pose<double>& G, double sign) {
    const auto rotations = group.rotations(G, sign, 0.0);
    const Vector3<double> X = rotate(group.M1, rotated_z(group.M2.x, rotations.cosine[1], rotations.sine[1]));
    const Vector3<double> Y = rotate(group.M1, rotated_z(group.M2.y, rotations.cosine[1], rotations.sine[1]));
    double s, c;
    last_turn(X, Y, G, s, c);
    return {std::atan2(s, c), G.z.z > 0.0 ? 1.0 : -1.0, std::atan2(rotations.sine[1], rotations.cosine[1])};
}
// Both outer joints in the middle of their common feasible range. False where the axes are not collinear, or there is
// no such range.
inline bool share(const SphericalGroup& group, const double* lower, const double* upper, const Pose<double>& G,
                  double sign, double* q) {
    if (std::hypot(G.z.x, G.z.y) > COLLINEAR_AXES) return false;
    const SharedRotation turn = shared_rotation(group, G, sign);
    double best = -NARROW_ARC, at = 0.0;
    for (int round = -2; round <= 2; ++round) {
        // parity q1 = sum - q3
        const double sum = turn.sum + TURN * round;
        double low = sum - upper[2], high = sum - lower[2];
        if (turn.parity < 0.0) std::swap(low, high), low = -low, high = -high;
        low = std::max({low, lower[0], -TURN}), high = std::min({high, upper[0], TURN});
        if (high - low > best) best = high - low, at = 0.5 * (low + high);
    }
    if (best <= -NARROW_ARC) return false;
    q[0] = at, q[1] = turn.middle, q[2] = turn.sum - turn.parity * at;
    return true;
}
// The feasible arcs of a group whose axes are collinear at every swivel: the shared rotation changes linearly with the
// swivel, or is constant.
[[gnu::noinline]] inline void shared_arcs(const SphericalGroup& group, const double* lower, const double* upper,
                                          const SwivelRotation& G, Piece out[2][MOST_PIECES], int count[2]) {
    for (int a = 0; a < 2; ++a) {
        count[a] = 0;
        const double sign = a ? -1.0 : 1.0;
        const SharedRotation turn = shared_rotation(group, G.at(1.0, 0.0), sign),
                             later = shared_rotation(group, G.at(0.0, 1.0), sign);
        if (angle_outside(turn.middle, lower[1], upper[1]) > NARROW_ARC) continue;
        const double low3 = lower[2], high3 = upper[2], low1 = lower[0], high1 = upper[0];
        const double low = turn.parity > 0.0 ? low3 + low1 : low3 - high1,
                     high = turn.parity > 0.0 ? high3 + high1 : high3 - low1;
        const double speed = std::nearbyint(wrap(later.sum - turn.sum) / (0.5 * PI));
        if (!(high - low < TURN) || (speed == 0.0 && angle_outside(turn.sum, low, high) <= LIMIT_ROOM)) {
            out[a][count[a]++] = {-PI, PI};
        } else if (speed != 0.0) {
            // sum + speed s from low to high
            const double middle = wrap((0.5 * (low + high) - turn.sum) / speed), half = 0.5 * (high - low);
            if (middle + half > PI) out[a][count[a]++] = {-PI, middle + half - TURN};
            out[a][count[a]++] = {std::max(middle - half, -PI), std::min(middle + half, PI)};
            if (middle - half < -PI) out[a][count[a]++] = {middle - half + TURN, PI};
        }
    }
}

}  // namespace limbik::closed_form
