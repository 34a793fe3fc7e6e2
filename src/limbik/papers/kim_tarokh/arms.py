"""The paper's two arms with their cells, and test targets with their true postures.

Puma 560 (section 5.1): x, y, z over +-900 mm, cells of 100 mm (the text also says 200; its count of 5832 is that of 100),
orientation cells of 20 degrees of the arm's joints and 45 degrees of Euler angles. Arm (section 5.2): +-600 mm, cells of 60 mm, v
over -100 .. 40 degrees, cells of 10.

v is an angle about the line from shoulder to wrist. The paper has four postures of the shoulder at one v. Four exist only if v is
the angle of an undirected plane; with a directed v there are two.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.all_postures import all_postures_batch
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.coverage import MIDDLE_ANGLE, arm_labels, arm_postures
from limbik.solvers.table.cells.samples import Whole
from limbik.solvers.table.cells.settings import Settings, settings_for
from limbik.solvers.table.cells.split import PLACE, WRIST, Split
from limbik.solvers.table.cells.unwrap import into_range
from limbik.solvers.table.cells.wrist import kind_of

PUMA: dict[str, Any] = {"reach": 0.9, "position_side": 0.1, "classes": "branches"}
ARM: dict[str, Any] = {"reach": 0.6, "position_side": 0.06, "classes": "branches", "directed": False}
# limbik's branch number of each row of the paper's tables; rows 1 and 4 are the frequent ones.
PUMA_ROWS = (1, 0, 3, 2)


@lru_cache(maxsize=3)
def chain(name: str) -> Chain:
    """Return an arm of the catalogue."""
    found = load(name)
    assert isinstance(found, Chain)
    return found


def puma(**changed: Any) -> tuple[Split, Settings]:
    """Return the Puma with the paper's cells, with some settings changed."""
    return settings_for(chain("puma560"), PUMA | changed)


def human_arm(**changed: Any) -> tuple[Split, Settings]:
    """Return the arm with the paper's cells, with some settings changed."""
    return settings_for(chain("human_arm_7"), ARM | changed)


@dataclass(frozen=True)
class Truth:
    """Test targets and all their postures inside the limits.

    u: (N, numbers), the coordinates in the position cells. row (M,), q (M, joints), label (M,): the target, joints and label of
    each posture.
    """

    u: Array
    row: Whole
    q: Array
    label: Whole


def places(split: Split, settings: Settings, rng: np.random.Generator, count: int) -> Truth:
    """Return `count` targets, uniform in the ranges of x, y, z [, v], that a posture reaches if limits are ignored."""
    kept: list[Array] = []
    while sum(map(len, kept)) < count:
        u = rng.uniform(-settings.reach, settings.reach, (count, PLACE))
        if split.inclined:
            u = np.c_[u, rng.uniform(*settings.inclination, count)]
        kept.append(u[np.unique(arm_postures(split, u)[0])])
    u = np.concatenate(kept)[:count]
    return Truth(u, *inside(split, *arm_postures(split, u)))


def inside(split: Split, row: Whole, q: Array, label: Whole) -> tuple[Whole, Array, Whole]:
    """Return those postures of the first joints that have a 2-pi copy inside the limits, as that copy."""
    part = slice(0, split.joints)
    q = into_range(q, split.model.ranges.home[part], split.turning[part])
    good = ((q >= split.model.ranges.lower[part]) & (q <= split.model.ranges.upper[part])).all(-1)
    return row[good], q[good], label[good]


@dataclass(frozen=True)
class Turns:
    """Postures for the orientation cells.

    u: (M, joints + 3), the arm's joints and Euler angles. R: (M, 3, 3), rotations of the tip. q: (M, 3), the wrist's joints.
    label: (M,), the paper's eight solutions: that of the position, + 4 for the second posture of the wrist.
    """

    u: Array
    R: Array
    q: Array
    label: Whole


def turns(split: Split, q: Array, convention: str, place: Whole, count: int = 4) -> Turns:
    """Return postures (M, n) for the orientation cells. place: (M,), the labels of the position solutions."""
    R = split.model.kernel.forward(q)[:, :3, :3]
    u = np.concatenate([q[:, : split.joints], euler.angles(R, convention)], axis=1)
    return Turns(u, R, q[:, -WRIST:], place + count * kind_of(q[:, -WRIST:], split.wrist_axes))


def random_poses(split: Split, settings: Settings, rng: np.random.Generator, count: int) -> Array:
    """Return tip poses (N, 4, 4), uniform in wrist position and Euler angles, that are reachable if limits are ignored."""
    place = places(split, settings, rng, count).u[:, :PLACE]
    middle = MIDDLE_ANGLE[settings.convention]
    angles = np.stack([rng.uniform(*ends, count) for ends in ((-np.pi, np.pi), middle, (-np.pi, np.pi))], axis=1)
    T = split.tip_at(place)
    T[:, :3, :3] = euler.rotation(angles, settings.convention)
    T[:, :3, 3] = place - T[:, :3, :3] @ split.centre
    return T


def branch_turns(split: Split, T: Array, convention: str) -> tuple[Turns, Whole]:
    """Return all postures of poses for the orientation cells, and the row of the pose of each."""
    every = all_postures_batch(split.model, T, threads=1)
    row, slot = np.nonzero(every.branches >= 0)
    place = arm_labels(split)[every.branches[row, slot]]
    return turns(split, every.q[row, slot], convention, place), row
