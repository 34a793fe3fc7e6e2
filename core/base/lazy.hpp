// A value made on first use. Threads that need it at the same time may each make one, and all use the first that is
// ready. There is no lock, so a process that is forked meanwhile never sees a half-made value.
#pragma once

#include <atomic>
#include <memory>

#include "../layers.hpp"

namespace limbik::base {

template <class T> class Lazy {
  public:
    Lazy() = default;
    Lazy(const Lazy&) = delete;
    Lazy& operator=(const Lazy&) = delete;
    ~Lazy() { delete value_.load(std::memory_order_acquire); }

    bool made() const { return value_.load(std::memory_order_acquire) != nullptr; }

    // The value; on first use, what `make()` returns. If `make` throws, nothing is stored.
    template <class Make> const T& get(const Make& make) const {
        const T* value = value_.load(std::memory_order_acquire);
        return value ? *value : make_first(make);
    }

  private:
    // Not inlined, so that callers stay small.
    template <class Make> [[gnu::cold, gnu::noinline]] const T& make_first(const Make& make) const {
        auto mine = std::make_unique<const T>(make());
        const T* other = nullptr;  // becomes the value of a thread that was faster
        if (value_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *mine.release();
        return *other;
    }

    mutable std::atomic<const T*> value_{nullptr};
};

}  // namespace limbik::base
