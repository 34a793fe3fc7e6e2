"""Tables 6.5 to 6.8: the chain with eight joints (appendix D) and the one with three (appendix E), residual 4 a step.

Starts, steps and how the methods end are not printed: 0.5 degrees in all joints, and the length of the step with residual 4.
Eight joints lower the twelve residuals of (5.26), three those of (5.22). The planar arm points along y at first, so its step
leads inwards.

The thesis ran its best three minimisers. The others are run too: what is not square for NEWTON and BROYDN, they meet by
least squares.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import cast

from limbik.papers.chin import costs
from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.graphs import draw_angles
from limbik.papers.chin.printed import OTHER_CHAINS, PSEUDOINVERSE_ITERATIONS
from limbik.papers.chin.trajectory import (
    BFGS,
    BROYDN,
    BROYDN_BOX,
    FLETCHER,
    FRPRM,
    HAS_PRAXIS,
    LM,
    NEWTON,
    POWELL_STOPPED,
    PRAXIS,
    PSEUDOINVERSE,
    Contestant,
    Walk,
    nearest_turns,
    walk,
)
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load


@dataclass(frozen=True)
class Other:
    """A chain of the catalogue: metres in one of the thesis' units, the step [units], the objective, where it is printed."""

    name: str
    unit: float
    step: tuple[float, float, float]
    objective: str
    tables: str


# By joints.
CHAINS = {
    8: Other("human_arm_8", UNIT, (sqrt(2), sqrt(2), 0.0), "5.26", "Tables 6.5 and 6.6"),
    3: Other("planar3_chin", 1.0, (sqrt(2), -sqrt(2), 0.0), "5.22", "Tables 6.7 and 6.8"),
}
PRINTED = (BFGS, FLETCHER, FRPRM)
MORE = (NEWTON, BROYDN, POWELL_STOPPED, *((PRAXIS,) if HAS_PRAXIS else ()), BROYDN_BOX, PSEUDOINVERSE)
# Where the thesis had "at least 200" a step must do with these.
FEW = 20.0


def contestants(joints: int) -> tuple[Contestant, ...]:
    """Return the methods, set to lower the chain's objective."""
    return (*(replace(c, objective=CHAINS[joints].objective) for c in (*PRINTED, *MORE)), LM)


def measure(setting: Setting) -> Findings:
    """Lead both chains along their lines."""
    values: dict[str, float] = {}
    pictures = []
    for joints, chain in CHAINS.items():
        arm = cast(Chain, load(chain.name))
        walks: dict[str, Walk] = {}
        for c in contestants(joints):
            walks[c.name] = walk(arm, chain.step, c, chain.unit)
            values |= costs.values(c, walks[c.name], f"{joints} ")
        if arm.branch_names:
            values[f"{joints} nearest"] = float(nearest_turns(arm, chain.step, chain.unit).max())
        shown = {c.name: walks[c.name] for c in PRINTED}
        title = f"{joints} joints: joint angles, residual 4"
        pictures.append(Picture(f"angles_{joints}_joints", partial(draw_angles, title, shown)))
    return Findings(values, tuple(pictures))


def _claims(joints: int) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for c in contestants(joints):
        iterations, evaluations = OTHER_CHAINS[joints].get(c.name, (None, None))
        bars = {}
        if joints == 3 and c.method == PSEUDOINVERSE.method:
            iterations, bars = PSEUDOINVERSE_ITERATIONS, {"iterations": at_most(FEW)}
        table = f"{CHAINS[joints].tables}: {joints} joints, residual 4, paper / ours (must be)"
        claims += costs.claims(c, f"{joints} joints", table, (iterations, evaluations), bars, f"{joints} ")
    return tuple(claims)


EXPERIMENT = Experiment(
    name="8 and 3 joints",
    claims=(
        *(claim for joints in CHAINS for claim in _claims(joints)),
        Claim("3 nearest", "3 joints, closed form's nearest posture: largest turn of a joint", "deg"),
    ),
    measure=measure,
    notes=(
        "starts, steps and stops of these tables are not printed, so that not their counts but only their order can be compared.",
        "Table 6.6 has 44.5 evaluations for FRPRM's 44.7 iterations, which cannot be; in Tables 6.7 and 6.8 the rows of FRPRM "
        "and FLETCHER seem swapped.",
        "NEWTON and BROYDN need a square Jacobian in the thesis; here least squares meets any. The thesis left POWELL and PRAXIS "
        "out for their cost.",
        "Newton's method by the pseudoinverse is run with the box's q_k = q_(k+1) + ... turned round; no reading of the text "
        "gives 200 iterations.",
    ),
)
