// The Python face of small perceptrons: trained by back-propagation, evaluated in lanes.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_perceptrons(nb::module_&) {}

}  // namespace limbik::bindings
