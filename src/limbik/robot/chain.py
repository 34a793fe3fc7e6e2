"""A chain: joints one after the other from a base to a tip. What an arm, a leg or a finger is."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, get_overloads, overload

import numpy as np
import numpy.typing as npt

from limbik._core import Answer, Answers, PostureSolver
from limbik.errors import BadOption, ShapeError, UnknownJoint, shown, suggest
from limbik.formats.dh import read_dh
from limbik.formats.poe import read_screws
from limbik.geometry.arrays import Array, number, numbers
from limbik.geometry.se3 import as_pose, inverse
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen, Goals, Named
from limbik.model.ends import ends_of
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.structure import Structure
from limbik.muscle.arm import MuscleArm
from limbik.muscle.assembly import with_muscles
from limbik.robot.following import REFUSE, follow
from limbik.robot.kinematic import Kinematic, check_mechanism
from limbik.solvers.all_postures import (
    all_postures,
    all_postures_batch,
    bind_all,
    closed_form,
    countable,
    reachable,
    redundancy,
    structure_of,
)
from limbik.solvers.answers import BatchAnswers
from limbik.solvers.attachments import NETWORK, TABLE, attach, attached
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Redundancy
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.method import Method
from limbik.solvers.neural.method import network as network_of
from limbik.solvers.neural.method import propose
from limbik.solvers.preference import NEAREST, Score, Valid
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve, solve_batch, trace
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.content import Content
from limbik.solvers.table.finder import look_up
from limbik.solvers.table.finder import table as table_candidates
from limbik.solvers.trace import Trace

if TYPE_CHECKING:
    from limbik.robot.followed import FollowedClip


# What `solve` takes by keyword alone.
OPTIONS = ("position_tolerance", "rotation_tolerance", "seconds", "weights", "frozen", "obstacles")


class Chain(Kinematic):
    """An arm: the way from `base` to `tip` through a mechanism, with its verbs.

    Make one with `limbik.load`, `Chain.from_dh`, `Chain.from_screws` or `Skeleton.chain`; change one with the `with_*`
    methods, which return new chains.
    """

    def __init__(self, mechanism: Mechanism, base: str | None = None, tip: str | None = None) -> None:
        check_mechanism(mechanism)
        start = mechanism.root if base is None else mechanism.check_link(base)
        if tip is None:
            ends = ends_of(mechanism)
            if len(ends) != 1:
                raise BadOption(f"'{mechanism.name}' has {len(ends)} ends ({', '.join(ends[:8])}); name one as tip=")
            tip = ends[0]
        end = mechanism.check_link(tip)
        super().__init__(Model.chain(mechanism, start, end))

    @classmethod
    def of(cls, model: Model) -> Self:
        """Return the chain of a model."""
        made = object.__new__(cls)
        Kinematic.__init__(made, model)
        return made

    @classmethod
    def load(
        cls,
        source: Any,
        base: str | None = None,
        tip: str | None = None,
        unit: Any = None,
        *,
        arguments: Mapping[str, str] | None = None,
        snap: bool = False,
        zero_limits: str | None = None,
    ) -> Self:
        """Return the arm that `source` describes, as `limbik.load` does. Raises BadOption where several ends ask for a tip."""
        from limbik.robot.load import load_mechanism

        mechanism = load_mechanism(source, unit, arguments=arguments, snap=snap, zero_limits=zero_limits)
        if tip is not None:
            check_ends(mechanism, base, tip)
        return cls(mechanism, base, tip)

    @classmethod
    def from_dh(
        cls,
        rows: Sequence[Sequence[Any]],
        convention: str = "standard",
        *,
        name: str = "arm",
        degrees: bool = False,
        unit: str = "m",
    ) -> Self:
        """Return the chain of Denavit-Hartenberg rows (a, alpha, d, theta offset[, kind[, lower, upper]]).

        convention: "standard" (Rz Tz Tx Rx) or "modified" (Craig: Tx Rx Rz Tz). Angles in radians unless `degrees`;
        lengths in `unit`. kind: "revolute" (default), "continuous", "prismatic". Raises BadModel, naming the row.
        """
        return cls(read_dh(rows, convention, name=name, degrees=degrees, unit=unit))

    @classmethod
    def from_screws(
        cls,
        screws: Any,
        home: Any = None,
        *,
        lower: Sequence[float] | None = None,
        upper: Sequence[float] | None = None,
        name: str = "arm",
    ) -> Self:
        """Return the chain of a product of exponentials: T(q) = exp(S1 q1) ... exp(Sn qn) home.

        screws: (n, 6) rows (angular, linear) in the base frame at the home pose: (w, -w x point) for a joint that turns,
        (0, v) for one that slides. home: (4, 4) the tip at q = 0. Raises BadModel, naming the row.
        """
        return cls(read_screws(screws, np.eye(4) if home is None else home, lower, upper, name=name))

    @property
    def tip(self) -> str:
        """The frame that `forward` and `jacobian` answer for when none is named."""
        return self.model.compiled.tip

    @cached_property
    def muscles(self) -> MuscleArm:
        """The muscles that run over the joints of this chain, in the order of lengths, with their verbs.

        Raises BadOption where it has none; `model.compiled.muscles` is a tuple, empty there.
        """
        return self.model.derived(MuscleArm)

    # ---- kinematics --------------------------------------------------------------------------------------------------

    def forward(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the pose of a frame (the tip by default), (..., n) -> (..., 4, 4).

        threads: how many to use for a batch, 0 for as many as pay. Raises ShapeError when q's last axis is not n,
        NotFinite for NaN or infinity, UnknownFrame.
        """
        if frame is None:
            return self.model.kernel.forward(q, -1, threads)
        return self.model.kernel.forward(q, self.model.frame_index(frame), threads)

    def jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the velocity of a frame (the tip by default) that each joint gives when it moves alone.

        Shape (..., 6, n): three linear rows [m/rad or m/m], then three angular; base frame, at the frame's origin.
        Raises as `forward` does.
        """
        return self.model.kernel.jacobian(q, -1 if frame is None else self.model.frame_index(frame), threads)

    def forward_jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> tuple[Array, Array]:
        """Return `forward` and `jacobian` from one pass: shapes (..., 4, 4) and (..., 6, n)."""
        if frame is None:
            return self.model.kernel.forward_jacobian(q, -1, threads)
        return self.model.kernel.forward_jacobian(q, self.model.frame_index(frame), threads)

    # ---- solving -----------------------------------------------------------------------------------------------------

    @overload
    def solve(
        self,
        T: Goals,
        seed: Any = None,
        method: str | Method | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
        weights: tuple[float, float] | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...

    @overload
    def solve(
        self,
        T: Any,
        seed: Any = None,
        method: str | Method | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
        weights: tuple[float, float] | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles,
    ) -> GoalAnswer: ...

    @overload
    def solve(
        self,
        T: Any,
        seed: Any = None,
        method: str | Method | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
        weights: tuple[float, float] | None = None,
        frozen: Named,
        obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...

    @overload
    def solve(
        self,
        T: Any,
        seed: Any = None,
        method: str | Method | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
        weights: tuple[float, float] | None = None,
        frozen: None = None,
        obstacles: None = None,
    ) -> Answer: ...

    def solve(
        self,
        T: Any,
        seed: Any = None,
        method: Any = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        **options: Any,
    ) -> Answer | GoalAnswer:
        """Return a posture whose tip is at T, verified, or the nearest one with the reason.

        T: (4, 4) in the base frame; or goals, one or several, or {frame: pose or point}: the answer is then a `GoalAnswer`.
        seed: what the posture should be near, and where attempts start; None means `home`. method: a name of
        `limbik.METHODS`, also with settings ("dls:damping=0.05"), or an object of `limbik.methods`; None takes the closed form
        where the chain has one, else "lm", or the table (`with_table`) where `valid` or `prefer` choose among several
        postures. branch: a number of `branch_names`, to
        have that posture. limits: keep joint limits. valid: a function of q that says whether a posture may be used
        (collisions ...); the next one is asked when it refuses. prefer: "nearest" to the seed, "limits" (far from them),
        "manipulable", or a function of q whose greatest value wins among the solutions. position_tolerance [m] and
        rotation_tolerance [rad]: what counts as reached; by default 1e-8 m (or 1e-9 of the reach, if that is more) and 1e-8.
        seconds: the time after which no further attempt is begun; answers then depend on the machine's speed. weights: what a
        metre and a radian count, to have the posture with the least (position weight * position error)^2 + (rotation weight *
        rotation error)^2 where T cannot be reached; None puts the position first, then the rotation. frozen: joints that stay
        where the seed has them, by name, or {joint: value}. obstacles: Spheres, Capsules and Boxes in the base frame that no
        link may touch, nor links each other (the goal `Clearance` has more to say); `answer.unchecked` names the links and pairs
        that this does not hold for.

        Not reaching T is an answer, not an error: see `answer.status` and `answer.why`. Raises NotRigid, ShapeError,
        NotFinite or BadOption for what cannot be meant.
        """
        if (
            type(T) is np.ndarray
            and not options
            and limits is True
            and prefer is NEAREST
            and branch is None
            and valid is None
        ):
            try:
                bound = self._bound[method]
            except (KeyError, TypeError):  # not yet asked for, or not hashable
                bound = self._bind(method)
            return bound(T, seed)  # type: ignore[no-any-return]
        for name in options.keys() - OPTIONS:
            raise TypeError(f"solve() has no option {name!r}; {suggest(name, OPTIONS)}")
        query = make_query(self.model, T, seed, branch=branch, limits=limits, valid=valid, prefer=prefer, **options)
        return solve(self.model, query, method)

    def solve_batch(
        self,
        Ts: Any,
        seeds: Any = None,
        threads: int | None = None,
        *,
        method: str | Method | None = None,
        branch: int | None = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        invalid: str = "raise",
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
        seconds: float | None = None,
        weights: tuple[float, float] | None = None,
    ) -> BatchAnswer:
        """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

        seeds: None (home), one seed for all, or one per row. threads: None for as many as there are cores. invalid:
        "raise" names the first row that is no rigid pose, "mark" gives such rows the status INVALID. The other options
        are those of `solve`; `valid` and a function given as `prefer` are asked in this thread, one posture at a time,
        and `seconds` is for all rows together. Ctrl-C ends it.
        """
        query = make_query(
            self.model, None, branch=branch, limits=limits, valid=valid, prefer=prefer, seconds=seconds, weights=weights,
            position_tolerance=position_tolerance, rotation_tolerance=rotation_tolerance,
        )  # fmt: skip
        return solve_batch(self.model, query, Ts, seeds, threads, invalid, method)

    def solve_all(
        self,
        T: Any,
        seed: Any = None,
        limits: bool = True,
        turns: str = NEAREST,
        swivel: Any = None,
        *,
        directed: bool = True,
    ) -> Answers:
        """Return every posture whose tip is at T, verified: a sequence of answers.

        By the closed form where the chain has one, else by look-up where it has a table (`with_table`), or by many attempts.
        `complete` tells whether every posture is listed or on a self-motion manifold that a listed one is flagged for
        (`families`: every posture of a redundant arm), and `why` what to ask for where not; where none is, `status` is
        OUT_OF_REACH or LIMITS only if that is proven. T, seed, limits: as in `solve`. turns: "nearest" gives each posture
        once, each joint at the whole turn inside its limits that is nearest the seed; "all" lists every copy.

        Redundant arms have ranges of postures. With an elbow that swings (`redundancy.kind` "swivel"), swivel is: None, one
        posture for each branch and feasible range, the elbow as near the seed's direction as it can; a number [rad], the
        branches there; "limits" or "manipulable", the best of each range; three numbers, the elbow as near that point as
        it can. directed=False reads a number as the angle of a plane, so that the elbow may lie on either side. With a joint
        that may take any value (kind "joint"), swivel is its value; None lists the postures at the seed's value, then one of
        every other branch and range of sampled values. A redundant chain without closed form gives a spread sample of its
        postures. Neither is complete.

        Raises as `solve` does.
        """
        if turns is NEAREST and limits is True and directed is True:
            if swivel is None:
                return self._every(T, seed)
            held = self._every_held
            if held is not None and isinstance(swivel, float) and math.isfinite(swivel):
                return held(T, seed, swivel)
        return all_postures(self.model, T, seed, limits, turns, swivel, directed=directed)

    @cached_property
    def _every(self) -> Callable[..., Answers]:
        """The ordinary `solve_all`, without a detour."""
        return bind_all(self.model)

    @cached_property
    def _every_held(self) -> Callable[..., Answers] | None:
        """The same with a number for the swivel."""
        return None if self.redundancy is None else self._every

    def solve_all_batch(
        self, Ts: Any, seeds: Any = None, threads: int | None = None, *, limits: bool = True
    ) -> BatchAnswers:
        """Return every posture of many targets, (N, 4, 4).

        By the closed form: row i then holds the postures that `solve_all` gives; its `families` are those that the
        equations show, while `solve_all` looks at the Jacobian too. Else by look-up where the chain has a table, else by a
        search from many starts: 16 postures a row at the most, and where these lead nowhere no attempts follow, so that
        `solve_all` may list others. seeds and threads as in `solve_batch`. Raises BadOption for a chain with a joint too
        many.
        """
        return all_postures_batch(self.model, Ts, seeds, threads, limits=limits)

    def reachable(self, T: Any, limits: bool = True, *, threads: int | None = None) -> Any:
        """Tell whether some posture has its tip at T: (4, 4) -> bool, (N, 4, 4) -> (N,) of bool.

        True is verified. False means that none was found; `solve(T, limits=limits).status` tells whether that is proven.
        Raises as `solve` does.
        """
        return reachable(self.model, T, limits, threads)

    @property
    def branch_names(self) -> tuple[str, ...]:
        """What each branch number of a posture stands for; empty where the chain has no closed form."""
        form = closed_form(self.model)
        return () if form is None else form.branch_names

    @property
    def redundancy(self) -> Redundancy | None:
        """What is left to choose when the tip stands still; None where the chain is not redundant, or has no closed form."""
        return redundancy(self.model)

    def swivel_ranges(self, T: Any, limits: bool = True) -> dict[int, list[tuple[float, float]]]:
        """Return the swivels at which each branch keeps the joint limits: {branch: [(low, high), ...]} [rad].

        Exact: computed arcs, not samples; low <= high <= low + 2 pi. For arms whose `redundancy.kind` is "swivel"; others
        raise BadOption.
        """
        return (self._postures if limits is True else solver_set(self.model, limits).postures).swivel_ranges(T)

    @cached_property
    def _postures(self) -> PostureSolver:
        return solver_set(self.model).postures

    def swivel(self, q: Any) -> float:
        """Return the swivel of a posture [rad]: where its elbow points. Raises BadOption where the arm has none."""
        return solver_set(self.model).postures.swivel_of(q)

    def trace(
        self, T: Any, seed: Any = None, method: str | Method = "bfgs", *, limits: bool = True, objective: str = "log"
    ) -> Trace:
        """Return the iterations of a method from the seed to its own end: every posture, error and count.

        T: (4, 4), or a Position goal. objective: "log", "5.22" or "5.26" of Chin's thesis. One attempt, no restarts.
        """
        return trace(self.model, make_query(self.model, T, seed, limits=limits), method, objective)

    def follow(
        self,
        path: Any,
        seed: Any = None,
        rate: float = 100.0,
        *,
        limits: bool = True,
        valid: Valid | None = None,
        jumps: str = REFUSE,
        closed: bool = False,
        velocity: Any = None,
        acceleration: Any = None,
        fastest: bool = False,
    ) -> "FollowedClip":
        """Return the motion that leads the tip along a path, a clip with `rate` frames a second.

        path: a Path, or poses (N, 4, 4), one a frame. The branch and the whole turns are chosen for all of it at once, and the
        swivel of a redundant arm: the smoothest course that keeps the limits. seed: where it should begin: the nearest posture
        from which the path can be followed; None leaves the choice free. valid: a function of q that says whether a posture
        may be used.

        jumps: where no smooth course leads on, "refuse" ends the clip there and says why; "allow" goes on from another posture,
        and `clip.jumps` lists the frames that cannot be reached smoothly from the one before. closed: end in the posture
        it began in, if that can be.

        velocity: the greatest speed of each joint [rad/s or m/s], one number or n; None takes the model's own. acceleration:
        likewise [rad/s^2]; None sets no bound, else the motion begins and ends at rest, and stops at corners. Where joints
        cannot keep up with the path's own time the clip takes longer; the path is not left. fastest: as fast as these bounds
        allow.

        Not following is an answer, not an error: see `clip.ok`, `clip.failed` and `clip.why`. Raises as `solve` does for misuse.
        """
        return follow(
            self, path, seed, rate, limits=limits, valid=valid, jumps=jumps, closed=closed, velocity=velocity,
            acceleration=acceleration, fastest=fastest,
        )  # fmt: skip

    # ---- what it carries ---------------------------------------------------------------------------------------------

    def with_table(self, table: str | PathLike[str] | Content) -> Self:
        """Return this chain with a table, as `limbik table build` or `limbik.build_table` made it: a file, or what is in one.

        Without a closed form `solve_all` then looks targets up, and `solve` does where `valid` or `prefer` choose among several
        postures; method="table" does in any case. Raises BadFile for a file that is damaged or was made for another robot,
        FileUnreadable.
        """
        made = self._with_model(attach(self.model, TABLE, table))
        table_candidates(made.model)  # one that does not fit is refused here, not by the first solve
        return made

    def with_network(self, network: str | PathLike[str] | Content) -> Self:
        """Return this chain with a network, as `limbik train` or `limbik.train` made it: a file, or what is in one.

        method="neural" then begins where the network says. Raises BadFile for a file that is damaged or was made for another
        robot, FileUnreadable.
        """
        made = self._with_model(attach(self.model, NETWORK, network))
        network_of(made.model)  # one that does not fit is refused here, not by the first solve
        return made

    @property
    def table(self) -> Content | None:
        """The table that the chain looks targets up in."""
        return attached(self.model, TABLE)

    @property
    def network(self) -> Content | None:
        """The network that the chain has learned."""
        return attached(self.model, NETWORK)

    def look_up(
        self, Ts: Any, steps: int = 1, *, tolerance: float | None = None
    ) -> tuple[Array, Array, npt.NDArray[np.int64]]:
        """Return what the table says about many targets, (N, 4, 4), as fast as it is read: q (k, n), position errors (k,), begin.

        The postures of target i are q[begin[i]:begin[i + 1]]. Each keeps the limits, has the orientation exactly and the place to
        within its error [m], which is checked, after so many steps of Newton's method. tolerance: postures that are farther off
        are left out; by default a thousandth of the arm. Not answers: `solve_all` gives those. For tables of postures of arms
        with a spherical wrist; others raise BadOption.
        """
        return look_up(self.model, Ts, steps, tolerance)

    def propose(self, Ts: Any, seeds: Any = None) -> Array:
        """Return the postures that the network offers for many targets, the most promising first: (N, 4, 4) -> (N, heads, n).

        Targets are places, (N, 3), for a network of places. Inside the limits, near the target, and not answers: `solve`
        gives those. Raises BadOption where there is no network.
        """
        return propose(self.model, Ts, seeds)

    @cached_property
    def structure(self) -> Structure:
        """What the geometry allows: parallel and intersecting axes, spherical wrist, a closed form ...; prints as one line."""
        return structure_of(self.model)

    def warm_up(self) -> Self:
        """Build now what the first solves would build, and return this chain: `arm = lk.load("panda").warm_up()`.

        That is the solvers with the joint limits and the tables of starting postures, which the first hard target or the first
        one out of reach would otherwise wait for (50 to 110 ms). Chains that differ in base and tool alone share a table.
        Another call finds everything built. Answers are the same with and without it. Safe in any thread.
        """
        solver_set(self.model).pose.warm_up()
        _ = self._bind(None), self._every, self._every_held, self.model.revolute, countable(self.model)
        if self.network is not None:
            network_of(self.model)
        return self

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def with_tool(self, T: Any) -> Self:
        """Return this chain with its tip moved by T_tip_tool, a new frame "tool". A second tool stands on the first."""
        mechanism, name = self.model.mechanism.with_link("tool", self.tip, as_pose(T, "the tool"))
        return type(self)(mechanism, self.base, name)

    def with_base(self, T: Any) -> Self:
        """Return this chain seen from a new frame "world", in which its base stands at T_world_base."""
        mechanism, name = self.model.mechanism.with_link("world", self.base, inverse(as_pose(T, "the base")))
        return type(self)(mechanism, name, self.tip)

    def with_limits(self, lower: Any = None, upper: Any = None) -> Self:
        """Return this chain with other ranges.

        Each of lower and upper is None (keep), one number for all joints with one axis, n numbers, or {joint name:
        value}; inf for no limit. A continuous joint given a finite range becomes revolute. Raises BadModel where
        lower > upper, BadOption for a part of a ball or floating joint.
        """
        low, high = self._bounds(lower, self.lower, "lower"), self._bounds(upper, self.upper, "upper")
        changed = {
            v.joint.name: (float(low[v.first]), float(high[v.first]))
            for v in self.model.compiled.variables
            if v.joint.kind.size == 1
        }
        return type(self)(self.model.mechanism.with_limits(changed), self.base, self.tip)

    def _bounds(self, given: Any, current: Array, what: str) -> Array:
        if given is None:
            return current
        out = np.array(current)
        if isinstance(given, Mapping):
            for name, value in given.items():
                out[self._place(name)] = number(value, f"{what} of joint '{name}'")
        else:
            values = numbers(given, f"{what} must be one number or {self.n} numbers")
            if values.shape not in ((), (self.n,)):
                raise ShapeError(f"{what} must be one number or {self.n} numbers; got shape {values.shape}")
            out = np.where(self.model.one_axis, values, current) if values.ndim == 0 else values
        if np.isnan(out).any():
            raise BadOption(f"{what} holds NaN; use inf for no limit")
        for k in np.flatnonzero((out != current) & ~self.model.one_axis):
            raise BadOption(
                f"{what} of '{self.joint_names[k]}' cannot be set: it is a part of a joint with several axes, which has no range"
            )
        return out

    def _place(self, name: object) -> int:
        """Return where a joint stands in q. Raises UnknownJoint."""
        if name not in self.joint_names:
            raise UnknownJoint(f"no joint {shown(name)} in '{self.name}'; {suggest(str(name), self.joint_names)}")
        return self.joint_names.index(str(name))

    def with_frozen(self, values: Mapping[str, float]) -> Self:
        """Return this chain with some joints fixed at these values [rad or m]; n shrinks by as many."""
        if isinstance(values, Mapping):
            for name in values:
                self._place(name)
        return type(self)(self.model.mechanism.with_frozen(values), self.base, self.tip)

    def with_muscles(self, muscles: Any) -> Self:
        """Return this chain with other muscles: Muscle objects, or a TOML file with [[muscle]] tables; () for none.

        Raises BadModel where one is fixed to a link or joint that does not exist, or has an empty range.
        """
        return self._with_mechanism(with_muscles(self.model.mechanism, muscles))

    def scaled(self, factor: float) -> Self:
        """Return this chain with every length multiplied."""
        return type(self)(self.model.mechanism.scaled(factor), self.base, self.tip)

    # ---- what objects do ---------------------------------------------------------------------------------------------

    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        return type(self)(mechanism, self.base, self.tip)

    def _with_model(self, model: Model) -> Self:
        return type(self).of(model)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.model)

    def __repr__(self) -> str:
        reach = f", reach {self.reach:.3g} m" if math.isfinite(self.reach) else ""
        return f"<Chain '{self.name}': {self.n} joint values, '{self.base}' to '{self.tip}'{reach}>"


def check_ends(mechanism: Mechanism, base: str | None, tip: str) -> None:
    """Raise BadOption where a way is asked for from a frame to itself."""
    start = mechanism.root if base is None else base
    if isinstance(tip, str) and isinstance(start, str) and start == tip:
        raise BadOption(f"base and tip are both {shown(tip)}: nothing moves between them; name two frames")


def _restored(kind: type[Chain], model: Model) -> Chain:
    return kind.of(model)


# Type checkers read the overloads; `help` and notebooks read the signature of the last one.
Chain.solve.__signature__ = inspect.signature(get_overloads(Chain.solve)[-1])  # type: ignore[attr-defined]
