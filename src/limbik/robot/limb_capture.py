"""Sensors at the ends of limbs become a clip: the trunk between them, then every limb in closed form.

For each limb the pose of its root (shoulder or hip, turning with the trunk) and of its end (hand or foot) are measured, as
Kim and Tarokh do for animation. What that tells: the trunk's posture, its width and length where it bends; of a limb its
seven joints but for the swivel, which is chosen over time to turn little, or is told by a third sensor at the elbow or
knee. Of the two bones of a limb, the ends alone tell no more than that together they are at least as long as the farthest
that the end came; a third sensor tells both.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, number
from limbik.model.humanoid import humanoid
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import Mask
from limbik.model.recording import Recording
from limbik.motion import filters
from limbik.motion.capture import bridging
from limbik.motion.capture.body import Body
from limbik.motion.capture.doubt import LONGEST_BRIDGE, LOOSE
from limbik.motion.capture.estimate import estimate
from limbik.motion.capture.sizing import Wish
from limbik.robot.captured_limbs import CapturedLimbs
from limbik.robot.clip import DEFAULT_RATE, checked_rate
from limbik.robot.sensed_limb import LIMBS, SensedLimb
from limbik.robot.sensed_sizes import Limbs, check_unit, sized
from limbik.robot.sensors import checked_sensors
from limbik.robot.skeleton import Skeleton

# Where the corners of a sensor are that stand for its rotation [m].
CORNER = 0.1
# A turn of a joint from one frame to the next that is a leap [rad].
LEAP = 0.5
# An end that is farther from its sensor does not reach it [m, rad].
REACHED = 1e-6
# Errors of the trunk's sensors that are so many times the usual are no noise.
NOISE = 4.0


def capture_limbs(
    sensors: Mapping[str, Any],
    figure: Skeleton,
    *,
    times: Any = None,
    rate: float | None = None,
    unit: Any = None,
    lengths: bool = True,
    stretched: bool = False,
    smoothing: float | None = None,
) -> CapturedLimbs:
    """Return the motion of a figure whose limbs follow sensors, verified by forward kinematics.

    sensors: {bone: poses (frames, 4, 4) in the world, rows of NaN where missing}, by the names of VRM's bones:
    "leftUpperArm" is the shoulder, which turns with the trunk, "leftHand" the hand with its origin at the wrist,
    "leftUpperLeg" the hip, "leftFoot" the foot at the ankle; a third one, "leftLowerArm" or "leftLowerLeg", is at the elbow
    or knee. "hips", "spine" and "head" are poses of these frames. times or rate: of the frames (30 a second). unit: of
    lengths in the poses. lengths: estimate what sensors tell of them. stretched: the limbs are straight at some time, so
    that their farthest is their length. smoothing: a cutoff [Hz]; None keeps every sensor exactly. Raises BadOption,
    BadModel, UnknownFrame, ShapeError, NotRigid and the like.
    """
    if not isinstance(figure, Skeleton):
        raise BadOption(f"capture_limbs takes a Skeleton, not {shown(figure)}; make one by limbik.load")
    bones = humanoid(figure)
    poses = checked_sensors(sensors, bones, unit)
    frames = len(next(iter(poses.values())))
    if times is None:
        times = np.arange(frames) / checked_rate(DEFAULT_RATE if rate is None else rate)
    elif rate is not None:
        raise BadOption("give the times of sensors or their rate, not both")
    times = Recording(figure.mechanism, np.tile(figure.home, (frames, 1)), times, figure.base).times
    limbs = {
        r: SensedLimb(figure.mechanism, bones[r], bones[m], bones[e]) for r, m, e in LIMBS if r in poses or e in poses
    }
    for root, middle, end in LIMBS:
        if root in limbs and (root not in poses or end not in poses):
            raise BadOption(f"the limb from '{root}' to '{end}' has a sensor at one end only; both are needed")
        if middle in poses and root not in limbs:
            raise BadOption(f"'{middle}' has a sensor, but its limb has none; give '{root}' and '{end}'")
    if not limbs:
        raise BadOption(f"no limb has sensors at both ends, such as '{LIMBS[0][0]}' and '{LIMBS[0][2]}'")
    check_unit(figure.name, limbs, poses)
    says: list[str] = []
    if free := [middle for root, middle, end in LIMBS if root in limbs and middle not in poses]:
        says.append(
            f"two sensors do not tell the swivel of a limb, so that elbows and knees are chosen to turn little, not measured "
            f"({', '.join(free)}): a third sensor there tells it"
        )
    mechanism = sized(figure.mechanism, limbs, poses, says, stretched) if lengths else figure.mechanism
    limbs = {root: SensedLimb(mechanism, limb.root, limb.middle, limb.end) for root, limb in limbs.items()}
    for limb in limbs.values():
        limb.chain  # noqa: B018  a limb without a closed form is said so before any work
    trunk = _trunk(mechanism, figure.base, limbs, poses, {b: bones[b] for b in poses}, times)
    return _assembled(Skeleton(mechanism, figure.base), trunk, limbs, poses, bones, times, smoothing, says)


# ---- postures --------------------------------------------------------------------------------------------------------


def _trunk(
    mechanism: Mechanism, base: str, limbs: Limbs, poses: dict[str, Array], frames: dict[str, str], times: Array
) -> tuple[Array, Mask]:
    """Return postures of the figure whose trunk fits the sensors on it, and what of q they do not tell (frames, n)."""
    ends = {bone for _, middle, end in LIMBS for bone in (middle, end)}
    on: list[str] = []
    offsets: list[Array] = []
    points: list[Array] = []
    corners = np.concatenate([np.zeros((1, 3)), CORNER * np.eye(3)])
    for bone, T in poses.items():
        if bone in ends:
            continue
        link, own = (limbs[bone].carrier, limbs[bone].first.origin) if bone in limbs else (frames[bone], np.eye(4))
        on += [link] * len(corners)
        offsets += [own[:3, :3] @ corner + own[:3, 3] for corner in corners]
        points += [T[:, :3, :3] @ corner + T[:, :3, 3] for corner in corners]
    body = Body(mechanism, base, None, tuple(on), np.array(offsets))
    nothing = np.zeros(len(on), dtype=bool)
    wish = Wish(np.zeros((len(body.bones), 0)), ~nothing, nothing, None)
    found = estimate(body, np.stack(points, axis=1), np.array(times), wish)
    return found.q, found.hidden


def _assembled(
    figure: Skeleton,
    trunk: tuple[Array, Mask],
    limbs: Limbs,
    poses: dict[str, Array],
    bones: Mapping[str, str],
    times: Array,
    smoothing: float | None,
    says: list[str],
) -> CapturedLimbs:
    hidden = trunk[1] & ~trunk[1].all(axis=0)
    # the trunk first: limbs are led from where it stands in the end
    q = bridging.bridge(figure.model.compiled, np.array(trunk[0]), hidden, times)
    untold, lost = np.zeros_like(hidden), np.zeros_like(hidden)
    missed = np.zeros(len(q), dtype=bool)
    numbers_of = {name: k for k, name in enumerate(figure.joint_names)}
    for root, middle, end in (trio for trio in LIMBS if trio[0] in limbs):
        limb = limbs[root]
        seen = np.flatnonzero(np.isfinite(poses[end][:, 0, 0]))
        carrier = figure.forward(q[seen], limb.carrier)
        inverse = np.linalg.inv(carrier)
        elbows = None
        columns = np.array([numbers_of[name] for name in limb.chain.joint_names])
        if middle in poses:
            lost[np.ix_(np.flatnonzero(np.isnan(poses[middle][:, 0, 3])), columns)] = True
            elbows = np.einsum("fij,fj->fi", inverse[:, :3, :3], poses[middle][seen, :3, 3]) + inverse[:, :3, 3]
        values, reached = limb.follow(inverse @ poses[end][seen], elbows)
        q[np.ix_(seen, columns)] = values
        missed[seen] |= ~reached
        gone = np.setdiff1d(np.arange(len(q)), seen)
        untold[np.ix_(gone, columns)] = True
    q = bridging.bridge(figure.model.compiled, q, untold, times)
    hidden = hidden | untold | lost  # without the sensor of an elbow the limb is followed, but not told
    if smoothing is not None:
        cutoff = number(smoothing, "smoothing: None or a cutoff in Hz")
        q = filters.low_pass(Recording(figure.mechanism, q, times, figure.base), cutoff)
    errors = _errors(figure, q, limbs, poses, bones)
    if smoothing is None:  # by forward kinematics, whatever was said on the way
        for end in (end for root, _, end in LIMBS if root in limbs):
            with np.errstate(invalid="ignore"):
                missed |= (errors[end] > REACHED).any(axis=1)
    bridged, long = bridging.runs(hidden, times, LONGEST_BRIDGE)
    trunk_errors = {bone: error[:, 0] for bone, error in errors.items() if not any(bone in trio[1:] for trio in LIMBS)}
    span = float(np.linalg.norm(np.ptp(figure.forward_all(figure.home)[1:, :3, 3], axis=0)))
    apart = _apart(np.stack(list(trunk_errors.values()), axis=1), LOOSE * span)
    says = [_summary(errors, limbs, len(q), int(missed.sum())), _trunk_summary(trunk_errors, apart), *says]
    if jumps := _jumps(figure, q):
        says.append(f"limbs leap to {len(jumps)} frames, first {jumps[0]}, where limits leave no smooth way")
    if bridged.any():
        says.append(
            f"{int(bridged.sum())} frames lack a sensor and are bridged in time, {int(long.sum())} of them for long"
        )
    lengths = {
        joint.name: float(np.linalg.norm(joint.origin[:3, 3]))
        for limb in limbs.values()
        for joint in (limb.first, *limb.bones)
    }
    return CapturedLimbs(
        figure,
        q,
        times,
        jumps=jumps,
        sensor_error=errors,
        lengths=lengths,
        bridged=bridged,
        doubtful=long | missed | apart,
        why="; ".join(says),
    )


def _jumps(figure: Skeleton, q: Array) -> tuple[int, ...]:
    """Return the frames to which a joint leaps: limits left no way that the sensors allow."""
    step = np.abs(figure.difference(q[:-1], q[1:])).max(axis=1, initial=0.0)
    return tuple(int(t) + 1 for t in np.flatnonzero(step > LEAP))


def _summary(errors: dict[str, Array], limbs: Limbs, frames: int, missed: int) -> str:
    ends = [error[:, 0] for name, error in errors.items() if name.endswith(("Hand", "Foot"))]
    reached = f"all {frames} frames" if not missed else f"{frames - missed} of {frames} frames"
    return (
        f"{len(limbs)} limbs in {frames} frames: hands and feet reach their sensors inside the limits in {reached}, "
        f"{1000 * float(np.nanmedian(np.concatenate(ends))):.2g} mm off at the median"
    )


def _apart(far: Array, loose: float) -> Mask:
    """Return the frames in which the trunk is where its sensors (frames, sensors) [m] are not, by more than `loose` and noise."""
    usual = float(np.nanmedian(far)) if np.isfinite(far).any() else 0.0
    most = np.nan_to_num(far).max(axis=1)
    return np.asarray((most > loose) & (most > (0.0 if usual > loose else NOISE * usual)))


def _trunk_summary(errors: dict[str, Array], apart: Mask) -> str:
    every = np.concatenate(list(errors.values()))
    if not np.isfinite(every).any():
        return "the trunk has no sensor in any frame"
    count = int(apart.sum())
    often = f", and the trunk does not follow them in {count} frame{'' if count == 1 else 's'}" if count else ""
    return (
        f"the sensors of the trunk ({', '.join(errors)}) are {1000 * float(np.nanmedian(every)):.2g} mm off at the median, "
        f"{1000 * float(np.nanmax(every)):.2g} at most{often}"
    )


def _errors(
    figure: Skeleton, q: Array, limbs: Limbs, poses: dict[str, Array], bones: Mapping[str, str]
) -> dict[str, Array]:
    """Return how far the figure is from every sensor, by forward kinematics."""
    out: dict[str, Array] = {}
    middles = {middle for _, middle, _ in LIMBS}
    for bone, T in poses.items():
        X = (
            figure.forward(q, limbs[bone].carrier) @ limbs[bone].first.origin
            if bone in limbs
            else figure.forward(q, bones[bone])
        )
        far = np.linalg.norm(X[:, :3, 3] - T[:, :3, 3], axis=1)
        D = X[:, :3, :3].transpose(0, 2, 1) @ T[:, :3, :3]
        vee = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
        angle = np.arctan2(np.linalg.norm(vee, axis=1), np.trace(D, axis1=1, axis2=2) - 1)
        out[bone] = np.stack([far, np.full_like(far, np.nan) if bone in middles else angle], axis=1)
    return out
