// A thing made when it is first asked for. Threads that ask at the same time may each make one, and all use the first
// that is ready: without a lock, a process forked meanwhile finds nothing half done.
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
    ~Lazy() { delete thing_.load(std::memory_order_acquire); }

    bool made() const { return thing_.load(std::memory_order_acquire) != nullptr; }

    // What `make` returns, asked once.
    template <class Make> const T& get(const Make& make) const {
        const T* thing = thing_.load(std::memory_order_acquire);
        return thing ? *thing : first(make);
    }

  private:
    // Apart, so that what asks stays small.
    template <class Make> [[gnu::cold, gnu::noinline]] const T& first(const Make& make) const {
        auto mine = std::make_unique<const T>(make());
        const T* other = nullptr;
        if (thing_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *mine.release();
        return *other;
    }

    mutable std::atomic<const T*> thing_{nullptr};
};

}  // namespace limbik::base
