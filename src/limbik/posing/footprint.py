"""The support of a planted figure: the corners of its soles, and the target point of its centre of mass.

The shapes of a planted frame's link define its sole. A box contributes the middles of the four edges along its shortest side.
Each end of a capsule (a sphere has one) contributes the four outermost points of its circle, so the support is slightly smaller
than the sole, never larger. A frame without a shape contributes its origin. With loads, a secondary objective moves the centre
of mass over the mean of the soles' centres, weighted by the loads.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.goals.pin import Planted
from limbik.model.model import Model
from limbik.model.shape import Box, Shape, Sphere

if TYPE_CHECKING:
    from limbik.robot.skeleton import Skeleton

Point = tuple[float, ...]

# The directions of the support points of a round end.
SIDES = 4


@dataclass(frozen=True, eq=False)
class Footprint:
    """The soles of planted frames: (pin, frame index, point in the frame, radius), and the load of each pin."""

    soles: tuple[tuple[str, int, Array, float], ...]
    loads: tuple[tuple[str, float], ...]
    sides: Array

    @classmethod
    def of(cls, figure: "Skeleton", pins: Iterable[Any], model: Model) -> "Footprint":
        """Return the footprint of the planted pins."""
        planted = [pin for pin in pins if isinstance(pin, Planted)]
        soles: list[tuple[str, int, Array, float]] = []
        for pin in planted:
            number = model.frame_index(pin.frame)
            ends = [end for frame, shape in figure.model.shapes if frame == pin.frame for end in _ends(shape)]
            soles += [(str(pin.name), number, point, radius) for point, radius in ends or [(np.zeros(3), 0.0)]]
        up = np.array(model.up)
        side = np.cross(up, (1.0, 0.0, 0.0) if abs(up[0]) < 0.5 else (0.0, 1.0, 0.0))
        side = side / np.linalg.norm(side)
        ahead = np.cross(up, side)
        loads = tuple((str(pin.name), pin.load) for pin in planted if pin.load is not None)
        return cls(tuple(soles), loads, np.array([side, -side, ahead, -ahead]))

    @property
    def corners(self) -> int:
        """The number of support points."""
        return SIDES * len(self.soles)

    def stand(self, poses: Array) -> tuple[Array, dict[str, Point]]:
        """Return the corners of the support, (k, 3), and the centre of each pin's soles, at given frame poses."""
        corners: list[Array] = []
        middles: dict[str, list[Array]] = {}
        for pin, number, point, radius in self.soles:
            middle = poses[number][:3, :3] @ point + poses[number][:3, 3]
            corners.append(middle + radius * self.sides)
            middles.setdefault(pin, []).append(middle)
        support = np.concatenate(corners) if corners else np.zeros((0, 3))
        return support, {pin: tuple(np.mean(points, axis=0).tolist()) for pin, points in middles.items()}


def _ends(shape: Shape) -> list[tuple[Array, float]]:
    """Return the support points of a shape, with a radius each."""
    if isinstance(shape, Box):
        flat = [0.0 if k == int(np.argmin(shape.sides)) else side for k, side in enumerate(shape.sides)]
        corners = np.unique(Box(shape.centre, flat, shape.rotation).corners, axis=0)
        return [(corner, 0.0) for corner in corners]
    ends = (shape.centre,) if isinstance(shape, Sphere) else tuple(dict.fromkeys((shape.start, shape.end)))
    return [(np.array(end), shape.radius) for end in ends]


def weighted_centre(loads: Iterable[tuple[str, float]], centres: Mapping[str, Point]) -> Array:
    """Return the mean of the centres weighted by the loads, (3,). Raises BadOption if no load is above 0."""
    shares = dict(loads)
    whole = sum(shares.values())
    if not whole > 0:
        raise BadOption("at least one planted frame must carry a load above 0")
    return np.asarray(sum(share / whole * np.array(centres[name]) for name, share in shares.items()))
