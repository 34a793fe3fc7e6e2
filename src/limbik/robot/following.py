"""What an arm does with a path: `follow`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, ShapeError, shown
from limbik.geometry.arrays import Array, numbers
from limbik.motion.path import as_path
from limbik.robot.family_follower import FamilyFollower
from limbik.robot.follower import Follower
from limbik.robot.pacing import MOST_FRAMES, clip_of
from limbik.robot.pneumatic import Pneumatic
from limbik.solvers.preference import Valid, checked_valid

if TYPE_CHECKING:
    from limbik.robot.followed import FollowedClip

REFUSE, ALLOW = "refuse", "allow"


class Following(Pneumatic):
    """The verb of a chain that is about paths."""

    def follow(
        self,
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
    ) -> "FollowedClip":
        """Return the motion that leads the tip along a path, a clip with `rate` frames a second.

        path: a Path, or poses (N, 4, 4), one a frame. The branch and the whole turns are chosen for all of it at once, and the
        swivel of a redundant arm: the smoothest course that keeps the limits. seed: where it should begin: the nearest posture
        from which the path can be followed; None leaves the choice free. valid: a function of q that says whether a posture
        may be used.

        jumps: where no smooth course leads on, "refuse" ends the clip there and says why; "allow" goes on from another posture,
        and `clip.jumps` lists the frames that cannot be reached smoothly from the one before. closed: end in the posture
        it began in, if that can be.

        velocity: the greatest speed of each joint [rad/s or m/s], one number or n; None takes the model's own. acceleration:
        likewise [rad/s^2]; None sets no bound, else the motion begins and ends at rest, and stops at corners. Where joints
        cannot keep up with the path's own time the clip takes longer; the path is not left. fastest: as fast as these bounds
        allow.

        Not following is an answer, not an error: see `clip.ok`, `clip.failed` and `clip.why`. Raises as `solve` does for misuse.
        """
        from limbik.robot.clip import checked_rate

        frequency = checked_rate(rate)
        way = as_path(path, frequency)
        frames = way.duration * frequency
        if not frames < MOST_FRAMES:
            raise BadOption(f"{frames:.3g} frames are too many for one clip; follow the path in parts, or lower rate=")
        if jumps not in (REFUSE, ALLOW):
            raise BadOption(f"jumps={shown(jumps)} is not known; use '{REFUSE}' or '{ALLOW}'")
        for name, value in (("closed", closed), ("fastest", fastest), ("limits", limits)):
            if not isinstance(value, bool | np.bool_):
                raise BadOption(f"{name}={shown(value)}: True or False")
        speed = self._bound_of(velocity, self.velocity, "velocity")
        most = self._bound_of(acceleration, np.full(self.n, np.inf), "acceleration")
        if fastest and not (np.isfinite(speed).all() or np.isfinite(most).all()):
            raise BadOption(f"fastest=True needs bounds: give velocity= or acceleration= for '{self.name}'")
        start = None if seed is None else self.model.kernel.checked(seed)
        if start is not None and start.shape != (self.n,):
            raise ShapeError(f"the seed has shape {start.shape}, but '{self.name}' has n = {self.n} joint values")
        chain: Any = self
        family = self._solvers(bool(limits)).form is not None and self.redundancy is not None
        follower = (FamilyFollower if family else Follower)(
            chain,
            way,
            frequency,
            start,
            bool(limits),
            checked_valid(valid),
            np.full(self.n, np.inf) if fastest else speed,
        )
        course = follower.course(jumps == ALLOW, bool(closed))
        return clip_of(follower, course, speed, most, bool(fastest))

    def _bound_of(self, given: Any, own: Array, what: str) -> Array:
        if given is None:
            return own
        bound = numbers(given, f"{what} must be one number or {self.n} numbers")
        if bound.shape not in ((), (self.n,)):
            raise ShapeError(f"{what} must be one number or {self.n} numbers; got shape {bound.shape}")
        if not (bound > 0).all():
            raise BadOption(f"{what}={shown(given)}: bounds are above 0; inf for none")
        return np.array(np.broadcast_to(bound, (self.n,)))
