// The Python face of the relaxation network: points that agree on lengths.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_relaxation(nb::module_&) {}

}  // namespace limbik::bindings
