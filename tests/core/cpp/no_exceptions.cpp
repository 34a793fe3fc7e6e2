// A program without exceptions checks a target before it solves.

#include <limbik/limbik.hpp>

namespace lk = limbik::api;

int main() {
    const auto arm = lk::Chain::from_dh({{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
    const double q[] = {0.3, 0.4};
    const lk::Matrix T = arm.forward(q), nothing = {};
    return lk::is_rigid(T) && !lk::is_rigid(nothing) && arm.solve(T) ? 0 : 1;
}
