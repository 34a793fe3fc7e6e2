"""A skeleton: a kinematic tree with several tips, such as a figure, a hand or a two-armed robot."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.swing_and_twist import SwingTwist, swing_twist, unit
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen, Goals, likely_tip
from limbik.model.balls import Cone, bone, with_balls
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.proportions import with_proportions
from limbik.model.segments import segment_joints
from limbik.robot.chain import Chain
from limbik.robot.kinematic import Kinematic, check_mechanism
from limbik.robot.kinematic_chain import check_ends
from limbik.solvers.goal_answer import GoalAnswer
from limbik.solvers.method import Method
from limbik.solvers.preference import NEAREST, Score, Valid
from limbik.solvers.query import make_query
from limbik.solvers.solve import solve

if TYPE_CHECKING:
    from limbik.motion.follow.followed import Followed
    from limbik.robot.jointed_limb import JointedLimb


class Skeleton(Kinematic):
    """A kinematic tree with several tips. `chain(tip)` returns the chain to one of them."""

    def __init__(self, mechanism: Mechanism, base: str | None = None) -> None:
        check_mechanism(mechanism)
        start = mechanism.root if base is None else mechanism.check_link(base)
        super().__init__(Model.tree(mechanism, start))

    @classmethod
    def load(
        cls, source: Any, base: str | None = None, unit: Any = None, *, arguments: Mapping[str, str] | None = None,
        snap: bool = False, zero_limits: str | None = None,
    ) -> Self:  # fmt: skip
        """Return the figure that `source` describes, as `limbik.load` does; always a Skeleton, even with a single tip."""
        from limbik.robot.load import load_mechanism

        return cls(load_mechanism(source, unit, arguments=arguments, snap=snap, zero_limits=zero_limits), base)

    @property
    def tips(self) -> tuple[str, ...]:
        """The end frames."""
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
        """Return a verified posture (configuration) that meets the goals, or the best compromise with the error of each goal.

        goals: {frame: pose (4, 4), point (3,) or goal}, one goal, or several. seed: the start of the first attempt; None means
        `home`. limits: enforce joint limits. valid: a function of q that returns whether a posture is allowed; a refused posture
        is replaced by the next solution. prefer: "nearest" takes the first solution, "limits" the one farthest from the limits
        among several, a function of q the one with its largest value. frozen: joints held at the seed's values, by name, or
        {joint: value}. obstacles: Spheres, Capsules and Boxes in the base frame that no link may touch; links may not touch each
        other either; `answer.unchecked` names links that are not checked. seconds: the time after which no new attempt starts.
        method: "lm", or "mmc" to start at the equilibrium of a relaxation network.
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
    ) -> "Followed":
        """Return the joint trajectory that moves frames along their paths, {frame: Path}.

        The clip has at least `rate` frames per second, the last one at the end of the longest path. Each frame is solved from
        the previous posture, so unconstrained joints stay still. A path that has ended
        holds its last pose. The clip ends, with the reason, if the goals cannot be met together or only by a jump: a long step
        counts as a jump only if it stays long for arbitrarily short time steps. seed, limits, frozen: as in `solve`.
        """
        from limbik.motion.follow.character import follow_paths

        return follow_paths(self, paths, seed, rate, limits=limits, frozen=frozen)

    if not TYPE_CHECKING:  # for users only: type checkers must still report missing attributes

        def __getattr__(self, name: str) -> Any:
            """Raise an error that says how to get a chain, for attributes that only chains have."""
            if name.startswith("_") or not hasattr(Chain, name):
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            tip = likely_tip(self.model)
            raise AttributeError(
                f"'{name}' needs a Chain, and '{self.name}' is a Skeleton; name the tip of a chain: load(..., tip={tip!r}), or "
                f".chain({tip!r}).{name}"
            )

    def chain(self, tip: str, base: str | None = None) -> Chain:
        """Return the chain to a frame, from the skeleton's base or another frame.

        Raises UnknownFrame, and BadOption if both are the same.
        """
        start = self.base if base is None else base
        check_ends(self.model.mechanism, start, tip)
        return Chain(self.model.mechanism, start, tip)

    def forward(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the pose of a frame, (..., n) -> (..., 4, 4). Raises as `Chain.forward`."""
        return self.model.kernel.forward(q, self._named(frame), threads)

    def jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the geometric Jacobian of a frame, (..., 6, n), linear rows first, in the base frame."""
        return self.model.kernel.jacobian(q, self._named(frame), threads)

    def forward_jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> tuple[Array, Array]:
        """Return `forward` and `jacobian`, computed in one pass: shapes (..., 4, 4) and (..., 6, n)."""
        return self.model.kernel.forward_jacobian(q, self._named(frame), threads)

    def _named(self, frame: str | None) -> int:
        if frame is None:
            raise BadOption(
                f"'{self.name}' has several tips; name a frame, for example frame='{likely_tip(self.model)}'"
            )
        return self.model.frame_index(frame)

    def limb(
        self, end: str, upper: str | None = None, lower: str | None = None, *, bend_axis: Any = None
    ) -> "JointedLimb":
        """Return the two-bone limb that ends at a frame, with pole, swivel and matching. Raises as JointedLimb."""
        from limbik.robot.jointed_limb import JointedLimb

        return JointedLimb(self, end, upper, lower, bend_axis=bend_axis)

    def scaled(self, factor: float) -> Self:
        """Return this skeleton with every length multiplied by a factor."""
        return type(self)(self.model.mechanism.scaled(factor), self.base)

    def with_proportions(self, factors: Mapping[str, Any], *, grounded: bool | None = None) -> Self:
        """Return this skeleton with scaled segments: {frame: factor}, one number or three along its axes.

        Segments further out move along; masses stay the same. grounded: keep the figure on the ground; None does so if no frame
        is below it in the zero posture. Raises BadOption, UnknownFrame.
        """
        return type(self)(with_proportions(self.model.mechanism, factors, grounded=grounded), self.base)

    def with_balls(self, cones: Mapping[str, Cone] | None = None) -> Self:
        """Return this skeleton with a ball for every three hinges with a common centre, or for the named frames: {frame: Cone}.

        Its q differs from this one's; `match` converts it. Raises BadOption, UnknownFrame.
        """
        return type(self)(with_balls(self.model.mechanism, cones), self.base)

    def match(self, other: "Skeleton", q: Any) -> Array:
        """Return the posture (n,) with the same frame orientations as another skeleton at its q, by frame names.

        Values of common joints are copied; balls take the orientations of the other's frames. Limits are ignored. Raises
        BadOption for a joint that is neither.
        """
        from limbik.posing.matching import matched

        return matched(self, other, q)

    def swing_twist(self, q: Any, frame: str, axis: Any = None) -> SwingTwist:
        """Return the swing and the twist of a segment relative to q = 0.

        In the frame of the parent segment, whatever joints are between them. axis: the segment's axis in its own frame; None
        takes the direction to the next joint, or to the centre of mass. Raises UnknownFrame, BadOption.
        """
        joints = segment_joints(self.model.mechanism, self.frames[self.model.frame_index(frame)])
        if not joints:
            raise BadOption(f"no joint rotates '{frame}' in '{self.name}'")
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
