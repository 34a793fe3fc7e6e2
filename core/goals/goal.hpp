// A goal: residuals that are to be zero, and their derivatives with respect to q.
//
// Residuals come in parts, each with its own unit: a pose has a position [m] and a rotation [rad]. A part is met when
// the norm of its residual is within the tolerance. The residual counts from the boundary of the part's range and is
// zero inside. The range of a part of several numbers is a ball around the target; that of one number is an interval.
#pragma once

#include <algorithm>
#include <vector>

#include "../kinematics/mechanism.hpp"

namespace limbik::goals {

// A configuration q and the poses of all elements in the base frame.
struct MechanismState {
    const Mechanism& mechanism;
    std::vector<double> q;
    std::vector<Pose<double>> elements;

    explicit MechanismState(const Mechanism& m) : mechanism(m), q(std::size_t(m.n)), elements(m.elements.size()) {}

    void update() { forward_elements(mechanism, q.data(), elements.data()); }
};

struct Part {
    int rows;
    bool length;  // in metres, weighted against radians by the mechanism's length
    double weight, tolerance, low, high;
};

class Goal {
  public:
    virtual ~Goal() = default;

    // The measured numbers against `aim`, and their derivatives: rows x columns, row-major.
    virtual void measure(const MechanismState& state, const double* aim, double* e, double* J) const = 0;

    // How many numbers `aim` has.
    int aims() const { return aims_; }
    // The indices in q on which the goal depends, ascending.
    const std::vector<int>& columns() const { return columns_; }
    const std::vector<Part>& parts() const { return parts_; }
    int rows() const {
        int rows = 0;
        for (const Part& part : parts_) rows += part.rows;
        return rows;
    }
    // Priority: level 0 first. A later level must not worsen an earlier one.
    int level = 0;
    // Whether a configuration that misses this goal is no solution.
    bool required = true;
    // Whether no intermediate step may increase a violation of the goal, as with obstacles.
    bool guard = false;

    // The residual of every part with respect to its range, in e, and its derivatives, in J.
    void evaluate(const MechanismState& state, const double* aim, double* e, double* J) const {
        measure(state, aim, e, J);
        const std::size_t n = columns_.size();
        for (const Part& part : parts_) {
            if (part.rows == 1) {
                subtract_interval(part, e, J, n);
            } else if (part.high > 0.0) {
                subtract_ball(part, e, J, n);
            }
            e += part.rows, J += std::size_t(part.rows) * n;
        }
    }

  protected:
    int aims_ = 0;
    std::vector<int> columns_;
    std::vector<Part> parts_;

  private:
    static void subtract_interval(const Part& part, double* e, double* J, std::size_t n) {
        if (e[0] > part.high) {
            e[0] -= part.high;
        } else if (e[0] < part.low) {
            e[0] -= part.low;
        } else {
            e[0] = 0.0;
            std::fill_n(J, n, 0.0);
        }
    }

    // e (1 - r/|e|), whose derivative is (1 - r/|e|) I + (r/|e|^3) e e'.
    static void subtract_ball(const Part& part, double* e, double* J, std::size_t n) {
        const std::size_t rows = std::size_t(part.rows);
        double squared = 0.0;
        for (std::size_t k = 0; k < rows; ++k) squared += e[k] * e[k];
        const double length = std::sqrt(squared);
        if (length <= part.high) {
            std::fill_n(e, rows, 0.0);
            std::fill_n(J, rows * n, 0.0);
            return;
        }
        const double share = part.high / length;
        for (std::size_t j = 0; j < n; ++j) {
            double along = 0.0;
            for (std::size_t k = 0; k < rows; ++k) along += e[k] * J[k * n + j];
            along *= share / squared;
            for (std::size_t k = 0; k < rows; ++k) J[k * n + j] = (1.0 - share) * J[k * n + j] + along * e[k];
        }
        for (std::size_t k = 0; k < rows; ++k) e[k] *= 1.0 - share;
    }
};

inline Vector3<double> vector_at(const double* x) { return {x[0], x[1], x[2]}; }

}  // namespace limbik::goals
