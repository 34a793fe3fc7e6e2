"""What whole tables take, by a sample of their cells: the paper's storage figures, and how long making them would take.

Cells are drawn at random from the grid (orientations from the half that orientations can be in), made, and counted. The paper
counts what a table takes at most in some places and what it takes in others, and does not say how; here it is coefficients of
records that exist, four bytes each. Networks have as many records as polynomials.
"""

from time import perf_counter
from typing import Any

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import human_arm, puma
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.design import turns_there_are, within_reach
from limbik.solvers.table.cells.fitting import place_level, turn_level
from limbik.solvers.table.cells.network import Network

CELLS, QUICK_CELLS = 2000, 200
BYTES, MEGABYTE, MINUTE = 4, 1e6, 60.0
# A key, what it is called, the arm, whether it is the orientation, what is changed, and what the paper prints for a polynomial
# and for a network [MB].
TABLES: tuple[tuple[str, str, Any, bool, dict[str, Any], float | None, float | None], ...] = (
    ("puma turn", "Puma, orientation", puma, True, {}, 340.0, 605.0),
    ("arm place", "arm, place, v undirected", human_arm, False, {}, 14.9, None),
    ("arm directed", "arm, place, v directed", human_arm, False, {"directed": True}, 14.9, None),
    ("arm turn", "arm, orientation", human_arm, True, {}, 1000.0, None),
)


def measure(setting: Setting) -> Findings:
    """Make a sample of each table's cells."""
    out: dict[str, float] = {}
    for key, _, make, turning, changed, _, _ in TABLES:
        split, settings = make(**changed)
        every = turns_there_are(split, settings) if turning else within_reach(split, settings)
        count = min(len(every), setting.size(CELLS, QUICK_CELLS))
        chosen = np.sort(setting.rng().choice(every, count, replace=False))
        start = perf_counter()
        level = turn_level(split, settings, chosen) if turning else place_level(split, settings, None, chosen)
        seconds = perf_counter() - start
        times = len(every) / count
        network = Network(level.grid.axes, settings.hidden).words(level.joints)
        out |= {
            f"{key} cells": times * len(level.addresses),
            f"{key} records": times * len(level.kinds),
            f"{key} polynomial": times * level.record_bytes / MEGABYTE,
            f"{key} network": times * len(level.kinds) * network * BYTES / MEGABYTE,
            f"{key} time": times * seconds / MINUTE,
        }
    return Findings(out)


EXPERIMENT = Experiment(
    name="storage",
    claims=tuple(
        claim
        for key, what, _, _, _, polynomial, network in TABLES
        for claim in (
            Claim(f"{key} cells", f"{what}: cells with a solution, about", "cells"),
            Claim(f"{key} records", f"{what}: records, about", "records"),
            Claim(f"{key} polynomial", f"{what}: storage of the polynomial table, about", "MB", polynomial),
            Claim(f"{key} network", f"{what}: storage of the network table, about", "MB", network),
            Claim(f"{key} time", f"{what}: time to make the polynomial table, one thread, about", "min"),
        )
    ),
    measure=measure,
)
