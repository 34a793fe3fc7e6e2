"""What a chain and a skeleton share: q, its limits, forward kinematics, Jacobians, motion along velocities."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from limbik._core import Kernel
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen
from limbik.goals.shapes import Distance, clearance, shape_notes, unchecked_of, with_shapes
from limbik.model.masses import centre_of_mass
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.shape import Shape
from limbik.motion.track import Step, track
from limbik.solvers.registry import METHODS
from limbik.solvers.solve import bind

if TYPE_CHECKING:
    from limbik.robot.jointed_limb import JointedLimb


def check_mechanism(given: object) -> Mechanism:
    """Return a mechanism, or raise BadOption that says how to get one."""
    if not isinstance(given, Mechanism):
        raise BadOption(f"a Mechanism is needed, not {shown(given)}; limbik.load takes names, files and texts")
    return given


class Kinematic(ABC):
    """A mechanism with its verbs. Immutable; safe to share between threads, to pickle and to compare.

    q is flat, shape (..., n): a revolute joint takes its angle [rad], a prismatic one its travel [m], a ball a rotation
    vector (3), a floating joint a position and a rotation vector (3 + 3).
    """

    model: Model
    _kernel: Kernel
    _bound: dict[Any, Any]

    def __init__(self, model: Model) -> None:
        # Not by vars(self): attributes of a dict that was asked for are slower to read, and every call reads them.
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_kernel", model.kernel)
        object.__setattr__(self, "_bound", {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change: '{name}' cannot be set; make a changed copy")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change: '{name}' cannot be deleted")

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The links and joints, as data."""
        return self.model.mechanism

    @property
    def name(self) -> str:
        """The mechanism's name."""
        return self.model.mechanism.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of the file found and how it was settled, one sentence each; then what is not known of the shapes."""
        return (*self.model.mechanism.notes, *shape_notes(self.model))

    @property
    def n(self) -> int:
        """How many numbers q has."""
        return self.model.compiled.n

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The name of each number of q; a ball's three are name.rx, name.ry, name.rz."""
        return self.model.joint_names

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames that `forward` and `jacobian` know: every link that moves with the joints of q, and the base."""
        return self.model.frames

    @property
    def shapes(self) -> tuple[tuple[str, Shape], ...]:
        """The room that the links take up: (frame, shape in that frame) for every shape on one of `frames`."""
        return self.model.shapes

    @property
    def base(self) -> str:
        """The frame that poses are seen from."""
        return self.model.compiled.base

    @property
    def lower(self) -> Array:
        """(n,) the least value of each number of q; -inf where there is none."""
        return self.model.ranges.lower

    @property
    def upper(self) -> Array:
        """(n,) the greatest value of each number of q; inf where there is none."""
        return self.model.ranges.upper

    @property
    def velocity(self) -> Array:
        """(n,) the greatest speed of each number of q [rad/s or m/s]; inf where none is known."""
        return self.model.ranges.velocity

    @property
    def home(self) -> Array:
        """(n,) the middle of each range, 0 where unlimited."""
        return self.model.ranges.home

    @property
    def fingerprint(self) -> str:
        """A digest of the kinematics: equal for equal geometry, limits, shapes and names, whatever file they came from."""
        return self.model.compiled.fingerprint

    # ---- what it does ------------------------------------------------------------------------------------------------

    def forward_all(self, q: Any, *, threads: int = 0) -> Array:
        """Return the pose of every frame, (..., n) -> (..., len(frames), 4, 4), in the order of `frames`."""
        return self._kernel.forward_all(q, threads)

    def integrate(self, q: Any, dq: Any) -> Array:
        """Return q moved along the velocity dq for unit time, (..., n).

        Joints with one axis add up; a ball turns by its angular velocity in the moved frame, a floating joint also
        shifts in its parent's frame.
        """
        return self._kernel.integrate(q, dq)

    def difference(self, q0: Any, q1: Any) -> Array:
        """Return the velocity that leads from q0 to q1 in unit time, (..., n); the short way for continuous joints."""
        return self._kernel.difference(q0, q1)

    def within_limits(self, q: Any) -> Any:
        """Return whether q keeps every limit, shape (...): boxes, and cones of balls."""
        inside = self.model.ranges.within(self._kernel.checked(q))
        return bool(inside) if inside.ndim == 0 else inside

    def clamp(self, q: Any) -> Array:
        """Return q moved to the nearest values inside the limits, joint by joint."""
        return self.model.ranges.clamp(self._kernel.checked(q))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> Array:
        """Return random postures inside the limits, shape size + (n,).

        Uniform in each range; unlimited joints in (-pi, pi], unlimited slides within +-reach.
        """
        return self.model.ranges.sample(rng, size, max(self.reach, np.finfo(float).tiny))

    def limb(
        self, end: str, upper: str | None = None, lower: str | None = None, *, bend_axis: Any = None
    ) -> "JointedLimb":
        """Return the limb of two bones that ends at a frame, with its pole, swivel and matching. Raises as JointedLimb does."""
        from limbik.robot.jointed_limb import JointedLimb

        return JointedLimb(self, end, upper, lower, bend_axis=bend_axis)

    @property
    def reach(self) -> float:
        """A distance from the base's origin that no tip exceeds [m]; unlimited prismatic joints count as 0."""
        return self.model.from_base

    def track(
        self,
        q: Any,
        target: Any,
        dt: float,
        *,
        speed: Any = None,
        limits: bool = True,
        frozen: Frozen = None,
        obstacles: Obstacles | None = None,
    ) -> Step:
        """Return one bounded step from q towards a target that may move: what a teleoperation or a control loop calls.

        target: a pose of the tip, (4, 4), or goals, one or several, or {frame: pose or point}. dt: the time of the step [s].
        speed: the greatest speed of each joint [rad/s or m/s], one number or n; None takes `velocity`, the model's own, which is
        infinite where none is known. limits: keep joint limits; a joint outside comes back no faster than it may. frozen: joints
        that do not move, by name. obstacles: Spheres, Capsules and Boxes to keep off, as far as the target allows;
        `step.unchecked` names the links that are not seen. Wishes (a Posture ...) move what the other goals leave free.

        A step takes a bounded time, never jumps and is never an error: a target out of reach is followed as near as it gets.
        """
        return track(self.model, q, target, dt, speed=speed, limits=limits, frozen=frozen, obstacles=obstacles)

    # ---- collisions and masses ---------------------------------------------------------------------------------------

    @property
    def unchecked_links(self) -> tuple[str, ...]:
        """The links that answers about obstacles do not speak of.

        Their collision geometry, or part of it, is not there or was not read (a mesh ...), or joints outside this chain move
        them. `with_shapes` gives them shapes.
        """
        return unchecked_of(self.model).links

    @property
    def unchecked_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of links that are not kept from each other because they touch in the home posture.

        Links that a joint connects are not listed: they are never looked at.
        """
        return unchecked_of(self.model).pairs

    def with_shapes(self, shapes: Mapping[str, Any]) -> Self:
        """Return a copy in which links have other shapes: {link: one Sphere, Capsule or Box, or several, in the link's frame}.

        They stand in the place of the link's own and of what was not read of it. Raises BadOption, UnknownFrame.
        """
        return self._with_mechanism(with_shapes(self.model.mechanism, shapes))

    def clearance(self, q: Any, obstacles: Obstacles = ()) -> Distance:
        """Return the least distance of any link from any obstacle [m]; negative inside one, infinite where there are none.

        `.unchecked` names the links that it leaves out because their collision geometry was not read, and those that do not move
        and stand in an obstacle. Raises BadOption where no link has a shape.
        """
        return clearance(self.model, q, obstacles)

    def centre_of_mass(self, q: Any) -> Array:
        """Return the centre of all masses in the base frame [m], (n,) -> (3,). Raises BadOption where the model has none."""
        return centre_of_mass(self.model, q)

    @abstractmethod
    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        """Return the same chain or skeleton of another mechanism."""

    def _bind(self, method: Any) -> Callable[[Any, Any], Any]:
        """Return the function that answers ordinary queries by a method; it is kept for names."""
        bound = bind(self.model, method)
        if method is None or (isinstance(method, str) and method in METHODS):  # not every text of settings
            self._bound[method] = bound
        return bound

    # ---- what objects do ---------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Kinematic)
        return self.name == other.name and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def __str__(self) -> str:
        from limbik.robot.table import joint_table

        return joint_table(self)
