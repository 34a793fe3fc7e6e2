"""A chain: joints one after the other from a base to a tip. What an arm, a leg or a finger is."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from limbik.errors import BadOption, ShapeError, UnknownJoint, shown, suggest
from limbik.formats.dh import read_dh
from limbik.formats.poe import read_screws
from limbik.geometry.arrays import Array, number, numbers
from limbik.geometry.se3 import as_pose, inverse
from limbik.model.ends import ends_of
from limbik.model.mechanism import Mechanism
from limbik.model.model import Model
from limbik.model.snapping import snapped
from limbik.model.structure import Structure, analyse
from limbik.robot.following import Following
from limbik.robot.kinematic import check_mechanism

# Values of a redundant chain's free parameter whose postures are looked at among obstacles.
FREE_VALUES = 64


class Chain(Following):
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

    # ---- kinematics --------------------------------------------------------------------------------------------------

    def forward(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the pose of a frame (the tip by default), (..., n) -> (..., 4, 4).

        threads: how many to use for a batch, 0 for as many as pay. Raises ShapeError when q's last axis is not n,
        NotFinite for NaN or infinity, UnknownFrame.
        """
        if frame is None:
            return self.model.kernel.forward(q, -1, threads)
        return self.model.kernel.forward(q, self._number(frame), threads)

    def jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> Array:
        """Return the velocity of a frame (the tip by default) that each joint gives when it moves alone.

        Shape (..., 6, n): three linear rows [m/rad or m/m], then three angular; base frame, at the frame's origin.
        Raises as `forward` does.
        """
        return self.model.kernel.jacobian(q, -1 if frame is None else self._number(frame), threads)

    def forward_jacobian(self, q: Any, frame: str | None = None, *, threads: int = 0) -> tuple[Array, Array]:
        """Return `forward` and `jacobian` from one pass: shapes (..., 4, 4) and (..., 6, n)."""
        if frame is None:
            return self.model.kernel.forward_jacobian(q, -1, threads)
        return self.model.kernel.forward_jacobian(q, self._number(frame), threads)

    @cached_property
    def structure(self) -> Structure:
        """What the geometry allows: parallel and intersecting axes, spherical wrist, a closed form ...; prints as one line."""
        form = self._form
        closed = f"no closed form{self._rounding}" if form is None else form.summary
        return analyse(self.model.compiled, self.tip, self.model.reach.span, closed)

    @property
    def _rounding(self) -> str:
        """What rounded angles keep a chain without closed form from, as the end of a sentence."""
        exact = snapped(self.model.mechanism)
        form = type(self)(exact.mechanism, self.base, self.tip)._form if exact.turns else None
        return (
            "" if form is None else f" as written (its angles are rounded; with load(..., snap=True): {form.summary})"
        )

    def warm_up(self) -> Self:
        """Build now what the first solves would build, and return this chain: `arm = lk.load("panda").warm_up()`.

        That is the solvers with the joint limits and the tables of starting postures, which the first hard target or the first
        one out of reach would otherwise wait for (50 to 110 ms). Chains that differ in base and tool alone share a table.
        Another call finds everything built. Answers are the same with and without it. Safe in any thread.
        """
        self._limited.pose.warm_up()
        _ = self._quick, self._every, self._network_in_limits, self._countable, self.model.revolute
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

    def scaled(self, factor: float) -> Self:
        """Return this chain with every length multiplied."""
        return type(self)(self.model.mechanism.scaled(factor), self.base, self.tip)

    def _known_postures(self, T: Array, limits: bool) -> tuple[Array, bool]:
        free = self.redundancy
        if free is None:
            try:
                answers = self.solve_all(T, limits=limits)
            except BadOption:  # redundant, and without a closed form
                return super()._known_postures(T, limits)
            return answers.q, self._form is not None and not answers.families.any()
        low, high = -math.pi, math.pi
        if free.joint is not None:
            place = self._place(free.joint)
            low, high = (float(ends[place]) for ends in self.model.ranges.drawing(self.reach or 1.0))
        values = np.linspace(low, high, FREE_VALUES).tolist()
        return np.concatenate([self.solve_all(T, limits=limits, swivel=value).q for value in values]), False

    # ---- what objects do ---------------------------------------------------------------------------------------------

    def _again(self) -> Self:
        return self._with_mechanism(self.model.mechanism)

    def _with_mechanism(self, mechanism: Mechanism) -> Self:
        return type(self)(mechanism, self.base, self.tip)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model.mechanism, self.base, self.tip), self._packed()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What was read from a file is read again, so that processes share it."""
        self._unpack(state)

    def __repr__(self) -> str:
        reach = f", reach {self.reach:.3g} m" if math.isfinite(self.reach) else ""
        return f"<Chain '{self.name}': {self.n} joint values, '{self.base}' to '{self.tip}'{reach}>"


def check_ends(mechanism: Mechanism, base: str | None, tip: str) -> None:
    """Raise BadOption where a way is asked for from a frame to itself."""
    start = mechanism.root if base is None else base
    if isinstance(tip, str) and isinstance(start, str) and start == tip:
        raise BadOption(f"base and tip are both {shown(tip)}: nothing moves between them; name two frames")
