"""The relaxation network for whole bodies: a tree of points with all goals clamped, a fit, then Levenberg-Marquardt.

Each moving joint and each target point of a goal is a point; a segment connects it with the preceding joint. Prismatic and
floating joints are segments of variable length. A pose clamps two points: its own, and the joint of its body at the position
that the pose implies. The points relax together (point_form.py). Least squares give the posture (configuration) whose joints
are closest to them. From there all goals are solved as by `solve`, verified by forward kinematics and limits. Goals without a
position enter only in this last part.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from limbik.errors import NotFinite
from limbik.geometry.arrays import LARGEST, Array
from limbik.geometry.se3 import inverse
from limbik.goals.given import start_from
from limbik.goals.goal import Goal
from limbik.goals.plan import make_plan
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.joint import Kind
from limbik.model.model import Model
from limbik.solvers.compiled import goal_problem, unfit_for_goals
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.goal_solver import goal_candidates
from limbik.solvers.many_goals import plans
from limbik.solvers.query import Query
from limbik.solvers.relaxation.point_form import PointForm

# Points closer than this part of the body's size are merged; segments of variable length extend by at most so many sizes.
MERGE, FARTHEST = 1e-6, 4.0
# Most cycles of the network, and its tolerance, in mean segments.
CYCLES, NEAR = 1000, 1e-3


def relaxed_candidates(query: Query, model: Model, name: str) -> Iterator[GoalAnswer]:
    """Yield answers to goals; the first attempt starts from the relaxed posture."""
    placed = _placed(query.goals)
    make_plan(query.goals, model)  # invalid goals raise here, before the computation
    start, held = start_from(query.seed, query.frozen, query.limits, model)
    q, cycles = _relaxed(model, placed, start, query.limits)
    q[list(held)] = start[list(held)]
    for answer in goal_candidates(goal_problem(replace(query, seed=q), model)):
        note = f"{cycles} cycles of relaxation gave the start"
        if cycles < 0:
            note = "no goal gives a position for the network"
        elif answer.ok and answer.attempt > 0:
            note = f"{cycles} cycles of relaxation gave a start that did not converge; this one is random"
        yield replace(answer, method=name, note=note)


def unfit_for_points(query: Query) -> str | None:
    """Return why goals give no target for points; None if they do."""
    if not _placed(query.goals):
        return "method='mmc' needs a Pose or a Position to relax to; use 'lm' for other goals"
    return unfit_for_goals(query)


def _placed(goals: tuple[Goal, ...]) -> list[Pose | Position]:
    return [g for g in goals if isinstance(g, Pose | Position) and g.required]


def _relaxed(model: Model, goals: list[Pose | Position], start: Array, limits: bool) -> tuple[Array, int]:
    """Return the posture that the network reaches from a start, and the number of cycles; -1 without points to relax."""
    compiled = model.compiled
    poses = model.kernel.forward_all(start)
    numbers = compiled.frame_numbers
    link_of: dict[int, str] = {}  # of each moving joint
    for name, (element, T) in compiled.frames.items():
        if element >= 0 and (element not in link_of or np.allclose(T[:3, 3], 0.0)):
            link_of.setdefault(element, name)
    body = _Body(poses[numbers[compiled.base]][:3, 3], max(model.length, 1e-9))
    extensible = (Kind.PRISMATIC, Kind.FLOATING)
    for k, e in enumerate(compiled.elements):
        body.joint(k, e.parent, poses[numbers[link_of[k]]][:3, 3], variable=e.joint.kind in extensible)
    targets: dict[int, Array] = {}
    for goal in goals:
        frame = model.frames[plans(model).model.frame_index(goal.frame)]
        if goal.relative_to not in (None, model.base):
            continue
        T = poses[numbers[frame]]
        at = np.zeros(3) if isinstance(goal, Pose) else np.asarray(goal.at)
        where = goal.T[:3, 3] if isinstance(goal, Pose) else goal.point
        if np.abs(where).max() > LARGEST:
            raise NotFinite(f"the target of '{frame}' holds a number too large to compute with")
        element = compiled.frames[frame][0]
        if element < 0:
            continue
        point = body.end(element, T[:3, :3] @ at + T[:3, 3])
        joint = body.point_of[element]
        if isinstance(goal, Pose) and joint not in (0, point):
            motion = goal.T @ inverse(T)
            targets[joint] = motion[:3, :3] @ body.points[joint] + motion[:3, 3]
        if point:
            targets[point] = where
    if not targets:
        return np.array(start), -1
    form = PointForm(body.parents, body.lengths)
    done = form.relax(
        targets, np.array(body.points), tolerance=NEAR * form.size, cycles=CYCLES, attempts=1, finish=False
    )
    wanted = [Position(link_of[k], done.points[body.point_of[k]]) for k in link_of if body.point_of[k]]
    fit = make_plan((*wanted, *goals), model)
    solver = plans(model).solver(fit.key, limits=limits, frozen=())
    q = solver.solve(fit.aims, model.ranges.clamp(start) if limits else start, 0, 1, np.inf)[0]
    return np.array(q), done.cycles


class _Body:
    """The tree of points under construction: the point of each joint, and segments with their parents and lengths."""

    def __init__(self, base: Array, size: float) -> None:
        self.points, self.parents, self.lengths = [np.array(base)], [], []  # type: ignore[var-annotated]
        self.point_of: dict[int, int] = {-1: 0}
        self._size = size

    def joint(self, element: int, parent: int, at: Array, *, variable: bool) -> None:
        """Add the point of a joint, or merge it with the previous joint. variable: whether its segment has a variable length."""
        self.point_of[element] = self._add(self.point_of[parent], at, variable)

    def end(self, element: int, at: Array) -> int:
        """Add a point fixed on the link after a joint, and return its number."""
        return self._add(self.point_of[element], at, False)

    def _add(self, parent: int, at: Array, variable: bool) -> int:
        far = float(np.linalg.norm(at - self.points[parent]))
        if far <= MERGE * self._size and not variable:
            return parent
        self.points.append(np.array(at))
        self.parents.append(parent)
        self.lengths.append((0.0, FARTHEST * self._size + far) if variable else (far, far))
        return len(self.points) - 1
