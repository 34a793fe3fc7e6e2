"""The line searches of a method without derivatives, counted from the outside: the iterations of PRAXIS.

Brent's PRAXIS is a cycle of line searches along its directions, and NLopt, which has it, reports no iterations. The places at
which it evaluates show them: places of one search lie on a line through the lowest place so far. A sweep is as many searches
as there are joints. Table 6.1 has 14.9 iterations and 264.1 evaluations, 3 evaluations per joint, which fits a sweep of 6
searches of 3 evaluations each. An extrapolation along a curve counts as one search for each of its places.
"""

from dataclasses import dataclass, field, fields
from typing import Self

import numpy as np

from limbik.geometry.arrays import Array
from limbik.solvers.iterative.problem import Problem

# The largest sine of the angle between two places of one line, seen from where it begins.
SAME_LINE = 1e-3


@dataclass(eq=False)
class CountedLines(Problem):
    """A problem that counts the lines along which values are computed. searches: their number so far."""

    searches: int = field(default=0, init=False)
    _seen: set[bytes] = field(default_factory=set, init=False)
    _least: float = field(default=np.inf, init=False)
    _lowest: Array | None = field(default=None, init=False)
    _origin: Array | None = field(default=None, init=False)
    _direction: Array | None = field(default=None, init=False)

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return a problem with the same fields."""
        return cls(**{f.name: getattr(problem, f.name) for f in fields(Problem) if f.init})

    @property
    def sweeps(self) -> float:
        """The number of line searches divided by the number of joints."""
        return self.searches / self.n

    def value(self, x: Array) -> float:
        """Return the sum of squares of the weighted residuals."""
        found = super().value(x)
        if x.tobytes() in self._seen:  # an iterate that is recorded afterwards
            return found
        self._seen.add(x.tobytes())
        if not self._on_line(x):
            self.searches += 1
        if found < self._least:
            self._least, self._lowest = found, np.array(x)
        return found

    def _on_line(self, x: Array) -> bool:
        """Return whether a place lies on the present line; if not, begin another one at the lowest place."""
        if self._lowest is None:  # the first place belongs to no search
            return True
        if self._origin is not None and self._direction is not None:
            step = x - self._origin
            off = step - self._direction * (step @ self._direction)
            if np.linalg.norm(off) <= SAME_LINE * np.linalg.norm(step):
                return True
        step = x - self._lowest
        length = float(np.linalg.norm(step))
        if length == 0.0:
            return True
        self._origin, self._direction = self._lowest, step / length
        return False
