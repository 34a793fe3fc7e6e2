// Damped least squares on a serial chain, one problem per lane.
//
// The residual is the pose error: the translation divided by a length, so that metres and radians compare, and the
// rotation as its chord, 2 sin(angle/2) about its axis. Near the target the chord is the rotation vector. It grows up
// to half a turn and then falls to a false zero, which the cosine of the angle excludes.
//
// A step is dq = J' (J J' + damping I)^-1 e over the free joints: 6 equations whatever the number of joints. The
// damping is proportional to the squared residual (Chan and Lawrence 1988; Sugihara 2011), so that the last steps are
// Newton steps. A joint at a bound whose gradient points outward is held for that step. Steps are clamped to the
// bounds.
//
// There is no line search and no rejected step: restarting costs less than rescuing an attempt that stalls.
#pragma once

#include "../geometry/pose_error.hpp"
#include "../kinematics/chain.hpp"
#include "../linalg/cholesky.hpp"

namespace limbik::iterative {

// Added to the damping, so that the step exists in singular configurations.
inline constexpr double LEAST_DAMPING = 1e-14;
// The squared residual beyond which the damping stays constant: far from the target more of it would only slow down.
inline constexpr double FAR = 10.0;
// The damping per squared residual and the largest step, for every mechanism. They were tuned on the catalogue's arms
// and are not critical.
inline constexpr double DAMPING = 0.1, LARGEST_STEP = 1.0;

struct StepSettings {
    double length;        // the position error that counts as much as 1 rad [m]
    double damping;       // per squared residual
    double largest_step;  // of any joint [rad, or lengths]; not of prismatic joints without limits
};

template <class R> inline R damping_of(const StepSettings& settings, R squared) {
    return madd(R(settings.damping), select(squared < R(FAR), squared, R(FAR)), R(LEAST_DAMPING));
}

// The pose error without units, its square, and the cosine of its rotation (`facing`).
template <class R> struct Residual {
    Vector3<R> position, rotation;
    R squared, facing;
};

template <class R> LIMBIK_INLINE Residual<R> residual(const Pose<R>& actual, const Pose<R>& target, double length) {
    Residual<R> e;
    Vector3<R> c[3];
    relative_rotation(target, actual, c);
    const Vector3<R> vee = rotation_vee(c[0], c[1], c[2]);
    e.facing = R(0.5) * (c[0].x + c[1].y + c[2].z - R(1.0));
    // 2 sin(a/2) = sin(a) / cos(a/2), cos(a/2)^2 = (1 + cos a)/2; the floor keeps half a turn finite
    constexpr double FLOOR = 1e-6;
    const R half_squared = R(0.5) * (R(1.0) + e.facing);
    e.rotation = scaled(vee, R(1.0) / square_root(select(half_squared > R(FLOOR), half_squared, R(FLOOR))));
    e.position = scaled(target.origin - actual.origin, R(1.0 / length));
    e.squared = dot(e.position, e.position) + dot(e.rotation, e.rotation);
    return e;
}

// The first M rows of the Jacobian (3: position alone) without units: positions divided by the length, prismatic joints
// in lengths. `n`: a chain may have fewer joints than there is room for.
template <int N, int M, class R> LIMBIK_INLINE void weighted_jacobian(const ScalarChain& chain, const Axis<R>* axes,
                                                                      const Vector3<R>& p, double length, R J[M][N],
                                                                      int n = N) {
    const R per_length = R(1.0 / length);
    for (int i = 0; i < n; ++i) {
        const Vector3<R> w = axes[i].direction;
        if (chain.joints[std::size_t(i)].kind == Kind::revolute) {
            const Vector3<R> v = scaled(cross(w, p - axes[i].point), per_length);
            J[0][i] = v.x, J[1][i] = v.y, J[2][i] = v.z;
            if constexpr (M == 6) J[3][i] = w.x, J[4][i] = w.y, J[5][i] = w.z;
        } else {
            J[0][i] = w.x, J[1][i] = w.y, J[2][i] = w.z;
            if constexpr (M == 6) J[3][i] = J[4][i] = J[5][i] = R(0.0);
        }
    }
}

// q moved by the damped step for the right side b, over the joints that are not held at a bound. Overwrites J and b.
template <int N, int M, class R> LIMBIK_INLINE void bounded_step(const ScalarChain& chain, const StepSettings& settings,
                                                                 const double* lower, const double* upper, R J[M][N],
                                                                 R b[M], R damping, const R q[N], R moved[N]) {
    for (int i = 0; i < N; ++i) {
        R gradient = J[0][i] * b[0];
        for (int k = 1; k < M; ++k) gradient = madd(J[k][i], b[k], gradient);
        const auto held = ((q[i] <= R(lower[i])) & (gradient < R(0.0))) | ((q[i] >= R(upper[i])) & (gradient > R(0.0)));
        for (int k = 0; k < M; ++k) J[k][i] = select(held, R(0.0), J[k][i]);
    }
    R a[M * (M + 1) / 2];
    for (int i = 0, m = 0; i < M; ++i)
        for (int j = 0; j <= i; ++j, ++m) {
            a[m] = i == j ? damping : R(0.0);
            for (int k = 0; k < N; ++k) a[m] = madd(J[i][k], J[j][k], a[m]);
        }
    solve_spd<M>(a, b);
    for (int i = 0; i < N; ++i) {
        R step = J[0][i] * b[0];
        for (int k = 1; k < M; ++k) step = madd(J[k][i], b[k], step);
        const bool prismatic = chain.joints[std::size_t(i)].kind == Kind::prismatic;
        const bool endless = prismatic && !(std::isfinite(lower[i]) && std::isfinite(upper[i]));
        if (!endless) step = clamp(step, R(-settings.largest_step), R(settings.largest_step));
        if (prismatic) step = step * R(settings.length);
        moved[i] = clamp(q[i] + step, R(lower[i]), R(upper[i]));
    }
}

// One step in each lane. Returns the residual before it. lower and upper are the bounds of the N joints. It is
// compiled once, for double and Wide and chains of up to LONGEST_CHAIN joints (levenberg_marquardt.cpp).
inline constexpr int LONGEST_CHAIN = 8;
template <int N, class R> Residual<R> damped_step(const ScalarChain& chain, const ChainFrame& frame,
                                                  const StepSettings& settings, const double* lower,
                                                  const double* upper, const Pose<R>& target, R q[N]);
// The same for a number of joints known at run time.
template <class R> Residual<R> damped_step(int n, const ScalarChain& chain, const ChainFrame& frame,
                                           const StepSettings& settings, const double* lower, const double* upper,
                                           const Pose<R>& target, R* q);

}  // namespace limbik::iterative
