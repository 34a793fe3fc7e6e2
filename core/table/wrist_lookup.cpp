// Batched look-ups of chains with a wrist, compiled for every number of joints.
#include "chain_wrist_lookup.hpp"

namespace limbik::table {

namespace {

template <int N = 4>
std::unique_ptr<WristLookup> made(const Reduction& reduction, const PostureModels& models, const Polish& polish) {
    if (reduction.tail() != Tail::wrist) return nullptr;
    if (reduction.n() == N)
        return std::make_unique<ChainWristLookup<N>>(reduction, models, static_cast<const WristPolish<N>&>(polish));
    if constexpr (N < POSTURE_JOINTS) return made<N + 1>(reduction, models, polish);
    else return nullptr;
}

}  // namespace

std::unique_ptr<WristLookup> make_wrist_lookup(const Reduction& reduction, const PostureModels& models,
                                               const Polish& polish) {
    return made(reduction, models, polish);
}

}  // namespace limbik::table
