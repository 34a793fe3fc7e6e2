"""The human arm: Tables 6a, 7a (position and inclination) and 6b, 7b (orientation).

The paper states that success cannot be measured because there is no closed form. There is one: with the inclination given, the
shoulder's rotation is known. So success is measured here. The counts per class are not reproduced, because they depend on the
axes of the shoulder and the reference of v, which are not printed. The rows are therefore in the order of our counts.

Some cells contain a singularity of the shoulder; errors beyond 20 mm belong to them. The bar is on the mean of the other errors,
and the share of errors beyond 20 mm is printed beside it.
"""

from typing import Any

import numpy as np

from limbik.papers.claim import Bar, Claim, at_most, exactly
from limbik.papers.kim_tarokh import tables
from limbik.papers.kim_tarokh.arms import human_arm, places, turns
from limbik.papers.kim_tarokh.orientation import overall, overall_claims
from limbik.papers.kim_tarokh.printed import TABLE_6A, TABLE_6B, TABLE_7A, TABLE_7B
from limbik.papers.kim_tarokh.scores import Score, of_places, of_turns
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.fitting import branches_of, place_level, turn_level
from limbik.solvers.table.cells.samples import Samples
from limbik.solvers.table.cells.settings import first_grid, turn_grid

TARGETS, QUICK_TARGETS = 1200, 120
NETWORK_TARGETS, QUICK_NETWORK_TARGETS = 500, 60
POSTURES, QUICK_POSTURES = 1500, 300
NETWORK_POSTURES, QUICK_NETWORK_POSTURES = 400, 60
# The ranges of the wrist are narrow: a third of the samples of a cell is inside them.
TURN_SAMPLES = {"per_cell": 1500, "per_record": 300}
# Errors beyond this are those of singular cells [mm].
SINGULAR = 20.0
PLACE_POLYNOMIAL, PLACE_NETWORK, TURN_POLYNOMIAL, TURN_NETWORK = at_most(2.3), at_most(1.3), at_most(2.6), at_most(2.0)


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
    near = score.below(SINGULAR)
    order = by_frequency(score, len(TABLE_6A))
    out = tables.values(key, score, order, len(truth.u))
    for k, label in enumerate(order, start=1):
        out[f"{key} {k} near"], out[f"{key} {k} beyond"] = near.of(label).mean, score.of(label).beyond(SINGULAR)
    return out


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
    return tables.values(key, score, rows, len(q)) | overall(f"{key} all", score)


def measure(setting: Setting) -> Findings:
    """Build the cells of random targets and postures, and score them."""
    out = place(setting, "6a", TARGETS, QUICK_TARGETS)
    out |= place(setting, "7a", NETWORK_TARGETS, QUICK_NETWORK_TARGETS, model="network")
    out |= turn(setting, "6b", POSTURES, QUICK_POSTURES, **TURN_SAMPLES)
    out |= turn(setting, "7b", NETWORK_POSTURES, QUICK_NETWORK_POSTURES, turn_model="network", **TURN_SAMPLES)
    split, settings = human_arm()
    out |= {"cells": float(first_grid(split, settings).cells), "turn cells": float(turn_grid(split, settings).cells)}
    return Findings(out)


def _place_claims(key: str, what: str, lines: Any, bar: Bar) -> tuple[Claim, ...]:
    near = [
        claim
        for k in range(1, len(lines) + 1)
        for claim in (
            Claim(f"{key} {k} near", f"{what}, solution {k}: mean of errors below {SINGULAR:.0f} mm", "mm", None, bar),
            Claim(f"{key} {k} beyond", f"{what}, solution {k}: share of errors beyond {SINGULAR:.0f} mm", "%"),
        )
    ]
    return (*tables.claims(key, what, lines, "mm"), *near)


EXPERIMENT = Experiment(
    name="arm",
    claims=(
        Claim("cells", "arm, position: cells of the grid", "cells", 129_654),
        Claim("turn cells", "arm, orientation: cells of the grid", "cells", 8_785_920, exactly(8_785_920)),
        *_place_claims("6a", "Table 6a", TABLE_6A, PLACE_POLYNOMIAL),
        *_place_claims("7a", "Table 7a, network N = 5", TABLE_7A, PLACE_NETWORK),
        *tables.claims("6b", "Table 6b", TABLE_6B, "deg"),
        *overall_claims("6b all", "Table 6b", TURN_POLYNOMIAL),
        *tables.claims("7b", "Table 7b, network N = 5", TABLE_7B, "deg"),
        *overall_claims("7b all", "Table 7b, network N = 5", TURN_NETWORK),
    ),
    measure=measure,
)
