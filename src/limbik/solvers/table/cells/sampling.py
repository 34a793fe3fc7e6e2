"""Random postures (configurations) for the cells, as in the paper's text.

Joint values are drawn uniformly from their ranges, and forward kinematics gives the cell of each posture. A cell keeps
the first N_p of its postures. Drawing ends when a given share of the cells with any posture is full: cells outside the
reach never get one, and cells at its edge fill slowly. The text does not give N_p.

Random numbers come in blocks from a counter-based generator keyed by (seed, block), so a block does not depend on the
process that draws it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.grid import Addresses, Grid
from limbik.solvers.table.cells.samples import UNKNOWN, Samples, joined
from limbik.solvers.table.cells.split import Split

# Postures per block, and largest number of blocks.
BLOCK, MOST_BLOCKS = 100_000, 200

# A user's predicate: which postures (..., n) a table may hold.
Valid = Callable[[Array], npt.NDArray[np.bool_]]


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the random generator of one piece of work, the same in every process."""
    mixed = 0
    for number in key:
        mixed = mixed * 2_654_435_761 + number + 1
    return np.random.Generator(np.random.Philox(key=[seed % 2**64, mixed % 2**64]))


def first_numbers(split: Split, q: Array, convention: str) -> Array:
    """Return the first level's coordinates of postures (..., n): the wrist's position (with v), or position and Euler angles."""
    if not split.whole:
        return split.place(q[..., : split.joints])
    T = split.model.kernel.forward(q)
    return np.concatenate([T[..., :3, 3], euler.angles(T[..., :3, :3], convention)], axis=-1)


def drawn(
    split: Split,
    grid: Grid,
    *,
    per_cell: int,
    share: float,
    seed: int,
    convention: str = "zyz",
    valid: Valid | None = None,
    most_blocks: int = MOST_BLOCKS,
) -> tuple[Samples, dict[str, Any]]:
    """Return random postures for the cells of the first level, and a report.

    The report has the number of postures drawn, the number of cells with any posture, and the share of these that is
    full.
    """
    kept: list[Samples] = []
    met = np.zeros(0, dtype=np.int64)
    held = np.zeros(0, dtype=np.int64)
    blocks, full = 0, 0.0
    while blocks < most_blocks and (full < share or not len(met)):
        q = split.model.sample(generator(seed, blocks), BLOCK)
        if valid is not None:
            q = q[np.asarray(valid(q), dtype=bool)]
        u = first_numbers(split, q, convention)
        inside = grid.inside(u)
        q, u = q[inside, : split.joints], u[inside]
        block = Samples(grid.address(u), u, q, np.full(len(u), UNKNOWN))
        block = block.where(_held(met, held, block.address) < per_cell)
        kept.append(block)
        met, counts = np.unique(np.concatenate([np.repeat(met, held), block.address]), return_counts=True)
        held = np.minimum(counts, per_cell)
        full = float((held >= per_cell).mean())
        blocks += 1
    samples = joined(kept).at_most(per_cell)
    return samples, {"drawn": blocks * BLOCK, "cells_met": len(met), "share_full": full}


def _held(met: Addresses, held: Addresses, address: Addresses) -> Addresses:
    """Return the number of postures held by the cells of these addresses: 0 for a cell that is not in `met`."""
    place = np.searchsorted(met, address)
    known = np.append(met, -1)[place] == address
    return np.where(known, np.append(held, 0)[place], 0)
