"""Perceptrons agree with the formula, descend the gradient, and train independently of networks beside them."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

import limbik as lk
from limbik._core import PerceptronKernel
from limbik.solvers.neural import backpropagation, marquardt_training
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron, weight_count

UNIT = ((-1.0,), (1.0,))


def matrices(layers, weights):
    """The weights as (m, n + 1) matrices, the bias last."""
    found = []
    for n, m in pairwise(layers):
        found.append(weights[: (n + 1) * m].reshape(m, n + 1))
        weights = weights[(n + 1) * m :]
    return found


def reference(layers, weights, x, linear):
    """Return the outputs of all layers, from the definition."""
    answers = [x]
    parts = matrices(layers, weights)
    for k, W in enumerate(parts):
        s = answers[-1] @ W[:, :-1].T + W[:, -1]
        answers.append(s if linear and k == len(parts) - 1 else np.tanh(s))
    return answers


def reference_epoch(layers, weights, changes, x, y, rate, momentum, linear):
    """One epoch of back-propagation in the order given, matrix by matrix."""
    for xi, yi in zip(x, y, strict=True):
        answers = reference(layers, weights, xi, linear)
        parts = matrices(layers, weights)
        d = (yi - answers[-1]) * (1.0 if linear else 1.0 - answers[-1] ** 2)
        gradient = []
        for W, below in zip(reversed(parts), reversed(answers[:-1]), strict=True):
            gradient.insert(0, np.outer(d, [*below, 1.0]).ravel())
            d = (d @ W[:, :-1]) * (1.0 - below**2)
        changes = rate * np.concatenate(gradient) + momentum * changes
        weights = weights + changes
    return weights, changes


def problem(rng, layers, count=12, linear=False):
    """Random weights and examples."""
    w = rng.uniform(-0.8, 0.8, weight_count(layers))
    return w, rng.uniform(-1, 1, (count, layers[0])), rng.uniform(-0.9, 0.9, (count, layers[-1]))


def sines(count, **options):
    """Networks for the sine from 0 to pi, and examples of it."""
    x = np.linspace(0.0, np.pi, 25)[:, None]
    networks = [
        Perceptron.random((1, 6, 4, 1), ((0,), (np.pi,)), ((0,), (1,)), start=k, **options) for k in range(count)
    ]
    return networks, x, np.sin(x)


def test_the_sigmoid_is_the_hyperbolic_tangent():
    kernel = PerceptronKernel([1, 1], False)
    x = np.concatenate([np.linspace(-25, 25, 4001), np.geomspace(1e-300, 1.0, 500), [-1e308, 1e308, 0.0, np.inf]])
    np.testing.assert_allclose(kernel.outputs([1.0, 0.0], x[:, None])[:, 0], np.tanh(x), rtol=2e-15, atol=0)
    assert np.isnan(kernel.outputs([1.0, 0.0], [np.nan])).all()


@pytest.mark.parametrize("layers", [(2, 3), (1, 8, 4, 1), (3, 7, 2), (2, 10, 10, 2)])
@pytest.mark.parametrize("linear", [False, True])
def test_outputs_are_those_of_the_formula_for_any_batch(rng, layers, linear):
    w, x, _ = problem(rng, layers, 21)
    kernel = PerceptronKernel(list(layers), linear)
    y = kernel.outputs(w, x)
    np.testing.assert_allclose(y, reference(layers, w, x, linear)[-1], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(kernel.outputs(w, x.reshape(3, 7, -1)), y.reshape(3, 7, -1))
    for row, expected in zip(x, y, strict=True):
        np.testing.assert_array_equal(kernel.outputs(w, row), expected)
    assert kernel.outputs(w, np.empty((0, layers[0]))).shape == (0, layers[-1])


@pytest.mark.parametrize("layers", [(2, 3), (2, 10, 10, 2), (3, 4, 5, 6, 1)])
@pytest.mark.parametrize("linear", [False, True])
def test_the_gradient_agrees_with_finite_differences(rng, layers, linear):
    w, x, y = problem(rng, layers)
    kernel = PerceptronKernel(list(layers), linear)
    value, slope = kernel.slope(w, x, y)
    assert value == pytest.approx(((reference(layers, w, x, linear)[-1] - y) ** 2).sum(), rel=1e-13)
    step = 1e-6
    for k in range(len(w)):
        ahead, behind = np.array(w), np.array(w)
        ahead[k] += step
        behind[k] -= step
        difference = (kernel.slope(ahead, x, y)[0] - kernel.slope(behind, x, y)[0]) / (2 * step)
        assert slope[k] == pytest.approx(difference, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("linear", [False, True])
def test_back_propagation_agrees_with_the_textbook(rng, linear):
    layers = (2, 5, 4, 2)
    w, x, y = problem(rng, layers)
    kernel = PerceptronKernel(list(layers), linear)
    got, changes = kernel.back_propagate(w[None], np.zeros((1, len(w))), x, y, [1], 0, 7, 0.1, 0.4, False)
    expected, last = w, np.zeros_like(w)
    for _ in range(7):
        expected, last = reference_epoch(layers, expected, last, x, y, 0.1, 0.4, linear)
    np.testing.assert_allclose(got[0], expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(changes[0], last, rtol=0, atol=1e-12)


def test_a_shuffled_epoch_uses_every_example_once(rng):
    """At a tiny rate the order does not matter, and an epoch is a gradient step of the sum over all examples."""
    layers = (2, 5, 2)
    w, x, y = problem(rng, layers, 30)
    kernel = PerceptronKernel(list(layers), False)
    got, _ = kernel.back_propagate(w[None], np.zeros((1, len(w))), x, y, [3], 0, 1, 1e-7, 0.0, True)
    np.testing.assert_allclose((got[0] - w) / 1e-7, -0.5 * kernel.slope(w, x, y)[1], rtol=0, atol=1e-4)
    epochs = [kernel.back_propagate(w[None], np.zeros((1, len(w))), x, y, [3], e, 1, 0.1, 0.0, True)[0] for e in (0, 1)]
    given = kernel.back_propagate(w[None], np.zeros((1, len(w))), x, y, [3], 0, 1, 0.1, 0.0, False)[0]
    assert (epochs[0] != epochs[1]).any() and (epochs[0] != given).any()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_network_does_not_depend_on_networks_trained_with_it(threads):
    networks, x, y = sines(11)
    course = BackPropagation().begin(networks, x, y, threads)
    course.run(30)
    trained = MarquardtTraining().train_all(networks, x, y, 6, threads=threads)
    for k in (0, 7, 10):
        assert course.networks[k] == BackPropagation().train(networks[k], x, y, 30)
        assert trained[k] == MarquardtTraining().train(networks[k], x, y, 6)


def test_training_in_pieces_equals_training_at_once(monkeypatch):
    networks, x, y = sines(3)
    whole = BackPropagation().begin(networks, x, y)
    whole.run(40)
    monkeypatch.setattr(backpropagation, "AT_ONCE", 5000)
    pieces = BackPropagation().begin(networks, x, y)
    seen = []
    pieces.run(17, lambda done, epochs: seen.append((done, epochs)))
    pieces.run(23)
    assert pieces.networks == whole.networks and pieces.epoch == 40
    assert len(seen) > 3 and seen[-1] == (17, 17) and seen == sorted(seen)


def test_an_interrupt_takes_effect_between_pieces_and_nothing_is_lost(monkeypatch):
    networks, x, y = sines(2)
    monkeypatch.setattr(backpropagation, "AT_ONCE", 1)
    monkeypatch.setattr(marquardt_training, "MULTIPLICATIONS_PER_CALL", 1)

    def interrupt(done, epochs):
        if done == 3:
            raise KeyboardInterrupt

    course = BackPropagation().begin(networks, x, y)
    with pytest.raises(KeyboardInterrupt):
        course.run(10**9, interrupt)
    assert course.epoch == 3
    course.run(7)
    assert course.networks[0] == BackPropagation().train(networks[0], x, y, 10)
    with pytest.raises(KeyboardInterrupt):
        MarquardtTraining().train_all(networks, x, y, 10**9, interrupt)


def test_the_seed_decides_the_order_and_the_weights():
    (network,), x, y = sines(1)
    ways = [BackPropagation(seed=seed).train(network, x, y, 5) for seed in (0, 0, 1)]
    given = BackPropagation(order="given").train(network, x, y, 5)
    assert ways[0] == ways[1] and ways[0] != ways[2] and given not in ways
    assert sines(2)[0][1] == sines(3)[0][1] and sines(2)[0][0] != sines(2)[0][1]
    assert Perceptron.random((1, 1), UNIT, UNIT, seed=1) != Perceptron.random((1, 1), UNIT, UNIT, seed=2)


@pytest.mark.parametrize("output", ["tanh", "linear"])
def test_levenberg_marquardt_never_increases_the_error(output):
    networks, x, y = sines(9, output=output)
    kernel, (inputs, wanted) = networks[0].kernel, networks[0].examples(x, y)
    w, damping = np.array([n.weights for n in networks]), np.full(9, 0.01)
    before = np.array([kernel.slope(row, inputs, wanted)[0] for row in w])
    first = before
    for _ in range(40):
        w, damping, value = kernel.marquardt(w, damping, inputs, wanted, 1, 0.3, 3.0, 1e-15, 1e8)
        assert (value <= before).all()
        np.testing.assert_allclose(value, [kernel.slope(row, inputs, wanted)[0] for row in w], rtol=1e-12)
        before = value
    assert (before < 1e-2 * first).all()


def test_levenberg_marquardt_ends_at_zero_error():
    """Examples of the network itself: no step can lower 0."""
    (network,), x, _ = sines(1, output="linear")
    calls = []
    trained = MarquardtTraining().train(network, x, network(x), 10**9, lambda done, _: calls.append(done))
    np.testing.assert_allclose(trained(x), network(x), atol=1e-12)
    assert calls[-1] < 10**9


def test_a_sine_is_learned_and_the_start_is_chosen_by_other_examples():
    networks, x, y = sines(8, output="linear")
    trained = MarquardtTraining().train_all(networks, x, y, 100)
    between = np.linspace(0.05, 3.1, 40)[:, None]
    best = best_of(trained, between, np.sin(between))
    squares = [((network(between) - np.sin(between)) ** 2).sum() for network in trained]
    assert best == int(np.argmin(squares)) and np.abs(trained[best](between) - np.sin(between)).max() < 1e-3
    assert np.abs(networks[best](between) - np.sin(between)).max() > 0.1


def test_scaling_and_its_inverse_agree():
    network = Perceptron.random((2, 3, 2), ((-3, 10), (5, 20)), ((-1, 100), (1, 300)), seed=4)
    np.testing.assert_allclose(network.scaled(np.array([[-3.0, 10.0], [5.0, 20.0]])), [[-1, -1], [1, 1]])
    np.testing.assert_allclose(network.wanted(np.array([[-1.0, 100.0], [1.0, 300.0]])), [[-0.9, -0.9], [0.9, 0.9]])
    low, high = network([[-3.0, 10.0], [5.0, 20.0]])
    assert ((low > [-1.2, 88]) & (high < [1.2, 312])).all()


def test_a_network_is_a_value():
    network = sines(1)[0][0]
    again = pickle.loads(pickle.dumps(network))
    assert again == network and (again([0.3]) == network([0.3])).all()
    with pytest.raises(ValueError, match="read-only"):
        network.weights[0] = 1.0
    weights = np.array(network.weights)
    other = network.with_weights(weights)
    weights[0] += 1.0
    assert other == network, "what the caller holds is neither kept nor changed"


@pytest.mark.parametrize(
    ("error", "layers", "x_range", "y_range", "options"),
    [
        (lk.BadOption, (1,), UNIT, UNIT, {}),
        (lk.BadOption, (1, 0, 1), UNIT, UNIT, {}),
        (lk.BadOption, (1, 2.0, 1), UNIT, UNIT, {}),
        (lk.BadOption, "12", UNIT, UNIT, {}),
        (lk.BadOption, None, UNIT, UNIT, {}),
        (lk.BadOption, (1, 10**9, 10**9, 1), UNIT, UNIT, {}),
        (lk.BadOption, (1, 1), ((1,), (1,)), UNIT, {}),
        (lk.ShapeError, (2, 1), UNIT, UNIT, {}),
        (lk.NotFinite, (1, 1), UNIT, ((0,), (np.inf,)), {}),
        (lk.errors.NotNumeric, (1, 1), UNIT, (("a",), ("b",)), {}),
        (lk.BadOption, (1, 1), UNIT, UNIT, {"output": "relu"}),
        (lk.BadOption, (1, 1), UNIT, UNIT, {"spread": -1.0}),
        (lk.BadOption, (1, 1), UNIT, UNIT, {"spread": np.nan}),
        (lk.BadOption, (1, 1), UNIT, UNIT, {"seed": -1}),
        (lk.BadOption, (1, 1), UNIT, UNIT, {"start": 0.5}),
    ],
)
def test_invalid_networks_are_refused(error, layers, x_range, y_range, options):
    with pytest.raises(error):
        Perceptron.random(layers, x_range, y_range, **options)


def test_invalid_weights_and_levels_are_refused():
    for weights in (np.zeros(3), np.full(2, np.nan)):
        with pytest.raises((lk.ShapeError, lk.NotFinite)):
            Perceptron((1, 1), UNIT, UNIT, weights)
    for level in (0.0, 1.0, np.nan):
        with pytest.raises(lk.BadOption):
            Perceptron((1, 1), UNIT, UNIT, np.zeros(2), level=level)


@pytest.mark.parametrize("x", [np.nan, [np.nan], [[1.0, 2.0]], "a", None, [1j]])
def test_invalid_inputs_are_refused(x):
    with pytest.raises((lk.NotFinite, lk.ShapeError, lk.errors.NotNumeric)):
        sines(1)[0][0](x)


@pytest.mark.parametrize("size", [1e3, 1e100, 1e300, 1.7e308, np.inf])
def test_outputs_are_finite_for_every_input(size):
    """A saturated network returns finite numbers, or raises an error if none can be computed."""
    for output in ("tanh", "linear"):
        for layers in ((1, 1), (2, 3, 2), (2, 2)):
            ranges = np.tile([[-1.0], [1.0]], layers[0]), np.tile([[-1e50], [1e50]], layers[-1])
            network = Perceptron(
                layers, *ranges, np.full(weight_count(layers), 1e50) * np.cos(range(weight_count(layers))), output
            )
            for x in (np.full(layers[0], size), np.full(layers[0], -size)):
                try:
                    assert np.isfinite(network(x)).all()
                except lk.NotFinite:
                    assert size > 1e200


def test_huge_examples_end_in_an_error_or_in_finite_numbers():
    (network,), _, _ = sines(1, output="linear")
    x, y = np.array([[1e90], [-1e90], [0.0]]), np.array([[1e99], [0.0], [-1e99]])
    assert np.isfinite(MarquardtTraining().train(network, x, y, 20).weights).all()
    with pytest.raises(lk.BadOption, match="smaller"):
        BackPropagation().train(network, x, y, 20)


BAD_EXAMPLES = [
    (lk.ShapeError, np.zeros((0, 1)), np.zeros((0, 1))),
    (lk.ShapeError, np.zeros((3, 2)), np.zeros((3, 1))),
    (lk.ShapeError, np.zeros((3, 1)), np.zeros((4, 1))),
    (lk.ShapeError, np.zeros(3), np.zeros(3)),
    (lk.NotFinite, [[np.nan]], [[0.0]]),
    (lk.NotFinite, [[0.0]], [[np.inf]]),
    (lk.errors.NotNumeric, [["a"]], [[0.0]]),
]


@pytest.mark.parametrize(("error", "x", "y"), BAD_EXAMPLES)
def test_invalid_examples_are_refused(error, x, y):
    network = sines(1)[0][0]
    with pytest.raises(error):
        BackPropagation().train(network, x, y, 1)
    with pytest.raises(error):
        MarquardtTraining().train(network, x, y, 1)
