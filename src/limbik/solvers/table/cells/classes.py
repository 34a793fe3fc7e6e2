"""Classification of the postures (configurations) of a cell into solutions, from the postures alone.

The postures of a cell form clusters in joint space, one per solution: small cells have small clusters. Angles are compared by
(cos, sin), which is periodic. Single linkage: postures closer to each other than a threshold belong to one cluster, transitively.
The threshold is a multiple of the median nearest-neighbour distance in the cell, so it adapts to the number of samples and the
size of the cell.

Two solutions may touch: if an arm is singular inside a cell, they are two sheets of one surface, joined at a fold. Two criteria
separate them, for any chain:

- Across a fold the determinant of the Jacobian changes sign: only postures of one sign are linked. - Across two folds
at once (the outstretched Puma near its vertical axis) the sign is the same again, but some matrices on the
  line from the Jacobian A to the Jacobian B are singular: two eigenvalues of A^-1 B are negative, say -x and -y, while
  the others are near 1. Then trace(A^-1 B) is near k - 2 - x - y and trace(B^-1 A) near k - 2 - 1/x - 1/y for k joints,
  and one of them is below k - 2. On one sheet both are above it, near the fold too. Only such pairs are linked.

The paper classifies by a method of another paper (Tarokh & Keerthi 2005), which it does not print: fuzzy.py.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.samples import Samples, Whole, ranks
from limbik.solvers.table.cells.split import Split

# The threshold: this multiple of the median nearest-neighbour distance, clipped to these bounds (distances of
# `embedded`).
LINK, LEAST_LINK, MOST_LINK = 12.0, 1e-6, 0.6
# A cluster with less than this fraction of the cell's postures is a stray: its postures join the nearest larger cluster
# that is linkable within this many thresholds; otherwise the cluster remains.
STRAY, STRAY_LINK = 0.03, 3.0
# Number of pairs of postures compared at once.
WORKING_SET = 20_000_000


def embedded(q: Array, turning: npt.NDArray[np.bool_]) -> Array:
    """Return postures (..., joints) as points that are equal for 2-pi copies."""
    return np.concatenate([np.cos(q[..., turning]), np.sin(q[..., turning]), q[..., ~turning]], axis=-1)


def jacobians(split: Split, q: Array) -> Array:
    """Return the Jacobian of the cell coordinates by the joints, (M, numbers, joints)."""
    return split.forward_jacobian(q)[1] if split.whole else split.place_jacobian(q)[1]


def linked(samples: Samples, turning: npt.NDArray[np.bool_], J: Array | None, link: float = LINK) -> Whole:
    """Return the label of each sample: 0, 1, ... in each cell, the most frequent first.

    J: (M, k, k) the Jacobians that separate touching solutions; None, or not square, for distance alone.
    """
    label = np.zeros(len(samples), dtype=np.int64)
    points = embedded(samples.q, turning)
    folds = J is not None and J.shape[-1] == J.shape[-2]
    for group in _groups(samples.address):
        x, there, place = padded(points, samples.address, group)
        gap = _gaps(x, there)
        if folds and J is not None:
            gap[~_one_sheet(_spread(J[group], there, place))] = np.inf
        label[group] = _components(gap, there, link)[place]
    return label


def _spread(J: Array, there: npt.NDArray[np.bool_], place: tuple[Whole, Whole]) -> Array:
    out = np.zeros((*there.shape, *J.shape[1:]))
    out[...] = np.eye(J.shape[-1])
    out[place] = J
    return out


def _one_sheet(J: Array) -> npt.NDArray[np.bool_]:
    """Return which pairs of postures of a cell have no fold between them, (C, S, k, k) -> (C, S, S)."""
    cells, size, k, _ = J.shape
    determinant = np.linalg.det(J)
    flat = np.abs(determinant) < np.finfo(float).tiny
    inverse = np.linalg.inv(np.where(flat[..., None, None], np.eye(k), J))
    across = np.swapaxes(inverse, -1, -2).reshape(cells, size, k * k) @ np.swapaxes(J.reshape(cells, size, k * k), 1, 2)
    positive = determinant > 0
    same = positive[:, :, None] == positive[:, None]
    return np.asarray(same & (np.minimum(across, np.swapaxes(across, 1, 2)) > k - 2))


def _groups(address: Whole) -> list[Whole]:
    """Return the samples in groups of whole cells, so that all pairs within the cells of a group fit the working set."""
    order = np.argsort(address, kind="stable")
    counts = np.unique(address, return_counts=True)[1]
    most = int(counts.max(initial=1))
    step = max(1, WORKING_SET // most**2)
    ends = np.cumsum(counts)
    cuts = [0, *ends[step - 1 :: step].tolist()]
    if cuts[-1] != len(address):
        cuts.append(len(address))
    return [order[a:b] for a, b in pairwise(cuts)]


def padded(points: Array, address: Whole, group: Whole) -> tuple[Array, npt.NDArray[np.bool_], tuple[Whole, Whole]]:
    """Return the points of each cell padded to one number S, (C, S, k), their mask (C, S), and the index of each sample."""
    _, row = np.unique(address[group], return_inverse=True)
    column = ranks(row)
    shape = (int(row.max()) + 1, int(column.max()) + 1)
    out, there = np.zeros((*shape, points.shape[1])), np.zeros(shape, dtype=bool)
    out[row, column], there[row, column] = points[group], True
    return out, there, (row, column)


def _gaps(x: Array, there: npt.NDArray[np.bool_]) -> Array:
    """Return squared distances (C, S, S); infinite from a point to itself and to padding."""
    square = (x**2).sum(-1)
    gap = square[:, :, None] + square[:, None] - 2.0 * (x @ np.swapaxes(x, 1, 2))
    np.maximum(gap, 0.0, out=gap)
    gap[~(there[:, :, None] & there[:, None])] = np.inf
    own = np.arange(x.shape[1])
    gap[:, own, own] = np.inf
    return np.asarray(gap)


def _components(gap: Array, there: npt.NDArray[np.bool_], link: float) -> Whole:
    """Return the labels (C, S) of the connected components, numbered 0, 1, ... by size in each cell."""
    nearest = np.sqrt(gap.min(axis=2))
    nearest[~np.isfinite(nearest)] = np.nan
    typical = np.array([np.nanmedian(row) if np.isfinite(row).any() else 0.0 for row in nearest])
    threshold = np.clip(link * typical, LEAST_LINK, MOST_LINK) ** 2
    part = _flood_filled(gap <= threshold[:, None, None])
    part[~there] = there.shape[1]
    gap[gap > np.minimum(STRAY_LINK**2 * threshold, MOST_LINK**2)[:, None, None]] = np.inf
    return _numbered(part, gap, there)


def _flood_filled(near: npt.NDArray[np.bool_]) -> Whole:
    """Return the least index in the connected component of each point, (C, S, S) -> (C, S)."""
    cells, size = near.shape[:2]
    part = np.tile(np.arange(size), (cells, 1))
    while True:
        least = np.minimum(part, np.where(near, part[:, None], size).min(axis=2))
        # One more step: the least index known to the least neighbour.
        least = np.take_along_axis(least, least, axis=1)
        if (least == part).all():
            return part
        part = least


def _numbered(part: Whole, gap: Array, there: npt.NDArray[np.bool_]) -> Whole:
    """Return components numbered by size in each cell; strays join the nearest component within their bound."""
    out = np.zeros_like(part)
    for cell in range(len(part)):
        own = there[cell]
        names, label, counts = np.unique(part[cell][own], return_inverse=True, return_counts=True)
        small = counts < STRAY * own.sum()
        if small.any() and not small.all():
            inner = gap[cell][np.ix_(own, own)]
            stray = small[label]
            inner = np.where(stray[None], np.inf, inner)
            to, far = inner.argmin(axis=1), np.isinf(inner.min(axis=1))
            label = np.where(stray & ~far, label[to], label)
            names, label, counts = np.unique(label, return_inverse=True, return_counts=True)
        order = np.empty(len(names), dtype=np.int64)
        order[np.argsort(-counts, kind="stable")] = np.arange(len(names))
        out[cell][own] = order[label]
    return out


def quality(label: Whole, truth: Whole, address: Whole) -> dict[str, float]:
    """Return how well labels agree with the true ones, as shares of cells.

    exact: as many solutions as there are, each pure. merged: a label holds two solutions. divided: a solution has two labels.
    stray: the share of samples that are not in the largest label of their solution.
    """
    cells = np.unique(address)
    exact = merged = divided = 0
    strays = 0
    order = np.argsort(address, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(address[order])) + 1):
        pairs, counts = np.unique(np.stack([label[rows], truth[rows]]), axis=1, return_counts=True)
        mixed = len(np.unique(pairs[0])) < pairs.shape[1]
        split = len(np.unique(pairs[1])) < pairs.shape[1]
        exact += not mixed and not split
        merged += mixed
        divided += split
        strays += len(rows) - sum(int(counts[pairs[1] == k].max()) for k in np.unique(pairs[1]))
    return {
        "exact": exact / len(cells),
        "merged": merged / len(cells),
        "divided": divided / len(cells),
        "stray": strays / max(1, len(address)),
    }
