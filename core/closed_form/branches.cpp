// The branches of chains, compiled once.
#include "chain_branches.hpp"

namespace limbik::closed_form {

std::unique_ptr<Branches> make_branches(const ScalarChain& chain, int n, int frame, const StepSettings& settings) {
    if (n < 1 || n > POSTURE_JOINTS) return nullptr;
    return std::make_unique<ChainBranches>(chain, frame, settings);
}

}  // namespace limbik::closed_form
