"""Position and orientation in sequence, which the paper does not report: the position table gives the joints for the orientation.

A posture of the closed form counts as found if a posture of the table is so near in all joints that one or two Newton steps
correct it. Other postures of the table are spurious. Of both tables, only the cells that the targets lead to are built.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import puma, random_poses
from limbik.papers.kim_tarokh.scores import angle_between
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
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
PERCENT = 100.0


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


def measure(setting: Setting) -> Findings:
    """Look random poses up, and compare with the closed form."""
    split, settings = puma()
    arm = split.arm
    assert isinstance(arm, Chain)
    T = random_poses(split, settings, setting.rng(), setting.size(POSES, QUICK_POSES))
    out: dict[str, float] = {}
    place, turn = cells_of(split, settings, split.place_of(T), T)
    every = arm.solve_all_batch(T, threads=1)
    for key, level in (("cells", turn), ("exact", None)):
        q, _, _, _ = table_of(split, arm.model.kernel, place, level, settings.convention).find(T)
        inside = ((q >= arm.lower) & (q <= arm.upper)).all(-1)
        gap = np.abs(np.remainder(q[:, :, None] - every.q[:, None] + np.pi, 2 * np.pi) - np.pi).max(-1)
        gap[~inside] = np.inf
        gap[np.isnan(gap)] = np.inf
        true = np.arange(every.q.shape[1]) < every.count[:, None]
        near = (gap <= NEAR) & true[:, None]
        row, slot = np.nonzero(inside)
        reached = arm.forward(q[row, slot])
        error = np.linalg.norm(reached[:, :3, 3] - T[row, :3, 3], axis=1)
        out |= {
            f"{key} found": PERCENT * near.any(1)[true].mean(),
            f"{key} emitted": float(inside.sum() / len(T)),
            f"{key} spurious": PERCENT * (1.0 - near.any(2)[inside].mean()),
            f"{key} place": 1e3 * float(error.mean()),
            f"{key} turn": float(np.degrees(angle_between(reached[:, :3, :3], T[row, :3, :3])).mean()),
        }
    return Findings(out | {"true": float(every.count.mean())})


def _claims(key: str, what: str) -> tuple[Claim, ...]:
    return (
        Claim(f"{key} found", f"{what}: postures of the closed form found", "%"),
        Claim(f"{key} emitted", f"{what}: postures of the table inside the limits, per pose", "postures"),
        Claim(f"{key} spurious", f"{what}: share of these postures that are near no solution", "%"),
        Claim(f"{key} place", f"{what}: mean position error", "mm"),
        Claim(f"{key} turn", f"{what}: mean orientation error", "deg"),
    )


EXPERIMENT = Experiment(
    name="place and orientation",
    claims=(
        Claim("true", "postures per pose, by the closed form", "postures"),
        *_claims("cells", "orientation by cells"),
        *_claims("exact", "wrist in closed form"),
    ),
    measure=measure,
)
