// The model of one cell: joint values from the local coordinates, by a polynomial or by a small network.
//
// Local coordinates run from -1 to 1 along each axis of the cell. A record holds the coefficients as float. Polynomial:
// a row of terms, each the product of an earlier term and one coordinate; per term a coefficient for every joint.
// Network, Kim and Tarokh's (8)-(12): least and greatest inputs, W_in, b_in, W_out, b_out, least and greatest joint
// values.
#pragma once

#include <vector>

#include "../simd/hyperbolic.hpp"

namespace limbik::table {

inline constexpr int MOST_AXES_OF_CELL = 8, MOST_JOINTS_OF_CELL = 8, MOST_TERMS = 256, MOST_HIDDEN = 64;

struct CellTerm {
    int before, input;  // an earlier term times a coordinate; the first term is 1
};

struct CellModel {
    int axes, joints, hidden;     // hidden = 0: a polynomial
    std::vector<CellTerm> terms;  // without the constant

    long words() const {
        if (hidden) return 2 * axes + long(axes + 1) * hidden + long(hidden + 1) * joints + 2 * joints;
        return long(terms.size() + 1) * joints;
    }

    // What all records of a cell share: the values of the terms, or the coordinates themselves.
    void prepare(const double* x, double* values) const {
        if (hidden) {
            for (int k = 0; k < axes; ++k) values[k] = x[k];
            return;
        }
        values[0] = 1.0;
        for (std::size_t t = 0; t < terms.size(); ++t) values[t + 1] = values[terms[t].before] * x[terms[t].input];
    }

    void evaluate(const float* record, const double* values, double* q) const {
        if (hidden) return network(record, values, q);
        if (joints == 3) return sum<3>(record, values, q);
        if (joints == 4) return sum<4>(record, values, q);
        if (joints == 6) return sum<6>(record, values, q);
        for (int j = 0; j < joints; ++j) q[j] = double(record[j]);
        for (std::size_t t = 1; t <= terms.size(); ++t) {
            record += joints;
            for (int j = 0; j < joints; ++j) q[j] = madd(values[t], double(record[j]), q[j]);
        }
    }

  private:
    // The sums of J joints in parallel, in registers.
    template <int J> void sum(const float* record, const double* values, double* q) const {
        double s[J];
        for (int j = 0; j < J; ++j) s[j] = double(record[j]);
        for (std::size_t t = 1; t <= terms.size(); ++t) {
            record += J;
            for (int j = 0; j < J; ++j) s[j] = madd(values[t], double(record[j]), s[j]);
        }
        for (int j = 0; j < J; ++j) q[j] = s[j];
    }

    void network(const float* record, const double* x, double* q) const {
        double h[MOST_HIDDEN];
        const float *low = record, *high = low + axes, *W = high + axes, *b = W + long(axes) * hidden;
        for (int i = 0; i < hidden; ++i) h[i] = double(b[i]);
        for (int k = 0; k < axes; ++k, W += hidden) {
            const double from = double(low[k]), scaled = 2.0 * (x[k] - from) / (double(high[k]) - from) - 1.0;
            for (int i = 0; i < hidden; ++i) h[i] = madd(scaled, double(W[i]), h[i]);
        }
        for (int i = 0; i < hidden; ++i) h[i] = hyperbolic_tangent(h[i]);
        const float *out = b + hidden, *bias = out + long(hidden) * joints, *least = bias + joints,
                    *most = least + joints;
        for (int j = 0; j < joints; ++j) q[j] = double(bias[j]);
        for (int i = 0; i < hidden; ++i, out += joints)
            for (int j = 0; j < joints; ++j) q[j] = madd(h[i], double(out[j]), q[j]);
        for (int j = 0; j < joints; ++j) {
            const double from = double(least[j]);
            q[j] = madd(0.5 * (double(most[j]) - from), q[j] + 1.0, from);
        }
    }
};

}  // namespace limbik::table
