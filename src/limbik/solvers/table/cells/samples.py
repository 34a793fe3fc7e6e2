"""Postures (configurations) with their cell coordinates; and records, the same grouped by cell and solution."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.grid import Addresses
from limbik.solvers.table.cells.unwrap import unwrapped

Whole = npt.NDArray[np.int64]
# The label of a posture whose solution is not known yet.
UNKNOWN = -1


@dataclass(frozen=True)
class Samples:
    """M postures.

    address: (M,) of their cells. u: (M, axes) their coordinates in the grid. q: (M, joints). label: (M,) the number of
    the solution, UNKNOWN before classification.
    """

    address: Addresses
    u: Array
    q: Array
    label: Whole

    def __len__(self) -> int:
        return len(self.address)

    def where(self, keep: npt.NDArray[np.bool_] | Whole) -> "Samples":
        """Return the selected samples."""
        return Samples(self.address[keep], self.u[keep], self.q[keep], self.label[keep])

    def labelled(self, label: Whole) -> "Samples":
        """Return the samples with other labels."""
        return Samples(self.address, self.u, self.q, label)

    def at_most(self, number: int) -> "Samples":
        """Return the first `number` samples of each cell."""
        return self.where(ranks(self.address) < number)


def joined(parts: list[Samples]) -> Samples:
    """Return the samples of several parts as one."""
    return Samples(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("address", "u", "q", "label")))


def ranks(key: Whole) -> Whole:
    """Return the number of equal keys before each key, (M,) -> (M,)."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    first = np.r_[True, ordered[1:] != ordered[:-1]] if len(key) else np.zeros(0, dtype=bool)
    starts = np.flatnonzero(first)
    rank = np.empty(len(key), dtype=np.int64)
    rank[order] = np.arange(len(key)) - np.repeat(starts, np.diff(np.r_[starts, len(key)]))
    return rank


@dataclass(frozen=True)
class Records:
    """Samples grouped by cell and solution, in the order of their addresses, padded to one length S.

    address, kind: (R,) the cell and the label of the solution. u: (R, S, axes). q: (R, S, joints), unwrapped: without
    jumps of 2 pi. weight: (R, S), 1 for a sample, 0 for padding.
    """

    address: Addresses
    kind: Whole
    u: Array
    q: Array
    weight: Array

    def __len__(self) -> int:
        return len(self.address)

    def part(self, rows: slice) -> "Records":
        """Return a slice of the records."""
        return Records(self.address[rows], self.kind[rows], self.u[rows], self.q[rows], self.weight[rows])


def by_solution(samples: Samples, turning: npt.NDArray[np.bool_], least: int, most: int) -> Records:
    """Return the records of all cells: those with at least `least` samples; the first `most` samples of each are used."""
    kinds = int(samples.label.max(initial=0)) + 1
    known = samples.where(samples.label != UNKNOWN)
    key, record = np.unique(known.address * kinds + known.label, return_inverse=True)
    rank = ranks(record)
    counts = np.bincount(record, minlength=len(key))
    kept = counts >= least
    number = np.cumsum(kept) - 1
    used = kept[record] & (rank < most)
    row, place = number[record[used]], rank[used]
    shape = (int(kept.sum()), int(min(most, counts.max(initial=0))))
    u, q, weight = np.zeros((*shape, samples.u.shape[1])), np.zeros((*shape, samples.q.shape[1])), np.zeros(shape)
    u[row, place], q[row, place], weight[row, place] = known.u[used], known.q[used], 1.0
    return Records(key[kept] // kinds, key[kept] % kinds, u, unwrapped(q, weight, turning), weight)
