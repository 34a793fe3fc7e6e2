"""A smooth curve through poses as a piece of a path, with constant speed or with the times of its poses."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import pose_error
from limbik.geometry.arrays import Array
from limbik.motion.piece import METRES_PER_RADIAN, SAMPLES, Piece, make_poses

# The lower bound of a curve's parametric speed, as a fraction of the mean: at zero speed it could not be reparametrised.
SLOWEST = 1e-6
# The number of knots of a closed curve that are repeated beyond each end, so that the curve is smooth there.
BEYOND = 4


@dataclass(frozen=True, eq=False)
class Curve(Piece):
    """A smooth curve through poses: cubic splines of the position and of the rotation.

    knots: (k,) increasing, the parameter at each pose. even: constant speed; else the parameter is the time.
    """

    Ts: Array
    knots: Array
    closed: bool
    even: bool

    def at(self, x: Array) -> Array:
        """Return the poses."""
        u = self.knots[0] + x * (self.knots[-1] - self.knots[0])
        return self._raw(np.clip(self._even(x), self.knots[0], self.knots[-1]) if self.even else u)

    def _raw(self, u: Array) -> Array:
        place, rotation = self._splines
        return make_poses(place(u), rotation(u).as_matrix())

    @cached_property
    def _splines(self) -> tuple[Any, Any]:
        from scipy.interpolate import CubicSpline
        from scipy.spatial.transform import Rotation, RotationSpline

        Ts, knots = self.Ts, self.knots
        if self.closed:
            more = min(BEYOND, len(knots) - 1)
            period = knots[-1] - knots[0]
            knots = np.concatenate([knots[-1 - more : -1] - period, knots, knots[1 : 1 + more] + period])
            Ts = np.concatenate([Ts[-1 - more : -1], Ts, Ts[1 : 1 + more]])
        return CubicSpline(knots, Ts[:, :3, 3]), RotationSpline(knots, Rotation.from_matrix(Ts[:, :3, :3]))

    @cached_property
    def _even(self) -> Any:
        """The parameter as a function of the relative arc length."""
        from scipy.interpolate import CubicHermiteSpline

        # the same number of positions between any two knots
        pieces = np.arange((len(self.knots) - 1) * SAMPLES + 1) / SAMPLES
        u = np.interp(pieces, np.arange(len(self.knots)), self.knots)
        # Gauss' rule with three points in each piece, for the arc length
        middle, half = 0.5 * (u[1:] + u[:-1]), 0.5 * np.diff(u)
        shift = half * math.sqrt(0.6)
        arcs = half * (5 * self._speed(middle - shift) + 8 * self._speed(middle) + 5 * self._speed(middle + shift)) / 9
        length_so_far = np.concatenate([[0.0], np.cumsum(np.maximum(arcs, SLOWEST * arcs.sum()))])
        slope = length_so_far[-1] / np.maximum(self._speed(u), SLOWEST * length_so_far[-1] / (u[-1] - u[0]))
        return CubicHermiteSpline(length_so_far / length_so_far[-1], u, slope)

    def _speed(self, u: Array) -> Array:
        place, rotation = self._splines
        return np.asarray(
            np.hypot(np.linalg.norm(place(u, 1), axis=1), METRES_PER_RADIAN * np.linalg.norm(rotation(u, 1), axis=1))
        )

    @cached_property
    def extent(self) -> tuple[float, float]:
        """The length of the curve, and its total rotation."""
        Ts = self.at(np.linspace(0.0, 1.0, (len(self.knots) - 1) * SAMPLES + 1))
        steps = pose_error(Ts[:-1], Ts[1:])
        return float(np.linalg.norm(steps[:, :3], axis=1).sum()), float(np.linalg.norm(steps[:, 3:], axis=1).sum())
