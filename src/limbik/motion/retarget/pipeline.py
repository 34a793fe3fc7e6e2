"""The retargeting pipeline: transfer a motion from one body to another.

1. Find the stances of the source (`stances.py`), the upward direction of its feet, and the anatomical frames of both bodies
   (`anatomical_frames.py`).
2. Compute joint values inside the limits for the source's bone orientations (`orientations.py`, `chain_angles.py`).
3. Move the midpoint of the hip joints along the source's path, scaled about the world's origin by the ratio of the legs' lengths
   (hip to knee to ankle). Its height is relative to the standing ankles (`hips.py`).
4. Plant the feet, and lower the hips if a leg would be too short (`planting.py`).
5. Compute the wrist targets: the source's wrists relative to their shoulders, times the ratio of the arms' lengths, at the
   target's shoulders.
6. Solve arms and legs for ankles and wrists (`limbs.py`), clamp the joint values, and measure the result by forward kinematics.

A target without floating hips stays in place: the motion of the source's hips is removed, and no foot is planted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomical_frames import anatomical_frames, matched_frames
from limbik.motion.retarget.anatomy import SIDES, Anatomy
from limbik.motion.retarget.easing import without_jumps
from limbik.motion.retarget.hips import (
    about_hips,
    length_ratio,
    place_hips,
    rest_world_rotation,
    root_rotation,
    root_slice,
    translation_slice,
    world_rotation,
)
from limbik.motion.retarget.limbs import FEET, HANDS, Aim, solve_limbs
from limbik.motion.retarget.orientations import OrientationTransfer, joint_values
from limbik.motion.retarget.planting import STRETCH, Foot, lowering, plant_foot
from limbik.motion.retarget.result import Transferred, measured_transfer
from limbik.motion.retarget.soles import sole
from limbik.motion.retarget.stances import Detection, Interval, flat_parts, inside, level, mask, stances, union
from limbik.solvers.many_goals import Plans


def transfer(
    source: Anatomy,
    target: Anatomy,
    poses: Array,
    times: Array,
    parts: Sequence[slice],
    plans: Plans,
    how: Detection,
    *,
    ground: float,
    hands: bool,
    steps: Array,
    own: Array | None = None,
) -> Transferred:
    """Return a motion of the source on the target.

    poses: (frames, all frames of the source, 4, 4). parts: of the frames, each an independent motion. how: the parameters of
    stances. ground: the height of the floor [m]. hands: whether to solve for the wrist targets. steps: (frames - 1,) the largest
    joint step of the source between frames. own: the postures (configurations) of the source, (frames, n), if the target is a
    scaled copy of it: they are kept, except for limits, the height above the ground and planted feet.
    """
    ranges: Ranges = plans.model.ranges
    standing = {side: _standing(source, side, poses, times, parts, how) for side in SIDES}
    flat = {f"{side}Foot": s.up for side, s in standing.items() if s.up is not None}
    free = target.floating >= 0 and source.has("hips")
    seen = poses if free else about_hips(source, poses)
    frames = anatomical_frames(source, seen, flat), anatomical_frames(target)
    W = world_rotation(source, target) if free else rest_world_rotation(source, target)
    of_target, same = matched_frames(source, target, W, *frames)
    orientations = OrientationTransfer(source, target, seen, frames[0], of_target, W, same)
    start = own
    if start is None:
        start = without_jumps(target.compiled, joint_values(orientations, ranges), times, parts, steps)
    q = ranges.clamp(start)
    lowered = np.zeros(len(q))
    scale = length_ratio(source, target, "Leg") or length_ratio(source, target, "Arm") or 1.0
    feet: dict[str, Foot] = {}
    aims: dict[str, Aim] = {}
    if free:
        place_hips(orientations, q, scale, ground, {side: s.ankle for side, s in standing.items()})
    placed = target.compiled.kernel.forward_all(q, 1)
    if free:
        feet = _feet(target, orientations, standing, own is not None)
        for part in parts:
            lowered[part] = _plant(target, orientations, placed, feet, aims, times, part, ground, own is not None)
        shift = lowered[:, None] * target.up
        q[:, translation_slice(target)] -= shift @ root_rotation(target)
        placed[..., :3, 3] -= shift[:, None]
    targets = _hand_targets(source, target, orientations, placed, aims) if hands else {}
    for part in parts if aims else ():
        here = {bone: aim.at(part) for bone, aim in aims.items()}
        inner = steps[part.start : part.stop - 1]
        q[part] = solve_limbs(target, plans, q[part], times[part], here, inner, root_slice(target) if free else None)
    made = measured_transfer(source, target, orientations, ranges.clamp(q), times, scale, lowered, feet, aims, targets)
    return made if free or not source.has("hips") else replace(made, lost=scale * _travel(source, poses))


def _travel(source: Anatomy, poses: Array) -> float:
    """Return the largest distance of the hips from their start [m]."""
    path = poses[:, source.frame_index("hips"), :3, 3]
    return float(np.linalg.norm(path - path[0], axis=1).max())


# ---- the source's feet -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Standing:
    """The stances of one foot of the source.

    flat: those in which the foot is flat. held: all, including those in which it rolls. up: the upward direction in the
    foot's frame, None without a flat stance. ankle: the height of the standing ankle [m].
    """

    flat: list[Interval]
    held: list[Interval]
    up: Array | None
    ankle: float


def _standing(
    source: Anatomy, side: str, poses: Array, times: Array, parts: Sequence[slice], how: Detection
) -> Standing:
    if source.limb(side, "Leg") is None:
        return Standing([], [], None, 0.0)
    leg = sum(source.lengths(side, "Leg"))
    foot = poses[:, source.frame_index(f"{side}Foot")]
    low = stances(foot[:, :3, 3], times, source.up, leg, how, parts)
    flat, up = flat_parts(np.einsum("fji,j->fi", foot[:, :3, :3], source.up), low, times, how, parts)
    held = flat
    if source.has(f"{side}Toes"):
        toes = stances(poses[:, source.frame_index(f"{side}Toes"), :3, 3], times, source.up, leg, how, parts)
        held = union(flat, toes, parts)
    heights = foot[:, :3, 3] @ source.up
    standing = mask(flat, len(heights))
    ankle = float(np.median(heights[standing])) if standing.any() else level(foot[:, :3, 3], source.up)
    return Standing(flat, held, up, ankle)


# ---- feet and hands --------------------------------------------------------------------------------------------------


def _feet(
    target: Anatomy, orientations: OrientationTransfer, standing: Mapping[str, Standing], own: bool
) -> dict[str, Foot]:
    out: dict[str, Foot] = {}
    for side in SIDES:
        foot = f"{side}Foot"
        if target.limb(side, "Leg") and foot in orientations.driven:
            anatomical = orientations.target_frames[foot]
            points, pivot = sole(target, side, anatomical)
            out[foot] = Foot(side, anatomical, pivot, points, standing[side].flat, standing[side].held, own)
    return out


def _plant(
    target: Anatomy,
    orientations: OrientationTransfer,
    placed: Array,
    feet: Mapping[str, Foot],
    aims: dict[str, Aim],
    times: Array,
    part: slice,
    ground: float,
    own: bool,
) -> Array:
    """Write the targets of the feet in a part of the frames, and return the lowering of the hips, (frames of the part,) [m].

    own: the target is a scaled copy of the source, so legs may be fully straight.
    """
    hips, ankles, lengths = [], [], []
    for bone, foot in feet.items():
        if bone not in aims:
            standing = mask(foot.flat + foot.held, len(placed))
            aims[bone] = Aim(
                target.names[bone], np.zeros((len(placed), 3)), np.array(orientations.driven[bone]), FEET, held=standing
            )
        here = replace(foot, flat=inside(foot.flat, part), held=inside(foot.held, part))
        ankle = placed[part, target.frame_index(bone), :3, 3]
        points, rotations = plant_foot(here, ankle, orientations.driven[bone][part], target.up, ground)
        aims[bone].points[part], aims[bone].rotations[part] = points, rotations
        hips.append(placed[part, target.frame_index(f"{foot.side}UpperLeg"), :3, 3])
        ankles.append(points)
        lengths.append(sum(target.lengths(foot.side, "Leg")))
    return lowering(hips, ankles, lengths, target.up, times[part], 1.0 if own else STRETCH)


def _hand_targets(
    source: Anatomy, target: Anatomy, orientations: OrientationTransfer, placed: Array, aims: dict[str, Aim]
) -> dict[str, Array]:
    """Add the targets of the hands to `aims`, and return them relative to the shoulders, {bone: (frames, 3)} [m]."""
    out: dict[str, Array] = {}
    for side in SIDES:
        upper, hand = f"{side}UpperArm", f"{side}Hand"
        if not (source.limb(side, "Arm") and target.limb(side, "Arm")):
            continue
        longer = sum(target.lengths(side, "Arm")) / sum(source.lengths(side, "Arm"))
        apart = (
            orientations.poses[:, source.frame_index(hand), :3, 3]
            - orientations.poses[:, source.frame_index(upper), :3, 3]
        )
        away = longer * apart @ orientations.W.T
        parent = target.names.parent(f"{side}Shoulder")
        number = None if parent is None else target.frame_index(parent)
        T = np.broadcast_to(np.eye(4), (len(placed), 4, 4)) if number is None else placed[:, number]
        point = placed[:, target.frame_index(upper), :3, 3] + away - T[:, :3, 3]
        back = T[:, :3, :3].transpose(0, 2, 1)
        seen = (back @ point[..., None])[..., 0]
        aims[hand] = Aim(
            target.names[hand], seen, back @ orientations.driven[hand], HANDS, parent and target.names[parent]
        )
        out[hand] = away
    return out
