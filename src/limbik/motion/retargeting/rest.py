"""A rest posture that stands: the zero posture, or the one in which all bones are turned as the world.

Files of motion capture stand at zero; so do most robots. A figure whose ball joints are counted from the middle of their ranges
sits or crouches there. Its frames are then often those of a standing figure all the same (VRM asks for frames that are parallel
to the world), so the posture that turns every frame as the base is tried.
"""

import numpy as np

from limbik.model.ranges import Ranges
from limbik.motion.retargeting.anatomy import LIMBS, SIDES, Anatomy, unit
from limbik.motion.retargeting.orientations import turned_as

# The cosines of how far a trunk and legs may lean in a posture that stands: legs may be spread.
TRUNK_LEANS, LEGS_LEAN = 0.94, 0.82


def stands(body: Anatomy) -> bool:
    """Tell whether a body at rest stands upright, as far as its bones tell."""
    if body.has("hips"):
        for top in ("head", "neck"):
            if body.has(top):
                trunk = body.pose(top)[:3, 3] - body.pose("hips")[:3, 3]
                if np.linalg.norm(trunk) > 0 and unit(trunk) @ body.upright < TRUNK_LEANS:
                    return False
                break
    for side in SIDES:
        upper, lower, foot = (side + part for part in LIMBS["Leg"])
        if body.limb(side, "Leg") is None:
            continue
        for bone, to in ((upper, lower), (lower, foot)):
            if -(body.pose(bone)[:3, :3] @ body.way(bone, to)) @ body.upright < LEGS_LEAN:
                return False
    return True


def standing(body: Anatomy) -> Anatomy:
    """Return a body with a rest posture that stands, the given one where it does or where none is found."""
    if stands(body):
        return body
    ranges = Ranges(body.compiled)
    parallel = {bone: np.eye(3)[None] for bone in body.names if body.has(bone)}
    other = Anatomy(body.mechanism, body.compiled, body.names, turned_as(body, parallel, 1, ranges)[0])
    return other if stands(other) else body
