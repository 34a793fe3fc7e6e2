// A batch shared between threads, which end with the call or at Ctrl-C.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "../base/deadline.hpp"
#include "arrays.hpp"
#include "released.hpp"

namespace limbik::bindings {

// How many rows a thread takes at a time, and from how many rows on a batch is shared.
constexpr long ROWS_AT_A_TIME = 512, ROWS_TO_SHARE = 1024;
// The interval of checks for signals [ms].
constexpr int SIGNAL_POLL = 20;
// The interval of checks of the deadline [ms].
constexpr int CLOCK_POLL = 1;

// Share rows between threads that end with the call, and check for signals and the deadline meanwhile. After the
// deadline `work` gets stop = true for the remaining rows; after Ctrl-C, or when the interpreter is finalized, they are
// skipped.
template <class Work> void share_rows(long rows, int threads, const Deadline& deadline, const Work& work) {
    std::atomic<bool> stop{false}, abandoned{false};
    if (rows < ROWS_TO_SHARE && threads <= 1 && !deadline.timed()) {
        const Released release;
        return work(0L, rows, is_finalizing_thread ? stop : interpreter_finalizing);
    }
    long count = threads > 0 ? threads : long(std::max(1u, std::thread::hardware_concurrency()));
    count = std::clamp<long>(count, 1, std::max<long>(1, (rows + ROWS_AT_A_TIME - 1) / ROWS_AT_A_TIME));
    std::atomic<long> next{0};
    std::atomic<long> ended{0};
    std::mutex mutex;
    std::condition_variable done;
    std::exception_ptr failure;
    const bool last_thread = is_finalizing_thread;
    auto run = [&] {
        const ActiveThread counted;
        is_finalizing_thread = last_thread;
        try {
            for (long begin; !abandoned.load() && !is_cancelled() && (begin = next.fetch_add(ROWS_AT_A_TIME)) < rows;)
                work(begin, std::min(rows, begin + ROWS_AT_A_TIME), stop);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            stop = abandoned = true;
        }
        const std::lock_guard lock(mutex);
        ++ended;
        done.notify_one();
    };
    bool interrupted = false;
    {
        std::vector<std::jthread> workers;
        for (long k = 0; k < count; ++k) workers.emplace_back(run);
        while (true) {
            bool over;
            {
                const Released release;
                std::unique_lock lock(mutex);
                const auto poll = std::chrono::milliseconds(deadline.timed() && !stop ? CLOCK_POLL : SIGNAL_POLL);
                over = done.wait_for(lock, poll, [&] { return ended == count; });
                if (is_cancelled()) stop = abandoned = true;
            }
            if (over) break;
            if (deadline.over()) stop = true;
            if (PyErr_CheckSignals() != 0) {
                stop = abandoned = true;
                interrupted = true;
                break;
            }
        }
        const Released release;
        workers.clear();
    }
    if (interrupted) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace limbik::bindings
