"""A rest posture that stands: the zero posture, the one in which all bones are turned as the world, or a frame of the motion.

Files of motion capture stand at zero; so do most robots. A figure whose ball joints are counted from the middle of their ranges
sits or crouches there. Its frames are then often those of a standing figure all the same (VRM asks for frames that are parallel
to the world), so the posture that turns every frame as the base is tried.

Some files have every bone along its own x axis: at zero all limbs lie along x, one on the other, and nothing is learnt of how
the figure stands. Its motion tells: of all frames the one that stands straightest is taken, trunk up, legs down, shoulders above
hips.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy, unit
from limbik.motion.retarget.orientations import turned_as

# The cosines of how far a trunk and legs may lean in a posture that stands: legs may be spread.
TRUNK_LEANS, LEGS_LEAN = 0.94, 0.82
# A figure is farther from standing than this where bones lie across each other: the mean of 1 - cosine, 40 degrees for all.
MOST_LEAN = 0.23
# The most candidate frames of a motion.
LOOKED_AT = 500
# Vectors with a smaller product of lengths have no direction [m^2].
NO_LENGTH = 1e-12


def stands(body: Anatomy) -> bool:
    """Return whether a body at rest is upright, as far as its bones determine it."""
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


def standing(body: Anatomy, motion: Array | None = None) -> Anatomy:
    """Return a body with an upright rest posture, or the given one if none is found.

    motion: postures of the body, (frames, n), as candidates if the bones overlap at rest.
    """
    folded = body.floating >= 0 and bool(_leans(body, body.rest[None], body.upright)[0] > MOST_LEAN)
    if stands(body) and not folded:
        return body
    ranges = Ranges(body.compiled)
    parallel = {bone: np.eye(3)[None] for bone in body.names if body.has(bone)}
    other = Anatomy(body.mechanism, body.compiled, body.names, turned_as(body, parallel, 1, ranges)[0])
    if stands(other) and not folded:
        return other
    if motion is None:
        return body
    some = motion[np.unique(np.linspace(0, len(motion) - 1, min(len(motion), LOOKED_AT)).round().astype(int))]
    lean = _leans(body, some, body.up)
    best = Anatomy(body.mechanism, body.compiled, body.names, np.array(some[int(np.argmin(lean))]), recorded=True)
    return best if lean.min() <= MOST_LEAN and stands(best) else body


def _leans(body: Anatomy, q: Array, up: Array) -> Array:
    """Return how far bodies are from standing straight, (frames,): a mean of 1 - cosine. q: (frames, n). up: the direction of up.

    Trunk and head point up, legs down, and the line between the shoulders runs as that between the hip joints, level.
    """
    poses = body.compiled.kernel.forward_all(q, 1)
    ways: list[tuple[Array, Array]] = []

    def place(*bones: str) -> Array:
        out: Array = np.mean([poses[:, body.number(bone), :3, 3] for bone in bones], axis=0)
        return out

    for top in ("head", "neck"):
        if body.has("hips", top):
            ways.append((place(top) - place("hips"), np.broadcast_to(up, (len(q), 3))))
            break
    for side in SIDES:
        if body.limb(side, "Leg") is not None:
            upper, lower, foot = (side + part for part in LIMBS["Leg"])
            ways += [
                (place(b) - place(a), -np.broadcast_to(up, (len(q), 3))) for a, b in ((upper, lower), (lower, foot))
            ]
    across = [place(f"left{part}") - place(f"right{part}") for part in ("UpperLeg", "UpperArm")
              if body.has(f"left{part}", f"right{part}")]  # fmt: skip
    if across:
        level = across[0] - (across[0] @ up)[:, None] * up
        ways += [(line, level) for line in across]
    cosines = [_cosine(way, wanted) for way, wanted in ways]
    return np.mean(1.0 - np.array(cosines), axis=0) if cosines else np.zeros(len(q))


def _cosine(a: Array, b: Array) -> Array:
    """Return the cosine between vectors, row by row; -1 if one has no length."""
    length = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    out: Array = np.divide((a * b).sum(axis=1), length, out=np.full(len(a), -1.0), where=length > NO_LENGTH)
    return out
