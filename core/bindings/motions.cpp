// Python bindings for motion files: numbers from text, Euler angles.

#include <nanobind/stl/vector.h>

#define NO_IMPORT_ARRAY
#include "arrays.hpp"
#include "released.hpp"

#include "../base/text_numbers.hpp"
#include "../geometry/euler.hpp"

namespace limbik::bindings {

namespace {

// Rows (three columns, three axes, a target index) as EulerPlaces, checked.
std::vector<EulerPlace> places_of(const std::vector<int>& given, long columns, long size) {
    if (given.size() % 7) raise("ShapeError", "places must be seven numbers each");
    std::vector<EulerPlace> places;
    for (std::size_t at = 0; at < given.size(); at += 7) {
        EulerPlace place{};
        for (int k = 0; k < 3; ++k) place.column[k] = given[at + k], place.axis[k] = given[at + 3 + k];
        place.target = given[at + 6];
        for (int k = 0; k < 3; ++k)
            if (place.axis[k] < 0 || place.axis[k] > 2 || place.column[k] < 0 || place.column[k] >= columns)
                raise("BadOption", "a place names a column or an axis that does not exist");
        if (place.target < 0 || place.target + 3 > size) raise("BadOption", "a place has a target outside its row");
        places.push_back(place);
    }
    return places;
}

nb::tuple read_numbers(nb::bytes text, long start, long columns, long most, double largest) {
    const long size = long(text.size());
    if (start < 0 || start > size || most < 0) raise("BadOption", "the numbers must begin inside the text");
    TextNumbers found;
    {
        const Released release;
        found = read_text_numbers(text.c_str() + start, size - start, columns, most, largest);
    }
    return nb::make_tuple(array_of(found.values), found.bad < 0 ? -1 : found.bad + start,
                          found.surplus < 0 ? -1 : found.surplus + start, found.uneven_row, found.uneven_count);
}

nb::object euler_to_vectors(nb::handle given, const std::vector<int>& where, long size, double unit) {
    const Input channels(given, "channels");
    if (channels.ndim() != 2 || size < 0)
        raise("ShapeError", "channels must have shape (frames, channels); got " + channels.shape());
    const long frames = channels.dims()[0], columns = channels.dims()[1];
    const std::vector<EulerPlace> places = places_of(where, columns, size);
    double* out;
    nb::object made = new_array(channels.dims(), 1, {size}, &out);
    const Released release;
    std::fill_n(out, frames * size, 0.0);
    vectors_from_euler<Wide>(channels.data(), columns, frames, places, unit, out, size);
    return made;
}

// vectors, angles (frames, places, 3), known (frames, places), before (places, 3); axes: three for each place.
nb::object vectors_to_euler(nb::handle vectors_given, nb::handle angles_given, nb::handle known_given,
                            nb::handle before_given, const std::vector<int>& axes) {
    const Input vectors(vectors_given, "vectors"), angles(angles_given, "angles"), known(known_given, "known"),
        before(before_given, "before");
    const long each = long(axes.size()) / 3;
    const bool fits = vectors.ndim() == 3 && vectors.dims()[1] == each && vectors.dims()[2] == 3 &&
                      angles.ndim() == 3 && std::equal(angles.dims(), angles.dims() + 3, vectors.dims()) &&
                      known.ndim() == 2 && std::equal(known.dims(), known.dims() + 2, vectors.dims()) &&
                      before.ndim() == 2 && before.dims()[0] == each && before.dims()[1] == 3 && axes.size() % 3 == 0;
    if (!fits)
        raise("ShapeError", "vectors and angles (frames, places, 3), known (frames, places), before (places, 3)");
    std::vector<EulerPlace> places(static_cast<std::size_t>(each));
    for (std::size_t p = 0; p < places.size(); ++p) {
        for (std::size_t k = 0; k < 3; ++k) places[p].axis[k] = axes[3 * p + k];
        const int* a = places[p].axis;
        if (std::min({a[0], a[1], a[2]}) != 0 || std::max({a[0], a[1], a[2]}) != 2 || a[0] + a[1] + a[2] != 3 ||
            a[0] == a[1])
            raise("BadOption", "three different axes are needed, each 0, 1 or 2");
    }
    double* out;
    nb::object made = new_array(angles.dims(), 3, {}, &out);
    const Released release;
    std::copy_n(angles.data(), 3 * each * vectors.dims()[0], out);
    euler_from_vectors(vectors.data(), vectors.dims()[0], places, before.data(), known.data(), out);
    return made;
}

}  // namespace

void bind_motions(nb::module_& m) {
    m.def("read_numbers", &read_numbers, nb::arg("text"), nb::arg("start"), nb::arg("columns"), nb::arg("most"),
          nb::arg("largest"),
          nb::sig("def read_numbers(text: bytes, start: int, columns: int, most: int, largest: float) -> "
                  "tuple[Array, int, int, int, int]"));
    m.def("euler_to_vectors", &euler_to_vectors, nb::arg("channels").none(), nb::arg("places"), nb::arg("size"),
          nb::arg("unit"),
          nb::sig("def euler_to_vectors(channels: object, places: Sequence[int], size: int, unit: float) -> Array"));
    m.def("vectors_to_euler", &vectors_to_euler, nb::arg("vectors").none(), nb::arg("angles").none(),
          nb::arg("known").none(), nb::arg("before").none(), nb::arg("axes"),
          nb::sig("def vectors_to_euler(vectors: object, angles: object, known: object, before: object, axes: "
                  "Sequence[int]) -> "
                  "Array"));
}

}  // namespace limbik::bindings
