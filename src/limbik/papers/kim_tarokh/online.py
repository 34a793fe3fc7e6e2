"""The online phase: Tables 4 and 8, its four parts, and the closed form in the same run, one thread.

T1 reachable, T2 addresses, T3 search, T4 models: each is timed over blocks of 32 targets. The paper has 1000 targets, so
the tables stay in the cache; full_tables.py has tables that do not. Orientation tables contain only the cells of these
targets.

The ratios compare the CPU time of whole calls of the compiled core that take turns: table and closed form get the same targets,
and neither checks the limits. The closed form verifies every posture by forward kinematics; the table does not.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from limbik._core import CellTable
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.kim_tarokh.arms import human_arm, places, puma, random_poses
from limbik.papers.kim_tarokh.printed import CLOSED_FORM_TIME, SLOWER, TIMES
from limbik.papers.kim_tarokh.timing import by_part, in_turns, repeated
from limbik.papers.kim_tarokh.whole import cells_of
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.all_postures import all_postures_batch
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.settings import Settings
from limbik.solvers.table.cells.split import PLACE, Split

TARGETS, QUICK_TARGETS = 1000, 100
# The core's seven parts under the paper's names: T1 to T4 of the position, then T2 to T4 of the orientation.
PARTS = ("T1", "T2 position", "T3 position", "T4 position", "T2 orientation", "T3 orientation", "T4 orientation")
PLACE_PARTS = 4
MODELS = ("polynomial", "network")
# The models for position and orientation; networks of the Puma's position have larger cells.
CHOICE: dict[str, dict[str, Any]] = {
    "polynomial": {"model": "linear", "turn_model": "mixed"},
    "network": {"model": "network", "turn_model": "network", "iterations": 20},
}
# The ways to look a pose up: by binary search, by index, and by index with the wrist in closed form.
WAYS = ("halving", "index", "exact")


def tables_for(split: Split, settings: Settings, T: Array, v: Array | None) -> dict[str, CellTable]:
    """Return the tables of each way over the cells that targets lead to."""
    u = split.place_of(T) if v is None else np.c_[split.place_of(T), v]
    place, turn = cells_of(split, settings, u, T)
    kernel, convention = split.model.kernel, settings.convention
    return {
        "halving": table_of(split, kernel, place, turn, convention),
        "index": table_of(split, kernel, place, turn, convention, by_index=True),
        "exact": table_of(split, kernel, place, None, convention, by_index=True),
    }


def timed(key: str, tables: dict[str, CellTable], T: Array, v: Array | None) -> dict[str, float]:
    """Return the times of the parts of each way [us]."""
    parts = {way: by_part(table, T, v) for way, table in tables.items()}
    out = {f"{key} {name}": float(x) for name, x in zip(PARTS, parts["halving"], strict=True)}
    out |= {f"{key} {way}": float(each.sum()) for way, each in parts.items()}
    place, index = parts["halving"][:PLACE_PARTS].sum(), parts["index"][:PLACE_PARTS].sum()
    return out | {
        f"{key} place": place,
        f"{key} turn": parts["halving"][PLACE_PARTS:].sum(),
        f"{key} place index": index,
    }


def measure(setting: Setting) -> Findings:
    """Time both arms with both models, and the Puma's closed form."""
    out: dict[str, float] = {}
    count = setting.size(TARGETS, QUICK_TARGETS)
    split, settings = puma()
    T = random_poses(split, settings, setting.rng(), count)
    rows = repeated(T)
    calls: dict[str, Callable[[], object]] = {
        "closed": partial(all_postures_batch, split.model, rows, threads=1, limits=False)
    }
    for model in MODELS:
        side = 0.2 if model == "network" else 0.1
        tables = tables_for(*puma(**CHOICE[model], position_side=side), T, None)
        out |= timed(f"puma {model}", tables, T, None)
        calls |= {f"{model} {way}": partial(tables[way].find, rows) for way in WAYS}
    times = in_turns(calls, len(rows))
    out["closed"] = times["closed"]
    out |= {f"ratio {model} {way}": times["closed"] / times[f"{model} {way}"] for model in MODELS for way in WAYS}
    for model in MODELS:
        split, settings = human_arm(**CHOICE[model])
        truth = places(split, settings, setting.rng(), count)
        T, v = split.tip_at(truth.u[:, :PLACE]), truth.u[:, PLACE].copy()
        out |= timed(f"arm {model}", tables_for(split, settings, T, v), T, v)
    for arm in ("puma", "arm"):
        for part in ("place", "turn", "halving"):
            out[f"{arm} {part} ratio"] = out[f"{arm} network {part}"] / out[f"{arm} polynomial {part}"]
    return Findings(out)


def _claims(arm: str, table: str) -> tuple[Claim, ...]:
    out: list[Claim] = []
    for model in MODELS:
        key, name, times = f"{arm} {model}", f"{table}, {model}", TIMES[arm]

        def claim(part: str, text: str, paper: float | None = None, key: str = key, name: str = name) -> Claim:
            return Claim(f"{key} {part}", f"{name}: {text}", "us", paper, None, Cell("Tables 4 and 8 [us]", name, text))

        out += [claim(part, part) for part in PARTS]
        out += [
            claim("place", "position", times[f"{model} place"]),
            claim("turn", "orientation", times[f"{model} turn"]),
            claim("halving", "all solutions"),
            claim("place index", "position, by index"),
            claim("index", "all, by index"),
            claim("exact", "all, by index, exact wrist"),
        ]
    return tuple(out)


def _ratios(model: str) -> tuple[Claim, ...]:
    table = "Puma, 1000 targets: time of the closed form / time of the table"
    texts = {"halving": "binary search", "index": "cells by index", "exact": "by index, wrist in closed form"}
    return tuple(
        Claim(f"ratio {model} {way}", f"{table}, {model}, {text}", "x", SLOWER[model] if way == "halving" else None, None,
              Cell(table, model, text))
        for way, text in texts.items()
    )  # fmt: skip


def _networks(arm: str, name: str) -> tuple[Claim, ...]:
    table, texts = (
        "time of networks / time of polynomials",
        {"place": "position", "turn": "orientation", "halving": "pose"},
    )
    return tuple(
        Claim(f"{arm} {part} ratio", f"{name}, {text}: {table}", "x", None, None, Cell(table, name, text))
        for part, text in texts.items()
    )


EXPERIMENT = Experiment(
    name="online",
    claims=(
        *_claims("puma", "Table 4, Puma"),
        *_claims("arm", "Table 8, arm"),
        Claim("closed", "Puma, 1000 targets, closed form: all solutions of a pose, verified", "us", CLOSED_FORM_TIME),
        *(claim for model in MODELS for claim in _ratios(model)),
        *_networks("puma", "Puma"),
        *_networks("arm", "arm"),
    ),
    measure=measure,
)
