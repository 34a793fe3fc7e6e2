"""Retargeting: recorded clips on the human figure with longer legs; generated walks if there are no clips.

The data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.
"""

import math
import os
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from examples.walk import generated_walk

import limbik as lk
from benchmarks.measurement import Measurement, at_least, at_most

# The folder of the clips, $LIMBIK_MOCAP or beside the repository; metres per unit of their lengths.
FOLDER = Path(os.environ.get("LIMBIK_MOCAP", Path(__file__).parents[3] / "shared" / "data" / "mocap"))
CLIPS, UNIT = ("02_01", "02_06", "13_11"), 0.05644
# The scale of the legs; the bars of foot slide and hand error [m], and of the speed [frames/s of one core].
LEGS, SLIDE, MISS, RATE = 1.2, 0.01, 0.01, 1000.0
# The bar of the largest joint step between frames, over the source's: longer legs bend differently, a jump is more.
MOST_STEP = 1.25
# Timed runs of each clip; the median counts.
RUNS = 5


def long_legs() -> lk.Skeleton:
    """Return the human figure with longer legs."""
    figure = lk.load("human")
    assert isinstance(figure, lk.Skeleton)
    return figure.with_proportions({f"{s}{p}Leg": LEGS for s in ("left", "right") for p in ("Upper", "Lower")})


def retargeting(out: Path) -> list[Measurement]:
    """Measure each clip on the figure with 20 % longer legs: slides, hands, ranges, steps, speed; and write a picture."""
    clips = _recorded()
    if not clips:
        print(
            f"SKIPPED: no recorded clips in '{FOLDER}'; set LIMBIK_MOCAP. Generated walks run instead.",
            file=sys.stderr,
        )
        clips = {f"walk at {rate:g}/s": generated_walk(4.0, rate) for rate in (30.0, 60.0, 120.0)}
    measured: list[Measurement] = []
    lk.retarget(next(iter(clips.values())), long_legs())  # imports of the first call are not timed
    for name, clip in clips.items():
        measured += _one(name, clip, out)
    return measured


def _recorded() -> dict[str, lk.Clip]:
    files = {name: FOLDER / f"{name}.bvh" for name in CLIPS}
    if not all(file.exists() for file in files.values()):
        return {}
    return {name: lk.load_clip(file, unit=UNIT) for name, file in files.items()}


def _one(name: str, clip: lk.Clip, out: Path) -> list[Measurement]:
    figure = long_legs()
    rates = []
    for _ in range(RUNS):
        start, own = perf_counter(), process_time()
        result = lk.retarget(clip, figure)
        rates.append((len(clip) / (perf_counter() - start), len(clip) / (process_time() - own)))
    wall, core = np.median(rates, axis=0)
    q = result.q
    outside = int(((q < figure.lower) | (q > figure.upper)).any(axis=1).sum() + (~np.isfinite(q)).any(axis=1).sum())
    missed = {(m.frame, m.bone) for m in result.reported}
    unreported = sum(
        (k, bone) not in missed
        for bone, target in result.hand_targets.items()
        for k in np.flatnonzero(np.linalg.norm(figure.forward(q, bone)[:, :3, 3] - target, axis=1) > MISS)
    )
    worst = max(float(error.max()) for error in result.hand_error.values())
    flat = {side: result.contacts[f"{side}Foot"] for side in ("left", "right")}
    ankles = max(result.clip.foot_slide(f"{side}Foot", stances) for side, stances in flat.items())
    moving = [lk.Clip(c.robot, c.q[result.first_shown :], c.times[result.first_shown :]) for c in (clip, result.clip)]
    usual = max(
        moving[1].foot_slide(result.bones[bone], found)
        for bone in ("leftFoot", "rightFoot")
        for found in (moving[0].contacts(result.source_bones[bone]), moving[1].contacts(result.bones[bone]))
    )
    below = -min(_lowest_sole(moving[1], side) for side in ("left", "right"))
    stood = sum(len(stances) for stances in flat.values())
    steps = [math.degrees(c.largest_step) for c in moving]
    bones = ", ".join(f"{bone} {math.degrees(a):.1f}" for bone, a in result.bone_angles.items())
    result.film(out / f"retargeted_{name.split()[0]}.png", 9)
    return [
        at_most(
            f"{name}: foot slide while planted, ankle",
            ankles * 1e3,
            SLIDE * 1e3,
            "mm",
            f"{stood} times: {result.detection}",
        ),
        at_most(
            f"{name}: foot slide, stances as Clip.contacts finds them",
            usual * 1e3,
            SLIDE * 1e3,
            "mm",
            "in source and result",
        ),
        at_most(f"{name}: foot slide while planted, ankle or toes", result.foot_slide * 1e3, SLIDE * 1e3, "mm"),
        at_most(
            f"{name}: frames with a hand off by over 1 cm, not reported",
            unreported,
            0,
            "",
            f"worst {worst * 1e3:.1f} mm",
        ),
        at_most(
            f"{name}: lowest sole below the ground",
            max(below, 0.0) * 1e3,
            15,
            "mm",
            "under the ends of a foot's capsule",
        ),
        at_most(f"{name}: frames reported", len(missed), 0.05 * len(clip), "", "no more than one in twenty"),
        at_most(f"{name}: frames with a joint out of range", outside, 0, "", f"of {len(clip)}"),
        at_most(
            f"{name}: largest joint step", steps[1], MOST_STEP * steps[0], "deg", f"the source's is {steps[0]:.2f}"
        ),
        at_least(
            f"{name}: frames a second on one core",
            core,
            RATE,
            "1/s",
            f"of processor time; by the clock {wall:.0f}; mean angle to the source: {bones}",
        ),
    ]


def _lowest_sole(clip: lk.Clip, side: str) -> float:
    """Return the least height of a sole, under the ends of the foot's capsule [m]."""
    T = clip.forward(f"{side}Foot")
    standing = float(clip.robot.forward(np.zeros(clip.robot.n), f"{side}Foot")[1, 3])
    (shape,) = (shape for name, shape in clip.robot.model.shapes if name == f"{side}Foot")
    ends = [np.array([end[0], -standing, end[2]]) for end in (shape.start, shape.end)]
    return min(float((T[:, 1, 3] + T[:, 1, :3] @ end).min()) for end in ends)
