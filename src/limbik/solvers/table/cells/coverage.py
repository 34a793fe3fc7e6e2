"""Even coverage of cells: targets drawn uniformly inside each cell, and every posture (configuration) that reaches them.

The tip positions of random joint values are dense where det J is small, and leave corners of cells empty. A model is
only as good as the coverage of its cell: with even coverage and equal sample numbers, the error of a linear model of
the Puma falls from 3.5 to 2.9 mm. The postures of the arm come from `solve_all`, those of the wrist from its closed
form (wrist.py). newton.py does the same for chains without a closed form.
"""

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.solvers.all_postures import all_postures, all_postures_batch
from limbik.solvers.table.cells import euler, wrist
from limbik.solvers.table.cells.grid import Addresses, Grid
from limbik.solvers.table.cells.samples import Samples, Whole, joined
from limbik.solvers.table.cells.sampling import Valid, generator
from limbik.solvers.table.cells.split import PLACE, Split
from limbik.solvers.table.cells.unwrap import into_range

# A cell with fewer postures than this fraction of its targets is at the edge of the reach: it gets this many times more
# targets.
THIN, MORE = 0.5, 4
# The range of the middle Euler angle.
MIDDLE_ANGLE = {"zyz": (0.0, np.pi), "zyx": (-np.pi / 2, np.pi / 2)}


def targets(
    grid: Grid,
    addresses: Addresses,
    per_cell: int,
    seed: tuple[int, ...],
    low: Array | None = None,
    high: Array | None = None,
) -> tuple[Addresses, Array]:
    """Return `per_cell` targets drawn uniformly in each cell, clipped to [low, high]: addresses (M,), coordinates (M, axes).

    The targets of a cell do not depend on the other cells. Cells outside the bounds have none.
    """
    start = grid.corner(addresses)
    end = start + grid.side
    if low is not None and high is not None:
        start, end = np.maximum(start, low), np.minimum(end, high)
        kept = (end > start).all(-1)
        addresses, start, end = addresses[kept], start[kept], end[kept]
    u = np.empty((len(addresses), per_cell, grid.axes))
    for k, address in enumerate(addresses):
        generator(*seed, int(address)).random(out=u[k])
    u *= (end - start)[:, None]
    u += start[:, None]
    return np.repeat(addresses, per_cell), u.reshape(-1, grid.axes)


def placed(
    split: Split, grid: Grid, addresses: Addresses, *, per_cell: int, seed: int, valid: Valid | None = None
) -> Samples:
    """Return the postures of wrist positions drawn uniformly in position cells, labelled by branch.

    Cells with few postures are at the edge of the reach: they get more targets.
    """
    samples = _placed(split, grid, addresses, per_cell, (seed,), valid)
    met, counts = np.unique(samples.address, return_counts=True)
    thin = met[counts < THIN * per_cell]
    return joined([samples, _placed(split, grid, thin, MORE * per_cell, (seed, 1), valid)])


def _placed(
    split: Split, grid: Grid, addresses: Addresses, per_cell: int, seed: tuple[int, ...], valid: Valid | None
) -> Samples:
    address, u = targets(grid, addresses, per_cell, seed)
    row, q, label = arm_postures(split, u)
    return _allowed(Samples(address[row], u[row], q, label), split, valid)


def arm_postures(split: Split, u: Array) -> tuple[Whole, Array, Whole]:
    """Return every posture of the joints before the wrist that reaches the coordinates u (N, numbers); limits are ignored.

    Returns the row of u (M,), the postures (M, joints), and the labels (M,): the branch numbers without the wrist's
    part. Raises BadOption for a chain without a closed form for positions.
    """
    if split.joints != split.numbers:
        raise BadOption(
            f"'{split.model.name}' has no closed form for positions: cover its cells by random joints, coverage='random'"
        )
    labels = arm_labels(split)
    T = split.tip_at(u[:, :PLACE])
    if not split.inclined:
        every = all_postures_batch(split.model, T, threads=1, limits=False)
        row, place = np.nonzero(every.branches >= 0)
        q, label = every.q[row, place, : split.joints], labels[every.branches[row, place]]
    else:
        row, q, label = _at_inclinations(split, T, u[:, PLACE], labels)
    # Postures that differ in the wrist alone are one posture of the joints before it.
    _, first = np.unique(row * (label.max(initial=0) + 1) + label, return_index=True)
    return row[first], q[first], label[first]


def arm_labels(split: Split) -> Whole:
    """Return the label of each branch number: branches that differ in the wrist alone share one."""
    names = [name.rsplit(" ", 1)[0] for name in split.branch_names]
    order = {name: k for k, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names])


def _at_inclinations(split: Split, T: Array, v: Array, labels: Whole) -> tuple[Whole, Array, Whole]:
    rows: list[int] = []
    postures: list[Array] = []
    label: list[Whole] = []
    kinds = int(labels.max()) + 1
    for row in range(len(T)):
        # Undirected: the elbow on the other side gives another solution.
        for side in range(1 if split.directed else 2):
            found = all_postures(split.model, T[row], limits=False, swivel=float(v[row]) + np.pi * side)
            if len(found):
                q = found.q
                rows += [row] * len(q)
                postures.append(q[:, : split.joints])
                label.append(labels[found.branches] + kinds * side)
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros((0, split.joints)), np.zeros(0, dtype=np.int64)
    return np.array(rows), np.concatenate(postures), np.concatenate(label)


def turned(
    split: Split,
    grid: Grid,
    addresses: Addresses,
    convention: str,
    *,
    per_cell: int,
    seed: int,
    valid: Valid | None = None,
) -> Samples:
    """Return the wrist's postures at (arm joints, Euler angles) drawn uniformly in orientation cells, labelled 0 and 1."""
    m, middle = split.joints, MIDDLE_ANGLE[convention]
    low = np.r_[split.model.ranges.lower[:m], -np.pi, middle[0], -np.pi]
    high = np.r_[split.model.ranges.upper[:m], np.pi, middle[1], np.pi]
    address, u = targets(grid, addresses, per_cell, (seed,), low, high)
    q, exists = wrist_postures(split, u[:, :m], euler.rotation(u[:, m:], convention))
    row, label = np.nonzero(exists)
    samples = Samples(address[row], u[row], q[row, label], label)
    return _allowed(samples, split, valid, first=m)


def wrist_postures(split: Split, q: Array, R: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the wrist angles (N, 2, 3) for tip orientations R (N, 3, 3) and arm joints (N, joints); which exist (N, 2)."""
    before = split.model.kernel.forward(split.full(q))[..., :3, :3]
    return wrist.postures(np.swapaxes(before, -1, -2) @ R, split.wrist_axes)


def _allowed(samples: Samples, split: Split, valid: Valid | None, first: int = 0) -> Samples:
    """Return the samples inside the limits that satisfy `valid`; angles are wrapped to the 2-pi copy nearest the home value.

    first: the index of the samples' first joint in q. `valid` takes whole postures: wrist samples are completed by the
    arm joints in u, arm samples by the home values of the wrist.
    """
    ranges = split.model.ranges
    part = slice(first, first + samples.q.shape[1])
    q = into_range(samples.q, ranges.home[part], split.turning[part])
    keep = np.asarray(((q >= ranges.lower[part]) & (q <= ranges.upper[part])).all(-1))
    samples = Samples(samples.address, samples.u, q, samples.label).where(keep)
    if valid is None:
        return samples
    whole = np.tile(ranges.home, (len(samples), 1))
    whole[:, :first] = samples.u[:, :first]
    whole[:, part] = samples.q
    return samples.where(np.asarray(valid(whole), dtype=bool))
