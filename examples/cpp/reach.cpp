// Every configuration in which a PUMA 560 reaches a pose, without Python.
//
//     cmake -S core -B build/core && cmake --build build/core -j && cmake --install build/core --prefix build/installed
//     cmake -S examples/cpp -B build/reach -DCMAKE_PREFIX_PATH=$PWD/build/installed
//     cmake --build build/reach && build/reach/reach

#include <limbik/limbik.hpp>

#include <cstdio>
#include <numbers>

namespace lk = limbik::api;

static void print(const char* what, const std::vector<double>& q) {
    std::printf("%s", what);
    for (const double x : q) std::printf(" %.17g", x);
    std::printf("\n");
}

int main() {
    constexpr double quarter = std::numbers::pi / 2, degree = std::numbers::pi / 180;
    constexpr auto revolute = lk::Motion::revolute;
    const auto arm = lk::Chain::from_dh({{0.0, 0.0, 0.0, 0.0, revolute, -160 * degree, 160 * degree},
                                         {0.0, -quarter, 0.0, 0.0, revolute, -225 * degree, 45 * degree},
                                         {0.4318, 0.0, 0.14909, 0.0, revolute, -45 * degree, 225 * degree},
                                         {0.02032, -quarter, 0.43307, 0.0, revolute, -110 * degree, 170 * degree},
                                         {0.0, quarter, 0.0, 0.0, revolute, -100 * degree, 100 * degree},
                                         {0.0, -quarter, 0.0, 0.0, revolute, -266 * degree, 266 * degree}},
                                        lk::Convention::modified);
    std::printf("joints %d, closed form %d, reach %.6f m\n", arm.n(), arm.has_closed_form(), arm.reach());

    const std::vector<double> q = {0.3, -1.1, 0.4, 0.2, 0.7, -0.5};
    const lk::Matrix T = arm.forward(q);
    const lk::Answer answer = arm.solve(T, q);
    std::printf("%s, branch %d\n", lk::name_of(answer.status), answer.branch);
    print("solve", answer.q);

    const lk::Answers all = arm.solve_all(T);
    std::printf("%zu configurations, complete %d\n", all.found.size(), all.complete);
    for (const lk::Answer& one : all.found) print("all", one.q);

    lk::Matrix far = T;
    far[3] += 10.0;
    const lk::Answer none = arm.solve(far);
    std::printf("%s, %.6f m away\n", lk::name_of(none.status), none.position_error);

    std::vector<lk::Matrix> targets;
    for (int k = 0; k < 100; ++k) {
        const double s = 0.01 * k;
        targets.push_back(arm.forward(std::vector<double>{s, -s, 0.5 * s, s, 0.3 + s, -s}));
    }
    int solved = 0;
    for (const lk::Answer& one : arm.solve_batch(targets)) solved += bool(one);
    std::printf("batch: %d of %zu solved\n", solved, targets.size());
    return answer && !none && solved == int(targets.size()) ? 0 : 1;
}
