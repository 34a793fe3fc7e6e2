// The damped step, for every number of joints.
#include "levenberg_marquardt.hpp"

namespace limbik::iterative {

template <int N, class R> Residual<R> damped_step(const ScalarChain& chain, const ChainFrame& frame,
                                                  const StepSettings& settings, const double* lower,
                                                  const double* upper, const Pose<R>& target, R q[N]) {
    Axis<R> axes[N];
    const Pose<R> T = forward_chain<true, R>(chain, frame, q, axes);
    const Residual<R> e = residual(T, target, settings.length);
    R b[6] = {e.position.x, e.position.y, e.position.z, e.rotation.x, e.rotation.y, e.rotation.z};
    R J[6][N];
    weighted_jacobian<N, 6, R>(chain, axes, T.origin, settings.length, J);
    const R damping = damping_of(settings, e.squared);
    bounded_step<N, 6, R>(chain, settings, lower, upper, J, b, damping, q, q);
    return e;
}

template <class R> Residual<R> damped_step(int n, const ScalarChain& chain, const ChainFrame& frame,
                                           const StepSettings& settings, const double* lower, const double* upper,
                                           const Pose<R>& target, R* q) {
    switch (n) {
        case 1: return damped_step<1, R>(chain, frame, settings, lower, upper, target, q);
        case 2: return damped_step<2, R>(chain, frame, settings, lower, upper, target, q);
        case 3: return damped_step<3, R>(chain, frame, settings, lower, upper, target, q);
        case 4: return damped_step<4, R>(chain, frame, settings, lower, upper, target, q);
        case 5: return damped_step<5, R>(chain, frame, settings, lower, upper, target, q);
        case 6: return damped_step<6, R>(chain, frame, settings, lower, upper, target, q);
        case 7: return damped_step<7, R>(chain, frame, settings, lower, upper, target, q);
        default: return damped_step<8, R>(chain, frame, settings, lower, upper, target, q);
    }
}

#define LIMBIK_STEP(N, R)                                                                                             \
    template Residual<R> damped_step<N, R>(const ScalarChain&, const ChainFrame&, const StepSettings&, const double*, \
                                           const double*, const Pose<R>&, R*);
#define LIMBIK_STEPS(R)                                                                                  \
    LIMBIK_STEP(1, R)                                                                                    \
    LIMBIK_STEP(2, R)                                                                                    \
    LIMBIK_STEP(3, R)                                                                                    \
    LIMBIK_STEP(4, R)                                                                                    \
    LIMBIK_STEP(5, R)                                                                                    \
    LIMBIK_STEP(6, R)                                                                                    \
    LIMBIK_STEP(7, R)                                                                                    \
    LIMBIK_STEP(8, R)                                                                                    \
    template Residual<R> damped_step<R>(int, const ScalarChain&, const ChainFrame&, const StepSettings&, \
                                        const double*, const double*, const Pose<R>&, R*);
static_assert(LONGEST_CHAIN == 8);
LIMBIK_STEPS(double)
LIMBIK_STEPS(Wide)
#undef LIMBIK_STEPS
#undef LIMBIK_STEP

}  // namespace limbik::iterative
