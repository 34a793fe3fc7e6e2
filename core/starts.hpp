// Where attempts on a target should begin, best first: what a method that has learned the arm offers to one that ends exact.
#pragma once

#include <vector>

#include "settling.hpp"

namespace limbik {

class Starts {
  public:
    virtual ~Starts() = default;
    // Numbers in a posture, and the most postures for one target.
    virtual int n() const = 0;
    virtual int most() const = 0;
    // The postures to begin with, n numbers each, inside the limits and at whole turns near the seed; returns how many.
    virtual int propose(const Pose<double>& target, const double* seed, double* q) const = 0;
};

// ---- attempts from given starts --------------------------------------------------------------------------------------

// An answer found from a start, at the whole turns nearest the seed, and verified there.
inline bool ends_well(const Kinematics& k, int frame, const Settling& settling, const SolveOptions& options, const Pose<double>& target,
                      const double* seed, double* q, Outcome& out) {
    settling.settle(q, seed);
    double T[16];
    forward_one(k, frame, q, T, nullptr);
    Vector3<double> position, rotation;
    pose_error(load_pose<double>(T, 1), target, position, rotation);
    out.position_error = std::sqrt(dot(position, position)), out.rotation_error = std::sqrt(dot(rotation, rotation));
    return out.position_error <= options.position_tolerance && out.rotation_error <= options.rotation_tolerance;
}

// Rows first..last of a batch from the starts of each, the next start where the one before has failed: the same answers as one by
// one, the targets side by side. Rows whose status is not `not_found` are passed over.
class FromStarts {
  public:
    FromStarts(const Solver& solver, const Kinematics& k, int frame, const Limits& limits, const SolveOptions& options)
        : solver_(solver), k_(k), frame_(frame), settling_(k.mechanism, limits), options_(options) {}

    // One target. `over` says that the time is, before each start but the first.
    template <class Over>
    Outcome solve(const Starts& starts, const Pose<double>& target, const double* seed, const Over& over, double* q_out) const {
        const int n = solver_.n();
        std::vector<double> q(std::size_t(starts.most() * n + n));
        const int count = starts.propose(target, seed, q.data());
        double* found = q.data() + starts.most() * n;
        Outcome total;
        for (int k = 0; k < count; ++k) {
            if (k > 0 && over()) {
                total.timed_out = true;
                break;
            }
            Outcome out = solver_.solve(target, q.data() + k * n, 0, 1, found);
            if (take(target, seed, found, out, k, total)) {
                std::copy_n(found, n, q_out);
                break;
            }
        }
        return total;
    }

    void solve_rows(const Starts& starts, const double* targets, const double* seeds, long seed_stride, long begin, long end, double* q_out,
                    Outcome* outcomes, const std::atomic<bool>& stop) const {
        const int n = solver_.n(), most = starts.most();
        std::vector<long> rows;
        for (long row = begin; row < end; ++row)
            if (outcomes[row].status == Status::not_found) rows.push_back(row);
        std::vector<double> proposed(rows.size() * std::size_t(most * n));
        std::vector<int> count(rows.size());
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < rows.size() && !stop.load(std::memory_order_relaxed); ++i) {
            const Pose<double> target = load_pose<double>(targets + rows[i] * 16, 1);
            count[i] = starts.propose(target, seeds + rows[i] * seed_stride, proposed.data() + i * std::size_t(most * n));
            left.push_back(i);
        }
        std::vector<double> where, from, found;
        std::vector<Outcome> ends;
        for (int round = 0; round < most && !left.empty() && !stop.load(std::memory_order_relaxed); ++round) {
            std::erase_if(left, [&](std::size_t i) { return round >= count[i]; });
            const std::size_t size = left.size();
            where.resize(size * 16), from.resize(size * std::size_t(n)), found.resize(size * std::size_t(n));
            ends.assign(size, Outcome{});
            for (std::size_t k = 0; k < size; ++k) {
                std::copy_n(targets + rows[left[k]] * 16, 16, where.data() + k * 16);
                std::copy_n(proposed.data() + (left[k] * std::size_t(most) + std::size_t(round)) * std::size_t(n), n, from.data() + k * std::size_t(n));
            }
            solver_.solve_rows(where.data(), from.data(), n, 0, long(size), 1, found.data(), ends.data(), stop);
            std::vector<std::size_t> next;
            for (std::size_t k = 0; k < size; ++k) {
                const long row = rows[left[k]];
                double* q = found.data() + k * std::size_t(n);
                if (take(load_pose<double>(where.data() + k * 16, 1), seeds + row * seed_stride, q, ends[k], round, outcomes[row]))
                    std::copy_n(q, n, q_out + row * n);
                else
                    next.push_back(left[k]);
            }
            left.swap(next);
        }
    }

  private:
    // Add an attempt to what is known about its target: true when it has answered.
    bool take(const Pose<double>& target, const double* seed, double* q, Outcome& out, int number, Outcome& total) const {
        total.steps += out.steps, total.tried = number + 1;
        if (out.status != Status::solved || !ends_well(k_, frame_, settling_, options_, target, seed, q, out)) return false;
        total.status = Status::solved;
        total.attempt = -1;  // none of the ordinary ones
        total.position_error = out.position_error, total.rotation_error = out.rotation_error;
        return true;
    }

    const Solver& solver_;
    const Kinematics& k_;
    int frame_;
    Settling settling_;
    SolveOptions options_;
};

}  // namespace limbik
