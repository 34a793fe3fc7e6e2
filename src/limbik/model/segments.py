"""Segments: the joints that move one part of a body against the part that carries it.

A shoulder is often written as three joints in one place with links of no extent between them. A segment's joints are all of
those: from the frame towards the root, up to and including the first one that is away from the joint before it.
"""

import numpy as np

from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism

# Joints nearer to each other than this part of the mechanism's longest link stand in one place.
ONE_PLACE = 1e-9


def segment_joints(mechanism: Mechanism, frame: str) -> tuple[Joint, ...]:
    """Return the moving joints that turn a frame against the segment before it, outwards; none where it is fixed to the root."""
    longest = max((float(np.linalg.norm(joint.origin[:3, 3])) for joint in mechanism.joints), default=0.0)
    way = mechanism.ancestry(mechanism.check_link(frame))
    found: list[Joint] = []
    for joint in reversed(way):
        if joint.kind is not Kind.FIXED:
            found.append(joint)
        if found and float(np.linalg.norm(joint.origin[:3, 3])) > ONE_PLACE * longest:
            break
    return tuple(reversed(found))
