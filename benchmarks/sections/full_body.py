"""The whole body, dragged by its pins at 60 Hz: speed, accuracy, and no joint that jumps."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np
from cases import recorded_motion as motion

import limbik as lk
from benchmarks.measurement import Measurement, at_least, at_most

# The largest joint step in a frame [rad], and the weight of rotations against positions in recorded poses.
STEP, ROTATION_WEIGHT = 0.25, 0.3
# How far hands are led away [m], and the frames of each offset.
BEYOND, FRAMES = 1.5, 120

Targets = dict[str, np.ndarray]


@dataclass(frozen=True)
class Run:
    """The measurements of one run through some targets."""

    q: np.ndarray
    seconds: np.ndarray
    work: np.ndarray
    steps: np.ndarray
    missed: int
    wrong: int
    off: np.ndarray

    @property
    def times(self) -> str:
        """The times of a frame, as text."""
        return _times(self.seconds, self.work)


def _times(seconds: Sequence[float] | np.ndarray, work: Sequence[float] | np.ndarray) -> str:
    last, own = (np.percentile(times, 99) * 1e6 for times in (seconds, work))
    return f"{np.median(seconds) * 1e6:.0f} us a frame, p99 {last:.0f} us, of processor time {own:.0f} us"


def drag_through(body: lk.Body, stretches: Sequence[Sequence[Targets]], starts: Sequence[np.ndarray]) -> Run:
    """Drag a body through stretches of targets; before each stretch it is dragged to the stretch's first targets."""
    figure = body.figure
    postures, seconds, work, steps, off = [], [], [], [], []
    missed = wrong = 0
    for stretch, start in zip(stretches, starts, strict=True):
        pose = body.at(start)
        for _ in range(motion.FRAMES_PER_SECOND):
            pose = pose.drag(stretch[0])
        for targets in stretch:
            began, busy = perf_counter(), thread_time()
            after = pose.drag(targets)
            _ = after.q
            seconds.append(perf_counter() - began)
            work.append(thread_time() - busy)
            steps.append(float(np.abs(figure.model.difference(pose.q, after.q))[6:].max()))
            missed += not after.ok
            wrong += not (np.isfinite(after.q).all() and figure.within_limits(after.q)) or (
                after.ok and not _reached(figure, targets, after)
            )
            off.append([after.errors[name][0] for name in targets])
            postures.append(after.q)
            pose = after
    return Run(np.array(postures), np.array(seconds), np.array(work), np.array(steps), missed, wrong, np.array(off))


def _reached(figure: lk.Skeleton, targets: Targets, pose: lk.posing.Posed) -> bool:
    """Return by forward kinematics whether all pins are met."""
    for pin in pose.body.pins:
        error = lk.pose_error(figure.forward(pose.q, pin.frame), targets[str(pin.name)])
        turn = np.linalg.norm(error[3:]) if isinstance(pin, lk.Pin) and pin.rotation > 0 else 0.0
        if np.linalg.norm(error[:3]) > 1.01e-6 or turn > 1.01e-6:
            return False
    return True


def _pins(rotation: float) -> list[lk.Pin]:
    return [lk.Pin(tip, rotation=rotation) for tip in motion.TIPS]


def _starts(figure: lk.Skeleton, stretches: Sequence[Sequence[Targets]]) -> list[np.ndarray]:
    """Return a posture near the first targets of each stretch."""
    preference = lk.Posture(figure.home, weight=0.1)
    goals = [[lk.Pose(tip, T, weight=(1, ROTATION_WEIGHT)) for tip, T in stretch[0].items()] for stretch in stretches]
    return [figure.solve([*own, preference], seed=figure.home).q for own in goals]


def full_body(_: Path) -> list[Measurement]:
    """Measure five pins of the human figure, dragged at 60 Hz: recorded motion, its own motion, and hands led out of reach."""
    figure, balls = lk.load("human"), lk.load("human_balls")
    assert isinstance(figure, lk.Skeleton) and isinstance(balls, lk.Skeleton)
    stretches, what = motion.minute(figure)
    frames = sum(map(len, stretches))
    starts = _starts(figure, stretches)
    recorded = drag_through(lk.Body(figure, _pins(ROTATION_WEIGHT), rest=figure.home, step=STEP), stretches, starts)
    own = _of_its_own(figure, recorded, stretches)
    places = drag_through(lk.Body(figure, _pins(0.0), rest=figure.home, step=STEP), stretches, starts)
    balled = drag_through(
        lk.Body(balls, _pins(ROTATION_WEIGHT), rest=balls.home, step=STEP), stretches, _starts(balls, stretches)
    )
    kind = "recorded" if motion.clips() else "generated"
    note = (
        f"{what}; p99.9 {np.percentile(recorded.steps, 99.9):.3f}; the recording's own joints go {_source_step():.3f}"
    )
    return [
        at_most("human, five full poses of its own motion, 60 Hz, to 1e-6: median", np.median(own.seconds) * 1e6, 100, "us",
                own.times),
        at_least(f"human, the same: part of {len(own.seconds)} frames met", 1 - own.missed / len(own.seconds), 0.99, ""),
        at_most(f"human, five {kind} poses, {frames} frames at 60 Hz: largest joint step", recorded.steps.max(), STEP + 1e-12,
                "rad", note),
        at_least(f"human, five {kind} poses: part of the frames in which all five are met to 1e-6",
                 1 - recorded.missed / frames, 0.95, "", f"{recorded.times}; off by {recorded.off.max() * 1e3:.0f} mm at most"),
        at_most(f"human, five {kind} places: largest joint step", places.steps.max(), STEP + 1e-12, "rad", places.times),
        at_most(f"human, five {kind} places: frames not met", places.missed, 0, ""),
        at_most(f"human_balls, five {kind} poses: largest joint step", balled.steps.max(), STEP + 1e-12, "rad",
                f"{balled.times}; met in {1 - balled.missed / frames:.1%} of the frames"),
        at_most("all of these: frames with NaN, outside the limits, or wrong by forward kinematics",
                recorded.wrong + own.wrong + places.wrong + balled.wrong, 0, ""),
        *_out_of_reach(figure),
    ]  # fmt: skip


def _of_its_own(figure: lk.Skeleton, recorded: Run, stretches: Sequence[Sequence[Targets]]) -> Run:
    """Drag the figure through reachable poses: those of its own postures while it followed a recording."""
    mine, at, starts = [], 0, []
    for stretch in stretches:
        part = recorded.q[at : at + len(stretch)]
        mine.append([{tip: figure.forward(q, tip) for tip in motion.TIPS} for q in part])
        starts.append(part[0])
        at += len(stretch)
    return drag_through(lk.Body(figure, _pins(1.0), rest=figure.home, step=STEP), mine, starts)


def _source_step() -> float:
    """Return the largest rotation of a joint of the recorded figures in 1/60 s [rad]."""
    most = 0.0
    for clip in motion.clips():
        every = max(1, round(clip.rate / motion.FRAMES_PER_SECOND))
        q = clip.q[1::every]  # the first frame is a T-pose
        turns = clip.robot.model.difference(q[:-1], q[1:])[:, 6:].reshape(len(q) - 1, -1, 3)
        most = max(most, float(np.linalg.norm(turns, axis=-1).max()))
    return most


def _out_of_reach(figure: lk.Skeleton) -> list[Measurement]:
    """Drag both hands far out of reach and back while the feet are planted."""
    feet = ("leftFoot", "rightFoot")
    hands = [lk.Pin(f"{side}Hand", rotation=0) for side in ("left", "right")]
    standing = figure.clamp(np.zeros(figure.n))
    for name in ("leftLowerLeg_x", "rightLowerLeg_x", "leftLowerArm_x", "rightLowerArm_x"):
        standing[figure.joint_names.index(name)] = 0.3
    body = lk.Body(figure, [*(lk.Planted(foot) for foot in feet), *hands], step=STEP)
    pose = body.at(standing)
    start = {pin.frame: pose.targets[pin.frame] for pin in hands}
    step = slide = 0.0
    seconds, work = [], []
    for k in range(2 * FRAMES):
        offset = BEYOND * np.sin(np.pi * k / (2 * FRAMES)) ** 2 * np.array([0.0, 0.5, 1.0])
        began, busy = perf_counter(), thread_time()
        after = pose.drag({hand: point + offset for hand, point in start.items()})
        seconds.append(perf_counter() - began)
        work.append(thread_time() - busy)
        step = max(step, float(np.abs(figure.model.difference(pose.q, after.q))[6:].max()))
        slide = max(slide, max(after.errors[foot][0] for foot in feet))
        pose = after
    note = _times(seconds, work)
    return [
        at_most(f"hands led {BEYOND} m away and back: largest joint step", step, STEP + 1e-12, "rad", note),
        at_most("hands led away and back: planted feet slide", slide, 1e-6, "m"),
    ]
