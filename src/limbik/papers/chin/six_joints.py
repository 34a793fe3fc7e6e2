"""Tables 6.1 to 6.4, C.1 and C.2: the arm with six joints follows a line in steps with residual 4 and with residual 200."""

from collections.abc import Mapping
from functools import partial
from math import sqrt

import numpy as np

from limbik.papers.chin import by_target, costs, methods
from limbik.papers.chin.arm import appendix_b
from limbik.papers.chin.graphs import draw_angles, draw_counts, draw_path
from limbik.papers.chin.printed import SIX_JOINTS, TABLE_C_1, TABLE_C_2
from limbik.papers.chin.trajectory import REACHED, STEPS, TARGETS, LineRun, nearest_turns, run_along
from limbik.papers.claim import Bar, Claim, at_least, at_most
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
# The methods whose counts must not exceed the printed ones, and why a count is known to do so.
NO_SLOWER = (methods.NEWTON.name, methods.BFGS.name)
CAUSES = {
    (
        200,
        "BFGS",
        "iterations",
    ): "the thesis prints neither the direction nor the rule by which BFGS ends; the sweep has others"
}
# Broyden's method without a line search may diverge on long steps.
MAY_FAIL = {4: (), 200: (methods.BROYDN_BOX.name,)}
# What the thesis prints instead of numbers (Tables 6.3 and 6.4).
WORDS = {200: {"BROYDN": "FAIL", methods.BROYDN_BOX.name: "FAIL", "FRPRM": "See Appendix G"}}
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
# A step of residual 200 along (1, 1, 1): the last two of its ten targets are out of reach.
BEYOND = (sqrt(200 / 3),) * 3
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
    else:
        outside = run_along(arm, BEYOND, methods.NEWTON)
        values |= {
            f"NEWTON beyond {name}": float(getattr(outside, name).mean()) for name in ("iterations", "evaluations")
        }
    return Findings(values, _pictures(residual, runs))


def _counts(runs: Mapping[str, LineRun]) -> dict[str, float]:
    newton = runs[methods.NEWTON.name]
    return {
        "newton law": float((newton.evaluations == 1 + 7 * newton.iterations).sum()),
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
        bars: dict[str, Bar | None] = {"error": None if c.name in MAY_FAIL[residual] else at_most(REACHED)}
        printed = SIX_JOINTS[residual].get(c.name, (None, None))
        for column, count in zip(("iterations", "evaluations"), printed, strict=True):
            if c.name in NO_SLOWER and count is not None:
                bars[column] = at_most(count)
        causes = {name: cause for (r, method, name), cause in CAUSES.items() if (r, method) == (residual, c.name)}
        table = f"{TABLES[residual]}: 6 joints, {where}, paper / ours (must be)"
        words = WORDS.get(residual, {}).get(c.name, "")
        claims += costs.claims(c, where, table, printed, bars, words=words, causes=causes)
    claims.append(Claim("nearest", f"{where}, nearest posture by closed form: largest joint rotation", "deg"))
    return tuple(claims)


RESIDUAL_4 = Experiment(
    name="trajectory, residual 4",
    claims=(
        *_claims(4),
        *by_target.claims(tuple(c.name for c in CONTESTANTS)),
        Claim("newton law", "residual 4, NEWTON: targets with 1 + 7 k evaluations", f"of {TARGETS}", WITHOUT_CUTS,
              at_least(WITHOUT_CUTS)),
        Claim("later", "residual 4: largest joint rotation after the first target, any method", "deg"),
        Claim("broydn printed", "BROYDN: mean iterations in Table 6.1, beside the mean of its column in Table C.1", "iterations",
              SIX_JOINTS[4]["BROYDN"][0]),
    ),
    measure=partial(measure, 4),
    notes=(
        "the thesis does not print its stopping criteria. Here methods end at a sum of squares of 1e-8. POWELL ends by "
        "its published criterion: since the minimum is 0, it continues until rounding, long after the answer.",
        "evaluations of BFGS, FLETCHER and FRPRM do not include gradients, which (5.31) takes from the Jacobian; NEWTON and "
        "BROYDN difference the residuals, and their evaluations include that.",
        "FLETCHER's 100 evaluations at every target are an upper bound of the thesis' routine; limbik's converges sooner.",
        "Table 6.1 prints 18.5 iterations for BROYDN; its column in Table C.1 has a mean of 16.7.",
        "FRPRM has Polak and Ribiere's beta; with the beta of the thesis' box it reaches no target.",
        "iterations of PRAXIS are sweeps of its line searches, counted from the places at which it evaluates, because NLopt does "
        "not report them. LM is not in the thesis.",
    ),
)  # fmt: skip

RESIDUAL_200 = Experiment(
    name="trajectory, residual 200",
    claims=(
        *_claims(200),
        *(Claim(f"NEWTON beyond {name}", "residual 200 along (1, 1, 1), where the last two targets are out of reach, NEWTON: "
                f"mean {name}", name) for name in ("iterations", "evaluations")),
    ),
    measure=partial(measure, 200),
    notes=(
        "BROYDN is a FAIL in the thesis. Without a line search, as in its box, it diverges here too; with one it reaches all "
        "targets.",
        "the direction of the line is not printed; the sweep has 20, on some of which methods stop short of a target. NEWTON's "
        "12.1 iterations are near those of a line that leaves the reach, such as (1, 1, 1).",
    ),
)  # fmt: skip

EXPERIMENTS: tuple[Experiment, ...] = (RESIDUAL_4, RESIDUAL_200)
