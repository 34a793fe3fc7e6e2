// Arms of many kinds solve for targets that a test chose. Input: the name of an arm, a number of targets, 16 numbers
// for each. Output: for each target the answer of `solve`, and all answers.

#include <limbik/limbik.hpp>

#include <cstdio>
#include <iostream>
#include <map>
#include <numbers>
#include <string>

namespace lk = limbik::api;

static std::map<std::string, lk::Chain> arms() {
    constexpr double quarter = std::numbers::pi / 2, half = std::numbers::pi;
    using enum lk::Motion;
    return {
        {"ur5", lk::Chain::from_dh({{0, quarter, 0.089159, 0},
                                    {-0.425, 0, 0, 0},
                                    {-0.39225, 0, 0, 0},
                                    {0, quarter, 0.10915, 0},
                                    {0, -quarter, 0.09465, 0},
                                    {0, 0, 0.0823, 0}})},
        {"panda", lk::Chain::from_dh({{0, 0, 0.333, 0, revolute, -2.8973, 2.8973},
                                      {0, -quarter, 0, 0, revolute, -1.7628, 1.7628},
                                      {0, quarter, 0.316, 0, revolute, -2.8973, 2.8973},
                                      {0.0825, quarter, 0, 0, revolute, -3.0718, -0.0698},
                                      {-0.0825, -quarter, 0.384, 0, revolute, -2.8973, 2.8973},
                                      {0, quarter, 0, 0, revolute, -0.0175, 3.7525},
                                      {0.088, quarter, 0, 0, revolute, -2.8973, 2.8973}},
                                     lk::Convention::modified)},
        {"iiwa", lk::Chain::from_dh({{0, -quarter, 0.34, 0, revolute, -2.96, 2.96},
                                     {0, quarter, 0, 0, revolute, -2.09, 2.09},
                                     {0, quarter, 0.4, 0, revolute, -2.96, 2.96},
                                     {0, -quarter, 0, 0, revolute, -2.09, 2.09},
                                     {0, -quarter, 0.4, 0, revolute, -2.96, 2.96},
                                     {0, quarter, 0, 0, revolute, -2.09, 2.09},
                                     {0, 0, 0.126, 0, revolute, -3.05, 3.05}})},
        {"scara", lk::Chain::from_dh({{0.4, 0, 0.3, 0, revolute, -2.2, 2.2},
                                      {0.3, half, 0, 0, revolute, -2.5, 2.5},
                                      {0, 0, 0, 0, prismatic, 0, 0.2},
                                      {0, 0, 0.05, 0}})},
        {"five", lk::Chain::from_dh({{0.033, quarter, 0.147, 0, revolute, -2.9, 2.9},
                                     {0.155, 0, 0, 0, revolute, -1.1, 1.5},
                                     {0.135, 0, 0, 0, revolute, -2.6, 2.5},
                                     {0, quarter, 0, quarter, revolute, -1.7, 1.7},
                                     {0, 0, 0.2, 0, revolute, -2.8, 2.8}})},
        {"general", lk::Chain::from_dh({{0.1, 1.1, 0.3, 0, revolute, -3, 3},
                                        {0.4, 0.7, 0.1, 0.2, revolute, -3, 3},
                                        {0.3, -0.9, 0.05, 0, revolute, -3, 3},
                                        {0.1, 1.3, 0.4, 0, revolute, -3, 3},
                                        {0.07, -1.2, 0.1, 0.3, revolute, -3, 3},
                                        {0.05, 0.4, 0.1, 0, revolute, -3, 3}})},
        {"screws", lk::Chain::from_screws({{{0, 0, 1}, {0, 0, 3}},
                                           {{0, 1, 0}, {0, 0, 0.089}},
                                           {{0, 1, 0}, {0.425, 2, 0.089}},
                                           {{0, 1, 0}, {0.817, 0, 0.089}},
                                           {{0, 0, -1}, {0.817, 0.109, 0}},
                                           {{0, 1, 0}, {0.817, 0, -0.006}}},
                                          {-1, 0, 0, 0.817, 0, 0, 1, 0.191, 0, 1, 0, -0.006, 0, 0, 0, 1})},
    };
}

static void write(const std::vector<double>& numbers) {
    for (const double x : numbers) std::printf(" %.17g", x);
    std::printf("\n");
}

static void write(const lk::Answer& a) {
    std::printf("%s %d %d %d %.17g", lk::name_of(a.status), a.branch, a.family, a.closed_form, a.position_error);
    write(a.q);
}

int main() {
    const auto known = arms();
    std::string name;
    int count = 0;
    while (std::cin >> name >> count) {
        const lk::Chain& arm = known.at(name);
        std::printf("%.17g", arm.reach());
        write(arm.home());
        std::vector<lk::Matrix> targets(static_cast<std::size_t>(count));
        for (lk::Matrix& T : targets)
            for (double& x : T) std::cin >> x;
        const std::vector<lk::Answer> batch = arm.solve_batch(targets), alone = arm.solve_batch(targets, {}, 3);
        for (std::size_t k = 0; k < targets.size(); ++k) {
            const lk::Answer one = arm.solve(targets[k]);
            for (const lk::Answer& row : {batch.at(k), alone.at(k)})
                if (row.q != one.q || row.status != one.status || row.branch != one.branch) return 1;
            write(one);
            const lk::Answers all = arm.solve_all(targets[k]);
            std::printf("%s %zu %d\n", lk::name_of(all.status), all.found.size(), all.complete);
            for (const lk::Answer& each : all.found) write(each);
        }
    }
}
