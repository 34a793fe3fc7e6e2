"""Tables 6.5 to 6.8: the chain with eight joints (appendix D) and the one with three (appendix E), residual 4 a step.

Starts, steps and stopping criteria are not printed. Here all joints start at 0.5 degrees, and the step has residual 4. With eight
joints the methods minimise the twelve residuals of (5.26), with three joints those of (5.22). The planar arm points along y at
first, so its step points inwards.

The thesis ran its best three minimisers. Here the others run too. NEWTON and BROYDN solve systems that are not square by least
squares.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import cast

from limbik.papers.chin import costs, methods
from limbik.papers.chin.arm import UNIT
from limbik.papers.chin.graphs import draw_angles
from limbik.papers.chin.printed import OTHER_CHAINS
from limbik.papers.chin.trajectory import REACHED, LineRun, nearest_turns, run_along
from limbik.papers.claim import Claim, at_most
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load


@dataclass(frozen=True)
class Other:
    """A chain of the catalogue: the thesis' unit [m], the step [units], the objective, the tables of the thesis."""

    name: str
    unit: float
    step: tuple[float, float, float]
    objective: str
    tables: str


# The chains by their number of joints.
CHAINS = {
    8: Other("human_arm_8", UNIT, (sqrt(2), sqrt(2), 0.0), "5.26", "Tables 6.5 and 6.6"),
    3: Other("planar3_chin", 1.0, (sqrt(2), -sqrt(2), 0.0), "5.22", "Tables 6.7 and 6.8"),
}
PRINTED = (methods.BFGS, methods.FLETCHER, methods.FRPRM)
MORE = (
    methods.NEWTON, methods.BROYDN, methods.POWELL_STOPPED, *methods.PRAXIS, methods.BROYDN_BOX, methods.PSEUDOINVERSE,
)  # fmt: skip


def contestants(joints: int) -> tuple[methods.Contestant, ...]:
    """Return the methods, with the objective of the chain."""
    return (*(replace(c, objective=CHAINS[joints].objective) for c in (*PRINTED, *MORE)), methods.LM)


def measure(setting: Setting) -> Findings:
    """Run every method along the line of each chain."""
    values: dict[str, float] = {}
    pictures = []
    for joints, chain in CHAINS.items():
        arm = cast(Chain, load(chain.name))
        runs: dict[str, LineRun] = {}
        for c in contestants(joints):
            runs[c.name] = run_along(arm, chain.step, c, chain.unit)
            values |= costs.values(c, runs[c.name], f"{joints} ")
        if arm.branch_names:
            values[f"{joints} nearest"] = float(nearest_turns(arm, chain.step, chain.unit).max())
        shown = {c.name: runs[c.name] for c in PRINTED}
        title = f"{joints} joints: joint angles, residual 4"
        pictures.append(Picture(f"angles_{joints}_joints", partial(draw_angles, title, shown)))
    return Findings(values, tuple(pictures))


def _claims(joints: int) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for c in contestants(joints):
        iterations, evaluations = OTHER_CHAINS[joints].get(c.name, (None, None))
        bars = {"error": None if c.name == methods.BROYDN_BOX.name else at_most(REACHED)}
        table = f"{CHAINS[joints].tables}: {joints} joints, residual 4, paper / ours (must be)"
        claims += costs.claims(c, f"{joints} joints", table, (iterations, evaluations), bars, f"{joints} ")
    return tuple(claims)


EXPERIMENT = Experiment(
    name="8 and 3 joints",
    claims=(
        *(claim for joints in CHAINS for claim in _claims(joints)),
        Claim("3 nearest", "3 joints, nearest posture by closed form: largest joint rotation", "deg"),
    ),
    measure=measure,
    notes=(
        "starts, steps and stopping criteria of these tables are not printed, so only the order of the methods can be compared.",
        "Table 6.6 has 44.5 evaluations for FRPRM's 44.7 iterations, which is impossible; in Tables 6.7 and 6.8 the rows "
        "of FRPRM and FLETCHER seem to be swapped.",
        "NEWTON and BROYDN need a square Jacobian in the thesis; here least squares solves any system. The thesis omitted POWELL "
        "and PRAXIS because of their cost.",
    ),
)
