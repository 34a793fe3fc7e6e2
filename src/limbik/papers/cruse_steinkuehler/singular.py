"""Singular poses: "the system ... is not affected by the problems of singularities" (sections 1 and 5).

Where a matrix would have to be inverted, the arm is straight: at the edge of its reach, or folded. The network is sent there,
and starts from there, in the inverse problem. A straight arm at rest is a fixed point of the network whatever R it is asked
for? No: R is clamped, the laws of cosines disagree at once, and the guards keep every number finite.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, exactly
from limbik.papers.cruse_steinkuehler.arm import COMFORTABLE, INVERSE, PROBLEMS, clamped, errors, network
from limbik.papers.paper import Experiment, Findings, Setting

CYCLES = 2000
# Places to be sent to: name, R. Places to start from: (alpha, beta, gamma), sent to R = 2 and back to 0.5.
EDGES = {
    "fully stretched, R = 3": 3.0,
    "nearly, R = 2.999": 2.999,
    "folded to R = 1": 1.0,
    "the tip at the shoulder, R = 0": 0.0,
}
STRAIGHT = {
    "a straight arm": (0.7, math.pi, math.pi),
    "a folded arm": (0.7, 0.0, 0.0),
    "elbow folded": (0.7, 0.0, math.pi),
}
WORK = (2.0, 0.5)
RHO = 1.1
# Errors are reported for a network that has run so long.
BARS = (0.01, 1e-6)


def measure(setting: Setting) -> Findings:
    """Send the network to the edges and away from them."""
    values: dict[str, float] = {}
    broken = 0
    for name, R in EDGES.items():
        course = _course(COMFORTABLE, R)
        values[f"to {name}"] = _first(course, BARS[0])
        values[f"to {name}, fine"] = float(course[-1])
        broken += not np.isfinite(course).all()
    for name, start in STRAIGHT.items():
        for R in WORK:
            course = _course(np.array(start), R)
            values[f"from {name} to {R}"] = _first(course, BARS[0])
            broken += not np.isfinite(course).all()
    values["broken"] = float(broken)
    return Findings(values)


def _course(start: Array, R: float) -> Array:
    net = network()
    known = dict.fromkeys(net.variables, 0.0) | {"R": R, "rho": RHO}
    run = net.run(net.begin(start), clamped(net, PROBLEMS[INVERSE], known), cycles=CYCLES)
    return errors(net, run.states, INVERSE, R * np.array([math.cos(RHO), math.sin(RHO)]))


def _first(error: Array, bar: float) -> float:
    """Return the cycle from which on an error is below a bar, infinite for never."""
    large = np.flatnonzero(error >= bar)
    return float(large[-1] + 1) if len(large) and large[-1] + 1 < len(error) else 0.0 if not len(large) else math.inf


EXPERIMENT = Experiment(
    name="singular poses",
    claims=(
        *(Claim(f"to {name}", f"sent to {name}: cycles to an error below 0.01", "cycles") for name in EDGES),
        *(Claim(f"to {name}, fine", f"sent to {name}: error after {CYCLES} cycles", "segments") for name in EDGES),
        *(Claim(f"from {name} to {R}", f"started from {name}, sent to R = {R:g}: cycles to an error below 0.01", "cycles")
          for name in STRAIGHT for R in WORK),
        Claim("broken", "singular poses: runs with a number that is not finite", "runs", None, exactly(0)),
    ),
    measure=measure,
    notes=(
        "no figure of the paper: it names the case. Where ours is missing, the error was not below 0.01 within 2000 cycles: the "
        "guards hold the network in a state that is no posture",
    ),
)  # fmt: skip
