"""Figure 13: 200 points of a circle repeated, with hysteresis in the muscles simulated.

Friction in a McKibben muscle lets its force lag by a part h, which holds its length away by h F / (dF/dL) = h (3 L^2 - b^2) /
(6 L), at any pressure. Each independent muscle is off by a random length of that size at each point; direct kinematics tells
where the wrist is.
"""

from pathlib import Path

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import CM, arm, circle, independent, side_of
from limbik.papers.gini.printed import CENTRES, LAPS, POINTS, SCATTER
from limbik.papers.gini.tracking import by_default
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The part of the force that is simulated.
HYSTERESIS = 0.01
AXES = "xyz"


def measure(setting: Setting) -> Findings:
    """Run four laps of 50 points with uncertain lengths, and see how the wrist scatters about its way."""
    rng = setting.rng()
    way = np.tile(circle(CENTRES[1], POINTS // LAPS), (LAPS, 1))
    walk = by_default(way)
    robot = arm().with_muscles(arm().muscles.as_mckibben(hysteresis=HYSTERESIS))
    places = independent()
    tips = []
    for q, lengths in zip(walk.q, walk.lengths, strict=True):
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
    scatter = (np.array(tips) - way) / CM * 10  # mm
    spread = scatter.std(axis=0)
    values = {axis: float(s) for axis, s in zip(AXES, spread, strict=True)}
    values["fits"] = 100 * HYSTERESIS * float(np.linalg.norm(SCATTER) / np.linalg.norm(spread))

    def draw(path: Path) -> None:
        pictures.scatter(path, way, np.array(tips), HYSTERESIS)

    return Findings(values, (Picture("figure_13_scatter", draw),))


EXPERIMENT = Experiment(
    name="repeatability",
    claims=(
        *(Claim(axis, f"Figure 13, {axis}: scatter of 200 points, hysteresis of {100 * HYSTERESIS:g} % simulated", "mm", printed)
          for axis, printed in zip(AXES, SCATTER, strict=True)),
        Claim("fits", "hysteresis that gives the scatter of the paper", "%"),
    ),
    measure=measure,
    notes=("the robot's scatter has other causes too (air, sensors, friction in joints): a number to compare with.",),
)  # fmt: skip
