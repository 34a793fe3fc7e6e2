"""A wrist of four hinges: a forearm that twists, then three hinges. One more than an orientation needs.

G = Rz(t) M (three hinges). At every twist t the three hinges must make Rot(-M'z, t) M'G, a rotation that goes round with t, so
the twists at which a hinge meets a bound are roots of one equation each (spherical.py). The twist nearest the seed at which all
keep their limits is therefore the seed's own, or one of those roots, or a bound of the twist itself.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.two_bone import rotations
from limbik.solvers.two_bone.plane import Flags
from limbik.solvers.two_bone.spherical import EDGE, Hinges, nearest_turns


@dataclass(frozen=True, eq=False)
class Twisted:
    """A twist about z, the rotation M after it, and three hinges. lower, upper: of the twist."""

    mount: Array
    hinges: Hinges
    lower: float
    upper: float
    size: int = 4

    def rotation(self, values: Array) -> Array:
        """Return the rotation that joint values make."""
        z = np.array([0.0, 0.0, 1.0])
        return rotations.turn(z, values[..., 0]) @ self.mount @ self.hinges.rotation(values[..., 1:])

    def postures(self, G: Array, seed: Array, limits: bool, edge: float = EDGE) -> tuple[Array, Flags]:
        """Return the best postures, (..., 2, 4), one for each way of the hinges, and which keep the limits, (..., 2)."""
        z = np.array([0.0, 0.0, 1.0])
        seed = np.broadcast_to(seed, (*G.shape[:-2], 4))
        k, left = -(self.mount.T @ z), self.mount.T @ G
        twists = seed[..., :1]
        if limits:
            cuts = self.hinges.cuts(np.broadcast_to(k, (*G.shape[:-2], 3)), left)
            bounds = [np.full(twists.shape, b) for b in (self.lower, self.upper) if math.isfinite(b)]
            twists = np.concatenate([twists, cuts, *bounds], -1)
        missing = np.isnan(twists)
        low, high = np.array(self.lower), np.array(self.upper)
        twists, inside = nearest_turns(np.where(missing, 0.0, twists), seed[..., :1], low, high, limits, edge)
        hinge_seed = np.broadcast_to(seed[..., None, 1:], (*twists.shape, 3))
        values, good = self.hinges.postures(rotations.turn(k, twists) @ left[..., None, :, :], hinge_seed, limits, edge)
        good = good & (inside & ~missing)[..., None]
        far = np.abs(twists - seed[..., :1])[..., None] + np.where(good, 0.0, math.inf)
        best = np.argmin(far, axis=-2)  # the first where none fits: the seed's own twist
        chosen = np.take_along_axis(values, best[..., None, :, None], axis=-3)[..., 0, :, :]
        twist = np.take_along_axis(np.broadcast_to(twists[..., None], far.shape), best[..., None, :], axis=-2)[
            ..., 0, :
        ]
        found = np.take_along_axis(good, best[..., None, :], axis=-2)[..., 0, :]
        return np.concatenate([twist[..., None], chosen], -1), found

    def cuts(self, k: Array, G0: Array) -> Array:
        """Return the angles s at which hinges of Rot(k, s) G0 meet their bounds while the twist is at one of its own.

        Not every edge is among them: where two hinges meet bounds at once, the best twist lies between its own.
        """
        z = np.array([0.0, 0.0, 1.0])
        found = [np.zeros((*k.shape[:-1], 0))]
        for bound in (self.lower, self.upper):
            if math.isfinite(bound):
                back = self.mount.T @ rotations.turn(z, np.array(-bound))
                found.append(self.hinges.cuts(k @ back.T, back @ G0))
        return np.concatenate(found, -1)

    def away(self, values: Array, seed: Array) -> Array:
        """Return how far a posture is from a seed [rad]."""
        return np.asarray(np.abs(values - seed).max(-1))
