"""What a method is. The registry holds objects of this kind; `solve` knows nothing else of them.

A method is prepared for a model and gives a solver. A solver says whether a query fits it, yields candidates, the best first, and
may prove that there is none. `solve` verifies the candidates, applies the caller's filters and makes the answer. A new method is
one file with one such class, and one row in the registry.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, suggest
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.query import Options, Query
from limbik.solvers.wording import explain_attempts


class Candidate(NamedTuple):
    """A configuration that may be a solution: it is verified before anybody sees it.

    branch: of a closed form, -1 for none. attempt: which start led to it; tried: how many were made. note: how it was found.
    """

    q: Array
    branch: int = -1
    attempt: int = 0
    tried: int = 1
    steps: int = 0
    note: str = ""


class Proof(NamedTuple):
    """Evidence that there is no solution: the status that it proves, and a sentence."""

    status: Status
    why: str


# What solvers yield. Answers are verified where they are made, by the compiled solvers or the base class of iterative methods. An
# answer that is not ok ends an unsuccessful search: it holds the closest configuration, and its status the evidence.
Found = Candidate | Answer | GoalAnswer


class Solver(ABC):
    """A method prepared for a model. name: what answers call it."""

    name: str

    def unfit(self, query: Query) -> str | None:
        """Return why a query does not fit this method, as the sentence of an error; None where it does."""
        return None

    @abstractmethod
    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield candidates, the best first. They are asked for one at a time, and only as long as they are refused."""

    def proof(self, query: Query) -> Proof | None:
        """Return evidence that no configuration is a solution; None where there is none."""
        return None

    def bound(self) -> Callable[[Any, Any], Any] | None:
        """Return a function of a target and a seed that answers the ordinary query without a detour; None where there is none."""
        return None

    def rows(self, query: Query, Ts: Any, seeds: Any, threads: int, *, mark: bool) -> BatchAnswer | None:
        """Return the first answers to many targets at once; None where they are solved one by one."""
        return None


@dataclass(frozen=True)
class Method(ABC):
    """A method: its fields are its settings, with their defaults.

    name: what `method=` calls it. title: a few words. family: its folder. goals: what it takes, by name; "*" is any number of any
    goals. exact: whether it ends within the tolerances from a start nearby. iterative: whether it has a trace.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    goals: ClassVar[tuple[str, ...]] = ("Pose",)
    exact: ClassVar[bool] = True
    iterative: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, model: Model, options: Options) -> Solver:
        """Return the solver for a model. Raises BadOption where the model has not what the method needs."""

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer of this method. how: what a closed form rests on; branch: its name."""
        return explain_attempts(answer, self.name)

    def basis(self, how: str) -> str:
        """Return what a list of all configurations rests on, as a part of a sentence."""
        return "attempts by lm, so there may be more"

    def solved_by(self, attempt: int) -> str:
        """Return how goals were solved, as a part of a sentence."""
        return f"{self.name} from the seed" if attempt == 0 else f"{self.name} at attempt {attempt}"

    @classmethod
    def from_text(cls, settings: str) -> "Method":
        """Return the method with settings as the shell writes them: "damping=0.05,steps=100". Raises BadOption."""
        known = {f.name: f for f in fields(cls)}
        given: dict[str, Any] = {}
        for part in filter(None, settings.split(",")):
            name, equals, text = part.partition("=")
            if name not in known or not equals:
                raise BadOption(f"method '{cls.name}' has no setting {part!r}; {suggest(name, known)}")
            default = known[name].default
            try:
                given[name] = _number(text, type(default))
            except ValueError:
                raise BadOption(f"{cls.name}:{name} takes a number like {default!r}; got {text!r}") from None
        return cls(**given)


def _number(text: str, kind: type) -> Any:
    if kind is bool:
        if text not in ("True", "False"):
            raise ValueError(text)
        return text == "True"
    value = kind(text)
    if not np.isfinite(value):
        raise ValueError(text)
    return value
