"""Segments: the joints that move one part of a body relative to its parent.

A shoulder is often described by three joints with a common centre and links without extent between them. A segment has all of
these joints: from the frame towards the root, up to and including the first whose origin is away from its parent's frame.
"""

import numpy as np

from limbik.model.joint import Joint, Kind
from limbik.model.mechanism import Mechanism

# Joints closer than this part of the mechanism's longest link have a common centre.
ONE_PLACE = 1e-9


def segment_joints(mechanism: Mechanism, frame: str) -> tuple[Joint, ...]:
    """Return the moving joints of a frame's segment, from the root outwards; none if the frame is fixed to the root."""
    longest = max((float(np.linalg.norm(joint.origin[:3, 3])) for joint in mechanism.joints), default=0.0)
    joints = mechanism.ancestry(mechanism.check_link(frame))
    found: list[Joint] = []
    for joint in reversed(joints):
        if joint.kind is not Kind.FIXED:
            found.append(joint)
        if found and float(np.linalg.norm(joint.origin[:3, 3])) > ONE_PLACE * longest:
            break
    return tuple(reversed(found))
