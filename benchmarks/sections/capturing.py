"""Capture from markers, and from sensors on limbs, of motions that are known: joints, lengths, flips, speed."""

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from cases import capture_problems as problems

import limbik as lk
from benchmarks.measurement import SEED, Measurement, at_least, at_most

# Seconds of a motion at 60 frames a second, and how many of each kind.
SECONDS, SEEDS = 60.0, 3
# Short clips, with seeds from 0.
SHORT_CLIPS = 40
# The bound of the mean joint error [mm]; the noise of a marker's coordinate has the same size.
BAR = 2.0
# A limb whose elbow angle has a smaller sine is straight: its plane is undefined.
STRAIGHT = 0.1
# Longer clips are cut [s].
LONGEST_CLIP = 6.0
# The folder of recorded clips, if there is one.
CLIPS = Path(__file__).parents[3] / "shared" / "data" / "mocap"


def bend_flips(clip: lk.Clip, figure: lk.Skeleton, q: Any) -> int:
    """Return the number of frames in which an elbow or knee bends to the wrong side."""
    flips = 0
    for side in ("left", "right"):
        for trio in (("UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot")):
            found = _bend_normals(clip.robot, clip.q, side, trio)
            true = _bend_normals(figure, q, side, trio)
            bent = np.linalg.norm(true, axis=1) > STRAIGHT
            flips += int(((found * true).sum(axis=1) < 0)[bent].sum())
    return flips


def _bend_normals(robot: Any, q: Any, side: str, trio: tuple[str, str, str]) -> Any:
    """Return the normals of a limb's plane; the length is the sine of the elbow angle."""
    a, b, c = (robot.forward(q, side + bone)[:, :3, 3] for bone in trio)
    upper, lower = b - a, c - b
    return np.cross(upper, lower) / (np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1))[:, None]


def _length_change(clip: lk.Clip) -> float:
    """Return the largest change of a bone's length over the clip [m]."""
    change = 0.0
    for joint in clip.robot.model.mechanism.joints:
        if joint.name in ("root", "Hips") or joint.parent not in clip.robot.frames:
            continue
        a, b = (clip.forward(link)[:, :3, 3] for link in (joint.parent, joint.child))
        change = max(change, float(np.ptp(np.linalg.norm(b - a, axis=1))))
    return change


def _rows(what: str, problem: problems.Problem, found: lk.motion.Captured, seconds: float) -> list[Measurement]:
    clip = found.clip
    errors = problem.errors(clip) * 1000
    worst, joint = errors.mean(axis=1).max(), errors.mean(axis=0).max()
    note = f"worst frame {worst:.2f}, worst joint {joint:.2f}, greatest {errors.max():.1f} mm"
    rows = [at_most(f"{what}: mean error of joints", errors.mean(), BAR, "mm", note)]
    rows.append(at_most(f"{what}: change of bone lengths", _length_change(clip) * 1000, 1e-9, "mm", "rounding"))
    if "leftLowerArm" in clip.robot.frames:
        flips = bend_flips(clip, problem.figure, problem.q)
        rows.append(at_most(f"{what}: frames with a flipped elbow or knee", flips, 0, ""))
    true = lk.Clip(problem.figure, problem.q, problem.times).largest_step
    rows.append(
        at_most(
            f"{what}: largest step of a joint over the true one",
            clip.largest_step / true,
            1.5,
            "",
            f"{seconds:.1f} s",
        )
    )
    outside = int((~np.atleast_1d(clip.robot.within_limits(clip.q))).sum())
    rows.append(at_most(f"{what}: frames outside the limits", outside, 0, ""))
    return rows


def _captured(problem: problems.Problem, figure: lk.Skeleton, **options: Any) -> tuple[lk.motion.Captured, float]:
    """Return the result and its processor time [s], summed over all threads."""
    start = process_time()
    clip = lk.capture(options.pop("markers", problem.markers), figure, **options)
    return clip, process_time() - start


# The timed code, run in a process of its own: with known offsets, and with unknown ones.
TIMED = """
import limbik as lk
from benchmarks.sections import capturing as own
human, problem = lk.load("human"), own.problems.human_problem(own.SEED, own.SECONDS)
for options in ({"marker_set": problem.places, "estimate": ("lengths",)}, {}):
    clip, seconds = own._captured(problem, human, **options)
    print(len(clip) / seconds)
"""


def _speeds() -> list[float]:
    """Return frames per second of processor time, with one thread: waiting threads would count too."""
    root = Path(__file__).parents[2]
    one = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    search_path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(root)])
    run = subprocess.run(
        [sys.executable, "-c", TIMED],
        env=os.environ | one | {"PYTHONPATH": search_path},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(line) for line in run.stdout.split()]


def capturing(_: Path) -> list[Measurement]:
    """Markers with 2 mm noise, 10 % missing: known and unknown offsets, gaps, swaps, a walk, ball joints; sensors."""
    human = lk.load("human")
    assert isinstance(human, lk.Skeleton)
    measured: list[Measurement] = []
    for seed in range(SEED, SEED + SEEDS):
        problem = problems.human_problem(seed, SECONDS)
        known, seconds = _captured(problem, human, marker_set=problem.places, estimate=("lengths",))
        measured += _rows(f"human, seed {seed}, known offsets", problem, known, seconds)
        unknown, seconds = _captured(problem, human)
        measured += _rows(f"human, seed {seed}, unknown offsets", problem, unknown, seconds)
        true = {joint.name: np.linalg.norm(joint.origin[:3, 3]) for joint in problem.figure.model.mechanism.joints}
        off = max(abs(length - true[name]) for name, length in unknown.lengths.items()) * 1000
        measured.append(at_most(f"human, seed {seed}, unknown offsets: worst bone length", off, 5, "mm"))
        measured += _walk(human, problem, unknown, seed)
    rng = np.random.default_rng(SEED)
    problem = problems.human_problem(SEED, SECONDS)
    wrong = problems.with_swaps(problems.with_gaps(problem.markers, rng, 20, 60), rng, 20, 30)
    clip, seconds = _captured(problem, human, markers=wrong)
    measured += _rows("human, gaps of a second and swapped markers", problem, clip, seconds)
    speeds = _speeds()
    measured.append(
        at_least(
            "one minute of 42 markers at 60 Hz: frames in a second of one core",
            min(speeds),
            300,
            "1/s",
            f"best {max(speeds):.0f}; processor time of a process with one thread",
        )
    )
    return measured + _short(human) + _ball_joints() + _limbs(human)


def _short(human: lk.Skeleton) -> list[Measurement]:
    """Measure clips of five seconds with unknown offsets: sizes are hardly observable, a limb may converge to a wrong shape."""
    means, sure = [], []
    for seed in range(SHORT_CLIPS):
        problem = problems.wide_problem(seed)
        clip, _ = _captured(problem, human)
        means.append(problem.errors(clip).mean() * 1000)
        sure.append(clip.ok)
    off = np.array(means)
    note = f"{SHORT_CLIPS} clips, {int(np.sum(~np.array(sure)))} of them doubtful, {int((off > BAR).sum())} above {BAR:g} mm"
    what = "five seconds, unknown offsets"
    return [
        at_most(f"{what}: mean error of joints, median of all clips", float(np.median(off)), BAR, "mm", note),
        at_most(f"{what}: mean error of joints, worst clip", float(off.max()), 5.0, "mm", f"seed {int(off.argmax())}"),
        at_most(f"{what}: clips more than 5 mm off and reported as ok", int((off[np.array(sure)] > 5.0).sum()), 0, ""),
    ]


def _walk(human: lk.Skeleton, problem: problems.Problem, sized: lk.motion.Captured, seed: int) -> list[Measurement]:
    q, times = problems.walking(problem.figure, SECONDS)
    rng = np.random.default_rng(seed + 100)
    markers = lk.Markers(tuple(problem.places), problems.seen(problem.figure, q, problem.places, rng), times)
    walk = problems.Problem(problem.figure, q, times, problem.places, markers, problem.joints)
    assert isinstance(sized.robot, lk.Skeleton)
    clip, seconds = _captured(walk, sized.robot, marker_set=sized.marker_set, estimate=())
    alone, _ = _captured(walk, human)
    measured = _rows(f"human walks, seed {seed}, sizes of the motion before", walk, clip, seconds)
    return [*measured, _reported_error(f"human walks, seed {seed}, unknown offsets", walk, alone)]


def _reported_error(what: str, problem: problems.Problem, clip: lk.motion.Captured) -> Measurement:
    """Return the reported bound on the error of joints over the true error, for the joint with the worst ratio."""
    errors = problem.errors(clip).mean(axis=0)
    shares = [clip.place_error[joint] / error for joint, error in zip(problem.joints, errors, strict=True)]
    note = f"joints are {1000 * errors.mean():.1f} mm off, worst {1000 * errors.max():.0f}; `why` names them"
    return at_least(f"{what}: reported over true error, least of all joints", min(shares), 0.5, "", note)


def _ball_joints() -> list[Measurement]:
    measured = []
    for name in ("02_01", "02_06", "13_11"):
        path = CLIPS / f"{name}.bvh"
        if path.exists():
            clip = lk.load_clip(path, unit=0.05644)
            # The first frame of these files is a T-pose.
            clip = clip.trimmed(float(clip.times[1]), min(float(clip.times[-1]), LONGEST_CLIP))
            problem = problems.bvh_problem(clip, SEED)
            assert isinstance(clip.robot, lk.Skeleton)
            found, seconds = _captured(problem, clip.robot, marker_set=problem.places, estimate=("lengths",))
            measured += _rows(f"CMU {name}, ball joints, known offsets", problem, found, seconds)
            found, seconds = _captured(problem, clip.robot, marker_set=problem.places, estimate=())
            measured += _rows(f"CMU {name}, ball joints, known offsets and lengths", problem, found, seconds)
            found, seconds = _captured(problem, clip.robot)
            measured.append(_reported_error(f"CMU {name}, ball joints, unknown offsets", problem, found))
    return measured


def _limbs(human: lk.Skeleton) -> list[Measurement]:
    measured = []
    for middles in (True, False):
        rng = np.random.default_rng(SEED)
        figure = problems.person(rng)
        q, times = problems.random_motion(figure, rng, SECONDS)
        names = list(figure.joint_names)
        q[:, [names.index("leftHand_y"), names.index("rightHand_y")]] = 0.0
        start = perf_counter()
        clip = lk.capture_limbs(problems.sensors_of(figure, q, middles), human, times=times)
        speed = len(clip) / (perf_counter() - start)
        what = "limbs with a third sensor" if middles else "limbs with sensors at both ends"
        ends = max(
            float(np.abs(clip.forward(e) - figure.forward(q, e)).max())
            for e in problems.JOINTS
            if e.endswith(("Hand", "Foot"))
        )
        measured.append(
            at_most(
                f"{what}: hands and feet from their sensors, worst", ends * 1000, 1e-6, "mm", f"{speed:.0f} frames/s"
            )
        )
        measured.append(
            at_most(
                f"{what}: frames with a jump or outside the limits",
                len(clip.jumps) + int((~clip.robot.within_limits(clip.q)).sum()),
                0,
                "",
            )
        )
        if middles:
            joints = tuple(name for name in problems.JOINTS if name != "head")
            errors = problems.joint_errors(clip, figure, q, joints) * 1000
            measured.append(
                at_most(f"{what}: mean error of joints", errors.mean(), BAR, "mm", "no noise; the head has no sensor")
            )
    return measured
