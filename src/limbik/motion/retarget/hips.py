"""The path of the hips: the source's, scaled by the length of the legs, with the height relative to the ankles."""

from collections.abc import Mapping

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import matrix_from_vector
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.orientations import Turns
from limbik.motion.retarget.soles import sole


def world(source: Anatomy, target: Anatomy) -> Array:
    """Return the rotation from the source's world to the target's, which maps up to up."""
    if source.mechanism.up == target.mechanism.up:
        return np.eye(3)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # y up to z up
    return about_x if source.mechanism.up == "y" else about_x.T


def world_of_rest(source: Anatomy, target: Anatomy) -> Array:
    """Return the rotation from the source's world to the target's that aligns both at rest."""
    mine, theirs = (np.stack([b.upright, b.left, np.cross(b.upright, b.left)], -1) for b in (target, source))
    out: Array = mine @ theirs.T
    return out


def about_hips(source: Anatomy, poses: Array) -> Array:
    """Return the poses relative to the hips, with the hips at rest."""
    if not source.has("hips"):
        return poses
    hips = poses[:, source.number("hips")]
    back = np.zeros_like(hips)
    back[:, :3, :3] = hips[:, :3, :3].transpose(0, 2, 1)
    back[:, :3, 3] = -np.einsum("fji,fj->fi", hips[:, :3, :3], hips[:, :3, 3])
    back[:, 3, 3] = 1.0
    out: Array = (source.pose("hips") @ back)[:, None] @ poses
    return out


def ratio(source: Anatomy, target: Anatomy, kind: str) -> float | None:
    """Return the ratio of the lengths of the target's and the source's limbs, both sides together; None without limbs.

    Limbs without hand or foot are compared by their upper bones.
    """
    sides = [side for side in SIDES if source.limb(side, kind) and target.limb(side, kind)]
    if sides:
        mine, theirs = (sum(sum(body.lengths(side, kind)) for side in sides) for body in (target, source))
        return mine / theirs
    upper, lower = LIMBS[kind][:2]
    sides = [s for s in SIDES if all(b.has(s + upper) and b.leads(s + upper, s + lower) for b in (source, target))]
    mine, theirs = (
        sum(float(np.linalg.norm(body.pose(s + lower)[:3, 3] - body.pose(s + upper)[:3, 3])) for s in sides)
        for body in (target, source)
    )
    return mine / theirs if sides else None


def middle(body: Anatomy, poses: Array) -> Array:
    """Return the middle between the hip joints, (frames, 3)."""
    legs = [f"{side}UpperLeg" for side in SIDES if body.has(f"{side}UpperLeg")]
    bones = legs if len(legs) == 2 else ["hips"]
    out: Array = np.mean([poses[:, body.number(bone), :3, 3] for bone in bones], axis=0)
    return out


def place(target: Anatomy) -> slice:
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 3)


def root(target: Anatomy) -> slice:
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 6)


def root_turn(target: Anatomy) -> Array:
    """Return the orientation of the floating joint's axes in the world at rest."""
    element = target.compiled.elements[target.floating]
    turned = target.at_rest[element.joint.child][:3, :3]
    first = element.variable.first
    out: Array = turned @ matrix_from_vector(target.rest[None, first + 3 : first + 6])[0].T
    return out


def place_hips(turns: Turns, q: Array, scale: float, ground: float, ankle: Mapping[str, float]) -> None:
    """Write the hips' positions: the source's path, scaled, with the height relative to the ankles.

    ankle: the height of the source's standing ankles, {side: [m]}.
    """
    source, target = turns.source, turns.target
    way = middle(source, turns.poses)
    ankles = [f"{side}Foot" for side in SIDES if source.limb(side, "Leg") and target.limb(side, "Leg")]
    low = np.mean([ankle[a.removesuffix("Foot")] for a in ankles]) if ankles else 0.0
    way = scale * (way - low * source.up) @ turns.W.T
    soles = [(sole(target, a.removesuffix("Foot"), turns.target_frames[a])[0], turns.target_frames[a]) for a in ankles]
    thick = np.mean([-(points @ frame[:, 1]).min() for points, frame in soles]) if soles else 0.0
    way = way + (ground + thick) * target.up
    q[:, place(target)] = 0.0
    here = middle(target, target.compiled.kernel.forward_all(q, 1))
    q[:, place(target)] = (way - here) @ root_turn(target)
