"""Train a network: the same settings, robot and examples give the same weights; ended, it goes on from where it was.

Every `check` steps the validation error is looked at, the mean squared distance of the nearest head from postures that are not
learned from. Where it has not fallen for `patience` looks the rate of learning is halved and training goes on from the best
weights; after HALVINGS of these it ends, or when all steps are taken. What is kept is the best.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import TargetView
from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.model import Model
from limbik.solvers.neural.content import DESIGN, read_network, scale_arrays, scale_of, target_view, write_network
from limbik.solvers.neural.correcting import BEGIN, Corrections
from limbik.solvers.neural.examples import BEGINNING, LOOKING, TRAINING, Drawn, Examples
from limbik.solvers.neural.learner import Learner, Scale, Single
from limbik.solvers.neural.settings import Settings
from limbik.solvers.table.content import Content
from limbik.solvers.table.parts import Parts, claimed
from limbik.solvers.table.work import Progress

# Postures that set the scale and the groups that heads begin at, and postures that are looked at.
SURVEYED, LOOKED_AT = 8192, 4096
# How often the rate is halved before training ends.
HALVINGS = 5
# The rate falls evenly over all steps, down to this part of it.
SLOWEST = 0.02
# A validation error counts as less when it is by this part.
LESS = 1e-3
# Numbers that vary by less than this are constants: they are not scaled up to noise.
STILL = 1e-9

Arrays = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class Plan:
    """A network to be trained.

    places: whether targets are places alone. sided: whether the side that a target is on matters. notes: what else people want to
    know, as JSON has it.
    """

    model: Model
    examples: Examples
    settings: Settings
    places: bool = False
    sided: bool = False
    notes: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        ranges = self.model.ranges
        if self.model.n == 0 or not (ranges.upper > ranges.lower).any():
            raise BadOption(
                f"'{self.model.name}' has no freedom: no joint of it can move, so there is nothing to learn"
            )

    @property
    def corrected(self) -> bool:
        """Whether the solver's corrections are learned from too: not where the examples are chosen."""
        return isinstance(self.examples, Drawn) and not self.places

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides the weights."""
        return {
            "design": DESIGN,
            "fingerprint": self.model.fingerprint,
            "settings": self.settings.as_json,
            "examples": self.examples.identity,
            "places": self.places,
            "sided": self.sided,
        }


@dataclass
class _Course:
    """Where training stands."""

    step: int = 0
    rate: float = 0.0
    halvings: int = 0
    stale: int = 0
    least: float = np.inf

    @property
    def numbers(self) -> Array:
        return np.array([self.step, self.rate, self.halvings, self.stale, self.least])

    @classmethod
    def of(cls, numbers: npt.NDArray[Any]) -> "_Course":
        step, rate, halvings, stale, least = numbers.tolist()
        return cls(int(step), rate, int(halvings), int(stale), least)


class Training:
    """A network on its way: `run` takes it to the end, or to the next look."""

    def __init__(self, plan: Plan, state: Mapping[str, npt.NDArray[np.generic]] | None = None) -> None:
        self.plan, settings = plan, plan.settings
        self.view = target_view(plan.model, places=plan.places, sided=plan.sided)
        self._corrections = Corrections(plan.model, self.view)
        T, q = plan.examples.draw(settings.seed, BEGINNING, 0, SURVEYED)
        self.scale = _scale(plan.model, self.view, self.view.look(T, 1), self._asked(q))
        T_look, q_look = plan.examples.draw(settings.seed, LOOKING, 0, LOOKED_AT)
        self._look = self.scale.seen(self.view.look(T_look)), self.scale.said(self._asked(q_look))
        if state is None:
            self.learner = Learner.begin(self.scale, settings, self._asked(q))
            self.course = _Course(rate=settings.rate)
            self.best: Arrays = self.learner.network
        else:
            self.learner = Learner(self.scale, settings, state)
            self.course = _Course.of(state["course"])
            self.best = {
                name.removeprefix("best."): np.array(a) for name, a in state.items() if name.startswith("best.")
            }

    def _asked(self, q: Array) -> Array:
        return q[..., self.view.first : self.view.first + self.view.outputs]

    @property
    def over(self) -> bool:
        """Whether the end is reached."""
        return self.course.step >= self.plan.settings.steps or self.course.halvings > HALVINGS

    @property
    def state(self) -> Arrays:
        """All that is needed to go on."""
        kept: Arrays = {f"best.{name}": array for name, array in self.best.items()}
        return {**self.learner.arrays, **kept, "course": self.course.numbers}

    def on(self) -> None:
        """Take the steps up to the next look, and look."""
        course, settings = self.course, self.plan.settings
        for _ in range(min(settings.check, settings.steps - course.step)):
            seen, said = self._examples(course.step)
            course.step += 1
            self.learner.learn(seen, said, course.step, course.rate * max(SLOWEST, 1 - course.step / settings.steps))
        error = self.error
        if error < course.least * (1 - LESS):
            course.least, course.stale, self.best = error, 0, self.learner.network
            return
        course.stale += 1
        if course.stale < settings.patience:
            return
        course.rate, course.stale, course.halvings = course.rate / 2, 0, course.halvings + 1
        self.learner = Learner(self.scale, settings, {**self.learner.arrays, **self.best})

    def _examples(self, step: int) -> tuple[Single, Single]:
        T, q = self.plan.examples.draw(self.plan.settings.seed, TRAINING, step, self.plan.settings.batch)
        if self.plan.corrected and step >= BEGIN:
            T, q = self._corrections.mixed(self.learner, T, q)
        return self.scale.seen(self.view.look(T, 1)), self.scale.said(self._asked(q))

    @property
    def error(self) -> float:
        """The validation error: of the nearest head, squared, in parts of the ranges."""
        found = float(self.learner.misses(*self._look).mean())
        return found if np.isfinite(found) else np.inf

    def content(self) -> Content:
        """Return the best network so far. Raises BadOption where there is none."""
        plan, course = self.plan, self.course
        if not np.isfinite(course.least):
            raise BadOption(
                "nothing was learned: the error was never a number; is the rate too high, or an example too large?"
            )
        statistics = {
            "steps": course.step,
            "validation_error": course.least,
            "examples": course.step * plan.settings.batch,
        }
        settings = {
            **plan.settings.as_json,
            "places": plan.places,
            "sided": plan.sided,
            "source": plan.examples.identity,
            **(plan.notes or {}),
        }
        arrays = {**self.best, **scale_arrays(self.scale)}
        return Content(DESIGN, plan.model.name, plan.model.fingerprint, settings, statistics, arrays)


def train(plan: Plan, path: str | PathLike[str], *, fresh: bool = False, progress: Progress | None = None) -> Content:
    """Train a network, write it to a file and return it as it is read back.

    fresh: forget what an ended training has left. One that is ended in any way leaves its state in a folder beside the file, and
    the same call goes on from the last look, to the same bytes. Raises FileUnwritable, BadOption.
    """
    file = Path(path)
    with claimed(file, plan.identity, fresh=fresh) as parts:
        training = _begun(plan, parts)
        run(training, progress, lambda: parts.keep("state", training.state))
        write_network(training.content(), file, folder=parts.folder)
        parts.remove()
    return read_network(file)


def run(training: Training, progress: Progress | None = None, kept: Callable[[], None] = lambda: None) -> None:
    """Take a training to its end; `kept` is called after each look."""
    steps = training.plan.settings.steps
    while not training.over:
        training.on()
        kept()
        if progress is not None:
            course = training.course
            progress(course.step, steps, f"error {course.least:.4f}, rate {course.rate:.1e}")
    if progress is not None:
        progress(steps, steps, f"error {training.course.least:.4f}")


def _begun(plan: Plan, parts: Parts) -> Training:
    state = parts.find("state")
    if state is not None:
        try:
            return Training(plan, state)
        except (KeyError, ValueError):
            pass  # not a state of this training: begin again
    return Training(plan)


def _scale(model: Model, view: TargetView, seen: Array, said: Array) -> Scale:
    """Return what brings the numbers of examples near 1: inputs by their spread, outputs by their ranges."""
    low, high = model.ranges.drawing(scale_of(model))
    turning = high - low >= 2 * np.pi
    # a whole turn is the same posture only where one joint answers to the number, one to one
    for element in model.compiled.elements:
        rotates = element.joint.kind in (Kind.REVOLUTE, Kind.CONTINUOUS)
        if not (rotates and element.multiplier == 1 and element.offset == 0):
            first = element.variable.first
            turning[first : first + element.joint.kind.size] = False
    asked = slice(view.first, view.first + view.outputs)
    turns = turning[asked]
    middle, half = 0.5 * (low + high)[asked], 0.5 * (high - low)[asked]
    spread = np.where(turns, np.pi, np.where(half > STILL, half, 1.0))
    wide = seen.std(0)
    return Scale(seen.mean(0), np.where(wide > STILL, wide, 1.0), np.where(turns, 0.0, middle), spread, turns)
