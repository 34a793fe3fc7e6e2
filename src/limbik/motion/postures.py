"""Postures of many poses in one lot, and what knows them: an arm, as the planning of courses sees it."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array

Numbers = npt.NDArray[np.int64]

# Copies of one posture by whole turns that take part.
MOST_COPIES = 1024


class Postures(NamedTuple):
    """Postures of several poses. q: (M, n). row: (M,) the pose of each. branch: (M,), -1 unknown. key: (M,) its place in a
    family. family: (M,) whether it is one of many that only rounding tells apart.
    """

    q: Array
    row: Numbers
    branch: Numbers
    key: Numbers
    family: npt.NDArray[np.bool_]

    def only(self, which: Any) -> "Postures":
        """Return some of them, or all in another order."""
        return Postures(self.q[which], self.row[which], self.branch[which], self.key[which], self.family[which])

    @staticmethod
    def of(parts: "Sequence[Postures]") -> "Postures":
        """Return several lots as one."""
        q, row, branch, key, family = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Postures(q, row, branch, key, family)


class Source(Protocol):
    """What knows the postures of a pose: an arm, seen from here."""

    keys: int
    round: bool
    window: int
    elbow: int  # the joint that makes an arm straight at 0, where a swivel turns by half at once; -1 where none does
    weight: Array  # (n,) what a unit of each joint counts
    speed: Array  # (n,) the greatest speed of each; infinite where there is no bound
    lower: Array
    upper: Array
    turning: npt.NDArray[np.bool_]
    copied: npt.NDArray[np.bool_]  # joints whose whole turns are listed as postures of their own
    # The longest step between layers that is looked at at all, and the longest that passes without a closer look.
    first: float
    passing: float

    def postures(self, Ts: Array) -> Postures:
        """Return every posture of some poses."""
        ...

    def near(self, T: Array, seeds: Array) -> Postures:
        """Return postures of one pose that are near some others."""
        ...

    def slid(self, Ts: Array, q: Array) -> Postures:
        """Return the postures that some postures can slide to with the hand held still, of each pose."""
        ...

    def at_seed(self, T: Array, seed: Array) -> Postures:
        """Return the seed itself where it reaches a pose and may be used, else nothing."""
        ...

    def leaves_limits(self, T: Array, seeds: Array) -> npt.NDArray[np.bool_]:
        """Tell which postures lead on smoothly to a pose, but only outside the limits."""
        ...


def some(q: Any, most: int) -> Any:
    """Return some of many rows, evenly apart."""
    return q if len(q) <= most else q[np.linspace(0, len(q) - 1, most).round().astype(int)]


def copied(nodes: Postures, lower: Array, upper: Array, joints: npt.NDArray[np.bool_]) -> tuple[Postures, Numbers]:
    """Return the postures with all their copies by whole turns inside the limits, and which one each is of."""
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
