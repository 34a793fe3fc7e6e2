"""The paper's task: targets (r, phi) in the first quadrant of a planar arm, and the posture with the smaller theta1.

Two links: with c = (r^2 - l1^2 - l2^2) / (2 l1 l2), theta2 = acos c >= 0 and theta1 = phi - atan2(l2 sin theta2, l1 +
l2 cos theta2). The other posture has -theta2 and a larger theta1. A third link at a fixed angle forms one rigid link
with the second: its length is |l2 + l3 e^(i theta3)|, and the argument of this complex number is added to theta2. So r
is between |l1 - l2| and l1 + l2 of this two-link arm, and at both ends the arm is singular.
"""

from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The link lengths of planar2_guez and planar3_guez in the catalogue [m].
CATALOGUE = (1.0, 0.9, 0.1)
# The range by which theta3 is scaled for a network: a whole turn, because theta3 is constant in training [rad].
THIRD_RANGE = (-np.pi, np.pi)


@dataclass(frozen=True)
class Quadrant:
    """The link lengths of an arm [m], and the fixed angle of its third joint [rad], None with two links."""

    name: str
    lengths: tuple[float, ...]
    third: float | None = None

    @property
    def arm(self) -> Chain:
        """The arm of the catalogue, or one with other lengths."""
        return _arm(self.lengths)

    @property
    def links(self) -> tuple[float, float, float]:
        """The first link, the rest of the arm as one link, and the angle from the second link to it."""
        first, second, *more = self.lengths
        rest = second + sum(more) * np.exp(1j * (self.third or 0.0))
        return first, float(abs(rest)), float(np.angle(rest))

    @property
    def reach(self) -> tuple[float, float]:
        """The smallest and the largest r."""
        first, rest, _ = self.links
        return abs(first - rest), first + rest

    def places(self, side: int, *, between: bool = False) -> Array:
        """Return targets (r, phi) on a uniform grid over the quadrant, (side^2, 2). between: without its edges."""
        steps = (np.arange(side) + 0.5) / side if between else np.linspace(0.0, 1.0, side)
        low, high = self.reach
        r, phi = np.meshgrid(low + (high - low) * steps, np.pi / 2 * steps, indexing="ij")
        return np.stack([r.ravel(), phi.ravel()], axis=-1)

    def places_by_bend(self, side: int) -> Array:
        """Return targets (r, phi) on a grid that is uniform in the bend of the equivalent two-link arm and in phi."""
        first, rest, _ = self.links
        bend, phi = np.meshgrid(np.linspace(0.0, np.pi, side), np.linspace(0.0, np.pi / 2, side), indexing="ij")
        r = np.sqrt(np.maximum(first**2 + rest**2 + 2.0 * first * rest * np.cos(bend), 0.0))
        return np.stack([r.ravel(), phi.ravel()], axis=-1)

    def postures(self, places: Array) -> Array:
        """Return the posture of each target, (..., joints)."""
        r, phi = places[..., 0], places[..., 1]
        first, rest, offset = self.links
        bend = np.arccos(np.clip((r**2 - first**2 - rest**2) / (2.0 * first * rest), -1.0, 1.0))
        theta1 = phi - np.arctan2(rest * np.sin(bend), first + rest * np.cos(bend))
        angles = [theta1, bend - offset]
        return np.stack(angles if self.third is None else [*angles, np.full_like(r, self.third)], axis=-1)

    def bend(self, places: Array) -> Array:
        """Return theta2 of the equivalent two-link arm at each target [rad]; 0 where it is stretched."""
        return np.asarray(self.postures(places)[..., 1] + self.links[2])

    def missed(self, places: Array, q: Array) -> Array:
        """Return the errors of postures in X and Y by forward kinematics, (..., 2) [m]."""
        return np.asarray(self.arm.forward(q)[..., :2, 3] - points(places))

    def ranges(self, side: int) -> tuple[Array, Array]:
        """Return the ranges of targets and joints, those of the examples, by which a network is scaled."""
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
    """Return targets (r, phi) in X and Y [m]."""
    return np.asarray(places[..., :1] * np.stack([np.cos(places[..., 1]), np.sin(places[..., 1])], axis=-1))


TWO_LINKS = Quadrant("two links", (1.0, 0.9))
THIRD_AT_90 = Quadrant("theta3 = 90 deg", (1.0, 0.9, 0.1), np.pi / 2)
THIRD_AT_0 = Quadrant("theta3 = 0", (1.0, 0.9, 0.1), 0.0)
