// The Python face of muscles: lengths, moment arms and the postures that they hold.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_muscles(nb::module_&) {}

}  // namespace limbik::bindings
