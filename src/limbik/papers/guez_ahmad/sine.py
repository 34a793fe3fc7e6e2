"""The sine from 0 to pi (figure 2): eight and four hidden units, by back-propagation and by Levenberg-Marquardt."""

from functools import partial

import numpy as np

from limbik.papers.claim import Claim, at_most
from limbik.papers.guez_ahmad.figures import draw_sine
from limbik.papers.guez_ahmad.printed import SINE_MAX, SINE_MEAN
from limbik.papers.guez_ahmad.tabled import tabled
from limbik.papers.guez_ahmad.training import ITERATIONS, PAPER, QUICK_ITERATIONS, SOON, starts
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.neural.backpropagation import BackPropagation
from limbik.solvers.neural.marquardt_training import MarquardtTraining, best_of
from limbik.solvers.neural.perceptron import Perceptron

LAYERS = (1, 8, 4, 1)
X_RANGE, Y_RANGE = ((0.0,), (np.pi,)), ((0.0,), (1.0,))
# The numbers of examples, of validation points, which choose a start, and of test points.
EXAMPLES, CHOOSING, TESTED = 50, 176, 1001
EPOCHS = (SOON, PAPER, 50_000)


def measure(setting: Setting) -> Findings:
    """Train, and measure the errors."""
    x, tested = (np.linspace(0.0, np.pi, count)[:, None] for count in (EXAMPLES, TESTED))
    between = (np.arange(CHOOSING)[:, None] + 0.5) * np.pi / CHOOSING
    kept = {}
    values: dict[str, float] = {}
    networks = [Perceptron.random(LAYERS, X_RANGE, Y_RANGE, start=k) for k in range(starts(setting))]
    training = BackPropagation().begin(networks, x, np.sin(x))
    for epochs in EPOCHS:
        training.run(epochs - training.epoch)
        missed = np.array([np.abs(network(tested) - np.sin(tested)) for network in training.networks])
        values |= {
            f"{epochs} mean": float(np.median(missed.mean(axis=(1, 2)))),
            f"{epochs} max": float(np.median(missed.max(axis=(1, 2)))),
            f"{epochs} worst": float(missed.max()),
        }
        kept[f"{epochs:,} epochs"] = training.networks[0]
    linear = [Perceptron.random(LAYERS, X_RANGE, Y_RANGE, output="linear", start=k) for k in range(starts(setting))]
    trained = MarquardtTraining().train_all(linear, x, np.sin(x), setting.size(ITERATIONS, QUICK_ITERATIONS))
    best = trained[best_of(trained, between, np.sin(between))]
    missed = np.abs(best(tested) - np.sin(tested))
    kept["Levenberg-Marquardt"] = best
    every = [float(np.abs(network(tested) - np.sin(tested)).max()) for network in trained]
    values |= {"lm mean": missed.mean(), "lm max": missed.max(), "lm median": np.median(every)}
    values["lm part"] = values["lm mean"] / values[f"{EPOCHS[-1]} mean"]
    return Findings(values, (Picture("figure_02_sine", partial(draw_sine, kept)),))


def _claims(epochs: int) -> tuple[Claim, ...]:
    line = f"{epochs:,} epochs"
    mean, most = (at_most(SINE_MEAN), at_most(SINE_MAX)) if epochs == EPOCHS[-1] else (None, None)
    return (
        tabled("sine, error", f"{epochs} mean", line, "mean, median start", "1", SINE_MEAN, mean),
        tabled("sine, error", f"{epochs} max", line, "largest, median start", "1", SINE_MAX, most),
        tabled("sine, error", f"{epochs} worst", line, "largest, worst start", "1"),
    )


LM = "sine, error by Levenberg-Marquardt"
EXPERIMENT = Experiment(
    name="sine",
    claims=(
        *(claim for epochs in EPOCHS for claim in _claims(epochs)),
        tabled(LM, "lm mean", "linear output", "mean, chosen start", "1"),
        tabled(LM, "lm max", "linear output", "largest, chosen start", "1"),
        tabled(LM, "lm median", "linear output", "largest, median start", "1"),
        Claim("lm part", f"{LM}: mean relative to back-propagation, {EPOCHS[-1]:,} epochs", "ratio", bar=at_most(1.0)),
    ),
    measure=measure,
)
