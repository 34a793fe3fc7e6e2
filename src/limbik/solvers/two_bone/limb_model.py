"""A two-bone limb of a robot or figure: its joints, and its targets in the form of the core."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from limbik._core import RELATIVE_TOLERANCE
from limbik.errors import BadModel, BadOption, NotFinite, ShapeError, UnknownFrame, shown, suggest
from limbik.geometry.arrays import Array, frozen, vector
from limbik.model.robots import is_robot
from limbik.solvers.two_bone.answer import LimbAnswer, LimbBatch
from limbik.solvers.two_bone.geometry import PLANAR, Geometry, turned_by
from limbik.solvers.two_bone.joints import LimbJoints
from limbik.solvers.two_bone.limb import ElbowAim, core_rows
from limbik.solvers.two_bone.parts import Finder
from limbik.solvers.two_bone.plane import zero_across

if TYPE_CHECKING:
    from limbik.robot.kinematic import Kinematic

# Random configurations at which the lengths of the bones are compared.
LENGTH_SAMPLES = 8


@dataclass(frozen=True, eq=False)
class Problem:
    """Targets of a limb, and its bones at the seeds."""

    geo: Geometry
    seeds: Array  # (B, n), B = 1 or N
    points: Array  # (N, 3) targets of the lower bone's end
    poses: Array | None  # (N, 4, 4) targets of the end; None for positions alone
    places: Array  # (N, 3) target positions of the end
    limits: bool

    def row(self, k: int) -> tuple[Geometry, Array]:
        """Return the bones and the seed of one row."""
        if len(self.seeds) == 1:
            return self.geo, self.seeds[0]
        one = {name: part[k : k + 1] for name, part in vars(self.geo).items()}
        return Geometry(**one), self.seeds[k]


@dataclass(frozen=True, eq=False)
class LimbModel:
    """Joints of a robot or figure that move two bones.

    end: the frame at the end. named: the links of the upper and lower bone that the caller gave; None for those found.
    """

    robot: "Kinematic"
    end: str
    named: tuple[str | None, str | None]
    joints: LimbJoints

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """The indices in q of the joints that the limb moves."""
        return self.joints.own

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the values of q that the limb moves."""
        return tuple(self.robot.joint_names[k] for k in self.places)

    @property
    def turns_hand(self) -> bool:
        """Whether the wrist can make every rotation, so that targets may be poses."""
        return self.joints.wrist is not None

    @cached_property
    def rest_bones(self) -> Geometry:
        """The bones with every joint at zero."""
        return self.joints.geometry(np.zeros((1, self.robot.n)), self.turns_hand)

    @property
    def upper(self) -> float:
        """The length of the upper bone [m]."""
        return float(self.rest_bones.a[0])

    @property
    def lower(self) -> float:
        """The length of the lower bone, to the wrist [m]."""
        return float(self.rest_bones.b[0])

    @cached_property
    def zeros(self) -> tuple[Array, Array]:
        """The elbow's direction at swivel 0 in the frame of the root's first joint; and a second for lines parallel to it."""
        redundancy = getattr(self.robot, "redundancy", None)
        if redundancy is not None and redundancy.kind == "swivel" and len(self.joints.parts.path) == self.robot.n:
            return np.array([0.0, 0.0, -1.0]), np.array([-1.0, 0.0, 0.0])
        geo, joints = self.rest_bones, self.joints
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
        """(3,) the direction of the elbow at swivel 0 in the base frame, with all joints above the limb at home."""
        geo = self.joints.geometry(self.robot.home[None], False)
        return frozen(turned_by(geo.base[0, :3, :3], self.zeros[0]))

    @property
    def key(self) -> tuple[Any, ...]:
        """The key of comparison and hashing."""
        axis = self.joints.bend_axis
        return self.robot, self.end, self.named, None if axis is None else axis.tobytes()

    # ---- targets ---------------------------------------------------------------------------------------------------

    def postures(self, q: Any) -> tuple[Array, tuple[int, ...]]:
        """Return checked configurations as rows, (..., n) -> (k, n), and their leading shape, (...)."""
        Q = self.robot.model.kernel.checked(q)
        return Q.reshape(-1, self.robot.n), Q.shape[:-1]

    def zero_at(self, geo: Geometry, line: Array) -> Array:
        """Return the directions of the elbow at swivel 0, perpendicular to the lines from root to end, (k, 3)."""
        zero, other = (turned_by(geo.base[..., :3, :3], z) for z in self.zeros)
        return zero_across(line, zero, other)

    def problem(self, targets: Array, seed: Any, previous: Any, limits: bool) -> Problem:
        """Return the problem of targets, points (N, 3) or poses (N, 4, 4). Raises ShapeError, BadOption."""
        if seed is None and isinstance(previous, LimbAnswer | LimbBatch):
            seed = previous.q
        seeds, shape = self.postures(self.robot.home if seed is None else seed)
        if shape not in ((), (len(targets),)):
            raise ShapeError(f"{len(targets)} targets take one seed or as many; got shape {(*shape, self.robot.n)}")
        if limits:
            seeds = self.joints.clamped(seeds)
        whole = targets.ndim == 3
        if whole and not self.turns_hand:
            raise BadOption(
                f"the wrist of this limb cannot orient '{self.end}' freely, so a pose cannot be a target; give a point (3,)"
            )
        geo = self.joints.geometry(seeds, whole)
        if not whole:
            return Problem(geo, seeds, targets, None, targets, limits)
        points = turned_by(targets[:, :3, :3], geo.wrist_in_end) + targets[:, :3, 3]
        return Problem(geo, seeds, points, targets, targets[:, :3, 3], limits)

    def rows(self, problem: Problem, aim: ElbowAim, earlier: Any, soft: Any, stretch: Any, threads: int) -> Array:
        """Return the core's rows for the targets of a problem, (N, 16)."""
        geo = problem.geo
        least, most = geo.distances(*self.joints.elbow_range(problem.limits))
        lengths = np.stack([geo.a, geo.b, least, most], -1)
        zero, other = (turned_by(geo.base[..., :3, :3], z) for z in self.zeros)
        single = len(problem.seeds) == 1
        if aim.swivel is not None:
            aim = ElbowAim(zero[0] if single else zero, aim.swivel, False)
        pick = (lambda part: part[0]) if single else np.ascontiguousarray
        return core_rows(
            pick(geo.root),
            np.ascontiguousarray(problem.points),
            pick(lengths),
            aim,
            earlier,
            other[0],
            soft,
            stretch,
            threads,
        )

    def keeps_lengths(self, whole: bool) -> bool:
        """Return whether no joint beyond the root changes the lengths of the bones, so that the elbow alone decides the reach.

        whole: the lower bone ends at the wrist, as for poses; else at the end, which a joint of the wrist may move.
        """
        return self._keeps_lengths[whole]

    @cached_property
    def _keeps_lengths(self) -> tuple[bool, bool]:
        # The lengths are analytic functions of the joint values: equal at random configurations, they are constant.
        q = np.random.default_rng(0).uniform(-3.0, 3.0, (LENGTH_SAMPLES, self.robot.n))

        def constant(whole: bool) -> bool:
            geo = self.joints.geometry(q, whole)
            return max(float(np.ptp(geo.a)), float(np.ptp(geo.b))) <= RELATIVE_TOLERANCE * self.robot.reach

        return constant(False), not self.turns_hand or constant(True)


def limb_model(robot: "Kinematic", end: str, upper: str | None, lower: str | None, bend_axis: Any) -> LimbModel:
    """Find the limb that ends at a frame. Raises BadOption, UnknownFrame, and BadModel if there is no such limb."""
    if not is_robot(robot):
        raise BadOption(f"a limb belongs to a Chain or Skeleton, not {shown(robot)}; make one by limbik.load")
    if end is None:  # elsewhere None means the tip of a chain
        raise UnknownFrame(f"no frame {shown(end)} in '{robot.name}'; {suggest(str(end), robot.frames)}")
    for name in (end, upper, lower):
        if name is not None:
            robot.model.frame_index(name)
    axis = None if bend_axis is None else _unit_axis(bend_axis)
    parts = Finder(robot.model.compiled, end, upper, lower).find()
    model = LimbModel(
        robot, end, (upper, lower), LimbJoints(robot.model.compiled, robot.model.ranges, parts, end, axis)
    )
    _check_bends(model)
    return model


def _check_bends(model: LimbModel) -> None:
    """Raise BadModel if the elbow's hinge rotates a bone about its own axis, in two postures."""
    joints, robot = model.joints, model.robot
    if joints.ball_elbow is not None:
        return
    some = np.stack([np.zeros(robot.n), np.linspace(0.3, 0.7, robot.n)])
    geo = joints.geometry(some, model.turns_hand)
    if (geo.height <= PLANAR * (geo.a + geo.b) ** 2).all():
        name = robot.model.compiled.elements[joints.parts.elbow].joint.name
        raise BadModel(
            f"the limb of '{robot.name}' to '{model.end}' would have '{name}' as its elbow, which rotates a bone about "
            f"its own axis and does not bend the limb; name other links by upper= and lower=, or leave them out"
        )


def _unit_axis(given: Any) -> Array:
    axis = vector(given, "the bend axis")
    size = float(np.linalg.norm(axis))
    if not 0 < size < math.inf:
        raise NotFinite(f"the bend axis is {axis.tolist()}, which has no direction")
    return frozen(axis / size)
