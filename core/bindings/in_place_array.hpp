// A C-contiguous array of one type, kept alive and read in place: of a mapped file, too.
#pragma once

#include "arrays.hpp"

namespace limbik::bindings {

template <class T> class InPlaceArray {
  public:
    // ndim: the number of axes, or ANY. Raises BadFile for another type, layout or number of axes.
    InPlaceArray(nb::handle given, int type, const char* what, int ndim = ANY) {
        if (!PyArray_Check(given.ptr())) raise("BadFile", std::string("the table's ") + what + " must be an array");
        auto* array = reinterpret_cast<PyArrayObject*>(given.ptr());
        if (PyArray_TYPE(array) != type || !PyArray_ISCARRAY_RO(array) || (ndim != ANY && PyArray_NDIM(array) != ndim))
            raise("BadFile", std::string("the table's ") + what + " must have another type or shape");
        array_ = nb::borrow(given);
        data_ = static_cast<const T*>(PyArray_DATA(array)), size_ = long(PyArray_SIZE(array));
    }
    const T* data() const { return data_; }
    long size() const { return size_; }
    T operator[](long i) const { return data_[i]; }
    long rows() const { return long(PyArray_DIM(get(), 0)); }
    long columns() const { return long(PyArray_DIM(get(), 1)); }

  private:
    static constexpr int ANY = -1;

    PyArrayObject* get() const { return reinterpret_cast<PyArrayObject*>(array_.ptr()); }
    nb::object array_;
    const T* data_;
    long size_;
};

}  // namespace limbik::bindings
