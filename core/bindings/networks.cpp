// Python bindings of networks: weights in, starts of attempts out.

#define NO_IMPORT_ARRAY
#include "kernel.hpp"

#include "../neural/network_starts.hpp"
#include "limits.hpp"
#include "targets.hpp"
#include "threads.hpp"

namespace limbik::bindings {

namespace {

// The most neurons of a layer, and the most layers.
constexpr long WIDEST = 1 << 16, DEEPEST = 64;

// A network from its weights (in x out) and biases, layer by layer, all checked. The last layer has its outputs joint
// by joint, all heads of the first, then of the second, each padded to whole registers.
Network network_from(const nb::sequence& weights, const nb::sequence& biases) {
    Network network;
    const std::size_t layers = nb::len(weights);
    if (layers == 0 || long(layers) > DEEPEST || nb::len(biases) != layers)
        raise("BadFile", "a network has a matrix and a bias for each layer");
    long before = -1;
    for (std::size_t k = 0; k < layers; ++k) {
        const Input w(weights[k], "weights"), b(biases[k], "a bias");
        if (w.ndim() != 2 || b.ndim() != 1 || w.dims()[1] != b.dims()[0] || w.dims()[0] < 1 || w.dims()[1] < 1 ||
            w.dims()[0] > WIDEST || w.dims()[1] > WIDEST || (before >= 0 && w.dims()[0] != before))
            raise("BadFile", "the network's layers do not follow each other");
        if (first_not_finite(w.data(), 1, w.dims()[0] * w.dims()[1]) >= 0 ||
            first_not_finite(b.data(), 1, b.dims()[0]) >= 0)
            raise("BadFile", "the network's weights hold NaN or infinity");
        before = w.dims()[1];
        network.add_layer(int(w.dims()[0]), int(before), w.data(), b.data());
    }
    return network;
}

class View {
  public:
    View(const Kernel& kernel, double scale, bool position_only, bool azimuth)
        : view(kernel.kinematics(), kernel.tip(), scale, position_only, azimuth), home_(std::size_t(view.n())),
          name_(kernel.name()) {
        if (!(scale > 0.0) || !std::isfinite(scale))
            raise("BadModel", "the scale of the targets must be finite and above 0");
    }
    // The network's inputs for many targets: (N, inputs).
    nb::object look(nb::handle Ts, int threads) const {
        const BatchInput input(Ts, nb::none(), home_, name_, "look");
        const npy_intp rows = input.rows;
        double* x;
        nb::object array = new_array(&rows, 1, {view.inputs()}, &x);
        share_rows(rows, threads, Deadline(), [&](long begin, long end, const std::atomic<bool>&) {
            for (long row = begin; row < end; ++row) {
                const TargetView::Features features = view.features(pose_from_rows(input.targets.data() + row * 16));
                std::copy_n(features.x, view.inputs(), x + row * view.inputs());
            }
        });
        return array;
    }
    TargetView view;

  private:
    std::vector<double> home_;
    std::string name_;
};

class NetworkStartsOf final : public Starts {
  public:
    NetworkStartsOf(const Kernel& kernel, const View& view, const nb::sequence& weights, const nb::sequence& biases,
                    int heads, const Numbers& lower, const Numbers& upper, const std::vector<Numbers>& cones,
                    const Numbers& home, double length)
        : network_(network_from(weights, biases)), home_(home), name_(kernel.name()) {
        const Kinematics& k = kernel.kinematics();
        if (heads < 1 || heads > NetworkStarts::MOST_HEADS || network_.inputs() != view.view.inputs() ||
            network_.outputs() != (heads + width<Wide> - 1) / width<Wide> * width<Wide> * view.view.outputs() ||
            home.size() != std::size_t(k.n()))
            raise("BadFile", "the network does not fit this robot: it has " + std::to_string(network_.inputs()) +
                                 " inputs and " + std::to_string(network_.outputs()) + " outputs");
        starts_.emplace(k, kernel.tip(), view.view, network_, heads,
                        limits_from(lower, upper, lower, upper, cones, std::size_t(k.n())), length);
    }
    NetworkStartsOf(const NetworkStartsOf&) = delete;

    const char* method() const override { return starts_->method(); }
    int n() const override { return starts_->n(); }
    int most() const override { return starts_->most(); }
    int propose(const Pose<double>& target, const double* seed, double* q) const override {
        return starts_->propose(target, seed, q);
    }

    // The starts of attempts, smallest error first: (N, heads, n).
    nb::object propose_batch(nb::handle Ts, nb::handle seeds, int threads) const {
        const BatchInput input(Ts, seeds, home_, name_, "propose");
        std::vector<Pose<double>> targets;
        for (long row = 0; row < input.rows; ++row) {
            const auto T = rigid(input.targets.data() + row * 16);
            if (!T) input.refuse(row);
            targets.push_back(*T);
        }
        const npy_intp size[2] = {npy_intp(input.rows), npy_intp(most())};
        double* q;
        nb::object array = new_array(size, 2, {n()}, &q);
        share_rows(input.rows, threads, Deadline(), [&](long begin, long end, const std::atomic<bool>& stop) {
            for (long row = begin; row < end && !stop.load(std::memory_order_relaxed); ++row)
                propose(targets[std::size_t(row)], input.starts + row * input.stride, q + row * most() * n());
        });
        return array;
    }

    // A configuration wrapped to the 2-pi copies closest to a seed, inside the limits.
    nb::object wrapped_to_seed(nb::handle given, nb::handle seed) const {
        const Input q(given, "q"), near(seed, "the seed");
        check_seeds(q, 1, n(), name_), check_seeds(near, 1, n(), name_);
        const npy_intp size = n();
        double* out;
        nb::object array = new_array(&size, 1, {}, &out);
        std::copy_n(q.data(), n(), out);
        starts_->wrap_to_seed(out, near.data());
        return array;
    }

  private:
    Network network_;
    std::vector<double> home_;
    std::string name_;
    std::optional<NetworkStarts> starts_;
};

}  // namespace

void bind_networks(nb::module_& m) {
    nb::class_<View>(m, "TargetView", "The inputs of a network for a target, and the outputs it is trained on.")
        .def(nb::init<const Kernel&, double, bool, bool>(), nb::keep_alive<1, 2>(), nb::arg("kernel"), nb::arg("scale"),
             nb::arg("places") = false, nb::arg("sided") = false)
        .def("look", &View::look, nb::arg("targets"), nb::arg("threads") = 0,
             nb::sig("def look(self, targets: object, threads: int = 0) -> Array"))
        .def_prop_ro("inputs", [](const View& v) { return v.view.inputs(); })
        .def_prop_ro("outputs", [](const View& v) { return v.view.outputs(); })
        .def_prop_ro("first", [](const View& v) { return v.view.first(); });
    nb::class_<NetworkStartsOf, Starts>(m, "NetworkStarts",
                                        "A network's candidate postures for a target, smallest error first.")
        .def(nb::init<const Kernel&, const View&, const nb::sequence&, const nb::sequence&, int, const Numbers&,
                      const Numbers&, const std::vector<Numbers>&, const Numbers&, double>(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::arg("kernel"), nb::arg("view"), nb::arg("weights"),
             nb::arg("biases"), nb::arg("heads"), nb::arg("lower"), nb::arg("upper"), nb::arg("cones"), nb::arg("home"),
             nb::arg("length"),
             nb::sig("def __init__(self, kernel: Kernel, view: TargetView, weights: Sequence[Array], biases: "
                     "Sequence[Array], heads: int, lower: "
                     "Sequence[float], upper: Sequence[float], cones: Sequence[Sequence[float]], home: "
                     "Sequence[float], length: float) -> None"))
        .def("propose", &NetworkStartsOf::propose_batch, nb::arg("targets"), nb::arg("seeds").none() = nb::none(),
             nb::arg("threads") = 0,
             nb::sig("def propose(self, targets: object, seeds: object = None, threads: int = 0) -> Array"))
        .def("settled", &NetworkStartsOf::wrapped_to_seed, nb::arg("q"), nb::arg("seed"),
             nb::sig("def settled(self, q: object, seed: object) -> Array"))
        .def_prop_ro("most", &NetworkStartsOf::most);
}

}  // namespace limbik::bindings
