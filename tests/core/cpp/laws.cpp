// Laws of the facade. Prints the number of each broken law, then "done".

#include <limbik/limbik.hpp>

#include <cmath>
#include <cstdio>
#include <thread>

namespace lk = limbik::api;

static int number = 0;
static void holds(bool law) {
    ++number;
    if (!law) std::printf("broken: %d\n", number);
}

int main() {
    // 1-4: three axes along z, by screws: a planar arm
    const lk::Matrix tip = {1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto arm =
        lk::Chain::from_screws({{{0, 0, 2}, {0, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {2, 0, 0}}}, tip);
    const std::vector<double> q = {0.2, 0.9, -0.4};
    const lk::Matrix T = arm.forward(q);
    holds(arm.n() == 3 && bool(arm.solve(T, q)) && arm.solve_all(T).found.size() == 2);
    holds(arm.forward(std::vector<double>(3, 0.0)) == tip && lk::is_rigid(T) && !lk::is_rigid({}));
    const std::vector<double> J = arm.jacobian(q);
    bool slopes = J.size() == 18;
    for (std::size_t j = 0; slopes && j < 3; ++j) {
        std::vector<double> on = q, back = q;
        on[j] += 1e-6, back[j] -= 1e-6;
        for (const std::size_t row : {0u, 1u, 2u}) {
            const double slope = (arm.forward(on)[4 * row + 3] - arm.forward(back)[4 * row + 3]) / 2e-6;
            slopes = slopes && std::fabs(slope - J[3 * row + j]) < 1e-8;
        }
    }
    holds(slopes);
    // any point on an axis gives the same chain
    const auto same =
        lk::Chain::from_screws({{{0, 0, 1}, {0, 0, 5}}, {{0, 0, 3}, {1, 0, -2}}, {{0, 0, 1}, {2, 0, 7}}}, tip);
    holds(same.forward(q) == T && same.solve(T, q).q == arm.solve(T, q).q);

    // 5-6: a rail of one metre: a target beyond it is LIMITS, not OUT_OF_REACH; without limits it is reached
    const std::vector<lk::DhRow> rows = {{0, 0, 0, 0, lk::Motion::prismatic, 0.0, 1.0}, {1.0, 0, 0, 0}};
    const auto rail = lk::Chain::from_dh(rows);
    lk::Matrix far = rail.forward(std::vector<double>{0.5, 0.3});
    far[11] = 5.0;
    holds(rail.solve(far).status == lk::Status::limits &&
          rail.solve_batch(std::vector{far})[0].status == lk::Status::limits);
    const auto unlimited = lk::Chain::from_dh(rows, lk::Convention::standard, lk::Options{.limits = false});
    holds(bool(unlimited.solve(far)) && std::fabs(unlimited.solve(far).q[0] - 5.0) < 1e-7);

    // 7-9: a copy is the same chain, a moved-from chain can be assigned, an empty batch has no answers
    lk::Chain first = arm;
    const lk::Chain second = std::move(first);
    holds(first.n() == 3 && second.solve(T, q).q == arm.solve(T, q).q);
    first = rail;
    holds(first.n() == 2);
    holds(rail.solve_batch({}).empty());

    // 10: many joints and no closed form: one correct answer
    const auto snake = lk::Chain::from_dh(std::vector<lk::DhRow>(12, lk::DhRow{0.1, 0.8, 0.1, 0}));
    const lk::Matrix there = snake.forward(std::vector<double>(12, 0.2));
    const lk::Answers one = snake.solve_all(there);
    holds(one.status == lk::Status::solved && one.found.size() == 1 && !one.complete && !snake.has_closed_form());

    // 11: threads that use a new chain at the same time get the same answers
    const std::vector<lk::DhRow> general = {{0.1, 1.1, 0.3, 0}, {0.4, 0.7, 0.1, 0.2},   {0.3, -0.9, 0.05, 0},
                                            {0.1, 1.3, 0.4, 0}, {0.07, -1.2, 0.1, 0.3}, {0.05, 0.4, 0.1, 0}};
    const auto hard = lk::Chain::from_dh(general);
    std::vector<lk::Matrix> targets;
    for (int k = 0; k < 20; ++k) targets.push_back(hard.forward(std::vector<double>(6, 0.1 * k)));
    std::vector<std::vector<lk::Answer>> found(4);
    {
        std::vector<std::jthread> team;
        for (std::size_t t = 0; t < found.size(); ++t)
            team.emplace_back([&, t] {
                if (t % 2 == 0) found[t] = hard.solve_batch(targets, {}, 2);
                else
                    for (const lk::Matrix& target : targets) found[t].push_back(hard.solve(target));
            });
    }
    bool agree = true;
    for (const auto& each : found)
        for (std::size_t k = 0; k < targets.size(); ++k) agree = agree && each.at(k).q == found[0].at(k).q && each[k];
    holds(agree);

    // 12: a batch of many rows
    const std::vector<lk::Matrix> many(100000, T);
    const std::vector<lk::Answer> all = arm.solve_batch(many, q);
    holds(all.size() == many.size() && all.front().q == arm.solve(T, q).q && all.back().q == all.front().q);
    std::puts("done");
}
