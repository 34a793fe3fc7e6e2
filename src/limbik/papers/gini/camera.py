"""The outlook (section 7): the descent by a distance that a camera measures instead of direct kinematics."""

from collections.abc import Callable

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.fast_gradient import FastGradient, follow_distance
from limbik.papers.claim import Claim, at_most
from limbik.papers.gini.arm import CM, arm, independent, starts
from limbik.papers.gini.printed import TABLE_3
from limbik.papers.paper import Experiment, Findings, Setting

STARTS, QUICK_STARTS = 100, 30
# Standard deviations of the sensor's noise [mm]; with noise, the finite differences and steps are larger [m].
NOISE = (0.0, 0.1, 1.0)
QUIET = FastGradient(sweeps=100, goal=0.0)
NOISY = FastGradient(sweeps=100, goal=0.0, alpha=1e-3, probe=1e-3, part=1e3)


def camera(target: Array, noise: float, rng: np.random.Generator) -> Callable[[Array], float]:
    """Return a simulated camera: a function from muscle lengths to the distance of the wrist from a target [m]; noise in mm."""
    robot = arm()

    def measure(lengths: Array) -> float:
        found = robot.muscles.posture_from_lengths(lengths)
        if not found.ok:
            return np.inf
        tip = robot.forward(found.q[0])[:3, 3]
        return float(abs(np.linalg.norm(tip - target) + 1e-3 * noise * rng.normal()))

    return measure


def measure(setting: Setting) -> Findings:
    """Descend to P1 from all starts by the measured distance; report the true error."""
    target = np.array(TABLE_3["P1"][0]) * CM
    low, high = (x[independent()] for x in arm().muscles.ranges)
    values: dict[str, float] = {}
    for noise in NOISE:
        errors = []
        settings = NOISY if noise else QUIET
        for k, lengths in enumerate(starts(setting.size(STARTS, QUICK_STARTS))):
            sensor = camera(target, noise, np.random.default_rng(k))
            run = follow_distance(sensor, lengths, low, high, settings)
            tip = arm().forward(arm().muscles.posture_from_lengths(run.lengths).q[0])[:3, 3]
            errors.append(np.linalg.norm(tip - target) / CM)
        values[f"noise {noise:g}"] = float(np.median(errors))
    return Findings(values)


EXPERIMENT = Experiment(
    name="camera",
    claims=tuple(
        Claim(f"noise {noise:g}", f"P1 by a measured distance, noise of {noise:g} mm: median true error", "cm", None,
              at_most(1e-3) if noise == 0 else at_most(1.0))
        for noise in NOISE
    ),
    measure=measure,
    notes=("the paper proposes this and does not test it.",),
)  # fmt: skip
