"""The Puma's orientation: Tables 2b and 3b, the model (7) and the network, given the arm's true joints.

Full tables have about 700,000 cells. Only the cells of the test postures are built, each as in the full table (the
samples of a cell do not depend on other cells), and evaluated by the core. The eight rows of the tables are the two
postures of the wrist for each solution of the position.

The means are above the paper's, and the medians match the paper's means: in cells that contain a wrist singularity no model of
this form fits, and the paper does not mention how it treats them.
"""

from collections.abc import Mapping
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from limbik.papers.claim import Bar, Cell, Claim, at_most, exactly
from limbik.papers.kim_tarokh import tables
from limbik.papers.kim_tarokh.arms import PUMA_ROWS, branch_turns, puma, random_poses
from limbik.papers.kim_tarokh.pictures import draw_turns
from limbik.papers.kim_tarokh.printed import TABLE_2B, TABLE_3B, Line
from limbik.papers.kim_tarokh.scores import Score, of_turns
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.solvers.table.cells.fitting import turn_level
from limbik.solvers.table.cells.settings import turn_grid

POSES, QUICK_POSES = 3000, 300
NETWORK_POSES, QUICK_NETWORK_POSES = 200, 40
# Errors beyond this are those of singular cells [degrees].
SINGULAR = 20.0
# A network has more weights than (7) has terms, so its cells get more samples.
NETWORK_SAMPLES = {"per_cell": 1500, "per_record": 300}
# The settings of each table, and the number of poses, full and quick.
VARIANTS: Mapping[str, tuple[dict[str, Any], int, int]] = {
    "zyz": ({"convention": "zyz"}, POSES, QUICK_POSES),
    "zyx": ({"convention": "zyx"}, POSES, QUICK_POSES),
    "network": ({"convention": "zyz", "turn_model": "network", **NETWORK_SAMPLES}, NETWORK_POSES, QUICK_NETWORK_POSES),
}
ROWS = tuple(label + 4 * flip for flip in range(2) for label in PUMA_ROWS)
CAUSE = "the errors have a long tail, probably from cells near wrist singularities, which the paper does not mention"


def measure(setting: Setting) -> Findings:
    """Build the cells of random poses, and score them."""
    out: dict[str, float] = {}
    scores: dict[str, Score] = {}
    for variant, (changed, full, quick) in VARIANTS.items():
        split, settings = puma(**changed)
        T = random_poses(split, settings, setting.rng(), setting.size(full, quick))
        turns, _ = branch_turns(split, T, settings.convention)
        start = process_time()
        level = turn_level(split, settings, np.unique(turn_grid(split, settings).address(turns.u)))
        seconds = process_time() - start
        scores[variant] = of_turns(split, level.compiled(), turns)
        out |= tables.values(variant, scores[variant], ROWS, len(T)) | tables.overall(
            f"{variant} all", scores[variant], SINGULAR
        )
        out[f"{variant} time"] = 1e3 * seconds / max(1, len(level.addresses))
    out["grid"] = float(turn_grid(*puma()).cells)
    return Findings(out, (Picture("puma_turns", partial(draw_turns, scores)),))


ZYZ, ZYX, NETWORK = "Table 2b, ZYZ", "Table 2b, ZYX", "Table 3b, network N = 5, ZYZ"


def _claims(key: str, what: str, lines: tuple[Line, ...], bar: Bar | None = None, **judged: Any) -> tuple[Claim, ...]:
    return (
        *tables.claims(key, what, lines, "deg", **judged),
        *tables.overall_claims(f"{key} all", what, "deg", SINGULAR, bar),
        Claim(f"{key} time", f"{what}: CPU time to build a cell", "ms", None, None, Cell(what, "all", "a cell [ms]")),
    )


EXPERIMENT = Experiment(
    name="Puma, orientation",
    claims=(
        Claim("grid", "orientation: cells of the grid", "cells", 2_071_552, exactly(2_071_552)),
        *_claims("zyz", ZYZ, TABLE_2B, judged=True, cause=CAUSE),
        *_claims("zyx", ZYX, TABLE_2B),
        *_claims("network", NETWORK, TABLE_3B, at_most(tables.printed_mean(TABLE_3B))),
    ),
    measure=measure,
    notes=(
        "the networks have few targets, so their bar is on all solutions: the mean over the printed rows, weighted by their "
        "counts.",
    ),
)
