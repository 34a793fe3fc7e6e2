"""The Puma's position: Tables 2a and 3a, the number of occupied cells, their storage, and the build time.

There are three tables. "Even": targets drawn uniformly in each cell, solutions labelled by the closed form. "As in the
text": random joints, solutions separated without the closed form. Network: N = 5 in uniformly covered cells of 200 mm.
The core evaluates all of them.
"""

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from limbik.papers.claim import Claim, at_least, at_most
from limbik.papers.kim_tarokh import tables
from limbik.papers.kim_tarokh.arms import PUMA_ROWS, Truth, places, puma
from limbik.papers.kim_tarokh.pictures import draw_cells, draw_histograms, draw_slice
from limbik.papers.kim_tarokh.printed import TABLE_2A, TABLE_3A
from limbik.papers.kim_tarokh.scores import Score, of_places
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.table.cells.design import within_reach
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.level import Level
from limbik.solvers.table.cells.sampling import drawn
from limbik.solvers.table.cells.settings import Settings, first_grid
from limbik.solvers.table.cells.split import Split

TARGETS, QUICK_TARGETS = 20_000, 400
KIBIBYTE = 1024.0
# The share of the cells that random joints must fill; cells at the edge fill slowly.
SHARE, QUICK_SHARE = 0.9, 0.6
# The bars [mm, %]: even coverage, random joints as in the text, the network.
EVEN, LITERAL, NETWORK, SUCCESS = at_most(3.0), at_most(3.7), at_most(2.8), at_least(98.6)
# The settings of each table. The cells of the network get more samples, because they are larger and fewer.
VARIANTS: Mapping[str, dict[str, Any]] = {
    "even": {"per_cell": 200},
    "literal": {"per_cell": 200, "coverage": "random", "classes": "linkage"},
    "network": {"per_cell": 500, "position_side": 0.2, "model": "network"},
}


def build(split: Split, settings: Settings, truth: Truth, quick: bool) -> tuple[Level, float]:
    """Return a level and its build time [s]. quick: only the cells of the targets instead of all cells."""
    start = perf_counter()
    grid = first_grid(split, settings)
    addresses = np.unique(grid.address(truth.u)) if quick else within_reach(split, settings)
    samples = None
    if settings.coverage == "random":
        samples, _ = drawn(split, grid, per_cell=settings.per_cell, share=settings.share, seed=settings.seed)
        samples = samples.where(np.isin(samples.address, addresses))
    return place_level(split, settings, samples, addresses), perf_counter() - start


def measure(setting: Setting) -> Findings:
    """Build the three tables, and score them on the same targets."""
    out: dict[str, float] = {}
    scores: dict[str, Score] = {}
    truth = places(*puma(), setting.rng(), setting.size(TARGETS, QUICK_TARGETS))
    for variant, changed in VARIANTS.items():
        split, settings = puma(**changed, share=QUICK_SHARE if setting.quick else SHARE)
        level, seconds = build(split, settings, truth, setting.quick)
        score = of_places(split, level.compiled(), truth, by_label=settings.classes == "branches")
        scores[variant] = score
        out |= tables.values(variant, score, PUMA_ROWS, len(truth.u))
        if setting.quick:  # a part of the cells does not give the totals
            out |= {f"{variant} {what}": np.nan for what in ("cells", "records", "storage", "time")}
            continue
        out |= {
            f"{variant} cells": float(len(level.addresses)),
            f"{variant} records": float(len(level.kinds)),
            f"{variant} storage": level.record_bytes / KIBIBYTE,
            f"{variant} time": seconds,
        }
    pictures = (
        Picture("puma_errors", partial(draw_histograms, scores, PUMA_ROWS)),
        Picture("puma_slice", partial(draw_slice, *puma())),
        Picture("puma_cells", partial(draw_cells, *puma())),
    )
    return Findings(out, pictures)


def _made(variant: str, what: str, cells: float | None, storage: float | None) -> tuple[Claim, ...]:
    return (
        Claim(f"{variant} cells", f"{what}: cells with a solution", "cells", cells),
        Claim(f"{variant} records", f"{what}: records", "records"),
        Claim(f"{variant} storage", f"{what}: storage", "KiB", storage),
        Claim(f"{variant} time", f"{what}: time to build it, one thread", "s"),
    )


EXPERIMENT = Experiment(
    name="Puma, place",
    claims=(
        *tables.claims("even", "Table 2a, even", TABLE_2A, "mm", mean=EVEN, success=SUCCESS),
        *_made("even", "Table 2a, even", 3400, 372),
        *tables.claims("literal", "Table 2a, as in the text", TABLE_2A, "mm", mean=LITERAL, success=SUCCESS),
        *_made("literal", "Table 2a, as in the text", 3400, 372),
        *tables.claims("network", "Table 3a, network N = 5", TABLE_3A, "mm", mean=NETWORK, success=SUCCESS),
        *_made("network", "Table 3a, network N = 5", 646, 573),
    ),
    measure=measure,
)
