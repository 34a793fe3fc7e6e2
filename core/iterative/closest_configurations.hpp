// The closest configurations of serial chains (closest_configuration.hpp), for each number of joints: what is asked of
// them.
#pragma once

#include <memory>

#include "solver.hpp"

namespace limbik::iterative {

class ClosestConfiguration {
  public:
    virtual ~ClosestConfiguration() = default;
    // How near the tip comes to a target, and the configurations to turn from (solver.hpp).
    virtual Look look(const Pose<double>& target, const double* seed, bool proven) const = 0;
    // The configuration of a look with the least position error and, among equals, the least rotation error.
    virtual void turn(const Pose<double>& target, const double* seed, const Look& look, double* q_out,
                      Outcome& out) const = 0;
    // The configuration with the least weighed sum of squares, position and rotation at once.
    virtual void weigh(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                       Outcome& out) const = 0;
    virtual double least_position(const Pose<double>& target, int starts) const = 0;
    virtual void warm_up() const = 0;
    virtual bool warm() const = 0;
};

// For a chain of 1 to LONGEST_CHAIN joints; none for longer ones. All of these must outlive it.
std::unique_ptr<ClosestConfiguration> make_closest_configuration(const ScalarChain& chain, const ChainFrame& frame,
                                                                 const Limits& limits, const Effort& effort,
                                                                 const Tolerances& tolerances);

}  // namespace limbik::iterative
