"""Compilation of a mechanism for the core: moving joints only, every axis along z, fixed parts merged."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik._core import Kernel
from limbik.errors import BadModel
from limbik.geometry.arrays import Array, frozen
from limbik.geometry.se3 import inverse, onto_z
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism
from limbik.model.muscle import Muscle
from limbik.model.shape import Shape

_CODES = {Kind.REVOLUTE: 0, Kind.CONTINUOUS: 0, Kind.PRISMATIC: 1, Kind.BALL: 2, Kind.FLOATING: 3}


@dataclass(frozen=True)
class Variable:
    """One joint of q. first: the index of its first number in q."""

    joint: Joint
    first: int


@dataclass(frozen=True, eq=False)
class Element:
    """One moving joint in the form of the core.

    parent: the index of the parent element, -1 for the base. The joint's value is multiplier * (value of `variable`) + offset.
    """

    joint: Joint
    parent: int
    variable: Variable
    multiplier: float
    offset: float
    placement: Array


@dataclass(frozen=True, eq=False)
class Compiled:
    """A compiled mechanism with one base link.

    elements: the moving joints, parents first. frames: every link that is connected to the base by the chosen joints, with the
    element that moves it (-1: the base) and its pose in that element's frame. muscles: those that are attached to these links
    and joints only.
    """

    name: str
    base: str
    tip: str
    n: int
    variables: tuple[Variable, ...]
    elements: tuple[Element, ...]
    frames: dict[str, tuple[int, Array]]
    kernel: Kernel
    fingerprint: str
    muscles: tuple[Muscle, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "frame_numbers", {name: k for k, name in enumerate(self.frames)})

    frame_numbers: dict[str, int] = None  # type: ignore[assignment]


def compile_mechanism(mechanism: Mechanism, base: str, tip: str, whole_tree: bool) -> Compiled:
    """Compile the chain from base to tip, or the whole tree seen from the base.

    A chain may run against the direction of the file's joints (from a hand through the pelvis to a foot): a joint traversed from
    child to parent has the opposite axis. Raises BadModel for a ball or floating joint in that direction.
    """
    moving = {joint.name for joint in (mechanism.joints if whole_tree else mechanism.path(base, tip))}
    neighbours: dict[str, list[Joint]] = {link.name: [] for link in mechanism.links}
    for joint in mechanism.joints:
        neighbours[joint.parent].append(joint)
        neighbours[joint.child].append(joint)

    variables: dict[str, Variable] = {}
    elements: list[Element] = []
    frames: dict[str, tuple[int, Array]] = {base: (-1, np.eye(4))}
    n = 0
    stack = [(joint, base) for joint in reversed(neighbours[base])]
    while stack:
        joint, here = stack.pop()
        outward = joint.parent == here
        there = joint.child if outward else joint.parent
        if there in frames or (joint.kind is not Kind.FIXED and joint.name not in moving):
            continue
        parent, T_parent_here = frames[here]
        before, after = (joint.origin, np.eye(4)) if outward else (np.eye(4), inverse(joint.origin))
        if joint.kind is Kind.FIXED:
            frames[there] = (parent, T_parent_here @ before @ after)
        else:
            if not outward and joint.kind.size != 1:
                raise BadModel(
                    f"the chain from '{base}' to '{tip}' passes the {joint.kind} joint '{joint.name}' from child to parent, "
                    f"which is not supported; choose a base on the side of '{joint.parent}'"
                )
            turned = np.eye(4)
            if joint.kind.size == 1:
                turned = onto_z(joint.axis if outward else -joint.axis)
            driver, multiplier, offset = mechanism.driver(joint)
            if driver.name not in variables:
                variables[driver.name] = Variable(driver, n)
                n += driver.kind.size
            placement = T_parent_here @ before @ turned
            elements.append(Element(joint, parent, variables[driver.name], multiplier, offset, placement))
            frames[there] = (len(elements) - 1, inverse(turned) @ after)
        stack.extend((other, there) for other in reversed(neighbours[there]) if other is not joint)

    elements = _with_common_ranges(elements)
    ordered = tuple({e.variable.joint.name: e.variable for e in elements}.values())
    kernel = make_kernel(mechanism.name, n, tip, elements, frames, *placements(elements, frames))
    shapes = [(link.name, link.shapes) for link in mechanism.links if link.shapes and link.name in frames]
    moved = {e.joint.name for e in elements}
    muscles = tuple(
        m
        for m in mechanism.muscles
        if {p.link for p in m.path} <= frames.keys() and {p.joint for p in m.pulleys} <= moved
    )
    digest = _fingerprint(base, tip, ordered, elements, frames, shapes, muscles)
    return Compiled(mechanism.name, base, tip, n, ordered, tuple(elements), frames, kernel, digest, muscles)


def placements(elements: Sequence[Element], frames: Mapping[str, tuple[int, Array]]) -> tuple[list[float], list[float]]:
    """Return the placements (T_parent_joint) of the elements, then the poses of the frames, three rows each."""
    return (
        [x for e in elements for x in e.placement[:3].ravel().tolist()],
        [x for _, T in frames.values() for x in T[:3].ravel().tolist()],
    )


def make_kernel(
    name: str,
    n: int,
    tip: str,
    elements: Sequence[Element],
    frames: Mapping[str, tuple[int, Array]],
    element_placements: list[float],
    frame_placements: list[float],
) -> Kernel:
    """Return the core's form of elements and frames, with their poses given as numbers (see `placements`)."""
    wrapping = _wrapping(elements)
    return Kernel(
        name=name,
        n=n,
        tip=list(frames).index(tip),
        parents=[e.parent for e in elements],
        kinds=[_CODES[e.joint.kind] for e in elements],
        first=[e.variable.first for e in elements],
        scale=[e.multiplier for e in elements],
        offset=[e.offset for e in elements],
        wraps=[e.variable.joint.name in wrapping for e in elements],
        placements=element_placements,
        frame_elements=[element for element, _ in frames.values()],
        frame_placements=frame_placements,
    )


def _with_common_ranges(elements: list[Element]) -> list[Element]:
    """Return the elements with the range and the speed limit of each driver narrowed to those of its mimic joints.

    The range of a mimic joint that leaves its driver no values is ignored: such files contradict themselves.
    """
    narrowed: dict[str, Variable] = {}
    for e in elements:
        variable = narrowed.get(e.variable.joint.name, e.variable)
        if e.joint.name != variable.joint.name and e.multiplier != 0.0:
            ends = sorted((bound - e.offset) / e.multiplier for bound in (e.joint.lower, e.joint.upper))
            lower, upper = max(variable.joint.lower, ends[0]), min(variable.joint.upper, ends[1])
            if lower < upper and (lower, upper) != (variable.joint.lower, variable.joint.upper):
                variable = Variable(variable.joint.moved_to(lower=lower, upper=upper), variable.first)
            if 0 < (speed := e.joint.velocity / abs(e.multiplier)) < variable.joint.velocity:
                variable = Variable(variable.joint.moved_to(velocity=speed), variable.first)
        narrowed[e.variable.joint.name] = variable
    return [replace(e, variable=narrowed[e.variable.joint.name]) for e in elements]


def _wrapping(elements: Sequence[Element]) -> set[str]:
    """Return the continuous joints with equivalent 2-pi copies.

    A joint that drives a prismatic joint, or another joint with a non-integer ratio, is not among them: a 2-pi turn moves that
    joint.
    """
    out = {e.variable.joint.name for e in elements if e.variable.joint.kind is Kind.CONTINUOUS}
    for e in elements:
        if not (e.joint.kind.is_revolute and float(e.multiplier).is_integer()):
            out.discard(e.variable.joint.name)
    return out


def _fingerprint(
    base: str,
    tip: str,
    variables: tuple[Variable, ...],
    elements: list[Element],
    frames: dict[str, tuple[int, Array]],
    shapes: list[tuple[str, tuple[Shape, ...]]],
    muscles: tuple[Muscle, ...],
) -> str:
    """Return a digest of the kinematics: names, kinds, geometry, ranges, shapes, muscles; not of titles, sources or masses."""
    digest = hashlib.sha256()

    def add(*parts: object) -> None:
        digest.update(repr(parts).encode())

    add(base, tip)
    for v in variables:
        j = v.joint
        add(j.name, str(j.kind), v.first, j.lower, j.upper, j.velocity, j.swing, j.twist, frozen(j.axis).tolist())
    for e in elements:
        add(
            e.joint.name,
            str(e.joint.kind),
            e.parent,
            e.variable.first,
            e.multiplier,
            e.offset,
            frozen(e.placement).tolist(),
        )
    for name, (element, T) in frames.items():
        add(name, element, frozen(T).tolist())
    for name, on_link in sorted(shapes, key=lambda entry: entry[0]):
        add(name, on_link)
    for muscle in muscles:
        add(muscle)
    return digest.hexdigest()


def limits(compiled: Compiled) -> tuple[Array, Array, Array]:
    """Return lower, upper and velocity of each number of q; infinite where there is no limit."""
    lower, upper, speed = (np.full(compiled.n, value) for value in (-math.inf, math.inf, math.inf))
    for v in compiled.variables:
        if v.joint.kind.size == 1:
            lower[v.first], upper[v.first] = v.joint.lower, v.joint.upper
        speed[v.first : v.first + v.joint.kind.size] = v.joint.velocity
    return frozen(lower), frozen(upper), frozen(speed)
