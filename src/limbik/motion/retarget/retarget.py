"""`retarget`: transfer a clip to another figure. `motion/retarget/pipeline.py` describes the method."""

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
from limbik.motion.retarget.anatomy import LIMBS, SIDES, Anatomy
from limbik.motion.retarget.jump_parts import parts_between_jumps
from limbik.motion.retarget.misses import displaced_feet, missed_hands
from limbik.motion.retarget.pipeline import transfer
from limbik.motion.retarget.planting import OWN_TILT
from limbik.motion.retarget.rest import is_upright, with_upright_rest
from limbik.motion.retarget.result import Transferred
from limbik.motion.retarget.retargeted import Retargeted
from limbik.motion.retarget.scaled_copy import scaled_copy
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
    same = scaled_copy(source, target)
    if not same:
        _check_common(source, target)
    if np.abs(clip.q).max(initial=0.0) > FARTHEST:
        raise BadOption(f"the clip contains joint values above {FARTHEST:g}; check its unit")
    poses = clip.robot.model.kernel.forward_all(clip.q, 1)
    source_steps = joint_steps(clip.recording)
    apart = parts_between_jumps(source_steps, len(clip))
    own = np.array(clip.q) if same else None
    if same:
        how = replace(how, tilt=min(how.tilt, OWN_TILT))
    transferred = transfer(
        source,
        target,
        poses,
        clip.times,
        apart,
        plans(figure.model),
        how,
        ground=floor,
        hands=bool(hands),
        steps=source_steps.max(axis=1, initial=0.0),
        own=own,
    )
    height_change = _height_change(target, poses, transferred.q, transferred.scale) if same else None
    given = {part.start for part in apart[1:]}
    steps = joint_steps(Clip(figure, transferred.q, clip.times, interpolation=clip.interpolation).recording)
    jumps = sorted({part.start for part in parts_between_jumps(steps, len(clip))} - given - {0})
    return Retargeted(
        Clip(
            figure, transferred.q, clip.times, interpolation=clip.interpolation, jumps=tuple(sorted({*given, *jumps}))
        ),
        clip,
        target.names,
        source.names,
        transferred.contacts,
        transferred.hand_targets,
        transferred.hand_error,
        tuple(
            sorted(
                (
                    *missed_hands(target, transferred, near, figure.joint_names),
                    *displaced_feet(target, transferred, near, figure.joint_names),
                ),
                key=lambda missed: (missed.frame, missed.bone),
            )
        ),
        near,
        transferred.scale,
        transferred.lowered,
        transferred.bone_angles,
        transferred.held_angles,
        str(how),
        (*_notes(source, target, transferred, height_change), *_jump_note(steps, jumps)),
        transferred.lost,
    )


def _jump_note(steps: Array, jumps: list[int]) -> tuple[str, ...]:
    """Return a sentence about jumps that the source does not have, if there are any.

    steps: (frames - 1, joints) the joint steps of the result. jumps: the frames after the jumps.
    """
    if not jumps:
        return ()
    most = float(steps[np.array(jumps) - 1].max())
    often = "1 frame" if len(jumps) == 1 else f"{len(jumps)} frames"
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
    return with_upright_rest(body, None if clip is None else clip.q) if auto else body


def _rest(robot: "Chain | Skeleton", given: Any, clip: Clip | None) -> Array:
    if isinstance(given, str):
        if given == "zero":  # also if it is outside the joint ranges, which limit the motion but not the rest posture
            return np.zeros(robot.n)
        if given == "first" and clip is not None:
            return np.array(clip.q[0])
        known = "'auto', 'zero', 'first' or joint values" if clip is not None else "'auto', 'zero' or joint values"
        raise BadOption(f"rest={shown(given)} of '{robot.name}': use {known}")
    q = numbers(given, "a rest posture must be joint values")
    if q.shape != (robot.n,):
        raise ShapeError(f"the rest posture of '{robot.name}' has shape ({robot.n},); got {q.shape}")
    if not np.isfinite(q).all():
        raise NotFinite(f"the rest posture of '{robot.name}' contains NaN or infinity")
    return q


def _check_common(source: Anatomy, target: Anatomy) -> None:
    """Raise BadOption if two figures have neither a limb nor an upright trunk in common."""
    limbs = [(side, kind) for side in SIDES for kind in LIMBS]
    if any(source.limb(*limb) and target.limb(*limb) for limb in limbs) or (
        min(len(source.trunk), len(target.trunk)) > 1 and is_upright(source) and is_upright(target)
    ):
        return
    named = [sum(body.has(bone) for bone in REQUIRED) for body in (source, target)]
    which, option = (target, "names") if named[1] <= named[0] else (source, "source_names")
    raise BadOption(
        f"'{source.mechanism.name}' and '{target.mechanism.name}' have no recognised limb in common; "
        f"{min(named)} of the {len(REQUIRED)} required bones of '{which.mechanism.name}' are recognised: name others with "
        f"{option}={{bone: frame}}"
    )


def _height_change(body: Anatomy, before: Array, q: Array, scale: float) -> float:
    """Return the median upward displacement of the hips between two motions [m].

    before: the poses of the source, whose hips' positions are multiplied by `scale`. q: the postures of the result.
    """
    if body.floating < 0:
        return 0.0
    hips = body.frame_index("hips")
    after = body.compiled.kernel.forward(q, hips, 1)[:, :3, 3]
    return float(np.median((after - scale * before[:, hips, :3, 3]) @ body.up))


def _notes(source: Anatomy, target: Anatomy, transferred: Transferred, height_change: float | None) -> tuple[str, ...]:
    """Return what is missing or special, one sentence each.

    height_change: the upward displacement of the motion on the clip's own figure [m]; None for another figure.
    """
    notes: list[str] = []
    undriven, grounded = transferred.undriven, transferred.grounded
    if source.recorded:
        notes.append(f"the rest posture of the source '{source.mechanism.name}' is an upright frame of its motion")
    if height_change is not None:
        kept = "the target is the clip's own figure, possibly with another size: postures are kept"
        if grounded:
            kept += f", standing feet do not slide, and the motion is moved vertically by {height_change:.3f} m, onto the ground"
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
                f"{what} '{body.mechanism.name}' has its height along {tall} at rest, but {body.mechanism.up} is up: if it lies "
                f"down, read it with {remedy}"
            )
        if not is_upright(body):
            notes.append(
                f"{what} '{body.mechanism.name}' is not upright in its rest posture: pass rest= or figure_rest="
            )
    if undriven:
        notes.append(f"at rest, because the source has no such bones: {', '.join(undriven)}")
    if target.floating < 0:
        notes.append(
            f"the hips of '{target.mechanism.name}' are not floating: the motion is in place, feet are not planted, and "
            f"{transferred.lost:.2f} m of the hips' motion are lost; give it a floating root joint to let it travel"
        )
    elif not source.has("hips"):
        notes.append("the source has no hips: the motion is in place, feet are not planted")
    elif not grounded:
        notes.append("two legs were not recognised: feet are not planted")
    return tuple(notes)
