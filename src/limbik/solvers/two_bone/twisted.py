"""A redundant wrist of four hinges: a twist of the forearm, then three hinges whose axes intersect.

G = Rz(t) M H, where H is the rotation of the three hinges. At a twist t they must make H = Rot(-M'z, t) M'G, which
rotates about a fixed axis as t changes. The twists at which a hinge reaches a bound are therefore roots of one equation
each (spherical.py). The feasible twist closest to the seed is the seed's own, one of those roots, or a bound of the
twist itself.
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
    """A twist about z, the rotation M after it (`between`), and three hinges. lower, upper: the limits of the twist [rad]."""

    between: Array
    hinges: Hinges
    lower: float
    upper: float
    size: int = 4

    def rotation(self, values: Array) -> Array:
        """Return the rotation of joint values."""
        z = np.array([0.0, 0.0, 1.0])
        return rotations.turn(z, values[..., 0]) @ self.between @ self.hinges.rotation(values[..., 1:])

    def postures(self, G: Array, seed: Array, limits: bool, edge: float = EDGE) -> tuple[Array, Flags]:
        """Return the best joint values, (..., 2, 4), a row for each solution of the hinges, and which are feasible, (..., 2)."""
        z = np.array([0.0, 0.0, 1.0])
        seed = np.broadcast_to(seed, (*G.shape[:-2], 4))
        k, left = -(self.between.T @ z), self.between.T @ G
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
        best = np.argmin(far, axis=-2)  # index 0, the seed's own twist, if none is feasible
        chosen = np.take_along_axis(values, best[..., None, :, None], axis=-3)[..., 0, :, :]
        twist = np.take_along_axis(np.broadcast_to(twists[..., None], far.shape), best[..., None, :], axis=-2)[
            ..., 0, :
        ]
        found = np.take_along_axis(good, best[..., None, :], axis=-2)[..., 0, :]
        return np.concatenate([twist[..., None], chosen], -1), found

    def cuts(self, k: Array, G0: Array) -> Array:
        """Return the angles s at which hinges of Rot(k, s) G0 reach their bounds while the twist is at a bound.

        They are not all edges of the feasible set: an edge at which two hinges reach bounds may have the twist inside
        its range.
        """
        z = np.array([0.0, 0.0, 1.0])
        found = [np.zeros((*k.shape[:-1], 0))]
        for bound in (self.lower, self.upper):
            if math.isfinite(bound):
                back = self.between.T @ rotations.turn(z, np.array(-bound))
                found.append(self.hinges.cuts(k @ back.T, back @ G0))
        return np.concatenate(found, -1)

    def distance(self, values: Array, seed: Array) -> Array:
        """Return the distance of joint values from a seed [rad]."""
        return np.asarray(np.abs(values - seed).max(-1))
