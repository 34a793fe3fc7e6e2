"""The outlook (section 7): the descent by a distance that a camera measures instead of direct kinematics."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.fast_gradient import FastGradient, follow_distance
from limbik.papers.claim import Cell, Claim, at_most
from limbik.papers.gini.arm import CM, RANDOM, arm, distance_to, independent, starts, targets
from limbik.papers.gini.printed import WANTED
from limbik.papers.paper import Experiment, Findings, Setting

STARTS, QUICK_STARTS = 100, 20
PLACES = ("P1", RANDOM)
# Standard deviations of the sensor's noise [mm], and numbers of sweeps.
NOISE = (0.0, 0.1, 1.0)
SWEEPS = (100, 200)
MILLI = 1e-3
# Statistics of the true error [cm].
QUANTILES = {"median": 0.5, "95 %": 0.95}


def camera(target: Array, noise: float, rng: np.random.Generator) -> Callable[[Array], float]:
    """Return a simulated camera: a function from muscle lengths to the distance of the wrist from a target [m]; noise in mm."""
    distance = distance_to(target)
    return lambda lengths: float(abs(distance(lengths) + MILLI * noise * rng.normal()))


def true_errors(place: str, noise: float, sweeps: int, count: int, **changes: Any) -> Array:
    """Return the true errors of descents by the camera, (count,) [cm]. changes: of `FastGradient.for_sensor`."""
    low, high = (x[independent()] for x in arm().muscles.ranges)
    settings = FastGradient.for_sensor(noise * MILLI, **{"sweeps": sweeps, "goal": 0.0, **changes})
    errors = []
    for k, (target, lengths) in enumerate(zip(targets(place)[:count], starts()[:count], strict=True)):
        sensor = camera(target, noise, np.random.default_rng(k))
        run = follow_distance(sensor, lengths, low, high, settings)
        errors.append(distance_to(target)(run.lengths) / CM)
    return np.array(errors)


def measure(setting: Setting) -> Findings:
    """Descend to P1 and to random reachable targets by the measured distance; report the true error."""
    values: dict[str, float] = {}
    for place, noise, sweeps in product(PLACES, NOISE, SWEEPS):
        errors = true_errors(place, noise, sweeps, setting.size(STARTS, QUICK_STARTS))
        for name, part in QUANTILES.items():
            values[f"{place} {noise:g} {sweeps} {name}"] = float(np.quantile(errors, part))
        values[f"{place} {noise:g} {sweeps} within"] = 100.0 * float((errors <= WANTED).mean())
    return Findings(values)


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    title = "descent by a measured distance: true error"
    for place, noise, sweeps in product(PLACES, NOISE, SWEEPS):
        line = f"{place}, noise {noise:g} mm, {sweeps} sweeps"
        for name in QUANTILES:
            # The paper's wanted precision, at its own point.
            bar = at_most(WANTED) if place == "P1" and name == "median" else None
            claims.append(Claim(f"{place} {noise:g} {sweeps} {name}", f"{line}: {name} of the true error", "cm", None, bar,
                                Cell(title, line, f"{name} [cm]")))  # fmt: skip
        claims.append(Claim(f"{place} {noise:g} {sweeps} within", f"{line}: starts within 1 cm", "%", None, None,
                            Cell(title, line, "within 1 cm [%]")))  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="camera",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper proposes this and does not test it. The descent has the settings of `FastGradient.for_sensor`: probes and "
        "steps larger than the noise, and reheating down to the noise instead of 1 cm.",
        "from many starts the descent ends in a local minimum of a random target, with any sensor: see 'annealing'.",
    ),
)
