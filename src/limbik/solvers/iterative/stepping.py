"""Methods that go step by step: how one is run, traced, and turned into a verified answer.

A method is a module with `steps(problem, x, settings)`, a generator of postures: it yields x after every step and returns when
its own tolerance is met or it gives up; and `SETTINGS`, frozen. It says nothing about success. Success is decided here, by
forward kinematics, the rotation logarithm and the limits, so that no residual with false zeros, and no optimism, decides.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import Answer, Kernel, Status, pose_error
from limbik.geometry.angles import copy_inside, nearest_copy
from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges
from limbik.model.record import Record
from limbik.model.truth import Judged
from limbik.solvers.budget import Budget
from limbik.solvers.iterative.objective import OBJECTIVES
from limbik.solvers.iterative.problem import Problem
from limbik.solvers.registry import METHODS

# Starts before a target counts as not found: the seed, and random postures.
ATTEMPTS = 32
# A method that ends at the target but outside the limits is sent back, from its mirror image inside, so many times in all.
RETURNS = 8
# No method takes more steps than this in one attempt, whatever its settings say.
MOST_STEPS = 5000

Steps = Callable[[Problem, Array, Any], Iterator[Array]]


def steps_of(name: str) -> tuple[Steps, Any]:
    """Return the generator of a method and its settings."""
    module = import_module(METHODS[name].module)
    return module.steps, module.SETTINGS


@dataclass(frozen=True, eq=False)
class Trace(Judged, Record):
    """The course of a method, one row per step, the start first.

    q: (k + 1, n). value: (k + 1,) the sum of squares that it lowers. position_error [m], rotation_error [rad]: the true ones.
    evaluations, jacobians: (k + 1,) how often the hand and its Jacobian had been computed by then. ok: whether it ends at the
    target, inside the limits.
    """

    method: str
    q: Array
    value: Array
    position_error: Array
    rotation_error: Array
    evaluations: npt.NDArray[np.int64]
    jacobians: npt.NDArray[np.int64]
    ok: bool

    def __len__(self) -> int:
        return len(self.q) - 1


@dataclass(frozen=True)
class Task:
    """What a method is given: a chain's kernel and ranges, a target, tolerances, whether limits hold.

    beyond: whether the target lies provably farther away than the arm is long: one attempt is then enough.
    """

    kernel: Kernel
    ranges: Ranges
    target: Array
    turns: npt.NDArray[np.bool_]
    unit: Array
    length: float
    position_tolerance: float
    rotation_tolerance: float
    limits: bool = True
    objective: str = "log"
    beyond: bool = False

    def problem(self, *, differences: bool = False, metre: float | None = None, radian: float = 1.0) -> Problem:
        """Return the problem that a method sees. metre: None counts lengths in half the span."""
        n = len(self.unit)
        lower, upper = (
            (self.ranges.lower, self.ranges.upper) if self.limits else (np.full(n, -np.inf), np.full(n, np.inf))
        )
        return Problem(
            self.kernel.forward,
            self.kernel.jacobian,
            self.target,
            OBJECTIVES[self.objective],
            self.unit,
            lower / self.unit,
            upper / self.unit,
            1.0 / self.length if metre is None else metre,
            radian,
            differences,
        )

    def errors(self, q: Array) -> tuple[float, float]:
        """Return the true errors of a posture, metres and radians; of a position goal, no radians."""
        e = pose_error(self.kernel.forward(q), self.target)
        turned = 0.0 if self.objective == "position" else float(np.linalg.norm(e[3:]))
        return float(np.linalg.norm(e[:3])), turned

    def settled(self, q: Array, seed: Array) -> Array:
        """Return a posture with turning joints at the whole turn nearest the seed that its limits allow."""
        if not np.isfinite(q).all():
            return np.array(seed)
        out = np.array(q)
        lower, upper = self.ranges.lower, self.ranges.upper
        turns = self.turns
        if self.limits:
            for j in np.flatnonzero(turns):
                out[j] = copy_inside(float(out[j]), float(seed[j]), float(lower[j]), float(upper[j]))
        else:
            out[turns] = nearest_copy(out[turns], seed[turns])
        if self.limits:  # a value outside by rounding alone is put on the limit
            edge = np.clip(out, lower, upper)
            out = np.where(np.abs(edge - out) < 1e-12 * np.maximum(np.abs(edge), 1.0), edge, out)
        return out

    def reached(self, q: Array) -> bool:
        """Tell whether a posture is at the target, inside the limits."""
        return self.there(q) and (not self.limits or bool(self.ranges.within(q)))

    def there(self, q: Array) -> bool:
        """Tell whether a posture is at the target, wherever the limits are."""
        position, rotation = self.errors(q)
        return position <= self.position_tolerance and rotation <= self.rotation_tolerance


def run(problem: Problem, steps: Steps, settings: Any, x: Array) -> Iterator[Array]:
    """Yield the start and every step of a method, as far as its numbers stay finite."""
    yield x
    for count, after in enumerate(steps(problem, np.array(x), settings)):
        if not np.isfinite(after).all() or count >= MOST_STEPS:
            return
        yield np.array(after)


def trace(task: Task, name: str, seed: Array, problem: Problem | None = None, settings: Any = None) -> Trace:
    """Run a method once from a seed, to its own end, and write down every step."""
    steps, own = steps_of(name)
    problem = task.problem() if problem is None else problem
    rows: list[tuple[Any, ...]] = []
    for x in run(problem, steps, own if settings is None else settings, problem.x(np.array(seed))):
        posture = problem.q(x)
        counted = problem.evaluations, problem.jacobians
        rows.append((posture, problem.value(x), *task.errors(posture), *counted))
        problem.evaluations, problem.jacobians = counted
    q, value, position, rotation, evaluations, jacobians = map(np.array, zip(*rows, strict=True))
    ok = task.reached(task.settled(q[-1], np.asarray(seed)))
    return Trace(name, q, value, position, rotation, evaluations, jacobians, ok)


def solve(task: Task, name: str, seed: Array, budget: Budget, first: int = 0) -> Answer:
    """Return the answer of the first attempt that ends at the target; the nearest posture of all where none does."""
    steps, settings = steps_of(name)
    best: tuple[float, Array] | None = None
    start = np.asarray(seed, np.float64)
    late = False
    tried = first
    for attempt in range(first, ATTEMPTS):
        problem = task.problem()
        x0 = start if attempt == 0 else task.ranges.sample(np.random.default_rng([attempt, 6]), (), task.length)
        q = task.ranges.clamp(x0) if task.limits else x0
        for _ in range(RETURNS):
            for x in run(problem, steps, settings, problem.x(q)):
                q = task.settled(problem.q(x), start)
                if task.reached(q):
                    return _answer(
                        task,
                        name,
                        q,
                        Status.SOLVED,
                        attempt,
                        attempt + 1,
                        *task.errors(q),
                        late=False,
                        note=problem.note,
                    )
            outside, end = task.there(q), q
            q = task.ranges.clamp(end) if task.limits else end
            if task.reached(q):
                return _answer(
                    task, name, q, Status.SOLVED, attempt, attempt + 1, *task.errors(q), late=False, note=problem.note
                )
            if not outside:
                break
            q = task.ranges.clamp(2 * q - end)
        position, rotation = task.errors(q)
        missing = position / task.length + rotation
        if best is None or missing < best[0]:
            best = (missing, q)
        tried = attempt + 1
        if task.beyond:
            break
        if budget.over():
            late = attempt + 1 < ATTEMPTS
            break
    q = start if best is None else best[1]
    status = Status.OUT_OF_REACH if task.beyond else Status.NOT_FOUND
    return _answer(task, name, q, status, -1, tried, *task.errors(q), late=late)


def _answer(
    task: Task,
    name: str,
    q: Array,
    status: Status,
    attempt: int,
    tried: int,
    position: float,
    rotation: float,
    *,
    late: bool,
    note: str = "",
) -> Answer:
    start = "from the seed" if attempt == 0 else f"at attempt {attempt}"
    why = f"solved by {name} {start}: {note}" if note else ""
    return Answer(q, int(status), attempt, tried, position, rotation, task.target, name, why, late)
