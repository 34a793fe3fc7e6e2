// The Python face of limbs with two bones.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_limbs(nb::module_&) {}

}  // namespace limbik::bindings
