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
        const int n = shape_.n();
        for (int i = 0; i < n; ++i) {
            const std::size_t at = std::size_t(i), row = at * std::size_t(n);
            right_[at] = fixed[at] ? 0.0 : -g[at];
            for (int j = shape_.first(i); j < i; ++j) {
                const std::size_t k = std::size_t(j);
                const double h = H[row + k];
                factor_[row + k] = fixed[at] || fixed[k] ? 0.0 : h;
            }
            factor_[row + at] = fixed[at] ? 1.0 : H[row + at];
        }
        for (int i = 0; i < n; ++i) {  // what the fixed ones do to the free ones
            const std::size_t at = std::size_t(i), row = at * std::size_t(n);
            for (int j = shape_.first(i); j < i; ++j) {
                const std::size_t k = std::size_t(j);
                if (fixed[at] && !fixed[k]) right_[k] -= H[row + k] * x[at];
                if (!fixed[at] && fixed[k]) right_[at] -= H[row + k] * x[k];
            }
        }
        if (!shape_.factor(factor_.data())) return false;
        shape_.solve(factor_.data(), right_.data());
        return true;
    }

    const Skyline& shape_;

  public:
    std::vector<double> H, g, x, low, high;
    std::vector<char> fixed;

  private:
    std::vector<double> factor_, right_;
};

}  // namespace limbik
