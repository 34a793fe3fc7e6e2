"""A network with several heads, trained on examples (inputs, posture).

A target has several postures (configurations), and a network with one output learns their mean, which is none of them. This
network therefore has several heads: each example trains mainly the head closest to its posture, and slightly the others
(Guzman-Rivera, Batra and Kohli 2012, multiple choice learning; Rupprecht et al. 2017). The heads start at cluster centres of
postures, so that each represents a branch. They share the hidden layers.

The layers are linear with x / sqrt(1 + x^2) between them, as in core/neural/network.hpp; the steps are Adam's (Kingma and Ba
2015). Numbers are single precision: training needs no more, and a matrix product takes half the time.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.neural.settings import Settings

Single = npt.NDArray[np.float32]
# The share of an example's gradient that all heads receive in equal parts, so that none stays untrained.
SHARED = np.float32(0.02)
# Rounds of clustering.
ROUNDS = 20
# Adam's two decay rates and its epsilon.
FIRST, SECOND, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
# Warm-up steps of the learning rate, for Adam's second moment.
WARM_UP = 200
# Largest number of multiplications in one product: beyond it a linear algebra library starts threads, which costs more than the
# product and delays it on a busy machine. Large products are therefore divided into parts of at least so many rows.
ONE_THREAD, FEWEST_ROWS = 1 << 18, 8


@dataclass(frozen=True)
class Scale:
    """The scaling of inputs and outputs to about 1: (value - middle) / spread. periodic: outputs with period 2 after scaling."""

    input_middle: Array
    input_spread: Array
    output_middle: Array
    output_spread: Array
    periodic: npt.NDArray[np.bool_]

    def inputs(self, x: Array) -> Single:
        """Return scaled inputs."""
        return np.asarray((x - self.input_middle) / self.input_spread, np.float32)

    def outputs(self, y: Array) -> Single:
        """Return scaled outputs (postures)."""
        return np.asarray((y - self.output_middle) / self.output_spread, np.float32)

    def wrapped(self, difference: Single) -> Single:
        """Return scaled differences of postures, periodic ones wrapped."""
        if not self.periodic.any():
            return difference
        shorter = difference - np.float32(2) * np.rint(difference / np.float32(2))
        return np.where(self.periodic, shorter, difference)


class Learner:
    """The weights of a network, and the state of its optimiser."""

    def __init__(self, scale: Scale, settings: Settings, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
        self.scale, self.settings = scale, settings
        layers = settings.layers + 1
        kept = {name: np.array(array, np.float32) for name, array in arrays.items()}
        self.weights = [kept[f"weights.{k}"] for k in range(layers)]
        self.biases = [kept[f"bias.{k}"] for k in range(layers)]
        self._first = [kept.get(f"first.{k}", np.zeros_like(p)) for k, p in enumerate(self._parameters)]
        self._second = [kept.get(f"second.{k}", np.zeros_like(p)) for k, p in enumerate(self._parameters)]

    @classmethod
    def begin(cls, scale: Scale, settings: Settings, postures: Array) -> "Learner":
        """Return an untrained network: heads at the cluster centres of postures (k, outputs)."""
        rng = np.random.default_rng([settings.seed, 0])
        each = len(scale.output_middle)
        sizes = [len(scale.input_middle), *[settings.width] * settings.layers, settings.heads * each]
        arrays: dict[str, npt.NDArray[np.generic]] = {}
        for k, (inward, outward) in enumerate(pairwise(sizes)):
            gain = 0.1 if k == settings.layers else 1.0
            arrays[f"weights.{k}"] = rng.normal(0, gain * np.sqrt(2 / inward), (inward, outward)).astype(np.float32)
            arrays[f"bias.{k}"] = np.zeros(outward, np.float32)
        arrays[f"bias.{settings.layers}"] = _centres(scale, scale.outputs(postures), settings.heads, rng).reshape(-1)
        return cls(scale, settings, arrays)

    @property
    def _parameters(self) -> list[Single]:
        return [*self.weights, *self.biases]

    @property
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The weights and biases, and the state of the optimiser."""
        found: dict[str, npt.NDArray[np.generic]] = dict(self.network)
        found |= {f"first.{k}": p for k, p in enumerate(self._first)}
        return found | {f"second.{k}": p for k, p in enumerate(self._second)}

    @property
    def network(self) -> dict[str, npt.NDArray[np.generic]]:
        """Copies of the weights and biases."""
        found: dict[str, npt.NDArray[np.generic]] = {f"weights.{k}": w.copy() for k, w in enumerate(self.weights)}
        return found | {f"bias.{k}": b.copy() for k, b in enumerate(self.biases)}

    def proposals(self, inputs: Single) -> Single:
        """Return the postures of all heads, (B, inputs) -> (B, heads, outputs), scaled."""
        return self._layers(inputs)[-1].reshape(len(inputs), self.settings.heads, -1)

    def errors(self, inputs: Single, outputs: Single) -> Single:
        """Return the squared scaled distance of the closest head from each posture: (B,)."""
        gaps = self.scale.wrapped(self.proposals(inputs) - outputs[:, None])
        return np.asarray((gaps * gaps).sum(-1).min(1))

    def learn(self, inputs: Single, outputs: Single, step: int, rate: float) -> None:
        """Take one step with examples: (B, inputs) and (B, outputs), scaled. step: counted from 1."""
        values = self._layers(inputs)
        rows, heads = len(inputs), self.settings.heads
        gaps = self.scale.wrapped(values[-1].reshape(rows, heads, -1) - outputs[:, None])
        share = np.full((rows, heads), SHARED / heads, np.float32)
        share[np.arange(rows), (gaps * gaps).sum(-1).argmin(1)] = 1 - SHARED
        self._descend(values, (gaps * share[..., None]).reshape(rows, -1) * np.float32(2 / rows), step, rate)

    def _layers(self, inputs: Single) -> list[Single]:
        """Return the input of each layer, and the output."""
        values = [inputs]
        for k, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            z = _product(values[-1], w) + b
            values.append(z if k == self.settings.layers else z / np.sqrt(1 + z * z))
        return values

    def _descend(self, values: list[Single], delta: Single, step: int, rate: float) -> None:
        """Back-propagate the gradient and take an Adam step. delta: the gradient by the outputs, (B, heads * outputs)."""
        gradients: list[Single] = [delta] * len(self._parameters)
        layers = len(self.weights)
        for k in range(layers - 1, -1, -1):
            gradients[k], gradients[layers + k] = _gradient(values[k], delta), delta.sum(0)
            if k:
                left = np.maximum(1 - values[k] * values[k], 0)  # of a = x / sqrt(1 + x^2): da/dx = (1 - a^2)^(3/2)
                delta = _product(delta, self.weights[k].T) * (left * np.sqrt(left))
        rate_now = np.float32(rate * min(1.0, step / WARM_UP))
        first_bias, second_bias = 1 - FIRST**step, 1 - SECOND**step
        for p, gradient, m, v in zip(self._parameters, gradients, self._first, self._second, strict=True):
            m += (1 - FIRST) * (gradient - m)
            v += (1 - SECOND) * (gradient * gradient - v)
            p -= rate_now * (m / first_bias) / (np.sqrt(v / second_bias) + TINY)


def _rows(count: int, size: int) -> int:
    """Return the number of rows per product with a matrix of that size; it divides `count` evenly.

    For a matrix so large that only a few rows fit, all rows go into one product.
    """
    rows = math.gcd(count, 1 << max(0, (ONE_THREAD // size).bit_length() - 1))
    return rows if rows >= FEWEST_ROWS else count


def _product(x: Single, w: Single) -> Single:
    """Return x @ w."""
    rows = _rows(len(x), w.size)
    return np.asarray(np.matmul(x.reshape(-1, rows, x.shape[1]), w)).reshape(len(x), -1)


def _gradient(x: Single, delta: Single) -> Single:
    """Return x' @ delta, the gradient by the weights of a layer with inputs x."""
    rows = _rows(len(x), x.shape[1] * delta.shape[1])
    parts = np.swapaxes(x.reshape(-1, rows, x.shape[1]), 1, 2) @ delta.reshape(-1, rows, delta.shape[1])
    return np.asarray(parts.sum(0))


def _centres(scale: Scale, outputs: Single, count: int, rng: np.random.Generator) -> Single:
    """Return cluster centres of postures (Lloyd's algorithm)."""
    centres = outputs[rng.choice(len(outputs), count, replace=len(outputs) < count)].copy()
    for _ in range(ROUNDS):
        gaps = scale.wrapped(outputs[:, None] - centres[None])
        nearest = (gaps * gaps).sum(-1).argmin(1)
        for k in range(count):
            mine = nearest == k
            if mine.any():
                centres[k] += gaps[mine, k].mean(0)
    return centres
