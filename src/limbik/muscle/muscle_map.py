"""The share of joint-space solutions that are admissible in muscle space: `arm.muscles.map()`.

The paper of MaximumOne (Gini et al.) hopes for "a detailed analysis of the working space", so that one can solve in
joint space, which is fast, and convert to muscles "without losing the real solutions". At a point of the workspace the
postures (configurations) of an arm with a shoulder and an elbow are arcs of the swivel, computed exactly with and
without the ranges of muscles. The ratio of their lengths is the share of joint-space solutions that are admissible for
the muscles: 1 if all are, 0 if none is. For other arms random postures are counted.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.model.model import Model
from limbik.model.record import Record
from limbik.muscle.lengths import admissible
from limbik.muscle.problem import muscle_problem

# Default number of points along each side, and of random postures for arms without a swivel.
POINTS, SAMPLES = 61, 400_000
MOST_POINTS, MOST_SAMPLES = 2_000, 10_000_000
_PLANES = {"xy": (0, 1, 2), "xz": (0, 2, 1), "yz": (1, 2, 0)}


@dataclass(frozen=True, eq=False)
class MuscleMap(Record):
    """A plane of the workspace. across, up: (points,) along the two letters of `plane`, at: its third coordinate [m].

    joints: (points, points), index [across, up], the postures inside the joint limits: total length of the swivel arcs
    of all branches [rad], or a count. muscles: the same for postures with every muscle in range. exact: whether these
    are arcs, not counts.
    """

    across: Array
    up: Array
    plane: str
    at: float
    joints: Array
    muscles: Array
    exact: bool

    @property
    def share(self) -> Array:
        """The share of joint-space solutions that are admissible in muscle space; NaN without joint-space solutions."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.joints > 0, self.muscles / self.joints, np.nan))

    @property
    def summary(self) -> dict[str, float]:
        """The shares of reachable points at which all, some and no solutions are admissible."""
        share = self.share[np.isfinite(self.share)]
        if not len(share):
            return {"all": 0.0, "some": 0.0, "none": 0.0}
        whole, none = float((share >= 1 - 1e-6).mean()), float((share <= 0).mean())
        return {"all": whole, "some": 1.0 - whole - none, "none": none}


def muscle_map(
    model: Model, plane: str = "yz", at: float = 0.0, points: int = POINTS, *, samples: int = SAMPLES, seed: int = 0
) -> MuscleMap:
    """Return the share of admissible postures on a plane through the workspace. Raises BadOption."""
    if not isinstance(plane, str) or plane not in _PLANES:
        raise BadOption(f"plane={shown(plane)}: use one of {', '.join(_PLANES)}")
    for name, value, most in (("points", points, MOST_POINTS), ("samples", samples, MOST_SAMPLES)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 2 <= value <= most:
            raise BadOption(f"{name}={shown(value)}: give a whole number from 2 to {most}")
    height, reach = number(at, "at"), model.from_base
    if not (np.isfinite(height) and np.isfinite(reach)):
        raise BadOption("the plane and the reach of the arm must be finite")
    side = np.linspace(-reach, reach, points)
    core = muscle_problem(model).core
    if not core.has_swivel:
        return _counted(model, side, plane, height, samples, seed)
    first, second, third = _PLANES[plane]
    P = np.empty((points, points, 3))
    P[..., first], P[..., second], P[..., third] = side[:, None], side[None, :], height
    flat = P.reshape(-1, 3)
    *_, joints = muscle_problem(_without_ranges(model)).core.solve_points(flat, model.ranges.home, False)
    *_, muscles = core.solve_points(flat, model.ranges.home, False)
    shape = (points, points)
    return MuscleMap(side, side, plane, height, joints.reshape(shape), muscles.reshape(shape), True)


def _without_ranges(model: Model) -> Model:
    """Return the model without ranges of its muscles."""
    free = tuple(replace(m, lower=0.0, upper=np.inf, actuator=None) for m in model.mechanism.muscles)
    return Model.chain(model.mechanism.with_muscles(free), model.base, model.tip)


def _counted(model: Model, side: Array, plane: str, height: float, samples: int, seed: int) -> MuscleMap:
    first, second, third = _PLANES[plane]
    q = model.ranges.sample(np.random.default_rng(seed), samples, max(model.from_base, np.finfo(float).tiny))
    p = model.kernel.forward(q, -1, 0)[:, :3, 3]
    thick = 1.5 * (side[1] - side[0])
    near = np.abs(p[:, third] - height) <= thick
    edges = np.append(side - 0.5 * (side[1] - side[0]), side[-1] + 0.5 * (side[1] - side[0]))
    inside = np.asarray(admissible(model, q[near]))
    places: Any = p[near]
    joints, *_ = np.histogram2d(places[:, first], places[:, second], bins=(edges, edges))
    muscles, *_ = np.histogram2d(places[inside, first], places[inside, second], bins=(edges, edges))
    return MuscleMap(side, side, plane, height, joints, muscles, False)
