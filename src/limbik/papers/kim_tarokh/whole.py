"""Position and orientation in sequence, which the paper does not report: the position table gives the joints for the orientation.

A posture of the closed form counts as found if a posture of the table is so near in all joints that one or two Newton steps
correct it. Other postures of the table are spurious. Of both tables, only the cells that the targets lead to are built;
full_tables.py has whole ones.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import CellTable
from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim
from limbik.papers.kim_tarokh.arms import chain, puma, random_poses
from limbik.papers.kim_tarokh.scores import PERCENT, angle_between
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.fitting import place_level, turn_level
from limbik.solvers.table.cells.level import Level
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.samples import Whole
from limbik.solvers.table.cells.settings import Settings, first_grid, turn_grid
from limbik.solvers.table.cells.split import Split
from limbik.solvers.table.cells.unwrap import into_range

POSES, QUICK_POSES = 3000, 200
# The largest distance of a joint at which a posture counts as found [rad].
NEAR = 0.35


def arm_joints(split: Split, place: Level, u: Array) -> tuple[Array, Whole]:
    """Return the joints of the arm by the position level, (M, joints), and the row of u of each."""
    q, row, _ = place.value(u)
    m = split.joints
    return into_range(q, split.model.ranges.home[:m], split.turning[:m]), row


def cells_of(split: Split, settings: Settings, u: Array, T: Array) -> tuple[Level, Level]:
    """Return both levels over the cells that targets lead to. u: (N, numbers) of the position cells. T: (N, 4, 4) poses."""
    place = place_level(split, settings, None, np.unique(first_grid(split, settings).address(u)))
    q, row = arm_joints(split, place, u)
    numbers = np.concatenate([q, euler.angles(T[row, :3, :3], settings.convention)], axis=1)
    return place, turn_level(split, settings, np.unique(turn_grid(split, settings).address(numbers)))


def matches(
    q: Array, count: npt.NDArray[np.int32], known: Array, known_count: npt.NDArray[np.int32], tolerance: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which given postures are near a known one, (N, A), and which known ones are near a given one, (N, B).

    q: (N, A, n) with `count` valid postures per row; known: (N, B, n) likewise. tolerance: the largest distance of a joint, by
    the angle between joint values [rad].
    """
    gap = np.abs(np.remainder(q[:, :, None] - known[:, None] + np.pi, 2 * np.pi) - np.pi).max(-1, initial=0.0)
    near: npt.NDArray[np.bool_] = np.asarray(gap <= tolerance)
    near &= (np.arange(q.shape[1]) < count[:, None])[:, :, None]
    near &= (np.arange(known.shape[1]) < known_count[:, None])[:, None]
    return np.asarray(near.any(axis=2)), np.asarray(near.any(axis=1))


def quality(table: CellTable, T: Array) -> dict[str, float]:
    """Return how the Puma's table answers poses: the share of the closed form's postures found, spurious postures, errors."""
    arm = chain("puma560")
    every = arm.solve_all_batch(T, threads=1)
    q = table.find(T)[0]
    inside = np.asarray(((q >= arm.lower) & (q <= arm.upper)).all(-1))
    given = np.where(inside[..., None], q, np.nan)
    spans = np.full(len(T), q.shape[1], dtype=np.int32)
    good, found = matches(given, spans, every.q, every.count, NEAR)
    row, slot = np.nonzero(inside)
    reached = arm.forward(q[row, slot])
    error = np.linalg.norm(reached[:, :3, 3] - T[row, :3, 3], axis=1)
    return {
        "true": float(every.count.mean()),
        "found": PERCENT * float(found.sum()) / max(1, int(every.count.sum())),
        "emitted": float(inside.sum() / len(T)),
        "spurious": PERCENT * (1.0 - float(good[inside].mean())),
        "place": 1e3 * float(error.mean()),
        "turn": float(np.degrees(angle_between(reached[:, :3, :3], T[row, :3, :3])).mean()),
    }


def measure(setting: Setting) -> Findings:
    """Look random poses up, and compare with the closed form."""
    split, settings = puma()
    T = random_poses(split, settings, setting.rng(), setting.size(POSES, QUICK_POSES))
    place, turn = cells_of(split, settings, split.place_of(T), T)
    out: dict[str, float] = {}
    for key, level in (("cells", turn), ("exact", None)):
        found = quality(table_of(split, split.model.kernel, place, level, settings.convention), T)
        out |= {f"{key} {name}": x for name, x in found.items() if name != "true"} | {"true": found["true"]}
    return Findings(out)


def quality_claims(key: str, what: str, table: str) -> tuple[Claim, ...]:
    """Return the claims about the answers of a table, but for the true number of postures."""

    def claim(name: str, text: str, unit: str) -> Claim:
        return Claim(f"{key} {name}", f"{what}: {text}", unit, None, None, Cell(table, what, f"{name} [{unit}]"))

    return (
        claim("found", "postures of the closed form found", "%"),
        claim("emitted", "postures of the table inside the limits, per pose", "postures"),
        claim("spurious", "share of these postures that are near no solution", "%"),
        claim("place", "mean position error", "mm"),
        claim("turn", "mean orientation error", "deg"),
    )


EXPERIMENT = Experiment(
    name="place and orientation",
    claims=(
        Claim("true", "postures per pose, by the closed form", "postures"),
        *quality_claims("cells", "orientation by cells", "Puma, position, then orientation"),
        *quality_claims("exact", "wrist in closed form", "Puma, position, then orientation"),
    ),
    measure=measure,
)
