"""`follow`: the joint trajectory of an arm along a path."""

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.model.model import Model
from limbik.motion.follow.follower import Follower
from limbik.motion.follow.pacing import MOST_FRAMES, make_clip
from limbik.motion.follow.redundant_follower import FamilyFollower
from limbik.motion.path import as_path
from limbik.solvers.all_postures import redundancy
from limbik.solvers.preference import Valid, checked_valid

if TYPE_CHECKING:
    from limbik.motion.follow.followed import Followed
    from limbik.robot.chain import Chain

REFUSE, ALLOW = "refuse", "allow"


def follow(
    arm: "Chain",
    path: Any,
    seed: Any = None,
    rate: float = 100.0,
    *,
    limits: bool = True,
    valid: Valid | None = None,
    jumps: str = REFUSE,
    closed: bool = False,
    velocity: Any = None,
    acceleration: Any = None,
    fastest: bool = False,
) -> "Followed":
    """Return the joint trajectory along a path, as documented in `Chain.follow`."""
    from limbik.motion.rate import checked_rate

    model = arm.model
    frequency = checked_rate(rate)
    given = as_path(path, frequency)
    frames = given.duration * frequency
    if not frames < MOST_FRAMES:
        raise BadOption(f"{frames:.3g} frames are too many for one clip; follow the path in parts, or lower rate=")
    if jumps not in (REFUSE, ALLOW):
        raise BadOption(f"jumps={shown(jumps)} is not known; use '{REFUSE}' or '{ALLOW}'")
    for name, value in (("closed", closed), ("fastest", fastest), ("limits", limits)):
        if not isinstance(value, bool | np.bool_):
            raise BadOption(f"{name}={shown(value)}: True or False")
    speed = _bound(velocity, model.ranges.velocity, "velocity", model)
    most = _bound(acceleration, np.full(model.n, np.inf), "acceleration", model)
    if fastest and not (np.isfinite(speed).all() or np.isfinite(most).all()):
        raise BadOption(f"fastest=True needs limits: give velocity= or acceleration= for '{model.name}'")
    start = None if seed is None else model.kernel.checked(seed)
    if start is not None and start.shape != (model.n,):
        raise ShapeError(f"the seed has shape {start.shape}, but '{model.name}' has n = {model.n} joint values")
    family = redundancy(model) is not None
    follower = (FamilyFollower if family else Follower)(
        arm,
        given,
        frequency,
        start,
        bool(limits),
        checked_valid(valid),
        np.full(model.n, np.inf) if fastest else speed,
    )
    trajectory = follower.trajectory(jumps == ALLOW, bool(closed))
    return make_clip(follower, trajectory, speed, most, bool(fastest))


def _bound(given: Any, own: Array, what: str, model: Model) -> Array:
    if given is None:
        return own
    bound = numbers(given, f"{what} must be one number or {model.n} numbers")
    if bound.shape not in ((), (model.n,)):
        raise ShapeError(f"{what} must be one number or {model.n} numbers; got shape {bound.shape}")
    if not (bound > 0).all():
        raise BadOption(f"{what}={shown(given)}: limits must be above 0; inf for none")
    return np.array(np.broadcast_to(bound, (model.n,)))
