// Perceptrons trained by Levenberg and Marquardt's method, one network in each lane.
//
// All examples at once: r holds output - target of every example and output, f = r'r, J = dr/dw. A step solves
//     (J'J + m I) dw = -J'r.
// A step that lowers f is accepted and m shrinks; otherwise it is rejected and m grows. So f never grows. A network
// whose m has reached its bound has converged: no step lowers f.
#pragma once

#include "../linalg/normal_equations.hpp"
#include "perceptron.hpp"

namespace limbik::neural {

struct MarquardtTraining {
    double easier, harder;  // factors of the damping after an accepted and a rejected step
    double least, most;     // its bounds
};

template <class R> class MarquardtTrainer {
  public:
    MarquardtTrainer(const PerceptronShape& shape, const Examples& examples)
        : shape_(shape), examples_(examples), work_(shape), equations_(int(shape.weights())),
          step_(std::size_t(shape.weights())), tried_(step_) {}

    // The sum of squared residuals.
    R value(const R* w) {
        R f = R(0.0);
        for (long e = 0; e < examples_.count; ++e) {
            const R* out = run(w, e);
            for (int j = 0; j < shape_.outputs(); ++j) {
                const R residual = out[j] - R(examples_.y[e * shape_.outputs() + j]);
                f = madd(residual, residual, f);
            }
        }
        return f;
    }

    // Compute J'J and J'r.
    void linearise(const R* w) {
        equations_.clear();
        for (long e = 0; e < examples_.count; ++e) {
            const R* out = run(w, e);
            for (int j = 0; j < shape_.outputs(); ++j) {
                derive(w, j, equations_.next());
                equations_.add(out[j] - R(examples_.y[e * shape_.outputs() + j]));
            }
        }
        equations_.flush();
    }
    const R* gradient() const { return equations_.gradient(); }

    // Train for so many iterations. damping and f: of these weights, in and out.
    void train(const MarquardtTraining& settings, long iterations, R* w, R& damping, R& f) {
        const std::size_t size = step_.size();
        bool moved = true;
        for (long k = 0; k < iterations && any(damping < R(settings.most)); ++k) {
            if (moved) linearise(w);
            equations_.solve(damping, step_.data());
            for (std::size_t i = 0; i < size; ++i) tried_[i] = w[i] + step_[i];
            const R ahead = value(tried_.data());
            const auto lower = (ahead < f) & (damping < R(settings.most));
            for (std::size_t i = 0; i < size; ++i) w[i] = select(lower, tried_[i], w[i]);
            f = select(lower, ahead, f);
            const R next = damping * select(lower, R(settings.easier), R(settings.harder));
            damping = select(next < R(settings.least), R(settings.least),
                             select(next > R(settings.most), R(settings.most), next));
            moved = any(lower);
        }
    }

  private:
    const R* run(const R* w, long e) {
        for (int i = 0; i < shape_.inputs(); ++i)
            work_.activations[std::size_t(i)] = R(examples_.x[e * shape_.inputs() + i]);
        return forward_pass(shape_, w, work_.activations.data());
    }

    // The derivatives of one output with respect to every weight.
    void derive(const R* w, int chosen, R* row) {
        R* activation = work_.activations.data() + shape_.units() - shape_.outputs();
        R* d = work_.deltas.data() + shape_.units() - shape_.outputs();
        for (int j = 0; j < shape_.outputs(); ++j) d[j] = R(0.0);
        d[chosen] = shape_.linear ? R(1.0) : tanh_derivative(activation[chosen]);
        long first = shape_.weights();
        for (int l = shape_.steps() - 1; l >= 0; --l) {
            const int n = shape_.layers[std::size_t(l)], m = shape_.layers[std::size_t(l) + 1];
            first -= long(n + 1) * m;
            activation -= n;
            R* d_below = d - n;
            const R* weight = w + first;
            R* out = row + first;
            for (int i = 0; i < n; ++i) d_below[i] = R(0.0);
            for (int j = 0; j < m; ++j, weight += n + 1, out += n + 1) {
                for (int i = 0; i < n; ++i) {
                    d_below[i] = madd(d[j], weight[i], d_below[i]);
                    out[i] = d[j] * activation[i];
                }
                out[n] = d[j];
            }
            for (int i = 0; i < n; ++i) d_below[i] = d_below[i] * tanh_derivative(activation[i]);
            d = d_below;
        }
    }

    const PerceptronShape& shape_;
    Examples examples_;
    PerceptronWork<R> work_;
    NormalEquations<R> equations_;
    std::vector<R> step_, tried_;
};

// Train `starts` networks, rows of weights; damping and values have a number for each.
inline void marquardt_train(const PerceptronShape& shape, const MarquardtTraining& settings, const Examples& examples,
                            long starts, long iterations, double* weights, double* damping, double* values) {
    constexpr int W = LIMBIK_WIDTH;
    const long size = shape.weights();
    MarquardtTrainer<Wide> trainer(shape, examples);
    std::vector<Wide> w(static_cast<std::size_t>(size));
    for (long start = 0; start < starts; start += W) {
        const int lanes = int(std::min<long>(W, starts - start));
        load_rows(weights + start * size, int(size), lanes, w.data());
        Wide m, f = trainer.value(w.data());
        load_rows(damping + start, 1, lanes, &m);
        trainer.train(settings, iterations, w.data(), m, f);
        store_rows(w.data(), int(size), lanes, weights + start * size, size);
        store_rows(&m, 1, lanes, damping + start, 1);
        store_rows(&f, 1, lanes, values + start, 1);
    }
}

}  // namespace limbik::neural
