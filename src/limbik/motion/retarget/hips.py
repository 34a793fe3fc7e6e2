"""The path of the hips: the source's, scaled by the length of the legs, with the height relative to the ankles."""

from collections.abc import Mapping

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.orientations import OrientationTransfer
from limbik.motion.retarget.soles import sole


def world_rotation(source: Anatomy, target: Anatomy) -> Array:
    """Return the rotation from the source's world to the target's, which maps up to up."""
    if source.mechanism.up == target.mechanism.up:
        return np.eye(3)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # y up to z up
    return about_x if source.mechanism.up == "y" else about_x.T


def rest_world_rotation(source: Anatomy, target: Anatomy) -> Array:
    """Return the rotation from the source's world to the target's that aligns both figures at rest."""
    mine, theirs = (np.stack([b.upright, b.left, np.cross(b.upright, b.left)], -1) for b in (target, source))
    out: Array = mine @ theirs.T
    return out


def about_hips(source: Anatomy, poses: Array) -> Array:
    """Return the poses with the hips fixed at their rest pose."""
    if not source.has("hips"):
        return poses
    hips = poses[:, source.frame_index("hips")]
    back = np.zeros_like(hips)
    back[:, :3, :3] = hips[:, :3, :3].transpose(0, 2, 1)
    back[:, :3, 3] = -np.einsum("fji,fj->fi", hips[:, :3, :3], hips[:, :3, 3])
    back[:, 3, 3] = 1.0
    out: Array = (source.pose("hips") @ back)[:, None] @ poses
    return out


def length_ratio(source: Anatomy, target: Anatomy, kind: str) -> float | None:
    """Return the length of the target's limbs over that of the source's, both sides together; None without common limbs.

    kind: "Arm" or "Leg". Limbs without hand or foot are compared by their upper bones.
    """
    sides = [side for side in SIDES if source.limb(side, kind) and target.limb(side, kind)]
    if sides:
        mine, theirs = (sum(sum(body.lengths(side, kind)) for side in sides) for body in (target, source))
        return mine / theirs
    upper, lower = LIMBS[kind][:2]
    sides = [
        s for s in SIDES if all(b.has(s + upper) and b.has_direction(s + upper, s + lower) for b in (source, target))
    ]
    mine, theirs = (
        sum(float(np.linalg.norm(body.pose(s + lower)[:3, 3] - body.pose(s + upper)[:3, 3])) for s in sides)
        for body in (target, source)
    )
    return mine / theirs if sides else None


def hip_centre(body: Anatomy, poses: Array) -> Array:
    """Return the midpoint of the hip joints, (frames, 3), or the position of the hips if a leg is missing."""
    legs = [f"{side}UpperLeg" for side in SIDES if body.has(f"{side}UpperLeg")]
    bones = legs if len(legs) == 2 else ["hips"]
    out: Array = np.mean([poses[:, body.frame_index(bone), :3, 3] for bone in bones], axis=0)
    return out


def translation_slice(target: Anatomy) -> slice:
    """Return the three translations of the floating joint in q."""
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 3)


def root_slice(target: Anatomy) -> slice:
    """Return the six values of the floating joint in q."""
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 6)


def root_rotation(target: Anatomy) -> Array:
    """Return the orientation of the floating joint's axes in the world, (3, 3)."""
    element = target.compiled.elements[target.floating]
    rotation = target.at_rest[element.joint.child][:3, :3]
    first = element.variable.first
    out: Array = rotation @ matrix_from_vector(target.rest[None, first + 3 : first + 6])[0].T
    return out


def place_hips(
    orientations: OrientationTransfer, q: Array, scale: float, ground: float, ankle: Mapping[str, float]
) -> None:
    """Write the hips' positions into q: the source's path, scaled, with the height relative to the ankles.

    ankle: the height of the source's standing ankles, {side: [m]}.
    """
    source, target = orientations.source, orientations.target
    path = hip_centre(source, orientations.poses)
    ankles = [f"{side}Foot" for side in SIDES if source.limb(side, "Leg") and target.limb(side, "Leg")]
    low = np.mean([ankle[a.removesuffix("Foot")] for a in ankles]) if ankles else 0.0
    path = scale * (path - low * source.up) @ orientations.W.T
    soles = [
        (sole(target, a.removesuffix("Foot"), orientations.target_frames[a])[0], orientations.target_frames[a])
        for a in ankles
    ]
    thick = np.mean([-(points @ frame[:, 1]).min() for points, frame in soles]) if soles else 0.0
    path = path + (ground + thick) * target.up
    q[:, translation_slice(target)] = 0.0
    here = hip_centre(target, target.compiled.kernel.forward_all(q, 1))
    q[:, translation_slice(target)] = (path - here) @ root_rotation(target)
