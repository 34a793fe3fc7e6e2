"""Tables 6.5 to 6.8: the chain with eight joints (appendix D) and the one with three (appendix E), residual 4 a step.

Starts, steps and how the methods end are not printed: 0.5 degrees in all joints, and the length of the step with residual 4.
Eight joints lower the twelve residuals of (5.26), three those of (5.22). The planar arm points along y at first, so its step
leads inwards.
"""

from dataclasses import replace
from math import sqrt

import numpy as np

from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.printed import OTHER_CHAINS, PSEUDOINVERSE_ITERATIONS
from limbik.papers.chin.trajectory import BFGS, FLETCHER, FRPRM, LM, PSEUDOINVERSE, TARGETS, Contestant, walk
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.load import load

# By joints: the catalogue's chain, metres in a unit, the step [units], the objective.
CHAINS = {
    8: ("human_arm_8", UNIT, (sqrt(2), sqrt(2), 0.0), "5.26"),
    3: ("planar3_chin", 1.0, (sqrt(2), -sqrt(2), 0.0), "5.22"),
}
# Where the thesis had "at least 200" a step must do with these.
FEW = 20.0


def _contestants(joints: int) -> tuple[Contestant, ...]:
    objective = CHAINS[joints][3]
    theirs = tuple(replace(c, objective=objective) for c in (BFGS, FLETCHER, FRPRM))
    return (*theirs, LM, replace(PSEUDOINVERSE, objective=objective)) if joints == 3 else (*theirs, LM)


def measure(setting: Setting) -> Findings:
    """Lead both chains along their lines."""
    values: dict[str, float] = {}
    for joints, (name, unit, step, _) in CHAINS.items():
        arm = load(name)
        for c in _contestants(joints):
            w = walk(arm, step, c, unit)  # type: ignore[arg-type]
            values |= {
                f"{joints} {c.name} iterations": float(w.iterations.mean()),
                f"{joints} {c.name} evaluations": float(w.evaluations.mean()),
                f"{joints} {c.name} reached": w.reached,
                f"{joints} {c.name} jump": float(np.max(w.jump)),
            }
    return Findings(values)


def _claims(joints: int) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for c in _contestants(joints):
        iterations, evaluations = OTHER_CHAINS[joints].get(c.name, (None, None))
        bar = None
        if c.method == PSEUDOINVERSE.method:
            iterations, bar = PSEUDOINVERSE_ITERATIONS, at_most(FEW)
        where = f"{joints} joints, {c.name}"
        key = f"{joints} {c.name}"
        claims += [
            Claim(f"{key} iterations", f"{where}: mean iterations", "iterations", iterations, bar),
            Claim(f"{key} evaluations", f"{where}: mean evaluations", "evaluations", evaluations),
            Claim(f"{key} reached", f"{where}: targets reached", f"of {TARGETS}"),
            Claim(f"{key} jump", f"{where}: largest turn of a joint", "deg"),
        ]
    return tuple(claims)


EXPERIMENT = Experiment(
    name="8 and 3 joints", claims=tuple(claim for joints in CHAINS for claim in _claims(joints)), measure=measure
)
