"""Random postures for the cells, as the paper's text has it.

Joint values are drawn evenly from their ranges, and forward kinematics tells the cell of each posture. A cell takes N_p of them
and no more; drawing goes on until a share of the cells that were met at all is full (cells beyond the arm's reach are never
met, and those at its edge fill slowly). The text does not give N_p.

Random numbers come in blocks from a counter generator keyed by (seed, block): what a block holds does not depend on which
process draws it.
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

# Postures drawn at once, and the most blocks that are drawn for cells that will not fill.
BLOCK, MOST_BLOCKS = 100_000, 200

# Which postures (..., n) a user lets into a table.
Valid = Callable[[Array], npt.NDArray[np.bool_]]


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of one piece of work, the same wherever it is done."""
    mixed = 0
    for number in key:
        mixed = mixed * 2_654_435_761 + number + 1
    return np.random.Generator(np.random.Philox(key=[seed % 2**64, mixed % 2**64]))


def first_numbers(split: Split, q: Array, convention: str) -> Array:
    """Return what the first cells of postures are found by: where the wrist is, or the whole pose."""
    if not split.whole:
        return split.place(q[..., : split.joints])
    T = split.arm.forward(q)
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
    """Return random postures for the first cells, and how the drawing went: postures drawn, cells met, the share full."""
    kept: list[Samples] = []
    met = np.zeros(0, dtype=np.int64)
    held = np.zeros(0, dtype=np.int64)
    blocks, full = 0, 0.0
    while blocks < most_blocks and (full < share or not len(met)):
        q = split.arm.sample(generator(seed, blocks), BLOCK)
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
    """Return how many postures the cells of these addresses hold: 0 where a cell is not among those met."""
    place = np.searchsorted(met, address)
    known = np.append(met, -1)[place] == address
    return np.where(known, np.append(held, 0)[place], 0)
