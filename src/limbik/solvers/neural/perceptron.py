"""A multi-layer perceptron as in Guez and Ahmad: weights, and the scales of inputs and outputs.

A unit gives tanh of the weighted sum of the previous layer plus a bias: the symmetric sigmoid, 2 / (1 + exp(-2 s)) - 1.
(The paper's reference has a sigmoid between -1/2 and 1/2; outputs up to 0.9 require one between -1 and 1.) The
paper's "three layer perceptron" has two hidden layers and an output layer; the inputs do not count as a layer.

Inputs are scaled from their range to -1 .. 1, and outputs from theirs to -level .. level, 0.9 in the paper: a sigmoid would need
infinite weights for 1. The output layer has tanh like the others, or is "linear". A linear output can exceed its level, which
matters if a mapping is steepest at its end, as for a stretched arm.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np

from limbik._core import PerceptronKernel
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import LARGEST, Array, numbers
from limbik.model.record import Record

# Range -LEVEL .. LEVEL of trained outputs, and -SPREAD .. SPREAD of initial weights.
LEVEL, SPREAD = 0.9, 0.5
OUTPUTS = ("tanh", "linear")
# Largest number of weights.
MOST_WEIGHTS = 1_000_000
# Key that separates the random numbers of weights from others with the same seed.
_STREAM = 8


@dataclass(frozen=True, eq=False)
class Perceptron(Record):
    """A callable network.

    layers: units, the inputs first. x_range, y_range: (2, inputs) and (2, outputs), the least and greatest value of each.
    weights: (k,), layer by layer, unit by unit, first those of its inputs, then its bias. output: of the last layer, "tanh" or
    "linear". level: the ends of y_range as outputs of the last layer.
    """

    layers: tuple[int, ...]
    x_range: Array
    y_range: Array
    weights: Array
    output: str = "tanh"
    level: float = LEVEL
    kernel: PerceptronKernel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", _layers(self.layers))
        if self.output not in OUTPUTS:
            raise BadOption(f"output must be one of {', '.join(OUTPUTS)}; got {shown(self.output)}")
        if not 0.0 < self.level < np.inf or (self.output == "tanh" and self.level >= 1.0):
            raise BadOption(f"level must lie between 0 and 1, which tanh never reaches; got {shown(self.level)}")
        object.__setattr__(self, "x_range", _range(self.x_range, self.layers[0], "x_range"))
        object.__setattr__(self, "y_range", _range(self.y_range, self.layers[-1], "y_range"))
        object.__setattr__(self, "weights", finite(self.weights, (weight_count(self.layers),), "weights"))
        object.__setattr__(self, "kernel", PerceptronKernel(list(self.layers), self.output == "linear"))
        super().__post_init__()

    def _parts(self) -> tuple[Any, ...]:
        return super()._parts()[:-1]  # the kernel is derived from the other fields

    @classmethod
    def random(
        cls,
        layers: Sequence[int],
        x_range: Any,
        y_range: Any,
        *,
        output: str = "tanh",
        spread: float = SPREAD,
        seed: int = 0,
        start: int = 0,
    ) -> Self:
        """Return an untrained network: random weights between -spread and spread, keyed by seed and start."""
        sizes = _layers(layers)
        if not 0.0 <= spread < np.inf:
            raise BadOption(f"spread must be 0 or more; got {shown(spread)}")
        rng = np.random.default_rng([whole(seed, "seed"), whole(start, "start"), _STREAM])
        weights = rng.uniform(-spread, spread, weight_count(sizes)) if spread else np.zeros(weight_count(sizes))
        return cls(sizes, x_range, y_range, weights, output)

    def __call__(self, x: Any) -> Array:
        """Return the outputs (..., outputs) for inputs (..., inputs), both in their own units. Raises ShapeError, NotFinite."""
        low, high = self.y_range
        with np.errstate(over="ignore", invalid="ignore"):
            y = self.kernel.outputs(self.weights, self.scaled(numbers(x, "x must be numbers")))
            found = np.asarray((y / self.level + 1.0) * (0.5 * (high - low)) + low)
        if not np.isfinite(found).all():
            raise NotFinite("x holds NaN, infinity or a number too large to compute with")
        return found

    def scaled(self, x: Array) -> Array:
        """Return inputs scaled for the first layer. Raises ShapeError."""
        if x.ndim == 0 or x.shape[-1] != self.layers[0]:
            raise ShapeError(f"x must have shape (..., {self.layers[0]}); got {x.shape}")
        low, high = self.x_range
        return np.asarray((x - low) * (2.0 / (high - low)) - 1.0)

    def wanted(self, y: Array) -> Array:
        """Return outputs scaled as targets of the last layer."""
        low, high = self.y_range
        return np.asarray(self.level * ((y - low) * (2.0 / (high - low)) - 1.0))

    def with_weights(self, weights: Array) -> Self:
        """Return the same network with other weights."""
        return type(self)(self.layers, self.x_range, self.y_range, weights, self.output, self.level)

    def examples(self, x: Any, y: Any) -> tuple[Array, Array]:
        """Return scaled examples (k, inputs) and (k, outputs) for training. Raises ShapeError, NotFinite."""
        rows = numbers(x, "x must be numbers")
        if rows.ndim != 2 or not len(rows):
            raise ShapeError(f"examples have x of shape (k, {self.layers[0]}) with at least one row; got {rows.shape}")
        inputs = finite(rows, (len(rows), self.layers[0]), "x")
        return self.scaled(inputs), self.wanted(finite(y, (len(rows), self.layers[-1]), "y"))

    def square(self, x: Any, y: Any) -> float:
        """Return the mean square error at examples, in the scale of training."""
        inputs, outputs = self.examples(x, y)
        return float(np.mean((self.kernel.outputs(self.weights, inputs) - outputs) ** 2))


def weight_count(layers: Sequence[int]) -> int:
    """Return the number of weights of a network with these layers, including biases."""
    return sum((n + 1) * m for n, m in pairwise(layers))


def finite(values: Any, shape: tuple[int, ...], what: str) -> Array:
    """Return numbers of this shape. Raises NotNumeric, ShapeError, NotFinite."""
    array = numbers(values, f"{what} must be numbers")
    if array.shape != shape:
        raise ShapeError(f"{what} must have shape {shape}; got {array.shape}")
    if not (np.abs(array) <= LARGEST).all():
        raise NotFinite(f"{what} holds NaN, infinity or a number too large to compute with")
    return array


def _layers(layers: Any) -> tuple[int, ...]:
    good = isinstance(layers, Sequence | np.ndarray) and len(layers) >= 2 and not isinstance(layers, str)
    if not good or not all(isinstance(n, int | np.integer) and not isinstance(n, bool) and n >= 1 for n in layers):
        raise BadOption(
            f"layers must be two or more whole numbers, 1 or more each, e.g. (2, 10, 10, 2); got {shown(layers)}"
        )
    sizes = tuple(int(n) for n in layers)
    if weight_count(sizes) > MOST_WEIGHTS:
        raise BadOption(f"layers {sizes} have {weight_count(sizes)} weights; at most {MOST_WEIGHTS} are possible")
    return sizes


def _range(ends: Any, count: int, what: str) -> Array:
    array = finite(ends, (2, count), what)
    if not (array[1] - array[0] >= 1.0 / LARGEST).all():
        raise BadOption(f"{what}: each least value must be below the greatest; got {shown(array.tolist())}")
    return array


def whole(value: Any, what: str) -> int:
    """Return a count. Raises BadOption."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise BadOption(f"{what} must be a whole number, 0 or more; got {shown(value)}")
    return int(value)
