"""Batches of postures of many poses, and the interface of their source."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array

Numbers = npt.NDArray[np.int64]

# The most 2-pi copies of one posture.
MOST_COPIES = 1024


class Postures(NamedTuple):
    """Postures (configurations) of several poses.

    q: (M, n). row: (M,) the index of each one's pose. branch: (M,), -1 if unknown. key: (M,) the grid index in a family. family:
    (M,) whether it lies on a self-motion manifold at a singular pose.
    """

    q: Array
    row: Numbers
    branch: Numbers
    key: Numbers
    family: npt.NDArray[np.bool_]

    def only(self, which: Any) -> "Postures":
        """Return the postures at an index, mask or slice."""
        return Postures(self.q[which], self.row[which], self.branch[which], self.key[which], self.family[which])

    @staticmethod
    def of(parts: "Sequence[Postures]") -> "Postures":
        """Concatenate several batches."""
        q, row, branch, key, family = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Postures(q, row, branch, key, family)


class PostureSource(Protocol):
    """A source of the postures of a pose."""

    keys: int  # the number of grid indices of a family; 1 without a family
    cyclic: bool  # whether the last grid index is next to the first
    window: int  # the most grid steps between two layers
    elbow: int  # the joint whose value 0 straightens the arm, where the swivel jumps by pi; -1 for none
    weight: Array  # (n,) the weight of each joint in distances
    speed: Array  # (n,) the speed limit of each joint; inf for none
    lower: Array
    upper: Array
    revolute: npt.NDArray[np.bool_]  # (n,) whether each joint is revolute
    lists_copies: npt.NDArray[np.bool_]  # (n,) joints whose 2-pi copies are listed as separate postures
    longest_step: float  # the longest step between layers that is considered
    unchecked_step: float  # the longest step that needs no check

    def postures(self, Ts: Array) -> Postures:
        """Return every posture of some poses."""
        ...

    def near(self, T: Array, seeds: Array) -> Postures:
        """Return the postures of one pose that warm starts from some seeds find."""
        ...

    def on_self_motion(self, Ts: Array, q: Array) -> Postures:
        """Return postures on the self-motion manifolds through some postures q (k, n), which reach the poses Ts (k, 4, 4)."""
        ...

    def at_seed(self, T: Array, seed: Array) -> Postures:
        """Return the seed itself if it reaches a pose and is allowed, else nothing."""
        ...

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Return which postures continue smoothly to a pose, but only outside the limits."""
        ...


def thinned(q: Any, most: int) -> Any:
    """Return at most `most` rows, evenly spaced."""
    return q if len(q) <= most else q[np.linspace(0, len(q) - 1, most).round().astype(int)]


def with_copies(nodes: Postures, lower: Array, upper: Array, joints: npt.NDArray[np.bool_]) -> tuple[Postures, Numbers]:
    """Return all 2-pi copies of the postures inside the limits, and the row of each one's original.

    joints: (n,) the joints that are shifted.
    """
    limited = np.flatnonzero(joints)
    low = np.ceil((lower[limited] - nodes.q[:, limited]) / TURN - 1e-9).astype(np.int64)
    high = np.floor((upper[limited] - nodes.q[:, limited]) / TURN + 1e-9).astype(np.int64)
    choices = [range(a, b + 1) for a, b in zip(low.min(axis=0, initial=0), high.max(axis=0, initial=0), strict=True)]
    q, rows = [], []
    for shift in itertools.islice(itertools.product(*choices), MOST_COPIES):
        by = np.array(shift)
        fits = np.flatnonzero(((by >= low) & (by <= high)).all(axis=1))
        moved = np.array(nodes.q[fits])
        moved[:, limited] += TURN * by
        q.append(np.clip(moved, lower, upper))
        rows.append(fits)
    which = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    order = np.argsort(which, kind="stable")
    which = which[order]
    copies = np.concatenate(q)[order] if q else np.zeros((0, nodes.q.shape[1]))
    return Postures(copies, nodes.row[which], nodes.branch[which], nodes.key[which], nodes.family[which]), which
