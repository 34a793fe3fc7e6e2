"""The seven lengths of an arm with ortho-parallel base and spherical wrist (Brandstoetter, Angerer, Hofbaur 2014).

In that model's zero posture axis 1 is z, axes 2, 3 and 5 are y, axes 4 and 6 are z again, the upper arm and the forearm
point upwards: axis 2 at x = a1, z = c1; axis 3 higher by c2; the wrist at x = a1 + a2, y = b, higher by c3. A joint rotates
by sign * q - offset. Here the arm is at q = 0, and the offsets are the differences to the model's zero posture.
"""

import math
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array

# Tolerance for perpendicular, parallel and intersecting axes [rad, m].
ALIKE = 1e-9


@dataclass(frozen=True)
class OpwModel:
    """Lengths [m], offsets [rad], signs of the joints, and the transform of a pose into the model's base frame."""

    lengths: dict[str, float]
    offsets: tuple[float, ...]
    flips: tuple[bool, ...]
    base: Array


def opw_model(axes: Array, offsets: Array) -> OpwModel | None:
    """Return the model of an arm from its axes (6, 3) and the offsets between them (7, 3); None if there is none."""
    points = np.cumsum(offsets[:6], axis=0)
    z, y = axes[0], axes[1]
    wrist = meeting_point(axes[3:], points[3:])
    if wrist is None or not _perpendicular(z, y) or not _parallel(axes[2], y) or not _perpendicular(axes[3], y):
        return None
    if not _perpendicular(axes[4], axes[3]) or not _perpendicular(axes[5], axes[4]):
        return None
    frame = np.array([np.cross(y, z), y, z])
    base = np.eye(4)
    base[:3, :3], base[:3, 3] = frame, -frame @ points[0]
    axes, points, wrist = axes @ frame.T, (points - points[0]) @ frame.T, frame @ (wrist - points[0])
    y = np.array([0.0, 1.0, 0.0])
    upper, fore = (points[2] - points[1]) * (1 - y), (wrist - points[2]) * (1 - y)
    lean = math.atan2(upper[0], upper[2])
    up = axes[3] if fore @ axes[3] >= 0 else -axes[3]
    bend = math.atan2(up[0], up[2])
    front = np.cross(y, up)
    roll = math.atan2(-float(axes[4] @ front), float(axes[4] @ y))
    pitch = math.atan2(float(axes[5] @ np.cross(axes[4], up)), float(axes[5] @ up))
    signs = np.sign([1.0, 1.0, axes[2] @ y, up @ axes[3], 1.0, 1.0])
    angles = np.array([0.0, lean, bend - lean, roll, pitch, 0.0])
    lengths = {"a1": points[1][0], "a2": fore @ front, "b": wrist[1], "c1": points[1][2],
               "c2": np.linalg.norm(upper), "c3": fore @ up, "c4": 0.0}  # fmt: skip
    return OpwModel(
        {name: float(x) for name, x in lengths.items()},
        tuple((-angles).tolist()),
        tuple((signs < 0).tolist()),
        base,
    )


def _perpendicular(a: Array, b: Array) -> bool:
    return abs(float(a @ b)) < ALIKE


def _parallel(a: Array, b: Array) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < ALIKE


def meeting_point(axes: Array, points: Array) -> Array | None:
    """Return the common point of all lines, or None."""
    projections = [np.eye(3) - np.outer(h, h) for h in axes]
    if _parallel(axes[0], axes[1]):
        return None
    point = np.linalg.solve(
        np.sum(projections, axis=0), np.sum([M @ p for M, p in zip(projections, points, strict=True)], axis=0)
    )
    gaps = [np.linalg.norm(M @ (point - p)) for M, p in zip(projections, points, strict=True)]
    return np.asarray(point) if max(gaps) < ALIKE else None
