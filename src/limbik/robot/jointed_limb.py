"""A limb of a robot or figure: the two bones of `limb.py` moved by joints, inside their limits, verified by forward kinematics."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core import pose_error
from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.goals.subject import POSITION_TOLERANCE, RELATIVE_TOLERANCE, ROTATION_TOLERANCE
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.record import Record
from limbik.model.transform import Array, as_pose, frozen, matrices, number, numbers, vector
from limbik.robot.kinematic import Kinematic
from limbik.robot.limb import Asked, Limb, asked, core_rows
from limbik.robot.pursuing import Pursuing
from limbik.robot.solving import thread_count
from limbik.solvers.answer import Status
from limbik.solvers.limb.answer import (
    BEND, COLUMNS, ELBOW, END, LINE, MARKS, MISSING, SIDE, STRETCHED, LimbAnswer, LimbBatch, Mark, explain, frames_of,
)  # fmt: skip
from limbik.solvers.limb.arcs import Arcs, nearest_in, swivel_arcs
from limbik.solvers.limb.geometry import Geometry
from limbik.solvers.limb.joints import LimbJoints, turned_by
from limbik.solvers.limb.parts import Finder
from limbik.solvers.limb.plane import about, angle_about, zero_across

# A line farther than this from the root is long enough for a pole [parts of the limb's length].
POLE_AWAY = 1.0
# How far a ball at the elbow may roll the forearm about the upper bone to keep limits: tried in this order [rad].
ROLLS = np.array([0.0, *(sign * k * math.pi / 12 for k in range(1, 12) for sign in (1, -1)), math.pi])


@dataclass(frozen=True, eq=False)
class Handles(Record):
    """What an animator holds of a limb: the pose of its end, (4, 4), the pole, (3,), and the swivel [rad] that says the same."""

    target: Array
    pole: Array
    swivel: float


@dataclass(frozen=True, eq=False)
class _Problem:
    """Targets of a limb with the bones at their seeds."""

    geo: Geometry
    seeds: Array  # (B, n), one or as many as targets
    points: Array  # (N, 3) where the lower bone shall end
    poses: Array | None  # (N, 4, 4) of the end
    places: Array  # (N, 3) of the end
    limits: bool

    def row(self, k: int) -> tuple[Geometry, Array]:
        """Return the bones and the seed of one row."""
        if len(self.seeds) == 1:
            return self.geo, self.seeds[0]
        one = {name: part[k : k + 1] for name, part in vars(self.geo).items()}
        return Geometry(**one), self.seeds[k]


class JointedLimb(Limb):
    """A limb with the joints of a robot or figure. Make one by `figure.limb("leftHand")`.

    Targets, poles and directions are in the robot's base frame. Answers hold the whole q: the limb's own joints moved, the others
    as the seed has them. A target of three numbers places the end and leaves the wrist as it is; a pose turns the hand too.
    """

    _robot: Kinematic
    _joints: LimbJoints
    _end: str
    _named: tuple[str | None, str | None]

    def __init__(
        self, robot: Kinematic, end: str, upper: str | None = None, lower: str | None = None, *, bend_axis: Any = None
    ) -> None:
        """Find the limb that ends at a frame. upper, lower: links of its bones, where the search goes wrong.

        bend_axis: about what a ball at the elbow bends where it is straight, in the frame of the lower bone at rest.
        Raises UnknownFrame, BadModel where there is no such limb.
        """
        if not isinstance(robot, Kinematic):
            raise BadOption(f"a limb belongs to a Chain or Skeleton, not {shown(robot)}; make one by limbik.load")
        for name in (end, upper, lower):
            if name is not None:
                robot._number(name)
        axis = None if bend_axis is None else _unit_axis(bend_axis)
        parts = Finder(robot._compiled, end, upper, lower).find()
        self._set(
            robot=robot, end=end, named=(upper, lower),
            joints=LimbJoints(robot._compiled, robot._ranges, parts, end, axis),
        )  # fmt: skip

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Kinematic:
        """The chain or skeleton it belongs to."""
        return self._robot

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """Which numbers of q the limb moves."""
        return self._joints.own

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the numbers of q that the limb moves."""
        return tuple(self._robot.joint_names[k] for k in self.places)

    @property
    def turns_hand(self) -> bool:
        """Whether the wrist can turn the hand any way, so that poses are targets."""
        return self._joints.wrist is not None

    @cached_property
    def _rest_bones(self) -> Geometry:
        return self._joints.geometry(np.zeros((1, self._robot.n)), self.turns_hand)

    @property
    def upper(self) -> float:
        """The length of the upper bone [m]."""
        return float(self._rest_bones.a[0])

    @property
    def lower(self) -> float:
        """The length of the lower bone, to the wrist [m]."""
        return float(self._rest_bones.b[0])

    @cached_property
    def _zeros(self) -> tuple[Array, Array]:
        """Where swivel 0 is, in the frame of the root's first joint at zero; and what serves where that is along the line."""
        redundancy = getattr(self._robot, "redundancy", None)
        if redundancy is not None and redundancy.kind == "swivel" and len(self._joints.parts.way) == self._robot.n:
            return np.array([0.0, 0.0, -1.0]), np.array([-1.0, 0.0, 0.0])
        geo, joints = self._rest_bones, self._joints
        low, high = joints.elbow_range(True)
        middle = 0.5 * (low + high) if math.isfinite(low) and math.isfinite(high) else geo.straightest[0] + 1.0
        branch = -1.0 if math.sin(middle - geo.straightest[0]) < 0 else 1.0
        r = geo.bend(geo.distances(-math.inf, math.inf)[1], branch)[1]
        axis = turned_by(geo.middle, geo.axis)
        side = -branch * np.cross(axis, r)
        rest = joints.root.rotation(np.zeros((1, 3)))
        return turned_by(rest, side / np.linalg.norm(side))[0], turned_by(rest, axis)[0]

    @property
    def zero(self) -> Array:
        """(3,) where the elbow points at swivel 0 with everything above the limb at home, in the base frame."""
        geo = self._joints.geometry(self._robot.home[None], False)
        return frozen(turned_by(geo.base[0, :3, :3], self._zeros[0]))

    def _key(self) -> tuple[Any, ...]:
        axis = self._joints.bend_axis
        return self._robot, self._end, self._named, None if axis is None else axis.tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_jointed, (self._robot, self._end, *self._named, self._joints.bend_axis)

    def __repr__(self) -> str:
        elements = self._robot._compiled.elements
        name = lambda e: elements[e].joint.name  # noqa: E731
        parts = self._joints.parts
        return (
            f"<Limb of '{self._robot.name}' to '{self._end}': {', '.join(map(name, parts.root))} | {name(parts.elbow)} | "
            f"{', '.join(map(name, parts.wrist)) or 'no wrist'}; bones {self.upper:.3g} and {self.lower:.3g} m>"
        )

    # ---- solving -------------------------------------------------------------------------------------------------------

    def solve(  # type: ignore[override]
        self, target: Any, pole: Any = None, swivel: Any = None, *, direction: Any = None, seed: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = True,
    ) -> LimbAnswer:  # fmt: skip
        """Return the posture whose end is at a target, a point (3,) or a pose (4, 4), and whose elbow points where asked.

        pole, direction, swivel, soft, stretch: as `Limb.solve` has them. seed: (n,) where all other joints stand, and what the
        limb's own stay near; None is that of `previous`, else `home`. Without pole, direction and swivel the elbow stays as near
        as it can to where it points. limits: keep joint limits; where they do not allow the elbow's direction the nearest one
        that they allow is taken, and the status is COMPROMISE; give_way=False does without. nearest: where no posture fits, search for the nearest by "lm";
        False leaves the one that the limits cut off. Raises as `Limb.solve` does, and BadOption for a pose of a limb
        whose wrist cannot turn every way.
        """
        given = numbers(matrices(target), "the target must be a point (3,) or a pose (4, 4)")
        if given.shape not in ((3,), (4, 4)):
            raise ShapeError(f"the target of a limb is a point (3,) or a pose (4, 4); got shape {given.shape}")
        one = vector(given, "the target") if given.ndim == 1 else as_pose(given, "the target")
        wish = asked(pole, swivel, direction, np.zeros(3), 1)
        rows, q, status, turned, sides, swivels = self._solved(
            one[None], wish, seed, previous, soft, stretch, limits, (give_way, nearest), 1
        )
        row, marks = rows[0], Mark(int(rows[0, MARKS]))
        outcome = Status(int(status[0]))
        missing, factor = float(row[MISSING]), float(row[STRETCHED])
        why = explain(outcome, marks, missing, float(turned[0]), factor, float(sides[0]))
        elbow, end, line, side = (row[part].copy() for part in (ELBOW, END, LINE, SIDE))
        return LimbAnswer(
            outcome, why, q[0], elbow, end, line, side, float(swivels[0]), float(row[BEND]), factor, missing,
            float(turned[0]), float(sides[0]), marks,
        )  # fmt: skip

    def solve_batch(  # type: ignore[override]
        self, targets: Any, poles: Any = None, swivels: Any = None, *, directions: Any = None, seeds: Any = None,
        previous: Any = None, soft: float = 0.0, stretch: Any = 0.0, limits: bool = True, give_way: bool = True,
        nearest: bool = False, threads: int | None = None,
    ) -> LimbBatch:  # fmt: skip
        """Return the answers to many targets, points (N, 3) or poses (N, 4, 4); row i equals `solve` of that row with this `nearest`.

        Each of the others is one for all or has N rows. Rows whose elbow must leave its direction for the limits take longer.
        """
        given = numbers(matrices(targets), "targets must be points (N, 3) or poses (N, 4, 4)")
        if given.shape[1:] not in ((3,), (4, 4)):
            raise ShapeError(
                f"targets are points (N, 3) or poses (N, 4, 4); got shape {given.shape}; one goes to solve"
            )
        if given.ndim == 3:
            given = np.array([as_pose(T, f"target {k}") for k, T in enumerate(given)]).reshape(given.shape)
        wish = asked(poles, swivels, directions, np.zeros(3), len(given))
        rows, q, status, turned, _, _ = self._solved(
            given, wish, seeds, previous, soft, stretch, limits, (give_way, nearest), thread_count(threads)
        )
        return LimbBatch(rows, status, turned, q)

    def swivel_ranges(self, target: Any, *, seed: Any = None, limits: bool = True) -> Arcs:  # type: ignore[override]
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

    # ---- matching and blending -----------------------------------------------------------------------------------------

    def swivel_of(self, q: Any) -> Any:
        """Return the swivel of postures, (..., n) -> (...) [rad]."""
        Q, shape = self._postures(q)
        geo = self._joints.geometry(Q, self.turns_hand)
        line, side = self._joints.frames(geo, Q)
        angles = angle_about(line, self._zero_at(geo, line), side)
        return float(angles[0]) if not shape else angles.reshape(shape)

    def pole_of(self, q: Any, distance: float | None = None) -> Array:
        """Return a pole that says where the elbow of a posture points, (..., n) -> (..., 3).

        It stands beside the root, across the line, `distance` away [m]; None is the length of the limb.
        """
        Q, shape = self._postures(q)
        away = POLE_AWAY * (self.upper + self.lower) if distance is None else number(distance, "the distance of a pole")
        if not 0 < away < math.inf:
            raise BadOption(f"the distance of a pole is {away:g}; give a length above 0")
        geo = self._joints.geometry(Q, self.turns_hand)
        return np.asarray(geo.root + away * self._joints.frames(geo, Q)[1]).reshape(*shape, 3)

    def match_ik(self, q: Any) -> Handles:
        """Return the handles that a posture (n,) stands for: `match_fk` of them gives the posture back."""
        Q, shape = self._postures(q)
        if shape:
            raise ShapeError(f"match_ik takes one posture of shape ({self._robot.n},); got {(*shape, self._robot.n)}")
        T = self._robot._kernel.forward(Q[0], self._robot._number(self._end), 1)
        return Handles(T, self.pole_of(Q[0]), self.swivel_of(Q[0]))

    def match_fk(self, handles: Handles, seed: Any = None, *, limits: bool = True, previous: Any = None) -> LimbAnswer:
        """Return the posture that handles lead to, as an answer that says whether it is theirs: q is for the joints to take."""
        if not isinstance(handles, Handles):
            raise BadOption(f"match_fk takes the handles of a limb, made by match_ik, not {shown(handles)}")
        target = handles.target if self.turns_hand else handles.target[:3, 3]
        return self.solve(target, handles.pole, seed=seed, limits=limits, previous=previous)

    def blend(self, q_fk: Any, q_ik: Any, weight: Any) -> Array:
        """Return postures between two, along the rotations of the limb's joints: q_fk at weight 0, q_ik at 1, exactly.

        Joints that are not the limb's stay as q_fk has them. weight: a number from 0 to 1, or one for each posture.
        """
        start, shape = self._postures(q_fk)
        end, shape_too = self._postures(q_ik)
        if shape != shape_too:
            raise ShapeError(
                f"the postures to blend have shapes {(*shape, -1)} and {(*shape_too, -1)}; give equal ones"
            )
        w = numbers(weight, "the weight of a blend must be a number from 0 to 1")
        if w.shape not in ((), shape):
            raise ShapeError(f"the weight of a blend has shape {w.shape} for postures of shape {shape}")
        if not ((w >= 0) & (w <= 1)).all():
            raise BadOption(f"the weight of a blend is {shown(weight)}; give a number from 0 to 1")
        w = np.broadcast_to(w, shape).reshape(-1, 1)
        goal = np.array(start)
        goal[:, self.places] = end[:, self.places]
        kernel = self._robot._kernel
        out = np.array(start)
        between = kernel.integrate(start, w * kernel.difference(start, goal))
        out[:, self.places] = between[:, self.places]
        out = np.where(w == 0, start, np.where(w == 1, goal, out))
        return out.reshape(*shape, -1) if shape else out[0]

    # ---- how -------------------------------------------------------------------------------------------------------------

    def _postures(self, q: Any) -> tuple[Array, tuple[int, ...]]:
        Q = self._robot._kernel.checked(q)
        return Q.reshape(-1, self._robot.n), Q.shape[:-1]

    def _zero_at(self, geo: Geometry, line: Array) -> Array:
        zero, other = (turned_by(geo.base[..., :3, :3], z) for z in self._zeros)
        return zero_across(line, zero, other)

    def _problem(self, targets: Array, seed: Any, previous: Any, limits: bool) -> _Problem:
        if seed is None and isinstance(previous, LimbAnswer | LimbBatch):
            seed = previous.q
        seeds, shape = self._postures(self._robot.home if seed is None else seed)
        if shape not in ((), (len(targets),)):
            raise ShapeError(f"{len(targets)} targets take one seed or as many; got shape {(*shape, self._robot.n)}")
        whole = targets.ndim == 3
        if whole and not self.turns_hand:
            raise BadOption(
                f"the wrist of this limb cannot turn '{self._end}' every way, so a pose cannot be asked for; give a point (3,)"
            )
        geo = self._joints.geometry(seeds, whole)
        if not whole:
            return _Problem(geo, seeds, targets, None, targets, limits)
        points = turned_by(targets[:, :3, :3], geo.wrist_in_end) + targets[:, :3, 3]
        return _Problem(geo, seeds, points, targets, targets[:, :3, 3], limits)

    def _core(self, problem: _Problem, wish: Asked, earlier: Any, soft: Any, stretch: Any, threads: int) -> Array:
        geo = problem.geo
        least, most = geo.distances(*self._joints.elbow_range(problem.limits))
        lengths = np.stack([geo.a, geo.b, least, most], -1)
        zero, other = (turned_by(geo.base[..., :3, :3], z) for z in self._zeros)
        single = len(problem.seeds) == 1
        if wish.swivel is not None:
            wish = Asked(zero[0] if single else zero, wish.swivel, False)
        pick = (lambda part: part[0]) if single else np.ascontiguousarray
        return core_rows(
            pick(geo.root),
            np.ascontiguousarray(problem.points),
            pick(lengths),
            wish,
            earlier,
            other[0],
            soft,
            stretch,
            threads,
        )

    def _to_end(self, geo: Geometry) -> Array:
        """Return how far the end lies from the point that the wrist turns about, (B,); 0 where it turns nothing."""
        if not self.turns_hand:
            return np.zeros(len(geo.a))
        return np.abs(geo.b - self.lower)

    def _arcs(self, problem: _Problem, rows: Array, k: int) -> Arcs:
        geo, seed = problem.row(k)
        line = rows[k, LINE]
        D = np.linalg.norm(rows[k : k + 1, END] - geo.root, axis=-1) / rows[k : k + 1, STRETCHED]
        R = None if problem.poses is None else problem.poses[k, :3, :3]
        return swivel_arcs(self._joints, geo, line, self._zero_at(geo, line[None])[0], D, R, seed)

    def _solved(
        self, targets: Array, wish: Asked, seed: Any, previous: Any, soft: Any, stretch: Any, limits: Any,
        relief: tuple[Any, Any], threads: int,
    ) -> tuple[Array, Array, npt.NDArray[np.int64], Array, Array, Array]:  # fmt: skip
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
        for k in np.flatnonzero(~good) if problem.limits else ():
            found = self._elsewhere(problem, rows, int(k), D[k], wanted[k]) if give_way or free else None
            barred[k] = found is None and (give_way or free)
            if found is not None:
                q[k], good[k] = found, True
            elif search:
                q[k] = self._searched(problem, int(k))
        if problem.limits:
            outside = ~(good & joints.within(q))
            q[outside] = joints.clamped(q[outside])
        return self._judged(problem, rows, q, good, barred, wanted, free, threads)

    def _elsewhere(self, problem: _Problem, rows: Array, k: int, D: float, wanted: Array) -> Array | None:
        """Return the posture inside the limits whose elbow is nearest the direction wanted; None where there is none."""
        joints = self._joints
        geo, seed = problem.row(k)
        line, zero = rows[k, LINE], self._zero_at(geo, rows[k : k + 1, LINE])[0]
        R = None if problem.poses is None else problem.poses[k, :3, :3]

        def at(bones: Geometry, side: Array, count: int) -> tuple[Array, Any]:
            wide = lambda x: np.broadcast_to(x, (count, *np.shape(x)))  # noqa: E731
            return joints.postures(
                bones, wide(line), wide(side), wide(D), None if R is None else wide(R), wide(seed), True
            )

        balls = joints.ball_elbow is not None
        if balls:
            q, good = at(geo.rolled(ROLLS), wanted, len(ROLLS))
            if good.any():
                return np.asarray(q[int(np.argmax(good))])
        for roll in ROLLS if balls else ROLLS[:1]:
            bones = geo.rolled(np.array([roll])) if balls else geo
            arcs = swivel_arcs(joints, bones, line, zero, np.array([D]), R, seed)
            if arcs:
                angle = nearest_in(arcs, float(angle_about(line, zero, wanted)))
                q, good = at(bones, about(line, zero, np.array(angle)), 1)
                return np.asarray(q[0]) if good[0] else None
        return None

    def _searched(self, problem: _Problem, k: int) -> Array:
        """Return the nearest posture inside the limits that a search finds, the limb's own joints alone moved."""
        robot, own = self._robot, set(self.places.tolist())
        assert isinstance(robot, Pursuing)
        held = [v.joint.name for v in robot._compiled.variables if v.first not in own]
        place = problem.places[k]
        goal = Position(self._end, place) if problem.poses is None else Pose(self._end, problem.poses[k])
        seed = problem.seeds[0 if len(problem.seeds) == 1 else k]
        return np.array(robot._pursue((goal,), self._joints.clamped(seed), limits=True, frozen=held or None).q)

    def _judged(
        self, problem: _Problem, rows: Array, q: Array, good: Any, barred: Any, wanted: Array, free: bool, threads: int
    ) -> tuple[Array, Array, npt.NDArray[np.int64], Array, Array, Array]:
        """Look at postures by forward kinematics, and say what they are worth."""
        joints, kernel = self._joints, self._robot._kernel
        actual = kernel.forward(q, self._robot._number(self._end), threads)
        whole = problem.poses is not None
        now = joints.geometry(q, whole)
        line, side = joints.frames(now, q)
        factor = rows[:, STRETCHED]
        at_wrist = turned_by(actual[:, :3, :3], now.wrist_in_end) + actual[:, :3, 3]
        grown = (factor - 1)[:, None] * (at_wrist - now.root)
        place = actual[:, :3, 3] + grown
        missing = np.linalg.norm(place - problem.places, axis=-1)
        turned = np.zeros(len(q))
        if problem.poses is not None:
            there = np.array(actual)
            there[:, :3, 3] = problem.places
            turned = np.linalg.norm(pose_error(there, problem.poses)[:, 3:], axis=-1)
        sides = (
            np.zeros(len(q))
            if free
            else np.abs(angle_about(line, side, wanted - np.einsum("ki,ki->k", wanted, line)[:, None] * line))
        )
        R_upper = now.base[..., :3, :3] @ joints.root.rotation(q[:, joints.places(joints.parts.root)])
        elbow = now.root + factor[:, None] * turned_by(R_upper @ now.middle, now.u)

        tolerance = max(POSITION_TOLERANCE, RELATIVE_TOLERANCE * self._robot.reach)
        reached = (missing <= tolerance) & (turned <= ROTATION_TOLERANCE)
        if problem.limits:
            reached &= joints.within(q)
        marks = rows[:, MARKS].astype(np.int64)
        x = np.linalg.norm(problem.points - problem.geo.root, axis=-1)
        slack = 1 + RELATIVE_TOLERANCE
        possible = (x <= (problem.geo.a + problem.geo.b) * slack) & (x >= np.abs(problem.geo.a - problem.geo.b) / slack)
        status = np.full(len(q), int(Status.NOT_FOUND))
        status[(marks & Mark.SOFT > 0) & good] = Status.COMPROMISE
        # proven, but for a ball at the elbow, which may roll otherwise, and for a hand that is held and could be turned
        proven = whole | (self._to_end(problem.geo) <= tolerance)
        if joints.ball_elbow is None:
            status[barred & proven] = Status.LIMITS
        off = marks & (Mark.TOO_FAR | Mark.TOO_NEAR) > 0
        status[off & proven] = np.where(possible, int(Status.LIMITS), int(Status.OUT_OF_REACH))[off & proven]
        moved = (np.linalg.norm(elbow - rows[:, ELBOW], axis=-1) > tolerance) & (not free)
        status[reached] = np.where(moved[reached], int(Status.COMPROMISE), int(Status.SOLVED))

        out = np.array(rows)
        out[:, ELBOW], out[:, LINE], out[:, SIDE], out[:, MISSING] = elbow, line, side, missing
        out[:, END] = at_wrist + grown if not whole else place
        swivels = angle_about(line, self._zero_at(now, line), side)
        return out, q, status, turned, sides, swivels


def _flag(given: Any, what: str = "limits") -> bool:
    if not isinstance(given, bool | np.bool_):
        raise BadOption(f"{what}={shown(given)}: True or False")
    return bool(given)


def _unit_axis(given: Any) -> Array:
    axis = vector(given, "the bend axis")
    size = float(np.linalg.norm(axis))
    if not 0 < size < math.inf:
        raise NotFinite(f"the bend axis is {axis.tolist()}, which has no direction")
    return frozen(axis / size)


def restore_jointed(robot: Kinematic, end: str, upper: str | None, lower: str | None, bend_axis: Any) -> JointedLimb:
    """Return a limb from its pickled parts."""
    return JointedLimb(robot, end, upper, lower, bend_axis=bend_axis)
