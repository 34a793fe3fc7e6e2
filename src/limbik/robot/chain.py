"""A chain: an open serial chain of joints from a base to a tip, such as an arm, a leg or a finger."""

import inspect
import math
from collections.abc import Callable
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, get_overloads, overload

import numpy as np

from limbik._core import Answer, Answers, PostureSolver
from limbik.errors import suggest
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen, Goals, Named
from limbik.model.structure import Structure
from limbik.robot.kinematic_chain import KinematicChain
from limbik.solvers.all_postures import (
    all_postures,
    all_postures_batch,
    bind_all,
    closed_form,
    countable,
    redundancy,
    structure_of,
)
from limbik.solvers.answers import BatchAnswers
from limbik.solvers.attachments import NETWORK
from limbik.solvers.batch_answer import BatchAnswer
from limbik.solvers.closed_form.form import Redundancy
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.method import Method
from limbik.solvers.preference import NEAREST, Score, Valid
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve, solve_batch
from limbik.solvers.solver_set import solver_set

if TYPE_CHECKING:
    from limbik.formats.content.content import Content
    from limbik.motion.follow.followed import Followed
    from limbik.muscle.arm import MuscleArm
    from limbik.solvers.neural.attached import AttachedNetwork
    from limbik.solvers.table.attached import AttachedTable


# The keyword-only options of `solve`.
OPTIONS = ("position_tolerance", "rotation_tolerance", "seconds", "weights", "frozen", "obstacles")


class Chain(KinematicChain):
    """A serial chain from `base` to `tip` of a mechanism, with forward and inverse kinematics.

    Make one with `limbik.load`, `Chain.from_dh`, `Chain.from_screws` or `Skeleton.chain`. The `with_*` methods return
    changed copies.
    """

    # ---- solving -----------------------------------------------------------------------------------------------------

    @overload
    def solve(
        self, T: Goals, seed: Any = None, method: str | Method | None = None, branch: int | None = None, limits: bool = True,
        valid: Valid | None = None, prefer: str | Score = NEAREST, *, position_tolerance: float | None = None,
        rotation_tolerance: float | None = None, seconds: float | None = None, weights: tuple[float, float] | None = None,
        frozen: Frozen = None, obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...  # fmt: skip

    @overload
    def solve(
        self, T: Any, seed: Any = None, method: str | Method | None = None, branch: int | None = None, limits: bool = True,
        valid: Valid | None = None, prefer: str | Score = NEAREST, *, position_tolerance: float | None = None,
        rotation_tolerance: float | None = None, seconds: float | None = None, weights: tuple[float, float] | None = None,
        frozen: Frozen = None, obstacles: Obstacles,
    ) -> GoalAnswer: ...  # fmt: skip

    @overload
    def solve(
        self, T: Any, seed: Any = None, method: str | Method | None = None, branch: int | None = None, limits: bool = True,
        valid: Valid | None = None, prefer: str | Score = NEAREST, *, position_tolerance: float | None = None,
        rotation_tolerance: float | None = None, seconds: float | None = None, weights: tuple[float, float] | None = None,
        frozen: Named, obstacles: Obstacles | None = None,
    ) -> GoalAnswer: ...  # fmt: skip

    @overload
    def solve(
        self, T: Any, seed: Any = None, method: str | Method | None = None, branch: int | None = None, limits: bool = True,
        valid: Valid | None = None, prefer: str | Score = NEAREST, *, position_tolerance: float | None = None,
        rotation_tolerance: float | None = None, seconds: float | None = None, weights: tuple[float, float] | None = None,
        frozen: None = None, obstacles: None = None,
    ) -> Answer: ...  # fmt: skip

    def solve(
        self, T: Any, seed: Any = None, method: Any = None, branch: int | None = None, limits: bool = True,
        valid: Valid | None = None, prefer: str | Score = NEAREST, **options: Any,
    ) -> Answer | GoalAnswer:  # fmt: skip
        """Return a verified posture (configuration) whose tip is at T, or the closest known one with the reason.

        T: (4, 4) in the base frame; or one or several goals, or {frame: pose or point}: the answer is then a `GoalAnswer`.
        seed: the posture that the answer should be near, and the start of the first attempt; None means `home`. method: a name
        of `limbik.METHODS`, optionally with settings ("dls:damping=0.05"), or an object of `limbik.methods`; None uses the
        closed form if the chain has one, else "lm", or the table (`with_table`) if `valid` or `prefer` choose among several
        postures. branch: the number of a branch in `branch_names`; only that branch is returned. limits: enforce joint limits.
        valid: a function of q that returns whether a posture is allowed (collisions ...); a refused posture is replaced by the
        next solution. prefer: "nearest" to the seed, "limits" (far from them), "manipulable", or a function of q to maximise
        among the solutions. position_tolerance [m] and rotation_tolerance [rad]: the errors up to which T counts as reached;
        default: 1e-8 m (or 1e-9 of the reach, if that is more) and 1e-8 rad. seconds: the time after which no new attempt
        starts; answers then depend on the machine's speed. weights: (position weight, rotation weight); if T cannot be reached,
        the answer minimises (position weight * position error)^2 + (rotation weight * rotation error)^2; None minimises the
        position error first, then the rotation error. frozen: joints held at the seed's values, by name, or {joint: value}.
        obstacles: Spheres, Capsules and Boxes in the base frame that no link may touch; links may not touch each other either
        (the goal `Clearance` has more options). `answer.unchecked` names the links and pairs that are not checked.

        An unreachable T is an answer, not an error: see `answer.status` and `answer.why`. Raises NotRigid, ShapeError,
        NotFinite or BadOption for invalid arguments.
        """
        plain = type(T) is np.ndarray and not options and limits is True
        if plain and prefer is NEAREST and branch is None and valid is None:
            try:
                bound = self._bound[method]
            except (KeyError, TypeError):  # not yet bound, or not hashable
                bound = self._bind(method)
            return bound(T, seed)  # type: ignore[no-any-return]
        for name in options.keys() - OPTIONS:
            raise TypeError(f"solve() has no option {name!r}; {suggest(name, OPTIONS)}")
        query = make_query(self.model, T, seed, branch=branch, limits=limits, valid=valid, prefer=prefer, **options)
        return solve(self.model, query, method)

    def solve_batch(
        self, Ts: Any, seeds: Any = None, threads: int | None = None, *, method: str | Method | None = None,
        branch: int | None = None, limits: bool = True, valid: Valid | None = None, prefer: str | Score = NEAREST,
        invalid: str = "raise", position_tolerance: float | None = None, rotation_tolerance: float | None = None,
        seconds: float | None = None, weights: tuple[float, float] | None = None,
    ) -> BatchAnswer:  # fmt: skip
        """Return the answers to many targets, (N, 4, 4); row i equals `solve` of that row bit for bit.

        seeds: None (home), one seed for all, or one per row. threads: None for the number of cores. invalid: "raise" raises an
        error that names the first row that is not a rigid pose; "mark" gives such rows the status INVALID. The other options
        are those of `solve`; `valid` and a `prefer` function run in this thread, one posture at a time, and `seconds` limits
        the time of all rows together. Ctrl-C interrupts it.
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
        """Return all verified postures whose tip is at T, as a sequence of answers.

        The closed form is used if the chain has one, else the table (`with_table`), else many attempts. `complete`: whether
        every posture is listed, or lies on a self-motion manifold through a listed one (`families` flags those; for a redundant
        arm, all of them); if not, `why` gives the option to use. Without postures, `status` is OUT_OF_REACH or LIMITS only if
        that is proven. T, seed, limits: as in `solve`. turns: "nearest" lists each posture once, with each joint at the 2-pi
        copy inside its limits nearest the seed; "all" lists every copy.

        Redundant arms have continuous ranges of postures. For an arm with a swivel (`redundancy.kind` "swivel"), swivel is
        None: one posture per branch and feasible range, with the elbow closest to the seed's direction; a number [rad]: the
        branches at that swivel; "limits" or "manipulable": the best posture of each range; or three numbers: the elbow closest
        to that point. directed=False takes a number as the angle of a plane, with the elbow on either side. For an arm with a
        free joint (kind "joint"), swivel is the value of that joint; None lists the postures at the seed's value, then one of
        every other branch and range of sampled values. For a redundant chain without a closed form, the answers are a
        well-spread sample of its postures. The lists of the last two kinds are not complete.

        Raises as `solve` does.
        """
        if turns is NEAREST and limits is True and directed is True:
            if swivel is None:
                return self._bound_all(T, seed)
            bound = self._bound_all_at
            if bound is not None and isinstance(swivel, float) and math.isfinite(swivel):
                return bound(T, seed, swivel)
        return all_postures(self.model, T, seed, limits, turns, swivel, directed=directed)

    @cached_property
    def _bound_all(self) -> Callable[..., Answers]:
        """The bound function of the default `solve_all`."""
        return bind_all(self.model)

    @cached_property
    def _bound_all_at(self) -> Callable[..., Answers] | None:
        """The bound function of `solve_all` at a given swivel; None if the chain has none."""
        return None if self.redundancy is None else self._bound_all

    def solve_all_batch(
        self, Ts: Any, seeds: Any = None, threads: int | None = None, *, limits: bool = True
    ) -> BatchAnswers:
        """Return all postures of many targets, (N, 4, 4).

        With a closed form, row i holds the postures of `solve_all`; `families` come from the equations alone, while
        `solve_all` also uses the Jacobian. Without one, the table is used if the chain has one, else a search from many starts:
        at most 16 postures per row, without further attempts if no start converges, so `solve_all` may list others. seeds and
        threads: as in `solve_batch`. Raises BadOption for a redundant chain.
        """
        return all_postures_batch(self.model, Ts, seeds, threads, limits=limits)

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The name of each branch, by branch number; empty if the chain has no closed form."""
        form = closed_form(self.model)
        return () if form is None else form.branch_names

    @property
    def redundancy(self) -> Redundancy | None:
        """The parameter of the self-motion with a fixed tip; None if the chain is not redundant or has no closed form."""
        return redundancy(self.model)

    def swivel_ranges(self, T: Any, limits: bool = True) -> dict[int, list[tuple[float, float]]]:
        """Return the swivels at which each branch is inside the joint limits: {branch: [(low, high), ...]} [rad].

        The arcs are exact, not sampled; low <= high <= low + 2 pi. Raises BadOption unless `redundancy.kind` is "swivel".
        """
        return (self._postures if limits is True else solver_set(self.model, limits).postures).swivel_ranges(T)

    @cached_property
    def _postures(self) -> PostureSolver:
        return solver_set(self.model).postures

    def swivel(self, q: Any) -> float:
        """Return the swivel of a posture [rad], the angle of its elbow. Raises BadOption if the arm has no swivel."""
        return solver_set(self.model).postures.swivel_of(q)

    def follow(
        self,
        path: Any,
        seed: Any = None,
        rate: float = 100.0,
        *,
        limits: bool = True,
        valid: Valid | None = None,
        jumps: str = "refuse",
        closed: bool = False,
        velocity: Any = None,
        acceleration: Any = None,
        fastest: bool = False,
    ) -> "Followed":
        """Return the joint trajectory that moves the tip along a path, as a clip with at least `rate` frames per second.

        path: a Path, or poses (N, 4, 4), one per frame. The branch, the whole turns and the swivel of a redundant arm are chosen
        for the whole path at once, for the smoothest trajectory inside the limits. seed: the clip starts at the closest
        configuration from which the path can be followed; None leaves the start free. valid: a function of q that returns
        whether a posture is allowed.

        jumps: if no smooth trajectory continues, "refuse" ends the clip there with the reason; "allow" continues from another
        posture, and `clip.jumps` lists the frames after each discontinuity. closed: end in the start posture, if possible.

        velocity: the speed limit of each joint [rad/s or m/s], one number or n; None takes the model's. acceleration: the
        acceleration limit [rad/s^2 or m/s^2]; None sets none; otherwise the motion starts and ends at rest, and stops at
        corners. If the joints cannot keep the path's own time, the clip takes longer; the path stays the same. fastest: minimum
        time within these limits.

        A path that cannot be followed is an answer, not an error: see `clip.ok`, `clip.failed` and `clip.why`. Invalid
        arguments raise as in `solve`.
        """
        from limbik.motion.follow.follow import follow

        return follow(
            self, path, seed, rate, limits=limits, valid=valid, jumps=jumps, closed=closed, velocity=velocity,
            acceleration=acceleration, fastest=fastest,
        )  # fmt: skip

    # ---- attachments -------------------------------------------------------------------------------------------------

    def with_table(self, table: "str | PathLike[str] | Content") -> Self:
        """Return this chain with a table of `limbik table build` or `limbik.build_table`: a file, or its content.

        `solve_all` of a chain without a closed form then looks targets up; `solve` does so with method="table", or if `valid` or
        `prefer` choose among several postures. Raises BadFile for a damaged file or a table of another robot, FileUnreadable.
        """
        from limbik.solvers.table.attached import with_table

        return type(self)(with_table(self.model, table))

    def with_network(self, network: "str | PathLike[str] | Content") -> Self:
        """Return this chain with a network of `limbik train` or `limbik.train`: a file, or its content.

        method="neural" then starts at the seeds of the network. Raises BadFile for a damaged file or a network of another robot,
        FileUnreadable.
        """
        from limbik.solvers.neural.attached import with_network

        return type(self)(with_network(self.model, network))

    @cached_property
    def table(self) -> "AttachedTable":
        """The attached table, with its methods. Raises BadOption if there is none."""
        from limbik.solvers.table.attached import AttachedTable

        return AttachedTable(self.model)

    @cached_property
    def network(self) -> "AttachedNetwork":
        """The attached network, with its methods. Raises BadOption if there is none."""
        from limbik.solvers.neural.attached import AttachedNetwork

        return AttachedNetwork(self.model)

    @cached_property
    def structure(self) -> Structure:
        """Geometric properties: parallel and intersecting axes, spherical wrist, closed form ...; prints as one line."""
        return structure_of(self.model)

    def warm_up(self) -> Self:
        """Build the solvers and the tables of starts now, and return this chain: `arm = lk.load("panda").warm_up()`.

        Otherwise the first difficult or unreachable target waits for them (50 to 110 ms). Chains that differ only in base and
        tool share a table of starts. Further calls do nothing. The answers are the same with and without it. Thread-safe.
        """
        solver_set(self.model).pose.warm_up()
        _ = self._bind(None), self._bound_all, self._bound_all_at, self.model.revolute, countable(self.model)
        if NETWORK in self.model.attachments:
            _ = self.network.starts
        return self

    @cached_property
    def muscles(self) -> "MuscleArm":
        """The muscles over the joints of this chain, in the order of lengths, with their methods.

        Raises BadOption if there are none; the tuple `model.compiled.muscles` is then empty.
        """
        from limbik.muscle.arm import MuscleArm

        return self.model.derived(MuscleArm)

    def with_muscles(self, muscles: Any) -> Self:
        """Return this chain with other muscles: Muscle objects, or a TOML file with [[muscle]] tables; () for none.

        Raises BadModel for an attachment to a link or joint that does not exist, and for an empty range.
        """
        from limbik.muscle.assembly import with_muscles

        return type(self)(with_muscles(self.model.mechanism, muscles), self.base, self.tip)


# Type checkers read the overloads; `help` and notebooks read the signature of the last one.
Chain.solve.__signature__ = inspect.signature(get_overloads(Chain.solve)[-1])  # type: ignore[attr-defined]
