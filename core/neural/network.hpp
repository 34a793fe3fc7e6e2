// The forward pass of a feed-forward network, with neurons in the lanes, so that a single row is as fast as a batch.
//
// The activation is x / sqrt(1 + x^2), a symmetric sigmoid without an exponential: correctly rounded operations only.
// The last layer is linear.
#pragma once

#include <algorithm>
#include <vector>

#include "../simd/rows.hpp"

namespace limbik::neural {

template <class R> LIMBIK_INLINE R sigmoid(R x) { return x / square_root(madd(x, x, R(1.0))); }

class Network {
  public:
    // Registers that are summed in parallel, so that additions do not wait for each other; rows of weights are padded
    // to a multiple.
    static constexpr int STRIP = 8, BLOCK = STRIP * width<Wide>;

    // weights: in x out, row-major.
    void add_layer(int in, int out, const double* weights, const double* bias) {
        Layer layer{in, out, (out + BLOCK - 1) / BLOCK * BLOCK, {}, {}};
        layer.bias.assign(std::size_t(layer.padded), 0.0);
        layer.weights.assign(std::size_t(in * layer.padded), 0.0);
        std::copy_n(bias, out, layer.bias.begin());
        for (int i = 0; i < in; ++i) std::copy_n(weights + i * out, out, layer.weights.begin() + i * layer.padded);
        widest_ = std::max(widest_, layer.padded);
        layers_.push_back(std::move(layer));
    }
    int layers() const { return int(layers_.size()); }
    int inputs() const { return layers_.front().in; }
    int outputs() const { return layers_.back().out; }
    // The numbers of working memory that a call needs.
    std::size_t work_size() const { return std::size_t(2 * widest_); }

    // y: outputs() numbers; work: work_size() numbers.
    void evaluate(const double* x, double* y, double* work) const {
        const double* from = x;
        double *to = work, *other = work + widest_;
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            apply(layers_[k], from, k + 1 < layers_.size(), to);
            from = to;
            std::swap(to, other);
        }
        std::copy_n(from, outputs(), y);
    }

  private:
    struct Layer {
        int in, out, padded;
        std::vector<double> weights, bias;
    };

    static void apply(const Layer& layer, const double* x, bool activate, double* y) {
        constexpr int W = width<Wide>;
        for (int j = 0; j < layer.padded; j += BLOCK) {
            Wide sum[STRIP];
            for (int b = 0; b < STRIP; ++b) sum[b] = load_lanes<W>(layer.bias.data() + j + b * W);
            const double* w = layer.weights.data() + j;
            for (int i = 0; i < layer.in; ++i, w += layer.padded)
                for (int b = 0; b < STRIP; ++b) sum[b] = madd(load_lanes<W>(w + b * W), Wide(x[i]), sum[b]);
            for (int b = 0; b < STRIP; ++b) store_lanes<W>(activate ? sigmoid(sum[b]) : sum[b], y + j + b * W);
        }
    }

    std::vector<Layer> layers_;
    int widest_ = 0;
};

}  // namespace limbik::neural
