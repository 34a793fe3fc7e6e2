"""Settings of a network of angles: its update, its mean, its guards, and deliberate faults."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption, shown

MEANS = ("arithmetic", "median", "trimmed", "circular")
UPDATES = ("sequential", "parallel")
BRANCHES = ("principal", "nearest")


@dataclass(frozen=True)
class Settings:
    """Settings of a network. Raises BadOption for invalid values.

    update: "sequential" or "parallel". mean: "arithmetic", "median", "trimmed" (without the least and the greatest) or
    "circular"; with the median and the trimmed mean a network hardly ever converges, and they are offered for comparison alone.
    branch: of the arc cosine, "principal" or "nearest". guard: a side shorter than this part of the mean segment is not divided
    by. damping: the share of a variable's own value in its new one; below 0 it is over-relaxed. removed: numbers of computations
    that are left out. noisy: numbers of computations to which normal noise is added in every cycle. noise: its standard
    deviation [rad, or mean segments]. seed: of the noise.
    """

    update: str = "sequential"
    mean: str = "arithmetic"
    branch: str = "principal"
    guard: float = 0.1
    damping: float = 0.0
    removed: tuple[int, ...] = ()
    noisy: tuple[int, ...] = ()
    noise: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("update", UPDATES), ("mean", MEANS), ("branch", BRANCHES)):
            if not isinstance(value := getattr(self, name), str) or value not in known:
                raise BadOption(f"{name}={shown(value)} is not known; use one of {', '.join(known)}")
        for name, low, high in (("guard", 0.0, 1.0), ("damping", -1.0, 1.0), ("noise", 0.0, math.inf)):
            value = getattr(self, name)
            inside = isinstance(value, int | float | np.floating | np.integer) and low <= value <= high
            if not inside or (name == "damping" and abs(value) == 1) or not math.isfinite(value):
                raise BadOption(f"{name}={shown(value)}: give a number from {low:g} to {high:g}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int | np.integer) or not 0 <= self.seed < 2**63:
            raise BadOption(f"seed={shown(self.seed)}: give a whole number from 0")
        for name in ("removed", "noisy"):
            rows = getattr(self, name)
            whole = isinstance(rows, Iterable) and not isinstance(rows, str)
            rows = tuple(rows) if whole else (None,)
            if not all(isinstance(r, int | np.integer) and not isinstance(r, bool) and r >= 0 for r in rows):
                raise BadOption(f"{name}={shown(getattr(self, name))}: give numbers of computations, from 0")
            object.__setattr__(self, name, tuple(int(r) for r in rows))
