// Share rows between threads that end with the call.
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

namespace limbik {

// Rows worth a thread of their own: starting one costs about as much as computing these.
inline constexpr long ROWS_PER_THREAD = 4096;

// Call work(begin, end) on pieces that cover 0..rows; each begins at a multiple of `grain`. threads <= 0: as many as pay.
template <class Work> inline void parallel_rows(long rows, long grain, int threads, const Work& work) {
    long count = threads > 0 ? threads : long(std::max(1u, std::thread::hardware_concurrency()));
    count = std::clamp<long>(threads > 0 ? std::min(count, (rows + grain - 1) / grain)
                                         : std::min(count, rows / ROWS_PER_THREAD), 1, 256);
    if (count == 1) return work(0L, rows);
    const long blocks = (rows + grain - 1) / grain;
    auto edge = [&](long k) { return std::min(rows, blocks * k / count * grain); };
    std::vector<std::jthread> team;
    team.reserve(std::size_t(count - 1));
    for (long k = 1; k < count; ++k)
        team.emplace_back([&, k] { work(edge(k), edge(k + 1)); });
    work(0L, edge(1));
}

}  // namespace limbik
