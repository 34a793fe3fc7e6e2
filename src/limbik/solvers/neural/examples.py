"""Sources of training examples: targets, and configurations (postures) that reach them.

Random postures inside the limits are cheap, so every training step uses new ones. Examples from a file, or chosen by a secondary
objective, are stored and sampled.
"""

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from limbik._core import FARTHEST_LIMIT
from limbik.errors import BadOption, NotFinite, ShapeError
from limbik.geometry.arrays import Array, numbers
from limbik.geometry.se3 import RIGID_TOLERANCE, as_pose
from limbik.model.model import Model
from limbik.solvers.neural.settings import FEWEST

# Independent random streams: training steps, validation, initialisation.
TRAINING, VALIDATION, INITIAL = 1, 2, 3
# The share of stored examples used for validation, and their largest number.
VALIDATION_SHARE, MOST_VALIDATION = 0.1, 4096
# A rotation that deviates less from an exact one is kept, unless the pose has an entry above this bound [m].
ROUNDING, FAR = 1e-14, 1e50
# Largest distance of targets, in lengths of the arm.
BEYOND = 2.0


class Examples(Protocol):
    """A source of any number of examples. The same seed, stream and step give the same examples."""

    @property
    def identity(self) -> str:
        """A text that identifies the source, besides the chain."""
        ...

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n)."""
        ...


@dataclass(frozen=True)
class Drawn:
    """Random postures inside the limits of a chain. scale: the range of unlimited prismatic joints [m]."""

    model: Model
    scale: float

    @property
    def identity(self) -> str:
        """Constant: the examples depend only on the chain."""
        return "drawn"

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n)."""
        rng = np.random.default_rng([seed, stream, step])
        q = self.model.ranges.sample(rng, count, self.scale)
        return self.model.kernel.forward(q), q


@dataclass(frozen=True)
class Kept:
    """Stored examples: targets (N, 4, 4), postures (N, n). Some are reserved for validation."""

    T: Array
    q: Array

    @property
    def identity(self) -> str:
        """A digest of all examples."""
        return hashlib.sha256(self.T.tobytes() + self.q.tobytes()).hexdigest()

    @property
    def _validation(self) -> int:
        """The number of examples for validation."""
        return min(MOST_VALIDATION, max(1, round(VALIDATION_SHARE * len(self.q))))

    @cached_property
    def _orders(self) -> dict[int, npt.NDArray[np.int64]]:
        return {}

    def _order(self, seed: int) -> npt.NDArray[np.int64]:
        """Return the examples in random order; the first are reserved for validation."""
        if seed not in self._orders:
            self._orders[seed] = np.random.default_rng([seed, VALIDATION]).permutation(len(self.q))
        return self._orders[seed]

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n); all validation examples for the validation stream."""
        order = self._order(seed)
        if stream == VALIDATION:
            chosen = order[: self._validation]
        else:
            rest = order[self._validation :] if len(order) > self._validation else order
            chosen = rest[np.random.default_rng([seed, stream, step]).integers(len(rest), size=count)]
        return self.T[chosen], self.q[chosen]


def kept(model: Model, T: Any, q: Any, *, places: bool) -> Kept:
    """Return the caller's examples: targets (N, 4, 4), or positions (N, 3), and postures (N, n).

    It is not checked whether postures reach their targets, because examples may come from a machine that differs from the model.
    Raises ShapeError, NotFinite, NotRigid.
    """
    targets = numbers(T, "the targets of examples are numbers")
    postures = numbers(q, "the postures of examples are numbers")
    if targets.ndim == 2 and targets.shape[1:] == (3,):
        if not places:
            raise BadOption(
                "these examples have positions without orientation as targets: train with places=True (--places)"
            )
        points, targets = targets, np.tile(np.eye(4), (len(targets), 1, 1))
        targets[:, :3, 3] = points
    if targets.ndim != 3 or targets.shape[1:] != (4, 4) or postures.shape != (len(targets), model.n):
        raise ShapeError(
            f"examples for '{model.name}' are targets (N, 4, 4), or positions (N, 3), and postures (N, {model.n}); "
            f"got {targets.shape} and {postures.shape}"
        )
    if len(postures) < FEWEST:
        raise ShapeError(f"{len(postures)} examples are too few for training: give {FEWEST} or more")
    if not np.isfinite(postures).all():
        raise NotFinite(f"the posture of example {int(np.argmin(np.isfinite(postures).all(1)))} holds NaN or infinity")
    if (far := np.abs(postures).max(axis=1) > FARTHEST_LIMIT).any():
        raise BadOption(f"the posture of example {int(far.argmax())} is too large for any joint; is its unit right?")
    checked = _rigid(targets)
    away = np.linalg.norm(checked[:, :3, 3], axis=1) > BEYOND * model.reach.from_base
    if math.isfinite(model.reach.span) and away.mean() > 0.5:
        raise BadOption(
            f"most targets are farther away than '{model.name}' is long; are they in metres, and in its base frame?"
        )
    return Kept(checked, np.array(postures))


def _rigid(targets: Array) -> Array:
    """Return poses with exact rotations: those written with few digits are projected. Raises as `as_pose` does, naming one."""
    checked = np.array(targets)
    for k in np.flatnonzero(~_exact(targets, RIGID_TOLERANCE)):
        checked[k] = as_pose(targets[k], f"the target of example {k}")
    rough = np.flatnonzero(~_exact(checked, ROUNDING))
    u, _, v = np.linalg.svd(checked[rough, :3, :3])
    checked[rough, :3, :3] = u @ v
    return checked


def _exact(T: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Return which matrices are rigid poses, to a tolerance."""
    R = T[:, :3, :3]
    with np.errstate(all="ignore"):
        orthogonal = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max((1, 2)) <= tolerance
        good = orthogonal & (np.linalg.det(R) > 0) & (T[:, 3] == (0, 0, 0, 1)).all(1)
    return np.asarray(good & (np.abs(T) < FAR).all((1, 2)))
