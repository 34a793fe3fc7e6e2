"""Singular poses: "the system ... is not affected by the problems of singularities" (sections 1 and 5).

The Jacobian is singular where the arm is straight or folded. In the inverse problem the network runs to such postures and from
them. A straight arm is not a fixed point of the network for other values of R: R is clamped, so the laws of cosines disagree in
the first cycle. The guards keep every number finite.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, exactly
from limbik.papers.cruse_steinkuehler.arm import (
    COMFORTABLE,
    INVERSE,
    clamped,
    cycles_to_reach,
    errors,
    network,
)
from limbik.papers.paper import Experiment, Findings, Setting

CYCLES = 2000
# Singular targets: name, R. Singular starts: (alpha, beta, gamma), each run to R = 2 and to R = 0.5.
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


def measure(setting: Setting) -> Findings:
    """Run the network to the singular targets, and from the singular starts."""
    values: dict[str, float] = {}
    broken = 0
    for name, R in EDGES.items():
        error = _errors(COMFORTABLE, R)
        values[f"to {name}"] = cycles_to_reach(error)
        values[f"to {name}, fine"] = float(error[-1])
        broken += not np.isfinite(error).all()
    for name, start in STRAIGHT.items():
        for R in WORK:
            error = _errors(np.array(start), R)
            values[f"from {name} to {R}"] = cycles_to_reach(error)
            broken += not np.isfinite(error).all()
    values["broken"] = float(broken)
    return Findings(values)


def _errors(start: Array, R: float) -> Array:
    net = network()
    known = dict.fromkeys(net.variables, 0.0) | {"R": R, "rho": RHO}
    run = net.run(net.begin(start), clamped(net, INVERSE, known), cycles=CYCLES)
    return errors(net, run.states, INVERSE, R * np.array([math.cos(RHO), math.sin(RHO)]))


EXPERIMENT = Experiment(
    name="singular poses",
    claims=(
        *(Claim(f"to {name}", f"to {name}: cycles to an error below 0.01", "cycles") for name in EDGES),
        *(Claim(f"to {name}, fine", f"to {name}: error after {CYCLES} cycles", "segments") for name in EDGES),
        *(Claim(f"from {name} to {R}", f"from {name} to R = {R:g}: cycles to an error below 0.01", "cycles")
          for name in STRAIGHT for R in WORK),
        Claim("broken", "singular poses: runs with numbers that are not finite", "runs", None, exactly(0)),
    ),
    measure=measure,
    notes=(
        "the paper names the case and prints no value. A missing value means that the error was not below 0.01 within 2000 "
        "cycles",
    ),
)  # fmt: skip
