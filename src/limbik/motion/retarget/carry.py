"""The retargeting pipeline from one body to another.

1. Stances of the source (`stances.py`), the upward direction of its soles, and the anatomical frames of both bodies
   (`anatomical_frames.py`).
2. Joint values inside the limits for the source's bone orientations (`orientations.py`, `chain_angles.py`).
3. The midpoint of the hip joints follows the source's path, scaled by the ratio s of the legs' lengths (hip to knee to ankle)
   about the world's origin; its height is relative to the standing ankles (`hips.py`).
4. Feet are planted; the hips are lowered if a leg would be too short (`planting.py`).
5. Wrist targets: the source's wrists relative to their shoulders, times the ratio of the arms' lengths, at the target's
   shoulders.
6. Arms and legs are solved for ankles and wrists (`limbs.py`) and clamped; forward kinematics measures the result.

A target without floating hips stays in place: the motion of the source's hips is removed, and no foot is planted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.ranges import Ranges
from limbik.motion.retarget.anatomical_frames import aligned, anatomical_frames
from limbik.motion.retarget.anatomy import SIDES, Anatomy
from limbik.motion.retarget.easing import eased
from limbik.motion.retarget.hips import about_hips, place, place_hips, ratio, root, root_turn, world, world_of_rest
from limbik.motion.retarget.limbs import FEET, HANDS, Aim, solve_limbs
from limbik.motion.retarget.orientations import Turns, angles
from limbik.motion.retarget.planting import STRETCH, Foot, lowering, planted
from limbik.motion.retarget.result import Carried, measured_result
from limbik.motion.retarget.soles import sole
from limbik.motion.retarget.stances import Detection, Interval, flat_parts, inside, level, mask, stances, union
from limbik.solvers.many_goals import Plans


def carry(
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
) -> Carried:
    """Retarget a motion. poses: (frames, all frames of the source, 4, 4). parts: of the frames, each an independent motion.
    steps: (frames - 1,) the largest joint step of the source between frames.

    own: the postures of the source, (frames, n), if the target is the same body: they are copied, except for limits, the height
    of the ground and planted feet.
    """
    ranges: Ranges = plans.model.ranges
    standing = {side: _standing(source, side, poses, times, parts, how) for side in SIDES}
    flat = {f"{side}Foot": s.up for side, s in standing.items() if s.up is not None}
    free = target.floating >= 0 and source.has("hips")
    seen = poses if free else about_hips(source, poses)
    frames = anatomical_frames(source, seen, flat), anatomical_frames(target)
    W = world(source, target) if free else world_of_rest(source, target)
    of_target, same = aligned(source, target, W, *frames)
    turns = Turns(source, target, seen, frames[0], of_target, W, same)
    q = ranges.clamp(own if own is not None else eased(target.compiled, angles(turns, ranges), times, parts, steps))
    lowered = np.zeros(len(q))
    scale = ratio(source, target, "Leg") or ratio(source, target, "Arm") or 1.0
    feet: dict[str, Foot] = {}
    aims: dict[str, Aim] = {}
    if free:
        place_hips(turns, q, scale, ground, {side: s.ankle for side, s in standing.items()})
    placed = target.compiled.kernel.forward_all(q, 1)
    if free:
        feet = _feet(target, turns, standing, own is not None)
        for part in parts:
            lowered[part] = _plant(target, turns, placed, feet, aims, times, part, ground, own is not None)
        shift = lowered[:, None] * target.up
        q[:, place(target)] -= shift @ root_turn(target)
        placed[..., :3, 3] -= shift[:, None]
    targets = _reach(source, target, turns, placed, aims) if hands else {}
    for part in parts if aims else ():
        here = {bone: aim.at(part) for bone, aim in aims.items()}
        inner = steps[part.start : part.stop - 1]
        q[part] = solve_limbs(target, plans, q[part], times[part], here, inner, root(target) if free else None)
    made = measured_result(source, target, turns, ranges.clamp(q), times, scale, lowered, feet, aims, targets)
    return made if free or not source.has("hips") else replace(made, lost=scale * _travel(source, poses))


def _travel(source: Anatomy, poses: Array) -> float:
    """Return the largest distance of the hips from their start [m]."""
    way = poses[:, source.number("hips"), :3, 3]
    return float(np.linalg.norm(way - way[0], axis=1).max())


# ---- the source's feet -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Standing:
    """Flat stances, all stances (including rolling), the upward direction of the foot, and the height of its ankle [m]."""

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
    foot = poses[:, source.number(f"{side}Foot")]
    low = stances(foot[:, :3, 3], times, source.up, leg, how, parts)
    flat, up = flat_parts(np.einsum("fji,j->fi", foot[:, :3, :3], source.up), low, times, how, parts)
    held = flat
    if source.has(f"{side}Toes"):
        toes = stances(poses[:, source.number(f"{side}Toes"), :3, 3], times, source.up, leg, how, parts)
        held = union(flat, toes, parts)
    heights = foot[:, :3, 3] @ source.up
    standing = mask(flat, len(heights))
    usual = float(np.median(heights[standing])) if standing.any() else level(foot[:, :3, 3], source.up)
    return Standing(flat, held, up, usual)


# ---- feet and hands --------------------------------------------------------------------------------------------------


def _feet(target: Anatomy, turns: Turns, standing: Mapping[str, Standing], own: bool) -> dict[str, Foot]:
    out: dict[str, Foot] = {}
    for side in SIDES:
        foot = f"{side}Foot"
        if target.limb(side, "Leg") and foot in turns.driven:
            turned = turns.target_frames[foot]
            points, pivot = sole(target, side, turned)
            out[foot] = Foot(side, turned, pivot, points, standing[side].flat, standing[side].held, own)
    return out


def _plant(
    target: Anatomy,
    turns: Turns,
    placed: Array,
    feet: Mapping[str, Foot],
    aims: dict[str, Aim],
    times: Array,
    part: slice,
    ground: float,
    own: bool,
) -> Array:
    """Set the targets of the feet in a part of the frames, and return the lowering of the hips.

    own: the target is the source's body, so legs may be fully straight.
    """
    hips, ankles, lengths = [], [], []
    for bone, foot in feet.items():
        if bone not in aims:
            stands = mask(foot.flat + foot.held, len(placed))
            aims[bone] = Aim(
                target.names[bone], np.zeros((len(placed), 3)), np.array(turns.driven[bone]), FEET, held=stands
            )
        here = replace(foot, flat=inside(foot.flat, part), held=inside(foot.held, part))
        ankle = placed[part, target.number(bone), :3, 3]
        points, turned = planted(here, ankle, turns.driven[bone][part], target.up, ground)
        aims[bone].points[part], aims[bone].turns[part] = points, turned
        hips.append(placed[part, target.number(f"{foot.side}UpperLeg"), :3, 3])
        ankles.append(points)
        lengths.append(sum(target.lengths(foot.side, "Leg")))
    return lowering(hips, ankles, lengths, target.up, times[part], 1.0 if own else STRETCH)


def _reach(source: Anatomy, target: Anatomy, turns: Turns, placed: Array, aims: dict[str, Aim]) -> dict[str, Array]:
    """Add the targets of the hands, and return their positions."""
    out: dict[str, Array] = {}
    for side in SIDES:
        upper, hand = f"{side}UpperArm", f"{side}Hand"
        if not (source.limb(side, "Arm") and target.limb(side, "Arm")):
            continue
        longer = sum(target.lengths(side, "Arm")) / sum(source.lengths(side, "Arm"))
        apart = turns.poses[:, source.number(hand), :3, 3] - turns.poses[:, source.number(upper), :3, 3]
        away = longer * apart @ turns.W.T
        carrier = target.names.parent(f"{side}Shoulder")
        number = None if carrier is None else target.number(carrier)
        T = np.broadcast_to(np.eye(4), (len(placed), 4, 4)) if number is None else placed[:, number]
        point = placed[:, target.number(upper), :3, 3] + away - T[:, :3, 3]
        back = T[:, :3, :3].transpose(0, 2, 1)
        seen = (back @ point[..., None])[..., 0]
        aims[hand] = Aim(target.names[hand], seen, back @ turns.driven[hand], HANDS, carrier and target.names[carrier])
        out[hand] = away
    return out
