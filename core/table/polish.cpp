// The correction of candidates, compiled for every number of joints.
#include "wrist_polish.hpp"

namespace limbik::table {

namespace {

template <int N = 1> std::unique_ptr<Polish> made(const Reduction& reduction, bool in_pairs, const ScalarChain& chain,
                                                  const ChainFrame& frame, const StepSettings& settings) {
    if (int(chain.joints.size()) == N) {
        if constexpr (N > 3)
            if (in_pairs) return std::make_unique<WristPolish<N>>(reduction, chain, frame, settings);
        return std::make_unique<ChainPolish<N>>(chain, frame, settings);
    }
    if constexpr (N < POSTURE_JOINTS) return made<N + 1>(reduction, in_pairs, chain, frame, settings);
    else return nullptr;
}

}  // namespace

std::unique_ptr<Polish> make_polish(const Reduction& reduction, bool in_pairs, const ScalarChain& chain,
                                    const ChainFrame& frame, const StepSettings& settings) {
    return made(reduction, in_pairs, chain, frame, settings);
}

}  // namespace limbik::table
