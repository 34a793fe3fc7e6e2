"""Circles of 12 cm (section 5, Figures 8, 9, 11, 12): four laps round three printed centres, and one in another plane."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from limbik.papers.claim import Bar, Claim, at_least, at_most
from limbik.papers.gini import pictures
from limbik.papers.gini.arm import LAP, circle
from limbik.papers.gini.printed import CENTRES, EASY, LAPS, LEAST, STEPS, WANTED
from limbik.papers.gini.tracking import Tracked, by_default, by_descent, by_gauss_newton
from limbik.papers.paper import Experiment, Findings, Picture, Setting

# The centre of the fourth circle, which is parallel to the x-y plane [cm].
OTHER = (-5.0, 40.0, -30.0)
# The bars on the mean error of the descent [cm] by its steps, for the second and third circle.
DESCENT: dict[int, Bar] = {7: at_most(0.2), 11: at_most(0.1)}
# The bars on the largest error of Gauss-Newton [cm] by its steps.
NEWTON: dict[int, Bar] = {2: at_most(1e-2), 3: at_most(1e-5)}
# The centring gain of the run whose lengths are drawn; with it the lengths are periodic over laps.
CENTRING = 0.05
NAMES = (*(f"({x:g}, {y:g}, {z:g})" for x, y, z in CENTRES), f"({OTHER[0]:g}, {OTHER[1]:g}, {OTHER[2]:g}) flat")


def points(name: str, laps: int) -> np.ndarray:
    """Return the points of a circle by its name [m]."""
    k = NAMES.index(name)
    once = circle(CENTRES[k]) if k < len(CENTRES) else circle(OTHER, plane=(0, 1))
    return np.tile(once, (laps, 1))


def measure(setting: Setting) -> Findings:
    """Follow each circle by the descent, by Gauss-Newton and in closed form."""
    laps = setting.size(LAPS, 2)
    values: dict[str, float] = {}
    descents: dict[str, dict[int, Tracked]] = {}
    closed: dict[str, Tracked] = {}
    centred: dict[str, Tracked] = {}
    for name in NAMES:
        path = points(name, laps)
        closed[name] = by_default(path)
        centred[name] = by_gauss_newton(path, 3, CENTRING)
        values[f"{name} closed"] = closed[name].worst if closed[name].inside else np.inf
        descents[name] = {steps: by_descent(path, steps) for steps in STEPS}
        for steps, run in descents[name].items():
            values[f"{name} {steps}"] = run.mean
        ordered = [descents[name][s].mean for s in STEPS]
        values[f"{name} falls"] = float(ordered[0] > ordered[1] > ordered[2])
        for steps in (1, *NEWTON):
            run = by_gauss_newton(path, steps)
            values[f"{name} newton {steps}"] = run.worst if run.inside else np.inf
    first = descents[NAMES[1]]
    values["lap 11"] = first[11].seconds * LAP
    values["lap closed"] = closed[NAMES[1]].seconds * LAP
    values["points 3 s"] = LEAST / first[11].seconds

    def lengths(name: str) -> Callable[[Path], None]:
        return lambda file: pictures.length_curves(file, name, centred[name])

    def draw_11(file: Path) -> None:
        pictures.circles_by_steps(
            file, {name: descents[name] for name in NAMES[1:3]}, {name: points(name, 1) for name in NAMES[1:3]}
        )

    def draw_12(file: Path) -> None:
        pictures.arm_on_circle(file, closed[NAMES[1]], points(NAMES[1], 1))

    return Findings(values, (
        Picture("figure_8_lengths", lengths(NAMES[0])), Picture("figure_9_lengths", lengths(NAMES[2])),
        Picture("figure_11_steps", draw_11), Picture("figure_12_arm", draw_12),
    ))  # fmt: skip


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for k, name in enumerate(NAMES):
        where = f"circle {name}"
        gated = k in (1, 2)
        claims.append(
            Claim(
                f"{name} closed",
                f"{where}: closed form with the best swivel, all muscles in range: largest error",
                "cm",
                None,
                at_most(1e-7),
            )
        )
        for steps in STEPS:
            paper = WANTED if steps == 7 else None
            claims.append(Claim(f"{name} {steps}", f"{where}: descent with {steps} steps, mean error", "cm", paper,
                                DESCENT.get(steps) if gated else None))  # fmt: skip
        claims.append(
            Claim(
                f"{name} falls",
                f"{where}: the error decreases from 3 to 7 to 11 steps (1: yes)",
                "",
                None,
                at_least(1) if gated else None,
            )
        )
        for steps in (1, *NEWTON):
            claims.append(
                Claim(
                    f"{name} newton {steps}",
                    f"{where}: Gauss-Newton with {steps} steps, largest error",
                    "cm",
                    None,
                    NEWTON.get(steps),
                )
            )
    claims += [
        Claim("lap 11", f"time to compute a lap of {LAP} points, descent with 11 steps", "s", LEAST, at_most(LEAST)),
        Claim("lap closed", f"time to compute a lap of {LAP} points in closed form", "s", EASY, at_most(LEAST)),
        Claim(
            "points 3 s",
            "points that the descent with 11 steps computes in 3 s, the shortest time of a circle in the paper",
            "points",
        ),
    ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="circles",
    claims=_claims(),
    measure=measure,
    notes=(
        "the start is the posture at the first point with the best centred muscle lengths. From other postures the descent has "
        "larger or smaller errors; from some it drifts into the plane that pectoralis and deltoid cannot cross.",
        "7 steps keep the desired centimetre, as in the paper; Gauss-Newton needs 1 step.",
        "the fourth circle is ours: the paper changes the plane but does not say to which one.",
    ),
)
