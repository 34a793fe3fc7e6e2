"""A skeleton: a tree of joints with several tips. What a figure, a hand or a two-armed robot is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.swing_twist import SwingTwist, swing_twist, unit
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen, Goals, likely_tip
from limbik.model.balls import Cone, bone, with_balls
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.proportions import with_proportions
from limbik.model.segments import segment_joints
from limbik.robot.chain import Chain, check_ends
from limbik.robot.figure_following import follow_paths
from limbik.robot.kinematic import Kinematic, check_mechanism
from limbik.robot.matching import matched
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.method import Method
from limbik.solvers.preference import NEAREST, Score, Valid
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve

if TYPE_CHECKING:
    from limbik.robot.followed import FollowedClip


class Skeleton(Kinematic):
    """A mechanism with several tips, and its verbs. `chain(tip)` gives the arm that ends there."""

    def __init__(self, mechanism: Mechanism, base: str | None = None) -> None:
        check_mechanism(mechanism)
        start = mechanism.root if base is None else mechanism.check_link(base)
        super().__init__(Model.tree(mechanism, start))

    @classmethod
    def load(
        cls,
        source: Any,
        base: str | None = None,
        unit: Any = None,
        *,
        arguments: Mapping[str, str] | None = None,
        snap: bool = False,
        zero_limits: str | None = None,
    ) -> Self:
        """Return the figure that `source` describes, as `limbik.load` does; one with a single end is a Skeleton too."""
        from limbik.robot.load import load_mechanism

        return cls(load_mechanism(source, unit, arguments=arguments, snap=snap, zero_limits=zero_limits), base)

    @property
    def tips(self) -> tuple[str, ...]:
        """The frames at the ends."""
        return self.model.tips

    def solve(
        self,
        goals: Goals,
        seed: Any = None,
        limits: bool = True,
        valid: Valid | None = None,
        prefer: str | Score = NEAREST,
        *,
        method: str | Method | None = None,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
        seconds: float | None = None,
    ) -> GoalAnswer:
        """Return a posture that meets the goals, verified, or the best compromise with what each goal misses.

        goals: {frame: pose (4, 4), point (3,) or goal}, one goal, or several. seed: where the first attempt starts; None means
        `home`. limits: keep joint limits. valid: a function of q that says whether a posture may be used; the next one is asked
        when it refuses. prefer: "nearest" takes the first found, "limits" the one farthest from them among several, a function of
        q the one with its greatest value. frozen: joints that stay where the seed has them, by name, or {joint: value}.
        obstacles: Spheres, Capsules and Boxes in the base frame that no link may touch, nor links each other;
        `answer.unchecked` names links that this does not hold for. seconds: the time after which no further attempt is begun.
        method: "lm", or "mmc" to start where a relaxation of points comes to rest.
        """
        filtered = valid is not None or prefer is not NEAREST or seconds is not None
        if limits is True and frozen is None and obstacles is None and not filtered and isinstance(method, str | None):
            bound = self._bound.get(method) or self._bind(method)
            return bound(goals, seed)  # type: ignore[no-any-return]
        query = make_query(
            self.model, goals, seed, limits=limits, valid=valid, prefer=prefer, frozen=frozen, obstacles=obstacles,
            seconds=seconds,
        )  # fmt: skip
        answer = solve(self.model, query, method)
        assert isinstance(answer, GoalAnswer)
        return answer

    def follow(
        self,
        paths: Mapping[str, Any],
        seed: Any = None,
        rate: float = 30.0,
        *,
        limits: bool = True,
        frozen: Frozen = None,
    ) -> "FollowedClip":
        """Return the motion that leads frames along their paths, {frame: Path}, a clip with `rate` frames a second.

        Each frame of the clip starts from the posture before, so what is not asked for stays where it is. A path that is over
        holds its end. The clip ends where the goals cannot be met together, or only by a jump, and says why: a long step is a
        jump only where it stays long however short the time is. seed, limits and frozen: as in `solve`.
        """
        return follow_paths(self, paths, seed, rate, limits=limits, frozen=frozen)

    if not TYPE_CHECKING:  # for people: a type checker is to go on seeing what is missing

        def __getattr__(self, name: str) -> Any:
            """Say of what only an arm has how to come by one."""
            if name.startswith("_") or not hasattr(Chain, name):
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            tip = likely_tip(self.model)
            raise AttributeError(
                f"'{name}' is for one arm, and '{self.name}' is a Skeleton; name the tip of one: load(..., tip={tip!r}), or "
                f".chain({tip!r}).{name}"
            )

    def chain(self, tip: str, base: str | None = None) -> Chain:
        """Return the chain that ends at a frame, from the skeleton's base or another frame.

        Raises UnknownFrame, or BadOption where both are the same.
        """
        start = self.base if base is None else base
        check_ends(self.model.mechanism, start, tip)
        return Chain(self.model.mechanism, start, tip)

    def forward(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the pose of a frame, (..., n) -> (..., 4, 4). Raises as `Chain.forward` does."""
        return self.model.kernel.forward(q, self._named(frame), threads)

    def jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the velocity of a frame per joint velocity, (..., 6, n), linear rows first, in the base frame."""
        return self.model.kernel.jacobian(q, self._named(frame), threads)

    def forward_jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> tuple[Array, Array]:
        """Return `forward` and `jacobian` from one pass: shapes (..., 4, 4) and (..., 6, n)."""
        return self.model.kernel.forward_jacobian(q, self._named(frame), threads)

    def _named(self, frame: str | None) -> int:
        if frame is None:
            raise BadOption(
                f"'{self.name}' has several tips; name a frame, for example frame='{likely_tip(self.model)}'"
            )
        return self.model.frame_index(frame)

    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        return type(self)(mechanism, self.base)

    def scaled(self, factor: float) -> Self:
        """Return this skeleton with every length multiplied."""
        return type(self)(self.model.mechanism.scaled(factor), self.base)

    def with_proportions(self, factors: Mapping[str, Any], *, grounded: bool | None = None) -> Self:
        """Return this skeleton with some segments larger or smaller: {frame: factor}, one number or three along its axes.

        What a frame carries moves along; masses stay. grounded: go on standing on the ground; None does so where no frame lies
        below it in the zero posture. Raises BadOption, UnknownFrame.
        """
        return type(self)(with_proportions(self.model.mechanism, factors, grounded=grounded), self.base)

    def with_balls(self, cones: Mapping[str, Cone] | None = None) -> Self:
        """Return this skeleton with a ball for every three hinges in one place, or for those of the named frames: {frame: Cone}.

        Its q is another one, which `match` gives. Raises BadOption, UnknownFrame.
        """
        return type(self)(with_balls(self.model.mechanism, cones), self.base)

    def match(self, other: "Skeleton", q: Any) -> Array:
        """Return the posture in which this skeleton's frames are turned as another's of the same names are at its q, (n,).

        Joints that both have are taken over; balls are turned as the other's frames are. Limits are not asked. Raises BadOption
        for a joint that is neither.
        """
        return matched(self, other, q)

    def swing_twist(self, q: Any, frame: str, axis: Any = None) -> SwingTwist:
        """Return how far a segment is tilted from where it lies at q = 0, and turned about itself.

        Seen from the segment before it, whatever joints are between them. axis: of the segment in its frame; None takes the way
        to the joint that it carries, or to its centre of mass. Raises UnknownFrame, BadOption.
        """
        joints = segment_joints(self.model.mechanism, self.frames[self.model.frame_index(frame)])
        if not joints:
            raise BadOption(f"no joint turns '{frame}' in '{self.name}'")
        along = unit(bone(self.model.mechanism, frame) if axis is None else axis)
        now, zero = (
            self.forward(x, joints[0].parent)[:3, :3].T @ self.forward(x, frame)[:3, :3]
            for x in (self.model.kernel.checked(q), np.zeros(self.n))
        )
        return swing_twist(zero.T @ now, along)

    def __reduce__(self) -> tuple[type[Self], tuple[Mechanism, str]]:
        return type(self), (self.model.mechanism, self.base)

    def __repr__(self) -> str:
        return f"<Skeleton '{self.name}': {self.n} joint values, tips {', '.join(self.tips[:6])}>"
