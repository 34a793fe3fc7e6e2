// A goal: some numbers that ought to be zero, and how they change with q.
//
// What a goal measures comes in parts, each with its own unit: a pose has a position [m] and a rotation [rad]. A part
// is met when its length is within the tolerance, counted from the edge of its range: inside the range nothing is
// missing. A part of several numbers has a range that is a ball around the target; a part of one number has an
// interval.
#pragma once

#include <algorithm>
#include <vector>

#include "../kinematics/mechanism.hpp"

namespace limbik::goals {

// Where a mechanism stands.
struct Stance {
    const Mechanism& mechanism;
    std::vector<double> q;
    std::vector<Pose<double>> elements;

    explicit Stance(const Mechanism& m) : mechanism(m), q(std::size_t(m.n)), elements(m.elements.size()) {}

    void stand() { forward_elements(mechanism, q.data(), elements.data()); }
};

struct Part {
    int rows;
    bool length;  // metres, to be weighed against radians
    double weight, tolerance, low, high;
};

class Goal {
  public:
    virtual ~Goal() = default;

    // The numbers that are measured against `aim`, and their derivatives: rows x columns, row by row.
    virtual void measure(const Stance& stance, const double* aim, double* e, double* J) const = 0;

    // How many numbers of a caller say where to.
    int aims() const { return aims_; }
    // The numbers of q that the measure depends on, ascending.
    const std::vector<int>& columns() const { return columns_; }
    const std::vector<Part>& parts() const { return parts_; }
    int rows() const {
        int rows = 0;
        for (const Part& part : parts_) rows += part.rows;
        return rows;
    }
    // Goals of a lower level come first; those of a later one may not cost them anything.
    int level = 0;
    // Is the answer no answer without it?
    bool required = true;
    // May no step on the way make it worse than it may be? Obstacles are not to be passed through.
    bool guard = false;

    // What is missing from the range of every part, in e, and its derivatives, in J.
    void look(const Stance& stance, const double* aim, double* e, double* J) const {
        measure(stance, aim, e, J);
        const std::size_t n = columns_.size();
        for (const Part& part : parts_) {
            if (part.rows == 1) {
                into_interval(part, e, J, n);
            } else if (part.high > 0.0) {
                into_ball(part, e, J, n);
            }
            e += part.rows, J += std::size_t(part.rows) * n;
        }
    }

  protected:
    int aims_ = 0;
    std::vector<int> columns_;
    std::vector<Part> parts_;

  private:
    static void into_interval(const Part& part, double* e, double* J, std::size_t n) {
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
    static void into_ball(const Part& part, double* e, double* J, std::size_t n) {
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
