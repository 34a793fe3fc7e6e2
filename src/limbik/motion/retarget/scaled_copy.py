"""Test whether one body is a scaled copy of another; then joint values are copied instead of retargeted."""

import numpy as np

from limbik.model.joint import Kind
from limbik.motion.retarget.anatomy import Anatomy

# The tolerance of equal placements: rotations, and positions as fractions of the largest.
SAME = 1e-6


def scaled_copy(one: Anatomy, other: Anatomy) -> bool:
    """Return whether two bodies have the same joints and bones, with all lengths scaled by one factor."""
    mine, theirs = one.compiled, other.compiled
    if mine.n != theirs.n or len(mine.elements) != len(theirs.elements) or one.mechanism.up != other.mechanism.up:
        return False
    for a, b in zip(mine.elements, theirs.elements, strict=True):
        own = (a.parent, a.joint.kind, a.variable.first, a.multiplier, a.offset)
        if own != (b.parent, b.joint.kind, b.variable.first, b.multiplier, b.offset):
            return False
    bones = [
        {bone: body.compiled.frames[body.names[bone]] for bone in body.names if body.has(bone)} for body in (one, other)
    ]
    if bones[0].keys() != bones[1].keys() or any(bones[0][k][0] != bones[1][k][0] for k in bones[0]):
        return False
    placements = [
        np.array([*(e.placement for e in body.compiled.elements), *(frame[1] for frame in found.values())])
        for body, found in zip((one, other), bones, strict=True)
    ]
    if np.abs(placements[0][:, :3, :3] - placements[1][:, :3, :3]).max(initial=0.0) > SAME:
        return False
    floating = [e.joint.kind is Kind.FLOATING for e in mine.elements] + [False] * len(bones[0])
    here, there = (m[~np.array(floating), :3, 3] for m in placements)
    sizes = float(np.abs(here).max(initial=0.0)), float(np.abs(there).max(initial=0.0))
    if min(sizes) <= 0:
        return sizes[0] == sizes[1]
    if np.abs(here / sizes[0] - there / sizes[1]).max() > SAME:
        return False
    return sizes[0] == sizes[1] or all(e.joint.kind is not Kind.PRISMATIC for e in mine.elements)
