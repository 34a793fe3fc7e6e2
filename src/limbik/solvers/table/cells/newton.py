"""Even coverage of cells over whole poses, for chains without a closed form.

Newton's method moves the random postures (configurations) of a cell to targets drawn uniformly in the cell. The cell is
small, so each posture stays in its own solution. A posture that does not converge inside the limits is kept unchanged:
at the edge of the reach much of a cell is unreachable.
"""

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.grid import Grid
from limbik.solvers.table.cells.samples import Samples
from limbik.solvers.table.cells.sampling import generator
from limbik.solvers.table.cells.split import Split

# Newton steps, the largest change of a joint value per step [rad or m], and the tolerance of convergence [m, rad].
STEPS, LONGEST, CONVERGED = 10, 0.3, 1e-7
# Damping of the step: singular values far above it are inverted, those far below suppressed [m or 1].
DAMPING = 1e-4


def spread(samples: Samples, split: Split, grid: Grid, convention: str, seed: int) -> Samples:
    """Return random postures of whole-pose cells moved to poses drawn uniformly in the same cells; labels are kept."""
    u = grid.corner(samples.address) + generator(seed).random((len(samples), grid.axes)) * grid.side
    T = np.tile(np.eye(4), (len(u), 1, 1))
    T[:, :3, 3], T[:, :3, :3] = u[:, :3], euler.rotation(u[:, 3:], convention)
    q, converged = moved_to(split, T, samples.q)
    # Cells outside the middle angle's range: their rotations belong to other cells.
    own = grid.address(np.concatenate([u[:, :3], euler.angles(T[:, :3, :3], convention)], axis=1)) == samples.address
    moved = (converged & own)[:, None]
    return Samples(samples.address, np.where(moved, u, samples.u), np.where(moved, q, samples.q), samples.label)


def moved_to(split: Split, T: Array, q: Array) -> tuple[Array, np.ndarray]:
    """Return postures (N, n) moved to poses (N, 4, 4) by Newton's method, and which converged inside the limits."""
    model, ranges = split.model, split.model.ranges
    q = np.array(q)
    for _ in range(STEPS):
        pose, J = split.forward_jacobian(q)
        e = pose_error(pose, T)
        Jt = np.swapaxes(J, -1, -2)
        step = np.linalg.solve(Jt @ J + DAMPING**2 * np.eye(model.n), Jt @ e[..., None])[..., 0]
        largest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        q += step * np.minimum(1.0, LONGEST / np.maximum(largest, LONGEST))
    left = np.abs(pose_error(model.kernel.forward(q), T)).max(axis=-1, initial=0.0)
    return q, (left <= CONVERGED) & ((q >= ranges.lower) & (q <= ranges.upper)).all(-1)
