"""The bones of a limb: the transforms between root, elbow and wrist, with all other joints at the seed's values.

U is the frame after the root's last joint, s the root's point in it. The elbow is at c on its axis n, u leads from s to
c, and l is the bone after the elbow. With phi the elbow's angle from the seed (a ball) or from zero (a hinge), the end
is at s + u + Rot(n, phi) l, so
    D^2 = a^2 + b^2 + 2 (c0 + A cos phi + B sin phi)      a = |u|, b = |l|
holds for the distance D from root to end: root, elbow and end form a triangle with sides a, b, D for every axis, and
phi has two roots, symmetric about the angle of the greatest D. In U the triangle has the directions r (root to end) and
`side` (to the elbow); in space they are the line and side of the two bones (two_bone.hpp). The root's rotation takes
the first pair to the second.

A ball at the elbow rotates about the normal of the seed's bend, after the seed's own rotation, so that a posture (configuration)
of a recording keeps its twist and is reproduced for its own target.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limbik.geometry.angles import TURN, wrap
from limbik.geometry.arrays import Array
from limbik.model.compiled import Compiled, Element
from limbik.model.joint import Kind
from limbik.solvers.two_bone import rotations
from limbik.solvers.two_bone.parts import Parts, local
from limbik.solvers.two_bone.plane import Flags, any_across, cross, dots

# Sine of a bend below which its normal is undefined; a default axis is used instead.
STRAIGHT = 1e-6
# Component of a bone along the axis, relative to the limb's length, below which the bone is perpendicular to the axis.
PLANAR = 1e-9
# Difference of two squared distances, relative to the squared length, below which they are equal.
SQUARES = 1e-14
# An elbow this close to an end of its range is at that end [rad], if the relative change of the limb's length is at
# most SAME_LENGTH: at full stretch the angle is a square root of a rounded number and has half the digits, but the
# length barely changes.
AT_END, SAME_LENGTH = 1e-6, 1e-13
Z = np.array([0.0, 0.0, 1.0])


def turned_by(R: Array, v: Array) -> Array:
    """Return the products R v, (..., 3, 3) and (..., 3) -> (..., 3)."""
    return np.asarray(np.einsum("...ij,...j->...i", R, v))


def motions(element: Element, q: Array) -> Array:
    """Return the transforms of a joint at postures, (..., 4, 4)."""
    kind, first = element.joint.kind, element.variable.first
    T = np.zeros((*q.shape[:-1], 4, 4))
    T[..., 3, 3] = 1.0
    if kind.size == 1:
        value = element.multiplier * q[..., first] + element.offset
        T[..., :3, :3] = rotations.about_z(value) if kind.is_revolute else np.eye(3)
        T[..., 2, 3] = 0.0 if kind.is_revolute else value
        return T
    start = first + kind.size - 3
    T[..., :3, :3] = rotations.from_vectors(q[..., start : start + 3])
    if kind is Kind.FLOATING:
        T[..., :3, 3] = q[..., first : first + 3]
    return T


def along(compiled: Compiled, elements: tuple[int, ...], q: Array, *, last: bool = True) -> Array:
    """Return the product of T_parent_joint and joint motion over some elements; `last`: include the last motion."""
    if not elements:
        return np.broadcast_to(np.eye(4), (*q.shape[:-1], 4, 4))
    T: Array | None = None
    for i, e in enumerate(elements):
        x = compiled.elements[e]
        T = np.broadcast_to(x.placement, (*q.shape[:-1], 4, 4)) if T is None else T @ x.placement
        if last or i + 1 < len(elements):
            T = T @ motions(x, q)
    assert T is not None
    return T


@dataclass(frozen=True, eq=False)
class Points:
    """The intersection points of hinge axes, constant for all postures, (3,) each.

    root, root_after: the root's point in the frames before its first joint and after its last. wrist, wrist_after:
    likewise. For a ball the point is the origin.
    """

    root: Array
    root_after: Array
    wrist: Array
    wrist_after: Array


def points_of(compiled: Compiled, parts: Parts) -> Points:
    """Return the points in which the axes of a limb's root and wrist intersect."""
    zero = np.zeros((1, compiled.n))

    def in_frame(element: int, point: Array, after: bool) -> Array:
        return local(along(compiled, parts.path[: parts.path.index(element) + 1], zero, last=after)[0], point)

    none = np.zeros(3)
    root = (none, none)
    if len(parts.root) == 3:
        root = in_frame(parts.root[0], parts.meeting, False), in_frame(parts.root[-1], parts.meeting, True)
    wrist = (none, none)
    if len(parts.wrist) > 1 and parts.wrist_point is not None:
        wrist = (
            in_frame(parts.wrist[0], parts.wrist_point, False),
            in_frame(parts.wrist[-1], parts.wrist_point, True),
        )
    return Points(*root, *wrist)


@dataclass(frozen=True, eq=False)
class Geometry:
    """The bones at B seeds, in the notation of the module docstring."""

    base: Array  # (B, 4, 4) T_base_joint of the root's first joint, at joint value 0
    root: Array  # (B, 3) the root's point in the base frame
    middle: Array  # (B, 3, 3) from U to the elbow, rotation
    axis: Array  # (B, 3) the elbow's, in its own frame
    first: Array  # (B, 3, 3) the elbow's rotation at phi = 0
    u: Array  # (B, 3) in the elbow's frame
    after: Array  # (B, 3) the bone l in the elbow's frame at phi = 0
    to_wrist: Array  # (B, 3, 3) from after the elbow to the wrist's first joint, or to the end
    from_wrist: Array  # (B, 4, 4) from after the wrist's last joint to the end
    wrist_in_end: Array  # (B, 3) the wrist's point in the end's frame; 0 if only the end's position is a target
    a: Array  # (B,) |u| [m]
    b: Array  # (B,) |l| [m]
    c0: Array  # (B,) the constant of the equation for D^2, and hypot(A, B) and atan2(B, A) of its wave in phi
    height: Array
    straightest: Array
    planar: Flags  # (B,) whether both bones are perpendicular to the elbow's axis

    def distances(self, low: float, high: float) -> tuple[Array, Array]:
        """Return the least and the greatest distance from root to end for an elbow between two angles, (B,)."""
        if high - low >= TURN:
            angles = [self.straightest, self.straightest + math.pi]
        else:
            angles = [np.full(self.a.shape, low), np.full(self.a.shape, high)]
            for top in (self.straightest, self.straightest + math.pi):
                copy = np.ceil((low - top) / TURN) * TURN + top
                angles.append(np.where(copy <= high, copy, low))
        whole, gap = self.a + self.b, np.abs(self.a - self.b)
        D2 = np.stack(
            [self.a**2 + self.b**2 + 2 * (self.c0 + self.height * np.cos(x - self.straightest)) for x in angles]
        )
        # A straight or folded limb: the sum or difference of the lengths is exact, the root of D2 has half the digits.
        D = np.sqrt(np.maximum(D2, 0.0))
        for exact in (whole, gap):
            D = np.where(self.planar & (np.abs(D2 - exact**2) <= SQUARES * whole**2), exact, D)
        return D.min(0), D.max(0)

    def rolled(self, angle: Array) -> "Geometry":
        """Return the bones with everything after a ball at the elbow rotated about the upper bone by angles [rad], (M,)."""
        unit = self.u / np.where(self.a > 0, self.a, 1.0)[..., None]
        R = rotations.turn(np.where(self.a[..., None] > 0, unit, Z), angle)
        return replace(self, axis=turned_by(R, self.axis), first=R @ self.first, after=turned_by(R, self.after))

    def bend(
        self, D: Array, branch: float, ends: tuple[float, float] = (-math.inf, math.inf)
    ) -> tuple[Array, Array, Array]:
        """Return the elbow's angle for distances, and the directions r and side in U, for one of its roots (1 or -1).

        ends: the range of a hinge at the elbow; an angle that exceeds an end by rounding alone is set to that end.
        """
        size = np.where(self.height > 0, self.height, 1.0)
        cosine = np.clip((0.5 * (D * D - self.a**2 - self.b**2) - self.c0) / size, -1, 1)
        phi = self.straightest + branch * np.arctan2(np.sqrt((1 - cosine) * (1 + cosine)), cosine)
        for end in filter(math.isfinite, ends):
            off = wrap(phi - end)
            changed = np.abs(np.cos(end - self.straightest) - cosine) * size
            phi = np.where((np.abs(off) <= AT_END) & (changed <= SAME_LENGTH * D * (self.a + self.b)), phi - off, phi)
        to_end = self.u + np.einsum("...ij,...j->...i", rotations.turn(self.axis, phi), self.after)
        length = np.linalg.norm(to_end, axis=-1)
        some = length > PLANAR * (self.a + self.b)
        r = to_end / np.where(some, length, 1.0)[..., None]
        unit_u = self.u / np.where(self.a > 0, self.a, 1.0)[..., None]
        r = np.where(some[..., None], r, branch * cross(self.axis, unit_u))
        side = -branch * cross(self.axis, r)
        part = self.u - dots(self.u, r)[..., None] * r
        size = np.linalg.norm(part, axis=-1)
        skew = ~self.planar & (size > STRAIGHT * self.a)
        side = np.where(skew[..., None], part / np.where(skew, size, 1.0)[..., None], side)
        side = side - dots(side, r)[..., None] * r
        side = side / np.linalg.norm(side, axis=-1, keepdims=True)
        return phi, turned_by(self.middle, r), turned_by(self.middle, side)


def geometry(
    compiled: Compiled, parts: Parts, points: Points, q: Array, whole: bool, end: str, bend_axis: Any = None
) -> Geometry:
    """Return the bones at seeds q, (B, n). whole: for targets with an orientation, so the lower bone ends at the wrist."""
    path = parts.path
    at = {e: i for i, e in enumerate(path)}
    i, j, k = at[parts.root[0]], at[parts.root[-1]], at[parts.elbow]
    base = along(compiled, path[: i + 1], q, last=False)
    root = np.einsum("...ij,j->...i", base[..., :3, :3], points.root) + base[..., :3, 3]
    s = points.root_after
    middle = along(compiled, path[j + 1 : k + 1], q, last=False)
    R1 = middle[..., :3, :3]
    s_elbow = np.einsum("...ji,...j->...i", R1, s - middle[..., :3, 3])
    elbow = compiled.elements[parts.elbow]
    ball = elbow.joint.kind is Kind.BALL
    c = np.zeros_like(s_elbow) if ball else s_elbow * Z
    u = c - s_elbow

    # From the elbow to the wrist's point, or to the end with the wrist's joints at the seed.
    tail = compiled.frames[end][1]
    if whole and parts.wrist:
        w = at[parts.wrist[0]]
        to_wrist = along(compiled, path[k + 1 : w + 1], q, last=False)
        last = at[parts.wrist[-1]]
        from_wrist = along(compiled, path[last + 1 :], q) @ tail
        place = np.einsum("...ij,j->...i", to_wrist[..., :3, :3], points.wrist) + to_wrist[..., :3, 3]
        behind = points.wrist_after - from_wrist[..., :3, 3]
        wrist_in_end = np.einsum("...ji,...j->...i", from_wrist[..., :3, :3], behind)
    else:
        to_wrist = along(compiled, path[k + 1 :], q) @ tail
        from_wrist, place = np.broadcast_to(np.eye(4), to_wrist.shape), to_wrist[..., :3, 3]
        wrist_in_end = np.zeros_like(place)
    l = place - c  # noqa: E741
    first = np.broadcast_to(np.eye(3), R1.shape)
    axis = np.broadcast_to(Z, u.shape)
    if ball:
        v = elbow.variable.first
        first = rotations.from_vectors(q[..., v : v + 3])
        l = np.einsum("...ij,...j->...i", first, l)  # noqa: E741
        axis = _bend_axis(u, l, bend_axis)
    a, b = np.linalg.norm(u, axis=-1), np.linalg.norm(l, axis=-1)
    un, ln = dots(u, axis), dots(l, axis)
    A, B = dots(u, l) - un * ln, dots(u, cross(axis, l))
    planar = np.maximum(np.abs(un), np.abs(ln)) <= PLANAR * (a + b)
    return Geometry(
        base, root, R1, axis, first, u, l, to_wrist[..., :3, :3], from_wrist, wrist_in_end, a, b, un * ln,
        np.hypot(A, B), np.arctan2(B, A), planar,
    )  # fmt: skip


def _bend_axis(u: Array, l: Array, given: Any) -> Array:  # noqa: E741
    """Return the axis about which a ball bends: the normal of a bent seed, else the given axis, else any perpendicular one."""
    size = np.linalg.norm(u, axis=-1) * np.linalg.norm(l, axis=-1)
    normal = cross(u, l)
    sine = np.linalg.norm(normal, axis=-1)
    bent = sine > STRAIGHT * size
    unit_u = u / np.where(size > 0, np.linalg.norm(u, axis=-1), 1.0)[..., None]
    unit_u = np.where(size[..., None] > 0, unit_u, Z)
    other = any_across(unit_u) if given is None else np.broadcast_to(given, u.shape)
    other = other - dots(other, unit_u)[..., None] * unit_u
    length = np.linalg.norm(other, axis=-1, keepdims=True)
    other = np.where(length > STRAIGHT, other / np.where(length > 0, length, 1.0), any_across(unit_u))
    return np.where(bent[..., None], normal / np.where(bent, sine, 1.0)[..., None], other)
