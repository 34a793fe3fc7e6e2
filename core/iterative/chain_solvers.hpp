// The solvers of serial chains (chain_solver.hpp), one for each number of joints.
#pragma once

#include <memory>

#include "solver.hpp"

namespace limbik::iterative {

// The solver of a chain of 1 to LONGEST_CHAIN joints; null for longer ones.
std::unique_ptr<Solver> make_chain_solver(const Kinematics& k, int frame, const Limits& limits,
                                          const StepSettings& settings, const LazySeedTable& table,
                                          const Tolerances& tolerances);

}  // namespace limbik::iterative
