"""The motion of one body on another, from start to end.

1. Stances of the source (`stances.py`); what its soles call up; the anatomical frames of both (`body.py`).
2. Every bone turned as the source's, read off as joint values inside the limits (`orientations.py`, `chain_angles.py`).
3. The middle between the hip joints goes the source's way, times the ratio s of the legs' lengths (hip to knee to ankle), about
   the world's origin; its height is counted from where the ankles stand.
4. Feet planted, hips lowered where a leg would be too short (`planting.py`).
5. Wrists go where the source's are from their shoulders, times the ratio of the arms' lengths, from the target's shoulders.
6. Arms and legs solved for ankles and wrists (`limbs.py`), clamped once more; then all is measured by forward kinematics.

A target whose hips cannot move freely stays where it is: what the source's hips do is taken off, and no foot is planted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from limbik.model.ranges import Ranges
from limbik.model.rotations import to_matrices
from limbik.model.transform import Array
from limbik.motion.measures import Contact, measured
from limbik.motion.retargeting.body import LIMBS, SIDES, Body
from limbik.motion.retargeting.limbs import FEET, HANDS, Aim, solve_limbs
from limbik.motion.retargeting.orientations import Turns, angles
from limbik.motion.retargeting.planting import Foot, lowering, planted
from limbik.motion.retargeting.stances import Detection, Interval, flat_parts, level, stances, union
from limbik.solvers.iterative.many_goals import Plans


@dataclass(frozen=True, eq=False)
class Carried:
    """What came of it. q: (frames, n). hand_targets: {bone: (frames, 3)} [m]; hand_error, foot_error: {bone: (frames,)} [m].

    scale: of the way of the hips. lowered: by how much the hips were lowered, (frames,) [m]. unreached: bones of the target that
    the source does not drive.
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


def carry(
    source: Body, target: Body, poses: Array, times: Array, plans: Plans, how: Detection, *, ground: float, hands: bool
) -> Carried:
    """Carry a motion over. poses: (frames, all frames of the source, 4, 4)."""
    ranges: Ranges = plans.subject.ranges
    standing = {side: _standing(source, side, poses, times, how) for side in SIDES}
    flat = {f"{side}Foot": s.up for side, s in standing.items() if s.up is not None}
    free = target.floating >= 0 and source.has("hips")
    seen = poses if free else _about_hips(source, poses)
    turns = Turns(source, target, seen, source.frames(seen, flat), target.frames(), _world(source, target))
    q = angles(turns, ranges)
    lowered = np.zeros(len(q))
    scale = _ratio(source, target, "Leg") or _ratio(source, target, "Arm") or 1.0
    feet: dict[str, Foot] = {}
    aims: dict[str, Aim] = {}
    if free:
        _place_hips(source, target, turns, q, scale, ground)
    placed = target.compiled.kernel.forward_all(q, 1)
    if free:
        feet = _feet(target, turns, standing, times, how)
        lowered = _plant(target, turns, placed, feet, aims, times, ground)
        shift = lowered[:, None] * target.up
        q[:, _place(target)] -= shift @ _root_turn(target)
        placed[..., :3, 3] -= shift[:, None]
    targets: dict[str, Array] = {}
    if hands:
        targets = _reach(source, target, turns, placed, aims)
    q = ranges.clamp(solve_limbs(target, plans, q, times, aims, _root(target) if free else None)) if aims else q
    return _measured(source, target, turns, q, scale, lowered, feet, aims, targets)


# ---- the source's feet -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Standing:
    """When a foot stands flat, when it stands at all (rolling off included), and what it then calls up."""

    flat: list[Interval]
    held: list[Interval]
    up: Array | None


def _standing(source: Body, side: str, poses: Array, times: Array, how: Detection) -> Standing:
    if source.limb(side, "Leg") is None:
        return Standing([], [], None)
    leg = sum(source.lengths(side, "Leg"))
    foot = poses[:, source.number(f"{side}Foot")]
    low = stances(foot[:, :3, 3], times, source.up, leg, how)
    flat, up = flat_parts(np.einsum("fji,j->fi", foot[:, :3, :3], source.up), low, times, how)
    held = flat
    if source.has(f"{side}Toes"):
        toes = stances(poses[:, source.number(f"{side}Toes"), :3, 3], times, source.up, leg, how)
        held = union(flat, toes, times, 0.0)
    return Standing(flat, held, up)


# ---- the way of the hips ---------------------------------------------------------------------------------------------


def _world(source: Body, target: Body) -> Array:
    """Return the turn from the source's world to the target's: what is up stays up."""
    if source.mechanism.up == target.mechanism.up:
        return np.eye(3)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # y up to z up
    return about_x if source.mechanism.up == "y" else about_x.T


def _about_hips(source: Body, poses: Array) -> Array:
    """Return the poses as the hips see them, the hips being at rest."""
    if not source.has("hips"):
        return poses
    hips = poses[:, source.number("hips")]
    back = np.zeros_like(hips)
    back[:, :3, :3] = hips[:, :3, :3].transpose(0, 2, 1)
    back[:, :3, 3] = -np.einsum("fji,fj->fi", hips[:, :3, :3], hips[:, :3, 3])
    back[:, 3, 3] = 1.0
    out: Array = (source.pose("hips") @ back)[:, None] @ poses
    return out


def _ratio(source: Body, target: Body, kind: str) -> float | None:
    """Return how much longer the target's limbs are than the source's, both sides together; None where one has none."""
    sides = [side for side in SIDES if source.limb(side, kind) and target.limb(side, kind)]
    theirs = sum(sum(source.lengths(side, kind)) for side in sides)
    return sum(sum(target.lengths(side, kind)) for side in sides) / theirs if theirs > 0 else None


def _middle(body: Body, poses: Array) -> Array:
    """Return the middle between the hip joints, (frames, 3)."""
    legs = [f"{side}UpperLeg" for side in SIDES if body.has(f"{side}UpperLeg")]
    bones = legs if len(legs) == 2 else ["hips"]
    out: Array = np.mean([poses[:, body.number(bone), :3, 3] for bone in bones], axis=0)
    return out


def _place(target: Body) -> slice:
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 3)


def _root(target: Body) -> slice:
    first = target.compiled.elements[target.floating].variable.first
    return slice(first, first + 6)


def _root_turn(target: Body) -> Array:
    """Return how the floating joint's own axes stand in the world at rest."""
    element = target.compiled.elements[target.floating]
    turned = target.at_rest[element.joint.child][:3, :3]
    first = element.variable.first
    out: Array = turned @ to_matrices(target.rest[None, first + 3 : first + 6])[0].T
    return out


def _place_hips(source: Body, target: Body, turns: Turns, q: Array, scale: float, ground: float) -> None:
    """Write where the hips are: the source's way, scaled, its height counted from the ankles."""
    way = _middle(source, turns.poses)
    ankles = [f"{side}Foot" for side in SIDES if source.limb(side, "Leg") and target.limb(side, "Leg")]
    low = np.mean([level(turns.poses[:, source.number(a), :3, 3], source.up) for a in ankles]) if ankles else 0.0
    way = scale * (way - low * source.up) @ turns.W.T
    soles = [(target.sole(a.removesuffix("Foot"), turns.target_frames[a])[0], a) for a in ankles]
    thick = np.mean([-(sole @ turns.target_frames[a][:, 1]).min() for sole, a in soles]) if soles else 0.0
    way = way + (ground + thick) * target.up
    q[:, _place(target)] = 0.0
    here = _middle(target, target.compiled.kernel.forward_all(q, 1))
    q[:, _place(target)] = (way - here) @ _root_turn(target)


# ---- feet and hands --------------------------------------------------------------------------------------------------


def _feet(
    target: Body, turns: Turns, standing: Mapping[str, Standing], times: Array, how: Detection
) -> dict[str, Foot]:
    out: dict[str, Foot] = {}
    for side in SIDES:
        foot = f"{side}Foot"
        if target.limb(side, "Leg") and foot in turns.driven:
            turned = turns.target_frames[foot]
            sole, pivot = target.sole(side, turned)
            out[foot] = Foot(side, turned, pivot, sole, standing[side].flat, standing[side].held)
    return out


def _plant(
    target: Body, turns: Turns, placed: Array, feet: Mapping[str, Foot], aims: dict[str, Aim], times: Array, ground: float
) -> Array:
    """Add what the feet aim at, and return how far the hips are lowered."""
    hips, ankles, lengths = [], [], []
    for bone, foot in feet.items():
        ankle = placed[:, target.number(bone), :3, 3]
        points, turned = planted(foot, ankle, turns.driven[bone], target.up, ground)
        aims[bone] = Aim(target.names[bone], points, turned, FEET)
        hips.append(placed[:, target.number(f"{foot.side}UpperLeg"), :3, 3])
        ankles.append(points)
        lengths.append(sum(target.lengths(foot.side, "Leg")))
    return lowering(hips, ankles, lengths, target.up, times)


def _reach(source: Body, target: Body, turns: Turns, placed: Array, aims: dict[str, Aim]) -> dict[str, Array]:
    """Add what the hands aim at, and return their places."""
    out: dict[str, Array] = {}
    for side in SIDES:
        upper, hand = f"{side}UpperArm", f"{side}Hand"
        if not (source.limb(side, "Arm") and target.limb(side, "Arm")):
            continue
        longer = sum(target.lengths(side, "Arm")) / sum(source.lengths(side, "Arm"))
        apart = turns.poses[:, source.number(hand), :3, 3] - turns.poses[:, source.number(upper), :3, 3]
        away = longer * apart @ turns.W.T
        carrier = target.names.parent(f"{side}Shoulder") or "hips"
        T = placed[:, target.number(carrier)]
        point = placed[:, target.number(upper), :3, 3] + away - T[:, :3, 3]
        back = T[:, :3, :3].transpose(0, 2, 1)
        aims[hand] = Aim(target.names[hand], (back @ point[..., None])[..., 0], back @ turns.driven[hand], HANDS, target.names[carrier])
        out[hand] = away
    return out


# ---- what came of it -------------------------------------------------------------------------------------------------


def _measured(
    source: Body,
    target: Body,
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


def _bone_angles(source: Body, target: Body, turns: Turns, poses: Array) -> dict[str, float]:
    """Return the mean angle between the directions of source's and target's bones, {bone: [rad]}."""
    out: dict[str, float] = {}
    for side in SIDES:
        for kind, (upper, lower, end) in LIMBS.items():
            if not (source.limb(side, kind) and target.limb(side, kind)):
                continue
            for bone, to in ((upper, lower), (lower, end)):
                ways = []
                for body, seen, W in ((source, turns.poses, turns.W), (target, poses, np.eye(3))):
                    apart = seen[:, body.number(side + to), :3, 3] - seen[:, body.number(side + bone), :3, 3]
                    ways.append(apart @ W.T)
                cross = np.linalg.norm(np.cross(*ways), axis=1)
                out[side + bone] = float(np.arctan2(cross, (ways[0] * ways[1]).sum(axis=1)).mean())
    return out
