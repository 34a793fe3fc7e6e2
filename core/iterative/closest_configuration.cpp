// The closest configurations of serial chains, for every number of joints.
#include "closest_configuration.hpp"

namespace limbik::iterative {

namespace {

template <int N = 1> std::unique_ptr<ClosestConfiguration> make(const ScalarChain& chain, const ChainFrame& frame,
                                                                const Limits& limits, const StepSettings& settings,
                                                                const Tolerances& tolerances) {
    if (int(chain.joints.size()) == N)
        return std::make_unique<ChainClosestConfiguration<N>>(chain, frame, limits, settings, tolerances);
    if constexpr (N < LONGEST_CHAIN) return make<N + 1>(chain, frame, limits, settings, tolerances);
    else return nullptr;
}

}  // namespace

std::unique_ptr<ClosestConfiguration> make_closest_configuration(const ScalarChain& chain, const ChainFrame& frame,
                                                                 const Limits& limits, const StepSettings& settings,
                                                                 const Tolerances& tolerances) {
    return make(chain, frame, limits, settings, tolerances);
}

}  // namespace limbik::iterative
