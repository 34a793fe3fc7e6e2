"""Storage of the tables, and the time to build them: the paper's maximum and its actual values are kept apart.

A maximum counts every cell of the grid with every solution; it needs no table. Actual sizes are estimated from a sample of the
cells (for orientations, of the half that orientations can occupy), which are built; full_tables.py checks the estimate against a
whole table. Storage is that of the coefficients of existing records, four bytes each. Tables of networks have as many records as
tables of polynomials in the same cells. The actual size depends on the samples of a cell: records need a least number of them.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from limbik.papers.claim import Cell, Claim
from limbik.papers.kim_tarokh.arms import human_arm, puma
from limbik.papers.kim_tarokh.printed import ARM_PLACE_MB, ARM_TURN_MB, NETWORK_TURN_MB, SHOULDERS, TURN_MB
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.design import turns_there_are, within_reach
from limbik.solvers.table.cells.fitting import place_level, turn_level
from limbik.solvers.table.cells.grid import Addresses
from limbik.solvers.table.cells.level import Level
from limbik.solvers.table.cells.network import Network
from limbik.solvers.table.cells.settings import first_grid, first_model

CELLS, QUICK_CELLS = 1000, 100
BYTES, MEGABYTE, MINUTE = 4, 1e6, 60.0
FEWER: dict[str, Any] = {"per_cell": 50, "per_record": 50}
# Key, name, arm, whether it is the orientation table, changed settings, and the printed storage for polynomials and for networks
# [MB].
TABLES: tuple[tuple[str, str, Any, bool, dict[str, Any], float | None, float | None], ...] = (
    ("puma turn", "Puma, orientation, 200 samples", puma, True, {}, TURN_MB, NETWORK_TURN_MB),
    ("puma fewer", "Puma, orientation, 50 samples", puma, True, FEWER, TURN_MB, NETWORK_TURN_MB),
    ("arm place", "arm, position, v undirected", human_arm, False, {}, None, None),
    ("arm directed", "arm, position, v directed", human_arm, False, {"directed": True}, None, None),
    ("arm turn", "arm, orientation, 200 samples", human_arm, True, {}, ARM_TURN_MB, None),
    ("arm fewer", "arm, orientation, 50 samples", human_arm, True, FEWER, ARM_TURN_MB, None),
)


def estimated(
    every: Addresses, count: int, rng: np.random.Generator, build: Callable[[Addresses], Level]
) -> dict[str, float]:
    """Return cells, records, storage [MB] and CPU time of the build [min] of a whole table, from a random sample of its cells."""
    count = min(len(every), count)
    chosen = np.sort(rng.choice(every, count, replace=False))
    start = process_time()
    level = build(chosen)
    times = len(every) / count
    return {
        "cells": times * len(level.addresses),
        "records": times * len(level.kinds),
        "polynomial": times * level.record_bytes / MEGABYTE,
        "time": times * (process_time() - start) / MINUTE,
    }


def measure(setting: Setting) -> Findings:
    """Build a sample of the cells of each table, and compute the maximum of the arm's position table."""
    out: dict[str, float] = {}
    for key, _, make, turning, changed, _, _ in TABLES:
        split, settings = make(**changed)
        every = turns_there_are(split, settings) if turning else within_reach(split, settings)

        def build(cells: Addresses, turning: bool = turning, split: Any = split, settings: Any = settings) -> Level:
            return turn_level(split, settings, cells) if turning else place_level(split, settings, None, cells)

        found = estimated(every, setting.size(CELLS, QUICK_CELLS), setting.rng(), build)
        axes, joints = (split.joints + 3, 3) if turning else (split.numbers, split.joints)
        words = Network(axes, settings.hidden).words(joints)
        found["network"] = found["records"] * words * BYTES / MEGABYTE
        out |= {f"{key} {name}": x for name, x in found.items()}
    split, settings = human_arm()
    grid, model = first_grid(split, settings), first_model(split, settings)
    out["most"] = grid.cells * SHOULDERS * model.words(split.joints) * BYTES / MEGABYTE
    return Findings(out)


def _claims(key: str, what: str, polynomial: float | None, network: float | None) -> tuple[Claim, ...]:
    def claim(name: str, text: str, unit: str, column: str, paper: float | None = None) -> Claim:
        cell = Cell("sizes of whole tables, estimated from a sample of their cells", what, column)
        return Claim(f"{key} {name}", f"{what}: estimated {text}", unit, paper, None, cell)

    return (
        claim("cells", "cells with a solution", "cells", "cells"),
        claim("records", "records", "records", "records"),
        claim("polynomial", "storage of the polynomial table", "MB", "polynomial [MB]", polynomial),
        claim("network", "storage of the network table", "MB", "network [MB]", network),
        claim("time", "CPU time to build the polynomial table", "min", "time [min]"),
    )


EXPERIMENT = Experiment(
    name="storage",
    claims=(
        *(
            claim
            for key, what, _, _, _, polynomial, network in TABLES
            for claim in _claims(key, what, polynomial, network)
        ),
        Claim("most", "arm, position: most storage, four records in every cell of the grid", "MB", ARM_PLACE_MB),
    ),
    measure=measure,
)
