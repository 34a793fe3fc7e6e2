// The folders of the core, from the bottom up. Each is a namespace that sees those it is built on without qualifying
// them.
//
// A folder includes headers of its own and of the folders named here, no others: tools/core_headers.py checks it.
#pragma once

// clang-format off

namespace limbik {

// ---- foundations ---------------------------------------------------------------------------------------------------

namespace simd {}  // one number type for one problem or for W of them
namespace base {}  // threads, deadlines, random numbers, text
namespace linalg {  // small systems of equations
using namespace simd;
}
namespace geometry {  // vectors, rotations, poses, angles
using namespace simd;
}
namespace kinematics {  // mechanisms, forward kinematics, Jacobians, limits, verification
using namespace base;
using namespace geometry;
}

// ---- families of methods -------------------------------------------------------------------------------------------

namespace iterative {  // attempts by damped least squares, and the closest configuration
using namespace linalg;
using namespace kinematics;
}
namespace closed_form {  // every configuration of a decoupled chain, and proofs that there is none
using namespace iterative;
}
namespace table {  // configurations looked up in a table that was built beforehand
using namespace closed_form;
}
namespace neural {  // networks that propose configurations
using namespace table;
}
namespace goals {  // several goals at once, on chains and trees
using namespace iterative;
}
namespace relaxation {  // the mean of multiple computations (MMC)
using namespace linalg;
using namespace base;
using namespace geometry;
}
namespace two_bone {  // a limb of two bones, in closed form
using namespace geometry;
}
namespace muscle {  // lengths of muscles, and configurations that they can hold
using namespace closed_form;
}
namespace motion {  // over time: trajectories, timing, tracking
using namespace goals;
}

// ---- on top --------------------------------------------------------------------------------------------------------

namespace solve {  // the strategy: the order of the families, for one target and for batches
using namespace table;
}
namespace bindings {  // Python's view of all of it
using namespace solve;
using namespace neural;
using namespace relaxation;
using namespace two_bone;
using namespace muscle;
using namespace motion;
}
namespace test {
using namespace bindings;
}

}  // namespace limbik
