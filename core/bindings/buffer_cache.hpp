// Where the pages of a large result wait for the next one. A batch of postures writes tens of megabytes, and clearing
// fresh pages for them costs a sixth of what finding the postures does: pages that were used before need none.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace limbik::bindings {

// Keeps one block. The system is told that it may take the pages back whenever it is short of memory.
class Shelf {
  public:
    // Blocks smaller than this are made quickly by the allocator; larger ones than MOST are not kept [bytes].
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

    // A block of another size with what the old one held.
    static void* resized(void* block, std::size_t size) { return std::realloc(block, whole_pages(size)); }

  private:
    static constexpr std::size_t PAGE = std::size_t(2) << 20;
    static std::size_t whole_pages(std::size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

    std::mutex mutex_;
    void* block_ = nullptr;
    std::size_t size_ = 0;
};

// One for the module; it outlives every array.
inline Shelf& shelf() {
    static Shelf* const one = new Shelf;
    return *one;
}

}  // namespace limbik::bindings
