"""The quality of a level: its postures beside the true ones, by forward kinematics.

The paper counts a solution as found if it is valid: a record exists and its posture is inside the limits. The error is that of
the tip.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik._core import CellLevel
from limbik.geometry.arrays import Array
from limbik.papers.kim_tarokh.arms import Truth, Turns
from limbik.solvers.table.cells.samples import Whole
from limbik.solvers.table.cells.split import PLACE, WRIST, Split
from limbik.solvers.table.cells.unwrap import into_range
from limbik.solvers.table.cells.wrist import kind_of

MILLIMETRES, PERCENT = 1e3, 100.0


@dataclass(frozen=True)
class Score:
    """For each true solution: its label, whether it was found, and the error of the found posture in the paper's unit."""

    label: Whole
    found: npt.NDArray[np.bool_]
    error: Array

    def of(self, label: int) -> "Score":
        """Return the score of one solution."""
        own = self.label == label
        return Score(self.label[own], self.found[own], self.error[own])

    def below(self, bound: float) -> "Score":
        """Return the score without errors beyond a bound."""
        kept = ~(self.found & (self.error > bound))
        return Score(self.label[kept], self.found[kept], self.error[kept])

    def beyond(self, bound: float) -> float:
        """Return the share of found solutions with a larger error than a bound [%]."""
        return PERCENT * float((self.errors > bound).mean()) if self.found.any() else np.nan

    @property
    def errors(self) -> Array:
        """The errors of the found solutions."""
        return self.error[self.found]

    @property
    def success(self) -> float:
        """The share of true solutions that were found [%]."""
        return PERCENT * float(self.found.mean()) if len(self.found) else np.nan

    @property
    def mean(self) -> float:
        """The mean error."""
        return float(self.errors.mean()) if self.found.any() else np.nan

    @property
    def deviation(self) -> float:
        """The standard deviation of the errors."""
        return float(self.errors.std()) if self.found.any() else np.nan

    @property
    def median(self) -> float:
        """The median error."""
        return float(np.median(self.errors)) if self.found.any() else np.nan


def of_places(split: Split, level: CellLevel, truth: Truth, *, by_label: bool = True) -> Score:
    """Return the score of a position level [mm].

    by_label: the labels of its solutions are branch numbers. Otherwise the nearest solution counts.
    """
    m = split.joints
    q, kinds, _ = level.look(truth.u)
    q = into_range(q, split.model.ranges.home[:m], split.turning[:m])
    if by_label:
        best, exists = _of_kind(q, kinds, truth.row, truth.label)
    else:
        gap = np.abs(np.exp(1j * q[truth.row]) - np.exp(1j * truth.q[:, None])).max(axis=-1)
        gap[np.isnan(gap)] = np.inf
        best, exists = q[truth.row, gap.argmin(axis=1)], np.isfinite(gap.min(axis=1))
    inside = _inside(best, split.model.ranges.lower[:m], split.model.ranges.upper[:m])
    found = exists & inside
    error = np.full(len(best), np.nan)
    reached = split.place(best[found])[:, :PLACE]
    error[found] = MILLIMETRES * np.linalg.norm(reached - truth.u[truth.row[found], :PLACE], axis=1)
    return Score(truth.label, found, error)


def of_turns(split: Split, level: CellLevel, turns: Turns) -> Score:
    """Return the score of an orientation level, given the arm's true joints [degrees]."""
    m = split.joints
    q, kinds, _ = level.look(turns.u)
    q = into_range(q, split.model.ranges.home[-WRIST:], split.turning[-WRIST:])
    best, exists = _of_kind(q, kinds, np.arange(len(q)), kind_of(turns.q, split.wrist_axes))
    found = exists & _inside(best, split.model.ranges.lower[-WRIST:], split.model.ranges.upper[-WRIST:])
    error = np.full(len(best), np.nan)
    R = split.model.kernel.forward(np.concatenate([turns.u[found, :m], best[found]], axis=1))[:, :3, :3]
    error[found] = np.degrees(angle_between(R, turns.R[found]))
    return Score(turns.label, found, error)


def angle_between(R: Array, other: Array) -> Array:
    """Return the angle of the rotation between two rotations, (...) [rad]."""
    D = np.swapaxes(R, -1, -2) @ other
    sine = np.stack([D[..., 2, 1] - D[..., 1, 2], D[..., 0, 2] - D[..., 2, 0], D[..., 1, 0] - D[..., 0, 1]], axis=-1)
    return np.asarray(np.arctan2(np.linalg.norm(sine, axis=-1), np.trace(D, axis1=-2, axis2=-1) - 1.0))


def _of_kind(q: Array, kinds: npt.NDArray[np.int32], row: Whole, label: Whole) -> tuple[Array, npt.NDArray[np.bool_]]:
    match = kinds[row] == label[:, None]
    return q[row, match.argmax(axis=1)], np.asarray(match.any(axis=1))


def _inside(q: Array, lower: Array, upper: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(((q >= lower) & (q <= upper)).all(axis=-1))
