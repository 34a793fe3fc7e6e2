"""MaximumOne, and the paths, starts and targets of the experiments."""

from collections.abc import Callable
from functools import cache

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.problem import muscle_problem
from limbik.papers.gini.printed import DIAMETER, TABLE_3
from limbik.papers.paper import SEED
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The paper's unit of length, a centimetre [m].
CM = 0.01
# The number of points of a lap.
LAP = 100
# The number of starts of the descent (Table 3), and of random reachable targets.
STARTS = 100
# The targets of the descent: the points of Table 3, and random points that an admissible posture in front of the body reaches.
RANDOM = "random targets"
# Random points that any admissible posture reaches, also one behind the body, to which the descent cannot cross.
EITHER = "random targets, either side"
TARGETS = (*TABLE_3, RANDOM)


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


@cache
def targets(name: str) -> Array:
    """Return one target for each start, (STARTS, 3) [m]: a point of Table 3, or random reachable points.

    Random ones (but those of EITHER) are reached with the upper arm in front of the body, as all starts are: the descent cannot
    cross to the other posture with the same lengths.
    """
    if name not in (RANDOM, EITHER):
        return np.tile(np.array(TABLE_3[name][0]) * CM, (STARTS, 1))
    q = arm().muscles.sample_admissible(np.random.default_rng(SEED), 4 * STARTS)
    kept = [name == EITHER or side_of(posture) == 0 for posture in q]
    return np.asarray(arm().forward(q[kept][:STARTS])[:, :3, 3])


def distance_to(point: Array, side: int = 0) -> Callable[[Array], float]:
    """Return the distance of the wrist from a point [m] as a function of the four independent lengths; inf if impossible.

    side: which of the two postures with the same lengths, 0 in front of the body.
    """
    model, places = arm().model, independent()
    core, home = muscle_problem(model).core, np.array(model.ranges.home)
    lengths = np.full(len(arm().muscles), np.nan)

    def distance(at: Array) -> float:
        lengths[places] = at
        q, *_ = core.direct(lengths, 1e-6, True, home)
        for posture in q:
            if side_of(posture) == side:
                return float(np.linalg.norm(model.kernel.forward(posture, -1, 0)[:3, 3] - point))
        return np.inf

    return distance
