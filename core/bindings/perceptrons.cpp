// Python bindings of perceptrons: trained by back-propagation or by Levenberg and Marquardt's method, evaluated in the
// lanes.

#include <nanobind/stl/vector.h>

#define NO_IMPORT_ARRAY
#include "arrays.hpp"
#include "released.hpp"

#include <cstdint>

#include "../base/parallel.hpp"
#include "../neural/back_propagation.hpp"
#include "../neural/perceptron_marquardt.hpp"

namespace limbik::bindings {

// The interpreter's lock is released from this many rows of inputs on.
constexpr long ROWS_WITHOUT_LOCK = 64;

class Perceptrons {
  public:
    Perceptrons(const std::vector<int>& layers, bool linear) : shape_{layers, linear} {
        if (layers.size() < 2 || *std::min_element(layers.begin(), layers.end()) < 1)
            raise("BadOption", "a perceptron needs at least two layers of at least one unit each, e.g. (2, 10, 10, 2)");
    }

    nb::object outputs(nb::handle weights_given, nb::handle x_given) const {
        const Input weights(weights_given, "weights"), x(x_given, "x");
        if (weights.ndim() != 1 || weights.dims()[0] != shape_.weights())
            refuse("weights", {shape_.weights()}, weights);
        const int axes = x.ndim() - 1;
        if (axes < 0 || x.dims()[axes] != shape_.inputs())
            raise("ShapeError", "x must have shape (..., " + std::to_string(shape_.inputs()) + "); got " + x.shape());
        const long rows = product(x.dims(), axes);
        double* y;
        nb::object made = new_array(x.dims(), axes, {shape_.outputs()}, &y);
        if (rows < ROWS_WITHOUT_LOCK) {
            perceptron_outputs(shape_, weights.data(), x.data(), rows, y);
        } else {
            const Released release;
            perceptron_outputs(shape_, weights.data(), x.data(), rows, y);
        }
        return made;
    }

    // weights and changes (S, P), keys (S,): the networks after epochs first .. first + epochs - 1.
    nb::tuple back_propagate(nb::handle weights_given, nb::handle changes_given, nb::handle x_given, nb::handle y_given,
                             const std::vector<std::uint64_t>& keys, long first, long epochs, double rate,
                             double momentum, bool shuffled, nb::handle threads) const {
        const Input weights(weights_given, "weights"), changes(changes_given, "changes");
        const Data data(*this, x_given, y_given);
        const long starts = long(keys.size());
        for (const Input* given : {&weights, &changes})
            require(given == &weights ? "weights" : "changes", {starts, shape_.weights()}, *given);
        double *w, *change;
        nb::object w_out = copied(weights, &w), change_out = copied(changes, &change);
        const BackPropagation settings{rate, momentum, shuffled};
        shared(starts, threads, [&](long begin, long end) {
            const long offset = begin * shape_.weights();
            neural::back_propagate(shape_, settings, data.examples, end - begin, keys.data() + begin, first, epochs,
                                   w + offset, change + offset);
        });
        return nb::make_tuple(w_out, change_out);
    }

    // weights (S, P) and damping (S,): the networks after so many iterations, their damping, and their sums of squares.
    nb::tuple marquardt(nb::handle weights_given, nb::handle damping_given, nb::handle x_given, nb::handle y_given,
                        long iterations, double easier, double harder, double least, double most,
                        nb::handle threads) const {
        const Input weights(weights_given, "weights"), damping(damping_given, "damping");
        const Data data(*this, x_given, y_given);
        if (damping.ndim() != 1) raise("ShapeError", "damping must have shape (starts,); got " + damping.shape());
        const long starts = long(damping.dims()[0]);
        require("weights", {starts, shape_.weights()}, weights);
        double *w, *m, *f;
        nb::object w_out = copied(weights, &w), m_out = copied(damping, &m);
        nb::object f_out = new_array(damping.dims(), 1, {}, &f);
        const MarquardtTraining settings{easier, harder, least, most};
        shared(starts, threads, [&](long begin, long end) {
            marquardt_train(shape_, settings, data.examples, end - begin, iterations, w + begin * shape_.weights(),
                            m + begin, f + begin);
        });
        return nb::make_tuple(w_out, m_out, f_out);
    }

    // Of weights (P,): the sum of squares, and its gradient (P,).
    nb::tuple slope(nb::handle weights_given, nb::handle x_given, nb::handle y_given) const {
        const Input weights(weights_given, "weights");
        const Data data(*this, x_given, y_given);
        require("weights", {shape_.weights()}, weights);
        double* out;
        nb::object made = new_array(weights.dims(), 1, {}, &out);
        MarquardtTrainer<double> trainer(shape_, data.examples);
        trainer.linearise(weights.data());
        for (long i = 0; i < shape_.weights(); ++i) out[i] = 2.0 * trainer.gradient()[i];
        return nb::make_tuple(trainer.value(weights.data()), made);
    }

    long weights() const { return shape_.weights(); }

  private:
    struct Data {
        Data(const Perceptrons& of, nb::handle x_given, nb::handle y_given) : x(x_given, "x"), y(y_given, "y") {
            examples = {x.data(), y.data(), x.ndim() ? long(x.dims()[0]) : 0};
            of.require("x", {examples.count, of.shape_.inputs()}, x);
            of.require("y", {examples.count, of.shape_.outputs()}, y);
        }
        Input x, y;
        Examples examples;
    };

    void require(const char* what, std::initializer_list<long> shape, const Input& given) const {
        if (given.ndim() != int(shape.size()) || !std::equal(shape.begin(), shape.end(), given.dims()))
            refuse(what, shape, given);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const char* what, std::initializer_list<long> shape,
                                                              const Input& given) {
        const std::vector<npy_intp> wanted(shape.begin(), shape.end());
        raise("ShapeError", std::string(what) + " must have shape " + shape_text(int(wanted.size()), wanted.data()) +
                                "; got " + given.shape());
    }
    static nb::object copied(const Input& given, double** data) {
        nb::object made = new_array(given.dims(), given.ndim(), {}, data);
        std::memcpy(*data, given.data(), std::size_t(product(given.dims(), given.ndim())) * sizeof(double));
        return made;
    }
    // Share networks between threads, in multiples of a register's lanes.
    template <class Work> static void shared(long starts, nb::handle threads_given, const Work& work) {
        int threads = thread_count(threads_given);
        if (threads == 0) threads = int(std::max(1u, std::thread::hardware_concurrency()));
        const Released release;
        parallel_rows(starts, LIMBIK_WIDTH, threads, work);
    }

    PerceptronShape shape_;
};

void bind_perceptrons(nb::module_& m) {
    nb::class_<Perceptrons>(m, "PerceptronKernel",
                            "Perceptrons of one shape: their outputs, and the training of several at a time.")
        .def(nb::init<const std::vector<int>&, bool>(), nb::arg("layers"), nb::arg("linear") = false)
        .def("outputs", &Perceptrons::outputs, nb::arg("weights"), nb::arg("x"),
             nb::sig("def outputs(self, weights: object, x: object) -> Array"))
        .def("back_propagate", &Perceptrons::back_propagate, nb::arg("weights"), nb::arg("changes"), nb::arg("x"),
             nb::arg("y"), nb::arg("keys"), nb::arg("first"), nb::arg("epochs"), nb::arg("rate"), nb::arg("momentum"),
             nb::arg("shuffled"), nb::arg("threads") = 0,
             nb::sig(
                 "def back_propagate(self, weights: object, changes: object, x: object, y: object, keys: "
                 "Sequence[int], first: int, "
                 "epochs: int, rate: float, momentum: float, shuffled: bool, threads: int = 0) -> tuple[Array, Array]"))
        .def("marquardt", &Perceptrons::marquardt, nb::arg("weights"), nb::arg("damping"), nb::arg("x"), nb::arg("y"),
             nb::arg("iterations"), nb::arg("easier"), nb::arg("harder"), nb::arg("least"), nb::arg("most"),
             nb::arg("threads") = 0,
             nb::sig("def marquardt(self, weights: object, damping: object, x: object, y: object, iterations: int, "
                     "easier: float, "
                     "harder: float, least: float, most: float, threads: int = 0) -> tuple[Array, Array, Array]"))
        .def("slope", &Perceptrons::slope, nb::arg("weights"), nb::arg("x"), nb::arg("y"),
             nb::sig("def slope(self, weights: object, x: object, y: object) -> tuple[float, Array]"))
        .def_prop_ro("weights", &Perceptrons::weights);
}

}  // namespace limbik::bindings
