// Candidates without a precomputed table: those of the seed table (seed_table.hpp), and random ones.
#pragma once

#include "../iterative/seed_table.hpp"
#include "posture_table.hpp"

namespace limbik::table {

class SeedCandidates final : public Candidates {
  public:
    SeedCandidates(const Reduction& reduction, const LazySeedTable& seeds, std::vector<double> low,
                   std::vector<double> high)
        : reduction_(reduction), seeds_(seeds), low_(std::move(low)), high_(std::move(high)) {}

    int n() const override { return reduction_.n(); }
    int most() const override { return (SeedTable::STORED + RANDOM) * reduction_.branches(); }
    bool in_pairs() const override { return reduction_.tail() == Tail::wrist; }

    int find(const Pose<double>& target, double* q) const override {
        const SeedTable& table = seeds_.get();
        const Reduced at = reduction_.reduced(target);
        double numbers[4], side;
        table.describe(at.pose, numbers, side);
        const int cell = table.cell(numbers), first = reduction_.first();
        const auto start = [&](long k, int joint) {
            const int j = first + joint;
            if (k < SeedTable::STORED) {
                const long place =
                    long(table.neighbour(cell, int(k) / SeedTable::SEEDS)) * SeedTable::SEEDS + k % SeedTable::SEEDS;
                return double(table.posture(place, j));
            }
            const std::size_t i = std::size_t(j);
            return low_[i] + (high_[i] - low_[i]) * counter_random(std::uint64_t(j) + STREAM, std::uint64_t(k));
        };
        return completed(reduction_, at, SeedTable::STORED + RANDOM, start, q);
    }

  private:
    static constexpr int RANDOM = 184;  // 256 together with the stored ones
    static constexpr std::uint64_t STREAM = 1 << 16;
    const Reduction& reduction_;
    const LazySeedTable& seeds_;
    std::vector<double> low_, high_;
};

}  // namespace limbik::table
