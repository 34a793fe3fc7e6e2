"""MaximumOne, and the paths and starts of the experiments."""

from functools import cache

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.gini.printed import DIAMETER
from limbik.papers.paper import SEED
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The paper's unit of length, a centimetre [m].
CM = 0.01
# The number of points of a lap.
LAP = 100
# The number of starts of the descent (Table 3).
STARTS = 100


@cache
def arm() -> Chain:
    """Return MaximumOne."""
    made = load("maximum_one")
    assert isinstance(made, Chain)
    return made


def independent() -> list[int]:
    """Return the indices of the four independent muscles."""
    return [arm().muscles.names.index(name) for name in arm().muscles.independent]


def circle(centre: tuple[float, ...], points: int = LAP, plane: tuple[int, int] = (1, 2)) -> Array:
    """Return one lap round a circle, (points, 3) [m], from the point with the largest first coordinate of the plane."""
    turn = 2 * np.pi * np.arange(points) / points
    out = np.tile(np.array(centre, float), (points, 1))
    out[:, plane[0]] += 0.5 * DIAMETER * np.cos(turn)
    out[:, plane[1]] += 0.5 * DIAMETER * np.sin(turn)
    return out * CM


def starts(count: int = STARTS, seed: int = SEED) -> Array:
    """Return lengths of the independent muscles that have a posture, (count, 4) [m], drawn uniformly in their ranges."""
    low, high = (x[independent()] for x in arm().muscles.ranges)
    rng = np.random.default_rng(seed)
    found: list[Array] = []
    while len(found) < count:
        lengths = rng.uniform(low, high)
        if arm().muscles.posture_from_lengths(lengths).ok:
            found.append(lengths)
    return np.array(found)


def side_of(q: Array) -> int:
    """Return which of the two postures with equal muscle lengths a posture is: 0 in front of the body, 1 behind."""
    return 0 if q[1] >= 0 else 1
