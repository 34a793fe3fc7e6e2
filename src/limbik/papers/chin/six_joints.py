"""Tables 6.1 to 6.4, C.1 and C.2: the arm with six joints led along a line, residual 4 and 200 a step."""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise

import numpy as np

from limbik.papers.chin import by_target, costs
from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.graphs import draw_angles, draw_counts, draw_path
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
    nearest_turns,
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

# Bars of residual 4.
ITERATIONS: dict[str, Bar] = {"NEWTON": at_most(4), "BFGS": Bar(8, 15), "LM": at_most(4)}
EVALUATIONS: dict[str, Bar] = {"LM": at_most(6)}
# Plain Broyden may lose its way on long steps: the thesis says FAIL.
MAY_FAIL = {4: (), 200: (BROYDN_BOX.name,)}
# The targets at which the thesis' NEWTON needed 1 + 7 k evaluations (Table C.2); the others had the line search cut a step.
WITHOUT_CUTS = sum(e == 1 + 7 * k for e, k in zip(TABLE_C_2["NEWTON"], TABLE_C_1["NEWTON"], strict=True))
# The pictures of joint angles: what each is called, and its panels.
ANGLES = {
    "figure_6_1": ("Figure 6.1", {"(a) BFGS": BFGS, "(b) NEWTON": NEWTON}),
    "appendix_f": (
        "Appendix F",
        {"F.1 BROYDN": BROYDN, "F.2 FRPRM": FRPRM, "F.3 POWELL": POWELL, "F.4 FLETCHER": FLETCHER}
        | ({"F.5 PRAXIS": PRAXIS} if HAS_PRAXIS else {}),
    ),
}
# The graph of the hand's path at each residual (appendix G).
PATHS = {4: ("figure_g_2", "Figure G.2", FLETCHER), 200: ("figure_g_1", "Figure G.1", FRPRM)}
TABLES = {4: "Tables 6.1 and 6.2", 200: "Tables 6.3 and 6.4"}


def measure(residual: int, setting: Setting) -> Findings:
    """Lead the arm along the line by every method."""
    arm = appendix_b()
    walks = {c.name: walk(arm, STEPS[residual], c) for c in CONTESTANTS}
    values: dict[str, float] = {}
    for c in CONTESTANTS:
        values |= costs.values(c, walks[c.name])
    values["nearest"] = float(nearest_turns(arm, STEPS[residual]).max())
    if residual == 4:
        values |= _counts(walks) | by_target.values(walks)
    return Findings(values, _pictures(residual, walks))


def _counts(walks: Mapping[str, Walk]) -> dict[str, float]:
    newton = walks[NEWTON.name]
    cost = [walks[c.name].evaluations.mean() for c in ORDER]
    return {
        "newton law": float((newton.evaluations == 1 + 7 * newton.iterations).sum()),
        "order": float(sum(a < b for a, b in pairwise(cost))),
        "broydn printed": float(np.mean(TABLE_C_1["BROYDN"])),
        "later": float(max(walks[c.name].jump[1:].max() for c in CONTESTANTS)),
    }


def _pictures(residual: int, walks: Mapping[str, Walk]) -> tuple[Picture, ...]:
    name, title, c = PATHS[residual]
    path = Picture(name, partial(draw_path, f"{title}: {c.name}, residual {residual}", walks[c.name]))
    if residual != 4:
        return (path,)
    angles = []
    for name, (title, panels) in ANGLES.items():
        shown = {panel: walks[c.name] for panel, c in panels.items()}
        angles.append(Picture(name, partial(draw_angles, f"{title}: joint angles, residual 4", shown)))
    return (Picture("counts", partial(draw_counts, walks)), *angles, path)


def _claims(residual: int) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    where = f"residual {residual}"
    for c in CONTESTANTS:
        bars = {"error": None if c.name in MAY_FAIL[residual] else at_most(REACHED)}
        if residual == 4:
            bars |= {"iterations": ITERATIONS.get(c.name), "evaluations": EVALUATIONS.get(c.name)}
        printed = SIX_JOINTS[residual].get(c.name, (None, None))
        claims += costs.claims(
            c, where, f"{TABLES[residual]}: 6 joints, {where}, paper / ours (must be)", printed, bars
        )
    claims.append(Claim("nearest", f"{where}, closed form's nearest posture: largest turn of a joint", "deg"))
    return tuple(claims)


_ORDER = " < ".join(c.name for c in ORDER)

RESIDUAL_4 = Experiment(
    name="trajectory, residual 4",
    claims=(
        *_claims(4),
        *by_target.claims(tuple(c.name for c in CONTESTANTS)),
        Claim("newton law", "residual 4, NEWTON: targets with 1 + 7 k evaluations", f"of {TARGETS}", WITHOUT_CUTS,
              at_least(WITHOUT_CUTS)),
        Claim("order", f"residual 4: evaluations in the order {_ORDER}", "signs", None, exactly(len(ORDER) - 1)),
        Claim("later", "residual 4: largest turn of a joint after the first target, any method", "deg"),
        Claim("broydn printed", "BROYDN's mean iterations in Table 6.1, and of its column in Table C.1", "iterations",
              SIX_JOINTS[4]["BROYDN"][0]),
    ),
    measure=partial(measure, 4),
    notes=(
        "the thesis does not say where its methods end. Here they do at a sum of squares of 1e-8, POWELL by the rule that it is "
        "published with: with a least value of 0 that lets it go on until rounding, long after the answer.",
        "FLETCHER's 100 evaluations at every target are a bound that the thesis' routine ran into; ours converges sooner.",
        "BROYDN starts from a differenced Jacobian here, and is the second best, not the last. No reading of the text gives its "
        "66 evaluations; Table 6.1 prints 18.5 iterations, its column in Table C.1 has a mean of 16.7.",
        "FRPRM has Polak and Ribiere's beta; with the one in the thesis' box it reaches no target.",
        "NLopt, which has PRAXIS, does not tell its iterations. LM is not in the thesis: it has exact derivatives, which are not "
        "counted as evaluations; the others have differences, which are.",
    ),
)  # fmt: skip

RESIDUAL_200 = Experiment(
    name="trajectory, residual 200",
    claims=_claims(200),
    measure=partial(measure, 200),
    notes=(
        "NEWTON needs hardly more here than at residual 4: its line search is seldom needed on this line. No reading of the "
        "text gives 12.1.",
        "BROYDN is a FAIL in the thesis. Without a line search, as its box has it, it loses its way here too; with one it "
        "reaches all.",
        "FRPRM is said not to converge exactly (Figure G.1); given its iterations, it does.",
    ),
)

EXPERIMENTS: tuple[Experiment, ...] = (RESIDUAL_4, RESIDUAL_200)
