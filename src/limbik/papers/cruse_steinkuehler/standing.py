"""The standing body: ankle, knee and hip, with the centre of gravity as the tip.

"The system can be used to control body height (y) and body displacement (x). Thus, equilibrium control and control of leg
movement are not separate" (section 5). x and y are inputs of the network, alone or together. The body moves down and up over its
feet, and from side to side. Every state is within reach, so all must be completed; the network is also judged alone, without
limbik's refinement.
"""

from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.mmc import Mmc

# The heights of a squat and the displacements of a sway [segments].
HEIGHTS = np.concatenate([np.linspace(2.7, 1.4, 14), np.linspace(1.5, 2.7, 13)])
SWAYS = np.linspace(-0.5, 0.5, 11)
STANDING = np.array([1.75, -0.5, 0.5])  # the start: a slight crouch, knees forward [rad]
PERCENT = 100.0


def body() -> Mmc:
    """Return the network of a body with three equal segments."""
    arm = load("planar3_cruse")
    assert isinstance(arm, Chain)
    return Mmc(arm, branch="nearest")


def measure(setting: Setting) -> Findings:
    """Move the centre of gravity through each task, completing every state from the one before."""
    network = body()
    values: dict[str, float] = {}
    tasks: dict[str, list[dict[str, Any]]] = {
        "squat": [{"x": 0.0, "y": float(y)} for y in HEIGHTS],
        "sway": [{"x": float(x), "y": 2.2} for x in SWAYS],
        "height alone": [{"y": float(y)} for y in HEIGHTS],
        "over the feet": [{"x": Range(-0.1, 0.1), "y": float(y)} for y in HEIGHTS],
    }
    for name, inputs in tasks.items():
        state = network.complete(inputs[0], STANDING)
        solved, alone, worst, largest = 0, 0, 0.0, 0.0
        for given in inputs:
            completed = network.complete(given, state)
            solved += completed.ok
            alone += completed.reached >= 0
            worst = max(worst, _missed(network, given, completed.q))
            largest = max(largest, float(np.degrees(np.abs(completed.q - state.q).max())))
            state = completed
        values |= {
            f"{name}: met": PERCENT * solved / len(inputs),
            f"{name}: alone": PERCENT * alone / len(inputs),
            f"{name}: error": worst,
            f"{name}: step": largest,
        }
    return Findings(values)


def _missed(network: Mmc, given: dict[str, Any], q: Array) -> float:
    """Return the largest error of inputs by the arm's forward kinematics [segments]."""
    found = dict(zip("xy", network.arm.forward(q)[:2, 3].tolist(), strict=True))
    ends = {name: (w.low, w.high) if isinstance(w, Range) else (w, w) for name, w in given.items()}
    return float(max(max(low - found[name], found[name] - high, 0.0) for name, (low, high) in ends.items()))


TASKS = ("squat", "sway", "height alone", "over the feet")
EXPERIMENT = Experiment(
    name="standing body",
    claims=tuple(
        Claim(f"{name}: {key}", f"standing body, {name}: {what}", unit, None, bar)
        for name in TASKS
        for key, what, unit, bar in (
            ("met", "states completed", "%", exactly(PERCENT)),
            ("alone", "states in which the network alone comes within 0.01", "%", None),
            ("error", "largest error of an input, by forward kinematics", "segments", at_most(1e-7)),
            ("step", "largest change of a joint from state to state", "deg", None),
        )
    ),
    measure=measure,
)
