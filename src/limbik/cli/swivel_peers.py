"""Peers on arms with a swivel: all branches at a swivel, and the swivels inside the joint limits.

ssik: the charts of its self-motion manifold. EAIK: one joint is fixed at the true value; the timed call builds a robot for
every target.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from limbik.cli.closed_form_peers import Contestant, EaikRobot, axes_and_offsets
from limbik.formats.urdf import write_urdf
from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain

# The joint (from 0) that EAIK fixes: the roll of the upper arm; the remaining joints have a closed form.
FIXED = 2
SSIK_SOLVER = "seven_r.srs"


@dataclass(frozen=True)
class RangeContestant:
    """A solver that finds feasible swivels. read: the ranges of all branches; where: the swivel of the generating posture."""

    who: str
    how: str
    work: Callable[[Array], Any]
    read: Callable[[Any], list[tuple[float, float]]]
    where: Callable[[Array, Array], float]


def swivel_peers(arm: Chain) -> list[Contestant]:
    """Return the peers that find all branches at a given swivel."""
    return [found for build in (_ssik_charts, _eaik_fixed) if (found := build(arm)) is not None]


def range_peers(arm: Chain) -> list[RangeContestant]:
    """Return the peers that find feasible ranges."""
    robot = _ssik_manipulator(arm)
    if robot is None:
        return []

    def work(T: Array) -> Any:
        return [chart.in_limits() for chart in robot.self_motion(T).charts]

    def read(found: Any) -> list[tuple[float, float]]:
        return [(float(low), float(high)) for arcs in found for low, high in arcs]

    return [RangeContestant("ssik", "self_motion(T), in_limits() of each chart", work, read, _ssik_swivel(robot))]


def _ssik_manipulator(arm: Chain) -> Any:
    if find_spec("ssik") is None:
        return None
    from ssik import Manipulator

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        file.write_text(write_urdf(arm.model.mechanism))
        robot = Manipulator.from_urdf(str(file), base=arm.base, ee=arm.tip)
    return robot if robot.solver_name == SSIK_SOLVER else None


def _ssik_swivel(robot: Any) -> Callable[[Array, Array], float]:
    return lambda T, q: float(robot.self_motion(T).locate(q)[1])


def _ssik_charts(arm: Chain) -> Contestant | None:
    robot = _ssik_manipulator(arm)
    if robot is None:
        return None
    swivel = _ssik_swivel(robot)

    def work(T: Array, at: float) -> Any:
        return [chart.q(at) for chart in robot.self_motion(T).charts]

    def read(found: Any) -> Array:
        return np.array(found).reshape(-1, arm.n)

    return Contestant("ssik", "self_motion(T), q(t) of each chart", False, work, read, lambda T, q: (T, swivel(T, q)))


def _eaik_fixed(arm: Chain) -> Contestant | None:
    screws = axes_and_offsets(arm)
    if find_spec("eaik") is None or screws is None or arm.n != 7:
        return None
    from eaik.pybindings.EAIK import Robot

    H, P, R = screws
    if not Robot(H.T, P.T, R, [(FIXED, 0.0)], True).has_known_decomposition():
        return None

    def work(T: Array, value: float) -> Any:
        found = Robot(H.T, P.T, R, [(FIXED, value)], True).calculate_IK(T)
        return found, found.Q

    known = EaikRobot(None, np.ones(arm.n))

    return Contestant("EAIK", f"joint {FIXED + 1} fixed at the true value, robot built for each", False, work,
                      lambda r: known.rows(r[0]), lambda T, q: (T, float(q[FIXED])))  # fmt: skip
