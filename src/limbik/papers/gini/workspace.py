"""The outlook (section 7): where a solution in joint space stays admissible in muscle space."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from limbik.muscle.muscle_map import MuscleMap
from limbik.papers.claim import Cell, Claim, at_least, at_most
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import CM, arm
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

POINTS, QUICK_POINTS = 121, 41
# The x of the plane of the circles [cm].
AT = -5.0
# The paper prints no ranges. limbik's catalogue takes the geometric extremes of pectoralis and deltoid, |20 +- 5| and
# |15 +- 3| cm, which exclude nothing; a pneumatic muscle contracts by about a quarter. Contractions, of the largest length.
GEOMETRIC = "geometric extremes"
CONTRACTIONS = {"contraction by 35 %": 0.35, "contraction by 30 %": 0.3, "contraction by 25 %": 0.25}
RANGES = (GEOMETRIC, *CONTRACTIONS)
TARGETS, QUICK_TARGETS = 5_000, 1_000


def narrower(contraction: float) -> Chain:
    """Return the arm with muscles that contract by a part of their largest length, about the middle of their ranges."""
    muscles = []
    for m in arm().muscles:
        middle = 0.5 * (m.lower + m.upper)
        half = min(0.5 * (m.upper - m.lower), middle * contraction / (2 - contraction))
        muscles.append(replace(m, lower=middle - half, upper=middle + half, actuator=None))
    return arm().with_muscles(muscles)


def measure(setting: Setting) -> Findings:
    """Map the plane of the circles with each range, and solve for random reachable and unreachable wrist targets."""
    count = setting.size(POINTS, QUICK_POINTS)
    robots = {GEOMETRIC: arm(), **{name: narrower(by) for name, by in CONTRACTIONS.items()}}
    maps: dict[str, MuscleMap] = {name: robot.muscles.map("yz", AT * CM, count) for name, robot in robots.items()}
    values = {f"{name} {part}": 100 * share for name, m in maps.items() for part, share in m.summary.items()}
    errors = []
    for name, robot in robots.items():
        q = robot.muscles.sample_admissible(setting.rng(), setting.size(TARGETS, QUICK_TARGETS))
        P = robot.forward(q)[:, :3, 3]
        lengths, found, status = robot.muscles.solve_lengths_batch(P)
        low, high = robot.muscles.ranges
        good = (status == 0) & (lengths >= low).all(axis=1) & (lengths <= high).all(axis=1)
        off = np.linalg.norm(robot.forward(np.nan_to_num(found))[:, :3, 3] - P, axis=1)
        good &= off <= 1e-8
        values[f"{name} solved"] = 100.0 * float(good.mean())
        errors.append(float(off[status == 0].max()) / CM)
    direction = setting.rng().normal(size=(200, 3))
    far = (
        arm().reach
        * (1.01 + np.arange(200)[:, None] / 100)
        * direction
        / np.linalg.norm(direction, axis=1, keepdims=True)
    )
    values["far"] = 100.0 * float((arm().muscles.solve_lengths_batch(far)[2] == 1).mean())
    values["error"] = max(errors)

    def draw(path: Path) -> None:
        pictures.workspace(path, maps)

    return Findings(values, (Picture("workspace", draw),))


EXPERIMENT = Experiment(
    name="workspace",
    claims=(
        *(Claim(f"{name} {part}", f"points of the plane x = -5 cm, {name}: {part} joint-space solutions are admissible", "%",
                None, None, Cell("points of the plane x = -5 cm where joint-space solutions are admissible [%]", name, part))
          for name in RANGES for part in ("all", "some", "none")),
        *(Claim(f"{name} solved", f"random reachable wrist targets solved with all muscles in range, {name}", "%", None,
                at_least(100))
          for name in RANGES),
        Claim("error", "largest error of these solutions", "cm", None, at_most(1e-7)),
        Claim("far", "targets out of reach that are reported as such", "%", None, at_least(100)),
    ),
    measure=measure,
    notes=(
        "the paper prints no ranges of muscles. With the geometric extremes of pectoralis and deltoid, |20 +- 5| and |15 +- 3| "
        "cm, no direction of the upper arm is excluded, so that map says nothing about muscles; those with a limited "
        "contraction do. All ranges are limbik's.",
    ),
)  # fmt: skip
