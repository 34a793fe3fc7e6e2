// The Python face of paths: which branch to take, and how fast.

#define NO_IMPORT_ARRAY
#include "arrays.hpp"

namespace limbik::bindings {

void bind_paths(nb::module_&) {}

}  // namespace limbik::bindings
