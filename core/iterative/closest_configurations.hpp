// The closest configuration of a serial chain to an unreachable target: the interface. closest_configuration.hpp
// implements it for each number of joints.
#pragma once

#include <memory>

#include "solver.hpp"

namespace limbik::iterative {

class ClosestConfiguration {
  public:
    virtual ~ClosestConfiguration() = default;
    // The closest approach to a target in position (solver.hpp).
    virtual Approach approach(const Pose<double>& target, const double* seed, bool proven) const = 0;
    // Of an approach, the configuration of least position error and, among equals, of least rotation error.
    virtual void orient(const Pose<double>& target, const double* seed, const Approach& approach, double* q_out,
                        Outcome& out) const = 0;
    // The configuration of the least weighted sum of squares of position and rotation errors.
    virtual void weighted(const Pose<double>& target, const double* seed, const Weights& weights, double* q_out,
                          Outcome& out) const = 0;
    virtual double least_position(const Pose<double>& target, int starts) const = 0;
    virtual void warm_up() const = 0;
    virtual bool warm() const = 0;
};

// Of a chain of 1 to LONGEST_CHAIN joints; null for longer ones. The arguments must outlive it.
std::unique_ptr<ClosestConfiguration> make_closest_configuration(const ScalarChain& chain, const ChainFrame& frame,
                                                                 const Limits& limits, const StepSettings& settings,
                                                                 const Tolerances& tolerances);

}  // namespace limbik::iterative
