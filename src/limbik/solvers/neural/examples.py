"""Where examples come from: targets and postures that reach them.

Postures drawn at random in the limits cost nothing, so that every step of training has new ones. Examples from a file, or chosen
among the postures of a target by a wish, are kept and drawn from.
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

# What the steps of training, the look at them and the beginning draw from: streams of chance that never meet.
TRAINING, LOOKING, BEGINNING = 1, 2, 3
# The part of kept examples that is looked at and not learned from, and how many that is at the most.
HELD_BACK, MOST_HELD = 0.1, 4096
# A rotation that deviates from an exact one by less is left as it is, unless it stands farther away than this [m].
ROUNDING, FAR = 1e-14, 1e50
# Targets farther away than this many lengths of the arm are no targets of it.
BEYOND = 2.0


class Examples(Protocol):
    """Examples, as many as wanted. The same seed, stream and step give the same ones."""

    @property
    def identity(self) -> str:
        """What decides them, beside the chain."""
        ...

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n)."""
        ...


@dataclass(frozen=True)
class Drawn:
    """Postures at random in the limits of a chain. scale: how far slides without limits go [m]."""

    model: Model
    scale: float

    @property
    def identity(self) -> str:
        """They depend on the chain alone."""
        return "drawn"

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n)."""
        rng = np.random.default_rng([seed, stream, step])
        q = self.model.ranges.sample(rng, count, self.scale)
        return self.model.kernel.forward(q), q


@dataclass(frozen=True)
class Kept:
    """Examples that there are: targets (N, 4, 4), postures (N, n). Some are held back, to look at how well the others taught."""

    T: Array
    q: Array

    @property
    def identity(self) -> str:
        """A digest of all of them."""
        return hashlib.sha256(self.T.tobytes() + self.q.tobytes()).hexdigest()

    @property
    def _held(self) -> int:
        return min(MOST_HELD, max(1, round(HELD_BACK * len(self.q))))

    @cached_property
    def _orders(self) -> dict[int, npt.NDArray[np.int64]]:
        return {}

    def _order(self, seed: int) -> npt.NDArray[np.int64]:
        """Return the examples in an order of chance; the first are those held back."""
        if seed not in self._orders:
            self._orders[seed] = np.random.default_rng([seed, LOOKING]).permutation(len(self.q))
        return self._orders[seed]

    def draw(self, seed: int, stream: int, step: int, count: int) -> tuple[Array, Array]:
        """Return targets (count, 4, 4) and postures (count, n); as many as are held back, where these are looked at."""
        order = self._order(seed)
        if stream == LOOKING:
            chosen = order[: self._held]
        else:
            rest = order[self._held :] if len(order) > self._held else order
            chosen = rest[np.random.default_rng([seed, stream, step]).integers(len(rest), size=count)]
        return self.T[chosen], self.q[chosen]


def kept(model: Model, T: Any, q: Any, *, places: bool) -> Kept:
    """Return examples that the caller has: targets (N, 4, 4), or places (N, 3), and postures (N, n).

    Where a posture does not reach its target nothing is learned that helps, but that is the caller's to know: a model and the
    machine that examples come from differ. Raises ShapeError, NotFinite, NotRigid.
    """
    targets = numbers(T, "the targets of examples are numbers")
    postures = numbers(q, "the postures of examples are numbers")
    if targets.ndim == 2 and targets.shape[1:] == (3,):
        if not places:
            raise BadOption(
                "these examples have places for targets, and no turn: a network of places has places=True (--places)"
            )
        points, targets = targets, np.tile(np.eye(4), (len(targets), 1, 1))
        targets[:, :3, 3] = points
    if targets.ndim != 3 or targets.shape[1:] != (4, 4) or postures.shape != (len(targets), model.n):
        raise ShapeError(
            f"examples for '{model.name}' are targets (N, 4, 4), or places (N, 3), and postures (N, {model.n}); "
            f"got {targets.shape} and {postures.shape}"
        )
    if len(postures) < FEWEST:
        raise ShapeError(f"{len(postures)} examples are too few to learn from: give {FEWEST} or more")
    if not np.isfinite(postures).all():
        raise NotFinite(f"the posture of example {int(np.argmin(np.isfinite(postures).all(1)))} holds NaN or infinity")
    if (far := np.abs(postures).max(axis=1) > FARTHEST_LIMIT).any():
        raise BadOption(f"the posture of example {int(far.argmax())} lies beyond any joint; is its unit right?")
    checked = _rigid(targets)
    away = np.linalg.norm(checked[:, :3, 3], axis=1) > BEYOND * model.reach.from_base
    if math.isfinite(model.reach.span) and away.mean() > 0.5:
        raise BadOption(
            f"most targets lie farther away than '{model.name}' is long; are they in metres, and seen from its base?"
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
        turned = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max((1, 2)) <= tolerance
        good = turned & (np.linalg.det(R) > 0) & (T[:, 3] == (0, 0, 0, 1)).all(1)
    return np.asarray(good & (np.abs(T) < FAR).all((1, 2)))
