"""Levenberg-Marquardt training of the weights of a perceptron (Hagan and Menhaj 1994).

What takes thousands of epochs of back-propagation takes dozens of iterations. All examples count at once. With r = output -
target of every example and J = dr/dw, a step solves

    (J'J + m I) dw = -J'r.

A step that lowers the sum of squares is accepted and m shrinks; otherwise m grows and the weights stay. The sum never increases.
An iteration needs a k x k matrix for k weights, so the method is for small networks. Several starts are trained at once, one
network per SIMD lane, and the best is chosen by validation examples.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik._core import WIDTH
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.solvers.neural.backpropagation import Progress, alike
from limbik.solvers.neural.perceptron import Perceptron, whole

# Multiplications for the matrix in one call of the core, about 0.2 s, so that Ctrl-C takes effect.
MULTIPLICATIONS_PER_CALL = 400_000_000
# Largest number of weights: beyond it the matrix would exceed the memory; use back-propagation.
MOST_WEIGHTS = 1000
# The bounds of m.
LEAST_DAMPING, MOST_DAMPING = 1e-15, 1e8


@dataclass(frozen=True)
class MarquardtTraining:
    """Settings. damping: the initial m. easier, harder: factors of m after an accepted and a rejected step."""

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
        """Train networks that differ only in their weights in parallel; return them in the same order.

        x: (examples, inputs), y: (examples, outputs). progress(done, iterations) is called after every few iterations; the
        training ends before `iterations` if no step lowers the sum of squares of any network. threads: 0 for all cores. Raises
        BadOption for more than MOST_WEIGHTS weights.
        """
        starts, steps = alike(networks), whole(iterations, "iterations")
        count = len(starts[0].weights)
        if count > MOST_WEIGHTS:
            raise BadOption(
                f"{count} weights are too many for this method, which takes at most {MOST_WEIGHTS}; use BackPropagation"
            )
        inputs, outputs = starts[0].examples(x, y)
        weights = np.array([network.weights for network in starts])
        damping = np.full(len(starts), self.damping)
        multiplications = outputs.size * count * (count + 1) // 2 * -(-len(starts) // WIDTH)
        per_call = max(1, MULTIPLICATIONS_PER_CALL // multiplications)
        done = 0
        while done < steps and (damping < MOST_DAMPING).any():
            piece = min(per_call, steps - done)
            weights, damping, _squares = starts[0].kernel.marquardt(
                weights, damping, inputs, outputs, piece, self.easier, self.harder, LEAST_DAMPING, MOST_DAMPING, threads
            )
            done += piece
            if progress is not None:
                progress(done, steps)
        return [network.with_weights(row) for network, row in zip(starts, weights, strict=True)]


def best_of(networks: Sequence[Perceptron], x: Array, y: Array) -> int:
    """Return the network with the least mean square error on validation examples."""
    if not networks:
        raise BadOption("there is no network to choose from: give at least one")
    return int(np.argmin([network.square(x, y) for network in networks]))
