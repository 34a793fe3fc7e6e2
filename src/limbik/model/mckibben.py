"""A pneumatic muscle of the McKibben type: length, pressure and force (Chou and Hannaford 1996).

A tube in a braid of n turns of a thread of length b. At the length L the thread is at the angle a to the axis with
cos(a) = L / b, and the tube has the diameter b sin(a) / (n pi). The work of the pressure equals that of the force,
-F dL = P dV, which gives

    F = P (3 L^2 - b^2) / (4 pi n^2),        dF/dL = 3 P L / (2 pi n^2)

It pulls for L > b / sqrt(3), and its greatest length is b. Friction between the threads causes hysteresis: the force is smaller
while the muscle shortens, and greater while it is stretched. `hysteresis` is this deviation as a part of the force. The
direction of motion is not modelled, so it is an uncertainty of the force.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from limbik.errors import BadModel, BadOption, NotFinite
from limbik.geometry.arrays import Array, number, numbers

# The ratio of the greatest to the least length, for every braid.
GREATEST_STRETCH = math.sqrt(3.0)
# Lengths above this are rejected as mistakes [m].
LONGEST = 1e60
# The accepted range of each number; the squares of others overflow or underflow.
_SENSIBLE = {
    "thread": (1e-60, 1e60),
    "turns": (1e-6, 1e6),
    "highest": (1e-30, 1e30),
    "hysteresis": (0.0, 1.0),
    "tendon": (0.0, 1e60),
}


@dataclass(frozen=True)
class McKibben:
    """thread: b [m]; turns: n; highest: pressure [Pa]; hysteresis: a part of the force; tendon: inelastic length [m]."""

    thread: float
    turns: float
    highest: float = 4e5
    hysteresis: float = 0.0
    tendon: float = 0.0

    def __post_init__(self) -> None:
        for name in ("thread", "turns", "highest", "hysteresis", "tendon"):
            value = number(getattr(self, name), f"{name} of a McKibben muscle")
            least, most = _SENSIBLE[name]
            if not least <= value <= most:
                raise BadModel(f"a McKibben muscle cannot have {name} = {value:g}; it must be {least:g} to {most:g}")
            object.__setattr__(self, name, value)
        if self.hysteresis >= 1:
            raise BadModel(f"hysteresis = {self.hysteresis:g}: it must be a fraction of the force, below 1")

    @classmethod
    def for_range(cls, lower: float, upper: float, turns: float = 3.0, **details: Any) -> Self:
        """Return a muscle that pulls in a range of lengths [m]: its thread is the geometric mean of the bounds."""
        tendon = number(details.get("tendon", 0.0), "tendon")
        shortest, longest = number(lower, "the shortest length"), number(upper, "the longest length")
        low, high = shortest - tendon, longest - tendon
        if not 0 < low < high < GREATEST_STRETCH * low:
            raise BadOption(
                f"no McKibben muscle has the range {shortest:g} to {longest:g} m: the longest must be below "
                f"{GREATEST_STRETCH:.3f} times the shortest"
            )
        return cls(math.sqrt(high * GREATEST_STRETCH * low), turns, **details)

    @property
    def shortest(self) -> float:
        """The length at which the force vanishes [m]."""
        return self.tendon + self.thread / GREATEST_STRETCH

    @property
    def longest(self) -> float:
        """The length at which its threads are straight [m]."""
        return self.tendon + self.thread

    def force(self, length: Any, pressure: Any) -> Array:
        """Return the force [N] at lengths [m] and pressures [Pa]; 0 below `shortest`, because tendons cannot push."""
        return np.maximum(numbers(pressure, "pressures must be numbers") * self.gain(length), 0.0)

    def gain(self, length: Any) -> Array:
        """Return the force per unit of pressure [N/Pa]; negative below `shortest`."""
        stretched = self._stretched(length)
        return np.asarray((3.0 * stretched**2 - self.thread**2) / (4.0 * math.pi * self.turns**2))

    def stiffness(self, length: Any, pressure: Any) -> Array:
        """Return dF/dL at constant pressure [N/m]."""
        stretched = self._stretched(length)
        return np.asarray(1.5 * numbers(pressure, "pressures must be numbers") * stretched / (math.pi * self.turns**2))

    def pressure(self, length: Any, force: Any) -> Array:
        """Return the pressure [Pa] that gives a force [N] at a length [m]. Raises BadOption at lengths without a pull."""
        gain = self.gain(length)
        if not np.all(gain > 0):
            raise BadOption(
                f"at {np.min(length):g} m this muscle does not pull; it needs more than {self.shortest:g} m"
            )
        return np.asarray(numbers(force, "forces must be numbers") / gain)

    def length_uncertainty(self, length: Any) -> Array:
        """Return the uncertainty of the length at a given load [m]: hysteresis * F / (dF/dL), independent of the pressure."""
        stretched = self._stretched(length)
        pull = np.maximum(3.0 * stretched**2 - self.thread**2, 0.0)
        return np.asarray(self.hysteresis * pull / (6.0 * np.where(pull > 0, stretched, 1.0)))

    def diameter(self, length: Any) -> Array:
        """Return the diameter of the tube [m]."""
        stretched = self._stretched(length) / self.thread
        return np.asarray(self.thread * np.sqrt(np.maximum(0.0, 1.0 - stretched**2)) / (math.pi * self.turns))

    def _stretched(self, length: Any) -> Array:
        """Return the length without the tendon, at least 0. Raises NotFinite or BadOption for invalid lengths."""
        lengths = numbers(length, "lengths must be numbers")
        if not np.isfinite(lengths).all():
            raise NotFinite("lengths hold NaN or infinity")
        if (np.abs(lengths) > LONGEST).any():
            raise BadOption(f"lengths must be at most {LONGEST:g} m; got {np.abs(lengths).max():g}")
        return np.maximum(lengths - self.tendon, 0.0)

    def scaled(self, factor: float) -> Self:
        """Return the muscle with its lengths multiplied."""
        return replace(self, thread=self.thread * factor, tendon=self.tendon * factor)
