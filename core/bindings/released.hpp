// Long work lets other Python threads run meanwhile, and gives way when the interpreter ends.
//
// CPython ends a daemon thread that asks for the interpreter after its end by unwinding the thread's stack. That passes
// a destructor, and C++ answers by ending the process: SIGABRT. So a hook at exit calls threads off, and from then on
// none but the thread that ends the interpreter comes back to it: the others stay where they are until the process has
// ended. The hook waits a little for what they compute, so that nothing runs on while the process is taken down.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

namespace limbik::bindings {

namespace nb = nanobind;

// How long the end of the interpreter waits for work that was called off, and how often it looks [ms].
constexpr int WAIT_AT_EXIT = 1000, LOOK_AT_EXIT = 1;

// Threads that compute without the interpreter.
inline std::atomic<long> at_work{0};
// Set when the interpreter ends.
inline std::atomic<bool> interpreter_ends{false};
inline thread_local bool ends_it = false;

// Whether what this thread computes will be seen by nobody.
inline bool called_off() { return interpreter_ends.load() && !ends_it; }

[[noreturn]] inline void stay_for_ever() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Counts work that the end of the interpreter waits for.
class AtWork {
  public:
    AtWork() { ++at_work; }
    ~AtWork() { --at_work; }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;
};

// While it lives, other Python threads may run. In a thread that is called off, its life does not end.
class Released {
  public:
    Released() : state_(PyEval_SaveThread()) {
        ++at_work;
        if (called_off()) stay();
    }
    ~Released() {
        if (called_off()) stay();
        PyEval_RestoreThread(state_);
        --at_work;
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

  private:
    [[noreturn]] static void stay() {
        --at_work;
        stay_for_ever();
    }

    PyThreadState* state_;
};

inline void end_work() {
    ends_it = true;
    interpreter_ends = true;
    const Released release;  // for those that are on their way back already
    for (int waited = 0; at_work > 1 && waited < WAIT_AT_EXIT; waited += LOOK_AT_EXIT)
        std::this_thread::sleep_for(std::chrono::milliseconds(LOOK_AT_EXIT));
}

// What CPython ends while it converts arguments for the core is no exception that C++ knows, and has no pointer. To be
// caught without being thrown on would end the process too: such a thread stays where it is caught.
inline void keep_what_is_ended(const std::exception_ptr& failure, void*) {
    if (!failure) stay_for_ever();
    std::rethrow_exception(failure);
}

// To be called once by the module. A forked process has none of the threads that were at work.
inline void end_work_at_exit() {
    nb::register_exception_translator(&keep_what_is_ended);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_work));
    const nb::module_ os = nb::module_::import_("os");
    if (nb::hasattr(os, "register_at_fork"))
        os.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function([] { at_work = 0; }));
}

}  // namespace limbik::bindings
