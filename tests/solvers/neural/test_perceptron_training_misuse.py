"""Misuse of the training of perceptrons: errors name the remedy."""

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
from test_perceptron import sines

import limbik as lk
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron

GOOD = ((1, 6, 4, 1), ((0,), (np.pi,)), ((0,), (1,)))


@pytest.mark.parametrize(
    "options",
    [
        {"rate": 0.0},
        {"rate": np.nan},
        {"rate": np.inf},
        {"momentum": 1.0},
        {"momentum": -0.1},
        {"order": "x"},
        {"seed": -1},
    ],
)
def test_invalid_settings_are_refused(options):
    with pytest.raises(lk.BadOption):
        BackPropagation(**options)


@pytest.mark.parametrize("options", [{"damping": 0.0}, {"damping": np.nan}, {"easier": 1.0}, {"harder": 1.0}])
def test_invalid_dampings_are_refused(options):
    with pytest.raises(lk.BadOption):
        MarquardtTraining(**options)


def test_invalid_training_is_refused():
    networks, x, y = sines(2)
    stranger = Perceptron.random((1, 5, 1), ((0,), (np.pi,)), ((0,), (1,)))
    for nets in ([], [networks[0], stranger]):
        with pytest.raises(lk.BadOption):
            BackPropagation().begin(nets, x, y)
        with pytest.raises(lk.BadOption):
            MarquardtTraining().train_all(nets, x, y, 1)
    with pytest.raises(lk.BadOption):
        best_of([], x, y)
    for count in (-1, 1.5, True):
        with pytest.raises(lk.BadOption):
            BackPropagation().train(networks[0], x, y, count)
        with pytest.raises(lk.BadOption):
            MarquardtTraining().train(networks[0], x, y, count)
    with pytest.raises(lk.BadOption, match="BackPropagation"):
        MarquardtTraining().train(Perceptron.random((1, 400, 400, 1), *GOOD[1:]), x, y, 1)
    with pytest.raises(lk.BadOption, match="threads"):
        BackPropagation().begin(networks, x, y, -1).run(1)


def test_a_rate_that_makes_the_weights_diverge_is_reported():
    (network,), x, y = sines(1, output="linear")
    with pytest.raises(lk.BadOption, match="smaller"):
        BackPropagation(rate=1e3).train(network, x, y, 200)


def test_the_examples_of_the_page_print_what_it_shows():
    text = (Path(__file__).parents[3] / "docs" / "perceptrons.md").read_text()
    ((code, output),) = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.S)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "perceptrons.md", "exec"), {})
    assert printed.getvalue() == output
