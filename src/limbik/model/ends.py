"""The links at the ends of a mechanism."""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.mechanism import Mechanism

# Two frames on one body coincide if their poses differ by less [m, and entries of the rotation].
COINCIDE = 1e-12


def ends_of(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the links at the ends of the moving branches of the tree (all leaves if nothing moves).

    A leaf on a body with a further moving joint is not an end; leaves that coincide count as one.
    """
    body: dict[str, str] = {
        mechanism.root: mechanism.root
    }  # the first link of the rigid body that each link belongs to
    place: dict[str, Array] = {mechanism.root: np.eye(4)}
    inner: set[str] = set()  # the bodies with a further moving joint
    for joint in mechanism.joints:
        if joint.kind.size:
            inner.add(body[joint.parent])
            body[joint.child], place[joint.child] = joint.child, np.eye(4)
        else:
            body[joint.child], place[joint.child] = body[joint.parent], place[joint.parent] @ joint.origin
    ends: dict[str, list[str]] = {}
    for leaf in mechanism.leaves:
        if body[leaf] in inner or body[leaf] == mechanism.root:
            continue
        on_body = ends.setdefault(body[leaf], [])
        same = [k for k, other in enumerate(on_body) if np.allclose(place[other], place[leaf], atol=COINCIDE)]
        if same:
            on_body[same[0]] = leaf
        else:
            on_body.append(leaf)
    return tuple(leaf for on_body in ends.values() for leaf in on_body) or mechanism.leaves
