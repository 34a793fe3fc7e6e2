// When to stop: at a flag or after a time. Checked between attempts, never inside one. Without a time no clock is read.
#pragma once

#include <atomic>
#include <chrono>

#include "../layers.hpp"

namespace limbik::base {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    // Longer times never end, so that no sum of times overflows [s].
    static constexpr double FOR_EVER = 1e9;

    Deadline() = default;  // none
    explicit Deadline(double seconds) : timed_(seconds < FOR_EVER) {
        if (timed_)
            end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
    explicit Deadline(const std::atomic<bool>& stop) : stop_(&stop) {}

    bool endless() const { return !timed_ && !stop_; }
    bool timed() const { return timed_; }
    bool over() const { return (stop_ && stop_->load(std::memory_order_relaxed)) || (timed_ && Clock::now() >= end_); }

  private:
    const std::atomic<bool>* stop_ = nullptr;
    bool timed_ = false;
    Clock::time_point end_{};
};

}  // namespace limbik::base
