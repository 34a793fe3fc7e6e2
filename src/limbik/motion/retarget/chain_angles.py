"""Joint values of a short serial chain for wanted orientations, for many frames at once, inside the limits.

The orientation of the end is P = M1 T1 M2 T2 ... Mk Tk, with placements M and joint rotations T. The joint values are sought for
which P = D.

A single ball joint takes all of D. Several balls share it evenly, so that a spine bends uniformly: each takes 1/k of the rotation
vector of D (M1...Mk)^-1. Three revolute joints have two solutions (Davenport's angles, for any axes): from the entry zz of
N = M1^-1 D, u = M2^T z and c = M3 z,

    u^T Rz(q2) c = N_zz      two values of q2, or the closest one if there is none
    Rz(q1) (M2 Rz(q2) c) = N z,    Rz(-q3) (M3^T Rz(-q2) u) = N^T z      one value each.

The solution with the smaller limit violation is used for the whole motion, so it does not jump to the other. Values outside the
limits are clamped, and coordinate ascent optimises one joint after the other: with all others fixed, tr(D^T P) is
A cos q + B sin q + C, whose maximum on an interval is known. No step of a revolute joint moves P away from D, so this
converges. It is also used for one or two joints, and for more than three.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector, vector_from_matrix
from limbik.model.compiled import Compiled
from limbik.model.joint import Kind
from limbik.model.ranges import Ranges

# The most sweeps of the coordinate ascent.
SWEEPS = 12
# The tolerance of a rotation, 3 - tr(D^T P), which is 2 (1 - cos) of the angle.
REACHED = 1e-12
# A sine below this means that the two outer axes of three are parallel.
PARALLEL = 1e-9


@dataclass(frozen=True, eq=False)
class SerialJoints:
    """A serial chain of joints: the moving elements, and the rotation from the last one to the driven frame."""

    compiled: Compiled
    elements: tuple[int, ...]
    end: Array

    def placement(self, k: int) -> Array:
        """Return the constant rotation from the previous joint to joint k."""
        return self.compiled.elements[self.elements[k]].placement[:3, :3]

    def rotation(self, k: int, q: Array) -> Array:
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
            P = P @ self.placement(k) @ self.rotation(k, q)
        return P


def about_z(angles: Array) -> Array:
    """Return rotations about z, (...) -> (..., 3, 3)."""
    c, s = np.cos(angles), np.sin(angles)
    out = np.zeros((*np.shape(angles), 3, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 1, 0], out[..., 1, 1], out[..., 2, 2] = c, -s, s, c, 1.0
    return out


def fit(chain: SerialJoints, wanted: Array, q: Array, ranges: Ranges, *, shared: bool) -> None:
    """Write into q, (frames, n), the joint values for some orientations of the chain's end, (frames, 3, 3).

    shared: several balls share the rotation; if False, the last one takes it.
    """
    elements = [chain.compiled.elements[k] for k in chain.elements]
    own = [k for k, e in enumerate(elements) if e.joint.mimic is None and e.joint.kind is not Kind.PRISMATIC]
    if not own:
        return
    kinds = {elements[k].joint.kind.size for k in own}
    D = wanted @ chain.end.T
    if 1 not in kinds:
        _fit_balls(chain, own if shared else own[-1:], D, q)
        q[:] = ranges.clamp(q)
        return
    if len(own) == len(elements) == 3 and kinds == {1}:
        _fit_three(chain, D, q, ranges)
    _ascend(chain, own, D, q, ranges)


def _fit_balls(chain: SerialJoints, own: list[int], D: Array, q: Array) -> None:
    placements = [np.eye(3)]
    for k in range(len(chain.elements)):
        placements.append(placements[-1] @ chain.placement(k))
    whole = D @ placements[-1].T
    vectors = vector_from_matrix(whole) / len(own)
    for k in own:
        e = chain.compiled.elements[chain.elements[k]]
        start = e.variable.first + e.joint.kind.size - 3
        q[:, start : start + 3] = vectors @ placements[k + 1]


def _fit_three(chain: SerialJoints, D: Array, q: Array, ranges: Ranges) -> None:
    """Write Davenport's angles: of the two solutions, the one with the smaller limit violation over all frames."""
    M1, M2, M3 = (chain.placement(k) for k in range(3))
    N = M1.T @ D
    u, c = M2.T[:, 2], M3[:, 2]
    A, B, C = u[0] * c[0] + u[1] * c[1], u[1] * c[0] - u[0] * c[1], u[2] * c[2]
    size = math.hypot(A, B)
    if size < PARALLEL:
        return
    spread = np.arccos(np.clip((N[:, 2, 2] - C) / size, -1.0, 1.0))
    columns = [chain.compiled.elements[k].variable.first for k in chain.elements]
    solutions = []
    for sign in (1.0, -1.0):
        q2 = math.atan2(B, A) + sign * spread
        Z = about_z(q2)
        q1 = _angle((M2 @ Z @ c), N[:, :, 2])
        q3 = -_angle((Z.transpose(0, 2, 1) @ u) @ M3, N[:, 2, :])
        raw = np.stack([q1, q2, q3], -1)
        values = np.empty_like(raw)
        for k, column in enumerate(columns):
            e = chain.compiled.elements[chain.elements[k]]
            values[:, k] = _wrapped((raw[:, k] - e.offset) / e.multiplier, ranges.lower[column], ranges.upper[column])
        low, high = ranges.lower[columns], ranges.upper[columns]
        outside = np.maximum(low - values, 0) + np.maximum(values - high, 0)
        solutions.append((float(outside.sum()), float(np.abs(values).sum()), values))
    q[:, columns] = min(solutions, key=lambda s: s[:2])[2]


def _angle(a: Array, b: Array) -> Array:
    """Return the angles about z from vectors a to b."""
    return np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1])


def _wrapped(angles: Array, lower: float, upper: float) -> Array:
    """Return angles as the 2-pi copies closest to the middle of a range; unwrapped over time without limits."""
    if not math.isfinite(upper - lower):
        return np.unwrap(angles)
    middle = 0.5 * (lower + upper)
    out: Array = middle + np.mod(angles - middle + math.pi, 2 * math.pi) - math.pi
    return out


def _ascend(chain: SerialJoints, own: list[int], D: Array, q: Array, ranges: Ranges) -> None:
    """Clamp, and optimise one joint after the other, in the frames that do not reach their orientation."""
    q[:] = ranges.clamp(q)
    elements = [chain.compiled.elements[k] for k in chain.elements]
    columns = [c for e in elements for c in range(e.variable.first, e.variable.first + e.joint.kind.size)]
    for _ in range(SWEEPS):
        missing = 3.0 - np.einsum("fij,fij->f", D, chain.forward(q))
        todo = np.flatnonzero(missing > REACHED)
        if not len(todo):
            return
        part, aim = q[todo], D[todo]
        before = part[:, columns].copy()
        left = np.broadcast_to(np.eye(3), aim.shape)
        right = [np.broadcast_to(np.eye(3), aim.shape)]
        for k in range(len(elements) - 1, 0, -1):
            right.append(chain.placement(k) @ chain.rotation(k, part) @ right[-1])
        for k, e in enumerate(elements):
            left = left @ chain.placement(k)
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
            left = left @ chain.rotation(k, part)
        q[todo] = part
        if np.abs(part[:, columns] - before).max(initial=0.0) < 1e-9:
            return
