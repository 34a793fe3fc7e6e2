// Perceptrons: outputs against long double, gradients against differences, monotone training, lanes equal to single
// networks.

#include <algorithm>

#include "../support/reference.hpp"

#include "../../neural/back_propagation.hpp"
#include "../../neural/perceptron_marquardt.hpp"

namespace limbik::test {
namespace {

struct Training {
    PerceptronShape shape;
    std::vector<double> x, y, w;
    long count;

    explicit Training(Random& random) : count(random.integer(1, 8)) {
        for (int k = random.integer(2, 4); k > 0; --k) shape.layers.push_back(random.integer(1, 5));
        shape.linear = random.chance(0.5);
        for (long k = count * shape.inputs(); k > 0; --k) x.push_back(random.uniform(-1.0, 1.0));
        for (long k = count * shape.outputs(); k > 0; --k) y.push_back(random.uniform(-0.9, 0.9));
        for (long k = shape.weights(); k > 0; --k) w.push_back(random.uniform(-1.0, 1.0));
    }
    Examples examples() const { return {x.data(), y.data(), count}; }
    const double* input(long row) const { return x.data() + row * shape.inputs(); }
    const double* wanted(long row) const { return y.data() + row * shape.outputs(); }
};

inline std::vector<Real> reference_outputs(const PerceptronShape& shape, const std::vector<Real>& w, const double* x) {
    std::vector<Real> below(x, x + shape.inputs());
    std::size_t at = 0;
    for (int l = 0; l < shape.steps(); ++l) {
        std::vector<Real> above;
        for (int j = 0; j < shape.layers[std::size_t(l) + 1]; ++j) {
            Real sum = 0;
            for (const Real each : below) sum += w[at++] * each;
            sum += w[at++];
            above.push_back(shape.linear && l + 1 == shape.steps() ? sum : tanhl(sum));
        }
        below = above;
    }
    return below;
}

// Half the sum of squared residuals of one example, or of all.
inline Real reference_error(const Training& training, const std::vector<Real>& w, long from, long to) {
    Real sum = 0;
    for (long row = from; row < to; ++row) {
        const std::vector<Real> out = reference_outputs(training.shape, w, training.input(row));
        for (std::size_t j = 0; j < out.size(); ++j)
            sum += (out[j] - training.wanted(row)[j]) * (out[j] - training.wanted(row)[j]) / 2;
    }
    return sum;
}
inline std::vector<double> reference_gradient(const Training& training, long from, long to) {
    constexpr Real STEP_OF_WEIGHT = 1e-6L;
    std::vector<Real> w(training.w.begin(), training.w.end());
    std::vector<double> out;
    for (Real& each : w) {
        const Real kept = each;
        each = kept + STEP_OF_WEIGHT;
        const Real ahead = reference_error(training, w, from, to);
        each = kept - STEP_OF_WEIGHT;
        out.push_back(double((ahead - reference_error(training, w, from, to)) / (2 * STEP_OF_WEIGHT)));
        each = kept;
    }
    return out;
}

LAW("outputs agree with long double, and rows with single calls", 200, [](std::uint64_t seed) {
    Random random(seed);
    const Training training(random);
    const PerceptronShape& shape = training.shape;
    const std::vector<Real> w(training.w.begin(), training.w.end());
    std::vector<double> rows(training.y.size(), NAN);
    perceptron_outputs(shape, training.w.data(), training.x.data(), training.count, rows.data());
    for (long row = 0; row < training.count; ++row) {
        PerceptronWork<double> work(shape);
        std::copy_n(training.input(row), shape.inputs(), work.activations.begin());
        const double* out = forward_pass(shape, training.w.data(), work.activations.data());
        const std::vector<Real> exact = reference_outputs(shape, w, training.input(row));
        for (int j = 0; j < shape.outputs(); ++j) {
            HOLDS(same_bits(out[j], rows[std::size_t(row * shape.outputs() + j)]), row, j, out[j]);
            HOLDS(fabsl(out[j] - exact[std::size_t(j)]) <= 1e-13L, row, j, out[j], exact[std::size_t(j)]);
        }
    }
});

LAW("gradients are the differences of the error", 100, [](std::uint64_t seed) {
    constexpr double NEAR = 1e-9;
    Random random(seed);
    const Training training(random);
    MarquardtTrainer<double> trainer(training.shape, training.examples());
    trainer.linearise(training.w.data());
    const std::vector<double> all = reference_gradient(training, 0, training.count);
    for (std::size_t k = 0; k < all.size(); ++k)
        HOLDS(std::fabs(trainer.gradient()[k] - all[k]) <= NEAR, std::uint64_t(k), trainer.gradient()[k], all[k]);
    const std::vector<Real> exact(training.w.begin(), training.w.end());
    const double value = trainer.value(training.w.data()),
                 expected = 2.0 * double(reference_error(training, exact, 0, training.count));
    HOLDS(std::fabs(value - expected) <= 1e-12 * (1.0 + expected), value, expected);

    // One example by back-propagation: a gradient step, plus momentum of the previous change.
    const long row = random.integer(0, int(training.count) - 1);
    const BackPropagation settings{random.uniform(0.01, 1.0), random.uniform(0.0, 0.9), false};
    std::vector<double> w = training.w, changes(w.size());
    for (double& each : changes) each = random.uniform(-0.1, 0.1);
    const std::vector<double> before = changes, one = reference_gradient(training, row, row + 1);
    PerceptronWork<double> work(training.shape);
    std::copy_n(training.input(row), training.shape.inputs(), work.activations.begin());
    learn_example(training.shape, settings, work, training.wanted(row), w.data(), changes.data());
    for (std::size_t k = 0; k < w.size(); ++k) {
        const double change = -settings.rate * one[k] + settings.momentum * before[k];
        HOLDS(std::fabs(changes[k] - change) <= NEAR, std::uint64_t(k), changes[k], change);
        HOLDS(same_bits(w[k], training.w[k] + changes[k]), std::uint64_t(k), w[k]);
    }
});

// Weights of several starts, one row each.
inline std::vector<double> random_starts(Random& random, const Training& training, long starts) {
    std::vector<double> w;
    for (long k = starts * training.shape.weights(); k > 0; --k) w.push_back(random.uniform(-1.0, 1.0));
    return w;
}

LAW("Marquardt's training never increases the error, and several starts train as each alone", 40,
    [](std::uint64_t seed) {
        Random random(seed);
        const Training training(random);
        const long starts = random.integer(1, 2 * width<Wide> + 1), size = training.shape.weights();
        const MarquardtTraining settings{0.2, 5.0, 1e-12, 1e12};
        const std::vector<double> begin = random_starts(random, training, starts);
        std::vector<double> w = begin, damping(std::size_t(starts), 1e-2), values(std::size_t(starts), NAN);
        MarquardtTrainer<double> trainer(training.shape, training.examples());
        std::vector<double> before;
        for (long k = 0; k < starts; ++k) before.push_back(trainer.value(begin.data() + k * size));
        for (int part = 0; part < 3; ++part) {
            marquardt_train(training.shape, settings, training.examples(), starts, 5, w.data(), damping.data(),
                            values.data());
            for (std::size_t k = 0; k < values.size(); ++k) {
                HOLDS(values[k] <= before[k], part, std::uint64_t(k), values[k], before[k]);
                HOLDS(same_bits(values[k], trainer.value(w.data() + long(k) * size)), part, std::uint64_t(k),
                      values[k]);
            }
            before = values;
        }
        for (long k = 0; k < starts; ++k) {
            std::vector<double> one(begin.begin() + k * size, begin.begin() + (k + 1) * size);
            double own_damping = 1e-2, own_value = NAN;
            for (int part = 0; part < 3; ++part)
                marquardt_train(training.shape, settings, training.examples(), 1, 5, one.data(), &own_damping,
                                &own_value);
            for (long i = 0; i < size; ++i)
                HOLDS(same_bits(one[std::size_t(i)], w[std::size_t(k * size + i)]), k, i, one[std::size_t(i)]);
            HOLDS(same_bits(own_value, values[std::size_t(k)]) && same_bits(own_damping, damping[std::size_t(k)]), k,
                  own_value);
        }
    });

LAW("back-propagation in parts equals a single run, and several starts train as each alone", 40,
    [](std::uint64_t seed) {
        Random random(seed);
        const Training training(random);
        const long starts = random.integer(1, 2 * width<Wide> + 1), size = training.shape.weights(),
                   epochs = random.integer(2, 6);
        const long split = random.integer(1, int(epochs) - 1);
        const BackPropagation settings{0.1, 0.5, random.chance(0.7)};
        const std::vector<double> begin = random_starts(random, training, starts);
        std::vector<double> w = begin, changes(begin.size(), 0.0), parts = begin, parts_changes = changes;
        std::vector<std::uint64_t> keys;
        for (long k = 0; k < starts; ++k) keys.push_back(random.bits());
        const auto train = [&](long count, const std::uint64_t* own, long first, long some, double* weights,
                               double* change) {
            back_propagate(training.shape, settings, training.examples(), count, own, first, some, weights, change);
        };
        train(starts, keys.data(), 0, epochs, w.data(), changes.data());
        train(starts, keys.data(), 0, split, parts.data(), parts_changes.data());
        train(starts, keys.data(), split, epochs - split, parts.data(), parts_changes.data());
        for (std::size_t k = 0; k < w.size(); ++k) HOLDS(same_bits(w[k], parts[k]), std::uint64_t(k), w[k], parts[k]);
        for (long k = 0; k < starts; ++k) {
            std::vector<double> one(begin.begin() + k * size, begin.begin() + (k + 1) * size), change(one.size(), 0.0);
            train(1, &keys[std::size_t(k)], 0, epochs, one.data(), change.data());
            for (long i = 0; i < size; ++i)
                HOLDS(same_bits(one[std::size_t(i)], w[std::size_t(k * size + i)]), k, i, one[std::size_t(i)]);
        }
    });

LAW("the order of an epoch contains every example once", 100, [](std::uint64_t seed) {
    Random random(seed);
    const long count = random.integer(0, 100);
    std::vector<std::uint32_t> order = places<std::uint32_t>(count), again = order;
    const std::uint64_t key = random.bits(), epoch = random.bits();
    shuffle_examples(key, epoch, order.data(), count), shuffle_examples(key, epoch, again.data(), count);
    HOLDS(order == again, count);
    std::sort(order.begin(), order.end());
    for (long k = 0; k < count; ++k) HOLDS(order[std::size_t(k)] == std::uint32_t(k), count, k);
});

}  // namespace
}  // namespace limbik::test
