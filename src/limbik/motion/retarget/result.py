"""The result of retargeting, measured by forward kinematics."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import vector_from_matrix
from limbik.motion.measures import Contact, measured
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.limbs import Aim
from limbik.motion.retarget.orientations import Turns
from limbik.motion.retarget.planting import Foot

# End bones: their orientation counts, not their direction.
ENDS = ("head", *(side + part for part in ("Hand", "Foot") for side in SIDES))
# The shortest time for which a deviation of a bone counts [s].
HELD = 0.2


@dataclass(frozen=True, eq=False)
class Carried:
    """The result. q: (frames, n). hand_targets: {bone: (frames, 3)} [m]; hand_error, foot_error: {bone: (frames,)} [m].

    bone_angles, held_angles: {bone: angle to the source's [rad]}, the mean and the largest exceeded for HELD seconds. scale: of
    the hips' path. lowered: the lowering of the hips, (frames,) [m]. undriven: bones of the target that the source does not
    drive. lost: the scaled largest distance of the hips from their start, if the target's hips are not floating [m].
    """

    q: Array
    scale: float
    lowered: Array
    contacts: dict[str, tuple[Contact, ...]]
    hand_targets: dict[str, Array]
    hand_error: dict[str, Array]
    foot_error: dict[str, Array]
    bone_angles: dict[str, float]
    held_angles: dict[str, float]
    undriven: tuple[str, ...]
    grounded: bool
    lost: float = 0.0


def measured_result(
    source: Anatomy,
    target: Anatomy,
    turns: Turns,
    q: Array,
    times: Array,
    scale: float,
    lowered: Array,
    feet: Mapping[str, Foot],
    aims: Mapping[str, Aim],
    targets: dict[str, Array],
) -> Carried:
    poses = target.compiled.kernel.forward_all(q, 1)
    axis = int(np.argmax(target.up))
    contacts: dict[str, tuple[Contact, ...]] = {}
    for bone, foot in feet.items():
        T = poses[:, target.number(bone)]
        pivot = T[:, :3, 3] + T[:, :3, :3] @ foot.pivot
        contacts[bone] = tuple(measured(T[:, :3, 3], axis, a, b) for a, b in foot.flat)
        contacts[f"{foot.side}Toes"] = tuple(measured(pivot, axis, a, b) for a, b in foot.held)
    missed = {}
    for bone, aim in aims.items():
        at = poses[:, target.number(bone), :3, 3]
        if bone in targets:
            targets[bone] = targets[bone] + poses[:, target.number(bone.replace("Hand", "UpperArm")), :3, 3]
        missed[bone] = np.linalg.norm(at - targets.get(bone, aim.points), axis=1)
    angles = _bone_angles(source, target, turns, poses)
    return Carried(
        q,
        scale,
        lowered,
        contacts,
        targets,
        {bone: error for bone, error in missed.items() if bone in targets},
        {bone: error for bone, error in missed.items() if bone not in targets},
        {bone: float(angle.mean()) for bone, angle in angles.items()},
        {bone: _held(angle, times) for bone, angle in angles.items()},
        tuple(bone for bone in target.names if target.has(bone) and bone not in turns.driven),
        bool(feet),
    )


def _bone_angles(source: Anatomy, target: Anatomy, turns: Turns, poses: Array) -> dict[str, Array]:
    """Return the angles between the directions of source's and target's bones, {bone: (frames,) [rad]}.

    Of the hips it is that between the lines through the hip joints, of the spine that from their middle to the shoulders'. Head,
    hands and feet lead to no other bone: theirs is that of the turn from the orientation that the source's gives them, where a
    joint of their own turns them.
    """
    out: dict[str, Array] = {}
    both = ((source, turns.poses, turns.W), (target, poses, np.eye(3)))
    ends = [[f"{side}Upper{part}" for side in SIDES] for part in ("Leg", "Arm")]
    for bone, needed in (("hips", ends[0]), ("spine", [*ends[0], *ends[1]])):
        if not (source.has(*needed) and target.has(*needed)):
            continue
        ways = []
        for body, seen, W in both:
            places = [seen[:, body.number(end), :3, 3] for end in needed]
            way = places[0] - places[1] if bone == "hips" else (places[2] + places[3] - places[0] - places[1]) / 2
            ways.append(way @ W.T)
        out[bone] = _apart(*ways)
    for side in SIDES:
        for kind, (upper, lower, end) in LIMBS.items():
            if not (source.limb(side, kind) and target.limb(side, kind)):
                continue
            for bone, to in ((upper, lower), (lower, end)):
                ways = []
                for body, seen, W in both:
                    apart = seen[:, body.number(side + to), :3, 3] - seen[:, body.number(side + bone), :3, 3]
                    ways.append(apart @ W.T)
                out[side + bone] = _apart(*ways)
    for bone in ENDS:
        if source.has(bone) and target.has(bone) and bone in turns.driven and _has_joint(target, bone):
            off = turns.driven[bone].transpose(0, 2, 1) @ poses[:, target.number(bone), :3, :3]
            out[bone] = np.linalg.norm(vector_from_matrix(off), axis=1)
    return out


def _has_joint(body: Anatomy, bone: str) -> bool:
    """Return whether a bone moves relative to its parent."""
    carrier = body.names.parent(bone)
    return carrier is not None and body.has(carrier) and len(body.between(carrier, bone)) > 0


def _apart(a: Array, b: Array) -> Array:
    """Return the angles between two directions, (frames, 3) -> (frames,) [rad]."""
    cross = np.linalg.norm(np.cross(a, b), axis=1)
    return np.asarray(np.arctan2(cross, (a * b).sum(axis=1)))


def _held(angle: Array, times: Array) -> float:
    """Return the largest angle that is exceeded for HELD consecutive seconds, or over all of a shorter clip [rad]."""
    step = float(times[-1] - times[0]) / max(len(times) - 1, 1)
    count = min(len(angle), 1 + int(np.ceil(HELD / step))) if step > 0 else len(angle)
    return float(np.lib.stride_tricks.sliding_window_view(angle, count).min(axis=1).max())
