"""`retarget`: transfer a clip to another figure. The method is described in `motion/retarget/carry.py`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, NotFinite, ShapeError, shown
from limbik.geometry.arrays import Array, number, numbers
from limbik.model.bone_names import REQUIRED
from limbik.model.humanoid import humanoid
from limbik.model.robots import is_arm, is_figure
from limbik.motion.clip import Clip
from limbik.motion.measures import joint_steps
from limbik.motion.motion_result import MotionResult, clip_of
from limbik.motion.retarget.alike import alike
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.carry import carry
from limbik.motion.retarget.leaps import parts
from limbik.motion.retarget.misses import missed_hands, slid_feet
from limbik.motion.retarget.planting import OWN_TILT
from limbik.motion.retarget.rest import standing, stands
from limbik.motion.retarget.result import Carried
from limbik.motion.retarget.retargeted import Retargeted
from limbik.motion.retarget.stances import Detection
from limbik.solvers.many_goals import plans

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton

# Larger joint values are invalid: files may contain several whole turns, but not thousands.
FARTHEST = 1e6


def retarget(
    clip: Clip | MotionResult,
    figure: "Skeleton",
    *,
    names: Mapping[str, str] | None = None,
    source_names: Mapping[str, str] | None = None,
    rest: Any = "auto",
    figure_rest: Any = "auto",
    hands: bool = True,
    tolerance: float = 0.01,
    ground: float = 0.0,
    height: float = Detection.height,
    speed: float = Detection.speed,
    least: float = Detection.least,
    drift: float = Detection.drift,
    tilt: float = Detection.tilt,
) -> Retargeted:
    """Return a clip's motion on another figure, inside its joint limits, with planted feet and hand targets.

    names, source_names: {VRM bone: frame} of the figure and of the clip's figure, for bones that `humanoid` does not recognise.
    rest: the upright posture of the clip's figure: "zero", "first" (the clip's first frame), joint values, or "auto": the zero
    posture if it is upright, else the one with all frames parallel; figure_rest: the same for the figure, without "first".
    hands: solve the arms for wrist targets: the source's wrist relative to its shoulder, times the ratio of the arms' lengths;
    errors above `tolerance` [m] are reported. ground: the height of the floor of the figure [m].

    A foot stands if the source's ankle or toes are lower than `height` above their lowest level and slower than `speed` (in leg
    lengths, and leg lengths per second) for `least` seconds, with less drift than `drift` leg lengths; it is flat if its tilt is
    below `tilt` [rad]. Raises BadOption, UnknownFrame, ShapeError, NotFinite.
    """
    clip = clip_of(clip)
    if not isinstance(clip, Clip):
        raise BadOption(f"retarget takes a clip, not {shown(clip)}; load one with limbik.load_clip")
    if not is_figure(figure):
        hint = "pass the whole figure, not a chain of it" if is_arm(figure) else "load one with limbik.load"
        raise BadOption(f"retarget needs a Skeleton as the target figure, not {shown(figure)}; {hint}")
    if not isinstance(hands, bool | np.bool_):
        raise BadOption(f"hands={shown(hands)} must be True or False")
    near, floor = number(tolerance, "the tolerance"), number(ground, "the ground")
    if not (0 < near < np.inf) or not np.isfinite(floor):
        raise BadOption(f"tolerance={shown(tolerance)} must be above 0 and ground={shown(ground)} finite [m]")
    how = Detection(*(number(x, "a bound of stances") for x in (height, speed, least, drift, tilt)))
    source = _anatomy(clip.robot, source_names, rest, clip)
    target = _anatomy(figure, names, figure_rest, None)
    same = alike(source, target)
    if not same:
        _check_common(source, target)
    if np.abs(clip.q).max(initial=0.0) > FARTHEST:
        raise BadOption(f"the clip contains joint values above {FARTHEST:g}; check its unit")
    poses = clip.robot.model.kernel.forward_all(clip.q, 1)
    of_source = joint_steps(clip.recording)
    apart = parts(of_source, len(clip))
    own = np.array(clip.q) if same else None
    if same:
        how = replace(how, tilt=min(how.tilt, OWN_TILT))
    carried = carry(
        source,
        target,
        poses,
        clip.times,
        apart,
        plans(figure.model),
        how,
        ground=floor,
        hands=bool(hands),
        steps=of_source.max(axis=1, initial=0.0),
        own=own,
    )
    raised = _raised(target, poses, carried.q, carried.scale) if same else None
    given = {part.start for part in apart[1:]}
    steps = joint_steps(Clip(figure, carried.q, clip.times, interpolation=clip.interpolation).recording)
    leaps = sorted({part.start for part in parts(steps, len(clip))} - given - {0})
    return Retargeted(
        Clip(figure, carried.q, clip.times, interpolation=clip.interpolation, jumps=tuple(sorted({*given, *leaps}))),
        clip,
        target.names,
        source.names,
        carried.contacts,
        carried.hand_targets,
        carried.hand_error,
        tuple(
            sorted(
                (
                    *missed_hands(target, carried, near, figure.joint_names),
                    *slid_feet(target, carried, near, figure.joint_names),
                ),
                key=lambda missed: (missed.frame, missed.bone),
            )
        ),
        near,
        carried.scale,
        carried.lowered,
        carried.bone_angles,
        carried.held_angles,
        str(how),
        (*_notes(source, target, carried, raised), *_leapt(steps, leaps)),
        carried.lost,
    )


def _leapt(steps: Array, leaps: list[int]) -> tuple[str, ...]:
    """Return a sentence about the leaps that the source does not make, if there are any. leaps: the frames that are leapt to."""
    if not leaps:
        return ()
    most = float(steps[np.array(leaps) - 1].max())
    often = "1 frame" if len(leaps) == 1 else f"{len(leaps)} frames"
    return (
        f"joint limits cause jumps of up to {most:.2f} rad at {often} without a jump in the source: see clip.jumps",
    )


def _anatomy(robot: "Chain | Skeleton", names: Mapping[str, str] | None, rest: Any, clip: Clip | None) -> Anatomy:
    """Return a robot as a body with named bones. Raises BadOption, UnknownFrame, ShapeError, NotFinite."""
    found = humanoid(robot, names)
    auto = isinstance(rest, str) and rest == "auto"
    recorded = isinstance(rest, str) and rest == "first"
    body = Anatomy(
        robot.model.mechanism, robot.model.compiled, found, _rest(robot, "zero" if auto else rest, clip), recorded
    )
    return standing(body, None if clip is None else clip.q) if auto else body


def _rest(robot: "Chain | Skeleton", given: Any, clip: Clip | None) -> Array:
    if isinstance(given, str):
        if given == "zero":  # ranges that do not hold it bend the motion, not what upright means
            return np.zeros(robot.n)
        if given == "first" and clip is not None:
            return np.array(clip.q[0])
        known = "'auto', 'zero', 'first' or joint values" if clip is not None else "'auto', 'zero' or joint values"
        raise BadOption(f"rest={shown(given)} of '{robot.name}': use {known}")
    q = numbers(given, "a rest posture must be joint values")
    if q.shape != (robot.n,):
        raise ShapeError(f"the rest posture of '{robot.name}' has shape ({robot.n},); got {q.shape}")
    if not np.isfinite(q).all():
        raise NotFinite(f"the rest posture of '{robot.name}' holds NaN or infinity")
    return q


def _check_common(source: Anatomy, target: Anatomy) -> None:
    """Raise BadOption where two figures have neither a limb nor an upright trunk in common."""
    limbs = [(side, kind) for side in SIDES for kind in LIMBS]
    if any(source.limb(*limb) and target.limb(*limb) for limb in limbs) or (
        min(len(source.trunk), len(target.trunk)) > 1 and stands(source) and stands(target)
    ):
        return
    named = [sum(body.has(bone) for bone in REQUIRED) for body in (source, target)]
    which, option = (target, "names") if named[1] <= named[0] else (source, "source_names")
    raise BadOption(
        f"'{source.mechanism.name}' and '{target.mechanism.name}' have no recognised limb in common; of "
        f"'{which.mechanism.name}' {min(named)} of {len(REQUIRED)} bones are: name others with {option}={{bone: frame}}"
    )


def _raised(body: Anatomy, before: Array, q: Array, scale: float) -> float:
    """Return by how much the hips of a motion are higher than they were, times a scale [m]."""
    if body.floating < 0:
        return 0.0
    hips = body.number("hips")
    after = body.compiled.kernel.forward(q, hips, 1)[:, :3, 3]
    return float(np.median((after - scale * before[:, hips, :3, 3]) @ body.up))


def _notes(source: Anatomy, target: Anatomy, carried: Carried, raised: float | None) -> tuple[str, ...]:
    """Return what is missing or special, one sentence each. raised: of the clip's own figure, by how much it is higher [m]."""
    notes: list[str] = []
    undriven, grounded = carried.undriven, carried.grounded
    if source.recorded:
        notes.append(f"the rest posture of the source '{source.mechanism.name}' is an upright frame of its motion")
    if raised is not None:
        kept = "the target is the clip's own figure, possibly with another size: postures are kept"
        if grounded:
            kept += (
                f", standing feet do not slide, and the motion is moved vertically by {raised:.3f} m, onto the ground"
            )
        notes.append(kept)
    for body, what in ((source, "the source"), (target, "the figure")):
        missing = [bone for bone in REQUIRED if not body.has(bone)]
        if missing:
            notes.append(f"{what} '{body.mechanism.name}' has no {', '.join(missing)}")
        tall = "xyz"[int(np.argmax(np.abs(body.upright)))]
        if body.floating >= 0 and tall != body.mechanism.up:
            remedy = (
                f"up='{tall}' (--up {tall})"
                if tall in ("y", "z")
                else "rest='first' (--rest first), if it stands in the first frame"
            )
            notes.append(
                f"{what} '{body.mechanism.name}' stands along {tall} at rest, but {body.mechanism.up} is up: if it lies down, "
                f"read it with {remedy}"
            )
        if not stands(body):
            notes.append(
                f"{what} '{body.mechanism.name}' is not upright in its rest posture: pass rest= or figure_rest="
            )
    if undriven:
        notes.append(f"at rest, because the source has no such bones: {', '.join(undriven)}")
    if target.floating < 0:
        notes.append(
            f"the hips of '{target.mechanism.name}' are not floating: the motion is in place, feet are not planted, and "
            f"{carried.lost:.2f} m of the hips' motion are lost; give it a floating root joint to let it travel"
        )
    elif not source.has("hips"):
        notes.append("the source has no hips: the motion is in place, feet are not planted")
    elif not grounded:
        notes.append("two legs were not recognised: feet are not planted")
    return tuple(notes)
