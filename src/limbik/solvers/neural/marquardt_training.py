"""Levenberg and Marquardt's method for the weights of a perceptron (Hagan and Menhaj 1994).

What takes thousands of epochs of back-propagation takes dozens of iterations. All examples count at once. With r = output -
target of every example and J = dr/dw, a step solves

    (J'J + m I) dw = -J'r.

A step that lowers the sum of squares is taken and m shrinks, otherwise m grows and the weights stay: the sum never grows. An
iteration costs a matrix of k x k for k weights, so it is for small networks. Several starts are trained at once, a network in
each lane of a register, and the best is chosen by other examples than those it was trained with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik._core import WIDTH
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.solvers.neural.backpropagation import Progress, alike
from limbik.solvers.neural.perceptron import Perceptron, whole

# Multiplications for the matrix that are done in one call of the core, about a fifth of a second: then Ctrl-C is heard.
AT_ONCE = 400_000_000
# Networks with more weights are left to back-propagation: the matrix would fill the memory.
MOST_WEIGHTS = 1000
# The bounds of m.
LEAST_DAMPING, MOST_DAMPING = 1e-15, 1e8


@dataclass(frozen=True)
class MarquardtTraining:
    """How to train. damping: m at first. easier, harder: what m is multiplied by after a success and a failure."""

    damping: float = 0.01
    easier: float = 0.3
    harder: float = 3.0

    def __post_init__(self) -> None:
        if not LEAST_DAMPING <= self.damping < MOST_DAMPING:
            raise BadOption(
                f"damping must lie between {LEAST_DAMPING:g} and {MOST_DAMPING:g}; got {shown(self.damping)}"
            )
        if not (0.0 < self.easier < 1.0 < self.harder < np.inf):
            raise BadOption(f"easier must be below 1 and harder above; got {shown(self.easier)}, {shown(self.harder)}")

    def train(
        self, network: Perceptron, x: Array, y: Array, iterations: int, progress: Progress | None = None
    ) -> Perceptron:
        """Return the network after so many iterations with examples x (k, inputs), y (k, outputs)."""
        return self.train_all([network], x, y, iterations, progress)[0]

    def train_all(
        self,
        networks: Sequence[Perceptron],
        x: Array,
        y: Array,
        iterations: int,
        progress: Progress | None = None,
        threads: int = 0,
    ) -> list[Perceptron]:
        """Train networks of one shape side by side. progress(done, iterations) is called now and then."""
        begun, steps = alike(networks), whole(iterations, "iterations")
        count = len(begun[0].weights)
        if count > MOST_WEIGHTS:
            raise BadOption(
                f"{count} weights are too many for this method, {MOST_WEIGHTS} are taken; use BackPropagation"
            )
        inputs, outputs = begun[0].examples(x, y)
        weights = np.array([network.weights for network in begun])
        damping = np.full(len(begun), self.damping)
        work = outputs.size * count * (count + 1) // 2 * -(-len(begun) // WIDTH)
        piece = max(1, AT_ONCE // work)
        done = 0
        while done < steps and (damping < MOST_DAMPING).any():
            now = min(piece, steps - done)
            weights, damping, _ = begun[0].kernel.marquardt(
                weights, damping, inputs, outputs, now, self.easier, self.harder, LEAST_DAMPING, MOST_DAMPING, threads
            )
            done += now
            if progress is not None:
                progress(done, steps)
        return [network.with_weights(row) for network, row in zip(begun, weights, strict=True)]


def best_of(networks: Sequence[Perceptron], x: Array, y: Array) -> int:
    """Return which network misses examples that it was not trained with by the least mean square."""
    if not networks:
        raise BadOption("there is no network to choose from: give at least one")
    return int(np.argmin([network.square(x, y) for network in networks]))
