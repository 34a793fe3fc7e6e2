// Divide rows between threads that end with the call.
#pragma once

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "../layers.hpp"

namespace limbik::base {

// Rows worth a thread of their own: starting one costs about as much as computing these.
inline constexpr long ROWS_PER_THREAD = 4096;

// Call work(begin, end) on pieces that cover 0..rows; each begins at a multiple of `grain`.
// threads <= 0: as many as rows / ROWS_PER_THREAD and the cores allow; at most 256. An exception of a piece is rethrown
// once all pieces have ended.
template <class Work> inline void parallel_rows(long rows, long grain, int threads, const Work& work) {
    long count = threads > 0 ? threads : long(std::max(1u, std::thread::hardware_concurrency()));
    count = std::clamp<long>(
        threads > 0 ? std::min(count, (rows + grain - 1) / grain) : std::min(count, rows / ROWS_PER_THREAD), 1, 256);
    if (count == 1) return work(0L, rows);
    const long blocks = (rows + grain - 1) / grain;
    auto edge = [&](long k) { return std::min(rows, blocks * k / count * grain); };
    std::vector<std::exception_ptr> failures(std::size_t(count), nullptr);
    auto piece = [&](long k) {
        try {
            work(edge(k), edge(k + 1));
        } catch (...) {
            failures[std::size_t(k)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> workers;
        workers.reserve(std::size_t(count - 1));
        for (long k = 1; k < count; ++k) workers.emplace_back(piece, k);
        piece(0);
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace limbik::base
