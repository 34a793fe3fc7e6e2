// NumPy arrays in and out, by NumPy's own C API: an array made through it costs a fraction of one made by a binding
// library, which is most of the cost of a single call.
#pragma once

#include <nanobind/nanobind.h>

#define PY_ARRAY_UNIQUE_SYMBOL limbik_numpy  // one table of NumPy's functions for all files of a module
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "buffer_cache.hpp"
#include "registered.hpp"

namespace limbik::bindings {

namespace nb = nanobind;

// Raise limbik.errors.<name>(message).
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(const char* name, const std::string& message) {
    nb::object error = registered(Registered::errors).attr(name);
    PyErr_SetString(error.ptr(), message.c_str());
    throw nb::python_error();
}

inline std::string shape_text(int ndim, const npy_intp* dims) {
    std::string text = "(";
    for (int i = 0; i < ndim; ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
    return text + (ndim == 1 ? ",)" : ")");
}

// The most axes of an array, batch included; NumPy's own limit is higher.
constexpr int MOST_AXES = 16;
// Larger numbers of threads are clamped to this.
constexpr long MOST_THREADS = 1 << 20;

inline std::string name_of_type(nb::handle given) {
    return nb::cast<std::string>(nb::str(given.type().attr("__name__")));
}

// The number of threads from an argument that is not a small int. Out of line, so that the fast path stays small.
[[gnu::cold, gnu::noinline]] inline int unusual_thread_count(nb::handle given) {
    nb::object whole = nb::steal(PyNumber_Index(given.ptr()));
    if (!whole.is_valid()) {
        PyErr_Clear();
        raise("BadOption",
              "threads must be a whole number, 0 (as many as are useful) or more; got " + name_of_type(given));
    }
    int overflow = 0;
    const long count = PyLong_AsLongAndOverflow(whole.ptr(), &overflow);
    if (overflow < 0 || (overflow == 0 && count < 0))
        raise("BadOption", "threads must be a whole number, 0 (as many as are useful) or more; got a negative one");
    return int(overflow ? MOST_THREADS : std::min(count, MOST_THREADS));
}

// The number of threads allowed: 0 for as many as are useful.
inline int thread_count(nb::handle given) {
    if (PyLong_CheckExact(given.ptr())) {
        int overflow;
        const long count = PyLong_AsLongAndOverflow(given.ptr(), &overflow);
        if (count >= 0 && count <= MOST_THREADS) return int(count);
    }
    return unusual_thread_count(given);
}

// A C-contiguous float64 view of an argument; a copy where its type or layout differs.
class Input {
  public:
    Input(nb::handle given, const char* what) {
        PyObject* object = given.ptr();
        if (PyArray_CheckExact(object)) {
            auto* a = reinterpret_cast<PyArrayObject*>(object);
            if (PyArray_TYPE(a) == NPY_DOUBLE && PyArray_ISCARRAY_RO(a)) {
                array_ = nb::borrow(given);
                if (ndim() > MOST_AXES) refuse_axes(what);
                return;
            }
        }
        // Converted by NumPy first: a cast would read text as numbers, and drop imaginary parts.
        PyObject* seen = object == Py_None ? nullptr : PyArray_FROM_O(object);
        PyObject* made = nullptr;
        if (seen && is_real(PyArray_TYPE(reinterpret_cast<PyArrayObject*>(seen))))
            made = PyArray_FromAny(seen, PyArray_DescrFromType(NPY_DOUBLE), 0, 0,
                                   NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST, nullptr);
        Py_XDECREF(seen);
        if (!made) {
            if (PyErr_ExceptionMatches(PyExc_MemoryError) || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
                throw nb::python_error();
            PyErr_Clear();
            raise("NotNumeric", std::string(what) +
                                    " must be numbers (an array, or nested lists of equal length); got " +
                                    name_of_type(given));
        }
        array_ = nb::steal(made);
        if (ndim() > MOST_AXES) refuse_axes(what);
    }
    const double* data() const { return static_cast<const double*>(PyArray_DATA(get())); }
    int ndim() const { return PyArray_NDIM(get()); }
    const npy_intp* dims() const { return PyArray_DIMS(get()); }
    std::string shape() const { return shape_text(ndim(), dims()); }
    nb::handle object() const { return array_; }

  private:
    static bool is_real(int type) {
        return !PyTypeNum_ISCOMPLEX(type) && !PyTypeNum_ISFLEXIBLE(type) && !PyTypeNum_ISDATETIME(type);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_axes(const char* what) const {
        raise("ShapeError", std::string(what) + " has " + std::to_string(ndim()) + " axes; at most " +
                                std::to_string(MOST_AXES) + " are supported: reshape it to fewer");
    }
    PyArrayObject* get() const { return reinterpret_cast<PyArrayObject*>(array_.ptr()); }
    nb::object array_;
};

inline long product(const npy_intp* dims, int ndim) {
    long rows = 1;
    for (int i = 0; i < ndim; ++i) rows *= dims[i];
    return rows;
}

// While it lives, NumPy allocates from the buffer cache. Each array remembers where its memory is returned to.
class FromBufferCache {
  public:
    FromBufferCache() : before_(nb::steal(PyDataMem_SetHandler(handler().ptr()))) {
        if (!before_.is_valid()) throw nb::python_error();
    }
    ~FromBufferCache() { nb::steal(PyDataMem_SetHandler(before_.ptr())); }
    FromBufferCache(const FromBufferCache&) = delete;

  private:
    static nb::handle handler() {
        static PyDataMem_Handler functions = {
            "limbik_buffers",
            1,
            {nullptr, [](void*, std::size_t size) { return buffer_cache().take(size); },
             [](void*, std::size_t count, std::size_t each) {
                 void* made = buffer_cache().take(count * each);
                 return made ? std::memset(made, 0, count * each) : made;
             },
             [](void*, void* block, std::size_t size) { return BufferCache::resized(block, size); },
             [](void*, void* block, std::size_t size) { buffer_cache().give(block, size); }}};
        static nb::object* const capsule = new nb::object(nb::steal(PyCapsule_New(&functions, "mem_handler", nullptr)));
        return *capsule;
    }
    nb::object before_;
};

// A new float64 array of shape batch + tail.
inline nb::object new_array(const npy_intp* batch, int batch_ndim, std::initializer_list<npy_intp> tail,
                            double** data) {
    npy_intp dims[NPY_MAXDIMS_LEGACY_ITERS];
    int ndim = 0;
    for (int i = 0; i < batch_ndim; ++i) dims[ndim++] = batch[i];
    for (npy_intp d : tail) dims[ndim++] = d;
    PyObject* made;
    if (std::size_t(product(dims, ndim)) * sizeof(double) < BufferCache::LEAST) {
        made = PyArray_SimpleNew(ndim, dims, NPY_DOUBLE);
    } else {
        const FromBufferCache pages;
        made = PyArray_SimpleNew(ndim, dims, NPY_DOUBLE);
    }
    if (!made) throw nb::python_error();
    *data = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(made)));
    return nb::steal(made);
}

// A new float64 array of one axis with these values.
inline nb::object array_of(const std::vector<double>& values) {
    double* data;
    const npy_intp size = npy_intp(values.size());
    nb::object array = new_array(&size, 1, {}, &data);
    std::copy(values.begin(), values.end(), data);
    return array;
}

template <class T> T* data_of(nb::handle array) {
    return static_cast<T*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
}

// A new array of one axis with these values, of a type of NumPy's.
template <class T> nb::object array_of(const std::vector<T>& values, int type) {
    const npy_intp size = npy_intp(values.size());
    nb::object array = nb::steal(PyArray_SimpleNew(1, &size, type));
    std::copy(values.begin(), values.end(), data_of<T>(array));
    return array;
}

}  // namespace limbik::bindings
