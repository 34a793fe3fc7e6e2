"""The kinematics of a chain: construction from DH rows, screws or a mechanism, forward kinematics, changed copies."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, ShapeError, UnknownJoint, shown, suggest
from limbik.geometry.arrays import Array, number, numbers
from limbik.geometry.se3 import as_pose, inverse
from limbik.model.ends import ends_of
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.robot.kinematic import Kinematic, check_mechanism


class KinematicChain(Kinematic):
    """The kinematics of a serial chain from `base` to `tip` of a mechanism. `Chain` adds the solvers."""

    def __init__(self, mechanism: Mechanism | Model, base: str | None = None, tip: str | None = None) -> None:
        if isinstance(mechanism, Model) and base is None and tip is None and not mechanism.is_tree:
            super().__init__(mechanism)
            return
        mechanism = check_mechanism(mechanism)
        start = mechanism.root if base is None else mechanism.check_link(base)
        if tip is None:
            ends = ends_of(mechanism)
            if len(ends) != 1:
                raise BadOption(f"'{mechanism.name}' has {len(ends)} tips ({', '.join(ends[:8])}); name one as tip=")
            tip = ends[0]
        end = mechanism.check_link(tip)
        super().__init__(Model.chain(mechanism, start, end))

    @classmethod
    def load(
        cls, source: Any, base: str | None = None, tip: str | None = None, unit: Any = None, *,
        arguments: Mapping[str, str] | None = None, snap: bool = False, zero_limits: str | None = None,
    ) -> Self:  # fmt: skip
        """Return the arm that `source` describes, as `limbik.load` does. Raises BadOption for several tips if none is given."""
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

        convention: "standard" (Rz Tz Tx Rx) or "modified" (Craig: Tx Rx Rz Tz; row i has a and alpha of link i-1). kind:
        "revolute" (default) or "continuous", whose variable is added to theta, or "prismatic", whose variable is added to d.
        lower, upper: the limits; without them the joint has none. Angles, with the limits of revolute joints, are in radians
        unless `degrees`; lengths, with the limits of prismatic joints, are in `unit` ("m", "mm", ...). name: of the chain.
        Raises BadModel, naming the row, and BadOption for an unknown convention or unit.
        """
        from limbik.formats.dh import read_dh

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

        screws: (n, 6) rows (angular, linear) in the base frame at the home pose: (w, -w x point) for a revolute joint,
        (0, v) for a prismatic one. home: (4, 4) the pose of the tip at q = 0. Raises BadModel, naming the row.
        """
        from limbik.formats.poe import read_screws

        return cls(read_screws(screws, np.eye(4) if home is None else home, lower, upper, name=name))

    @property
    def tip(self) -> str:
        """The end effector: the default frame of `forward` and `jacobian`."""
        return self.model.compiled.tip

    # ---- kinematics --------------------------------------------------------------------------------------------------

    def forward(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the pose of a frame (the tip by default), (..., n) -> (..., 4, 4).

        threads: number of threads for a batch; 0 chooses it. Raises ShapeError if q's last axis is not n, NotFinite for NaN
        or infinity, UnknownFrame.
        """
        if frame is None:
            return self._kernel.forward(q, -1, threads)
        return self._kernel.forward(q, self.model.frame_index(frame), threads)

    def jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the geometric Jacobian of a frame (the tip by default), (..., 6, n).

        Three linear rows [m/rad or m/m], then three angular rows; in the base frame, at the frame's origin. Raises as
        `forward`.
        """
        return self._kernel.jacobian(q, -1 if frame is None else self.model.frame_index(frame), threads)

    def forward_jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> tuple[Array, Array]:
        """Return `forward` and `jacobian`, computed in one pass: shapes (..., 4, 4) and (..., 6, n)."""
        if frame is None:
            return self._kernel.forward_jacobian(q, -1, threads)
        return self._kernel.forward_jacobian(q, self.model.frame_index(frame), threads)

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def with_tool(self, T: Any) -> Self:
        """Return this chain with the new tip "tool" at T_tip_tool. A second tool is attached to the first."""
        mechanism, name = self.model.mechanism.with_link("tool", self.tip, as_pose(T, "the tool"))
        return type(self)(mechanism, self.base, name)

    def with_base(self, T: Any) -> Self:
        """Return this chain with the new base "world"; T_world_base is the pose of the old base in it."""
        mechanism, name = self.model.mechanism.with_link("world", self.base, inverse(as_pose(T, "the base")))
        return type(self)(mechanism, name, self.tip)

    def with_limits(self, lower: Any = None, upper: Any = None) -> Self:
        """Return this chain with other joint limits.

        Each of lower and upper is None (keep), one number for all joints with one axis, n numbers, or {joint name:
        value}; inf for no limit. A continuous joint given a finite range becomes revolute. Raises BadModel if
        lower > upper, BadOption for a value of a ball or floating joint.
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
                f"{what} of '{self.joint_names[k]}' cannot be set: it belongs to a joint with several axes, which has no range"
            )
        return out

    def _place(self, name: object) -> int:
        """Return the index of a joint in q. Raises UnknownJoint."""
        if name not in self.joint_names:
            raise UnknownJoint(f"no joint {shown(name)} in '{self.name}'; {suggest(str(name), self.joint_names)}")
        return self.joint_names.index(str(name))

    def with_frozen(self, values: Mapping[str, float]) -> Self:
        """Return this chain with some joints fixed at these values [rad or m]; n decreases by their number."""
        if isinstance(values, Mapping):
            for name in values:
                self._place(name)
        return type(self)(self.model.mechanism.with_frozen(values), self.base, self.tip)

    def scaled(self, factor: float) -> Self:
        """Return this chain with every length multiplied by a factor."""
        return type(self)(self.model.mechanism.scaled(factor), self.base, self.tip)

    # ---- object protocol ---------------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model,)

    def __repr__(self) -> str:
        reach = f", reach {self.reach:.3g} m" if math.isfinite(self.reach) else ""
        return f"<{type(self).__name__} '{self.name}': {self.n} joint values, '{self.base}' to '{self.tip}'{reach}>"


def check_ends(mechanism: Mechanism, base: str | None, tip: str) -> None:
    """Raise BadOption if base and tip are the same frame."""
    start = mechanism.root if base is None else base
    if isinstance(tip, str) and isinstance(start, str) and start == tip:
        raise BadOption(f"base and tip are both {shown(tip)}: nothing moves between them; name two frames")
