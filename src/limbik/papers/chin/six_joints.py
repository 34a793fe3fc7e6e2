"""Tables 6.1 to 6.4, C.1 and C.2: the arm with six joints led along a line, residual 4 and 200 a step."""

from functools import partial
from itertools import pairwise

import numpy as np

from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.pictures import draw_counts
from limbik.papers.chin.printed import SIX_JOINTS, TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import (
    BFGS,
    BROYDN,
    BROYDN_BOX,
    FLETCHER,
    FRPRM,
    HAS_PRAXIS,
    LM,
    NEWTON,
    POWELL,
    POWELL_STOPPED,
    PRAXIS,
    PSEUDOINVERSE,
    REACHED,
    STEPS,
    TARGETS,
    Walk,
    walk,
)
from limbik.papers.claim import Bar, Claim, at_least, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Picture, Setting

CONTESTANTS = (
    NEWTON,
    BFGS,
    POWELL,
    FRPRM,
    *((PRAXIS,) if HAS_PRAXIS else ()),
    FLETCHER,
    BROYDN,
    LM,
    BROYDN_BOX,
    PSEUDOINVERSE,
    POWELL_STOPPED,
)
# By evaluations each must need fewer than the next.
ORDER = (LM, NEWTON, BFGS, *((PRAXIS,) if HAS_PRAXIS else ()), POWELL)
MILLISECONDS = 1e3

# Bars of residual 4.
MOST_ITERATIONS: dict[str, Bar] = {"NEWTON": at_most(4), "BFGS": Bar(8, 15), "LM": at_most(4)}
MOST_EVALUATIONS: dict[str, Bar] = {"LM": at_most(6)}
# Plain Broyden may lose its way on long steps: the thesis says FAIL.
MAY_FAIL = {4: (), 200: (BROYDN_BOX.name,)}
# The targets at which the thesis' NEWTON needed 1 + 7 k evaluations (Table C.2); the others had the line search cut a step.
WITHOUT_CUTS = sum(e == 1 + 7 * k for e, k in zip(TABLE_C_2["NEWTON"], TABLE_C_1["NEWTON"], strict=True))


def measure(residual: int, setting: Setting) -> Findings:
    """Lead the arm along the line by every method."""
    arm = appendix_b()
    walks = {c.name: walk(arm, STEPS[residual], c) for c in CONTESTANTS}
    values: dict[str, float] = {}
    for c in CONTESTANTS:
        w = walks[c.name]
        values |= {f"{c.name} evaluations": float(w.evaluations.mean()), f"{c.name} error": float(w.error.max())}
        if c.iterates:
            values[f"{c.name} iterations"] = float(w.iterations.mean())
        if residual == 4:
            values |= {
                f"{c.name} jump": float(w.jump.max()),
                f"{c.name} time": float(np.median(w.seconds)) * MILLISECONDS,
            }
    if residual != 4:
        values["box"] = walks[BROYDN_BOX.name].reached
        return Findings(values)
    values |= _counts(walks)
    return Findings(values, (Picture("counts", partial(draw_counts, walks)),))


def _counts(walks: dict[str, Walk]) -> dict[str, float]:
    newton = walks[NEWTON.name]
    cost = [walks[c.name].evaluations.mean() for c in ORDER]
    return {
        "newton law": float((newton.evaluations == 1 + 7 * newton.iterations).sum()),
        "order": float(sum(a < b for a, b in pairwise(cost))),
        "broydn printed": float(np.mean(TABLE_C_1["BROYDN"])),
    }


def _claims(residual: int) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    where = f"residual {residual}"
    bars = residual == 4
    for c in CONTESTANTS:
        iterations, evaluations = SIX_JOINTS[residual].get(c.name, (None, None))
        if c.iterates:
            bar = MOST_ITERATIONS.get(c.name) if bars else None
            claims.append(
                Claim(f"{c.name} iterations", f"{where}, {c.name}: mean iterations", "iterations", iterations, bar)
            )
        bar = MOST_EVALUATIONS.get(c.name) if bars else None
        claims.append(
            Claim(f"{c.name} evaluations", f"{where}, {c.name}: mean evaluations", "evaluations", evaluations, bar)
        )
        reach = None if c.name in MAY_FAIL[residual] else at_most(REACHED)
        claims.append(Claim(f"{c.name} error", f"{where}, {c.name}: largest pose error", "units, rad", None, reach))
        if bars:
            claims.append(Claim(f"{c.name} jump", f"{where}, {c.name}: largest turn of a joint", "deg"))
            claims.append(Claim(f"{c.name} time", f"{where}, {c.name}: time of a solve, median", "ms"))
    return tuple(claims)


_ORDER = " < ".join(c.name for c in ORDER)

RESIDUAL_4 = Experiment(
    name="trajectory, residual 4",
    claims=(
        *_claims(4),
        Claim("newton law", "residual 4, NEWTON: targets with 1 + 7 k evaluations", f"of {TARGETS}", WITHOUT_CUTS,
              at_least(WITHOUT_CUTS)),
        Claim("order", f"residual 4: evaluations in the order {_ORDER}", "signs", None, exactly(len(ORDER) - 1)),
        Claim("broydn printed", "BROYDN's mean iterations in Table 6.1, and of its column in Table C.1", "iterations",
              SIX_JOINTS[4]["BROYDN"][0]),
    ),
    measure=partial(measure, 4),
)  # fmt: skip

RESIDUAL_200 = Experiment(
    name="trajectory, residual 200",
    claims=(
        *_claims(200),
        Claim("box", "residual 200, BROYDN without line search: targets reached (the thesis: FAIL)", f"of {TARGETS}"),
    ),
    measure=partial(measure, 200),
)

EXPERIMENTS: tuple[Experiment, ...] = (RESIDUAL_4, RESIDUAL_200)
