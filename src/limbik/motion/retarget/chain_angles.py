"""Joint values of a short serial chain for wanted orientations, for many frames at once, inside the limits.

The orientation of the end is P = M1 T1 M2 T2 ... Mk Tk, with placements M and joint rotations T. Wanted is P = D.

One ball takes all of D. Several balls share it evenly (so that a spine bends uniformly), each with 1/k of the
rotation vector of D (M1...Mk)^-1. Three revolute joints have two solutions (Davenport's angles, for any axes): from the entry
zz of N = M1^-1 D, u = M2^T z and c = M3 z,

    u^T Rz(q2) c = N_zz      two values of q2, or the nearest one where there is none
    Rz(q1) (M2 Rz(q2) c) = N z,    Rz(-q3) (M3^T Rz(-q2) u) = N^T z      one value each.

For a whole motion, the solution with the smaller limit violation is used throughout, so it has no jumps. Values outside are
clamped, and coordinate ascent optimises one joint after the other: with all others fixed, tr(D^T P) is A cos q + B sin q + C,
whose maximum on an interval is known. Each step brings P closer to D, so this converges; it is also used for one or two joints,
and for more than three.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector, vector_from_matrix
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.ranges import Ranges

# The most sweeps over the joints of a row without a closed form.
SWEEPS = 12
# The tolerance of a reached rotation [1 - cos].
REACHED = 1e-12
# A sine below this means that the two outer axes of three are parallel.
PARALLEL = 1e-9


@dataclass(frozen=True, eq=False)
class Row:
    """A serial chain of joints: the moving elements, and the rotation from the last one to the wanted frame."""

    compiled: Compiled
    elements: tuple[int, ...]
    end: Array

    def mount(self, k: int) -> Array:
        """Return the constant rotation from one joint to the next."""
        return self.compiled.elements[self.elements[k]].mount[:3, :3]

    def turns(self, k: int, q: Array) -> Array:
        """Return the rotation of a joint, (frames, 3, 3)."""
        e = self.compiled.elements[self.elements[k]]
        first, kind = e.variable.first, e.joint.kind
        if kind is Kind.PRISMATIC:
            return np.broadcast_to(np.eye(3), (len(q), 3, 3))
        if kind.size == 1:
            return about_z(e.multiplier * q[:, first] + e.offset)
        start = first + kind.size - 3
        return matrix_from_vector(q[:, start : start + 3])

    def forward(self, q: Array) -> Array:
        """Return the rotation of the last joint relative to the parent of the first, (frames, 3, 3)."""
        P = np.broadcast_to(np.eye(3), (len(q), 3, 3))
        for k in range(len(self.elements)):
            P = P @ self.mount(k) @ self.turns(k, q)
        return P


def about_z(angles: Array) -> Array:
    """Return rotations about z, (...) -> (..., 3, 3)."""
    c, s = np.cos(angles), np.sin(angles)
    out = np.zeros((*np.shape(angles), 3, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 1, 0], out[..., 1, 1], out[..., 2, 2] = c, -s, s, c, 1.0
    return out


def fit(row: Row, wanted: Array, q: Array, ranges: Ranges, *, shared: bool) -> None:
    """Write into q, (frames, n), the joint values for wanted orientations of a row's end, (frames, 3, 3).

    shared: several balls share the rotation; otherwise the last takes it.
    """
    elements = [row.compiled.elements[k] for k in row.elements]
    own = [k for k, e in enumerate(elements) if e.joint.mimic is None and e.joint.kind is not Kind.PRISMATIC]
    if not own:
        return
    kinds = {elements[k].joint.kind.size for k in own}
    D = wanted @ row.end.T
    if 1 not in kinds:
        _fit_balls(row, own if shared else own[-1:], D, q)
        q[:] = ranges.clamp(q)
        return
    if len(own) == len(elements) == 3 and kinds == {1}:
        _fit_three(row, D, q, ranges)
    _ascend(row, own, D, q, ranges)


def _fit_balls(row: Row, own: list[int], D: Array, q: Array) -> None:
    mounts = [np.eye(3)]
    for k in range(len(row.elements)):
        mounts.append(mounts[-1] @ row.mount(k))
    whole = D @ mounts[-1].T
    vectors = vector_from_matrix(whole) / len(own)
    for k in own:
        e = row.compiled.elements[row.elements[k]]
        start = e.variable.first + e.joint.kind.size - 3
        q[:, start : start + 3] = vectors @ mounts[k + 1]


def _fit_three(row: Row, D: Array, q: Array, ranges: Ranges) -> None:
    """Write Davenport's angles: of the two solutions, the one with the smaller limit violation over all frames."""
    M1, M2, M3 = (row.mount(k) for k in range(3))
    N = M1.T @ D
    u, c = M2.T[:, 2], M3[:, 2]
    A, B, C = u[0] * c[0] + u[1] * c[1], u[1] * c[0] - u[0] * c[1], u[2] * c[2]
    size = math.hypot(A, B)
    if size < PARALLEL:
        return
    spread = np.arccos(np.clip((N[:, 2, 2] - C) / size, -1.0, 1.0))
    columns = [row.compiled.elements[k].variable.first for k in row.elements]
    solutions = []
    for sign in (1.0, -1.0):
        q2 = math.atan2(B, A) + sign * spread
        Z = about_z(q2)
        q1 = _angle((M2 @ Z @ c), N[:, :, 2])
        q3 = -_angle((Z.transpose(0, 2, 1) @ u) @ M3, N[:, 2, :])
        raw = np.stack([q1, q2, q3], -1)
        values = np.empty_like(raw)
        for k, column in enumerate(columns):
            e = row.compiled.elements[row.elements[k]]
            values[:, k] = _turned((raw[:, k] - e.offset) / e.multiplier, ranges.lower[column], ranges.upper[column])
        low, high = ranges.lower[columns], ranges.upper[columns]
        outside = np.maximum(low - values, 0) + np.maximum(values - high, 0)
        solutions.append((float(outside.sum()), float(np.abs(values).sum()), values))
    q[:, columns] = min(solutions, key=lambda s: s[:2])[2]


def _angle(a: Array, b: Array) -> Array:
    """Return the angles about z from vectors a to b."""
    return np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1])


def _turned(angles: Array, lower: float, upper: float) -> Array:
    """Return angles shifted by 2 pi multiples nearest to the middle of a range; unwrapped without limits."""
    if not math.isfinite(upper - lower):
        return np.unwrap(angles)
    middle = 0.5 * (lower + upper)
    out: Array = middle + np.mod(angles - middle + math.pi, 2 * math.pi) - math.pi
    return out


def _ascend(row: Row, own: list[int], D: Array, q: Array, ranges: Ranges) -> None:
    """Clamp, and optimise joint after joint, in the frames that need it."""
    q[:] = ranges.clamp(q)
    elements = [row.compiled.elements[k] for k in row.elements]
    columns = [c for e in elements for c in range(e.variable.first, e.variable.first + e.joint.kind.size)]
    for _ in range(SWEEPS):
        missing = 3.0 - np.einsum("fij,fij->f", D, row.forward(q))
        todo = np.flatnonzero(missing > REACHED)
        if not len(todo):
            return
        part, aim = q[todo], D[todo]
        before = part[:, columns].copy()
        left = np.broadcast_to(np.eye(3), aim.shape)
        right = [np.broadcast_to(np.eye(3), aim.shape)]
        for k in range(len(elements) - 1, 0, -1):
            right.append(row.mount(k) @ row.turns(k, part) @ right[-1])
        for k, e in enumerate(elements):
            left = left @ row.mount(k)
            if k in own:
                N = left.transpose(0, 2, 1) @ aim @ right[len(elements) - 1 - k].transpose(0, 2, 1)
                first = e.variable.first
                if e.joint.kind.size == 1:
                    best = np.arctan2(N[:, 1, 0] - N[:, 0, 1], N[:, 0, 0] + N[:, 1, 1])
                    low, high = ranges.lower[first], ranges.upper[first]
                    value = (best - e.offset) / e.multiplier
                    middle = part[:, first] if not math.isfinite(high - low) else 0.5 * (low + high)
                    value = middle + np.mod(value - middle + math.pi, 2 * math.pi) - math.pi
                    part[:, first] = np.clip(value, low, high)
                else:
                    start = first + e.joint.kind.size - 3
                    part[:, start : start + 3] = vector_from_matrix(N)
                    part = ranges.clamp(part)
            left = left @ row.turns(k, part)
        q[todo] = part
        if np.abs(part[:, columns] - before).max(initial=0.0) < 1e-9:
            return
