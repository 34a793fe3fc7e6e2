// The step that lowers a quadratic the most inside bounds: x' H x / 2 + g' x with low <= x <= high.
//
// The free numbers are solved for; those that pass a bound end at it and the others are solved again, reckoning with that. It
// is the whole story when no number has to be let go again; when passes run out, what is left is cut at the bounds.
#pragma once

#include "skyline.hpp"

namespace limbik {

class BoundedStep {
  public:
    explicit BoundedStep(const Skyline& shape)
        : shape_(shape), H(std::size_t(shape.n() * shape.n())), g(std::size_t(shape.n())), x(g), low(g), high(g),
          fixed(g.size()), factor_(H.size()), right_(g) {}

    const Skyline& shape() const { return shape_; }

    void clear() {
        std::fill(H.begin(), H.end(), 0.0);
        std::fill(g.begin(), g.end(), 0.0);
    }

    // `fixed` numbers have their x already. False where the quadratic has no least value.
    bool solve(int passes) {
        const int n = shape_.n();
        for (int pass = 0; pass < passes; ++pass) {
            if (!solve_free()) return false;
            bool over = false;
            for (int i = 0; i < n; ++i) {
                const std::size_t at = std::size_t(i);
                if (fixed[at]) continue;
                x[at] = right_[at];
                if (x[at] >= low[at] && x[at] <= high[at]) continue;
                x[at] = std::clamp(x[at], low[at], high[at]);
                fixed[at] = over = true;
            }
            if (!over) break;
        }
        return true;
    }

  private:
    bool solve_free() {
        const std::size_t n = std::size_t(shape_.n());
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t from = std::size_t(shape_.first(int(i)));
            std::copy(H.begin() + long(i * n + from), H.begin() + long(i * n + i + 1), factor_.begin() + long(i * n + from));
            right_[i] = -g[i];
        }
        for (std::size_t i = 0; i < n; ++i)
            if (fixed[i]) take_out(i);
        if (!shape_.factor(factor_.data())) return false;
        shape_.solve(factor_.data(), right_.data());
        return true;
    }

    // A fixed number leaves the system: what it does to the others goes to the right side.
    void take_out(std::size_t i) {
        const std::size_t n = std::size_t(shape_.n());
        for (std::size_t j = std::size_t(shape_.first(int(i))); j < i; ++j) {
            right_[j] -= H[i * n + j] * x[i];
            factor_[i * n + j] = 0.0;
        }
        for (std::size_t k = i + 1; k < n; ++k)
            if (std::size_t(shape_.first(int(k))) <= i) {
                right_[k] -= H[k * n + i] * x[i];
                factor_[k * n + i] = 0.0;
            }
        factor_[i * n + i] = 1.0;
    }

    const Skyline& shape_;

  public:
    std::vector<double> H, g, x, low, high;
    std::vector<char> fixed;

  private:
    std::vector<double> factor_, right_;
};

}  // namespace limbik
