// The step that lowers a quadratic the most inside bounds: x' H x / 2 + g' x with low <= x <= high.
//
// Every number is free, or held at one of its bounds. The free ones are solved for. Those that pass a bound are put
// there, and those at a bound that would rather leave it are let go; then it is solved again (block principal pivoting,
// Judice and Pires 1994). When a round mends nothing, only the last offender changes sides, which cannot go in circles.
// The answer is exact; when rounds run out, what is left is cut at the bounds.
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

    // `held` says where to begin; frozen numbers have their x already. False where the quadratic has no least value.
    bool solve(int rounds) {
        std::size_t fewest = held.size() + 1;
        int patience = PATIENCE;
        for (int round = 0; round < rounds; ++round) {
            if (!solve_free()) return false;
            const std::size_t wrong = offenders();
            if (wrong == 0) break;
            const bool all = wrong < fewest || patience > 0;
            if (wrong < fewest) fewest = wrong, patience = PATIENCE;
            else --patience;
            mend(all);
        }
        for (std::size_t i = 0; i < x.size(); ++i)
            if (held[i] != Held::frozen) x[i] = std::clamp(x[i], low[i], high[i]);
        return true;
    }

  private:
    // Rounds that mend nothing before offenders change sides one by one.
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
            if (held[i] != Held::free) take_out(i);
        if (!shape_.factor(factor_.data())) return false;
        shape_.solve(factor_.data(), right_.data());
        for (std::size_t i = 0; i < n; ++i)
            if (held[i] == Held::free) x[i] = right_[i];
        return true;
    }

    // A number that is held leaves the system: what it does to the others goes to the right side.
    void take_out(std::size_t i) {
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

    // The slope of the quadratic along number i.
    double slope(std::size_t i) const {
        const std::size_t n = x.size();
        double sum = g[i];
        for (std::size_t j = std::size_t(shape_.first(int(i))); j <= i; ++j) sum += H[i * n + j] * x[j];
        for (std::size_t k = i + 1; k < n; ++k)
            if (std::size_t(shape_.first(int(k))) <= i) sum += H[k * n + i] * x[k];
        return sum;
    }

    // Where number i belongs instead, or where it is.
    Held better(std::size_t i) const {
        switch (held[i]) {
            case Held::free: return x[i] < low[i] ? Held::low : x[i] > high[i] ? Held::high : Held::free;
            case Held::low: return high[i] > low[i] && slope(i) < 0.0 ? Held::free : Held::low;
            case Held::high: return high[i] > low[i] && slope(i) > 0.0 ? Held::free : Held::high;
            default: return held[i];
        }
    }

    std::size_t offenders() {
        wanted_.resize(held.size());
        std::size_t count = 0;
        for (std::size_t i = 0; i < held.size(); ++i) count += (wanted_[i] = better(i)) != held[i];
        return count;
    }

    void mend(bool all) {
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
