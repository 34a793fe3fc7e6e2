"""Find an upright rest posture (configuration): the zero posture, the one with all frames parallel, or a frame of the motion.

Figures in files of motion capture are upright at zero, and so are most robots. A figure whose ball joints have their zero in the
middle of their ranges sits or crouches at zero. Often its frames are still parallel to the world when it is upright (VRM requires
this), so the posture in which all frames are parallel to the base is tried next.

In some files every bone is along its own x axis. At zero all limbs then overlap along x, so the zero posture does not show which
posture is upright. In this case the most upright frame of the motion is taken: trunk up, legs down, shoulders parallel to the hip
joints.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy, unit
from limbik.motion.retarget.orientations import joint_values_of

# The smallest cosines between up and trunk, and between down and legs, in an upright posture: legs may be spread.
TRUNK_LEANS, LEGS_LEAN = 0.94, 0.82
# The largest lean of an upright figure: the mean of 1 - cosine over its bones; 40 degrees if it is the same for all. Overlapping
# bones lean more.
MOST_LEAN = 0.23
# The most candidate frames of a motion.
LOOKED_AT = 500
# The cosine of two vectors with a smaller product of lengths is undefined [m^2].
NO_LENGTH = 1e-12


def is_upright(body: Anatomy) -> bool:
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
            if -(body.pose(bone)[:3, :3] @ body.bone_direction(bone, to)) @ body.upright < LEGS_LEAN:
                return False
    return True


def with_upright_rest(body: Anatomy, motion: Array | None = None) -> Anatomy:
    """Return a body with an upright rest posture, or the given one if none is found.

    motion: postures of the body, (frames, n), as candidates if the bones overlap at rest.
    """
    folded = body.floating >= 0 and bool(_leans(body, body.rest[None], body.upright)[0] > MOST_LEAN)
    if is_upright(body) and not folded:
        return body
    ranges = Ranges(body.compiled)
    parallel = {bone: np.eye(3)[None] for bone in body.names if body.has(bone)}
    other = Anatomy(body.mechanism, body.compiled, body.names, joint_values_of(body, parallel, 1, ranges)[0])
    if is_upright(other) and not folded:
        return other
    if motion is None:
        return body
    some = motion[np.unique(np.linspace(0, len(motion) - 1, min(len(motion), LOOKED_AT)).round().astype(int))]
    lean = _leans(body, some, body.up)
    best = Anatomy(body.mechanism, body.compiled, body.names, np.array(some[int(np.argmin(lean))]), recorded=True)
    return best if lean.min() <= MOST_LEAN and is_upright(best) else body


def _leans(body: Anatomy, q: Array, up: Array) -> Array:
    """Return the lean of some postures, (frames,): the mean of 1 - cosine between bones and their upright directions.

    q: (frames, n). up: the upward direction. The upright directions: trunk and head up, legs down, and the lines between the hip
    joints and between the shoulders along the horizontal part of the former.
    """
    poses = body.compiled.kernel.forward_all(q, 1)
    pairs: list[tuple[Array, Array]] = []

    def place(*bones: str) -> Array:
        out: Array = np.mean([poses[:, body.frame_index(bone), :3, 3] for bone in bones], axis=0)
        return out

    for top in ("head", "neck"):
        if body.has("hips", top):
            pairs.append((place(top) - place("hips"), np.broadcast_to(up, (len(q), 3))))
            break
    for side in SIDES:
        if body.limb(side, "Leg") is not None:
            upper, lower, foot = (side + part for part in LIMBS["Leg"])
            pairs += [
                (place(b) - place(a), -np.broadcast_to(up, (len(q), 3))) for a, b in ((upper, lower), (lower, foot))
            ]
    across = [place(f"left{part}") - place(f"right{part}") for part in ("UpperLeg", "UpperArm")
              if body.has(f"left{part}", f"right{part}")]  # fmt: skip
    if across:
        level = across[0] - (across[0] @ up)[:, None] * up
        pairs += [(line, level) for line in across]
    cosines = [_cosine(vector, wanted) for vector, wanted in pairs]
    return np.mean(1.0 - np.array(cosines), axis=0) if cosines else np.zeros(len(q))


def _cosine(a: Array, b: Array) -> Array:
    """Return the cosine between vectors, row by row; -1 if one has no length."""
    length = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    out: Array = np.divide((a * b).sum(axis=1), length, out=np.full(len(a), -1.0), where=length > NO_LENGTH)
    return out
