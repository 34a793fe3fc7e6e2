// The solvers of serial chains (chain_solver.hpp), one for each number of joints.
#pragma once

#include <memory>

#include "solver.hpp"

namespace limbik::iterative {

// The solver for a chain of n joints, 1 to 8; none for longer ones.
inline constexpr int LONGEST_CHAIN = 8;
std::unique_ptr<Solver> make_chain_solver(const Kinematics& k, int frame, const Limits& limits, const Effort& effort,
                                          const LazySeedTable& table, const Tolerances& tolerances);

}  // namespace limbik::iterative
