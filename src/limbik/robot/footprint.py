"""What a planted figure stands on: the corners of its soles, and the point over which its weight is to be.

A planted frame stands on the shapes of its link: on the four edges along a box's shortest side, at half their height; every end
of a capsule (a sphere has one) stands for the four points of its round that lie farthest to the sides: the support is a little
smaller than the sole, never larger. A frame without a shape stands on its origin. With loads, the centre of mass is wished over
the mean of the soles' middles, weighed by the loads.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.goals.pin import Planted
from limbik.model.model import Model
from limbik.model.shape import Box, Shape, Sphere
from limbik.robot.skeleton import Skeleton

Point = tuple[float, ...]

# The points of a round end that count, to the sides.
SIDES = 4


@dataclass(frozen=True, eq=False)
class Footprint:
    """The soles of planted frames: (pin, frame number, point in the frame, radius), and which pin carries how much."""

    soles: tuple[tuple[str, int, Array, float], ...]
    loads: tuple[tuple[str, float], ...]
    sides: Array

    @classmethod
    def of(cls, figure: Skeleton, pins: Iterable[Any], model: Model) -> "Footprint":
        """Return what the planted among some pins stand on."""
        planted = [pin for pin in pins if isinstance(pin, Planted)]
        soles: list[tuple[str, int, Array, float]] = []
        for pin in planted:
            number = model.frame_index(pin.frame)
            ends = [end for frame, shape in figure.shapes if frame == pin.frame for end in _ends(shape)]
            soles += [(str(pin.name), number, point, radius) for point, radius in ends or [(np.zeros(3), 0.0)]]
        up = np.array(model.up)
        side = np.cross(up, (1.0, 0.0, 0.0) if abs(up[0]) < 0.5 else (0.0, 1.0, 0.0))
        side = side / np.linalg.norm(side)
        ahead = np.cross(up, side)
        loads = tuple((str(pin.name), pin.load) for pin in planted if pin.load is not None)
        return cls(tuple(soles), loads, np.array([side, -side, ahead, -ahead]))

    @property
    def corners(self) -> int:
        """How many points the support has."""
        return SIDES * len(self.soles)

    def stand(self, poses: Array) -> tuple[Array, dict[str, Point]]:
        """Return the corners of the support, (k, 3), and the middle of each pin's own soles, where frames stand so."""
        corners: list[Array] = []
        middles: dict[str, list[Array]] = {}
        for pin, number, point, radius in self.soles:
            middle = poses[number][:3, :3] @ point + poses[number][:3, 3]
            corners.append(middle + radius * self.sides)
            middles.setdefault(pin, []).append(middle)
        support = np.concatenate(corners) if corners else np.zeros((0, 3))
        return support, {pin: tuple(np.mean(points, axis=0).tolist()) for pin, points in middles.items()}


def _ends(shape: Shape) -> list[tuple[Array, float]]:
    """Return the points that a shape stands on, and how far it is round about each."""
    if isinstance(shape, Box):
        flat = [0.0 if k == int(np.argmin(shape.sides)) else side for k, side in enumerate(shape.sides)]
        corners = np.unique(Box(shape.centre, flat, shape.rotation).corners, axis=0)
        return [(corner, 0.0) for corner in corners]
    ends = (shape.centre,) if isinstance(shape, Sphere) else tuple(dict.fromkeys((shape.start, shape.end)))
    return [(np.array(end), shape.radius) for end in ends]


def shifted(loads: Iterable[tuple[str, float]], centres: Mapping[str, Point]) -> Array:
    """Return the point over which a weight shared like this rests. Raises BadOption where nothing carries."""
    shares = dict(loads)
    whole = sum(shares.values())
    if not whole > 0:
        raise BadOption("some planted frame must carry a load above 0")
    return np.asarray(sum(share / whole * np.array(centres[name]) for name, share in shares.items()))
