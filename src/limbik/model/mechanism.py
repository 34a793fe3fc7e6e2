"""A mechanism: a tree of links and joints, as data. It is validated once, at construction."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from limbik.errors import BadModel, BadOption, UnknownFrame, UnknownJoint, shown, suggest
from limbik.geometry.arrays import LARGEST, Array, number, scale_factor
from limbik.geometry.se3 import rotation_about, translation
from limbik.model.joint import Joint, Kind, Link, Mimic, check_factors, check_name
from limbik.model.muscle import Muscle, check_muscles

# The longest chain of mimic joints that is accepted; robots have far shorter ones.
LONGEST_MIMICRY = 256


@dataclass(frozen=True)
class Mechanism:
    """Links and the joints between them; joints are sorted from the root outwards.

    up: the axis of the root that points up, "z" or "y". notes: assumptions made while reading the file (missing limits,
    merged parts), one sentence each.
    Raises BadModel for fields of another type, missing links, duplicate names, loops, and several roots.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    title: str = ""
    source: str = ""
    licence: str = ""
    up: str = "z"
    notes: tuple[str, ...] = field(default=())
    muscles: tuple[Muscle, ...] = field(default=())

    def __post_init__(self) -> None:
        check_name(self.name, "a mechanism")
        for text in ("title", "source", "licence"):
            if not isinstance(getattr(self, text), str):
                raise BadModel(f"'{self.name}' has the {text} {shown(getattr(self, text))}; it must be text")
        for entries, kind in (("links", Link), ("joints", Joint), ("notes", str), ("muscles", Muscle)):
            object.__setattr__(self, entries, _tuple_of(kind, getattr(self, entries), self.name, entries))
        if not self.links:
            raise BadModel(f"'{self.name}' has no links; a mechanism needs at least one")
        if self.up not in ("y", "z"):
            raise BadModel(f"'{self.name}' has up = {self.up!r}; it must be 'y' or 'z'")
        _check_unique(self.name, "link", (link.name for link in self.links))
        _check_unique(self.name, "joint", (joint.name for joint in self.joints))
        object.__setattr__(self, "joints", _sorted_from_root(self.name, self.links, self.joints))
        for joint in self.joints:
            if joint.mimic is not None:
                self._check_mimic(joint)
        check_muscles(self.name, self.muscles, (link.name for link in self.links), self.joint_of)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))

    def _check_mimic(self, joint: Joint) -> None:
        seen = {joint.name}
        follower = joint
        while (mimic := follower.mimic) is not None:
            if mimic.joint not in self.joint_of:
                raise BadModel(f"joint '{follower.name}' mimics '{mimic.joint}', which does not exist")
            if mimic.joint in seen:
                raise BadModel(f"joint '{follower.name}' mimics itself in a loop through '{mimic.joint}'")
            seen.add(mimic.joint)
            if len(seen) > LONGEST_MIMICRY:
                raise BadModel(f"joint '{joint.name}' mimics another through more than {LONGEST_MIMICRY} joints")
            follower = self.joint_of[mimic.joint]
        if follower.kind.size != 1 or joint.kind.size != 1:
            raise BadModel(f"joint '{joint.name}' mimics '{follower.name}'; both must be revolute or prismatic")
        check_factors(joint.name, *self.driver(joint)[1:])

    @cached_property
    def joint_of(self) -> Mapping[str, Joint]:
        """The joints by name."""
        return MappingProxyType({joint.name: joint for joint in self.joints})

    @cached_property
    def parent_joint_of(self) -> Mapping[str, Joint]:
        """The joint whose child each link is; the root has none."""
        return MappingProxyType({joint.child: joint for joint in self.joints})

    @cached_property
    def root(self) -> str:
        """The link that is no joint's child."""
        return next(link.name for link in self.links if link.name not in self.parent_joint_of)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The links that are no joint's parent."""
        parents = {joint.parent for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in parents)

    def check_link(self, name: str) -> str:
        """Return the name of a link. Raises UnknownFrame, with a suggestion."""
        if not isinstance(name, str) or name not in {link.name for link in self.links}:
            raise UnknownFrame(
                f"no frame {shown(name)} in '{self.name}'; {suggest(name, (k.name for k in self.links))}"
            )
        return name

    def check_joint(self, name: str) -> Joint:
        """Return the joint of a name. Raises UnknownJoint, with a suggestion."""
        if not isinstance(name, str) or name not in self.joint_of:
            raise UnknownJoint(f"no joint {shown(name)} in '{self.name}'; {suggest(name, self.joint_of)}")
        return self.joint_of[name]

    def ancestry(self, link: str) -> tuple[Joint, ...]:
        """Return the joints from the root to a link."""
        path: list[Joint] = []
        while (joint := self.parent_joint_of.get(link)) is not None:
            path.append(joint)
            link = joint.parent
        return tuple(reversed(path))

    def path(self, base: str, tip: str) -> tuple[Joint, ...]:
        """Return the joints on the path from one link to another, through their common ancestor."""
        up, down = self.ancestry(base), self.ancestry(tip)
        shared = 0
        while shared < min(len(up), len(down)) and up[shared] is down[shared]:
            shared += 1
        return tuple(reversed(up[shared:])) + down[shared:]

    def driver(self, joint: Joint) -> tuple[Joint, float, float]:
        """Return the joint that a joint follows in the end (itself if it is no mimic), with the total multiplier and offset."""
        multiplier, offset = 1.0, 0.0
        while joint.mimic is not None:
            offset += multiplier * joint.mimic.offset
            multiplier *= joint.mimic.multiplier
            joint = self.joint_of[joint.mimic.joint]
        return joint, multiplier, offset

    # ---- changed copies ----------------------------------------------------------------------------------------------

    def replaced(self, joints: Iterable[Joint], links: Iterable[Link] | None = None) -> Self:
        """Return a copy with other joints (and links)."""
        return replace(self, joints=tuple(joints), links=self.links if links is None else tuple(links))

    def with_muscles(self, muscles: Iterable[Muscle]) -> Self:
        """Return a copy with other muscles."""
        return replace(self, muscles=_tuple_of(Muscle, muscles, self.name, "muscles"))

    def with_link(self, name: str, on: str, T: Array) -> tuple[Self, str]:
        """Return a copy with a new link fixed to the link `on` at the pose T, and the new link's name (made unique)."""
        taken = {link.name for link in self.links} | set(self.joint_of)
        unique, k = name, 2
        while unique in taken or f"{unique}_fixed" in taken:
            unique, k = f"{name}_{k}", k + 1
        joint = Joint(f"{unique}_fixed", Kind.FIXED, on, unique, origin=T)
        return self.replaced((*self.joints, joint), (*self.links, Link(unique))), unique

    def with_limits(self, limits: Mapping[str, tuple[float, float]]) -> Self:
        """Return a copy with other ranges for the named revolute, continuous or prismatic joints.

        A continuous joint given a finite range becomes revolute. Raises BadOption, UnknownJoint.
        """
        ranges: dict[str, tuple[float, float]] = {}
        for name, given in _named_values(limits, "limits", "(lower, upper)").items():
            if self.check_joint(name).kind.size != 1:
                raise BadOption(f"joint '{name}' is {self.joint_of[name].kind}: only joints with one axis have a range")
            try:
                lower, upper = given
            except (TypeError, ValueError):
                raise BadOption(f"joint '{name}' cannot have the range {shown(given)}; give (lower, upper)") from None
            ranges[name] = lower, upper

        def changed(joint: Joint) -> Joint:
            if joint.name not in ranges:
                return joint
            lower, upper = ranges[joint.name]
            return joint.moved_to(lower=lower, upper=upper)

        return self.replaced(changed(joint) for joint in self.joints)

    def with_frozen(self, values: Mapping[str, float]) -> Self:
        """Return a copy with the named joints, and those that mimic them, fixed at these values [rad or m].

        Raises BadOption, UnknownJoint.
        """
        fixed: dict[str, float] = {}
        for name, given in _named_values(values, "values", "a number").items():
            joint = self.check_joint(name)
            if joint.kind.size != 1:
                raise BadOption(f"joint '{name}' is {joint.kind}: only joints with one axis can be frozen")
            if joint.mimic is not None:
                raise BadOption(f"joint '{name}' mimics '{joint.mimic.joint}'; freeze that one")
            value = number(given, f"the value of joint '{name}'")
            if not math.isfinite(value):
                raise BadOption(f"joint '{name}' cannot be frozen at {value}; give a finite number")
            if not joint.lower <= value <= joint.upper:
                raise BadOption(
                    f"joint '{name}' cannot be frozen at {value:g}: its range is {joint.lower:g} to {joint.upper:g}"
                )
            fixed[name] = value

        def changed(joint: Joint) -> Joint:
            driver, multiplier, offset = self.driver(joint)
            if driver.name not in fixed:
                return joint
            value = multiplier * fixed[driver.name] + offset
            return joint.moved_to(kind=Kind.FIXED, origin=joint.origin @ motion(joint, value), lower=-math.inf,
                                  upper=math.inf, mimic=None)  # fmt: skip

        values_of = {
            j.name: m * fixed[d.name] + o for j in self.joints for d, m, o in [self.driver(j)] if d.name in fixed
        }
        return replace(
            self,
            joints=tuple(changed(joint) for joint in self.joints),
            muscles=tuple(muscle.with_frozen(values_of, self.root) for muscle in self.muscles),
        )

    def with_mass(self, mass: float) -> Self:
        """Return a copy with the total mass `mass` [kg]; the links keep their shares. Raises BadOption if none has a mass."""
        total = number(mass, "the mass")
        current = sum(link.mass for link in self.links)
        if not 0 < total <= LARGEST or not current > 0:
            raise BadOption(f"the mass of '{self.name}' is {current:g} kg; it cannot be scaled to {shown(mass)}")
        return replace(self, links=tuple(replace(link, mass=link.mass * total / current) for link in self.links))

    def scaled(self, factor: float) -> Self:
        """Return a copy with every length multiplied: origins, ranges and speeds of prismatic joints, centres of mass, shapes."""
        factor = scale_factor(factor)

        def changed(joint: Joint) -> Joint:
            origin = np.array(joint.origin)
            origin[:3, 3] *= factor
            prismatic = joint.kind is Kind.PRISMATIC
            by = factor if prismatic else 1.0
            mimic = joint.mimic
            if mimic is not None:
                driven = self.joint_of[mimic.joint].kind is Kind.PRISMATIC
                mimic = Mimic(mimic.joint, mimic.multiplier * by / (factor if driven else 1.0), mimic.offset * by)
            return joint.moved_to(origin=origin, lower=joint.lower * by, upper=joint.upper * by,
                                  velocity=joint.velocity * by, mimic=mimic)  # fmt: skip

        prismatic = {joint.name for joint in self.joints if joint.kind is Kind.PRISMATIC}
        return replace(
            self,
            joints=tuple(changed(j) for j in self.joints),
            links=tuple(link.scaled(factor) for link in self.links),
            muscles=tuple(muscle.scaled(factor, prismatic) for muscle in self.muscles),
        )


def motion(joint: Joint, value: float) -> Array:
    """Return the motion of a joint with one axis at a value [rad or m], (4, 4)."""
    return rotation_about(joint.axis, value) if joint.kind.is_revolute else translation(joint.axis * value)


def _named_values(given: Any, what: str, value: str) -> Mapping[str, Any]:
    """Return a mapping from joint names to values. Raises BadOption for another type."""
    if not isinstance(given, Mapping):
        raise BadOption(f"{what} must be {{joint name: {value}}}; got {shown(given)}")
    return given


def _tuple_of(kind: type, given: Any, mechanism: str, what: str) -> tuple[Any, ...]:
    """Return some entries as a tuple. Raises BadModel if one is of another type."""
    entries = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping) else None
    if entries is None or not all(isinstance(entry, kind) for entry in entries):
        word = "text" if kind is str else f"{kind.__name__} objects"
        raise BadModel(f"the {what} of '{mechanism}' must be a list of {word}; got {shown(given)}")
    return entries


def _check_unique(mechanism: str, what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise BadModel(f"'{mechanism}' has a {what} without a name")
        if name in seen:
            raise BadModel(f"'{mechanism}' has two {what}s named '{name}'; names must be unique")
        seen.add(name)


def _sorted_from_root(name: str, links: tuple[Link, ...], joints: tuple[Joint, ...]) -> tuple[Joint, ...]:
    """Return the joints depth first from the root, siblings in their given order. Raises BadModel unless they form one tree."""
    known = {link.name for link in links}
    outward: dict[str, list[Joint]] = {link.name: [] for link in links}
    joint_above: dict[str, str] = {}
    for joint in joints:
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in known:
                raise BadModel(f"joint '{joint.name}' names the {role} link '{link}', which does not exist in '{name}'")
        if joint.child in joint_above:
            raise BadModel(
                f"link '{joint.child}' is the child of two joints, '{joint_above[joint.child]}' and '{joint.name}': "
                "that closes a loop; cut it at one of them"
            )
        joint_above[joint.child] = joint.name
        outward[joint.parent].append(joint)
    roots = [link.name for link in links if link.name not in joint_above]
    if not roots:
        raise BadModel(f"'{name}' has no root: its joints form a loop; one link must not be a child")
    if len(roots) > 1:
        raise BadModel(
            f"'{name}' has {len(roots)} roots ({', '.join(roots[:5])}): connect them by joints, or remove the others"
        )
    order: list[Joint] = []
    stack = list(reversed(outward[roots[0]]))
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(reversed(outward[joint.child]))
    if len(order) != len(joints):
        missing = sorted(set(joint_above.values()) - {joint.name for joint in order})
        raise BadModel(f"'{name}' has a loop through the joints {', '.join(missing[:5])}; cut it at one of them")
    return tuple(order)
