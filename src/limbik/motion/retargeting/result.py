"""What came of carrying a motion over, measured by forward kinematics."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.motion.measures import Contact, measured
from limbik.motion.retargeting.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retargeting.limbs import Aim
from limbik.motion.retargeting.orientations import Turns
from limbik.motion.retargeting.planting import Foot


@dataclass(frozen=True, eq=False)
class Carried:
    """What came of it. q: (frames, n). hand_targets: {bone: (frames, 3)} [m]; hand_error, foot_error: {bone: (frames,)} [m].

    scale: of the way of the hips. lowered: by how much the hips were lowered, (frames,) [m]. undriven: bones of the target that
    the source does not drive. lost: how far the hips get from where they begin, times the scale, where the target's cannot [m].
    """

    q: Array
    scale: float
    lowered: Array
    contacts: dict[str, tuple[Contact, ...]]
    hand_targets: dict[str, Array]
    hand_error: dict[str, Array]
    foot_error: dict[str, Array]
    bone_angles: dict[str, float]
    undriven: tuple[str, ...]
    grounded: bool
    lost: float = 0.0


def measured_result(
    source: Anatomy,
    target: Anatomy,
    turns: Turns,
    q: Array,
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
    return Carried(
        q,
        scale,
        lowered,
        contacts,
        targets,
        {bone: error for bone, error in missed.items() if bone in targets},
        {bone: error for bone, error in missed.items() if bone not in targets},
        _bone_angles(source, target, turns, poses),
        tuple(bone for bone in target.names if target.has(bone) and bone not in turns.driven),
        bool(feet),
    )


def _bone_angles(source: Anatomy, target: Anatomy, turns: Turns, poses: Array) -> dict[str, float]:
    """Return the mean angle between the directions of source's and target's bones, {bone: [rad]}.

    Of the hips it is that between the lines through the hip joints, of the spine that from their middle to the shoulders'.
    """
    out: dict[str, float] = {}
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
        out[bone] = _mean_angle(*ways)
    for side in SIDES:
        for kind, (upper, lower, end) in LIMBS.items():
            if not (source.limb(side, kind) and target.limb(side, kind)):
                continue
            for bone, to in ((upper, lower), (lower, end)):
                ways = []
                for body, seen, W in both:
                    apart = seen[:, body.number(side + to), :3, 3] - seen[:, body.number(side + bone), :3, 3]
                    ways.append(apart @ W.T)
                out[side + bone] = _mean_angle(*ways)
    return out


def _mean_angle(a: Array, b: Array) -> float:
    cross = np.linalg.norm(np.cross(a, b), axis=1)
    return float(np.arctan2(cross, (a * b).sum(axis=1)).mean())
