"""Training of a network: deterministic for given settings, robot and examples, and resumable.

Every `check` steps the validation error is computed, the mean squared distance of the closest head from validation postures. If
it has not fallen in `patience` validations, the learning rate is halved and training continues from the best weights. It ends
after HALVINGS halvings, or after all steps. The result is the best network.
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
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.model import Model
from limbik.solvers.building.parts import Parts, claimed
from limbik.solvers.building.work import Progress
from limbik.solvers.neural.content import DESIGN, read_network, scale_arrays, scale_of, target_view, write_network
from limbik.solvers.neural.correcting import FIRST_STEP, Corrections
from limbik.solvers.neural.examples import INITIAL, TRAINING, VALIDATION, Drawn, Examples
from limbik.solvers.neural.learner import Learner, Scale, Single
from limbik.solvers.neural.settings import Settings

# Number of postures for the scales and the clusters, and for validation.
SURVEYED, VALIDATED = 8192, 4096
# Number of halvings of the rate before training ends.
HALVINGS = 5
# The rate falls linearly over all steps, to this part of its initial value.
SLOWEST = 0.02
# Least relative decrease of the validation error that counts.
LESS = 1e-3
# Inputs and outputs that vary by less than this are constants: they are not scaled.
STILL = 1e-9

Arrays = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class Plan:
    """The plan of a training.

    places: whether targets are positions. sided: whether the side of a target matters. notes: further metadata, as JSON values.
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
            raise BadOption(f"'{self.model.name}' has no joint that can move, so there is nothing to learn")

    @property
    def corrected(self) -> bool:
        """Whether corrections of the solver are examples too; not if the examples are chosen or given."""
        return isinstance(self.examples, Drawn) and not self.places

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that determines the weights."""
        return {
            "design": DESIGN,
            "fingerprint": self.model.fingerprint,
            "settings": self.settings.as_json,
            "examples": self.examples.identity,
            "places": self.places,
            "sided": self.sided,
        }


@dataclass
class _Schedule:
    """The progress of a training: step, learning rate, halvings, and the least validation error."""

    step: int = 0
    rate: float = 0.0
    halvings: int = 0
    stale: int = 0
    least: float = np.inf

    @property
    def numbers(self) -> Array:
        return np.array([self.step, self.rate, self.halvings, self.stale, self.least])

    @classmethod
    def of(cls, numbers: npt.NDArray[Any]) -> "_Schedule":
        step, rate, halvings, stale, least = numbers.tolist()
        return cls(int(step), rate, int(halvings), int(stale), least)


class Training:
    """A training in progress: `advance` continues it to the next validation."""

    def __init__(self, plan: Plan, state: Mapping[str, npt.NDArray[np.generic]] | None = None) -> None:
        self.plan, settings = plan, plan.settings
        self.view = target_view(plan.model, places=plan.places, sided=plan.sided)
        self._corrections = Corrections(plan.model, self.view)
        T, q = plan.examples.draw(settings.seed, INITIAL, 0, SURVEYED)
        self.scale = _scale(plan.model, self.view, self.view.look(T, 1), self._outputs(q))
        T_test, q_test = plan.examples.draw(settings.seed, VALIDATION, 0, VALIDATED)
        self._validation = self.scale.inputs(self.view.look(T_test)), self.scale.outputs(self._outputs(q_test))
        if state is None:
            self.learner = Learner.begin(self.scale, settings, self._outputs(q))
            self.schedule = _Schedule(rate=settings.rate)
            self.best: Arrays = self.learner.network
        else:
            self.learner = Learner(self.scale, settings, state)
            self.schedule = _Schedule.of(state["schedule"])
            self.best = {
                name.removeprefix("best."): np.array(a) for name, a in state.items() if name.startswith("best.")
            }

    def _outputs(self, q: Array) -> Array:
        return q[..., self.view.first : self.view.first + self.view.outputs]

    @property
    def over(self) -> bool:
        """Whether the training has ended."""
        return self.schedule.step >= self.plan.settings.steps or self.schedule.halvings > HALVINGS

    @property
    def state(self) -> Arrays:
        """The state needed to resume."""
        kept: Arrays = {f"best.{name}": array for name, array in self.best.items()}
        return {**self.learner.arrays, **kept, "schedule": self.schedule.numbers}

    def advance(self) -> None:
        """Take the steps up to the next validation, and validate."""
        schedule, settings = self.schedule, self.plan.settings
        for _ in range(min(settings.check, settings.steps - schedule.step)):
            inputs, outputs = self._examples(schedule.step)
            schedule.step += 1
            self.learner.learn(
                inputs, outputs, schedule.step, schedule.rate * max(SLOWEST, 1 - schedule.step / settings.steps)
            )
        error = self.error
        if error < schedule.least * (1 - LESS):
            schedule.least, schedule.stale, self.best = error, 0, self.learner.network
            return
        schedule.stale += 1
        if schedule.stale < settings.patience:
            return
        schedule.rate, schedule.stale, schedule.halvings = schedule.rate / 2, 0, schedule.halvings + 1
        self.learner = Learner(self.scale, settings, {**self.learner.arrays, **self.best})

    def _examples(self, step: int) -> tuple[Single, Single]:
        T, q = self.plan.examples.draw(self.plan.settings.seed, TRAINING, step, self.plan.settings.batch)
        if self.plan.corrected and step >= FIRST_STEP:
            T, q = self._corrections.mixed(self.learner, T, q)
        return self.scale.inputs(self.view.look(T, 1)), self.scale.outputs(self._outputs(q))

    @property
    def error(self) -> float:
        """The validation error: mean squared distance of the closest head, relative to the joints' ranges; inf if not finite."""
        found = float(self.learner.errors(*self._validation).mean())
        return found if np.isfinite(found) else np.inf

    def content(self) -> Content:
        """Return the best network so far. Raises BadOption without one."""
        plan, schedule = self.plan, self.schedule
        if not np.isfinite(schedule.least):
            raise BadOption(
                "training failed: the validation error was never finite; is the rate too high, or an example too large?"
            )
        statistics = {
            "steps": schedule.step,
            "validation_error": schedule.least,
            "examples": schedule.step * plan.settings.batch,
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
    """Train a network, write it to a file and return it as read from the file.

    fresh: discard the state of an interrupted training. An interrupted training leaves its state in a folder beside the file; the
    same call resumes from the last validation and gives the same bytes. Raises FileUnwritable, BadOption.
    """
    file = Path(path)
    with claimed(file, plan.identity, fresh=fresh) as parts:
        training = _begun(plan, parts)
        run(training, progress, lambda: parts.keep("state", training.state))
        write_network(training.content(), file, folder=parts.folder)
        parts.remove()
    return read_network(file)


def run(training: Training, progress: Progress | None = None, save: Callable[[], None] = lambda: None) -> None:
    """Run a training to its end; `save` is called after each validation."""
    steps = training.plan.settings.steps
    while not training.over:
        training.advance()
        save()
        if progress is not None:
            schedule = training.schedule
            progress(schedule.step, steps, f"error {schedule.least:.4f}, rate {schedule.rate:.1e}")
    if progress is not None:
        progress(steps, steps, f"error {training.schedule.least:.4f}")


def _begun(plan: Plan, parts: Parts) -> Training:
    state = parts.find("state")
    if state is not None:
        try:
            return Training(plan, state)
        except (KeyError, ValueError):
            pass  # not a state of this training: start again
    return Training(plan)


def _scale(model: Model, view: TargetView, inputs: Array, outputs: Array) -> Scale:
    """Return the scaling of examples to about 1: inputs by their standard deviation, outputs by their ranges."""
    low, high = model.ranges.drawing(scale_of(model))
    full_turn = high - low >= 2 * np.pi
    # a 2-pi copy is equivalent only if the number drives exactly one joint, with ratio 1
    for element in model.compiled.elements:
        rotates = element.joint.kind in (Kind.REVOLUTE, Kind.CONTINUOUS)
        if not (rotates and element.multiplier == 1 and element.offset == 0):
            first = element.variable.first
            full_turn[first : first + element.joint.kind.size] = False
    columns = slice(view.first, view.first + view.outputs)
    periodic = full_turn[columns]
    middle, half = 0.5 * (low + high)[columns], 0.5 * (high - low)[columns]
    spread = np.where(periodic, np.pi, np.where(half > STILL, half, 1.0))
    deviation = inputs.std(0)
    input_spread = np.where(deviation > STILL, deviation, 1.0)
    return Scale(inputs.mean(0), input_spread, np.where(periodic, 0.0, middle), spread, periodic)
