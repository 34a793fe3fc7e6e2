// Random numbers that a seed reproduces.
#pragma once

#include "checks.hpp"

namespace limbik::test {

// Number k of a seed is a hash of both, so that a case depends on its seed alone and not on what ran before it.
class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_(mixed(seed + 1)) { current_seed = seed; }

    std::uint64_t bits() { return mixed(seed_ + 0x9e3779b97f4a7c15u * ++count_); }
    double uniform(double low, double high) { return low + (high - low) * (double(bits() >> 11) * 0x1p-53); }
    int integer(int low, int high) { return low + int(bits() % std::uint64_t(high - low + 1)); }  // both ends included
    bool chance(double p) { return uniform(0.0, 1.0) < p; }
    double sign() { return chance(0.5) ? 1.0 : -1.0; }
    // 10^low .. 10^high, evenly in the exponent.
    double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }

  private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
    std::uint64_t seed_, count_ = 0;
};

}  // namespace limbik::test
