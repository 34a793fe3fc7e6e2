// A batch shared out between threads that end with the call, and that Ctrl-C ends.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "../base/deadline.hpp"
#include "arrays.hpp"
#include "released.hpp"

namespace limbik::bindings {

// Rows of a batch that a thread takes at a time, and from how many on a batch is shared out.
constexpr long ROWS_AT_A_TIME = 512, ROWS_TO_SHARE = 1024;
// How often a waiting batch looks whether the user has interrupted it [ms].
constexpr int LOOK_FOR_SIGNALS = 20;
// How often it looks whether the time given to it is over [ms].
constexpr int LOOK_AT_CLOCK = 1;

// Share the rows out between threads that end with the call, and look for Ctrl-C and at the clock meanwhile. Once the
// time is over, what is left of the rows passes quickly; after Ctrl-C, or when the interpreter ends, it is left alone.
template <class Work> void share_rows(long rows, int threads, const Deadline& deadline, const Work& work) {
    std::atomic<bool> stop{false}, abandoned{false};
    if (rows < ROWS_TO_SHARE && threads <= 1 && !deadline.timed()) {
        const Released release;
        return work(0L, rows, ends_it ? stop : interpreter_ends);
    }
    long count = threads > 0 ? threads : long(std::max(1u, std::thread::hardware_concurrency()));
    count = std::clamp<long>(count, 1, std::max<long>(1, (rows + ROWS_AT_A_TIME - 1) / ROWS_AT_A_TIME));
    std::atomic<long> next{0};
    std::atomic<long> ended{0};
    std::mutex mutex;
    std::condition_variable done;
    std::exception_ptr failure;
    const bool last_thread = ends_it;
    auto take = [&] {
        const AtWork counted;
        ends_it = last_thread;
        try {
            for (long begin; !abandoned.load() && !called_off() && (begin = next.fetch_add(ROWS_AT_A_TIME)) < rows;)
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
        std::vector<std::jthread> team;
        for (long k = 0; k < count; ++k) team.emplace_back(take);
        while (true) {
            bool over;
            {
                const Released release;
                std::unique_lock lock(mutex);
                const auto look =
                    std::chrono::milliseconds(deadline.timed() && !stop ? LOOK_AT_CLOCK : LOOK_FOR_SIGNALS);
                over = done.wait_for(lock, look, [&] { return ended == count; });
                if (called_off()) stop = abandoned = true;
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
        team.clear();
    }
    if (interrupted) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace limbik::bindings
