"""The joint limits of a posture (configuration): intervals for joints with one axis, swing cone and twist range for balls.

A ball's rotation is R = S A: a rotation A about the joint's axis a by the twist, then the shortest rotation S that takes a to
R a. With the quaternion (w, v) of R, the twist is 2 atan2(v.a, w); the swing is the angle between a and R a.
"""

import math
import operator
from functools import cached_property
from typing import Any

import numpy as np

from limbik._core import clamp_rotations, draw_ranges, home_of
from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, frozen
from limbik.geometry.se3 import onto_z
from limbik.model.compiled import Compiled, Variable, limits
from limbik.model.joint import Kind

# The sampling range of unlimited prismatic joints if no reach is given: +- this [m].
DEFAULT_TRAVEL = 1.0
# Below this cos(swing / 2), the swing counts as pi: the twist is undefined, and every twist is within its limits.
NO_TWIST = 1e-6
# The error of swing and twist computed from a rotation vector [rad]: rounding over NO_TWIST, with a margin.
CONE_ROUNDING = 1e-9

Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


class Ranges:
    """The limits of q: `lower`, `upper` and `velocity`, (n,) each, and cones. Methods take q of shape (..., n)."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.lower, self.upper, self.velocity = limits(compiled)

    @cached_property
    def home(self) -> Array:
        """The middle of each range; if a limit is infinite, the value inside the range that is nearest to 0."""
        return frozen(home_of(self.lower.tolist(), self.upper.tolist(), self.cone_rows))

    @cached_property
    def cones(self) -> tuple[Variable, ...]:
        """The balls (and floating joints) that have a swing or twist limit."""
        rotating = (v for v in self._compiled.variables if v.joint.kind in (Kind.BALL, Kind.FLOATING))
        return tuple(v for v in rotating if v.joint.swing < math.pi or v.joint.twist != (-math.inf, math.inf))

    @cached_property
    def cone_rows(self) -> list[list[float]]:
        """The cones in the form of the core: index in q, axis, swing, lower and upper twist."""
        return [
            [float(v.first + v.joint.kind.size - 3), *v.joint.axis.tolist(), v.joint.swing, *v.joint.twist]
            for v in self.cones
        ]

    def within(self, q: Array) -> Mask:
        """Return whether postures are within every limit, shape (...): ranges exactly, cones to CONE_ROUNDING."""
        inside = np.asarray(((q >= self.lower) & (q <= self.upper)).all(axis=-1))
        for v in self.cones:
            inside = inside & ~_outside(_rotation_part(q, v), v)
        return inside

    def keeps(self, q: Array, v: Variable) -> Mask:
        """Return whether postures are within the swing and twist limits of one ball, shape (...)."""
        return ~_outside(_rotation_part(q, v), v)

    def clamp(self, q: Array) -> Array:
        """Return the postures clamped to the limits, joint by joint."""
        out = np.clip(q, self.lower, self.upper)
        for v in self.cones:
            out = self.clamped(out, v)
        return out

    def clamped(self, q: Array, v: Variable) -> Array:
        """Return the postures with the rotation of one ball clamped to its swing and twist limits."""
        out = np.array(q)
        start = v.first + v.joint.kind.size - 3
        out[..., start : start + 3] = _clamped_rotation(_rotation_part(out, v), v)
        return out

    def sample(
        self, rng: np.random.Generator, size: int | tuple[int, ...] = (), reach: float = DEFAULT_TRAVEL
    ) -> Array:
        """Return random postures inside the limits, shape size + (n,).

        Uniform in each range; unlimited revolute joints in (-pi, pi], unlimited prismatic joints within +-reach [m], balls
        uniform over all rotations, or over swing directions and twists inside their limits. Raises BadOption.
        """
        if not isinstance(rng, np.random.Generator):
            raise BadOption("pass a numpy Generator, for example np.random.default_rng(0)")
        shape = _shape(size)
        low, high = self.drawing(reach)
        try:
            q = rng.uniform(low, high, (*shape, self._compiled.n))
        except ValueError as error:  # more axes, or longer ones, than NumPy has
            raise BadOption(f"size {shown(size)} is too large: {error}") from None
        for v in self._compiled.variables:
            if v.joint.kind in (Kind.BALL, Kind.FLOATING):
                start = v.first + v.joint.kind.size - 3
                rotations = _random_in_cone(rng, shape, v) if v in self.cones else _random_rotations(rng, shape)
                q[..., start : start + 3] = rotations
        return self.clamp(q)

    def drawing(self, reach: float) -> tuple[Array, Array]:
        """Return finite sampling bounds: the limits, (-pi, pi] for unlimited revolute joints, +-reach for prismatic joints."""
        span = np.full(self._compiled.n, math.pi)
        for v in self._compiled.variables:
            if v.joint.kind is Kind.PRISMATIC:
                span[v.first] = reach
            elif v.joint.kind is Kind.FLOATING:
                span[v.first : v.first + 3] = reach
        return draw_ranges(self.lower.tolist(), self.upper.tolist(), span.tolist())


def _shape(size: Any) -> tuple[int, ...]:
    """Return the shape of a sample from an integer or several. Raises BadOption."""
    try:
        shape = tuple(operator.index(k) for k in (size if isinstance(size, tuple | list | np.ndarray) else (size,)))
    except TypeError:
        shape = (-1,)
    if any(k < 0 for k in shape):
        raise BadOption(f"size must be a whole number or a tuple of them, none below 0; got {shown(size)}")
    return shape


def _rotation_part(q: Array, v: Variable) -> Array:
    """Return the rotation vectors of a ball or floating joint, (..., 3)."""
    start = v.first + v.joint.kind.size - 3
    return q[..., start : start + 3]


def _quaternion(rotation: Array) -> tuple[Array, Array]:
    """Return the real part (...) and the vector part (..., 3) of the quaternions of rotation vectors (..., 3)."""
    angle = np.linalg.norm(rotation, axis=-1, keepdims=True)
    return np.cos(angle[..., 0] / 2), rotation * (0.5 * np.sinc(angle / (2 * math.pi)))


def swing_twist(rotation: Array, axis: Array) -> tuple[Array, Array]:
    """Return the swing in [0, pi] and the twist in [-pi, pi] of rotation vectors (..., 3) about a unit axis, (...) each [rad]."""
    w, v = _quaternion(rotation)
    along = v @ axis
    across = v - along[..., None] * axis
    swing = 2 * np.arctan2(np.linalg.norm(across, axis=-1), np.hypot(w, along))
    half = np.where(w < 0, np.arctan2(-along, -w), np.arctan2(along, w))
    return swing, 2 * half


def _outside(rotation: Array, variable: Variable) -> Mask:
    """Return whether rotations exceed the joint's swing or twist limits by more than rounding."""
    joint = variable.joint
    swing, twist = swing_twist(rotation, joint.axis)
    low, high = joint.twist
    swing_exceeds = swing > joint.swing + CONE_ROUNDING
    twist_exceeds = (twist < low - CONE_ROUNDING) | (twist > high + CONE_ROUNDING)
    return np.asarray(swing_exceeds | (twist_exceeds & (np.cos(swing / 2) > NO_TWIST)))


def _clamped_rotation(rotation: Array, variable: Variable) -> Array:
    joint = variable.joint
    outside = _outside(rotation, variable)
    if not outside.any():
        return rotation
    # Multiples of 2 pi are removed first: for very large angles, the core's sine and cosine may differ from NumPy's.
    angle = np.linalg.norm(rotation, axis=-1, keepdims=True)
    ratio = np.divide(np.fmod(angle, 2 * math.pi), angle, out=np.ones_like(angle), where=angle > 2 * math.pi)
    inside = clamp_rotations(rotation * ratio, joint.axis.tolist(), joint.swing, *joint.twist)
    return np.where(outside[..., None], inside, rotation)


def _random_rotations(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return rotation vectors (*shape, 3) of uniformly distributed rotations."""
    q = rng.normal(size=(*shape, 4))
    q = q * np.where(q[..., :1] < 0, -1.0, 1.0)
    norm = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    return np.asarray(q[..., 1:] / norm * 2 * np.arctan2(norm, q[..., :1]))


def _random_in_cone(rng: np.random.Generator, shape: tuple[int, ...], variable: Variable) -> Array:
    """Return rotation vectors (*shape, 3): the axis uniform over the cone's spherical cap, the twist uniform in its range."""
    joint = variable.joint
    tilt = np.arccos(1 - rng.uniform(0, 1, shape) * (1 - math.cos(min(joint.swing, math.pi))))
    side = rng.uniform(-math.pi, math.pi, shape)
    turn = rng.uniform(max(joint.twist[0], -math.pi), min(joint.twist[1], math.pi), shape)
    frame = onto_z(joint.axis)[:3, :3]
    direction = np.cos(side)[..., None] * frame[:, 0] + np.sin(side)[..., None] * frame[:, 1]
    sw, sv = np.cos(tilt / 2), np.sin(tilt / 2)[..., None] * direction
    tw, tv = np.cos(turn / 2), np.sin(turn / 2)[..., None] * joint.axis
    w = sw * tw
    v = sw[..., None] * tv + tw[..., None] * sv + np.cross(sv, tv)
    flip = np.where(w < 0, -1.0, 1.0)
    w, v = w * flip, v * flip[..., None]
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    per_length = np.divide(
        2 * np.arctan2(length, w[..., None]), length, out=np.full_like(length, 2.0), where=length > 0
    )
    return np.asarray(v * per_length)
