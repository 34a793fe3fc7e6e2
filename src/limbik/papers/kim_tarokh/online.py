"""The online phase: Tables 4 and 8, its four parts, and the closed form in the same run, one thread.

T1 reachable, T2 addresses, T3 search, T4 models: each is timed over blocks of 32 targets. There are 1000 targets, as in
the paper, so the tables stay in the cache. The shortest of several passes counts. Orientation tables contain only the
cells of these targets; cold.py has the full size.

The closed form is limbik's: every posture is verified by forward kinematics and checked against the limits, unlike the postures
of a table. Its time contradicts "10 times slower than the proposed method" (section 5.1).
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from limbik._core import CellTable, Kernel
from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import human_arm, places, puma, random_poses
from limbik.papers.kim_tarokh.printed import CLOSED_FORM_TIME, TIMES
from limbik.papers.kim_tarokh.whole import cells_of
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.all_postures import all_postures_batch
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.settings import Settings
from limbik.solvers.table.cells.split import PLACE, Split

TARGETS, QUICK_TARGETS = 1000, 100
PASSES = 15
MICROSECONDS = 1e6
# The core's seven parts under the paper's names: T1 to T4 of the position, then T2 to T4 of the orientation.
PARTS = ("T1", "T2 position", "T3 position", "T4 position", "T2 orientation", "T3 orientation", "T4 orientation")
PLACE_PARTS = 4
MODELS = ("polynomial", "network")
# The models for position and orientation; networks of the Puma's position have larger cells.
CHOICE: dict[str, dict[str, Any]] = {
    "polynomial": {"model": "linear", "turn_model": "mixed"},
    "network": {"model": "network", "turn_model": "network", "iterations": 20},
}


def seconds(table: CellTable, T: Array, v: Array | None) -> Array:
    """Return the time of each part per target [us], the shortest of several passes."""
    passes = np.array([table.find(T, v)[3] for _ in range(PASSES)])
    return np.asarray(passes.min(axis=0) / len(T) * MICROSECONDS)


def shortest(run: Callable[[], object], targets: int, passes: int = PASSES) -> float:
    """Return the time per target [us], the shortest of several passes."""
    times = []
    for _ in range(passes):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times) / targets * MICROSECONDS


def timed(key: str, split: Split, settings: Settings, T: Array, v: Array | None) -> dict[str, float]:
    """Return the times of one table by binary search, by index, and with the wrist in closed form [us]."""
    u = split.place_of(T) if v is None else np.c_[split.place_of(T), v]
    place, turn = cells_of(split, settings, u, T)
    out: dict[str, float] = {}
    kernel = _kernel(split)
    parts = seconds(table_of(split, kernel, place, turn, settings.convention), T, v)
    out |= {f"{key} {name}": x for name, x in zip(PARTS, parts, strict=True)}
    out |= {
        f"{key} place": parts[:PLACE_PARTS].sum(),
        f"{key} turn": parts[PLACE_PARTS:].sum(),
        f"{key} all": parts.sum(),
    }
    parts = seconds(table_of(split, kernel, place, turn, settings.convention, by_index=True), T, v)
    out |= {f"{key} by index": parts.sum(), f"{key} place by index": parts[:PLACE_PARTS].sum()}
    parts = seconds(table_of(split, kernel, place, None, settings.convention, by_index=True), T, v)
    return out | {f"{key} exact wrist": parts.sum()}


def _kernel(split: Split) -> Kernel:
    return split.model.kernel


def measure(setting: Setting) -> Findings:
    """Time both arms with both models, and the Puma's closed form."""
    out: dict[str, float] = {}
    count = setting.size(TARGETS, QUICK_TARGETS)
    split, settings = puma()
    T = random_poses(split, settings, setting.rng(), count)
    for model in MODELS:
        side = 0.2 if model == "network" else 0.1
        split, settings = puma(**CHOICE[model], position_side=side)
        out |= timed(f"puma {model}", split, settings, T, None)
    closed = shortest(lambda: all_postures_batch(split.model, T, threads=1), count)
    out |= {
        "closed": closed,
        "ratio": closed / out["puma polynomial all"],
        "index ratio": closed / out["puma polynomial by index"],
    }
    for model in MODELS:
        split, settings = human_arm(**CHOICE[model])
        truth = places(split, settings, setting.rng(), count)
        T = split.tip_at(truth.u[:, :PLACE])
        out |= timed(f"arm {model}", split, settings, T, truth.u[:, PLACE].copy())
    return Findings(out)


def _claims(arm: str, what: str) -> tuple[Claim, ...]:
    out: list[Claim] = []
    for model in MODELS:
        key, name = f"{arm} {model}", f"{what}, {model}"
        out += [Claim(f"{key} {part}", f"{name}: {part}", "us") for part in PARTS]
        out += [
            Claim(f"{key} place", f"{name}: position, total", "us", TIMES[arm][f"{model} place"]),
            Claim(f"{key} turn", f"{name}: orientation, total", "us", TIMES[arm][f"{model} turn"]),
            Claim(
                f"{key} all",
                f"{name}: all solutions of a pose",
                "us",
                sum(TIMES[arm][f"{model} {x}"] for x in ("place", "turn")),
            ),
            Claim(f"{key} place by index", f"{name}: position, total, cells found by index", "us"),
            Claim(f"{key} by index", f"{name}: all solutions of a pose, cells found by index", "us"),
            Claim(f"{key} exact wrist", f"{name}: all solutions, by index, wrist in closed form", "us"),
        ]
    return tuple(out)


EXPERIMENT = Experiment(
    name="online",
    claims=(
        *_claims("puma", "Table 4, Puma"),
        Claim("closed", "Puma, closed form: all solutions of a pose, verified", "us", CLOSED_FORM_TIME),
        Claim("ratio", "Puma: time of the closed form / time of the polynomial table", "x", CLOSED_FORM_TIME / 2.12),
        Claim("index ratio", "Puma: time of the closed form / time of the polynomial table, cells found by index", "x"),
        *_claims("arm", "Table 8, arm"),
    ),
    measure=measure,
)
