// The model of one cell: joint values from the local coordinates, by a polynomial or by a small network.
//
// Local coordinates run from -1 to 1 along each axis of the cell. A record holds the coefficients as float. Polynomial:
// a row of terms, each the product of an earlier term and one coordinate; per term a coefficient for every joint.
// Network, Kim and Tarokh's (8)-(12): least and greatest inputs, W_in, b_in, W_out, b_out, least and greatest joint
// values.
#pragma once

#include <vector>

#include "../simd/lanes.hpp"

namespace limbik::table {

inline constexpr int MOST_AXES_OF_CELL = 8, MOST_JOINTS_OF_CELL = 8, MOST_TERMS = 256, MOST_HIDDEN = 64;

// 2 / (1 + exp(-2 p)) - 1 to 1e-12. exp by its series: 2p = k ln 2 + r with |r| <= 0.35.
inline double hyperbolic_tangent(double p) {
    constexpr double FLAT = 19.0;  // tanh is 1 from here on, to the last digit
    constexpr double LOG2_E = 1.4426950408889634, LN2_HIGH = 0.6931471803691238, LN2_LOW = 1.9082149292705877e-10;
    constexpr double SERIES[] = {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                 1.0 / 24,      1.0 / 6,      0.5,         1.0,        1.0};
    const double x = 2.0 * (p < -FLAT ? -FLAT : p > FLAT ? FLAT : p);
    const double counter = madd(x, LOG2_E, ROUNDER), k = counter - ROUNDER;
    const double r = madd(k, -LN2_LOW, madd(k, -LN2_HIGH, x));
    double e = 1.0 / 39916800;
    for (const double term : SERIES) e = madd(e, r, term);
    e *= std::bit_cast<double>((std::bit_cast<std::uint64_t>(counter) + 1023) << 52);
    return 1.0 - 2.0 / (e + 1.0);
}

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
