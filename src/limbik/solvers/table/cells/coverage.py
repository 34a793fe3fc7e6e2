"""Even coverage of cells: targets drawn evenly inside each cell, and every posture that reaches them.

Random joints are dense where the Jacobian is small and leave corners of cells empty, and a model is only as good as the coverage
of its cell: with even coverage and equal sample numbers, the error of a linear model of the Puma falls from 3.5 to 2.9 mm. The
postures (configurations) come from `solve_all`, those of the wrist from its closed form (wrist.py). Chains without closed form:
newton.py.
"""

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.solvers.table.cells import euler, wrist
from limbik.solvers.table.cells.grid import Addresses, Grid
from limbik.solvers.table.cells.samples import Samples, Whole, joined
from limbik.solvers.table.cells.sampling import Valid, generator
from limbik.solvers.table.cells.split import PLACE, Split
from limbik.solvers.table.cells.unwrap import into_range

# A cell with fewer postures than this part of what was drawn is at the edge of the reach: so many times more is drawn.
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
    """Return so many rows drawn evenly in each cell, as far as it lies between low and high: (M,), (M, axes).

    A cell's rows do not depend on the other cells. Cells beyond the bounds have none.
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
    """Return the postures of places drawn evenly in position cells, labelled by branch.

    Cells with few postures are at the edge of what the arm reaches: more is drawn in them.
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
    """Return every posture of the first joints that places the wrist at rows u, limits aside.

    (M,) the row of u, (M, joints) and (M,) the label: the branch number without the wrist's part.
    """
    if split.joints != split.numbers:
        raise BadOption(
            f"'{split.arm.name}' has no closed form for positions: cover its cells by random joints, coverage='random'"
        )
    labels = arm_labels(split)
    T = split.tip_at(u[:, :PLACE])
    if not split.inclined:
        every = split.arm.solve_all_batch(T, limits=False, threads=1)
        row, place = np.nonzero(every.branches >= 0)
        q, label = every.q[row, place, : split.joints], labels[every.branches[row, place]]
    else:
        row, q, label = _at_inclinations(split, T, u[:, PLACE], labels)
    # the wrist's two postures are one here
    _, first = np.unique(row * (label.max(initial=0) + 1) + label, return_index=True)
    return row[first], q[first], label[first]


def arm_labels(split: Split) -> Whole:
    """Return the label of each branch number: branches that differ in the wrist alone share one."""
    names = [name.rsplit(" ", 1)[0] for name in split.arm.branch_names]
    order = {name: k for k, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names])


def _at_inclinations(split: Split, T: Array, v: Array, labels: Whole) -> tuple[Whole, Array, Whole]:
    rows: list[int] = []
    postures: list[Array] = []
    label: list[Whole] = []
    kinds = int(labels.max()) + 1
    for row in range(len(T)):
        # undirected: the elbow on the other side is another solution
        for side in range(1 if split.directed else 2):
            found = split.arm.solve_all(T[row], limits=False, swivel=float(v[row]) + np.pi * side)
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
    """Return the wrist's postures at rows (arm joints, Euler angles) drawn evenly in orientation cells, labelled 0 and 1."""
    m, middle = split.joints, MIDDLE_ANGLE[convention]
    low = np.r_[split.arm.lower[:m], -np.pi, middle[0], -np.pi]
    high = np.r_[split.arm.upper[:m], np.pi, middle[1], np.pi]
    address, u = targets(grid, addresses, per_cell, (seed,), low, high)
    q, exists = wrist_postures(split, u[:, :m], euler.rotation(u[:, m:], convention))
    row, label = np.nonzero(exists)
    samples = Samples(address[row], u[row], q[row, label], label)
    return _allowed(samples, split, valid, first=m)


def wrist_postures(split: Split, q: Array, R: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the wrist's postures (N, 2, 3) that turn the tip to R (N, 3, 3), given the arm's (N, joints); which exist."""
    before = split.arm.forward(split.full(q))[..., :3, :3]
    return wrist.postures(np.swapaxes(before, -1, -2) @ R, split.wrist_axes)


def _allowed(samples: Samples, split: Split, valid: Valid | None, first: int = 0) -> Samples:
    """Return the samples inside the limits, at the whole turn where they are, that the user lets in.

    first: where their joints stand in q. `valid` sees whole postures: joints that are not known yet at home, an arm's that
    the wrist was asked for with.
    """
    arm = split.arm
    part = slice(first, first + samples.q.shape[1])
    q = into_range(samples.q, arm.home[part], split.turning[part])
    keep = np.asarray(((q >= arm.lower[part]) & (q <= arm.upper[part])).all(-1))
    samples = Samples(samples.address, samples.u, q, samples.label).where(keep)
    if valid is None:
        return samples
    whole = np.tile(arm.home, (len(samples), 1))
    whole[:, :first] = samples.u[:, :first]
    whole[:, part] = samples.q
    return samples.where(np.asarray(valid(whole), dtype=bool))
