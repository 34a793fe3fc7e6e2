// Feed-forward networks against long double, within their own memory.

#include "../support/reference.hpp"

#include "../../neural/network.hpp"

namespace limbik::test {
namespace {

LAW("a network agrees with long double, and writes only its outputs", 100, [](std::uint64_t seed) {
    Random random(seed);
    Network network;
    const int layers = random.integer(1, 4);
    int in = random.integer(1, 9);
    std::vector<double> x(std::size_t(in), 0.0);
    for (double& each : x) each = random.uniform(-2.0, 2.0);
    std::vector<Real> exact(x.begin(), x.end());
    for (int l = 0; l < layers; ++l) {
        const int out = random.integer(1, random.chance(0.2) ? 140 : 12);
        std::vector<double> weights(std::size_t(in * out)), bias(static_cast<std::size_t>(out));
        for (double& each : weights) each = random.uniform(-1.0, 1.0);
        for (double& each : bias) each = random.uniform(-1.0, 1.0);
        network.add_layer(in, out, weights.data(), bias.data());
        std::vector<Real> above(bias.begin(), bias.end());
        for (int j = 0; j < out; ++j) {
            Real& sum = above[std::size_t(j)];
            for (int i = 0; i < in; ++i) sum += Real(weights[std::size_t(i * out + j)]) * exact[std::size_t(i)];
            if (l + 1 < layers) sum = sum / sqrtl(1 + sum * sum);
        }
        exact = above, in = out;
    }
    HOLDS(network.layers() == layers && network.inputs() == int(x.size()) && network.outputs() == in, layers, in);
    std::vector<double> y = places(in, double(NAN)), work = places(long(network.work_size()));
    network.evaluate(x.data(), y.data(), work.data());
    for (int j = 0; j < in; ++j) {
        const double error = double(fabsl(y[std::size_t(j)] - exact[std::size_t(j)]));
        HOLDS(error <= 1e-12, j, y[std::size_t(j)], exact[std::size_t(j)]);
    }
});

}  // namespace
}  // namespace limbik::test
