"""The Puma's two tables as wholes: built, measured, and looked up with warm and cold caches.

`limbik table build` makes both levels in two processes, and its file is opened for look-up, as a user would do it. A quick run
builds whole tables with larger cells. Warm: the same 1000 targets again and again, as in the paper; a few thousand records then
stay in the cache. Cold: 100,000 targets that do not repeat; a moving robot uses no record again soon.

The closed form gets the same targets in the same passes. It verifies its postures; neither checks limits.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from limbik._core import CellTable
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, within
from limbik.papers.kim_tarokh.arms import PUMA, chain, puma, random_poses
from limbik.papers.kim_tarokh.printed import PLACE_KB, TURN_MB
from limbik.papers.kim_tarokh.storage import estimated
from limbik.papers.kim_tarokh.timing import in_turns, repeated
from limbik.papers.kim_tarokh.whole import quality, quality_claims
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.all_postures import all_postures_batch
from limbik.solvers.table.build import build_table
from limbik.solvers.table.cells.design import turns_there_are
from limbik.solvers.table.cells.fitting import turn_level
from limbik.solvers.table.cells.opened import opened, table_of

# The samples of a cell; larger cells in a quick run.
SAMPLES: dict[str, Any] = {"per_cell": 50, "per_record": 50}
COARSE: dict[str, Any] = {"joint_side": np.radians(60), "euler_side": np.radians(90), "position_side": 0.15}
WORKERS = 2
WARM, COLD, QUICK_COLD, JUDGED, QUICK_JUDGED = 1000, 100_000, 10_000, 10_000, 1000
WARM_PASSES, COLD_PASSES = 15, 3
# The cells from which the size of the orientation table is estimated, and by how much the estimate may be off.
ESTIMATE, QUICK_ESTIMATE, OFF = 3000, 1500, 0.1
KILOBYTE, MEGABYTE = 1e3, 1e6
STORAGE = ("place storage", "turn storage", "file")
CACHES, WAYS = (
    ("warm", "cold"),
    {"halving": "binary search", "index": "cells by index", "exact": "wrist in closed form"},
)


def built(folder: Path, settings: dict[str, Any], workers: int = 1) -> tuple[dict[str, CellTable], dict[str, float]]:
    """Return the tables, by the way of look-up, and their sizes and build time."""
    arm, path = chain("puma560"), folder / "puma.table"
    start = perf_counter()
    content = build_table(arm, path, design="cells", wrist="cells", workers=workers, **settings)
    out = {"time": perf_counter() - start, "file": path.stat().st_size / MEGABYTE}
    kernel = arm.model.kernel
    halving, levels = opened(content, arm, kernel)
    place, turn = levels
    out |= {
        "place records": float(len(place.kinds)),
        "place storage": place.record_bytes / KILOBYTE,
        "turn cells": float(len(turn.addresses)),
        "turn records": float(len(turn.kinds)),
        "turn storage": turn.record_bytes / MEGABYTE,
    }
    split, chosen = puma(**settings)
    tables = {
        "halving": halving,
        "index": opened(content, arm, kernel, by_index=True)[0],
        "exact": table_of(split, kernel, place, None, chosen.convention, by_index=True),
    }
    return tables, out


def ratios(key: str, tables: dict[str, CellTable], T: Array, passes: int) -> dict[str, float]:
    """Return the times of each way of look-up and of the closed form [us], and their ratios."""
    model = chain("puma560").model
    calls: dict[str, Callable[[], object]] = {
        "closed": partial(all_postures_batch, model, T, threads=1, limits=False),
        **{way: partial(table.find, T) for way, table in tables.items()},
    }
    times = in_turns(calls, len(T), passes, warm=key == "warm")
    out = {f"{key} {name}": time for name, time in times.items()}
    return out | {f"{key} {way} ratio": times["closed"] / times[way] for way in tables}


def measure(setting: Setting) -> Findings:
    """Build the tables, estimate their size from a sample of cells, and look targets up."""
    changed = SAMPLES | (COARSE if setting.quick else {})
    with TemporaryDirectory() as folder:
        tables, out = built(Path(folder), PUMA | changed, setting.size(WORKERS, 1))
    split, settings = puma(**changed)
    found = estimated(
        turns_there_are(split, settings),
        setting.size(ESTIMATE, QUICK_ESTIMATE),
        setting.rng(),
        lambda cells: turn_level(split, settings, cells),
    )
    out["estimate"] = found["records"] / out["turn records"]
    T = random_poses(split, settings, setting.rng(), setting.size(COLD, QUICK_COLD))
    out |= ratios("warm", tables, repeated(T[:WARM]), WARM_PASSES) | ratios("cold", tables, T, COLD_PASSES)
    judged = quality(tables["halving"], T[: setting.size(JUDGED, QUICK_JUDGED)])
    out |= {f"pose {name}": x for name, x in judged.items() if name != "true"}
    if setting.quick:  # larger cells give neither the paper's storage nor its answers
        out |= dict.fromkeys((*(f"pose {name}" for name in judged if name != "true"), *STORAGE), np.nan)
    return Findings(out)


def _times(cache: str) -> tuple[Claim, ...]:
    table, name = "Puma, whole tables, polynomial: all solutions of a pose", f"{cache} cache"

    def claim(key: str, text: str, unit: str) -> Claim:
        return Claim(f"{cache} {key}", f"{table}, {name}: {text}", unit, None, None, Cell(table, name, text))

    return (
        *(claim(way, f"{text} [us]", "us") for way, text in WAYS.items()),
        claim("closed", "closed form [us]", "us"),
        *(claim(f"{way} ratio", f"closed form / {text}", "x") for way, text in WAYS.items()),
    )


EXPERIMENT = Experiment(
    name="whole tables",
    claims=(
        Claim("time", "Puma, whole tables: time to build them, two processes", "s"),
        Claim("place records", "Puma, whole position table: records", "records"),
        Claim("place storage", "Puma, whole position table: storage", "KB", PLACE_KB),
        Claim("turn cells", "Puma, whole orientation table: cells with a solution", "cells"),
        Claim("turn records", "Puma, whole orientation table: records", "records"),
        Claim("turn storage", "Puma, whole orientation table: storage", "MB", TURN_MB),
        Claim("estimate", "Puma, orientation: records estimated from a sample of cells / records of the whole table", "x",
              None, within(OFF, 1.0)),
        Claim("file", "Puma, whole tables: size of the file, compressed", "MB"),
        *(claim for cache in CACHES for claim in _times(cache)),
        *quality_claims("pose", "whole tables", "Puma, answers of the whole tables"),
    ),
    measure=measure,
    notes=(f"each cell has {SAMPLES['per_cell']} samples; the paper does not print its number.",),
)  # fmt: skip
