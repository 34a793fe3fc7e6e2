// Starts of attempts proposed for a target, best first. A table or a network proposes them; an iterative solver refines
// them.
#pragma once

#include <numeric>
#include <vector>

#include "solver.hpp"

namespace limbik::iterative {

class Starts {
  public:
    virtual ~Starts() = default;
    // The method's name in answers that were found from these starts or after them.
    virtual const char* method() const = 0;
    // Numbers of a configuration, and the most configurations of one target.
    virtual int n() const = 0;
    virtual int most() const = 0;
    // The proposed configurations, n numbers each, normalised to the limits and the seed; returns how many.
    virtual int propose(const Pose<double>& target, const double* seed, double* q) const = 0;
    // The number of ordinary attempts to leave out after these starts have failed.
    virtual int instead() const { return 0; }
    // Which rows (targets of 16 numbers) have a seed that is closer to a solution than the proposals: an attempt from
    // the seed then comes first.
    virtual void good_seeds(const double*, const double*, long, long count, char* good) const {
        std::fill_n(good, count, char(0));
    }
};

// ---- attempts from given starts ------------------------------------------------------------------------------------

// Attempts from a good seed, then from the proposed starts in turn until one succeeds: for one target, or for the rows
// of a batch side by side, with the same answers.
class FromStarts {
  public:
    FromStarts(const Solver& solver, const Kinematics& k, int frame, const Limits& limits, const Tolerances& tolerances)
        : solver_(solver), k_(k), frame_(frame), normaliser_(k.mechanism, limits), tolerances_(tolerances) {}

    // One target: the first attempt by itself, the others side by side. `over()` is checked before each but the first.
    template <class Over> Outcome solve(const Starts& starts, const Pose<double>& target, const double* seed,
                                        const Over& over, double* q_out) const {
        const int n = solver_.n(), most = starts.most();
        double rows[16];
        store_pose(target, 1, rows, 16);
        char good;
        starts.good_seeds(rows, seed, 0, 1, &good);
        Outcome total;
        if (good) {
            const Outcome out = solver_.solve(target, seed, 0, 1, q_out);
            if (out.status == Status::solved) return out;
            total.steps = out.steps;
            if (late(over, total)) return total;
        }
        std::vector<double> q(std::size_t(2 * most * n)), targets;
        std::vector<long> all;
        const int count = starts.propose(target, seed, q.data()), aside = solver_.side_by_side();
        double* found = q.data() + most * n;
        std::vector<Outcome> ends(std::size_t(std::max(aside, 1)));
        const std::atomic<bool> stop{false};
        for (int first = 0, size; first < count; first += size) {
            if (first > 0 && late(over, total)) break;
            size = first == 0 ? 1 : std::min(aside, count - first);
            if (size == 1) {
                ends[0] = solver_.solve(target, q.data() + first * n, 0, 1, found);
            } else {
                targets.clear();
                for (int k = 0; k < size; ++k) targets.insert(targets.end(), rows, rows + 16);
                std::fill_n(ends.begin(), size, Outcome{});
                all.resize(std::size_t(size));
                std::iota(all.begin(), all.end(), 0L);
                solver_.solve_rows({targets.data(), q.data() + first * n, n, found, ends.data()}, all, 1, stop);
            }
            for (int k = 0; k < size; ++k) {
                if (!take(target, seed, found + k * n, ends[std::size_t(k)], first + k, total)) continue;
                std::copy_n(found + k * n, n, q_out);
                return total;
            }
        }
        return total;
    }

    // The `open` rows of a batch between begin and end; those that stay unsolved remain in the list.
    void solve_rows(const Starts& starts, const Rows& rows, long begin, long end, std::vector<long>& open,
                    const std::atomic<bool>& stop) const {
        const int n = solver_.n(), most = starts.most();
        std::vector<char> good(std::size_t(end - begin));
        starts.good_seeds(rows.targets + begin * 16, rows.seed(begin), rows.seed_stride, end - begin, good.data());
        std::vector<long> promising;
        for (const long row : open)
            if (good[std::size_t(row - begin)]) promising.push_back(row);
        solver_.solve_rows(rows, promising, 1, stop);
        auto is_solved = [&](long row) { return rows.outcomes[row].status == Status::solved; };
        std::erase_if(open, is_solved);
        const std::vector<long>& others = open;
        std::vector<double> proposed(others.size() * std::size_t(most * n));
        std::vector<int> count(others.size());
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < others.size() && !stop.load(std::memory_order_relaxed); ++i) {
            count[i] = starts.propose(rows.target(others[i]), rows.seed(others[i]),
                                      proposed.data() + i * std::size_t(most * n));
            left.push_back(i);
        }
        Group group;
        for (int round = 0; round < most && !left.empty() && !stop.load(std::memory_order_relaxed); ++round) {
            std::erase_if(left, [&](std::size_t i) { return round >= count[i]; });
            group.clear();
            for (const std::size_t i : left)
                group.add(others[i], rows.targets + others[i] * 16,
                          proposed.data() + (i * std::size_t(most) + std::size_t(round)) * std::size_t(n), n);
            group.solve(solver_, stop);
            std::vector<std::size_t> next;
            for (std::size_t k = 0; k < left.size(); ++k) {
                const long row = group.rows[k];
                double* q = group.q(k, n);
                if (take(rows.target(row), rows.seed(row), q, group.ends[k], round, rows.outcomes[row]))
                    std::copy_n(q, n, rows.q + row * n);
                else next.push_back(left[k]);
            }
            left.swap(next);
        }
        std::erase_if(open, is_solved);
    }

  private:
    // Some rows of a batch with one start each, in contiguous memory.
    struct Group {
        std::vector<long> rows, all;
        std::vector<double> targets, seeds, found;
        std::vector<Outcome> ends;

        void clear() { rows.clear(), targets.clear(), seeds.clear(); }
        void add(long row, const double* target, const double* start, int n) {
            rows.push_back(row);
            targets.insert(targets.end(), target, target + 16), seeds.insert(seeds.end(), start, start + n);
        }
        void solve(const Solver& solver, const std::atomic<bool>& stop) {
            found.resize(seeds.size()), ends.assign(rows.size(), Outcome{});
            all.resize(rows.size());
            std::iota(all.begin(), all.end(), 0L);
            solver.solve_rows({targets.data(), seeds.data(), solver.n(), found.data(), ends.data()}, all, 1, stop);
        }
        double* q(std::size_t k, int n) { return found.data() + k * std::size_t(n); }
    };

    template <class Over> static bool late(const Over& over, Outcome& total) {
        total.timed_out = over();
        return total.timed_out;
    }

    // Normalise a solution found from a start to the seed. True where it is verified there.
    bool verified_at_seed(const Pose<double>& target, const double* seed, double* q, Outcome& out) const {
        double before[LONGEST_KEPT];
        const std::size_t n = std::size_t(solver_.n());
        const bool kept = n <= LONGEST_KEPT;
        if (kept) std::copy_n(q, n, before);
        normaliser_.normalise(q, seed);
        if (kept && std::equal(before, before + n, q)) return true;  // unchanged: the attempt has verified it
        out.errors = errors_at(k_, frame_, q, target);
        return out.errors.within(tolerances_);
    }

    // Add an attempt to the total of its target: true where it is the solution.
    bool take(const Pose<double>& target, const double* seed, double* q, Outcome& out, int number,
              Outcome& total) const {
        total.steps += out.steps, total.tried = number + 1;
        if (out.status != Status::solved || !verified_at_seed(target, seed, q, out)) return false;
        total.status = Status::solved;
        total.attempt = -1;  // not an ordinary attempt
        total.errors = out.errors;
        return true;
    }

    // Up to this many numbers a configuration is copied, to see whether normalising has changed it.
    static constexpr std::size_t LONGEST_KEPT = 16;

    const Solver& solver_;
    const Kinematics& k_;
    int frame_;
    Normaliser normaliser_;
    Tolerances tolerances_;
};

}  // namespace limbik::iterative
