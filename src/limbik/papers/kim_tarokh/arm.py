"""The human arm: Tables 6a, 7a (position and inclination) and 6b, 7b (orientation).

The paper states that success cannot be measured because there is no closed form. There is one: with the inclination given, the
shoulder's rotation is known. So success is measured here. The counts per class are not reproduced, because they depend on the
axes of the shoulder and the reference of v, which are not printed. The rows are therefore in the order of our counts.

So the bar is on the mean over all solutions: that of the printed rows, weighted by their counts.
"""

from typing import Any

import numpy as np

from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.kim_tarokh import tables
from limbik.papers.kim_tarokh.arms import human_arm, places, turns
from limbik.papers.kim_tarokh.printed import SHOULDERS, TABLE_6A, TABLE_6B, TABLE_7A, TABLE_7B, Line
from limbik.papers.kim_tarokh.scores import Score, of_places, of_turns
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.coverage import arm_postures
from limbik.solvers.table.cells.fitting import branches_of, place_level, turn_level
from limbik.solvers.table.cells.samples import Samples
from limbik.solvers.table.cells.settings import first_grid, turn_grid

TARGETS, QUICK_TARGETS = 1200, 120
NETWORK_TARGETS, QUICK_NETWORK_TARGETS = 500, 60
POSTURES, QUICK_POSTURES = 1500, 300
NETWORK_POSTURES, QUICK_NETWORK_POSTURES = 400, 60
SHOULDER_TARGETS = 100
# The ranges of the wrist are narrow: a third of the samples of a cell is inside them.
TURN_SAMPLES = {"per_cell": 1500, "per_record": 300}
# Errors beyond this are those of singular cells [mm, degrees].
SINGULAR = 20.0


def by_frequency(score: Score, count: int) -> list[int]:
    """Return `count` labels, the most frequent first, padded with unused labels."""
    labels, counts = np.unique(score.label, return_counts=True)
    return [*labels[np.argsort(-counts, kind="stable")].tolist(), *range(100, 100 + count)][:count]


def place(setting: Setting, key: str, full: int, quick: int, **changed: Any) -> dict[str, float]:
    """Return the values of one table of positions; only the cells of the targets are built."""
    split, settings = human_arm(**changed)
    truth = places(split, settings, setting.rng(), setting.size(full, quick))
    level = place_level(split, settings, None, np.unique(first_grid(split, settings).address(truth.u)))
    score = of_places(split, level.compiled(), truth)
    order = by_frequency(score, len(TABLE_6A))
    return tables.values(key, score, order, len(truth.u)) | tables.overall(f"{key} all", score, SINGULAR)


def turn(setting: Setting, key: str, full: int, quick: int, **changed: Any) -> dict[str, float]:
    """Return the values of one table of orientations; only the cells of random postures are built."""
    split, settings = human_arm(**changed)
    q = split.model.sample(setting.rng(), setting.size(full, quick))
    u = split.place(q[:, : split.joints])
    unknown = np.zeros(len(q), dtype=np.int64)
    solution = branches_of(split, Samples(unknown, u, q[:, : split.joints], unknown))
    postures = turns(split, q, settings.convention, solution, count=8)
    level = turn_level(split, settings, np.unique(turn_grid(split, settings).address(postures.u)))
    score = of_turns(split, level.compiled(), postures)
    rows = by_frequency(score, len(TABLE_6B))
    return tables.values(key, score, rows, len(q)) | tables.overall(f"{key} all", score, SINGULAR)


def measure(setting: Setting) -> Findings:
    """Build the cells of random targets and postures, and score them."""
    out = place(setting, "6a", TARGETS, QUICK_TARGETS)
    out |= place(setting, "7a", NETWORK_TARGETS, QUICK_NETWORK_TARGETS, model="network")
    out |= turn(setting, "6b", POSTURES, QUICK_POSTURES, **TURN_SAMPLES)
    out |= turn(setting, "7b", NETWORK_POSTURES, QUICK_NETWORK_POSTURES, turn_model="network", **TURN_SAMPLES)
    split, settings = human_arm()
    out |= {"cells": float(first_grid(split, settings).cells), "turn cells": float(turn_grid(split, settings).cells)}
    return Findings(out | {"undirected": most_shoulders(setting), "directed": most_shoulders(setting, directed=True)})


def most_shoulders(setting: Setting, **changed: Any) -> float:
    """Return the largest number of postures of the shoulder at one place and inclination, with an elbow inside its limits."""
    split, settings = human_arm(**changed)
    row, q, _ = arm_postures(split, places(split, settings, setting.rng(), SHOULDER_TARGETS).u)
    elbow, ranges = split.joints - 1, split.model.ranges
    bent = (q[:, elbow] >= ranges.lower[elbow]) & (q[:, elbow] <= ranges.upper[elbow])
    return float(np.bincount(row[bent]).max())


def _claims(key: str, what: str, lines: tuple[Line, ...], unit: str) -> tuple[Claim, ...]:
    bar = at_most(tables.printed_mean(lines))
    return (
        *tables.claims(key, what, lines, unit),
        *tables.overall_claims(f"{key} all", what, unit, SINGULAR, bar),
    )


EXPERIMENT = Experiment(
    name="arm",
    claims=(
        Claim("cells", "arm, position: cells of the grid", "cells", 129_654),
        Claim("turn cells", "arm, orientation: cells of the grid", "cells", 8_785_920, exactly(8_785_920)),
        Claim("undirected", "arm: most postures of the shoulder at one place and v, v undirected", "postures", SHOULDERS,
              exactly(SHOULDERS)),
        Claim("directed", "arm: most postures of the shoulder at one place and v, v directed", "postures"),
        *_claims("6a", "Table 6a", TABLE_6A, "mm"),
        *_claims("7a", "Table 7a, network N = 5", TABLE_7A, "mm"),
        *_claims("6b", "Table 6b", TABLE_6B, "deg"),
        *_claims("7b", "Table 7b, network N = 5", TABLE_7B, "deg"),
    ),
    measure=measure,
    notes=(
        "129,654 is 21 x 21 x 21 x 14: 1200 mm in cells of 60 mm has 20 divisions, not 21.",
        "the rows are in the order of our counts, because the axes of the shoulder are not printed: a bar compares the mean "
        "over all solutions with the mean over the printed rows, weighted by their counts.",
    ),
)  # fmt: skip
