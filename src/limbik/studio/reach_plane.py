"""The reachable points of a limb's tip in a vertical plane through its first joint, with the share of orientations."""

from dataclasses import dataclass

import numpy as np

from limbik.errors import BadOption
from limbik.geometry.arrays import Array
from limbik.geometry.se3 import inverse
from limbik.solvers.all_postures import reachable
from limbik.solvers.reach_map import random_rotations
from limbik.studio.limbs import MovedLimb, limb_of
from limbik.studio.motions import directions
from limbik.studio.session import Session

# Points along each side, random orientations at each (about one second), and their seed.
POINTS, ORIENTATIONS, SEED = 35, 32, 0


@dataclass(frozen=True, eq=False)
class ReachPlane:
    """A reach map.

    points: (k, 3), the reachable points in the robot's base frame [m]. share: (k,), the share of reachable orientations, above 0,
    up to 1. spacing: of the points [m]. orientations: tried at each point.
    """

    points: Array
    share: Array
    spacing: float
    orientations: int

    @property
    def text(self) -> str:
        """A legend of the map."""
        return f"dark: few of {self.orientations} orientations, yellow: up to {100 * self.share.max():.0f} %"


def reach_plane(session: Session, frame: str, points: int = POINTS, orientations: int = ORIENTATIONS) -> ReachPlane:
    """Return the reach map of a frame in the sagittal plane, with the rest of the body fixed. Raises BadOption."""
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption("this tip is not the end of a limb")
    if not np.isfinite(limb.chain.reach):
        raise BadOption(f"'{session.robot.name}' has an unlimited reach, so there is no reach map")
    up, forward, _ = directions(session.robot)
    axis = np.linspace(-limb.chain.reach, limb.chain.reach, points)
    a, b = np.meshgrid(axis, axis, indexing="ij")
    places = first_joint(session, limb) + a[..., None] * forward + b[..., None] * up
    T = np.broadcast_to(np.eye(4), (points, orientations, 4, 4)).copy()
    T[..., :3, :3] = random_rotations(np.random.default_rng(SEED), orientations)
    T_limb_base = inverse(session.robot.forward(session.q, limb.chain.base)) if _apart(session, limb) else np.eye(4)
    share = np.empty((points, points))
    for k in range(points):  # a column at a time: memory stays small
        T[..., :3, 3] = places[k][:, None]
        share[k] = reachable(limb.chain.model, (T_limb_base @ T).reshape(-1, 4, 4)).reshape(points, -1).mean(axis=1)
    reached = share > 0
    if not reached.any():
        raise BadOption(
            f"no point of this plane is reached in any of {orientations} random orientations: a limb that cannot "
            "rotate its tip freely has no such map"
        )
    return ReachPlane(places[reached], share[reached], float(axis[1] - axis[0]), orientations)


def first_joint(session: Session, limb: MovedLimb) -> Array:
    """Return the position of a limb's first joint, or of a whole robot's base, (3,) in the robot's base frame."""
    if not _apart(session, limb):
        return np.zeros(3)
    robot = session.robot
    own = limb.chain.joint_names[0].partition(".")[0]
    first = next(joint for joint in robot.model.mechanism.ancestry(limb.chain.tip) if joint.name == own)
    place: Array = robot.forward(session.q, first.child)[:3, 3]
    return place


def _apart(session: Session, limb: MovedLimb) -> bool:
    return bool(limb.chain.base != session.robot.base)
