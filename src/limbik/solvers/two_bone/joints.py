"""The joints of a limb: joint values from the positions of elbow and end, with or without limits."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.ranges import Ranges
from limbik.solvers.two_bone import rotations
from limbik.solvers.two_bone.geometry import Geometry, Points, geometry, points_of, turned_by
from limbik.solvers.two_bone.parts import Parts
from limbik.solvers.two_bone.plane import Flags, cross
from limbik.solvers.two_bone.spherical import EDGE, Ball, Hinges, nearest_turns
from limbik.solvers.two_bone.twisted import Twisted

Group = Ball | Hinges | Twisted

# A limb with a smaller bend is straight [rad].
STRAIGHT = 1e-4


@dataclass(frozen=True, eq=False)
class LimbJoints:
    """The joints of a limb. bend_axis: the bend axis of a ball at the elbow for a straight seed, in its own frame."""

    compiled: Compiled
    ranges: Ranges
    parts: Parts
    end: str
    bend_axis: Any = None

    @cached_property
    def root(self) -> Group:
        """The joints at the root."""
        return self._group(self.parts.root)

    @cached_property
    def wrist(self) -> Group | None:
        """The joints that orient the end; None if they cannot make every rotation."""
        return self._group(self.parts.wrist) if self.parts.wrist else None

    def _group(self, elements: tuple[int, ...]) -> Group:
        all_ = [self.compiled.elements[e] for e in elements]
        if all_[0].joint.kind is Kind.BALL:
            return Ball(all_[0].variable.joint)
        joints = [e.variable.joint for e in all_]
        placements = [e.placement[:3, :3] for e in all_]
        lower, upper = (np.array([getattr(j, side) for j in joints[-3:]]) for side in ("lower", "upper"))
        hinges = Hinges((placements[-2], placements[-1]), lower, upper)
        return hinges if len(all_) == 3 else Twisted(placements[1], hinges, joints[0].lower, joints[0].upper)

    def places(self, elements: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """Return the indices of some joints in q."""
        all_ = [self.compiled.elements[e] for e in elements]
        return np.array([k for e in all_ for k in range(e.variable.first, e.variable.first + e.joint.kind.size)], int)

    @cached_property
    def own(self) -> npt.NDArray[np.int64]:
        """The indices in q of the joints that the limb moves."""
        return self.places((*self.parts.root, self.parts.elbow, *self.parts.wrist))

    @cached_property
    def ball_elbow(self) -> Ball | None:
        """The elbow if it is a ball, else None."""
        joint = self.compiled.elements[self.parts.elbow].variable.joint
        return Ball(joint) if joint.kind is Kind.BALL else None

    def elbow_range(self, limits: bool) -> tuple[float, float]:
        """Return the range of a hinge at the elbow [rad]; unlimited for a ball and without limits."""
        joint = self.compiled.elements[self.parts.elbow].variable.joint
        return (joint.lower, joint.upper) if limits and self.ball_elbow is None else (-math.inf, math.inf)

    @cached_property
    def _points(self) -> Points:
        return points_of(self.compiled, self.parts)

    def geometry(self, q: Array, whole: bool) -> Geometry:
        """Return the bones at seeds, (B, n)."""
        return geometry(self.compiled, self.parts, self._points, q, whole, self.end, self.bend_axis)

    @property
    def branches(self) -> tuple[float, ...]:
        """The signs of the roots of the elbow's angle to examine: one for a ball, which does not bend backwards."""
        return (1.0,) if self.ball_elbow is not None else (1.0, -1.0)

    def postures(
        self, geo: Geometry, line: Array, side: Array, D: Array, R_end: Array | None, seeds: Array, limits: bool,
        edge: float = EDGE,
    ) -> tuple[Array, Flags]:  # fmt: skip
        """Return the postures with given lines, sides and distances closest to the seeds, (B, n), and which are feasible.

        If none does, the closest posture without limits is returned, so that its violation can be reported.
        """
        best: Array | None = None
        for branch in self._branches_by_range(limits):
            phi, r, s = geo.bend(D, branch, self.elbow_range(limits))
            fits = self._elbow_fits(geo, phi, branch, edge) if best is not None and limits else np.ones(len(line), bool)
            if not fits.any():
                continue
            R_upper = frame_of(line, side) @ np.swapaxes(frame_of(r, s), -1, -2)
            q = np.array(np.broadcast_to(seeds, (len(line), seeds.shape[-1])))
            R_elbow = rotations.turn(geo.axis, phi) @ geo.first
            base = np.swapaxes(geo.base[..., :3, :3], -1, -2)
            good, far = self._put(self.root, self.parts.root, base @ R_upper, q, limits, edge)
            elbow_good, elbow_far = self._put_elbow(phi, R_elbow, q, limits, edge)
            good, far = good & elbow_good, np.maximum(far, elbow_far)
            if R_end is not None and self.wrist is not None:
                F = R_upper @ geo.middle @ R_elbow @ geo.to_wrist
                H = np.swapaxes(F, -1, -2) @ R_end @ np.swapaxes(geo.from_wrist[..., :3, :3], -1, -2)
                wrist_good, wrist_far = self._put(self.wrist, self.parts.wrist, H, q, limits, edge)
                good, far = good & wrist_good, np.maximum(far, wrist_far)
            if best is None:
                best, best_good, best_far = q, good, far
                continue
            better = fits & ((good & ~best_good) | ((good == best_good) & (far < best_far)))
            best = np.where(better[:, None], q, best)
            best_good, best_far = best_good | (good & fits), np.where(better, far, best_far)
        assert best is not None
        return best, best_good

    def _branches_by_range(self, limits: bool) -> tuple[float, ...]:
        """Return the signs of the elbow's roots; first the side of straight on which more of the elbow's range lies."""
        low, high = self.elbow_range(limits)
        return tuple(reversed(self.branches)) if math.isfinite(low + high) and low + high < 0 else self.branches

    def _elbow_fits(self, geo: Geometry, phi: Array, branch: float, edge: float) -> Flags:
        """Return whether angles are in the range of a hinge at the elbow, (B,).

        A straight limb belongs to both branches. It counts for a branch only if its elbow can bend that way: otherwise
        the limb would have to rotate by pi about its line, and its elbow would point away from the desired side.
        """
        low, high = (np.array(x) for x in self.elbow_range(True))

        def in_range(angles: Array) -> Flags:
            return np.asarray(nearest_turns(angles, angles, low, high, True, edge)[1])

        beyond = in_range(geo.straightest + branch * STRAIGHT)
        return in_range(phi) & (beyond | (np.abs(np.sin(0.5 * (phi - geo.straightest))) > STRAIGHT))

    def _put(
        self, group: Group, elements: tuple[int, ...], G: Array, q: Array, limits: bool, edge: float
    ) -> tuple[Flags, Array]:
        """Write the joint values of a group for given rotations into q.

        Returns which are inside the limits, and their distance from the seed [rad].
        """
        at = self.places(elements)
        seed = q[:, at]
        values, good = group.postures(G, seed, limits, edge)
        far = group.distance(values, seed[:, None, :])
        pick = np.argmin(far + np.where(good, 0.0, 1e6), axis=-1)
        rows = np.arange(len(q))
        q[:, at] = values[rows, pick]
        return np.asarray(good[rows, pick]), np.asarray(far[rows, pick])

    def _put_elbow(self, phi: Array, R: Array, q: Array, limits: bool, edge: float) -> tuple[Flags, Array]:
        if self.ball_elbow is not None:
            return self._put(self.ball_elbow, (self.parts.elbow,), R, q, limits, edge)
        at = self.compiled.elements[self.parts.elbow].variable.first
        low, high = self.elbow_range(limits)
        value, good = nearest_turns(phi, q[:, at], np.array(low), np.array(high), limits, edge)
        far = np.abs(value - q[:, at])
        q[:, at] = value
        return good, far

    def within(self, q: Array) -> Flags:
        """Return which postures are inside the limits of all joints."""
        return self.ranges.within(q)

    def clamped(self, q: Array) -> Array:
        """Return postures, (B, n), those outside the limits moved inside them."""
        out = np.array(q)
        outside = ~self.within(out)
        out[outside] = self.ranges.clamp(out[outside])
        return out

    def frames(self, geo: Geometry, q: Array) -> tuple[Array, Array]:
        """Return the line and side of postures by forward kinematics: unit vectors, (B, 3) each.

        geo: the bones at q itself.
        """
        phi = np.zeros(len(q)) if self.ball_elbow is not None else q[:, self.places((self.parts.elbow,))[0]]
        branch = np.where(np.sin(phi - geo.straightest) < 0, -1.0, 1.0)
        D = np.linalg.norm(geo.u + turned_by(rotations.turn(geo.axis, phi), geo.after), axis=-1)
        R_upper = geo.base[..., :3, :3] @ self.root.rotation(q[:, self.places(self.parts.root)])
        both = [geo.bend(D, sign)[1:] for sign in (1.0, -1.0)]
        r, s = (np.where((branch > 0)[:, None], both[0][k], both[1][k]) for k in (0, 1))
        return turned_by(R_upper, r), turned_by(R_upper, s)


def frame_of(first: Array, second: Array) -> Array:
    """Return the frames of two perpendicular unit vectors and their cross product as columns, (..., 3, 3)."""
    return np.stack([first, second, cross(first, second)], -1)
