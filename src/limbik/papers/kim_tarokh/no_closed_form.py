"""Arms without a closed form: "two to three orders of magnitude faster than other techniques" (section 5.1).

The paper names neither the robot nor the techniques. Here the robot is a 6R arm with random Denavit-Hartenberg rows, whose joints
turn by 60, 90 or 180 degrees to both sides. Its wrist is not spherical, so the cells divide the space of whole poses. Each table
is made as the text says: random joints over the whole range until a share of the cells is full, solutions separated without a
closed form, a linear model for each. Nothing about the test targets is known to it. The test postures are a second random sample.

The true postures come from a search from many starts. An arm without limits has an even number of postures at almost every pose,
so an odd number betrays a posture that the search missed.

Two answers of a table are timed: its approximate postures as they are, and the exact ones after Newton's method, verified.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from limbik.papers.claim import Cell, Claim, at_most, exactly
from limbik.papers.kim_tarokh.scores import PERCENT, angle_between
from limbik.papers.kim_tarokh.timing import in_turns
from limbik.papers.kim_tarokh.whole import NEAR, matches
from limbik.papers.paper import SEED, Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.build import build_table
from limbik.solvers.table.cells.opened import opened

TARGETS, QUICK_TARGETS = 1000, 300
PASSES, QUICK_PASSES = 5, 3
# Postures within SAME are equal [rad]. Errors of verified postures are within limbik's position tolerance [m].
SAME, VERIFIED = 1e-4, 1e-8
# Lengths and offsets of the random arm [m].
LENGTHS, OFFSETS = (0.0, 0.4), (-0.3, 0.3)
MEGABYTE = 1e6


@dataclass(frozen=True)
class Cells:
    """The settings of a table: sides of a cell [m, degrees], samples of a cell, and the share of cells that must be full."""

    side: float
    turn: float
    samples: int
    share: float


# By range of the joints to both sides [degrees]: cells of a full and of a quick run. Cells must be larger for larger ranges,
# because a cell then has more solutions and needs more samples.
RANGES: Mapping[int, tuple[Cells, Cells]] = {
    60: (Cells(0.2, 45, 100, 0.5), Cells(0.25, 60, 60, 0.3)),
    90: (Cells(0.2, 45, 100, 0.2), Cells(0.3, 60, 60, 0.2)),
    180: (Cells(0.4, 90, 200, 0.3), Cells(0.5, 90, 60, 0.3)),
}
NAMES = {half: f"joints of +-{half} deg" for half in RANGES}


def random_arm(half: int) -> Chain:
    """Return a 6R arm with random rows; `half`: the range of its joints to both sides [degrees], 180 for no limits."""
    rng = np.random.default_rng(SEED)
    rows = [(rng.uniform(*LENGTHS), rng.uniform(-np.pi, np.pi), rng.uniform(*OFFSETS), 0.0) for _ in range(6)]
    arm = Chain.from_dh(rows)
    ends = np.full(arm.n, np.radians(half))
    return arm if half == 180 else arm.with_limits(-ends, ends)


def judged(arm: Chain, cells: Cells, setting: Setting) -> dict[str, float]:
    """Return how a whole table of an arm answers random poses, and the times of the table and of other techniques."""
    start = perf_counter()
    content = build_table(
        arm,
        design="cells",
        coverage="random",
        classes="linkage",
        model="linear",
        position_side=cells.side,
        euler_side=float(np.radians(cells.turn)),
        per_cell=cells.samples,
        per_record=cells.samples,
        share=cells.share,
    )
    seconds = perf_counter() - start
    table, levels = opened(content, arm, arm.model.kernel)
    finder = solver_set(arm.with_table(content).model).table
    assert finder is not None
    T = arm.forward(arm.sample(setting.rng(), setting.size(TARGETS, QUICK_TARGETS)))
    every = arm.solve_all_batch(T, threads=1)
    raw, _, counts, _ = table.find(T)
    exact, exact_counts, _ = finder.solve_all_batch(T, None, 1)
    total = int(every.count.sum())
    row, slot = np.nonzero(np.arange(raw.shape[1]) < counts[:, None])
    reached = arm.forward(raw[row, slot])
    solved = np.nonzero(np.arange(exact.shape[1]) < exact_counts[:, None])
    left = np.linalg.norm(arm.forward(exact[solved])[:, :3, 3] - T[solved[0], :3, 3], axis=1)
    few = T[: len(T) // 5]
    passes = setting.size(PASSES, QUICK_PASSES)
    times = in_turns(
        {
            "look-up": lambda: table.find(few),
            "exact": lambda: finder.solve_all_batch(few, None, 1),
            "one": lambda: arm.solve_batch(few, method="lm", threads=1),
            "all": lambda: arm.solve_all_batch(few, threads=1),
        },
        len(few),
        passes,
    )
    return {
        "drawn": float(content.statistics["drawn"]),
        "cells": float(len(levels[0].addresses)),
        "storage": levels[0].record_bytes / MEGABYTE,
        "built": seconds,
        "true": total / len(T),
        "odd": PERCENT * float((every.count % 2 == 1).mean()),
        "emitted": float(counts.mean()),
        "found": PERCENT * float(matches(raw, counts, every.q, every.count, NEAR)[1].sum()) / total,
        "exact found": PERCENT * float(matches(exact, exact_counts, every.q, every.count, SAME)[1].sum()) / total,
        "position": 1e3 * float(np.linalg.norm(reached[:, :3, 3] - T[row, :3, 3], axis=1).mean()) if len(row) else np.nan,
        "orientation": float(np.degrees(angle_between(reached[:, :3, :3], T[row, :3, :3])).mean()) if len(row) else np.nan,
        "worst": float(left.max(initial=0.0)),
        **{f"{name} time": time for name, time in times.items()},
        "one ratio": times["one"] / times["look-up"],
        "all ratio": times["all"] / times["look-up"],
        "exact one ratio": times["one"] / times["exact"],
        "exact ratio": times["all"] / times["exact"],
    }  # fmt: skip


def measure(setting: Setting) -> Findings:
    """Build the tables of the three arms, and judge them."""
    out: dict[str, float] = {}
    for half, sizes in RANGES.items():
        found = judged(random_arm(half), sizes[setting.quick], setting)
        out |= {f"{half} {name}": x for name, x in found.items()}
    return Findings(out)


# The number of postures of a 6R arm without limits is even.
NEVER, MISSED = exactly(0.0), "the search from many starts, which gives the true postures, misses one at these poses"
MADE, ANSWERS, TIMES = (
    "random 6R, whole tables of poses",
    "random 6R, answers of the tables",
    "random 6R, time for a pose, one thread",
)


def _claims(half: int) -> tuple[Claim, ...]:
    name = NAMES[half]

    def claim(key: str, table: str, text: str, unit: str) -> Claim:
        bar = {"worst": at_most(VERIFIED), "odd": NEVER if half == 180 else None}.get(key)
        cell = Cell(table, name, f"{text} [{unit}]")
        return Claim(
            f"{half} {key}", f"random 6R, {name}: {text}", unit, None, bar, cell, MISSED if key == "odd" else ""
        )

    return (
        claim("drawn", MADE, "postures drawn", "postures"),
        claim("cells", MADE, "cells with a solution", "cells"),
        claim("storage", MADE, "storage", "MB"),
        claim("built", MADE, "build time", "s"),
        claim("true", ANSWERS, "true postures per pose", "1"),
        claim("odd", ANSWERS, "poses with an odd number of them", "%"),
        claim("emitted", ANSWERS, "postures of the table per pose", "1"),
        claim("position", ANSWERS, "mean position error", "mm"),
        claim("orientation", ANSWERS, "mean orientation error", "deg"),
        claim("found", ANSWERS, "true postures found", "%"),
        claim("exact found", ANSWERS, "found after Newton's method", "%"),
        claim("worst", ANSWERS, "worst error after Newton's method", "m"),
        claim("look-up time", TIMES, "look-up", "us"),
        claim("exact time", TIMES, "look-up and Newton's method", "us"),
        claim("one time", TIMES, "one posture by Levenberg-Marquardt", "us"),
        claim("all time", TIMES, "all postures by a search", "us"),
        claim("one ratio", TIMES, "one / look-up", "x"),
        claim("all ratio", TIMES, "all / look-up", "x"),
        claim("exact one ratio", TIMES, "one / Newton's", "x"),
        claim("exact ratio", TIMES, "all / Newton's", "x"),
    )


EXPERIMENT = Experiment(
    name="no closed form",
    claims=tuple(claim for half in RANGES for claim in _claims(half)),
    measure=measure,
    notes=(
        "a table over whole poses needs hundreds of samples in each of its cells; without limits a 6R arm has more cells and "
        "more solutions than the samples can fill, so cells stay empty and postures are missing.",
    ),
)
