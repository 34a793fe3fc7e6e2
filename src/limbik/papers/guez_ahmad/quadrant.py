"""The paper's task: the first quadrant of a planar arm, by polar coordinates, and the posture with the smaller theta1.

Two links: with c = (r^2 - l1^2 - l2^2) / (2 l1 l2), theta2 = acos c >= 0 and theta1 = phi - atan2(l2 sin theta2, l1 + l2 cos
theta2). The other posture has -theta2, and a greater theta1. A third link at a fixed angle makes one link with the second:
its length is |l2 + l3 e^(i theta3)|, and the direction of that number is added to theta2. So r goes from |l1 - l2| to l1 + l2
of this arm, and at both ends the arm is singular.
"""

from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The lengths of the links that the catalogue has, of planar2_guez and planar3_guez [m].
CATALOGUE = (1.0, 0.9, 0.1)
# How theta3 is scaled for a network: by a whole turn, because in training it never changes [rad].
THIRD_RANGE = (-np.pi, np.pi)


@dataclass(frozen=True)
class Quadrant:
    """An arm's lengths [m], and the angle that its third joint is held at [rad], None with two links."""

    name: str
    lengths: tuple[float, ...]
    third: float | None = None

    @property
    def arm(self) -> Chain:
        """The arm: that of the catalogue, or one with other lengths."""
        return _arm(self.lengths)

    @property
    def links(self) -> tuple[float, float, float]:
        """The first link, the rest of the arm as one link, and the angle from the second link to it."""
        first, second, *more = self.lengths
        rest = second + sum(more) * np.exp(1j * (self.third or 0.0))
        return first, float(abs(rest)), float(np.angle(rest))

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest r."""
        first, rest, _ = self.links
        return abs(first - rest), first + rest

    def places(self, side: int, *, between: bool = False) -> Array:
        """Return (side^2, 2) places (r, phi) on an even grid over the quadrant. between: not on its edges."""
        steps = (np.arange(side) + 0.5) / side if between else np.linspace(0.0, 1.0, side)
        low, high = self.reach
        r, phi = np.meshgrid(low + (high - low) * steps, np.pi / 2 * steps, indexing="ij")
        return np.stack([r.ravel(), phi.ravel()], axis=-1)

    def postures(self, places: Array) -> Array:
        """Return the posture of each place, (..., joints)."""
        r, phi = places[..., 0], places[..., 1]
        first, rest, turned = self.links
        bend = np.arccos(np.clip((r**2 - first**2 - rest**2) / (2.0 * first * rest), -1.0, 1.0))
        theta1 = phi - np.arctan2(rest * np.sin(bend), first + rest * np.cos(bend))
        angles = [theta1, bend - turned]
        return np.stack(angles if self.third is None else [*angles, np.full_like(r, self.third)], axis=-1)

    def bend(self, places: Array) -> Array:
        """Return how far the arm is from being stretched at each place: theta2, seen as two links [rad]."""
        return np.asarray(self.postures(places)[..., 1] + self.links[2])

    def missed(self, places: Array, q: Array) -> Array:
        """Return the errors in X and Y of postures, by forward kinematics, (..., 2) [m]."""
        return np.asarray(self.arm.forward(q)[..., :2, 3] - points(places))

    def ranges(self, side: int) -> tuple[Array, Array]:
        """Return the ranges of places and joints that a network is scaled by: those of the examples."""
        x = self.places(side)
        y = self.postures(x)
        y_range = np.stack([y.min(axis=0), y.max(axis=0)])
        if self.third is not None:
            y_range[:, 2] = THIRD_RANGE
        return np.stack([x.min(axis=0), x.max(axis=0)]), y_range


@cache
def _arm(lengths: tuple[float, ...]) -> Chain:
    if lengths == CATALOGUE[: len(lengths)]:
        return cast(Chain, load(f"planar{len(lengths)}_guez"))
    return Chain.from_dh([(length, 0.0, 0.0, 0.0) for length in lengths])


def points(places: Array) -> Array:
    """Return places (r, phi) as X and Y [m]."""
    return np.asarray(places[..., :1] * np.stack([np.cos(places[..., 1]), np.sin(places[..., 1])], axis=-1))


TWO_LINKS = Quadrant("two links", (1.0, 0.9))
THIRD_AT_90 = Quadrant("theta3 = 90 deg", (1.0, 0.9, 0.1), np.pi / 2)
THIRD_AT_0 = Quadrant("theta3 = 0", (1.0, 0.9, 0.1), 0.0)
