// The Python face of motions: numbers read from text, angles about three axes.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_motions(nb::module_&) {}

}  // namespace limbik::bindings
