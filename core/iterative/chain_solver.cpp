// The solvers of serial chains, for every number of joints.
#include "chain_solver.hpp"

namespace limbik::iterative {

static_assert(LONGEST_CHAIN <= CORNERED_JOINTS);

namespace {

template <int N = 1> std::unique_ptr<Solver> make(const Kinematics& k, int frame, const Limits& limits,
                                                  const StepSettings& settings, const LazySeedTable& table,
                                                  const Tolerances& tolerances) {
    if (k.n() == N) return std::make_unique<ChainSolver<N>>(k, frame, limits, settings, table, tolerances);
    if constexpr (N < LONGEST_CHAIN) return make<N + 1>(k, frame, limits, settings, table, tolerances);
    else return nullptr;
}

}  // namespace

std::unique_ptr<Solver> make_chain_solver(const Kinematics& k, int frame, const Limits& limits,
                                          const StepSettings& settings, const LazySeedTable& table,
                                          const Tolerances& tolerances) {
    return make(k, frame, limits, settings, table, tolerances);
}

}  // namespace limbik::iterative
