"""Size and build time of whole tables, estimated from a sample of their cells, beside the paper's storage.

Cells are drawn at random from the grid (for orientations, from the half that orientations can occupy) and built. The
paper sometimes prints the maximum storage and sometimes the actual one, without the method. Here storage is that of the
coefficients of existing records, four bytes each. Tables of networks have as many records as tables of polynomials.
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
# Key, name, arm, whether it is the orientation table, changed settings, and the printed storage for polynomials and for networks
# [MB].
TABLES: tuple[tuple[str, str, Any, bool, dict[str, Any], float | None, float | None], ...] = (
    ("puma turn", "Puma, orientation", puma, True, {}, 340.0, 605.0),
    ("arm place", "arm, position, v undirected", human_arm, False, {}, 14.9, None),
    ("arm directed", "arm, position, v directed", human_arm, False, {"directed": True}, 14.9, None),
    ("arm turn", "arm, orientation", human_arm, True, {}, 1000.0, None),
)


def measure(setting: Setting) -> Findings:
    """Build a sample of the cells of each table."""
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
            Claim(f"{key} cells", f"{what}: estimated cells with a solution", "cells"),
            Claim(f"{key} records", f"{what}: estimated records", "records"),
            Claim(f"{key} polynomial", f"{what}: estimated storage of the polynomial table", "MB", polynomial),
            Claim(f"{key} network", f"{what}: estimated storage of the network table", "MB", network),
            Claim(f"{key} time", f"{what}: estimated time to build the polynomial table, one thread", "min"),
        )
    ),
    measure=measure,
)
