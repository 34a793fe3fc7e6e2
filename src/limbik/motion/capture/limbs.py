"""Motion from sensors at both ends of limbs: the trunk by a fit, then every limb in closed form.

The poses of the root (shoulder or hip, moving with the trunk) and the end (hand or foot) of each limb are measured, as in the
work of Kim and Tarokh for animation. They determine the trunk's posture (configuration), its width, and its length if it bends.
They also determine the seven joints of each limb, except the swivel. The swivel is measured by a third sensor at the elbow or
knee; without one it is chosen for a smooth motion. The two end sensors of a limb give only a lower bound on the total length of
its two bones; a third sensor determines both.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.geometry.arrays import Array, frozen, number
from limbik.model.humanoid import humanoid
from limbik.model.mechanism import Mechanism
from limbik.model.ranges import Mask
from limbik.model.recording import Recording
from limbik.model.robots import is_figure, of_the_same_kind
from limbik.motion import filters
from limbik.motion.capture import bridging
from limbik.motion.capture.body import Body
from limbik.motion.capture.captured import CapturedLimbs
from limbik.motion.capture.doubt import LONGEST_BRIDGE, LOOSE
from limbik.motion.capture.estimate import estimate
from limbik.motion.capture.sensed_limb import LIMBS, SensedLimb
from limbik.motion.capture.sensed_sizes import Limbs, check_unit, with_sensor_lengths
from limbik.motion.capture.sensors import checked_sensors
from limbik.motion.capture.sizing import EstimateOptions
from limbik.motion.clip import Clip
from limbik.motion.rate import DEFAULT_RATE, checked_rate

if TYPE_CHECKING:
    from limbik.robot.skeleton import Skeleton

# The distance of the points that represent a sensor's rotation [m].
CORNER = 0.1
# The joint step between frames that counts as a jump [rad].
JUMP = 0.5
# The tolerance with which an end reaches its sensor [m, rad].
REACHED = 1e-6
# Errors of the trunk's sensors above this multiple of their median are not noise.
NOISE = 4.0


def capture_limbs(
    sensors: Mapping[str, Any],
    figure: "Skeleton",
    *,
    times: Any = None,
    rate: float | None = None,
    unit: Any = None,
    lengths: bool = True,
    stretched: bool = False,
    smoothing: float | None = None,
) -> CapturedLimbs:
    """Return the motion of a figure whose limbs follow sensors, verified by forward kinematics.

    sensors: {bone: poses (frames, 4, 4) in the world frame, NaN for missing frames}, by VRM bone names: "leftUpperArm" is the
    shoulder, which moves with the trunk; "leftHand" the hand with its origin at the wrist; "leftUpperLeg" the hip; "leftFoot"
    the foot at the ankle; a third one, "leftLowerArm" or "leftLowerLeg", is at the elbow or knee. "hips", "spine" and "head"
    are poses of these frames. times [s] or rate [Hz]: of the frames; default: 30 Hz. unit: the unit of length of the poses.
    lengths: estimate bone lengths from the sensors. stretched: each limb is straight at some time, so that the largest distance
    of its ends is its length. smoothing: a cutoff frequency [Hz]; None follows every sensor exactly. Raises BadOption, BadModel,
    UnknownFrame, ShapeError, NotRigid.
    """
    if not is_figure(figure):
        raise BadOption(f"capture_limbs takes a Skeleton, not {shown(figure)}; load one with limbik.load")
    bones = humanoid(figure)
    poses = checked_sensors(sensors, bones, unit)
    frames = len(next(iter(poses.values())))
    if times is None:
        times = np.arange(frames) / checked_rate(DEFAULT_RATE if rate is None else rate)
    elif rate is not None:
        raise BadOption("give times= or rate=, not both")
    times = Recording(figure.model.mechanism, np.tile(figure.home, (frames, 1)), times, figure.base).times
    limbs = {r: SensedLimb(figure, bones[r], bones[m], bones[e]) for r, m, e in LIMBS if r in poses or e in poses}
    for root, middle, end in LIMBS:
        if root in limbs and (root not in poses or end not in poses):
            raise BadOption(f"the limb from '{root}' to '{end}' has a sensor at one end only; both are needed")
        if middle in poses and root not in limbs:
            raise BadOption(f"'{middle}' has a sensor, but its limb has none; give '{root}' and '{end}'")
    if not limbs:
        raise BadOption(f"no limb has sensors at both ends, such as '{LIMBS[0][0]}' and '{LIMBS[0][2]}'")
    check_unit(figure.name, limbs, poses)
    sentences: list[str] = []
    if free := [middle for root, middle, end in LIMBS if root in limbs and middle not in poses]:
        sentences.append(
            f"two sensors do not determine the swivel of a limb: elbows and knees are chosen for a smooth motion, not measured "
            f"({', '.join(free)}); a third sensor measures it"
        )
    mechanism = figure.model.mechanism
    if lengths:
        mechanism = with_sensor_lengths(mechanism, limbs, poses, sentences, stretched)
    sized_figure = of_the_same_kind(figure, mechanism)
    limbs = {root: SensedLimb(sized_figure, limb.root, limb.middle, limb.end) for root, limb in limbs.items()}
    for limb in limbs.values():
        limb.chain  # noqa: B018  raise early for a limb without a closed form
    trunk = _trunk(mechanism, figure.base, limbs, poses, {b: bones[b] for b in poses}, times)
    return _assembled(sized_figure, trunk, limbs, poses, bones, times, smoothing, sentences)


# ---- postures --------------------------------------------------------------------------------------------------------


def _trunk(
    mechanism: Mechanism, base: str, limbs: Limbs, poses: dict[str, Array], frames: dict[str, str], times: Array
) -> tuple[Array, Mask]:
    """Return postures of the figure with the trunk fitted to its sensors, and the unobservable joint values (frames, n)."""
    ends = {bone for _, middle, end in LIMBS for bone in (middle, end)}
    on: list[str] = []
    offsets: list[Array] = []
    points: list[Array] = []
    corners = np.concatenate([np.zeros((1, 3)), CORNER * np.eye(3)])
    for bone, T in poses.items():
        if bone in ends:
            continue
        link, own = (limbs[bone].parent_link, limbs[bone].first.origin) if bone in limbs else (frames[bone], np.eye(4))
        on += [link] * len(corners)
        offsets += [own[:3, :3] @ corner + own[:3, 3] for corner in corners]
        points += [T[:, :3, :3] @ corner + T[:, :3, 3] for corner in corners]
    body = Body(mechanism, base, None, tuple(on), np.array(offsets))
    nothing = np.zeros(len(on), dtype=bool)
    options = EstimateOptions(np.zeros((len(body.bones), 0)), ~nothing, nothing, None)
    found = estimate(body, np.stack(points, axis=1), np.array(times), options)
    return found.q, found.hidden


def _assembled(
    figure: "Skeleton",
    trunk: tuple[Array, Mask],
    limbs: Limbs,
    poses: dict[str, Array],
    bones: Mapping[str, str],
    times: Array,
    smoothing: float | None,
    sentences: list[str],
) -> CapturedLimbs:
    hidden = trunk[1] & ~trunk[1].all(axis=0)
    # the trunk first: limbs are solved relative to its final pose
    q = bridging.bridge(figure.model.compiled, np.array(trunk[0]), hidden, times)
    unobserved, lost = np.zeros_like(hidden), np.zeros_like(hidden)
    missed = np.zeros(len(q), dtype=bool)
    numbers_of = {name: k for k, name in enumerate(figure.joint_names)}
    for root, middle, end in (trio for trio in LIMBS if trio[0] in limbs):
        limb = limbs[root]
        seen = np.flatnonzero(np.isfinite(poses[end][:, 0, 0]))
        parent_pose = figure.forward(q[seen], limb.parent_link)
        inverse = np.linalg.inv(parent_pose)
        elbows = None
        columns = np.array([numbers_of[name] for name in limb.chain.joint_names])
        if middle in poses:
            lost[np.ix_(np.flatnonzero(np.isnan(poses[middle][:, 0, 3])), columns)] = True
            elbows = np.einsum("fij,fj->fi", inverse[:, :3, :3], poses[middle][seen, :3, 3]) + inverse[:, :3, 3]
        values, reached = limb.follow(inverse @ poses[end][seen], elbows)
        q[np.ix_(seen, columns)] = values
        missed[seen] |= ~reached
        gone = np.setdiff1d(np.arange(len(q)), seen)
        unobserved[np.ix_(gone, columns)] = True
    q = bridging.bridge(figure.model.compiled, q, unobserved, times)
    # while an elbow sensor is missing, the limb is solved but its swivel is unobservable
    hidden = hidden | unobserved | lost
    if smoothing is not None:
        cutoff = number(smoothing, "smoothing: None or a cutoff in Hz")
        q = filters.low_pass(Recording(figure.model.mechanism, q, times, figure.base), cutoff)
    errors = _errors(figure, q, limbs, poses, bones)
    if smoothing is None:  # verified by forward kinematics, independently of the solvers
        for end in (end for root, _, end in LIMBS if root in limbs):
            with np.errstate(invalid="ignore"):
                missed |= (errors[end] > REACHED).any(axis=1)
    bridged, long = bridging.runs(hidden, times, LONGEST_BRIDGE)
    trunk_errors = {bone: error[:, 0] for bone, error in errors.items() if not any(bone in trio[1:] for trio in LIMBS)}
    span = float(np.linalg.norm(np.ptp(figure.model.forward_all(figure.home)[1:, :3, 3], axis=0)))
    apart = _apart(np.stack(list(trunk_errors.values()), axis=1), LOOSE * span)
    sentences = [_summary(errors, limbs, len(q), int(missed.sum())), _trunk_summary(trunk_errors, apart), *sentences]
    if jumps := _jumps(figure, q):
        sentences.append(
            f"limbs jump at {len(jumps)} frames, the first is {jumps[0]}: the limits allow no smooth motion there"
        )
    if bridged.any():
        sentences.append(
            f"{int(bridged.sum())} frames lack a sensor and are interpolated in time, {int(long.sum())} of them over long gaps"
        )
    lengths = {
        joint.name: float(np.linalg.norm(joint.origin[:3, 3]))
        for limb in limbs.values()
        for joint in (limb.first, *limb.bones)
    }
    return CapturedLimbs(
        Clip(figure, q, times, jumps=jumps),
        summary="; ".join(sentences),
        lengths=lengths,
        bridged=bridged,
        doubtful=long | missed | apart,
        sensor_error={name: frozen(error) for name, error in errors.items()},
    )


def _jumps(figure: "Skeleton", q: Array) -> tuple[int, ...]:
    """Return the frames at which a joint jumps because the limits allow no smooth motion."""
    step = np.abs(figure.model.difference(q[:-1], q[1:])).max(axis=1, initial=0.0)
    return tuple(int(t) + 1 for t in np.flatnonzero(step > JUMP))


def _summary(errors: dict[str, Array], limbs: Limbs, frames: int, missed: int) -> str:
    ends = [error[:, 0] for name, error in errors.items() if name.endswith(("Hand", "Foot"))]
    reached = f"all {frames} frames" if not missed else f"{frames - missed} of {frames} frames"
    return (
        f"{len(limbs)} limbs in {frames} frames: hands and feet reach their sensors inside the limits in {reached}, "
        f"{1000 * float(np.nanmedian(np.concatenate(ends))):.2g} mm median error"
    )


def _apart(far: Array, loose: float) -> Mask:
    """Return the frames in which errors of the trunk's sensors (frames, sensors) [m] exceed `loose` and the noise."""
    typical = float(np.nanmedian(far)) if np.isfinite(far).any() else 0.0
    most = np.nan_to_num(far).max(axis=1)
    return np.asarray((most > loose) & (most > (0.0 if typical > loose else NOISE * typical)))


def _trunk_summary(errors: dict[str, Array], apart: Mask) -> str:
    every = np.concatenate(list(errors.values()))
    if not np.isfinite(every).any():
        return "the trunk has no sensor in any frame"
    count = int(apart.sum())
    often = f", and the trunk does not follow them in {count} frame{'' if count == 1 else 's'}" if count else ""
    return (
        f"the sensors of the trunk ({', '.join(errors)}) have a median error of {1000 * float(np.nanmedian(every)):.2g} mm, "
        f"{1000 * float(np.nanmax(every)):.2g} mm at most{often}"
    )


def _errors(
    figure: "Skeleton", q: Array, limbs: Limbs, poses: dict[str, Array], bones: Mapping[str, str]
) -> dict[str, Array]:
    """Return the position and rotation error at every sensor, by forward kinematics, {sensor: (frames, 2)} [m, rad]."""
    out: dict[str, Array] = {}
    middles = {middle for _, middle, _ in LIMBS}
    for bone, T in poses.items():
        X = (
            figure.forward(q, limbs[bone].parent_link) @ limbs[bone].first.origin
            if bone in limbs
            else figure.forward(q, bones[bone])
        )
        far = np.linalg.norm(X[:, :3, 3] - T[:, :3, 3], axis=1)
        D = X[:, :3, :3].transpose(0, 2, 1) @ T[:, :3, :3]
        vee = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
        angle = np.arctan2(np.linalg.norm(vee, axis=1), np.trace(D, axis1=1, axis2=2) - 1)
        out[bone] = np.stack([far, np.full_like(far, np.nan) if bone in middles else angle], axis=1)
    return out
