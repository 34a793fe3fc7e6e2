// Long computations release the interpreter's lock, and are cancelled when the interpreter is finalized.
//
// CPython terminates a daemon thread that acquires the lock after finalization by unwinding its stack. That passes a
// C++ destructor, which ends the process with SIGABRT. So an exit hook cancels all threads, and from then on only the
// finalizing thread acquires the lock again: the others block until the process has ended. The hook waits shortly for
// their computations, so that none runs while the process is torn down.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace limbik::bindings {

namespace nb = nanobind;

// How long finalization waits for cancelled threads, and the interval of its polls [ms].
constexpr int EXIT_TIMEOUT = 1000, EXIT_POLL = 1;

// The number of threads that compute without the lock.
inline std::atomic<long> active_threads{0};
// Set when the interpreter is finalized.
inline std::atomic<bool> interpreter_finalizing{false};
inline thread_local bool is_finalizing_thread = false;

// Whether the result of this thread will not be used.
inline bool is_cancelled() { return interpreter_finalizing.load() && !is_finalizing_thread; }

[[noreturn]] inline void block_forever() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Counts a thread for which finalization waits.
class ActiveThread {
  public:
    ActiveThread() { ++active_threads; }
    ~ActiveThread() { --active_threads; }
    ActiveThread(const ActiveThread&) = delete;
    ActiveThread& operator=(const ActiveThread&) = delete;
};

// While it lives, other Python threads may run. In a cancelled thread it blocks instead of acquiring the lock.
class Released {
  public:
    Released() : state_(PyEval_SaveThread()) {
        ++active_threads;
        if (is_cancelled()) leave();
    }
    ~Released() {
        if (is_cancelled()) leave();
        PyEval_RestoreThread(state_);
        --active_threads;
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

  private:
    [[noreturn]] static void leave() {
        --active_threads;
        block_forever();
    }

    PyThreadState* state_;
};

inline void cancel_and_wait() {
    is_finalizing_thread = true;
    interpreter_finalizing = true;
    const Released release;  // for threads that already wait for the lock
    for (int waited = 0; active_threads > 1 && waited < EXIT_TIMEOUT; waited += EXIT_POLL)
        std::this_thread::sleep_for(std::chrono::milliseconds(EXIT_POLL));
}

// What CPython throws to terminate a thread during the conversion of arguments is not a C++ exception, and has no
// pointer. Catching it without rethrowing would end the process too: such a thread blocks here.
inline void block_terminated_thread(const std::exception_ptr& failure, void*) {
    if (!failure) block_forever();
    std::rethrow_exception(failure);
}

// Called once by the module. A forked process has none of the active threads.
inline void register_exit_hook() {
    nb::register_exception_translator(&block_terminated_thread);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&cancel_and_wait));
    const nb::module_ os = nb::module_::import_("os");
    if (nb::hasattr(os, "register_at_fork"))
        os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function([] { active_threads = 0; }));
}

}  // namespace limbik::bindings
