"""The paper's two arms as tables see them, with its cells; targets to test with, and their true postures.

Puma 560 (section 5.1): x, y, z over +-900 mm, cells of 100 mm (the text also says 200; its count of 5832 is that of 100),
orientation cells of 20 degrees of the arm's joints and 45 degrees of Euler angles. Arm (section 5.2): +-600 mm, cells of 60 mm, v
over -100 .. 40 degrees, cells of 10.

v turns about the line from shoulder to wrist. The paper speaks of four postures of the shoulder at one v, which needs the angle
of a plane that may be turned either way: undirected. With a directed v there are two.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.table.cells import euler
from limbik.solvers.table.cells.coverage import MIDDLE_ANGLE, arm_labels, arm_postures
from limbik.solvers.table.cells.samples import Whole
from limbik.solvers.table.cells.settings import Settings, settings_for
from limbik.solvers.table.cells.split import PLACE, WRIST, Split
from limbik.solvers.table.cells.unwrap import into_range
from limbik.solvers.table.cells.wrist import kind_of

PUMA: dict[str, Any] = {"reach": 0.9, "position_side": 0.1, "classes": "branches"}
ARM: dict[str, Any] = {"reach": 0.6, "position_side": 0.06, "classes": "branches", "directed": False}
# The solution of each of the paper's rows in the order of limbik's branches: rows 1 and 4 are the frequent ones.
PUMA_ROWS = (1, 0, 3, 2)


@lru_cache(maxsize=3)
def chain(name: str) -> Chain:
    """Return an arm of the catalogue."""
    found = load(name)
    assert isinstance(found, Chain)
    return found


def puma(**changed: Any) -> tuple[Split, Settings]:
    """Return the Puma with the paper's cells, some settings changed."""
    return settings_for(chain("puma560"), PUMA | changed)


def human_arm(**changed: Any) -> tuple[Split, Settings]:
    """Return the arm with the paper's cells, some settings changed."""
    return settings_for(chain("human_arm_7"), ARM | changed)


@dataclass(frozen=True)
class Truth:
    """Test targets and every posture of them inside the limits.

    u: (N, numbers) of the first cells. row, q, label: (M,), (M, joints), (M,) of the postures.
    """

    u: Array
    row: Whole
    q: Array
    label: Whole


def places(split: Split, settings: Settings, rng: np.random.Generator, count: int) -> Truth:
    """Return so many targets drawn evenly from the ranges of x, y, z [, v] that a posture reaches, limits aside."""
    kept: list[Array] = []
    while sum(map(len, kept)) < count:
        u = rng.uniform(-settings.reach, settings.reach, (count, PLACE))
        if split.inclined:
            u = np.c_[u, rng.uniform(*settings.inclination, count)]
        kept.append(u[np.unique(arm_postures(split, u)[0])])
    u = np.concatenate(kept)[:count]
    return Truth(u, *inside(split, *arm_postures(split, u)))


def inside(split: Split, row: Whole, q: Array, label: Whole) -> tuple[Whole, Array, Whole]:
    """Return those postures of the first joints that keep the limits, at the whole turn where they do."""
    part = slice(0, split.joints)
    q = into_range(q, split.arm.home[part], split.turning[part])
    good = ((q >= split.arm.lower[part]) & (q <= split.arm.upper[part])).all(-1)
    return row[good], q[good], label[good]


@dataclass(frozen=True)
class Turns:
    """Postures for the orientation cells: the arm's joints and Euler angles (M, joints + 3), the tip's rotation (M, 3, 3), and
    which of the paper's eight solutions each is (M,): place + 4 for the second posture of the wrist.
    """

    u: Array
    R: Array
    q: Array
    label: Whole


def turns(split: Split, q: Array, convention: str, place: Whole, count: int = 4) -> Turns:
    """Return postures (M, n) as the orientation cells see them. place: (M,) the solution of the place."""
    R = split.arm.forward(q)[:, :3, :3]
    u = np.concatenate([q[:, : split.joints], euler.angles(R, convention)], axis=1)
    return Turns(u, R, q[:, -WRIST:], place + count * kind_of(q[:, -WRIST:], split.wrist_axes))


def random_poses(split: Split, settings: Settings, rng: np.random.Generator, count: int) -> Array:
    """Return tip poses (N, 4, 4): place and Euler angles drawn evenly from their ranges, where the wrist can be, limits aside."""
    place = places(split, settings, rng, count).u[:, :PLACE]
    middle = MIDDLE_ANGLE[settings.convention]
    angles = np.stack([rng.uniform(*ends, count) for ends in ((-np.pi, np.pi), middle, (-np.pi, np.pi))], axis=1)
    T = split.tip_at(place)
    T[:, :3, :3] = euler.rotation(angles, settings.convention)
    T[:, :3, 3] = place - T[:, :3, :3] @ split.centre
    return T


def branch_turns(split: Split, T: Array, convention: str) -> tuple[Turns, Whole]:
    """Return every posture of poses as the orientation cells see it, and the pose that each belongs to."""
    every = split.arm.solve_all_batch(T, threads=1)
    row, slot = np.nonzero(every.branches >= 0)
    place = arm_labels(split)[every.branches[row, slot]]
    return turns(split, every.q[row, slot], convention, place), row
