"""The model: a mechanism with its compiled kernel, limits, reach and tolerances. Every solver takes one."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from limbik._core import LENGTH_SHARE, POSITION_TOLERANCE, RELATIVE_TOLERANCE, ROTATION_TOLERANCE, Kernel
from limbik.errors import BadOption, UnknownFrame, UnknownJoint, shown, suggest
from limbik.geometry.arrays import Array
from limbik.model.body import Body
from limbik.model.columns import column_names
from limbik.model.compiled import Compiled, Variable, compile_mechanism
from limbik.model.ends import ends_of
from limbik.model.joint import Kind, Link
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import Ranges
from limbik.model.reach import Reach, reach
from limbik.model.shape import Shape

Made = TypeVar("Made")

# The upward direction by the name of the axis.
UP = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def position_tolerance(bound: Reach) -> float:
    """Return the default position tolerance for a reach [m]."""
    return max(POSITION_TOLERANCE, RELATIVE_TOLERANCE * bound.from_base)


@dataclass(frozen=True, eq=False)
class Model:
    """A compiled mechanism: the argument of every solver, motion function and plot.

    mechanism: links and joints as data. compiled: the same relative to a base, with its kernel. tips: the end frames; a chain has
    one. attachments: data that are not geometry (a table, a network), by name.

    Immutable, and safe to share between threads. Compares by name and fingerprint.
    """

    mechanism: Mechanism
    compiled: Compiled
    tips: tuple[str, ...]
    attachments: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def chain(cls, mechanism: Mechanism, base: str, tip: str, attachments: Mapping[str, Any] | None = None) -> "Model":
        """Return the model of the chain between two links."""
        return cls(mechanism, compile_mechanism(mechanism, base, tip, whole_tree=False), (tip,), attachments or {})

    @classmethod
    def tree(cls, mechanism: Mechanism, base: str) -> "Model":
        """Return the model of a whole mechanism, with a link as the base."""
        return cls(mechanism, compile_mechanism(mechanism, base, base, whole_tree=True), ends_of(mechanism))

    def with_attachments(self, attachments: Mapping[str, Any]) -> "Model":
        """Return the model with other attachments."""
        return Model(self.mechanism, self.compiled, self.tips, MappingProxyType(dict(attachments)))

    def derived(self, make: Callable[["Model"], Made]) -> Made:
        """Return the cached result of a function of this model; solvers, plans and tables are cached this way."""
        try:
            return cast("Made", self._derived[make])
        except KeyError:
            return cast("Made", self._derived.setdefault(make, make(self)))

    @cached_property
    def remembered(self) -> dict[Any, Any]:
        """A cache for what goals derive from this model."""
        return {}

    @cached_property
    def _derived(self) -> dict[Callable[["Model"], Any], Any]:
        return {}

    # ---- properties --------------------------------------------------------------------------------------------------

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled kinematics."""
        return self.compiled.kernel

    @cached_property
    def ranges(self) -> Ranges:
        """The joint limits and what follows from them."""
        return Ranges(self.compiled)

    @cached_property
    def n(self) -> int:
        """The number of joint values."""
        return self.compiled.n

    @property
    def name(self) -> str:
        """The mechanism's name."""
        return self.mechanism.name

    @property
    def base(self) -> str:
        """The reference frame of poses."""
        return self.compiled.base

    @property
    def tip(self) -> str:
        """The frame at the end of a chain."""
        return self.compiled.tip

    @property
    def is_tree(self) -> bool:
        """Whether it is a whole tree rather than a chain to one tip."""
        return self.compiled.tip == self.compiled.base

    @property
    def fingerprint(self) -> str:
        """A digest of geometry, limits, shapes and names, independent of the file format."""
        return self.compiled.fingerprint

    @cached_property
    def frames(self) -> tuple[str, ...]:
        """Every link that the joints of q move, and the base."""
        return tuple(self.compiled.frames)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """The name of each joint value; the three of a ball are name.rx, name.ry, name.rz."""
        return tuple(column_names(self.compiled))

    @cached_property
    def shapes(self) -> tuple[tuple[str, Shape], ...]:
        """The collision shapes of the links: (frame, shape in that frame)."""
        known = self.compiled.frames
        return tuple((link.name, shape) for link in self.mechanism.links if link.name in known for shape in link.shapes)

    @cached_property
    def revolute(self) -> npt.NDArray[np.bool_]:
        """(n,) whether each joint value belongs to a revolute or continuous joint."""
        variables = self.compiled.variables
        return np.array([v.joint.kind.is_revolute for v in variables for _ in range(v.joint.kind.size)], bool)

    @cached_property
    def one_axis(self) -> npt.NDArray[np.bool_]:
        """(n,) whether each joint value belongs to a joint with one axis; only these have a range."""
        variables = self.compiled.variables
        return np.array([v.joint.kind.size == 1 for v in variables for _ in range(v.joint.kind.size)], bool)

    # ---- reach and tolerances ----------------------------------------------------------------------------------------

    @cached_property
    def reaches(self) -> tuple[Reach, ...]:
        """The reach of each tip."""
        return tuple(reach(self.compiled, tip) for tip in self.tips) or (Reach(0.0, 0.0, (0.0, 0.0, 0.0)),)

    @property
    def reach(self) -> Reach:
        """The reach of a chain's tip."""
        return self.reaches[0]

    @cached_property
    def from_base(self) -> float:
        """An upper bound on the distance of any tip from the base's origin [m]; unlimited prismatic joints count as 0."""
        return max(r.from_base for r in self.reaches)

    @cached_property
    def span(self) -> float:
        """The greatest `Reach.span` of the tips [m]."""
        return max(r.span for r in self.reaches)

    @cached_property
    def length(self) -> float:
        """The internal unit of length [m]."""
        return LENGTH_SHARE * self.span if self.span > 0 and math.isfinite(self.span) else 1.0

    def tolerance(self, unit: str) -> float:
        """Return the default tolerance of errors in this unit: metres, or else radians and plain numbers."""
        return self._position_tolerance if unit == "m" else ROTATION_TOLERANCE

    @cached_property
    def _position_tolerance(self) -> float:
        return max(position_tolerance(r) for r in self.reaches)

    @cached_property
    def up(self) -> tuple[float, float, float]:
        """The upward direction in the base frame, at the home posture."""
        up = UP[self.mechanism.up]
        number = self.compiled.frame_numbers.get(self.mechanism.root)
        if number is None or self.mechanism.root == self.compiled.base:
            return up
        x, y, z = (self.compiled.kernel.forward_all(self.ranges.home)[number][:3, :3] @ np.array(up)).tolist()
        return x, y, z

    # ---- kinematics --------------------------------------------------------------------------------------------------

    def forward_all(self, q: Any, *, threads: int = 0) -> Array:
        """Return the pose of every frame, (..., n) -> (..., len(frames), 4, 4), in the order of `frames`."""
        return self.kernel.forward_all(q, threads)

    def integrate(self, q: Any, dq: Any) -> Array:
        """Return q after moving with the velocity dq for unit time, (..., n).

        Values of joints with one axis are added. The angular velocity of a ball is in its moving frame; the linear velocity
        of a floating joint is in its parent's frame.
        """
        return self.kernel.integrate(q, dq)

    def difference(self, q0: Any, q1: Any) -> Array:
        """Return the velocity from q0 to q1 in unit time, (..., n); along the shorter arc for continuous joints."""
        return self.kernel.difference(q0, q1)

    def centre_of_mass(self, q: Any) -> Array:
        """Return the centre of mass in the base frame [m], (n,) -> (3,). Raises BadOption if no link has a mass."""
        if not self.massive:
            raise BadOption(f"no link of '{self.name}' has a mass; add masses to the model")
        poses = self.kernel.forward_all(self.kernel.checked(q))
        weighted = np.zeros(3)
        total = 0.0
        for link in self.massive:
            T = poses[self.compiled.frame_numbers[link.name]]
            weighted += link.mass * (T[:3, :3] @ np.array(link.centre_of_mass) + T[:3, 3])
            total += link.mass
        return np.asarray(weighted / total)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...] = ()) -> Array:
        """Return random configurations inside the limits, shape size + (n,).

        Uniform in each range; unlimited revolute joints in (-pi, pi], unlimited prismatic joints within +-reach.
        """
        return self.ranges.sample(rng, size, max(self.from_base, np.finfo(float).tiny))

    def frame_index(self, name: Any) -> int:
        """Return the index of a frame in `frames`; None means the tip of a chain. Raises UnknownFrame."""
        if name is None and len(self.tips) == 1:
            name = self.tips[0]
        found = self.compiled.frame_numbers.get(name) if isinstance(name, str) else None
        if found is None:
            no_tip = "a goal without a frame needs a chain, load(..., tip=NAME); name a frame"
            problem = no_tip if name is None else f"no frame {shown(name)}"
            raise UnknownFrame(f"{problem} in '{self.compiled.name}'; {suggest(str(name), self.compiled.frames)}")
        return found

    def observer(self, name: Any) -> int:
        """Return the index of a reference frame in `frames`; -1 for the base and for None. Raises UnknownFrame."""
        return -1 if name is None or name == self.compiled.base else self.frame_index(name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.name == other.name and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash((self.name, self.fingerprint))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_tree:
            return Model.tree, (self.mechanism, self.base)
        return Model.chain, (self.mechanism, self.base, self.tip, dict(self.attachments))

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The joints of q by name."""
        return {v.joint.name: v for v in self.compiled.variables}

    def variable(self, name: Any) -> Variable:
        """Return the joint of q with a name. Raises UnknownJoint."""
        if not isinstance(name, str) or name not in self.variables:
            raise UnknownJoint(
                f"no joint {shown(name)} in '{self.compiled.name}'; {suggest(str(name), self.variables)}"
            )
        return self.variables[name]

    @cached_property
    def _element_of(self) -> dict[str, int]:
        """The index of the element of each joint of q: the joint's own element, else the first that follows it."""
        found: dict[str, int] = {}
        for k, e in enumerate(self.compiled.elements):
            found.setdefault(e.variable.joint.name, k)
            if e.joint.name == e.variable.joint.name:
                found[e.variable.joint.name] = k
        return found

    def element(self, variable: Variable) -> int:
        """Return the index of the element of a joint of q."""
        return self._element_of[variable.joint.name]

    @cached_property
    def massive(self) -> tuple[Link, ...]:
        """The links with a mass among `frames`."""
        return tuple(link for link in self.mechanism.links if link.mass > 0 and link.name in self.compiled.frames)

    @cached_property
    def masses(self) -> tuple[float, ...]:
        """Five numbers for each link with a mass: element, mass [kg], centre of mass in the element's frame [m]."""
        out: list[float] = []
        for link in self.massive:
            element, T = self.compiled.frames[link.name]
            centre = T[:3, :3] @ link.centre_of_mass + T[:3, 3]
            out += [float(element), link.mass, *centre.tolist()]
        return tuple(out)

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Every collision shape, in the frame of the element that moves it."""
        return tuple(
            self.body(link.name, shape, covers)
            for link in self.mechanism.links
            if link.name in self.compiled.frames
            for shape, covers in zip(link.shapes, link.covers or ("",) * len(link.shapes), strict=True)
        )

    def body(self, link: str, shape: Shape, covers: str = "") -> Body:
        """Return a shape given in the frame of a link as a body in the frame of the element that moves the link."""
        element, T = self.compiled.frames[link]
        return Body(link, element, shape.moved(T), covers)

    @cached_property
    def covered(self) -> tuple[str, ...]:
        """The bodies of links that are enclosed by larger shapes, a few words each."""
        covered = (body for body in self.bodies if body.covers)
        words = (f"a {type(body.shape).__name__.lower()} around the {body.covers} of '{body.link}'" for body in covered)
        return tuple(dict.fromkeys(words))

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """The links whose collision geometry was not read completely."""
        return tuple(link.name for link in self.mechanism.links if link.unread and link.name in self.compiled.frames)

    @cached_property
    def outside(self) -> tuple[str, ...]:
        """The links with collision geometry that are not among `frames`: joints outside this chain move them."""
        return tuple(
            link.name
            for link in self.mechanism.links
            if link.name not in self.compiled.frames and (link.shapes or link.unread)
        )


def is_prismatic(variable: Variable) -> bool:
    """Return whether a joint with one axis is prismatic."""
    return variable.joint.kind is Kind.PRISMATIC


def flat(rows: Iterable[Iterable[float]]) -> tuple[float, ...]:
    """Return the numbers of all rows, one row after the other."""
    return tuple(x for row in rows for x in row)
