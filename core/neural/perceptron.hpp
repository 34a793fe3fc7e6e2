// A multilayer perceptron: every unit computes the hyperbolic tangent of its weighted inputs and a bias. The output
// layer does the same, or is linear.
//
// Weights are one row: layer by layer, unit by unit, first those of its inputs, then its bias. Kernels are templates on
// the number type: in training each lane is a network, in use each lane is an input.
#pragma once

#include <algorithm>
#include <vector>

#include "../simd/hyperbolic.hpp"
#include "../simd/rows.hpp"

namespace limbik::neural {

struct PerceptronShape {
    std::vector<int> layers;  // units of each layer, the inputs first
    bool linear = false;      // whether the output layer is linear

    int inputs() const { return layers.front(); }
    int outputs() const { return layers.back(); }
    int steps() const { return int(layers.size()) - 1; }
    int units() const {
        int count = 0;
        for (const int size : layers) count += size;
        return count;
    }
    long weights() const {
        long count = 0;
        for (int l = 0; l < steps(); ++l) count += long(layers[std::size_t(l)] + 1) * layers[std::size_t(l) + 1];
        return count;
    }
};

// Working memory: the activation of each unit, and the derivative with respect to its sum.
template <class R> struct PerceptronWork {
    std::vector<R> activations, deltas;
    explicit PerceptronWork(const PerceptronShape& shape)
        : activations(std::size_t(shape.units())), deltas(activations.size()) {}
};

// Compute the activations of all layers above the inputs. Returns those of the last. w: of type R, or double for all
// lanes.
template <class R, class Weight> inline R* forward_pass(const PerceptronShape& shape, const Weight* w, R* activations) {
    R* below = activations;
    for (int l = 0; l < shape.steps(); ++l) {
        const int n = shape.layers[std::size_t(l)], m = shape.layers[std::size_t(l) + 1];
        const bool linear = shape.linear && l + 1 == shape.steps();
        R* above = below + n;
        for (int j = 0; j < m; ++j, w += n + 1) {
            R sum = R(w[n]);
            for (int i = 0; i < n; ++i) sum = madd(R(w[i]), below[i], sum);
            above[j] = linear ? sum : hyperbolic_tangent(sum);
        }
        below = above;
    }
    return below;
}

// The derivative of an activation with respect to its unit's sum.
template <class R> LIMBIK_INLINE R tanh_derivative(R activation) { return nmadd(activation, activation, R(1.0)); }

// The outputs of one network for rows of inputs.
inline void perceptron_outputs(const PerceptronShape& shape, const double* w, const double* x, long rows, double* y) {
    PerceptronWork<Wide> work(shape);
    for (long row = 0; row < rows; row += LIMBIK_WIDTH) {
        const int count = int(std::min<long>(LIMBIK_WIDTH, rows - row));
        load_rows(x + row * shape.inputs(), shape.inputs(), count, work.activations.data());
        const Wide* out = forward_pass(shape, w, work.activations.data());
        store_rows(out, shape.outputs(), count, y + row * shape.outputs(), shape.outputs());
    }
}

// Training examples: rows of inputs and of desired outputs.
struct Examples {
    const double* x;
    const double* y;
    long count;
};

}  // namespace limbik::neural
