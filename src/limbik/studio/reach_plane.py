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

# Points along each side, orientations tried at each (a second's work), and the seed that they are drawn with.
POINTS, ORIENTATIONS, SEED = 35, 32, 0


@dataclass(frozen=True, eq=False)
class ReachPlane:
    """points: (k, 3) [m] that the tip gets to, in the robot's base frame. share: (k,) of the orientations, above 0 to 1.

    spacing: of the points [m].
    """

    points: Array
    share: Array
    spacing: float
    orientations: int

    @property
    def says(self) -> str:
        """The map in words."""
        return f"dark: few of {self.orientations} orientations, yellow: up to {100 * self.share.max():.0f} %"


def reach_plane(session: Session, frame: str, points: int = POINTS, orientations: int = ORIENTATIONS) -> ReachPlane:
    """Return the reach map of a frame in the sagittal plane, with the rest of the body fixed. Raises BadOption."""
    limb = limb_of(session.robot, frame)
    if limb is None:
        raise BadOption("this tip is not the end of a limb")
    if not np.isfinite(limb.chain.reach):
        raise BadOption(f"'{session.robot.name}' has an unlimited reach: there is no map of it")
    up, forward, _ = directions(session.robot)
    side = np.linspace(-limb.chain.reach, limb.chain.reach, points)
    a, b = np.meshgrid(side, side, indexing="ij")
    places = first_joint(session, limb) + a[..., None] * forward + b[..., None] * up
    T = np.broadcast_to(np.eye(4), (points, orientations, 4, 4)).copy()
    T[..., :3, :3] = random_rotations(np.random.default_rng(SEED), orientations)
    T_limb_base = inverse(session.robot.forward(session.q, limb.chain.base)) if _apart(session, limb) else np.eye(4)
    share = np.empty((points, points))
    for k in range(points):  # a column at a time: memory stays small
        T[..., :3, 3] = places[k][:, None]
        share[k] = reachable(limb.chain.model, (T_limb_base @ T).reshape(-1, 4, 4)).reshape(points, -1).mean(axis=1)
    there = share > 0
    if not there.any():
        raise BadOption(
            f"no point of this plane is reached in any of {orientations} random orientations: a limb that cannot "
            "rotate its tip freely has no such map"
        )
    return ReachPlane(places[there], share[there], float(side[1] - side[0]), orientations)


def first_joint(session: Session, limb: MovedLimb) -> Array:
    """Return where a limb begins to move, (3,) in the robot's base frame: a shoulder, a hip; a whole robot's base."""
    if not _apart(session, limb):
        return np.zeros(3)
    robot = session.robot
    own = limb.chain.joint_names[0].partition(".")[0]
    first = next(joint for joint in robot.model.mechanism.ancestry(limb.chain.tip) if joint.name == own)
    place: Array = robot.forward(session.q, first.child)[:3, 3]
    return place


def _apart(session: Session, limb: MovedLimb) -> bool:
    return bool(limb.chain.base != session.robot.base)
