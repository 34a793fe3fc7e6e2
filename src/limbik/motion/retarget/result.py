"""The result of the retargeting pipeline, measured by forward kinematics."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.geometry.so3 import vector_from_matrix
from limbik.motion.measures import Contact, measured
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.limbs import Aim
from limbik.motion.retarget.orientations import OrientationTransfer
from limbik.motion.retarget.planting import Foot

# The end bones, which are compared by orientation, not by direction.
ENDS = ("head", *(side + part for part in ("Hand", "Foot") for side in SIDES))
# The shortest time for which a deviation of a bone is reported as sustained [s].
SUSTAINED = 0.2


@dataclass(frozen=True, eq=False)
class Transferred:
    """The result. q: (frames, n). hand_targets: {bone: (frames, 3)} [m]; hand_error, foot_error: {bone: (frames,)} [m].

    bone_angles, held_angles: {bone: angle to the source's [rad]}, the mean and the largest exceeded for SUSTAINED seconds.
    scale: of the hips' path. lowered: the lowering of the hips, (frames,) [m]. undriven: bones of the target that the source
    does not drive. lost: the scaled largest distance of the hips from their start, if the target's hips are not floating [m].
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


def measured_transfer(
    source: Anatomy,
    target: Anatomy,
    orientations: OrientationTransfer,
    q: Array,
    times: Array,
    scale: float,
    lowered: Array,
    feet: Mapping[str, Foot],
    aims: Mapping[str, Aim],
    targets: dict[str, Array],
) -> Transferred:
    """Return the result of retargeting. targets: {bone: (frames, 3)} of the hands, relative to their shoulders [m]."""
    poses = target.compiled.kernel.forward_all(q, 1)
    axis = int(np.argmax(target.up))
    contacts: dict[str, tuple[Contact, ...]] = {}
    for bone, foot in feet.items():
        T = poses[:, target.frame_index(bone)]
        pivot = T[:, :3, 3] + T[:, :3, :3] @ foot.pivot
        contacts[bone] = tuple(measured(T[:, :3, 3], axis, a, b) for a, b in foot.flat)
        contacts[f"{foot.side}Toes"] = tuple(measured(pivot, axis, a, b) for a, b in foot.held)
    missed = {}
    for bone, aim in aims.items():
        at = poses[:, target.frame_index(bone), :3, 3]
        if bone in targets:
            targets[bone] = targets[bone] + poses[:, target.frame_index(bone.replace("Hand", "UpperArm")), :3, 3]
        missed[bone] = np.linalg.norm(at - targets.get(bone, aim.points), axis=1)
    angles = _bone_angles(source, target, orientations, poses)
    return Transferred(
        q,
        scale,
        lowered,
        contacts,
        targets,
        {bone: error for bone, error in missed.items() if bone in targets},
        {bone: error for bone, error in missed.items() if bone not in targets},
        {bone: float(angle.mean()) for bone, angle in angles.items()},
        {bone: _sustained(angle, times) for bone, angle in angles.items()},
        tuple(bone for bone in target.names if target.has(bone) and bone not in orientations.driven),
        bool(feet),
    )


def _bone_angles(source: Anatomy, target: Anatomy, orientations: OrientationTransfer, poses: Array) -> dict[str, Array]:
    """Return the angles between the directions of the source's and the target's bones, {bone: (frames,) [rad]}.

    The hips are compared by the line through the hip joints, the spine by the line from their midpoint to that of the shoulders.
    Head, hands and feet are compared by orientation, if they have a joint of their own.
    """
    out: dict[str, Array] = {}
    both = ((source, orientations.poses, orientations.W), (target, poses, np.eye(3)))
    ends = [[f"{side}Upper{part}" for side in SIDES] for part in ("Leg", "Arm")]
    for bone, needed in (("hips", ends[0]), ("spine", [*ends[0], *ends[1]])):
        if not (source.has(*needed) and target.has(*needed)):
            continue
        lines = []
        for body, seen, W in both:
            places = [seen[:, body.frame_index(end), :3, 3] for end in needed]
            line = places[0] - places[1] if bone == "hips" else (places[2] + places[3] - places[0] - places[1]) / 2
            lines.append(line @ W.T)
        out[bone] = _angles_between(*lines)
    for side in SIDES:
        for kind, (upper, lower, end) in LIMBS.items():
            if not (source.limb(side, kind) and target.limb(side, kind)):
                continue
            for bone, to in ((upper, lower), (lower, end)):
                lines = []
                for body, seen, W in both:
                    apart = seen[:, body.frame_index(side + to), :3, 3] - seen[:, body.frame_index(side + bone), :3, 3]
                    lines.append(apart @ W.T)
                out[side + bone] = _angles_between(*lines)
    for bone in ENDS:
        if source.has(bone) and target.has(bone) and bone in orientations.driven and _has_joint(target, bone):
            off = orientations.driven[bone].transpose(0, 2, 1) @ poses[:, target.frame_index(bone), :3, :3]
            out[bone] = np.linalg.norm(vector_from_matrix(off), axis=1)
    return out


def _has_joint(body: Anatomy, bone: str) -> bool:
    """Return whether a bone moves relative to its parent."""
    parent = body.names.parent(bone)
    return parent is not None and body.has(parent) and len(body.elements_between(parent, bone)) > 0


def _angles_between(a: Array, b: Array) -> Array:
    """Return the angles between two directions, (frames, 3) each -> (frames,) [rad]."""
    cross = np.linalg.norm(np.cross(a, b), axis=1)
    return np.asarray(np.arctan2(cross, (a * b).sum(axis=1)))


def _sustained(angle: Array, times: Array) -> float:
    """Return the largest angle that is exceeded for HELD consecutive seconds, or over all of a shorter clip [rad]."""
    step = float(times[-1] - times[0]) / max(len(times) - 1, 1)
    count = min(len(angle), 1 + int(np.ceil(SUSTAINED / step))) if step > 0 else len(angle)
    return float(np.lib.stride_tricks.sliding_window_view(angle, count).min(axis=1).max())
