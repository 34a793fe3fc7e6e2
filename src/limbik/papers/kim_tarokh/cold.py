"""The online phase with tables larger than the cache: many targets, and an orientation table of full size.

A thousand targets use a few thousand records, which stay in the cache; a moving robot does not use the same records
again. A full orientation table takes minutes to build, so a substitute is timed: all cells that an orientation can
occupy, with two records each, whose coefficients are 0. Addresses, searches and memory accesses are those of the full
table; its answers are not used. The position table is the real one.
"""

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import puma, random_poses
from limbik.papers.kim_tarokh.online import MICROSECONDS, shortest
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.table.cells.design import turns_there_are, within_reach
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.level import Level
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.settings import Settings, turn_grid, turn_model
from limbik.solvers.table.cells.split import WRIST, Split

TARGETS = 100_000
PASSES = 3
MEGABYTE = 1e6


def stand_in(split: Split, settings: Settings) -> Level:
    """Return an orientation level of full size with coefficients of 0."""
    addresses = turns_there_are(split, settings)
    model = turn_model(split, settings)
    cells = len(addresses)
    return Level(
        grid=turn_grid(split, settings),
        model=model,
        joints=WRIST,
        addresses=addresses,
        first=np.arange(0, 2 * cells + 1, 2, dtype=np.int64),
        kinds=np.tile(np.array([0, 1], dtype=np.int32), cells),
        words=np.full((2 * cells, model.words(WRIST)), 0.0, dtype=np.float32),
    )


def measure(setting: Setting) -> Findings:
    """Time the table by both searches and with the wrist in closed form, and the closed form; not in a quick run."""
    keys = ("halving", "index", "exact", "closed", "ratio", "storage")
    if setting.quick:
        return Findings(dict.fromkeys(keys, np.nan))
    split, settings = puma()
    arm = split.arm
    assert isinstance(arm, Chain)
    T = random_poses(split, settings, setting.rng(), TARGETS)
    place, turn = place_level(split, settings, None, within_reach(split, settings)), stand_in(split, settings)
    out: dict[str, float] = {"storage": turn.record_bytes / MEGABYTE}
    for key, level, by_index in (("halving", turn, False), ("index", turn, True), ("exact", None, True)):
        table = table_of(split, arm.model.kernel, place, level, settings.convention, by_index=by_index)
        passes = [sum(table.find(T)[3]) for _ in range(PASSES)]
        out[key] = min(passes) / TARGETS * MICROSECONDS
    out["closed"] = shortest(lambda: arm.solve_all_batch(T, threads=1), TARGETS, PASSES)
    return Findings(out | {"ratio": out["closed"] / out["halving"]})


EXPERIMENT = Experiment(
    name="online, cold",
    claims=(
        Claim("storage", "Puma, 100,000 targets: orientation table", "MB", 340.0),
        Claim("halving", "Puma, 100,000 targets, polynomial: all solutions of a pose", "us", 2.12),
        Claim("index", "Puma, 100,000 targets, polynomial: all solutions, cells found by index", "us"),
        Claim("exact", "Puma, 100,000 targets, polynomial: all solutions, cells by index, wrist in closed form", "us"),
        Claim("closed", "Puma, 100,000 targets, closed form: all solutions of a pose, verified", "us", 24.0),
        Claim("ratio", "Puma, 100,000 targets: time of the closed form / time of the table", "x", 24.0 / 2.12),
    ),
    measure=measure,
)
