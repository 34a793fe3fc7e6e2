// Misuse, one line for each case: what was done, and the error message.

#include <limbik/limbik.hpp>

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lk = limbik::api;

template <class F> static void tried(const char* what, F f) {
    try {
        f();
        std::printf("%s: accepted\n", what);
    } catch (const std::invalid_argument& error) {
        std::printf("%s: %s\n", what, error.what());
    }
}

int main() {
    const double inf = lk::UNLIMITED, nan = std::nan("");
    using enum lk::Motion;
    const std::vector<lk::Screw> screws = {{{0, 0, 2}, {0, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {2, 0, 0}}};
    const lk::Matrix tip = {1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto arm = lk::Chain::from_screws(screws, tip);
    const std::vector<double> q = {0.2, 0.9, -0.4};
    const lk::Matrix T = arm.forward(q);
    const auto with = [&](std::size_t place, double x) {
        lk::Matrix out = T;
        out[place] = x;
        return out;
    };
    const auto options = [](double position, double rotation, int attempts) {
        return lk::Options{true, position, rotation, attempts};
    };
    const auto dh = lk::Convention::standard;

    tried("no rows", [] { (void)lk::Chain::from_dh(std::vector<lk::DhRow>{}); });
    tried("no screws", [&] { (void)lk::Chain::from_screws(std::vector<lk::Screw>{}, tip); });
    tried("NaN in a row", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0}, {nan, 0, 0, 0}}); });
    tried("a large row", [&] { (void)lk::Chain::from_dh({{1e200, 0, 0, 0}}); });
    tried("limits reversed", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0, revolute, 1.0, -1.0}}); });
    tried("a limit of NaN", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0, revolute, nan, 1.0}}); });
    tried("no value", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0, revolute, inf, inf}}); });
    tried("one value", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0, revolute, 0.5, 0.5}}); });
    tried("no axis", [&] { (void)lk::Chain::from_screws({{{0, 0, 0}, {0, 0, 0}}}, tip); });
    tried("an infinite point", [&] { (void)lk::Chain::from_screws({{{0, 0, 1}, {inf, 0, 0}}}, tip); });
    tried("a tip that is scaled", [&] { (void)lk::Chain::from_screws(screws, with(0, 3.0)); });
    tried("a negative tolerance", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0}}, dh, options(-1, 1e-8, 9)); });
    tried("no rotation tolerance", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0}}, dh, options(0, 0, 9)); });
    tried("no attempts", [&] { (void)lk::Chain::from_dh({{1, 0, 0, 0}}, dh, options(0, 1e-8, 0)); });
    tried("a target with NaN", [&] { (void)arm.solve(with(3, nan)); });
    tried("a target that is scaled", [&] { (void)arm.solve(with(0, 2.0)); });
    tried("a target without its last row", [&] { (void)arm.solve_all(with(15, 0.0)); });
    tried("a row of a batch", [&] { (void)arm.solve_batch(std::vector{T, T, with(7, inf)}); });
    tried("a short seed", [&] { (void)arm.solve(T, std::vector{0.1}); });
    tried("a short seed of all", [&] { (void)arm.solve_all(T, std::vector{0.1}); });
    tried("a short seed of nothing", [&] { (void)arm.solve_batch({}, std::vector{0.1}); });
    tried("a short q", [&] { (void)arm.forward(std::vector{0.1, 0.2}); });
    tried("an infinite q", [&] { (void)arm.jacobian(std::vector{0.1, inf, 0.2}); });
    tried("no targets", [&] { (void)arm.solve_batch({}); });
    tried("less than no threads", [&] { (void)arm.solve_batch(std::vector{T}, {}, -1); });
}
