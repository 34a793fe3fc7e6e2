"""A chain as a planar arm: segments between parallel axes, with the joint angles of Cruse and Steinkühler.

A prismatic joint changes the length of the segment along which it slides. The coordinates of the arm are its joint angles (alpha,
then interior angles), then the lengths of these segments.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import onto_z
from limbik.model.joint import Kind
from limbik.model.robots import is_arm
from limbik.model.shape import Sphere
from limbik.solvers.iterative.screws import screws_at
from limbik.solvers.relaxation.inputs import Range

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# Axes are parallel when their directions differ by less than this [sine of the angle]; a segment shorter than this part of the
# reach has no direction.
PARALLEL, SHORTEST = 1e-9, 1e-9
INSTEAD = "use PointForm, or solve(method='mmc')"


@dataclass(frozen=True, eq=False)
class PlanarArm:
    """The map between a chain's q and a planar arm's coordinates: coordinate = offset + sign * q[order].

    lengths: of the segments [m]; of those with a prismatic joint, the length at home. sliding: the numbers of the segments with a
    prismatic joint. frame: (3, 2) the plane's x and y axes in the base frame; the base frame's own if the joint axes
    are parallel to z. origin: (3,) the shoulder, in the base frame. limits: (number of the coordinate, range) of
    the limited ones.
    """

    name: str
    lengths: tuple[float, ...]
    sliding: tuple[int, ...]
    order: tuple[int, ...]
    signs: Array
    offsets: Array
    frame: Array
    origin: Array
    limits: tuple[tuple[int, Range], ...]

    def coordinates(self, q: Array) -> Array:
        """Return the coordinates of a posture (configuration) q."""
        return np.asarray(self.offsets + self.signs * q[list(self.order)])

    def q(self, coordinates: Array) -> Array:
        """Return the posture with these coordinates."""
        out = np.empty(len(self.order))
        out[list(self.order)] = self.signs * (coordinates - self.offsets)
        return out

    def flat(self, point: Array) -> Array:
        """Project a point of the base frame onto the plane, relative to the shoulder, (..., 3) -> (..., 2)."""
        return np.asarray((point - self.origin) @ self.frame)

    def circles(self, free: Any) -> tuple[tuple[float, float, float], ...]:
        """Return the circles in which spheres intersect the arm's plane, (x, y, radius). Raises BadOption."""
        spheres = [free] if isinstance(free, Sphere) else free
        if isinstance(spheres, str) or not isinstance(spheres, Iterable):
            raise BadOption(f"free={shown(free)}: give Spheres that no segment may enter")
        circles = []
        for sphere in spheres:
            if not isinstance(sphere, Sphere):
                raise BadOption(f"free={shown(free)}: give Spheres that no segment may enter")
            centre = np.array(sphere.centre) - self.origin
            x, y = self.flat(np.array(sphere.centre))
            square = sphere.radius**2 - (float(centre @ centre) - float(x * x + y * y))
            if square > 0:
                circles.append((float(x), float(y), math.sqrt(square)))
        return tuple(circles)


def planar_arm(arm: "Chain") -> PlanarArm:
    """Return a chain as a planar arm. Raises BadOption for axes that are not parallel or segments without length or direction."""
    if not is_arm(arm):
        raise BadOption("Mmc takes a Chain, for example limbik.load('planar3_cruse'); figures: solve(method='mmc')")
    elements = arm.model.compiled.elements
    kinds = [e.joint.kind for e in elements]
    plain = all((e.joint.kind.is_revolute or e.joint.kind is Kind.PRISMATIC) and e.multiplier == 1.0 and e.offset == 0.0
                for e in elements)  # fmt: skip
    turning = [k for k, kind in enumerate(kinds) if kind.is_revolute]
    if not plain or len(elements) != arm.n or len(turning) < 2:
        raise BadOption(
            f"'{arm.name}' is not an arm of two or more revolute joints, with or without prismatic joints; {INSTEAD}"
        )
    T, J = arm.forward_jacobian(np.zeros(arm.n))
    screws = screws_at(T, J, np.ones(arm.n))
    normal = screws[turning[0]].axis
    if abs(abs(normal[2]) - 1.0) < PARALLEL:
        normal = np.array([0.0, 0.0, 1.0])
    if any(np.linalg.norm(np.cross(screws[k].axis, normal)) > PARALLEL for k in turning):
        raise BadOption(f"the axes of '{arm.name}' are not parallel, so it is no planar arm; {INSTEAD}")
    frame = onto_z(normal)[:3, :2]
    places = np.array([*(screws[k].point for k in turning), T[:3, 3]])
    segments = np.diff(places, axis=0) @ frame
    slides = _slides(arm, turning, [s.axis @ frame for s in screws], segments)
    lengths = np.hypot(*segments.T)
    directions = np.arctan2(segments[:, 1], segments[:, 0])
    for s in slides:
        lengths[s.segment] = s.usual
        directions[s.segment] = math.atan2(s.direction[1], s.direction[0])
    if lengths.min() <= SHORTEST * max(float(lengths.sum()), 1e-300):
        raise BadOption(f"segment {int(lengths.argmin()) + 1} of '{arm.name}' has no length in its plane; {INSTEAD}")
    order = (*turning, *(s.joint for s in slides))
    turns = [math.copysign(1.0, float(screws[k].axis @ normal)) for k in turning]
    signs = np.array([*turns, *(s.sign for s in slides)])
    offsets = np.array([directions[0], *(math.pi + np.diff(directions)), *(s.offset for s in slides)])
    limits = []
    for k, j in enumerate(order):
        low, high = sorted((offsets[k] + signs[k] * arm.lower[j], offsets[k] + signs[k] * arm.upper[j]))
        if math.isfinite(low) or math.isfinite(high):
            limits.append((k, Range(float(low), float(high))))
    sliding = tuple(s.segment for s in slides)
    return PlanarArm(arm.name, tuple(lengths.tolist()), sliding, order, signs, offsets, frame, places[0], tuple(limits))


@dataclass(frozen=True, eq=False)
class _Slide:
    """A prismatic joint: length = offset + sign * q along a direction in the plane; usual: the length at home."""

    joint: int
    segment: int
    direction: Array
    sign: float
    offset: float
    usual: float


def _slides(arm: "Chain", turning: list[int], axes: list[Array], segments: Array) -> list[_Slide]:
    """Return the prismatic joints in the order of their segments. Raises BadOption for one that changes more than a length."""
    found: list[_Slide] = []
    size = float(np.hypot(*segments.T).sum())
    for j in (j for j in range(arm.n) if j not in turning):
        name, axis = arm.joint_names[j], axes[j]
        segment = sum(k < j for k in turning) - 1
        if segment < 0:
            raise BadOption(
                f"joint '{name}' slides before the first revolute joint, so it is no part of a segment; {INSTEAD}"
            )
        if any(s.segment == segment for s in found):
            raise BadOption(f"segment {segment + 1} of '{arm.name}' has two prismatic joints; freeze one: with_frozen")
        across = abs(axis[0] * segments[segment, 1] - axis[1] * segments[segment, 0])
        if abs(float(np.hypot(*axis)) - 1.0) > PARALLEL or across > PARALLEL * max(size, 1.0):
            raise BadOption(
                f"joint '{name}' does not slide along its segment, so it changes more than a length; {INSTEAD}"
            )
        at_zero = float(axis @ segments[segment])
        low, high = at_zero + float(arm.lower[j]), at_zero + float(arm.upper[j])
        spare = SHORTEST * max(size, 1.0)
        if low < -spare and high > spare:
            raise BadOption(f"joint '{name}' passes the length 0 of its segment; limit it to one side: with_limits")
        sign = 1.0 if high > spare else -1.0
        low, high = (max(low, 0.0), high) if sign > 0 else (max(-high, 0.0), -low)
        home = sign * (at_zero + float(arm.home[j]))
        usual = home if home > spare else 0.5 * (low + high) if math.isfinite(high) else low + 1.0
        found.append(_Slide(j, segment, sign * axis, sign, sign * at_zero, usual))
    return found
