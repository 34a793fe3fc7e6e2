"""The outlook (section 7): where a solution in joint space stays admissible in muscle space."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from limbik.muscle.muscle_map import MuscleMap
from limbik.papers.claim import Claim, at_least, at_most
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import CM, arm
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

POINTS, QUICK_POINTS = 121, 41
# The x of the plane of the circles [cm], and the contraction of pneumatic muscles with narrower ranges.
AT, CONTRACTION = -5.0, 0.25
TARGETS, QUICK_TARGETS = 10_000, 1_000


def narrower() -> Chain:
    """Return the arm with muscles that contract by a quarter of their largest length, about the middle of their ranges."""
    muscles = []
    for m in arm().muscles:
        middle = 0.5 * (m.lower + m.upper)
        half = min(0.5 * (m.upper - m.lower), middle * CONTRACTION / (2 - CONTRACTION))
        muscles.append(replace(m, lower=middle - half, upper=middle + half, actuator=None))
    return arm().with_muscles(muscles)


def measure(setting: Setting) -> Findings:
    """Map the plane of the circles with both ranges, and solve for random reachable and unreachable wrist targets."""
    count, small = setting.size(POINTS, QUICK_POINTS), narrower()
    maps: dict[str, MuscleMap] = {
        "the paper's ranges": arm().muscles.map("yz", AT * CM, count),
        "a quarter's contraction": small.muscles.map("yz", AT * CM, count),
    }
    values = {f"{k} {part}": 100 * share for k, m in enumerate(maps.values()) for part, share in m.summary.items()}
    for k, robot in enumerate((arm(), small)):
        rng = setting.rng()
        q = robot.muscles.sample_admissible(rng, setting.size(TARGETS, QUICK_TARGETS))
        P = robot.forward(q)[:, :3, 3]
        lengths, found, status = robot.muscles.solve_lengths_batch(P)
        low, high = robot.muscles.ranges
        good = (status == 0) & (lengths >= low).all(axis=1) & (lengths <= high).all(axis=1)
        good &= np.linalg.norm(robot.forward(np.nan_to_num(found))[:, :3, 3] - P, axis=1) <= 1e-8
        values[f"{k} solved"] = 100.0 * float(good.mean())
    direction = setting.rng().normal(size=(200, 3))
    far = (
        arm().reach
        * (1.01 + np.arange(200)[:, None] / 100)
        * direction
        / np.linalg.norm(direction, axis=1, keepdims=True)
    )
    values["far"] = 100.0 * float((arm().muscles.solve_lengths_batch(far)[2] == 1).mean())
    values["error"] = float(np.nanmax(np.linalg.norm(arm().forward(found)[:, :3, 3] - P, axis=1)) / CM)

    def draw(path: Path) -> None:
        pictures.workspace(path, maps)

    return Findings(values, (Picture("workspace", draw),))


EXPERIMENT = Experiment(
    name="workspace",
    claims=(
        Claim("0 all", "points of the plane x = -5 cm where every joint-space solution is admissible, the paper's ranges", "%"),
        Claim("0 some", "points of that plane where some are admissible, the paper's ranges", "%"),
        Claim("0 none", "points of that plane where none is admissible, the paper's ranges", "%"),
        Claim("1 all", "points of that plane where every joint-space solution is admissible, contraction by a quarter", "%"),
        Claim("1 some", "points of that plane where some are admissible, contraction by a quarter", "%"),
        Claim("1 none", "points of that plane where none is admissible, contraction by a quarter", "%"),
        Claim("0 solved", "random reachable wrist targets solved with all muscles in range, the paper's ranges",
              "%", None, at_least(100)),
        Claim("1 solved", "random reachable wrist targets solved with all muscles in range, contraction by a quarter",
              "%", None, at_least(100)),
        Claim("error", "largest error of these solutions", "cm", None, at_most(1e-7)),
        Claim("far", "targets out of reach that are reported as such", "%", None, at_least(100)),
    ),
    measure=measure,
    notes=(
        "with the printed ranges of pectoralis and deltoid the upper arm can point in every direction, so no joint-space "
        "solution is lost; with the ranges of pneumatic muscles most are.",
    ),
)  # fmt: skip
