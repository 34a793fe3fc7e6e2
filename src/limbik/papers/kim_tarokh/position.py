"""The Puma's position: Tables 2a and 3a, the number of occupied cells, their storage, and the build time.

There are three tables. "Even": targets drawn uniformly in each cell, solutions labelled by the closed form. "As in the
text": random joints, solutions separated without the closed form. Network: N = 5 in uniformly covered cells of 200 mm.
The core evaluates all of them. A quick run builds only the cells of the targets, which gives no totals.
"""

from collections.abc import Mapping
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from limbik.papers.claim import Cell, Claim
from limbik.papers.kim_tarokh import tables
from limbik.papers.kim_tarokh.arms import PUMA_ROWS, Truth, places, puma
from limbik.papers.kim_tarokh.pictures import draw_cells, draw_histograms, draw_slice
from limbik.papers.kim_tarokh.printed import NETWORK_PLACE_KB, PLACE_KB, TABLE_2A, TABLE_3A
from limbik.papers.kim_tarokh.scores import Score, of_places
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.table.cells.design import within_reach
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.level import Level
from limbik.solvers.table.cells.sampling import drawn
from limbik.solvers.table.cells.settings import Settings, first_grid, first_model
from limbik.solvers.table.cells.split import Split

TARGETS, QUICK_TARGETS = 20_000, 400
KILOBYTE, MILLI = 1e3, 1e3
# Bytes of a coefficient.
WORD = 4
# The share of the cells that random joints must fill; cells at the edge fill slowly.
SHARE, QUICK_SHARE = 0.9, 0.6
# Why two of the tables miss the printed means.
CORNERS = (
    "random joints leave corners of cells without samples; even coverage of the same cells gives the printed means"
)
NEURONS = "five neurons have a larger error in cells of 200 mm; the paper gives neither its training nor its samples"
# The settings of each table. The cells of the network get more samples, because they are larger and fewer.
VARIANTS: Mapping[str, dict[str, Any]] = {
    "even": {"per_cell": 200},
    "literal": {"per_cell": 200, "coverage": "random", "classes": "linkage"},
    "network": {"per_cell": 500, "position_side": 0.2, "model": "network"},
}


def build(split: Split, settings: Settings, truth: Truth, quick: bool) -> tuple[Level, float]:
    """Return a level and the CPU time to build it [s]. quick: only the cells of the targets instead of all cells."""
    start = process_time()
    grid = first_grid(split, settings)
    addresses = np.unique(grid.address(truth.u)) if quick else within_reach(split, settings)
    samples = None
    if settings.coverage == "random":
        samples, _ = drawn(split, grid, per_cell=settings.per_cell, share=settings.share, seed=settings.seed)
        samples = samples.where(np.isin(samples.address, addresses))
    return place_level(split, settings, samples, addresses), process_time() - start


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
        cells = len(level.addresses)
        totals = (float(cells), float(len(level.kinds)), level.record_bytes / KILOBYTE, seconds)
        for what, total in zip(("cells", "records", "storage", "time"), totals, strict=True):
            out[f"{variant} {what}"] = np.nan if setting.quick else total
        out[f"{variant} cell time"] = MILLI * seconds / max(1, cells)
    split, settings = puma(**VARIANTS["network"])
    grid, model = first_grid(split, settings), first_model(split, settings)
    out["most"] = grid.cells * len(PUMA_ROWS) * model.words(split.joints) * WORD / KILOBYTE
    pictures = (
        Picture("puma_errors", partial(draw_histograms, scores, PUMA_ROWS)),
        Picture("puma_slice", partial(draw_slice, *puma())),
        Picture("puma_cells", partial(draw_cells, *puma())),
    )
    return Findings(out, pictures)


def _made(variant: str, what: str, cells: float, storage: float | None) -> tuple[Claim, ...]:
    def claim(key: str, text: str, unit: str, paper: float | None = None) -> Claim:
        table = "Puma, whole position tables"
        return Claim(f"{variant} {key}", f"{what}: {text}", unit, paper, None, Cell(table, what, f"{key} [{unit}]"))

    return (
        claim("cells", "cells with a solution", "cells", cells),
        claim("records", "records", "records"),
        claim("storage", "storage", "KB", storage),
        claim("time", "CPU time to build it", "s"),
        claim("cell time", "CPU time to build a cell", "ms"),
    )


EVEN, LITERAL, NETWORK = "Table 2a, even", "Table 2a, as in the text", "Table 3a, network N = 5"
EXPERIMENT = Experiment(
    name="Puma, place",
    claims=(
        *tables.claims("even", EVEN, TABLE_2A, "mm", judged=True),
        *tables.claims("literal", LITERAL, TABLE_2A, "mm", judged=True, cause=CORNERS),
        *tables.claims("network", NETWORK, TABLE_3A, "mm", judged=True, cause=NEURONS),
        *_made("even", EVEN, 3400, PLACE_KB),
        *_made("literal", LITERAL, 3400, PLACE_KB),
        *_made("network", NETWORK, 646, None),
        Claim("most", "Table 3a, network N = 5: most storage, four records in every cell of the grid", "KB",
              NETWORK_PLACE_KB),
    ),
    measure=measure,
    notes=(
        "372 KB would be 7,900 records of 12 coefficients; 573 KB is the most that the 729 cells of 200 mm can take, not "
        "the storage of the occupied ones.",
    ),
)  # fmt: skip
