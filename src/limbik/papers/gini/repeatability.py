"""Figure 13: the scatter of 200 points of a repeated circle, with simulated hysteresis of the muscles.

Friction in a McKibben muscle lets its force lag by a fraction h. Its length then differs by h F / (dF/dL) = h (3 L^2 - b^2) /
(6 L), at any pressure. At each point every independent muscle gets a normally distributed error with this standard deviation, and
direct kinematics gives the position of the wrist.
"""

from pathlib import Path

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import CM, arm, circle, independent, side_of
from limbik.papers.gini.printed import CENTRES, LAPS, POINTS, SCATTER
from limbik.papers.gini.tracking import by_default
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The hysteresis h, as a fraction of the force.
HYSTERESIS = 0.01
AXES = "xyz"


def measure(setting: Setting) -> Findings:
    """Follow four laps of 50 points with uncertain lengths, and measure the scatter of the wrist about its path."""
    rng = setting.rng()
    path = np.tile(circle(CENTRES[1], POINTS // LAPS), (LAPS, 1))
    run = by_default(path)
    robot = arm().with_muscles(arm().muscles.as_mckibben(hysteresis=HYSTERESIS))
    places = independent()
    tips = []
    for q, lengths in zip(run.q, run.lengths, strict=True):
        own = [robot.muscles[k] for k in places]
        off = np.array(
            [float(m.actuator.length_uncertainty(x)) for m, x in zip(own, lengths[places], strict=True) if m.actuator]
        )
        low, high = (x[places] for x in robot.muscles.ranges)
        for _ in range(100):
            found = robot.muscles.posture_from_lengths(
                np.clip(lengths[places] + off * rng.normal(size=len(places)), low, high), q
            )
            if found.ok:
                break
        sides = [side_of(p) for p in found.q]
        k = sides.index(side_of(q)) if side_of(q) in sides else 0
        tips.append(robot.forward(found.q[k])[:3, 3])
    scatter = (np.array(tips) - path) / CM * 10  # mm
    spread = scatter.std(axis=0)
    values = {axis: float(s) for axis, s in zip(AXES, spread, strict=True)}
    values["fits"] = 100 * HYSTERESIS * float(np.linalg.norm(SCATTER) / np.linalg.norm(spread))

    def draw(file: Path) -> None:
        pictures.scatter(file, path, np.array(tips), HYSTERESIS)

    return Findings(values, (Picture("figure_13_scatter", draw),))


EXPERIMENT = Experiment(
    name="repeatability",
    claims=(
        *(Claim(axis, f"Figure 13, {axis}: scatter of 200 points, simulated hysteresis of {100 * HYSTERESIS:g} %", "mm", printed)
          for axis, printed in zip(AXES, SCATTER, strict=True)),
        Claim("fits", "hysteresis that gives the scatter of the paper", "%"),
    ),
    measure=measure,
    notes=(
        "the paper prints variances in mm; they are read as standard deviations about the path.",
        "the robot's scatter has other causes too (air, sensors, friction in joints); the values serve for comparison only.",
    ),
)  # fmt: skip
