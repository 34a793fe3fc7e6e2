"""Following a target that moves: one bounded step at a time, at the level of velocities.

A step lowers what the goals miss as far as joint speeds and limits allow in the time there is: damped least squares with bounds
(Nakamura and Hanafusa 1986, Wampler 1986 for the damping). It takes the same short time wherever the target is: there are no
restarts and no waiting. Near a singular posture, and for a target out of reach, the damping keeps the joints calm.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.goals.goal import Goal, worst
from limbik.goals.unchecked import NOTHING, Unchecked
from limbik.model.record import Record
from limbik.model.truth import Judged

# A joint moves at full speed from this part of it on.
FULL_SPEED = 0.999


@dataclass(frozen=True, eq=False)
class Step(Judged, Record):
    """Where one step of tracking leads. `np.asarray(step)` is its q, so that a step can be passed on as q.

    q: (n,). velocity: (n,) of each number of q [rad/s or m/s]. errors: what each goal misses after the step, one number per unit
    of its kind. met: which goals are. at_speed: (n,) which joints move as fast as they may. unchecked: the links and pairs of
    links that obstacles are not kept from.
    """

    q: Array
    velocity: Array
    goals: tuple[Goal, ...]
    errors: tuple[tuple[float, ...], ...]
    met: tuple[bool, ...]
    at_speed: npt.NDArray[np.bool_]
    unchecked: Unchecked = NOTHING

    @property
    def ok(self) -> bool:
        """True when the step ends at the target: every goal that must be met is."""
        return all(met for goal, met in zip(self.goals, self.met, strict=True) if goal.required)

    @property
    def position_error(self) -> float:
        """The most that is missing to a goal, in metres."""
        return worst(self.goals, self.errors, "m")

    @property
    def rotation_error(self) -> float:
        """The most that is missing to a goal, in radians."""
        return worst(self.goals, self.errors, "rad")

    @property
    def why(self) -> str:
        """One sentence: arrived, on the way, or as near as it gets; and what obstacles are not kept from."""
        return self._progress + (f"; {self.unchecked}" if self.unchecked else "")

    @property
    def _progress(self) -> str:
        if self.ok:
            return "at the target"
        left = f"{self.position_error:.3g} m and {self.rotation_error:.3g} rad to go"
        if self.at_speed.any():
            return f"on the way, {left}; {int(self.at_speed.sum())} joint values at full speed"
        if math.isclose(float(np.abs(self.velocity).max(initial=0.0)), 0.0, abs_tol=1e-6):
            return f"at rest, {left}: out of reach from here, or held by a limit"
        return f"on the way, {left}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.q, dtype=dtype or np.float64, copy=True)
