"""What a chain and a skeleton share: q, its limits, forward kinematics, Jacobians, motion along velocities."""

from abc import ABC
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik._core import Kernel
from limbik.errors import BadOption, UnknownFrame, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.shape import Shape

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

    def __init__(self, model: Model) -> None:
        # Not by vars(self): attributes of a dict that was asked for are slower to read, and every call reads them.
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_kernel", model.kernel)

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
        """What the reader of the file found and how it was settled, one sentence each."""
        return self.model.mechanism.notes

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

    def _number(self, frame: str) -> int:
        number = self.model.compiled.frame_numbers.get(frame) if isinstance(frame, str) else None
        if number is None:
            raise UnknownFrame(f"no frame {shown(frame)} in '{self.name}'; {suggest(frame, self.frames)}")
        return number

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
