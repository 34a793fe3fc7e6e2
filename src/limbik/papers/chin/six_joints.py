"""Tables 6.1 to 6.4, C.1 and C.2: the arm with six joints follows a line in steps with residual 4 and with residual 200."""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise

import numpy as np

from limbik.papers.chin import by_target, costs, methods
from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.graphs import draw_angles, draw_counts, draw_path
from limbik.papers.chin.printed import SIX_JOINTS, TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import REACHED, STEPS, TARGETS, LineRun, nearest_turns, run_along
from limbik.papers.claim import Bar, Claim, at_least, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Picture, Setting

CONTESTANTS = (
    methods.NEWTON,
    methods.BFGS,
    methods.POWELL,
    methods.FRPRM,
    *methods.PRAXIS,
    methods.FLETCHER,
    methods.BROYDN,
    methods.LM,
    methods.BROYDN_BOX,
    methods.PSEUDOINVERSE,
    methods.POWELL_STOPPED,
)
# Each of these methods must need fewer evaluations than the next.
ORDER = (methods.LM, methods.NEWTON, methods.BFGS, *methods.PRAXIS, methods.POWELL)

# The bars at residual 4.
ITERATIONS: dict[str, Bar] = {"NEWTON": at_most(4), "BFGS": Bar(8, 15), "LM": at_most(4)}
EVALUATIONS: dict[str, Bar] = {"LM": at_most(6)}
# Broyden's method without a line search may diverge on long steps: the thesis prints FAIL.
MAY_FAIL = {4: (), 200: (methods.BROYDN_BOX.name,)}
# The number of targets at which the thesis' NEWTON needed 1 + 7 k evaluations (Table C.2); at the others its line
# search shortened a step.
WITHOUT_CUTS = sum(e == 1 + 7 * k for e, k in zip(TABLE_C_2["NEWTON"], TABLE_C_1["NEWTON"], strict=True))
# The pictures of joint angles: the title and the panels of each.
ANGLES = {
    "figure_6_1": ("Figure 6.1", {"(a) BFGS": methods.BFGS, "(b) NEWTON": methods.NEWTON}),
    "appendix_f": (
        "Appendix F",
        {
            "F.1 BROYDN": methods.BROYDN,
            "F.2 FRPRM": methods.FRPRM,
            "F.3 POWELL": methods.POWELL,
            "F.4 FLETCHER": methods.FLETCHER,
            **dict(zip(("F.5 PRAXIS",), methods.PRAXIS, strict=False)),
        },
    ),
}
# The graph of the hand's path at each residual (appendix G).
PATHS = {4: ("figure_g_2", "Figure G.2", methods.FLETCHER), 200: ("figure_g_1", "Figure G.1", methods.FRPRM)}
TABLES = {4: "Tables 6.1 and 6.2", 200: "Tables 6.3 and 6.4"}


def measure(residual: int, setting: Setting) -> Findings:
    """Run every method along the line."""
    arm = appendix_b()
    runs = {c.name: run_along(arm, STEPS[residual], c) for c in CONTESTANTS}
    values: dict[str, float] = {}
    for c in CONTESTANTS:
        values |= costs.values(c, runs[c.name])
    values["nearest"] = float(nearest_turns(arm, STEPS[residual]).max())
    if residual == 4:
        values |= _counts(runs) | by_target.values(runs)
    return Findings(values, _pictures(residual, runs))


def _counts(runs: Mapping[str, LineRun]) -> dict[str, float]:
    newton = runs[methods.NEWTON.name]
    cost = [runs[c.name].evaluations.mean() for c in ORDER]
    return {
        "newton law": float((newton.evaluations == 1 + 7 * newton.iterations).sum()),
        "order": float(sum(a < b for a, b in pairwise(cost))),
        "broydn printed": float(np.mean(TABLE_C_1["BROYDN"])),
        "later": float(max(runs[c.name].jump[1:].max() for c in CONTESTANTS)),
    }


def _pictures(residual: int, runs: Mapping[str, LineRun]) -> tuple[Picture, ...]:
    name, title, c = PATHS[residual]
    path = Picture(name, partial(draw_path, f"{title}: {c.name}, residual {residual}", runs[c.name]))
    if residual != 4:
        return (path,)
    angles = []
    for name, (title, panels) in ANGLES.items():
        shown = {panel: runs[c.name] for panel, c in panels.items()}
        angles.append(Picture(name, partial(draw_angles, f"{title}: joint angles, residual 4", shown)))
    return (Picture("counts", partial(draw_counts, runs)), *angles, path)


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
    claims.append(Claim("nearest", f"{where}, nearest posture by closed form: largest joint rotation", "deg"))
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
        Claim("later", "residual 4: largest joint rotation after the first target, any method", "deg"),
        Claim("broydn printed", "BROYDN: mean iterations in Table 6.1, beside the mean of its column in Table C.1", "iterations",
              SIX_JOINTS[4]["BROYDN"][0]),
    ),
    measure=partial(measure, 4),
    notes=(
        "the thesis does not give its stopping criteria. Here methods end at a sum of squares of 1e-8. POWELL ends by "
        "its published criterion: since the minimum is 0, it continues until rounding, long after the answer.",
        "FLETCHER's 100 evaluations at every target are an upper bound of the thesis' routine; limbik's converges sooner.",
        "BROYDN starts from a differenced Jacobian here, and is the second best, not the last. No reading of the text gives its "
        "66 evaluations. Table 6.1 prints 18.5 iterations; its column in Table C.1 has a mean of 16.7.",
        "FRPRM has Polak and Ribiere's beta; with the beta of the thesis' box it reaches no target.",
        "NLopt, which has PRAXIS, does not report its iterations. LM is not in the thesis. It has exact derivatives, "
        "which do not count as evaluations; the other methods have differences, which do.",
    ),
)  # fmt: skip

RESIDUAL_200 = Experiment(
    name="trajectory, residual 200",
    claims=_claims(200),
    measure=partial(measure, 200),
    notes=(
        "NEWTON needs hardly more iterations here than at residual 4: its line search is seldom needed on this line. No reading "
        "of the text gives 12.1.",
        "BROYDN is a FAIL in the thesis. Without a line search, as in its box, it diverges here too; with one it reaches all "
        "targets.",
        "according to the thesis FRPRM does not converge exactly (Figure G.1); with enough iterations it does.",
    ),
)

EXPERIMENTS: tuple[Experiment, ...] = (RESIDUAL_4, RESIDUAL_200)
