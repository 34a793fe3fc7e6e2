"""The reachable positions of a tip, and the share of reachable orientations at each: `reach_map`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.model.robots import is_arm
from limbik.solvers.all_postures import reachable

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# Defaults: points along each direction, and orientations at each point.
POINTS, ORIENTATIONS = 60, 100


@dataclass(frozen=True)
class ReachMap:
    """An x-z plane of the base frame, and the share of orientations that the tip reaches at each of its points.

    x, z: (points,) [m], in the base's frame at y. share: (points, points) of the orientations, from 0 to 1, [x, z].
    """

    x: Array
    z: Array
    y: float
    share: Array
    orientations: int


def reach_map(
    arm: "Chain",
    points: int = POINTS,
    orientations: int = ORIENTATIONS,
    *,
    y: float = 0.0,
    seed: int = 0,
    threads: int | None = None,
) -> ReachMap:
    """Return the share of orientations that the tip reaches at the points of a plane, inside the limits.

    The same orientations, spread evenly at random, are tried at every point. Raises BadOption.
    """
    for name, value in (("points", points), ("orientations", orientations)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= 10_000:
            raise BadOption(f"{name}={shown(value)}: give a whole number from 1 to 10000")
    if not is_arm(arm):
        raise BadOption(f"a map is of a chain; got {shown(arm)}: name a tip, as in load(..., tip=...)")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise BadOption(f"seed={shown(seed)}: give a whole number from 0")
    if not np.isfinite(number(y, "y")):
        raise BadOption(f"y={shown(y)}: give a finite number")
    if not np.isfinite(arm.reach):
        raise BadOption(f"'{arm.name}' has an unbounded reach: it has no map")
    side = np.linspace(-arm.reach, arm.reach, points)
    R = random_rotations(np.random.default_rng(seed), orientations)
    T = np.broadcast_to(np.eye(4), (points, orientations, 4, 4)).copy()
    T[..., :3, :3] = R
    T[..., 1, 3] = y
    share = np.empty((points, points))
    for k, x in enumerate(side):  # one column at a time, to bound the memory
        T[..., 0, 3], T[..., 2, 3] = x, side[:, None]
        share[k] = reachable(arm.model, T.reshape(-1, 4, 4), threads=threads).reshape(points, orientations).mean(axis=1)
    return ReachMap(side, side, float(y), share, orientations)


def random_rotations(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """Return uniformly distributed random rotations, (count, 3, 3)."""
    w, x, y, z = np.moveaxis(_unit(rng.normal(size=(count, 4))), -1, 0)
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def _unit(v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(v / np.linalg.norm(v, axis=-1, keepdims=True))
