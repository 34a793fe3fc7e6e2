// The kernels, compiled with the flags of the library.

#include <limbik/kinematics/reach.hpp>
#include <limbik/kinematics/verify.hpp>

using namespace limbik::kinematics;

int main() {
    const Pose<double> one_on = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    Mechanism m;
    m.n = 2;
    m.elements = {{-1, Kind::revolute, 0, 1.0, 0.0, false, one_on}, {0, Kind::revolute, 1, 1.0, 0.0, false, one_on}};
    m.frames = {{1, one_on}};
    const double lower[] = {-1, -1}, upper[] = {1, 1}, q[] = {0, 0};
    const Kinematics k(m);
    double T[16];
    forward_one(k, 0, q, T, nullptr);
    return T[3] == 3.0 && reach_of(k.mechanism, k.mechanism.frames[0], lower, upper).from_base == 3.0 ? 0 : 1;
}
