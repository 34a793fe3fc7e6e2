// Back-propagation, example by example, with momentum (Rumelhart, Hinton and Williams 1986).
//
// For one example the error is E = 1/2 sum (t - o)^2. With s a unit's sum, o = f(s) and d = -dE/ds: an output has
// d = (t - o) f'(s), a unit below d_i = f'(s_i) sum_j d_j w_ji, and the change of a weight is
//     dw_ji(k) = rate d_j o_i + momentum dw_ji(k - 1).
// All d are those of the weights before the change. An epoch shows every example once, in an order of its own or as
// given.
//
// A lane is a network, with its own weights and order: several starts cost what one does. The order of an epoch depends
// on the network's key and the number of the epoch alone, so that training in pieces is training in one go.
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

// Learn one example: answers hold its inputs. changes: those of the step before, in and out.
template <class R> inline void learn_example(const PerceptronShape& shape, const BackPropagation& way,
                                             PerceptronWork<R>& work, const R* target, R* w, R* changes) {
    R* below = work.answers.data() + shape.units() - shape.outputs();
    R* d = work.slopes.data() + shape.units() - shape.outputs();
    run_perceptron(shape, w, work.answers.data());
    for (int j = 0; j < shape.outputs(); ++j) {
        const R missing = target[j] - below[j];
        d[j] = way.rate * (shape.linear ? missing : missing * slope_of(below[j]));
    }
    long first = shape.weights();
    const R momentum = R(way.momentum);
    for (int l = shape.steps() - 1; l >= 0; --l) {
        const int n = shape.layers[std::size_t(l)], m = shape.layers[std::size_t(l) + 1];
        first -= long(n + 1) * m;
        below -= n;
        R* d_below = d - n;
        R *row = w + first, *change = changes + first;
        for (int i = 0; i < n; ++i, ++row, ++change) {  // by inputs: the sum below stays in a register
            const R answer = below[i];
            R sum = R(0.0);
            for (int j = 0, k = 0; j < m; ++j, k += n + 1) {
                const R before = row[k], next = madd(momentum, change[k], d[j] * answer);
                sum = madd(d[j], before, sum);
                change[k] = next;
                row[k] = before + next;
            }
            d_below[i] = sum * slope_of(answer);
        }
        for (int j = 0, k = 0; j < m; ++j, k += n + 1) {
            change[k] = madd(momentum, change[k], d[j]);
            row[k] = row[k] + change[k];
        }
        d = d_below;
    }
}

// The order of an epoch: a permutation that depends on its two keys alone (Fisher and Yates).
inline void shuffle_examples(std::uint64_t key, std::uint64_t epoch, std::uint32_t* order, long count) {
    std::iota(order, order + count, 0u);
    for (long i = count - 1; i > 0; --i)
        std::swap(order[i], order[long(counter_random(key + epoch, std::uint64_t(i)) * double(i + 1))]);
}

// Train `starts` networks, rows of weights and changes, for epochs first .. first + epochs - 1.
inline void back_propagate(const PerceptronShape& shape, const BackPropagation& way, const Examples& examples,
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
            for (int k = 0; k < lanes && way.shuffled; ++k)
                shuffle_examples(keys[start + k], std::uint64_t(epoch), order.data() + k * count, count);
            for (long e = 0; e < count; ++e) {
                const double *x[W], *y[W];
                for (int k = 0; k < W; ++k) {
                    const long chosen = order[std::size_t((k < lanes ? k : lanes - 1) * count + e)];
                    x[k] = examples.x + chosen * inputs, y[k] = examples.y + chosen * outputs;
                }
                for (int i = 0; i < inputs; ++i) {
                    work.answers[std::size_t(i)] = gather<W>(x);
                    for (int k = 0; k < W; ++k) ++x[k];
                }
                for (int j = 0; j < outputs; ++j) {
                    target[std::size_t(j)] = gather<W>(y);
                    for (int k = 0; k < W; ++k) ++y[k];
                }
                learn_example(shape, way, work, target.data(), w.data(), change.data());
            }
        }
        store_rows(w.data(), int(size), lanes, weights + start * size, size);
        store_rows(change.data(), int(size), lanes, changes + start * size, size);
    }
}

}  // namespace limbik::neural
