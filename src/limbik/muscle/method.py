"""The interface of methods in muscle space: a function from a problem and a target to a posture (configuration)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target


class Request(NamedTuple):
    """How a posture is wanted. nearest: to the seed, else with centred muscles. swivel: only there [rad]. settings: by name."""

    nearest: bool = False
    swivel: float | None = None
    settings: Mapping[str, Any] = {}


class Found(NamedTuple):
    """The result of a method: a posture or none, a status, a sentence, and details.

    checked: the error of the tip [m], the lengths and the centring of q, where the core has computed them.
    """

    status: Status
    why: str
    q: Array | None = None
    branch: int | None = None
    swivel: float | None = None
    ranges: tuple[tuple[float, float], ...] = ()
    evaluations: int = 0
    checked: tuple[float, Array, float] | None = None


Solve = Callable[[MuscleProblem, Target, Array, Request], Found]


def any_problem(problem: MuscleProblem, target: Target) -> bool:
    """Take every problem."""
    return True


@dataclass(frozen=True)
class MuscleMethod:
    """One method: its name, what it is in a few words, the function that solves, and which targets it takes.

    fits: whether it is there for a problem and a target. settings: the names of its settings. swivel: whether it can hold one.
    exact: whether it ends within the tolerances. replaceable: whether the search for the closest configuration may answer in its
    place.
    """

    name: str
    title: str
    solve: Solve
    targets: tuple[str, ...] = ("point", "pose", "orientation")
    fits: Callable[[MuscleProblem, Target], bool] = any_problem
    settings: tuple[str, ...] = ()
    swivel: bool = False
    exact: bool = True
    replaceable: bool = False
