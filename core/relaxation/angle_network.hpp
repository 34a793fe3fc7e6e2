// The mean of multiple computations (MMC) over the angles and distances of a planar arm (Cruse and Steinkühler 1993).
//
// The network is a table: every row computes one variable from others, with several rows for each variable. A cycle
// sets each variable to the mean of its rows, unless it is clamped. The caller makes the rows, from the triangles
// between the joints.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../geometry/angles.hpp"

namespace limbik::relaxation {

enum class Rule {
    linear,        // constant + sum of sign * variable: sums and differences of angles, pi minus two of them
    cosine_angle,  // the angle between sides a and b of a triangle whose third side is c
    cosine_side,   // the side opposite to the angle between sides a and b
};

struct Computation {
    Rule rule;
    int target;
    double constant;
    int terms;
    int index[4];
    double sign[4];
    int instead;  // the row used where a denominator is too small, -1 for none
};

enum class Mean { arithmetic, median, trimmed, circular };

struct NetworkSettings {
    bool parallel = false;  // all variables from the previous state (Jacobi), or one after the other (Gauss-Seidel)
    Mean mean = Mean::arithmetic;
    bool nearest = false;     // an arc cosine may be negative: take the sign closest to the present value
    double least_side = 0.1;  // the least denominator [m]
    double damping = 0.0;     // the share of a variable's own value in the new one; below 0: over-relaxation
    double noise = 0.0;       // the standard deviation added to noisy rows
    std::uint64_t seed = 0;
};

// A standard normal number from a counter: a function of (seed, count) alone.
inline double normal_number(std::uint64_t seed, std::uint64_t count) {
    auto mixed = [](std::uint64_t z) {
        z += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    };
    const std::uint64_t first = mixed(mixed(seed) ^ count), second = mixed(first);
    const double u = (double(first >> 11) + 0.5) * 0x1p-53, v = double(second >> 11) * 0x1p-53;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(TURN * v);
}

class AngleNetwork {
  public:
    // `angular`: which variables are angles. `lengths` follow the variables in every state.
    AngleNetwork(std::vector<Computation> rows, std::vector<bool> angular, std::vector<double> lengths)
        : rows_(std::move(rows)), angular_(std::move(angular)), lengths_(std::move(lengths)) {
        for (std::size_t k = 0; k < rows_.size();) {
            const std::size_t first = k;
            while (k < rows_.size() && rows_[k].target == rows_[first].target) ++k;
            blocks_.push_back({rows_[first].target, first, k});
        }
    }

    int variables() const { return int(angular_.size()); }
    int rows() const { return int(rows_.size()); }
    const std::vector<double>& lengths() const { return lengths_; }

    // One cycle. state: the variables, then the lengths. clamped, value: which variables are inputs, and their values;
    // low, high: the bounds of each variable. removed, noisy: one mark for each row, or null. Returns the largest
    // change.
    double cycle(double* state, const bool* clamped, const double* value, const double* low, const double* high,
                 const unsigned char* removed, const unsigned char* noisy, const NetworkSettings& s,
                 std::uint64_t count, std::vector<double>& found, std::vector<double>& before) const {
        const std::size_t m = angular_.size();
        before.assign(state, state + m + lengths_.size());
        for (std::size_t v = 0; v < m; ++v)
            if (clamped[v]) state[v] = value[v];
        if (s.parallel)
            for (std::size_t v = 0; v < m; ++v)
                if (clamped[v]) before[v] = value[v];
        const double* from = s.parallel ? before.data() : state;
        double changed = 0.0;
        for (const Block& block : blocks_) {
            const int v = block.target;
            if (clamped[v]) continue;
            const double now = from[v];
            found.clear();
            for (std::size_t k = block.first; k < block.last; ++k) {
                if (removed && removed[k]) continue;
                double x;
                if (!computed(k, from, now, s, removed, x)) continue;
                if (noisy && noisy[k] && s.noise > 0.0) x += s.noise * normal_number(s.seed, count * rows_.size() + k);
                if (angular_[std::size_t(v)]) x = nearest_copy(x, now);
                found.push_back(x);
            }
            if (found.empty()) continue;
            double next = mean(found, s.mean, now);
            next += s.damping * (now - next);
            next = std::min(std::max(next, low[v]), high[v]);
            if (!angular_[std::size_t(v)]) next = std::max(next, 0.0);
            changed = std::max(changed, std::fabs(next - now));
            state[v] = next;
        }
        for (std::size_t v = 0; v < m; ++v) changed = std::max(changed, std::fabs(state[v] - before[v]));
        return changed;
    }

    // The largest difference between a row's value and its variable, clamped variables included.
    double disagreement(const double* state, const unsigned char* removed, const NetworkSettings& s) const {
        double worst = 0.0;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            if (removed && removed[k]) continue;
            const int v = rows_[k].target;
            double x;
            if (!computed(k, state, state[v], s, removed, x)) continue;
            double gap = x - state[v];
            if (angular_[std::size_t(v)]) gap = quick_wrap(gap);
            worst = std::max(worst, std::fabs(gap));
        }
        return worst;
    }

  private:
    struct Block {
        int target;
        std::size_t first, last;
    };

    // The value of a row; false where a denominator is too small and no other row replaces it.
    bool computed(std::size_t k, const double* from, double now, const NetworkSettings& s, const unsigned char* removed,
                  double& x) const {
        const Computation& row = rows_[k];
        if (row.rule == Rule::linear) {
            x = row.constant;
            for (int i = 0; i < row.terms; ++i) x += row.sign[i] * from[row.index[i]];
            return true;
        }
        const double a = from[row.index[0]], b = from[row.index[1]], c = from[row.index[2]];
        if (row.rule == Rule::cosine_side) {
            const double square = a * a + b * b - 2.0 * a * b * std::cos(c);
            x = std::sqrt(std::max(square, 0.0));
            return true;
        }
        if (a < s.least_side || b < s.least_side) {
            if (row.instead < 0 || (removed && removed[row.instead])) return false;
            return computed(std::size_t(row.instead), from, now, s, removed, x);
        }
        x = std::acos(std::min(std::max((a * a + b * b - c * c) / (2.0 * a * b), -1.0), 1.0));
        if (s.nearest) {
            auto gap = [&](double y) { return std::fabs(wrap(y - now)); };
            if (gap(-x) < gap(x)) x = -x;
        }
        return true;
    }

    static double mean(std::vector<double>& x, Mean kind, double now) {
        const std::size_t n = x.size();
        if (kind == Mean::circular) {
            double sine = 0.0, cosine = 0.0;
            for (const double y : x) sine += std::sin(y - now), cosine += std::cos(y - now);
            return now + std::atan2(sine, cosine);
        }
        std::size_t first = 0, last = n;
        if (kind == Mean::median || (kind == Mean::trimmed && n > 2)) {
            std::sort(x.begin(), x.end());
            if (kind == Mean::median) first = (n - 1) / 2, last = n / 2 + 1;
            else ++first, --last;
        }
        double sum = 0.0;
        for (std::size_t i = first; i < last; ++i) sum += x[i];
        return sum / double(last - first);
    }

    std::vector<Computation> rows_;
    std::vector<bool> angular_;
    std::vector<double> lengths_;
    std::vector<Block> blocks_;
};

}  // namespace limbik::relaxation
