// Whether a configuration is isolated, for every number of joints.
#include "self_motion.hpp"

namespace limbik::closed_form {

namespace {

template <int N = 1> Isolation judged(const ScalarChain& chain, const ChainFrame& frame, double length, int n,
                                      const double* q, const Pose<double>& target) {
    if (n == N) return SelfMotion<N>(chain, frame, length).judge(q, target);
    if constexpr (N < 6) return judged<N + 1>(chain, frame, length, n, q, target);
    else return Isolation::isolated;
}

}  // namespace

Isolation isolation(const ScalarChain& chain, const ChainFrame& frame, double length, int n, const double* q,
                    const Pose<double>& target) {
    return judged(chain, frame, length, n, q, target);
}

}  // namespace limbik::closed_form
