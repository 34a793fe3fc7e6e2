"""The interface of methods in muscle space: a function from a problem and a target to a posture (configuration)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from limbik._core import Status
from limbik.geometry.arrays import Array
from limbik.muscle.problem import MuscleProblem
from limbik.muscle.target import Target


class Request(NamedTuple):
    """Preferences of a query.

    nearest: the posture closest to the seed, else the one with centred muscles. swivel: the elbow's angle [rad], None
    for any. settings: of the method, by name.
    """

    nearest: bool = False
    swivel: float | None = None
    settings: Mapping[str, Any] = {}


class Found(NamedTuple):
    """The result of a method: a posture or none, a status, a sentence, and details.

    checked: the error of the tip [m], the lengths and the centring of q, if the core has computed them.
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
    """Return True: the method fits every problem and target."""
    return True


@dataclass(frozen=True)
class MuscleMethod:
    """One method: its name, a short description, the function that solves, and the kinds of targets that it takes.

    fits: whether it is available for a problem and a target. settings: the names of its settings. swivel: whether it
    takes a given swivel. exact: whether it converges within the tolerances. replaceable: whether the search for the
    closest configuration may replace its failure.
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
