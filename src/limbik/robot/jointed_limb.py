"""A limb of a robot or figure: two bones moved by joints, inside their limits, verified by forward kinematics."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from limbik._core import ROTATION_TOLERANCE, Status, pose_error
from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, numbers, vector
from limbik.geometry.se3 import as_pose, matrices
from limbik.robot.kinematic import Kinematic
from limbik.robot.limb import Asked, asked
from limbik.robot.limb_judging import Judging, Verdict
from limbik.robot.limb_matching import Handles
from limbik.robot.solving import thread_count
from limbik.solvers.limb.answer import (
    COLUMNS,
    END,
    LINE,
    MARKS,
    SIDE,
    STRETCHED,
    LimbAnswer,
    LimbBatch,
    Mark,
    answer_of,
    frames_of,
)
from limbik.solvers.limb.arcs import Arcs
from limbik.solvers.limb.plane import about
from limbik.solvers.limb.stretch import checked_stretch


class JointedLimb(Judging):
    """A limb with the joints of a robot or figure. Make one by `figure.limb("leftHand")`.

    Targets, poles and directions are in the robot's base frame. Answers hold the whole q: the limb's own joints moved, the others
    as the seed has them. A target of three numbers places the end and leaves the wrist as it is; a pose turns the hand too.
    """

    def solve(
        self, target: Any, pole: Any = None, swivel: Any = None, *, direction: Any = None, seed: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = True,
    ) -> LimbAnswer:  # fmt: skip
        """Return the posture whose end is at a target, a point (3,) or a pose (4, 4), and whose elbow points where asked.

        pole, direction, swivel, soft, stretch: as `Limb.solve` has them. seed: (n,) where all other joints stand, and what the
        limb's own stay near; None is that of `previous`, else `home`; with limits, moved inside them first. Without pole,
        direction and swivel the elbow stays as near as it can to where it points. limits: keep joint limits; where they do not
        allow the elbow's direction the nearest one that they allow is taken, and the status is COMPROMISE; give_way=False does
        without. nearest: where no posture fits, search for the nearest by "lm"; False leaves the one that the limits cut off.
        Raises as `Limb.solve` does, and BadOption for a pose of a limb whose wrist cannot turn every way.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        wish = asked(pole, swivel, direction, np.zeros(3), 1)
        rows, q, status, turned, sides, swivels = self._solved(
            one[None], wish, seed, previous, soft, stretch, limits, (give_way, nearest), 1
        )
        return answer_of(rows[0], Status(int(status[0])), q[0], float(swivels[0]), float(turned[0]), float(sides[0]))

    def solve_batch(  # type: ignore[override]
        self, targets: Any, poles: Any = None, swivels: Any = None, *, directions: Any = None, seeds: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = False, threads: int | None = None,
    ) -> LimbBatch:  # fmt: skip
        """Return the answers to many targets, points (N, 3) or poses (N, 4, 4); row i equals `solve` of that row, to rounding.

        (With the same `nearest`, which is off here.) Each of the others is one for all or has N rows. Rows whose elbow must leave
        its direction for the limits take longer.
        """
        given = numbers(matrices(targets), "targets must be points (N, 3) or poses (N, 4, 4)")
        if given.shape[1:] not in ((3,), (4, 4)):
            raise ShapeError(
                f"targets are points (N, 3) or poses (N, 4, 4); got shape {given.shape}; one goes to solve"
            )
        if given.ndim == 3:
            given = np.array([as_pose(T, f"target {k}") for k, T in enumerate(given)]).reshape(given.shape)
        wish = asked(poles, swivels, directions, np.zeros(3), len(given))
        rows, q, status, turned, sides, swivels = self._solved(
            given, wish, seeds, previous, soft, stretch, limits, (give_way, nearest), thread_count(threads)
        )
        zero = about(rows[:, LINE], rows[:, SIDE], -swivels)  # as far before the elbow as it is turned
        return LimbBatch(rows, status, turned, zero, q, sides)

    def swivel_ranges(self, target: Any, *, seed: Any = None, limits: bool = True) -> Arcs:
        """Return the swivels at which the limb reaches a target inside its limits: [(low, high), ...] [rad], in order.

        Of a point the joints of root and elbow decide, of a pose those of the wrist too. low <= high <= low + 2 pi; both ends are
        verified. Exact, but for wrists with a twist and three hinges: there arcs are found that are longer than 1/256 of a turn.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        problem = self._problem(one[None], seed, None, _flag(limits))
        rows = self._core(problem, Asked(), None, 0.0, 0.0, 1)
        if not int(rows[0, MARKS]) & Mark.REACHED:
            return []
        if not limits:
            return [(-math.pi, math.pi)]
        return self._arcs(problem, rows, 0)

    def match_fk(self, handles: Handles, seed: Any = None, *, limits: bool = True, previous: Any = None) -> LimbAnswer:
        """Return the posture that handles lead to, as an answer that says whether it is theirs: q is for the joints to take."""
        if not isinstance(handles, Handles):
            raise BadOption(f"match_fk takes the handles of a limb, made by match_ik, not {shown(handles)}")
        target = handles.target if self.turns_hand else handles.target[:3, 3]
        answer = self.solve(target, handles.pole, seed=seed, limits=limits, previous=previous)
        if self.turns_hand:
            return answer
        # No wrist turns the end any way: it is turned as the joints beyond the elbow have it, and that may be otherwise.
        there = np.array(self._robot.model.kernel.forward(answer.q, self._robot._number(self._end)))
        there[:3, 3] = handles.target[:3, 3]
        turned = float(np.linalg.norm(pose_error(there, handles.target)[3:]))
        if not answer.ok or turned <= ROTATION_TOLERANCE:
            return replace(answer, rotation_error=turned)
        why = (
            f"a compromise: the end is where the handles have it, but turned by {turned:.3g} rad, as the seed has the joints "
            "beyond the elbow: they cannot turn it every way and are not moved"
        )
        return replace(answer, status=Status.COMPROMISE, rotation_error=turned, why=why)

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_jointed, (self._robot, self._end, *self._named, self._joints.bend_axis)

    def _solved(
        self, targets: Array, wish: Asked, seed: Any, previous: Any, soft: Any, stretch: Any, limits: Any,
        relief: tuple[Any, Any], threads: int,
    ) -> Verdict:  # fmt: skip
        """Return rows, q, status, rotation errors, errors of the elbow's direction, swivels."""
        problem = self._problem(targets, seed, previous, _flag(limits))
        give_way, search = _flag(relief[0], "give_way"), _flag(relief[1], "nearest")
        geo, joints, count = problem.geo, self._joints, len(targets)
        earlier = frames_of(previous)
        free = wish.pole is None and wish.swivel is None
        if free and earlier is None:
            earlier = np.concatenate(
                joints.frames(joints.geometry(problem.seeds, problem.poses is not None), problem.seeds), -1
            )
            earlier = earlier[0] if len(earlier) == 1 else earlier
        rows = np.array(self._core(problem, wish, earlier, soft, stretch, threads))
        if not count:
            nothing = np.zeros(0)
            return (
                rows.reshape(0, COLUMNS),
                np.zeros((0, self._robot.n)),
                np.zeros(0, np.int64),
                nothing,
                nothing,
                nothing,
            )
        D = np.linalg.norm(rows[:, END] - geo.root, axis=-1) / rows[:, STRETCHED]
        R_end = None if problem.poses is None else problem.poses[:, :3, :3]
        wanted = np.array(rows[:, SIDE])
        q, good = joints.postures(geo, rows[:, LINE], wanted, D, R_end, problem.seeds, problem.limits)
        barred = np.zeros(count, bool)
        before = None
        if earlier is not None:  # a bare direction has no line: it is taken as it stands across the new one
            known = np.asarray(earlier, float)
            before = np.zeros((count, 6))
            before[:, 6 - known.shape[-1] :] = known
        for k in np.flatnonzero(~good) if problem.limits else ():
            found = None
            if give_way or free:
                found = self._elsewhere(problem, rows, int(k), D[k], wanted[k], None if before is None else before[k])
            barred[k] = found is None and (give_way or free)
            if found is not None:
                q[k], good[k] = found, True
            elif search:
                q[k] = self._searched(problem, int(k))
        if problem.limits:
            outside = ~(good & joints.within(q))
            q[outside] = joints.clamped(q[outside])
        most = checked_stretch(stretch).most
        judged = self._judged(problem, rows, q, good, barred, wanted, free, most, threads)
        again = self._polished(problem, judged)
        if again is None:
            return judged
        return self._judged(problem, rows, again, good, barred, wanted, free, most, threads)


def _flag(given: Any, what: str = "limits") -> bool:
    if not isinstance(given, bool | np.bool_):
        raise BadOption(f"{what}={shown(given)}: True or False")
    return bool(given)


def restore_jointed(robot: Kinematic, end: str, upper: str | None, lower: str | None, bend_axis: Any) -> JointedLimb:
    """Return a limb from its pickled parts."""
    return JointedLimb(robot, end, upper, lower, bend_axis=bend_axis)
