"""The interface of methods. The registry holds objects of this kind.

A method is prepared for a model, which gives a solver. A solver checks whether it accepts a query, yields candidates, the best
first, and may prove that there is no solution. `solve` verifies the candidates, applies the caller's filters and makes the
answer. A new method is one file with one such class, and one row in the registry.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

import numpy as np

from limbik._core import Answer, Status
from limbik.errors import BadOption, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.model import Model
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.query import Options, Query
from limbik.solvers.wording import explain_attempts


class Candidate(NamedTuple):
    """A configuration that may be a solution; `solve` verifies it.

    attempt: number of its start; tried: number of attempts made; steps: iterations of all of them. note: how it was found.
    """

    q: Array
    attempt: int = 0
    tried: int = 1
    steps: int = 0
    note: str = ""


class Attempt(NamedTuple):
    """The result of one attempt from the seed. evaluations: of the tip's pose and of its Jacobian, together."""

    ok: bool
    q: Array
    steps: int
    evaluations: int


class Proof(NamedTuple):
    """Evidence that there is no solution: the status that it proves, and a sentence."""

    status: Status
    why: str


# What solvers yield. An `Answer` of a `trusted` solver is used as it is; of other answers only q is used, as a candidate.
Found = Candidate | Answer | GoalAnswer


def as_candidate(found: Found) -> Candidate:
    """Return a candidate from an answer: its configuration and costs, without its status. Raises BadOption."""
    if isinstance(found, Answer | GoalAnswer):
        return Candidate(found.q, max(found.attempt, 0), found.tried)
    if not isinstance(found, Candidate):
        raise BadOption(f"a method yields a Candidate(q), not {shown(found)}")
    for name in ("attempt", "tried", "steps"):
        count = getattr(found, name)
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count < 2**31:
            raise BadOption(f"`{name}` of a Candidate is a whole number from 0; got {shown(count)}")
    if not isinstance(found.note, str):
        raise BadOption(f"`note` of a Candidate is a text; got {shown(found.note)}")
    return found


class Solver(ABC):
    """A method prepared for a model. name: the method named in answers.

    trusted: whether an `Answer` that it yields is used as it is; candidates are always verified. Solvers of the compiled core are
    trusted, because the core verifies. An answer of theirs that is not ok ends the search: it holds the closest configuration,
    and its status is evidence. Trust is not inherited: every derived class sets `trusted` itself (`is_trusted`).
    """

    name: str
    trusted: ClassVar[bool] = False

    def unfit(self, query: Query) -> str | None:
        """Return why the method does not accept a query, as the text of an error; None if it does."""
        return None

    @abstractmethod
    def candidates(self, query: Query) -> Iterator[Found]:
        """Yield candidates, the best first. Each is requested only if the previous one was refused."""

    def proof(self, query: Query) -> Proof | None:
        """Return evidence that no configuration is a solution; None without evidence."""
        return None

    def attempt(self, query: Query) -> Attempt | None:
        """Return the result of one attempt from the seed, with its costs; None for a solver that does not count them."""
        return None

    def bound(self) -> Callable[[Any, Any], Any] | None:
        """Return a function of a target and a seed that answers a query with default options; None if there is none.

        Used for trusted solvers only: `solve` does not verify what this function returns.
        """
        return None

    def rows(self, query: Query, Ts: Any, seeds: Any, threads: int, *, mark: bool) -> BatchAnswer | None:
        """Return the first answers to many targets at once; None if they must be solved one by one.

        Used for trusted solvers only: `solve_batch` does not verify these rows.
        """
        return None


def is_trusted(solver: Solver) -> bool:
    """Return whether a solver's own class sets `trusted`. A base class does not count."""
    return bool(vars(type(solver)).get("trusted", False))


@dataclass(frozen=True)
class Method(ABC):
    """A method: its fields are its settings, with their defaults.

    name: for `method=`. title: a short description. family: its folder. goals: the goals it takes, by name; "*" is any number of
    any goals. exact: whether it converges within the tolerances from a nearby start.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    goals: ClassVar[tuple[str, ...]] = ("Pose",)
    exact: ClassVar[bool] = True

    @abstractmethod
    def prepare(self, model: Model, options: Options) -> Solver:
        """Return the solver for a model. Raises BadOption if the model lacks what the method needs."""

    def explain(self, answer: Answer, how: str, branch: str) -> str:
        """Return one sentence about an answer of this method. how: the geometry behind a closed form; branch: its name."""
        return explain_attempts(answer, self.name)

    def basis(self, how: str) -> str:
        """Return the basis of a list of all configurations, as a part of a sentence."""
        return "attempts by lm, so there may be more"

    def solved_by(self, attempt: int) -> str:
        """Return how the goals were solved, as a part of a sentence."""
        return f"{self.name} from the seed" if attempt == 0 else f"{self.name} at attempt {attempt}"

    @classmethod
    def from_text(cls, settings: str) -> "Method":
        """Return the method with settings as the shell writes them: "damping=0.05,steps=100". Raises BadOption."""
        known = {f.name: f for f in fields(cls) if f.init}
        given: dict[str, Any] = {}
        for part in settings.split(","):
            name, equals, text = part.partition("=")
            if name in known and not equals:
                raise BadOption(f"method '{cls.name}': {name} needs a value, as in {name}={known[name].default}")
            if name not in known:
                raise BadOption(f"method '{cls.name}' has no setting {part!r}; {suggest(name, known)}")
            if name in given:
                raise BadOption(f"method '{cls.name}' takes each setting once; {name} is given twice")
            given[name] = _setting(f"{cls.name}:{name}", text, known[name].default)
        return cls(**given)


def _setting(name: str, text: str, default: Any) -> Any:
    """Return a setting as a value of the type of its default. Raises BadOption."""
    if isinstance(default, str):
        return text
    if not isinstance(default, int | float):
        raise BadOption(f"{name} cannot be given as text; pass an object of the method with this setting")
    try:
        value = {"True": True, "False": False}[text] if isinstance(default, bool) else type(default)(text)
    except (KeyError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        raise BadOption(f"{name} takes a value like {default!r}; got {text!r}")
    return value
