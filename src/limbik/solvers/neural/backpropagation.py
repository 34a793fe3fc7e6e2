"""Back-propagation with momentum, one example at a time (Rumelhart, Hinton and Williams 1986), as in the paper.

For one example the error is E = 1/2 |t - o|^2, and every weight follows the negative gradient with momentum:

    dw(k) = -rate dE/dw + momentum dw(k - 1).

An epoch uses every example once. The paper has rate 0.1 and momentum 0.4; it gives neither the number of epochs nor the order.
Here the order is shuffled for each epoch, or is the given one. The result for a network depends only on its own weights, the
examples and the settings, not on networks trained with it, the number of threads, or a division into pieces.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from limbik._core import WIDTH
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.solvers.neural.perceptron import Perceptron, whole

ORDERS = ("shuffled", "given")
# Weights times examples in one call of the core, about 0.2 s, so that Ctrl-C takes effect.
AT_ONCE = 50_000_000
# Largest weight: beyond it the training has diverged.
LARGEST_WEIGHT = 1e6

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BackPropagation:
    """Settings. order: of the examples, "shuffled" for each epoch or as "given". seed: of the shuffling."""

    rate: float = 0.1
    momentum: float = 0.4
    order: str = "shuffled"
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 < self.rate < np.inf:
            raise BadOption(f"rate must be above 0, e.g. 0.1; got {shown(self.rate)}")
        if not 0.0 <= self.momentum < 1.0:
            raise BadOption(f"momentum must be 0 or more and below 1; got {shown(self.momentum)}")
        if self.order not in ORDERS:
            raise BadOption(f"order must be one of {', '.join(ORDERS)}; got {shown(self.order)}")
        whole(self.seed, "seed")

    def train(
        self, network: Perceptron, x: Array, y: Array, epochs: int, progress: Progress | None = None
    ) -> Perceptron:
        """Return the network after so many epochs of examples x (k, inputs), y (k, outputs)."""
        run = self.begin([network], x, y)
        run.run(epochs, progress)
        return run.networks[0]

    def begin(self, networks: Sequence[Perceptron], x: Array, y: Array, threads: int = 0) -> "TrainingRun":
        """Return a training run of networks of one shape, which can be divided into any pieces."""
        return TrainingRun(self, networks, x, y, threads)


class TrainingRun:
    """A training run: the current networks and the number of epochs so far."""

    def __init__(
        self, method: BackPropagation, networks: Sequence[Perceptron], x: Array, y: Array, threads: int = 0
    ) -> None:
        self.method, self.threads, self.epoch = method, threads, 0
        self._begun = alike(networks)
        self._x, self._y = networks[0].examples(x, y)
        self._weights = np.array([network.weights for network in networks])
        self._changes = np.zeros_like(self._weights)
        self._keys = [_key(method.seed, weights) for weights in self._weights]

    def run(self, epochs: int, progress: Progress | None = None) -> None:
        """Continue the training. progress(done, epochs) is called repeatedly. Raises BadOption if the weights diverge."""
        steps = whole(epochs, "epochs")
        registers = -(-len(self._keys) // WIDTH)
        piece = max(1, AT_ONCE // (self._weights.shape[1] * len(self._x) * registers))
        done = 0
        while done < steps:
            count = min(piece, steps - done)
            self._weights, self._changes = self._begun[0].kernel.back_propagate(
                self._weights, self._changes, self._x, self._y, self._keys, self.epoch, count,
                self.method.rate, self.method.momentum, self.method.order == "shuffled", self.threads,
            )  # fmt: skip
            if not (np.abs(self._weights) <= LARGEST_WEIGHT).all():
                raise BadOption(f"with rate {self.method.rate:g} the weights diverge; use a smaller rate")
            done += count
            self.epoch += count
            if progress is not None:
                progress(done, steps)

    @property
    def networks(self) -> list[Perceptron]:
        """The current networks."""
        return [begun.with_weights(weights) for begun, weights in zip(self._begun, self._weights, strict=True)]


def alike(networks: Sequence[Perceptron]) -> list[Perceptron]:
    """Return networks that can be trained together. Raises BadOption if they differ in more than weights."""
    if not networks:
        raise BadOption("there is no network to train: give at least one")
    first = networks[0]
    if any(n.layers != first.layers or n.with_weights(first.weights) != first for n in networks[1:]):
        raise BadOption("networks that are trained together must have the same layers, ranges and output layer")
    return list(networks)


def _key(seed: int, weights: Array) -> int:
    """Return the key of the shuffling for a network with these initial weights."""
    digest = blake2b(weights.tobytes() + str(seed).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
