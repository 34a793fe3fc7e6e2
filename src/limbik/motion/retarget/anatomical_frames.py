"""Anatomical frames: the direction of each bone and the bending axes of elbows and knees, defined alike for all bodies.

Two figures are compared by anatomical frames: for every bone a rotation B in its own frame, whose columns have the same
anatomical meaning in every body. Bones of two figures have the same orientation if R B agrees, where R is the bone's orientation
in the world. B's first column is the bone's direction d, the second a side s, the third d x s:

- trunk (hips to head, collar bones): d is up and s to the left, in the rest posture. So their rest postures are taken as equal.
- upper and lower arms and legs: d leads to the next joint and s is the axis about which elbow or knee bends. A joint with one
  axis says so itself. A ball does not: there s is the mean of d x d' over a motion, d' being the direction of the lower bone;
  long bends count more. Where nothing bends enough, elbows bend forwards and knees backwards in the rest posture.
- hands: d leads to the fingers (where there are none, on along the lower arm at rest), s to the thumb (where there is none:
  forwards if the arm is held out at rest, palms down, or hangs in a frame of a motion, palms to the thighs; outwards if it hangs
  in a model, palms forward, the anatomical position).
- feet: s is up when the foot stands flat, d leads to the toes along the ground. Flat is how it stands in a motion where it
  stands; where no motion is known, in the rest posture. Rest postures of files may have rolled feet (CMU's have, by 20 degrees).

Directions do not depend on the rest posture, so it need not be a T-pose; it must only be upright.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.motion.retarget.anatomy import LIMBS, PARALLEL, SIDES, Anatomy, unit

# A bend below this mean sine determines no axis.
LEAST_BEND = 0.05
# An arm whose direction at rest has this downward component hangs.
HANGING = 0.7
# A joint twists a bone if the cosine between its axis and the bone is at least this.
TWISTING = 0.9
# The sine between hand and thumb, or between sole and toes, below which they determine no direction.
LEAST_SPREAD = 0.2
# The tolerance of equal rest frames and directions.
SAME = 1e-6


def hinge(body: Anatomy, side: str, kind: str) -> Array | None:
    """Return the axis of the revolute joint that bends a limb, in the world at rest; None for a ball.

    Its sign is such that positive rotation bends the limb: the direction with the larger range, else the usual one.
    """
    upper, lower = (side + part for part in LIMBS[kind][:2])
    along = body.pose(upper)[:3, :3] @ body.way(upper, lower)
    for element in (body.compiled.elements[k] for k in body.between(upper, lower)):
        joint = element.joint
        if not joint.kind.turns:
            continue
        axis = body.at_rest[joint.child][:3, :3] @ joint.axis
        if abs(axis @ along) >= TWISTING:
            continue
        low, high = joint.lower, joint.upper
        one_way = np.isfinite(high - low) and abs(low + high) > 0.5 * (high - low)
        sign = low + high if one_way else axis @ usual_axis(body, side, kind)
        return unit(axis - (axis @ along) * along) * (1.0 if sign >= 0 else -1.0)
    return None


def usual_axis(body: Anatomy, side: str, kind: str) -> Array:
    """Return the axis in the world at rest about which an elbow bends forwards or a knee backwards."""
    upper, lower = (side + part for part in LIMBS[kind][:2])
    return _bending(body, body.pose(upper)[:3, :3] @ body.way(upper, lower), kind)


def _bending(body: Anatomy, along: Array, kind: str) -> Array:
    """Return the axis in the world about which a bone of a limb that points along a direction bends forwards or backwards."""
    axis = np.cross(along, body.forward if kind == "Arm" else -body.forward)
    if np.linalg.norm(axis) < PARALLEL:
        axis = np.cross(along, body.upright)
    return unit(axis)


def bend_axes(body: Anatomy, side: str, kind: str, poses: Array | None) -> tuple[Array, Array]:
    """Return the bending axis of a limb, in the frames of the upper and the lower bone.

    poses: (frames, all frames of the figure, 4, 4) of a motion, or None.
    """
    upper, lower, end = (side + part for part in LIMBS[kind])
    usual = usual_axis(body, side, kind)
    axis = hinge(body, side, kind)
    if axis is not None:
        return body.local(upper, axis), body.local(lower, axis)
    if poses is not None:
        R, S = (poses[:, body.number(bone), :3, :3] for bone in (upper, lower))
        bend = np.cross(R @ body.way(upper, lower), S @ body.way(lower, end))
        means = [np.einsum("fji,fj->i", turned, bend) / len(bend) for turned in (R, S)]
        if min(np.linalg.norm(mean) for mean in means) >= LEAST_BEND:
            return unit(means[0]), unit(means[1])
    return body.local(upper, usual), body.local(lower, usual)


def anatomical_frames(
    body: Anatomy, poses: Array | None = None, flat: Mapping[str, Array] | None = None
) -> dict[str, Array]:
    """Return the anatomical frame of every bone in its own frame, {bone: (3, 3)}.

    poses: of a motion, which determines bending axes. flat: the upward direction of standing feet, in the foot's frame.
    """
    upright = np.stack([body.upright, body.left, np.cross(body.upright, body.left)], -1)
    out: dict[str, Array] = {}
    for bone in body.names:
        if body.has(bone):
            out[bone] = body.pose(bone)[:3, :3].T @ upright
    for side in SIDES:
        for kind in LIMBS:
            if body.limb(side, kind) is None:
                _cut_off(body, side, kind, out)
                continue
            upper, lower, end = (side + part for part in LIMBS[kind])
            axes = bend_axes(body, side, kind, poses)
            out[upper] = frame(body.way(upper, lower), axes[0])
            out[lower] = frame(body.way(lower, end), axes[1])
        if body.has(f"{side}Hand"):
            _hand(body, side, out)
        if body.has(f"{side}Foot"):
            _foot(body, side, out, (flat or {}).get(f"{side}Foot"))
    return out


def _cut_off(body: Anatomy, side: str, kind: str, out: dict[str, Array]) -> None:
    """Write the frames of what is there of a limb without its hand, foot or more: along the bone, to whatever it carries."""
    along: Array | None = None
    bones = [side + part for part in LIMBS[kind]]
    for bone, to in pairwise(bones):
        if not body.has(bone):
            continue
        if body.leads(bone, to):
            along = body.pose(bone)[:3, :3] @ body.way(bone, to)
        else:
            link, start = body.names[bone], body.pose(bone)[:3, 3]
            ends = [j.child for j in body.mechanism.joints if j.parent == link and j.child in body.at_rest]
            ways = [body.at_rest[child][:3, 3] - start for child in ends]
            farthest = max(ways, key=lambda way: float(np.linalg.norm(way)), default=np.zeros(3))
            if np.linalg.norm(farthest) > 0:
                along = unit(farthest)
        if along is not None:
            out[bone] = frame(body.local(bone, along), body.local(bone, _bending(body, along, kind)))


def aligned(
    source: Anatomy, target: Anatomy, W: Array, of_source: Mapping[str, Array], of_target: Mapping[str, Array]
) -> tuple[dict[str, Array], frozenset[str]]:
    """Return the target's frames, those of the source where two figures are built alike, and which bones are the same then.

    W: from the source's world to the target's. Built alike: every bone of the one is there in the other, turned alike at rest,
    leading the same way to every bone that it carries, moved by the same kinds of joints. Such bones take the source's turns as
    they are, twist and all, whatever a motion tells of bends and soles. One that differs makes the figures different: where a
    ball moves an elbow here and a hinge there, or a hand has a thumb only here, the others must give way to it.
    """
    alike = of_target.keys() == of_source.keys() and all(_same_bone(source, target, W, bone) for bone in of_target)
    return (dict(of_source), frozenset(of_source)) if alike else (dict(of_target), frozenset())


def _same_bone(source: Anatomy, target: Anatomy, W: Array, bone: str) -> bool:
    if np.abs(W @ source.pose(bone)[:3, :3] - target.pose(bone)[:3, :3]).max() > SAME:
        return False
    if _kinds(source, bone) != _kinds(target, bone):
        return False
    for other in target.names:
        if target.names.parent(other) != bone or not (source.has(other) and target.has(other)):
            continue
        if not (source.leads(bone, other) and target.leads(bone, other)):
            continue
        if np.abs(source.way(bone, other) - target.way(bone, other)).max() > SAME:
            return False
        if _kinds(source, other) != _kinds(target, other):
            return False
    return True


def _kinds(body: Anatomy, bone: str) -> list[Kind]:
    """Return the kinds of the joints between a bone and its parent bone."""
    carrier = body.names.parent(bone)
    found = body.between(carrier if carrier is not None and body.has(carrier) else None, bone)
    return [body.compiled.elements[k].joint.kind for k in found]


def _hand(body: Anatomy, side: str, out: dict[str, Array]) -> None:
    hand = f"{side}Hand"
    knuckles = (f"{side}{finger}Proximal" for finger in ("Middle", "Index", "Ring"))
    knuckle = next((bone for bone in knuckles if body.leads(hand, bone)), None)
    elbow = f"{side}LowerArm"
    along = body.pose(hand)[:3, 3] - body.pose(elbow)[:3, 3] if body.leads(hand, elbow) else -body.upright
    d = body.way(hand, knuckle) if knuckle else body.local(hand, unit(along))
    outward = body.left if side == "left" else -body.left
    world = body.pose(hand)[:3, :3] @ d
    hangs = world @ body.upright < -HANGING and not body.recorded
    to_thumb = body.local(hand, outward if hangs else body.forward)
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
    """Return the upward direction of a foot at rest, without a motion.

    Legs that are spread at rest may have feet that are rolled along with them: they are where the toes lie below the ankle along
    the leg rather than straight down.
    """
    foot, toes, knee = f"{side}Foot", f"{side}Toes", f"{side}LowerLeg"
    up = body.local(foot, body.upright)
    if not (body.leads(foot, toes) and body.leads(foot, knee)):
        return up
    ahead = body.local(foot, body.forward)
    along = body.way(foot, knee)
    along = along - (along @ ahead) * ahead
    drop = body.way(foot, toes)
    drop = drop - (drop @ ahead) * ahead
    if min(np.linalg.norm(along), np.linalg.norm(drop)) < PARALLEL:
        return up
    return unit(along) if -drop @ unit(along) > -drop @ up else up


def _foot(body: Anatomy, side: str, out: dict[str, Array], flat: Array | None) -> None:
    foot, toes = f"{side}Foot", f"{side}Toes"
    up = _resting_up(body, side) if flat is None else unit(flat)
    # Towards its toes, else where the figure looks; one that lies on its belly looks up or down, and its upright axis lies ahead.
    ways = [body.way(foot, toes)] if body.leads(foot, toes) else []
    ways += [body.local(foot, way) for way in (body.forward, body.upright)]
    ahead = next(way for way in ways if np.linalg.norm(np.cross(way, up)) > LEAST_SPREAD)
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
