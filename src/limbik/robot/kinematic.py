"""The base class of chain and skeleton: joint values, limits, tracking, equality and pickling."""

from collections.abc import Callable
from typing import Any

import numpy as np

from limbik._core import Kernel
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.goals.clearance import Obstacles
from limbik.goals.given import Frozen
from limbik.goals.shapes import shape_notes
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.motion.track import Step, track
from limbik.solvers.registry import METHODS
from limbik.solvers.solve import bind


def check_mechanism(given: object) -> Mechanism:
    """Return the mechanism. Raises BadOption for any other type."""
    if not isinstance(given, Mechanism):
        raise BadOption(f"expected a Mechanism, not {shown(given)}; limbik.load takes names, files and texts")
    return given


class Kinematic:
    """A mechanism with its methods. Immutable, thread-safe, picklable and comparable.

    q is flat, shape (..., n): an angle [rad] for a revolute joint, a displacement [m] for a prismatic one, a rotation
    vector (3) for a ball, a position and a rotation vector (3 + 3) for a floating joint.
    """

    model: Model
    _kernel: Kernel
    _bound: dict[Any, Any]

    def __init__(self, model: Model) -> None:
        # Not by vars(self): attributes of a materialised dict are slower to read, and every call reads them.
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_kernel", model.kernel)
        object.__setattr__(self, "_bound", {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: '{name}' cannot be set; make a changed copy")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: '{name}' cannot be deleted")

    # ---- properties --------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The mechanism's name."""
        return self.model.mechanism.name

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions made while reading the file, one sentence each; then the links without a known shape."""
        return (*self.model.mechanism.notes, *shape_notes(self.model))

    @property
    def n(self) -> int:
        """The number of joint values."""
        return self.model.compiled.n

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The name of each joint value; the three of a ball are name.rx, name.ry, name.rz."""
        return self.model.joint_names

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames for `forward` and `jacobian`: every link that the joints of q move, and the base."""
        return self.model.frames

    @property
    def base(self) -> str:
        """The reference frame of poses."""
        return self.model.compiled.base

    @property
    def lower(self) -> Array:
        """(n,) the lower limits; -inf for none."""
        return self.model.ranges.lower

    @property
    def upper(self) -> Array:
        """(n,) the upper limits; inf for none."""
        return self.model.ranges.upper

    @property
    def velocity(self) -> Array:
        """(n,) the speed limits [rad/s or m/s]; inf if unknown."""
        return self.model.ranges.velocity

    @property
    def home(self) -> Array:
        """(n,) the middle of each range; 0 for an unlimited joint."""
        return self.model.ranges.home

    @property
    def fingerprint(self) -> str:
        """A digest of geometry, limits, shapes and names, independent of the file format."""
        return self.model.compiled.fingerprint

    # ---- methods -----------------------------------------------------------------------------------------------------

    def within_limits(self, q: Any) -> Any:
        """Return whether q is inside every limit, shape (...): ranges, and cones of balls."""
        inside = self.model.ranges.within(self._kernel.checked(q))
        return bool(inside) if inside.ndim == 0 else inside

    def clamp(self, q: Any) -> Array:
        """Return q clamped to the limits, joint by joint."""
        return self.model.ranges.clamp(self._kernel.checked(q))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> Array:
        """Return random configurations inside the limits, shape size + (n,).

        Uniform in each range; unlimited revolute joints in (-pi, pi], unlimited prismatic joints within +-reach.
        """
        return self.model.sample(rng, size)

    @property
    def reach(self) -> float:
        """An upper bound on the distance of any tip from the base's origin [m]; unlimited prismatic joints count as 0."""
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
        """Return one bounded step from q towards a moving target, for teleoperation and control loops.

        target: a pose of the tip, (4, 4), or one or several goals, or {frame: pose or point}. dt: the duration of the step [s].
        speed: the speed limit of each joint [rad/s or m/s], one number or n; None takes `velocity` of the model, which is
        infinite if unknown. limits: enforce joint limits; a joint outside returns within its speed limit. frozen: joints
        that do not move, by name. obstacles: Spheres, Capsules and Boxes to avoid as far as the target allows;
        `step.unchecked` names the links that are not checked. Secondary objectives (a Posture ...) use the remaining freedom.

        A step takes a bounded time, never jumps and is never an error: an unreachable target is approached as far as possible.
        """
        return track(self.model, q, target, dt, speed=speed, limits=limits, frozen=frozen, obstacles=obstacles)

    def _bind(self, method: Any) -> Callable[[Any, Any], Any]:
        """Return the bound function of a method for queries without options; it is cached for names."""
        bound = bind(self.model, method)
        if method is None or (isinstance(method, str) and method in METHODS):  # but not texts with settings
            self._bound[method] = bound
        return bound

    # ---- object protocol ---------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Kinematic)
        return self.name == other.name and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def __str__(self) -> str:
        from limbik.robot.joint_table import joint_table

        return joint_table(self)
