// A perceptron of layers: every unit sums what the layer below gives, weighed, and a bias, and answers with the
// hyperbolic tangent of the sum. The output layer does the same, or answers with the sum itself.
//
// Weights lie in one row: layer by layer, unit by unit, first those of its inputs, then its bias. Kernels are templates
// on the number type: in training each lane is a network of its own, in use each lane is an input of its own.
#pragma once

#include <algorithm>
#include <vector>

#include "../simd/hyperbolic.hpp"
#include "../simd/rows.hpp"

namespace limbik::neural {

struct PerceptronShape {
    std::vector<int> layers;  // units of each layer, the inputs first
    bool linear = false;      // whether the output layer answers with its sums

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

// What a network computes with: a number for each unit, and one for the derivative by its sum.
template <class R> struct PerceptronWork {
    std::vector<R> answers, slopes;
    explicit PerceptronWork(const PerceptronShape& shape)
        : answers(std::size_t(shape.units())), slopes(answers.size()) {}
};

// Fill in the answers of all layers above the inputs. Return those of the last. w: of type R, or double for all lanes.
template <class R, class Weight> inline R* run_perceptron(const PerceptronShape& shape, const Weight* w, R* answers) {
    R* below = answers;
    for (int l = 0; l < shape.steps(); ++l) {
        const int n = shape.layers[std::size_t(l)], m = shape.layers[std::size_t(l) + 1];
        const bool plain = shape.linear && l + 1 == shape.steps();
        R* above = below + n;
        for (int j = 0; j < m; ++j, w += n + 1) {
            R sum = R(w[n]);
            for (int i = 0; i < n; ++i) sum = madd(R(w[i]), below[i], sum);
            above[j] = plain ? sum : hyperbolic_tangent(sum);
        }
        below = above;
    }
    return below;
}

// The derivative of an answer by its unit's sum.
template <class R> LIMBIK_INLINE R slope_of(R answer) { return nmadd(answer, answer, R(1.0)); }

// The outputs of one network for rows of inputs.
inline void perceptron_outputs(const PerceptronShape& shape, const double* w, const double* x, long rows, double* y) {
    PerceptronWork<Wide> work(shape);
    for (long row = 0; row < rows; row += LIMBIK_WIDTH) {
        const int count = int(std::min<long>(LIMBIK_WIDTH, rows - row));
        load_rows(x + row * shape.inputs(), shape.inputs(), count, work.answers.data());
        const Wide* out = run_perceptron(shape, w, work.answers.data());
        store_rows(out, shape.outputs(), count, y + row * shape.outputs(), shape.outputs());
    }
}

// Examples to learn from: rows of inputs, and of what the outputs shall be.
struct Examples {
    const double* x;
    const double* y;
    long count;
};

}  // namespace limbik::neural
