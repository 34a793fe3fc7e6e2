"""Anatomical frames: the direction of each bone and the bending axes of elbows and knees, with the same meaning in all bodies.

Two figures are compared by anatomical frames. Every bone has a rotation B in its own frame, whose columns have the same
anatomical meaning in every body. Bones of two figures have the same orientation if R B agrees, where R is the bone's orientation
in the world. B's first column is the bone's direction d, the second a side s, the third d x s:

- trunk (hips to head, collar bones): d points up and s to the left in the rest posture (configuration). So the rest postures of
  two trunks are assumed to be equal.
- upper and lower arms and legs: d points to the next joint, and s is the bending axis of the elbow or knee. A revolute joint
  defines this axis. A ball joint does not: then s is the mean of d x d' over a motion, where d' is the direction of the lower
  bone; large bends have more weight. If the limb does not bend enough, elbows are assumed to bend forwards and knees backwards in
  the rest posture.
- hands: d points to the fingers; without fingers along the lower arm at rest; without an elbow down. s points to the thumb.
  Without a thumb, and if the rest posture is a frame of a motion, s points forwards if the arm is held out (palms down) or hangs
  in a frame of a motion (palms to the thighs), and outwards if it hangs in a model (palms forward, the anatomical position).
  If d itself points forwards, s is any direction across it. Fingers have the hand's frame at rest.
- feet: s points up when the foot is flat, and d along the ground to the toes. A motion defines "flat" by its stances; without a
  motion it is the rest posture. Rest postures of files may have rolled feet (those of CMU by 20 degrees).

The directions of limbs do not depend on the rest posture, so it need not be a T-pose; it must only be upright.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.motion.retarget.anatomy import LIMBS, PARALLEL, SIDES, Anatomy, unit

# A mean bend with a sine below this determines no axis.
LEAST_BEND = 0.05
# An arm hangs if its direction at rest has at least this downward component.
HANGING = 0.7
# A joint twists a bone if the cosine between its axis and the bone is at least this.
TWISTING = 0.9
# The sine between hand and thumb, or between sole and toes, below which they determine no direction.
LEAST_SPREAD = 0.2
# The tolerance of equal rest frames and directions.
SAME = 1e-6


def hinge(body: Anatomy, side: str, kind: str) -> Array | None:
    """Return the axis of the revolute joint that bends a limb, in the world at rest; None if a ball joint does.

    Positive rotation about it bends the limb. If the joint's range is not one-sided, the sign is that of `default_bend_axis`.
    """
    upper, lower = (side + part for part in LIMBS[kind][:2])
    along = body.pose(upper)[:3, :3] @ body.bone_direction(upper, lower)
    for element in (body.compiled.elements[k] for k in body.elements_between(upper, lower)):
        joint = element.joint
        if not joint.kind.is_revolute:
            continue
        axis = body.at_rest[joint.child][:3, :3] @ joint.axis
        if abs(axis @ along) >= TWISTING:
            continue
        low, high = joint.lower, joint.upper
        one_sided = np.isfinite(high - low) and abs(low + high) > 0.5 * (high - low)
        sign = low + high if one_sided else axis @ default_bend_axis(body, side, kind)
        return unit(axis - (axis @ along) * along) * (1.0 if sign >= 0 else -1.0)
    return None


def default_bend_axis(body: Anatomy, side: str, kind: str) -> Array:
    """Return the axis in the world at rest about which an elbow bends forwards or a knee backwards."""
    upper, lower = (side + part for part in LIMBS[kind][:2])
    return _bend_axis(body, body.pose(upper)[:3, :3] @ body.bone_direction(upper, lower), kind)


def _bend_axis(body: Anatomy, along: Array, kind: str) -> Array:
    """Return the axis in the world about which an arm bone bends forwards, or a leg bone backwards.

    along: the direction of the bone in the world.
    """
    axis = np.cross(along, body.forward if kind == "Arm" else -body.forward)
    if np.linalg.norm(axis) < PARALLEL:
        axis = np.cross(along, body.upright)
    return unit(axis)


def bend_axes(body: Anatomy, side: str, kind: str, poses: Array | None) -> tuple[Array, Array]:
    """Return the bending axis of a limb, in the frames of the upper and the lower bone.

    poses: (frames, all frames of the figure, 4, 4) of a motion, or None.
    """
    upper, lower, end = (side + part for part in LIMBS[kind])
    default = default_bend_axis(body, side, kind)
    axis = hinge(body, side, kind)
    if axis is not None:
        return body.local(upper, axis), body.local(lower, axis)
    if poses is not None:
        R, S = (poses[:, body.frame_index(bone), :3, :3] for bone in (upper, lower))
        bend = np.cross(R @ body.bone_direction(upper, lower), S @ body.bone_direction(lower, end))
        means = [np.einsum("fji,fj->i", rotations, bend) / len(bend) for rotations in (R, S)]
        if min(np.linalg.norm(mean) for mean in means) >= LEAST_BEND:
            return unit(means[0]), unit(means[1])
    return body.local(upper, default), body.local(lower, default)


def anatomical_frames(
    body: Anatomy, poses: Array | None = None, flat: Mapping[str, Array] | None = None
) -> dict[str, Array]:
    """Return the anatomical frame of every bone in its own frame, {bone: (3, 3)}.

    poses: (frames, all frames of the figure, 4, 4) of a motion, which determines bending axes; None without one. flat: {foot: the
    upward direction of the standing foot in its own frame}.
    """
    upright = np.stack([body.upright, body.left, np.cross(body.upright, body.left)], -1)
    out: dict[str, Array] = {}
    for bone in body.names:
        if body.has(bone):
            out[bone] = body.pose(bone)[:3, :3].T @ upright
    for side in SIDES:
        for kind in LIMBS:
            if body.limb(side, kind) is None:
                _incomplete_limb(body, side, kind, out)
                continue
            upper, lower, end = (side + part for part in LIMBS[kind])
            axes = bend_axes(body, side, kind, poses)
            out[upper] = frame(body.bone_direction(upper, lower), axes[0])
            out[lower] = frame(body.bone_direction(lower, end), axes[1])
        if body.has(f"{side}Hand"):
            _hand(body, side, out)
        if body.has(f"{side}Foot"):
            _foot(body, side, out, (flat or {}).get(f"{side}Foot"))
    return out


def _incomplete_limb(body: Anatomy, side: str, kind: str, out: dict[str, Array]) -> None:
    """Write the frames of the bones of an incomplete limb: d points to the next joint, or to the farthest child link."""
    along: Array | None = None
    bones = [side + part for part in LIMBS[kind]]
    for bone, to in pairwise(bones):
        if not body.has(bone):
            continue
        if body.has_direction(bone, to):
            along = body.pose(bone)[:3, :3] @ body.bone_direction(bone, to)
        else:
            link, start = body.names[bone], body.pose(bone)[:3, 3]
            ends = [j.child for j in body.mechanism.joints if j.parent == link and j.child in body.at_rest]
            vectors = [body.at_rest[child][:3, 3] - start for child in ends]
            farthest = max(vectors, key=lambda vector: float(np.linalg.norm(vector)), default=np.zeros(3))
            if np.linalg.norm(farthest) > 0:
                along = unit(farthest)
        if along is not None:
            out[bone] = frame(body.local(bone, along), body.local(bone, _bend_axis(body, along, kind)))


def matched_frames(
    source: Anatomy, target: Anatomy, W: Array, of_source: Mapping[str, Array], of_target: Mapping[str, Array]
) -> tuple[dict[str, Array], frozenset[str]]:
    """Return the anatomical frames of the target, and the bones whose orientations are copied from the source.

    W: the rotation from the source's world to the target's. Two figures have the same structure if they have the same bones, and
    each bone has the same orientation at rest, the same directions to its child bones, and the same kinds of joints. Then the
    target takes the source's frames, and all bones take the source's orientations, including twists. A single different bone (an
    elbow that is a ball in one figure and a hinge in the other, or a missing thumb) makes all frames the target's own.
    """
    equal = of_target.keys() == of_source.keys() and all(_same_bone(source, target, W, bone) for bone in of_target)
    return (dict(of_source), frozenset(of_source)) if equal else (dict(of_target), frozenset())


def _same_bone(source: Anatomy, target: Anatomy, W: Array, bone: str) -> bool:
    if np.abs(W @ source.pose(bone)[:3, :3] - target.pose(bone)[:3, :3]).max() > SAME:
        return False
    if _kinds(source, bone) != _kinds(target, bone):
        return False
    for other in target.names:
        if target.names.parent(other) != bone or not (source.has(other) and target.has(other)):
            continue
        if not (source.has_direction(bone, other) and target.has_direction(bone, other)):
            continue
        if np.abs(source.bone_direction(bone, other) - target.bone_direction(bone, other)).max() > SAME:
            return False
        if _kinds(source, other) != _kinds(target, other):
            return False
    return True


def _kinds(body: Anatomy, bone: str) -> list[Kind]:
    """Return the kinds of the joints between a bone and its parent bone."""
    carrier = body.names.parent(bone)
    found = body.elements_between(carrier if carrier is not None and body.has(carrier) else None, bone)
    return [body.compiled.elements[k].joint.kind for k in found]


def _hand(body: Anatomy, side: str, out: dict[str, Array]) -> None:
    """Write the frames of a hand and its fingers, which are in `out` already. side: "left" or "right"."""
    hand = f"{side}Hand"
    knuckles = (f"{side}{finger}Proximal" for finger in ("Middle", "Index", "Ring"))
    knuckle = next((bone for bone in knuckles if body.has_direction(hand, bone)), None)
    elbow = f"{side}LowerArm"
    forearm = body.pose(hand)[:3, 3] - body.pose(elbow)[:3, 3] if body.has_direction(hand, elbow) else -body.upright
    d = body.bone_direction(hand, knuckle) if knuckle else body.local(hand, unit(forearm))
    outward = body.left if side == "left" else -body.left
    d_world = body.pose(hand)[:3, :3] @ d
    hangs_in_model = d_world @ body.upright < -HANGING and not body.recorded
    to_thumb = body.local(hand, outward if hangs_in_model else body.forward)
    thumb = _thumb(body, side)
    if thumb is not None and not body.recorded and np.linalg.norm(np.cross(d, thumb)) > LEAST_SPREAD:
        to_thumb = thumb
    out[hand] = frame(d, to_thumb - (to_thumb @ d) * d)
    for bone in out:
        if bone.startswith(side) and body.names.parent(bone) is not None and _is_finger(bone):
            out[bone] = body.pose(bone)[:3, :3].T @ body.pose(hand)[:3, :3] @ out[hand]


def _thumb(body: Anatomy, side: str) -> Array | None:
    """Return the direction from the hand to the end of the thumb, in the hand's frame."""
    hand, first = f"{side}Hand", f"{side}ThumbMetacarpal"
    if not body.has(first):
        return None
    start = body.pose(hand)[:3, 3]
    ends = [body.names[b] for b in (first, f"{side}ThumbProximal", f"{side}ThumbDistal") if body.has(b)]
    ends += [j.child for j in body.mechanism.joints if j.parent in ends and j.child in body.at_rest]
    apart = body.at_rest[ends[-1]][:3, 3] - start
    return body.local(hand, unit(apart)) if np.linalg.norm(apart) > 0 else None


def _resting_up(body: Anatomy, side: str) -> Array:
    """Return the upward direction of a foot at rest, without a motion, in the foot's frame.

    If legs are spread at rest, the feet may be rolled with them. They are if the toes are below the ankle along the leg rather
    than vertically; then up is the direction of the leg.
    """
    foot, toes, knee = f"{side}Foot", f"{side}Toes", f"{side}LowerLeg"
    up = body.local(foot, body.upright)
    if not (body.has_direction(foot, toes) and body.has_direction(foot, knee)):
        return up
    ahead = body.local(foot, body.forward)
    along = body.bone_direction(foot, knee)
    along = along - (along @ ahead) * ahead
    drop = body.bone_direction(foot, toes)
    drop = drop - (drop @ ahead) * ahead
    if min(np.linalg.norm(along), np.linalg.norm(drop)) < PARALLEL:
        return up
    return unit(along) if -drop @ unit(along) > -drop @ up else up


def _foot(body: Anatomy, side: str, out: dict[str, Array], flat: Array | None) -> None:
    foot, toes = f"{side}Foot", f"{side}Toes"
    up = _resting_up(body, side) if flat is None else unit(flat)
    # Towards the toes, else forwards; if the figure lies on its belly, forwards is vertical, so its upright axis is tried last.
    vectors = [body.bone_direction(foot, toes)] if body.has_direction(foot, toes) else []
    vectors += [body.local(foot, vector) for vector in (body.forward, body.upright)]
    ahead = next(vector for vector in vectors if np.linalg.norm(np.cross(vector, up)) > LEAST_SPREAD)
    out[foot] = frame(ahead - (ahead @ up) * up, up)
    if body.has(toes):
        out[toes] = body.pose(toes)[:3, :3].T @ body.pose(foot)[:3, :3] @ out[foot]


def frame(d: Array, s: Array) -> Array:
    """Return the frame with the first column along d and the second near s; any perpendicular one if s is parallel to d."""
    d = unit(d)
    across = s - (s @ d) * d
    if np.linalg.norm(across) < PARALLEL:
        across = np.eye(3)[np.argmin(np.abs(d))]
        across = across - (across @ d) * d
    across = unit(across)
    return np.stack([d, across, np.cross(d, across)], -1)


def _is_finger(bone: str) -> bool:
    return any(name in bone for name in ("Thumb", "Index", "Middle", "Ring", "Little"))
