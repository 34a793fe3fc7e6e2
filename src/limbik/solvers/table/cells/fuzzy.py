"""A fuzzy classification of a cell's postures (configurations), in the spirit of Tarokh & Keerthi 2005, cited by Kim & Tarokh.

Kim & Tarokh do not print that paper's method. This one is inferred from the word "fuzzy" alone: fuzzy c-means (Bezdek)
on (cos, sin), with the number of clusters that minimises the validity index of Xie and Beni: the spread inside clusters
over the squared distance between the nearest two centres. One cluster has no such distance; it is chosen if no larger
number has an index below a bound.

Fuzzy c-means assumes round clusters, but solutions are sheets that may bend and touch. Linkage (classes.py) classifies
more cells correctly; this file is for the comparison. If J is given, postures are first separated by the sign of det J.
"""

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.table.cells.classes import embedded, padded
from limbik.solvers.table.cells.samples import Samples, Whole

# Iterations with the usual exponent 2, and largest number of clusters per cell and sign.
ROUNDS, MOST = 30, 4
# With an index above this, one cluster is chosen: a line cut into halves has 0.08.
ONE_CLUSTER = 0.07
# Smallest squared distance to divide by.
NO_DISTANCE = 1e-12


def fuzzy(samples: Samples, turning: npt.NDArray[np.bool_], J: Array | None, most: int = MOST) -> Whole:
    """Return the label of each sample: 0, 1, ... in each cell. J as in `classes.linked`."""
    sign = np.zeros(len(samples), dtype=np.int64)
    if J is not None and J.shape[-1] == J.shape[-2]:
        sign = (np.linalg.det(J) > 0).astype(np.int64)
    group = samples.address * 2 + sign
    x, there, place = padded(embedded(samples.q, turning), group, np.arange(len(samples)))
    best = np.full(len(x), ONE_CLUSTER)
    label = np.zeros(there.shape, dtype=np.int64)
    for count in range(2, most + 1):
        found, index = _means(x, there, count)
        better = index < best
        best[better], label[better] = index[better], found[better]
    return _dense(samples.address, sign * most + label[place])


def _means(x: Array, there: npt.NDArray[np.bool_], count: int) -> tuple[Whole, Array]:
    """Return the nearest of `count` centres for each point (G, S), and the index of each group (G,)."""
    weight = there.astype(float)[..., None]
    centre = _farthest_points(x, there, count)
    for _ in range(ROUNDS):
        u2 = _memberships(x, centre) ** 2 * weight
        centre = np.swapaxes(u2, 1, 2) @ x / np.maximum(u2.sum(1), NO_DISTANCE)[..., None]
    d2 = _distances(x, centre)
    u2 = _memberships(x, centre) ** 2 * weight
    between = _distances(centre, centre) + np.where(np.eye(count, dtype=bool), np.inf, 0.0)
    nearest = np.maximum(between.min(axis=(1, 2)), NO_DISTANCE)
    index = (u2 * d2).sum((1, 2)) / (np.maximum(there.sum(1), 1) * nearest)
    enough = there.sum(1) > count
    return d2.argmin(2), np.where(enough, index, np.inf)


def _farthest_points(x: Array, there: npt.NDArray[np.bool_], count: int) -> Array:
    """Return initial centres (G, count, k): each is the point farthest from those before it."""
    rows = np.arange(len(x))
    chosen = [x[rows, there.argmax(1)]]
    far = np.where(there, np.inf, -1.0)
    for _ in range(count - 1):
        far = np.minimum(far, np.where(there, ((x - chosen[-1][:, None]) ** 2).sum(-1), -1.0))
        chosen.append(x[rows, far.argmax(1)])
    return np.stack(chosen, axis=1)


def _distances(x: Array, centre: Array) -> Array:
    return np.asarray(((x[:, :, None] - centre[:, None]) ** 2).sum(-1))


def _memberships(x: Array, centre: Array) -> Array:
    near = 1.0 / np.maximum(_distances(x, centre), NO_DISTANCE)
    return np.asarray(near / near.sum(-1, keepdims=True))


def _dense(address: Whole, label: Whole) -> Whole:
    """Return labels numbered 0, 1, ... in each cell."""
    width = int(label.max(initial=0)) + 1
    keys, place = np.unique(address * width + label, return_inverse=True)
    cell = keys // width
    first = np.r_[True, cell[1:] != cell[:-1]] if len(keys) else np.zeros(0, dtype=bool)
    start = np.maximum.accumulate(np.where(first, np.arange(len(keys)), 0)) if len(keys) else keys
    return np.asarray((np.arange(len(keys)) - start)[place])
