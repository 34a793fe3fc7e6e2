// A convex quadratic program with bounds: minimise x' H x / 2 + g' x with low <= x <= high.
//
// Block principal pivoting (Judice and Pires 1994). Every variable is free or held at a bound. The free ones are solved
// for; those that violate a bound are held there, those held whose gradient points inside are freed, and the system is
// solved again. After PATIENCE rounds without progress only the last violator changes, which cannot cycle. The solution
// is exact; when rounds run out, x is clamped to the bounds.
#pragma once

#include "skyline.hpp"

namespace limbik::linalg {

enum class Held : char { free, low, high, frozen };

class BoundedStep {
  public:
    explicit BoundedStep(const Skyline& shape)
        : shape_(shape), H(std::size_t(shape.n() * shape.n())), g(std::size_t(shape.n())), x(g), low(g), high(g),
          held(g.size()), factor_(H.size()), right_(g) {}

    const Skyline& shape() const { return shape_; }

    void clear() {
        std::fill(H.begin(), H.end(), 0.0);
        std::fill(g.begin(), g.end(), 0.0);
    }

    // `held` is the first active set; frozen variables keep their x. False where the quadratic has no minimum.
    bool solve(int rounds) {
        std::size_t fewest = held.size() + 1;
        int patience = PATIENCE;
        for (int round = 0; round < rounds; ++round) {
            if (!solve_free()) return false;
            const std::size_t wrong = violators();
            if (wrong == 0) break;
            const bool all = wrong < fewest || patience > 0;
            if (wrong < fewest) fewest = wrong, patience = PATIENCE;
            else --patience;
            pivot(all);
        }
        for (std::size_t i = 0; i < x.size(); ++i)
            if (held[i] != Held::frozen) x[i] = std::clamp(x[i], low[i], high[i]);
        return true;
    }

  private:
    // Rounds without progress before violators change one by one.
    static constexpr int PATIENCE = 3;

    bool solve_free() {
        const std::size_t n = x.size();
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t from = std::size_t(shape_.first(int(i)));
            std::copy(H.begin() + long(i * n + from), H.begin() + long(i * n + i + 1),
                      factor_.begin() + long(i * n + from));
            right_[i] = -g[i];
            if (held[i] == Held::low) x[i] = low[i];
            if (held[i] == Held::high) x[i] = high[i];
        }
        for (std::size_t i = 0; i < n; ++i)
            if (held[i] != Held::free) eliminate(i);
        if (!shape_.factor(factor_.data())) return false;
        shape_.solve(factor_.data(), right_.data());
        for (std::size_t i = 0; i < n; ++i)
            if (held[i] == Held::free) x[i] = right_[i];
        return true;
    }

    // Eliminate a held variable: its products move to the right side.
    void eliminate(std::size_t i) {
        const std::size_t n = x.size();
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

    // The gradient of the quadratic along variable i.
    double gradient(std::size_t i) const {
        const std::size_t n = x.size();
        double sum = g[i];
        for (std::size_t j = std::size_t(shape_.first(int(i))); j <= i; ++j) sum += H[i * n + j] * x[j];
        for (std::size_t k = i + 1; k < n; ++k)
            if (std::size_t(shape_.first(int(k))) <= i) sum += H[k * n + i] * x[k];
        return sum;
    }

    // The state that variable i should have.
    Held better(std::size_t i) const {
        switch (held[i]) {
            case Held::free: return x[i] < low[i] ? Held::low : x[i] > high[i] ? Held::high : Held::free;
            case Held::low: return high[i] > low[i] && gradient(i) < 0.0 ? Held::free : Held::low;
            case Held::high: return high[i] > low[i] && gradient(i) > 0.0 ? Held::free : Held::high;
            default: return held[i];
        }
    }

    std::size_t violators() {
        wanted_.resize(held.size());
        std::size_t count = 0;
        for (std::size_t i = 0; i < held.size(); ++i) count += (wanted_[i] = better(i)) != held[i];
        return count;
    }

    void pivot(bool all) {
        if (all) {
            held = wanted_;
            return;
        }
        for (std::size_t i = held.size(); i-- > 0;)
            if (wanted_[i] != held[i]) {
                held[i] = wanted_[i];
                return;
            }
    }

    const Skyline& shape_;

  public:
    std::vector<double> H, g, x, low, high;
    std::vector<Held> held;

  private:
    std::vector<double> factor_, right_;
    std::vector<Held> wanted_;
};

}  // namespace limbik::linalg
