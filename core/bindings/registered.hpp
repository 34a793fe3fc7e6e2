// Objects of the Python layers above, registered by them at import: the enum of statuses, texts, readers of poses, the
// types of errors. The core imports none of them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <iterator>
#include <string>

namespace limbik::bindings {

namespace nb = nanobind;

// The names of the registered objects: keyword arguments of `register`.
enum class Registered { status, explain, explain_all, restore, restore_all, as_pose, matrices, numbers, errors, count };
inline constexpr const char* REGISTERED_NAMES[] = {"status",  "explain",  "explain_all", "restore", "restore_all",
                                                   "as_pose", "matrices", "numbers",     "errors"};
static_assert(std::size(REGISTERED_NAMES) == std::size_t(Registered::count));

// Shared by all files of a module; never freed, because the interpreter may end first.
inline PyObject* registered_objects[std::size_t(Registered::count)] = {};

inline nb::handle registered(Registered what) {
    PyObject* found = registered_objects[std::size_t(what)];
    if (!found) [[unlikely]] {
        PyErr_Format(PyExc_ImportError, "limbik._core has no '%s' yet: import limbik",
                     REGISTERED_NAMES[std::size_t(what)]);
        throw nb::python_error();
    }
    return found;
}

// `register(name=object, ...)`
inline void register_objects(const nb::kwargs& given) {
    for (const auto& [name, object] : given) {
        std::size_t k = 0;
        while (k < std::size(REGISTERED_NAMES) && nb::cast<std::string>(name) != REGISTERED_NAMES[k]) ++k;
        if (k == std::size(REGISTERED_NAMES)) throw nb::key_error("limbik._core takes no object of this name");
        Py_XDECREF(registered_objects[k]);
        registered_objects[k] = nb::object(nb::borrow(object)).release().ptr();
    }
}

}  // namespace limbik::bindings
