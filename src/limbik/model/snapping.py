"""Exact values for rounded angles: 1.571, 1.5708, 3.1416, 0.785 become multiples of 45 degrees.

A right angle of a wrist that is written as 1.5708 is off by 4e-6 rad, and the arm then has no closed form. The rotation of a
joint's origin is replaced by the nearest one whose roll, pitch and yaw are multiples of 45 degrees, if it differs by at most
LARGEST_TURN. Otherwise only those of its three angles that are within LARGEST_TURN of a multiple are replaced, so a real angle
beside a rounded one is kept. Joint axes are replaced by the nearest direction along an axis of the frame or halfway between two.

This is done only on request: by default, forward kinematics is exactly that of the file.
"""

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.se3 import rpy_of
from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism

# The largest rotation that counts as rounding [rad]: three angles with three decimals cause 0.9e-3 at most, 1.57 0.8e-3.
LARGEST_TURN = 1e-3
# Rotations that differ by less are exact up to rounding of double [rad].
SMALLEST_TURN = 1e-12
# The largest number of joints named in a note.
MOST_NAMED = 8

_HALF = math.sqrt(0.5)
_SINES = (0.0, _HALF, 1.0, _HALF, 0.0, -_HALF, -1.0, -_HALF)  # of multiples of 45 degrees


@dataclass(frozen=True)
class Snapped:
    """A mechanism with exact angles. turns: the angle by which each changed joint's frame or axis was rotated, by name [rad].

    shift [m], turn [rad]: upper bounds on the displacement and rotation of any leaf relative to the root, over all postures.
    shift is infinite if an unlimited prismatic joint or a floating joint makes the displacement unbounded.
    """

    mechanism: Mechanism
    turns: dict[str, float]
    shift: float
    turn: float

    @property
    def note(self) -> str:
        """The changes, as one sentence."""
        names = [f"'{name}' by {angle:.2g}" for name, angle in list(self.turns.items())[:MOST_NAMED]]
        more = f" and {len(self.turns) - MOST_NAMED} more" if len(self.turns) > MOST_NAMED else ""
        moved = f"moves by at most {self.shift:.2g} m" if math.isfinite(self.shift) else "moves without bound"
        return (
            f"rounded angles made multiples of 45 degrees (snap=True): joint {', '.join(names)}{more} rad; the tip {moved} and "
            f"turns by at most {self.turn:.2g} rad, seen from '{self.mechanism.root}'"
        )


def snapped(mechanism: Mechanism) -> Snapped:
    """Return the mechanism with rounded angles made exact; the same mechanism if none is rounded."""
    turns: dict[str, float] = {}
    joints = []
    for joint in mechanism.joints:
        R, turned = _nearest_rotation(joint.origin[:3, :3])
        axis, tilted = _nearest_direction(joint.axis) if joint.kind.size == 1 else (joint.axis, 0.0)
        if turned or tilted:
            turns[joint.name] = turned + tilted
            origin = np.array(joint.origin)
            origin[:3, :3] = R
            joint = replace(joint, origin=origin, axis=axis)
        joints.append((joint, turned, tilted))
    if not turns:
        return Snapped(mechanism, {}, 0.0, 0.0)
    shifts, angles = [0.0], [0.0]
    changed = {joint.name: (turned, tilted) for joint, turned, tilted in joints}
    for leaf in mechanism.leaves:
        shift = angle = beyond = 0.0  # beyond: a bound on the distance from a joint to the leaf
        for joint in reversed(mechanism.ancestry(leaf)):
            turned, tilted = changed[joint.name]
            travel = _travel(mechanism, joint)
            # A tilt by x of a revolute axis rotates the child by 2 x at most; a tilt of a prismatic axis only shifts it.
            about = turned + (2 * tilted if joint.kind.is_revolute else 0.0)
            shift += (about * beyond if about else 0.0) + ((turned + tilted) * travel if turned or tilted else 0.0)
            angle += about
            beyond += travel + float(np.linalg.norm(joint.origin[:3, 3]))
        shifts.append(shift)
        angles.append(angle)
    return Snapped(mechanism.replaced(joint for joint, *_ in joints), turns, max(shifts), max(angles))


def _travel(mechanism: Mechanism, joint: Joint) -> float:
    """Return the largest displacement by a joint [m]; infinite if it is unlimited."""
    if joint.kind is Kind.FLOATING:
        return math.inf
    if joint.kind is not Kind.PRISMATIC:
        return 0.0
    driver, multiplier, offset = mechanism.driver(joint)
    return max(abs(multiplier * x + offset) for x in (driver.lower, driver.upper))


@cache
def _exact_rotations() -> Array:
    """(k, 3, 3) every rotation with roll, pitch and yaw that are multiples of 45 degrees."""
    found: dict[tuple[float, ...], Array] = {}
    for angles in product(range(8), range(8), range(8)):
        R = _rotation([_SINES[k] for k in angles], [_SINES[(k + 2) % 8] for k in angles])
        found.setdefault(tuple(np.round(R, 6).ravel() + 0.0), R)
    return np.array(list(found.values()))


@cache
def _exact_directions() -> Array:
    """(18, 3) the axes of the frame and the directions halfway between two of them."""
    steps = (v for v in product((-1.0, 0.0, 1.0), repeat=3) if 1 <= sum(map(abs, v)) <= 2)
    return np.array([[x * (_HALF if sum(map(abs, v)) == 2 else 1.0) for x in v] for v in steps])


def _rotation(sines: list[float], cosines: list[float]) -> Array:
    """Return the rotation (3, 3) of roll, pitch and yaw, given their sines and cosines."""
    (sr, sp, sy), (cr, cp, cy) = sines, cosines
    return np.array([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])  # fmt: skip


def _nearest_rotation(R: Array) -> tuple[Array, float]:
    """Return a rotation with exact angles and its angle from R [rad]; R itself and 0 if none is near or R is exact."""
    exact = _exact_rotations()
    best = exact[int(np.einsum("kij,ij->k", exact, R).argmax())]
    if (turn := _angle_between(best, R)) <= LARGEST_TURN:
        return (best, turn) if turn > SMALLEST_TURN else (R, 0.0)
    T = np.eye(4)
    T[:3, :3] = R
    angles = rpy_of(T)
    steps = [round(x / (math.pi / 4)) for x in angles]
    near = [abs(x - k * math.pi / 4) <= LARGEST_TURN for x, k in zip(angles, steps, strict=True)]
    sines = [_SINES[k % 8] if n else math.sin(x) for x, k, n in zip(angles, steps, near, strict=True)]
    cosines = [_SINES[(k + 2) % 8] if n else math.cos(x) for x, k, n in zip(angles, steps, near, strict=True)]
    partly = _rotation(sines, cosines)
    turn = _angle_between(partly, R)
    return (partly, turn) if SMALLEST_TURN < turn <= LARGEST_TURN else (R, 0.0)


def _angle_between(A: Array, B: Array) -> float:
    """Return the angle of the rotation from A to B [rad]; by the chord, which is accurate for small angles."""
    return 2 * math.asin(min(1.0, float(np.linalg.norm(A - B)) / math.sqrt(8)))


def _nearest_direction(axis: Array) -> tuple[Array, float]:
    """Return an exact direction and its angle from the axis [rad]; the axis itself and 0 if none is near or it is exact."""
    exact = _exact_directions()
    best = exact[int((exact @ axis).argmax())]
    tilt = 2 * math.asin(min(1.0, float(np.linalg.norm(best - axis)) / 2))
    return (best, tilt) if SMALLEST_TURN < tilt <= LARGEST_TURN else (axis, 0.0)
