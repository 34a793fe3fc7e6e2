"""Even coverage of cells over whole poses, for chains without closed form.

Random postures of a cell are led to targets drawn evenly in it by Newton's method: the cell is small, so each stays within its
own solution. What does not arrive inside the limits stays where it was: at the edge of the reach much of a cell is empty.
"""

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.samples import Samples, Whole
from limbik.solvers.table.cells.sampling import generator
from limbik.solvers.table.cells.split import Split

# Newton steps, the longest of them in any joint [rad or m], and what counts as arrived [m, rad].
STEPS, LONGEST, ARRIVED = 10, 0.3, 1e-7
# The least singular value that a step divides by, to first order [m or 1].
DAMPING = 1e-4


def spread(samples: Samples, split: Split, grid: Grid, convention: str, seed: int) -> Samples:
    """Return random postures of whole-pose cells led to places drawn evenly in the same cells; labels are kept."""
    u = grid.corner(samples.address) + generator(seed).random((len(samples), grid.axes)) * grid.side
    T = np.tile(np.eye(4), (len(u), 1, 1))
    T[:, :3, 3], T[:, :3, :3] = u[:, :3], euler.rotation(u[:, 3:], convention)
    q, arrived = reached(split, T, samples.q)
    # the middle angle has cells beyond its range, whose rotations belong to other cells
    own = grid.address(np.concatenate([u[:, :3], euler.angles(T[:, :3, :3], convention)], axis=1)) == samples.address
    led = (arrived & own)[:, None]
    return Samples(samples.address, np.where(led, u, samples.u), np.where(led, q, samples.q), samples.label)


def reached(split: Split, T: Array, q: Array) -> tuple[Array, np.ndarray]:
    """Return postures (N, n) led to poses (N, 4, 4), and which of them arrived inside the limits."""
    arm = split.arm
    q = np.array(q)
    for _ in range(STEPS):
        pose, J = arm.forward_jacobian(q)
        e = pose_error(pose, T)
        Jt = np.swapaxes(J, -1, -2)
        step = np.linalg.solve(Jt @ J + DAMPING**2 * np.eye(arm.n), Jt @ e[..., None])[..., 0]
        largest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        q += step * np.minimum(1.0, LONGEST / np.maximum(largest, LONGEST))
    left = np.abs(pose_error(arm.forward(q), T)).max(axis=-1, initial=0.0)
    return q, (left <= ARRIVED) & ((q >= arm.lower) & (q <= arm.upper)).all(-1)


def around(q: Array, label: Whole, split: Split, grid: Grid, convention: str, *, per_cell: int, seed: int) -> Samples:
    """Return samples of the whole-pose cells that postures (M, n) are in: each is led to places drawn evenly in its cell.

    For a few cells of a chain without closed form, which random postures would hardly ever meet.
    """
    pose = split.arm.forward(q)
    u = np.concatenate([pose[:, :3, 3], euler.angles(pose[:, :3, :3], convention)], axis=1)
    row = np.repeat(np.arange(len(q)), per_cell)
    samples = Samples(grid.address(u)[row], u[row], q[row], label[row])
    led = spread(samples, split, grid, convention, seed)
    moved = (led.u != samples.u).any(axis=1)
    return led.where(moved)
