// The branches of chains, for every number of joints.
#include "chain_branches.hpp"

namespace limbik::closed_form {

std::unique_ptr<Branches> make_branches(const ScalarChain& chain, int n, int frame, const Effort& effort) {
    switch (n) {
        case 1: return std::make_unique<ChainBranches<1>>(chain, frame, effort);
        case 2: return std::make_unique<ChainBranches<2>>(chain, frame, effort);
        case 3: return std::make_unique<ChainBranches<3>>(chain, frame, effort);
        case 4: return std::make_unique<ChainBranches<4>>(chain, frame, effort);
        case 5: return std::make_unique<ChainBranches<5>>(chain, frame, effort);
        case 6: return std::make_unique<ChainBranches<6>>(chain, frame, effort);
        case 7: return std::make_unique<ChainBranches<7>>(chain, frame, effort);
        default: return nullptr;
    }
}

}  // namespace limbik::closed_form
