// A cache for the memory of large results. A batch of configurations writes tens of megabytes, and clearing fresh pages
// costs a sixth of the time of the solution; pages that were used before need no clearing.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace limbik::bindings {

// A cache of one block. The system may reclaim its pages when memory is short.
class BufferCache {
  public:
    // Smaller blocks are fast in the allocator; larger ones than MOST are not kept [bytes].
    static constexpr std::size_t LEAST = std::size_t(4) << 20, MOST = std::size_t(64) << 20;

    void* take(std::size_t size) {
        {
            const std::lock_guard hold(mutex_);
            if (block_ && size <= size_ && size_ - size <= size_ / 4) return std::exchange(block_, nullptr);
        }
        void* made = std::aligned_alloc(PAGE, whole_pages(size));
#if defined(__linux__)
        if (made) madvise(made, whole_pages(size), MADV_HUGEPAGE);
#endif
        return made;
    }

    void give(void* block, std::size_t size) {
        if (!block) return;
        void* old = block;
        if (whole_pages(size) <= MOST) {
#if defined(MADV_FREE)
            madvise(block, whole_pages(size), MADV_FREE);
#endif
            const std::lock_guard hold(mutex_);
            old = std::exchange(block_, block);
            size_ = whole_pages(size);
        }
        std::free(old);
    }

    // A block of another size with the same contents.
    static void* resized(void* block, std::size_t size) { return std::realloc(block, whole_pages(size)); }

  private:
    static constexpr std::size_t PAGE = std::size_t(2) << 20;
    static std::size_t whole_pages(std::size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

    std::mutex mutex_;
    void* block_ = nullptr;
    std::size_t size_ = 0;
};

// The cache of the module; it outlives every array.
inline BufferCache& buffer_cache() {
    static BufferCache* const one = new BufferCache;
    return *one;
}

}  // namespace limbik::bindings
