"""Verification of configurations: 2-pi copies, limits, forward kinematics, errors against tolerances.

For one pose, or one position of the tip; goals are measured by `Check`. The compiled core verifies its own results
(`core/kinematics/verify.hpp`). No method decides its own success.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from limbik._core import Kernel, pose_error
from limbik.errors import BadOption
from limbik.geometry.angles import copy_inside, nearest_copy
from limbik.geometry.arrays import Array, number
from limbik.goals.pose import Pose
from limbik.goals.position import Position
from limbik.model.model import Model
from limbik.model.ranges import Ranges
from limbik.solvers.query import Options, Query

# A value outside its limit by less is set to the limit [relative to the limit, or to 1 if that is larger].
EDGE = 1e-12


@dataclass(frozen=True, eq=False)
class Verification:
    """A target of a chain and its tolerances.

    copies: (n,) which joints have 2-pi copies. position_only: the rotation does not count.
    """

    kernel: Kernel
    ranges: Ranges
    target: Array
    copies: npt.NDArray[np.bool_]
    position_tolerance: float
    rotation_tolerance: float
    limits: bool = True
    position_only: bool = False

    def errors(self, q: Array) -> tuple[float, float]:
        """Return the errors of a configuration [m, rad]."""
        e = pose_error(self.kernel.forward(q), self.target)
        rotation = 0.0 if self.position_only else float(np.linalg.norm(e[3:]))
        return float(np.linalg.norm(e[:3])), rotation

    def closest_copy(self, q: Array, seed: Array) -> Array:
        """Return a configuration with each revolute joint at its 2-pi copy inside the limits that is closest to the seed.

        A configuration that is not finite gives the seed.
        """
        if not np.isfinite(q).all():
            return np.array(seed)
        out = np.array(q)
        lower, upper = self.ranges.lower, self.ranges.upper
        if not self.limits:
            out[self.copies] = nearest_copy(out[self.copies], seed[self.copies])
            return out
        for j in np.flatnonzero(self.copies):
            out[j] = copy_inside(float(out[j]), float(seed[j]), float(lower[j]), float(upper[j]))
        edge = np.clip(out, lower, upper)
        return np.where(np.abs(edge - out) < EDGE * np.maximum(np.abs(edge), 1.0), edge, out)

    def reached(self, q: Array) -> bool:
        """Return whether a configuration is at the target and inside the limits."""
        return self.at_target(q) and (not self.limits or bool(self.ranges.within(q)))

    def at_target(self, q: Array) -> bool:
        """Return whether a configuration is at the target, limits aside."""
        position, rotation = self.errors(q)
        return position <= self.position_tolerance and rotation <= self.rotation_tolerance


def verification(model: Model, target: Array, options: Options, *, position_only: bool = False) -> Verification:
    """Return the verification for a target of a chain. Raises BadOption for tolerances that are not above 0."""
    wanted = (
        model.tolerance("m") if options.position_tolerance is None
        else number(options.position_tolerance, "position_tolerance"),
        model.tolerance("rad") if options.rotation_tolerance is None
        else number(options.rotation_tolerance, "rotation_tolerance"),
    )  # fmt: skip
    if not (wanted[0] > 0 and wanted[1] > 0):
        raise BadOption(f"tolerances must be above 0; got {wanted[0]:g} m and {wanted[1]:g} rad")
    return Verification(
        model.kernel, model.ranges, target, model.derived(has_copies), *wanted, options.limits, position_only
    )


def verification_of(model: Model, query: Query) -> Verification:
    """Return the verification for a query of one pose, or of one Position of the tip. Raises NotRigid, ShapeError."""
    if query.goals and isinstance(query.goals[0], Position):
        goal = query.goals[0]
        T = np.eye(4)
        T[:3, 3] = goal.point
        options = query.options._replace(position_tolerance=goal.tolerances(model)[0])
        return verification(model, T, options, position_only=True)
    return verification(model, np.array(Pose.at(None, query.target).T), query.options)


def has_copies(model: Model) -> npt.NDArray[np.bool_]:
    """Return which numbers of q have 2-pi copies, (n,): those of revolute joints that drive no mimic joint.

    The numbers of a ball or floating joint have none: adding 2 pi to a part of a rotation vector gives another rotation.
    """
    copies = np.array(model.revolute)
    for e in model.compiled.elements:
        if e.multiplier != 1.0 or e.offset != 0.0:
            copies[e.variable.first] = False
    return copies
