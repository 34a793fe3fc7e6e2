"""A chain as a planar arm: segments between parallel axes, with the joint angles of Cruse and Steinkühler."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import onto_z
from limbik.model.robots import is_arm
from limbik.model.shape import Sphere
from limbik.solvers.iterative.screws import screws_at
from limbik.solvers.relaxation.inputs import Range

if TYPE_CHECKING:
    from limbik.robot.chain import Chain

# Axes are parallel when their directions differ by less than this [sine of the angle]; a segment shorter than this part of the
# reach has no direction.
PARALLEL, SHORTEST = 1e-9, 1e-9


@dataclass(frozen=True, eq=False)
class PlanarArm:
    """The map between a chain's q and a planar arm's joint angles: angle = offset + sign * q.

    lengths: of the segments [m]. frame: (3, 2) the plane's x and y axes in the base frame; the base frame's own if the joint axes
    are parallel to z. origin: (3,) the shoulder, in the base frame. limits: (joint number, range) of the limited joint angles.
    """

    name: str
    lengths: tuple[float, ...]
    signs: Array
    offsets: Array
    frame: Array
    origin: Array
    limits: tuple[tuple[int, Range], ...]

    def joints(self, q: Array) -> Array:
        """Return the joint angles (alpha, then interior angles) of a posture (configuration) q."""
        return np.asarray(self.offsets + self.signs * q)

    def q(self, joints: Array) -> Array:
        """Return the posture with these joint angles."""
        return np.asarray(self.signs * (joints - self.offsets))

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
    """Return a chain as a planar arm. Raises BadOption for prismatic joints, non-parallel axes or segments without length."""
    if not is_arm(arm):
        raise BadOption("Mmc takes a Chain, for example limbik.load('planar3_cruse'); figures: solve(method='mmc')")
    elements = arm.model.compiled.elements
    plain = all(e.joint.kind.is_revolute and e.multiplier == 1.0 and e.offset == 0.0 for e in elements)
    instead = "use PointForm, or solve(method='mmc')"
    if not plain or len(elements) != arm.n or arm.n < 2:
        raise BadOption(f"'{arm.name}' is not an arm of two or more revolute joints; {instead}")
    T, J = arm.forward_jacobian(np.zeros(arm.n))
    screws = screws_at(T, J, np.ones(arm.n))
    normal = screws[0].axis
    if abs(abs(normal[2]) - 1.0) < PARALLEL:
        normal = np.array([0.0, 0.0, 1.0])
    signs = np.array([math.copysign(1.0, float(s.axis @ normal)) for s in screws])
    if any(np.linalg.norm(np.cross(s.axis, normal)) > PARALLEL for s in screws):
        raise BadOption(f"the axes of '{arm.name}' are not parallel, so it is no planar arm; {instead}")
    frame = onto_z(normal)[:3, :2]
    places = np.array([*(s.point for s in screws), T[:3, 3]])
    segments = np.diff(places, axis=0) @ frame
    lengths = np.hypot(*segments.T)
    if lengths.min() <= SHORTEST * max(float(lengths.sum()), 1e-300):
        raise BadOption(f"segment {int(lengths.argmin()) + 1} of '{arm.name}' has no length in its plane; {instead}")
    directions = np.arctan2(segments[:, 1], segments[:, 0])
    offsets = np.array([directions[0], *(math.pi + np.diff(directions))])
    limits = []
    for k in range(arm.n):
        low, high = sorted((offsets[k] + signs[k] * arm.lower[k], offsets[k] + signs[k] * arm.upper[k]))
        if math.isfinite(low) or math.isfinite(high):
            limits.append((k, Range(float(low), float(high))))
    return PlanarArm(arm.name, tuple(lengths.tolist()), signs, offsets, frame, places[0], tuple(limits))
