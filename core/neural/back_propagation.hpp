// Back-propagation with momentum, one example at a time (Rumelhart, Hinton and Williams 1986).
//
// For one example the error is E = 1/2 sum (t - o)^2. With s a unit's sum, o = f(s) and d = -dE/ds: an output has d =
// (t - o) f'(s), a hidden unit d_i = f'(s_i) sum_j d_j w_ji, and the change of a weight is
//     dw_ji(k) = rate d_j o_i + momentum dw_ji(k - 1).
// All d are computed with the weights before the change. An epoch uses every example once, shuffled or in the given
// order.
//
// A lane is a network with its own weights and order: several starts cost as much as one. The order of an epoch is a
// function of the network's key and the epoch's number alone, so training may be split into parts.
#pragma once

#include <cstdint>
#include <numeric>

#include "../base/random.hpp"
#include "perceptron.hpp"

namespace limbik::neural {

struct BackPropagation {
    double rate, momentum;
    bool shuffled;
};

// Learn one example, whose inputs are in the activations. changes: those of the previous step, in and out.
template <class R> inline void learn_example(const PerceptronShape& shape, const BackPropagation& settings,
                                             PerceptronWork<R>& work, const R* target, R* w, R* changes) {
    R* below = work.activations.data() + shape.units() - shape.outputs();
    R* d = work.deltas.data() + shape.units() - shape.outputs();
    forward_pass(shape, w, work.activations.data());
    for (int j = 0; j < shape.outputs(); ++j) {
        const R residual = target[j] - below[j];
        d[j] = settings.rate * (shape.linear ? residual : residual * tanh_derivative(below[j]));
    }
    long first = shape.weights();
    const R momentum = R(settings.momentum);
    for (int l = shape.steps() - 1; l >= 0; --l) {
        const int n = shape.layers[std::size_t(l)], m = shape.layers[std::size_t(l) + 1];
        first -= long(n + 1) * m;
        below -= n;
        R* d_below = d - n;
        R *row = w + first, *change = changes + first;
        for (int i = 0; i < n; ++i, ++row, ++change) {  // input by input: the sum stays in a register
            const R activation = below[i];
            R sum = R(0.0);
            for (int j = 0, k = 0; j < m; ++j, k += n + 1) {
                const R before = row[k], next = madd(momentum, change[k], d[j] * activation);
                sum = madd(d[j], before, sum);
                change[k] = next;
                row[k] = before + next;
            }
            d_below[i] = sum * tanh_derivative(activation);
        }
        for (int j = 0, k = 0; j < m; ++j, k += n + 1) {
            change[k] = madd(momentum, change[k], d[j]);
            row[k] = row[k] + change[k];
        }
        d = d_below;
    }
}

// The order of an epoch: a permutation that is a function of its two keys (Fisher and Yates).
inline void shuffle_examples(std::uint64_t key, std::uint64_t epoch, std::uint32_t* order, long count) {
    std::iota(order, order + count, 0u);
    for (long i = count - 1; i > 0; --i)
        std::swap(order[i], order[long(counter_random(key + epoch, std::uint64_t(i)) * double(i + 1))]);
}

// Train `starts` networks, rows of weights and changes, for epochs first .. first + epochs - 1.
inline void back_propagate(const PerceptronShape& shape, const BackPropagation& settings, const Examples& examples,
                           long starts, const std::uint64_t* keys, long first, long epochs, double* weights,
                           double* changes) {
    constexpr int W = LIMBIK_WIDTH;
    const long size = shape.weights(), count = examples.count;
    const int inputs = shape.inputs(), outputs = shape.outputs();
    std::vector<Wide> w(std::size_t(size), Wide(0.0)), change(w);
    std::vector<Wide> target(static_cast<std::size_t>(outputs));
    std::vector<std::uint32_t> order(std::size_t(count) * W);
    PerceptronWork<Wide> work(shape);
    for (long start = 0; start < starts; start += W) {
        const int lanes = int(std::min<long>(W, starts - start));
        load_rows(weights + start * size, int(size), lanes, w.data());
        load_rows(changes + start * size, int(size), lanes, change.data());
        for (int k = 0; k < W; ++k) std::iota(order.begin() + k * count, order.begin() + (k + 1) * count, 0u);
        for (long epoch = first; epoch < first + epochs; ++epoch) {
            for (int k = 0; k < lanes && settings.shuffled; ++k)
                shuffle_examples(keys[start + k], std::uint64_t(epoch), order.data() + k * count, count);
            for (long e = 0; e < count; ++e) {
                const double *x[W], *y[W];
                for (int k = 0; k < W; ++k) {
                    const long chosen = order[std::size_t((k < lanes ? k : lanes - 1) * count + e)];
                    x[k] = examples.x + chosen * inputs, y[k] = examples.y + chosen * outputs;
                }
                for (int i = 0; i < inputs; ++i) {
                    work.activations[std::size_t(i)] = gather<W>(x);
                    for (int k = 0; k < W; ++k) ++x[k];
                }
                for (int j = 0; j < outputs; ++j) {
                    target[std::size_t(j)] = gather<W>(y);
                    for (int k = 0; k < W; ++k) ++y[k];
                }
                learn_example(shape, settings, work, target.data(), w.data(), change.data());
            }
        }
        store_rows(w.data(), int(size), lanes, weights + start * size, size);
        store_rows(change.data(), int(size), lanes, changes + start * size, size);
    }
}

}  // namespace limbik::neural
