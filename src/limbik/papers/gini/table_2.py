"""Table 2: time and error of the direct kinematics by numerical solvers and in closed form.

Matlab's fsolve with "PCG" is a trust-region method that solves its linear subproblem by preconditioned conjugate gradients.
SciPy's nearest equivalent is `least_squares` with `trf` and `lsmr`, also a trust-region method with a Krylov subspace solver.
SciPy's own fsolve is another method, Powell's hybrid. All SciPy rows call limbik's compiled lengths. Times are compared like
for like: Python calls with Python calls, and limbik's compiled least squares with its compiled closed form.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.problem import muscle_problem
from limbik.papers.claim import Cell, Claim, at_least, at_most
from limbik.papers.gini.arm import CM, arm, independent
from limbik.papers.gini.printed import RELATIVE, TABLE_2
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.papers.timing import MICROSECONDS, seconds_per_call

POSTURES, QUICK_POSTURES = 100, 20
# Times are the least of as many rounds, because other processes only make a round longer.
ROUNDS = 5
TABLE = "Table 2: time of the direct kinematics, and its error"
TIGHT = 1e-12
# Where the numerical solvers start: within 0.2 rad of the posture, as along a trajectory, or at one posture for all.
NEAR = 0.2
STARTS = ("near", "home")
# Beside the paper's names, what stands for them here.
OURS = {"Fsolve PCG": "SciPy trf with lsmr", "Fsolve LM": "SciPy lm (MINPACK)", "closed form": "posture_from_lengths"}
HYBRID = "SciPy fsolve (hybrid Powell)"
SOLVERS = ("Fsolve PCG", "Fsolve LM", HYBRID)
COMPILED = "compiled least squares"


def solvers(L: Array, full: Array, q: Array) -> dict[str, Callable[[int], Array]]:
    """Return the numerical solvers from starts q, (k, 4), for lengths L of the independent muscles, (k, 4)."""
    from scipy.optimize import fsolve, least_squares

    robot, places = arm(), independent()
    core = muscle_problem(robot.model).core

    def residual(x: Any, lengths: Any) -> Any:
        return robot.muscles.lengths(x)[places] - lengths

    def trust_region(k: int) -> Any:
        return least_squares(
            residual, q[k], args=(L[k],), method="trf", tr_solver="lsmr", xtol=TIGHT, ftol=TIGHT, gtol=TIGHT
        ).x

    return {
        "Fsolve PCG": trust_region,
        "Fsolve LM": lambda k: least_squares(residual, q[k], args=(L[k],), method="lm", xtol=TIGHT, ftol=TIGHT).x,
        HYBRID: lambda k: fsolve(residual, q[k], args=(L[k],), xtol=TIGHT),
        COMPILED: lambda k: core.match(full[k], q[k : k + 1], True)[0][0],
    }  # fmt: skip


def measure(setting: Setting) -> Findings:
    """Solve L(q) = L for the joints from both starts, and in closed form."""
    robot, rng, places = arm(), setting.rng(), independent()
    q = robot.sample(rng, setting.size(POSTURES, QUICK_POSTURES))
    q[:, 1] = np.radians(rng.uniform(10, 80, len(q)))
    full = np.full((len(q), len(robot.muscles)), np.nan)
    full[:, places] = L = robot.muscles.lengths(q)[:, places]
    home = np.array(robot.home)
    start = {"near": robot.clamp(q + rng.uniform(-NEAR, NEAR, q.shape)), "home": np.tile(home + 0.1, (len(q), 1))}
    core = muscle_problem(robot.model).core
    seconds: dict[str, float] = {}
    values: dict[str, float] = {}

    def timed(name: str, solve: Callable[[int], Any]) -> None:
        found = np.array([solve(k) for k in range(len(q))])
        off = np.abs(robot.muscles.lengths(found)[:, places] - L).max(axis=1) / CM
        values[f"{name} error"] = float(np.median(off))
        seconds[name] = min(seconds_per_call(solve, range(len(q))) for _ in range(ROUNDS))

    for where, by in start.items():
        for name, solve in solvers(L, full, by).items():
            timed(f"{name}, {where}", solve)
    timed("closed form", lambda k: robot.muscles.posture_from_lengths(L[k]).q[0])
    timed("core", lambda k: core.direct(full[k], 1e-6, True, home)[0][0])
    for name in (*SOLVERS, COMPILED):
        for where in STARTS:
            against = "core" if name == COMPILED else "closed form"
            values[f"{name}, {where} relative"] = seconds[f"{name}, {where}"] / seconds[against]
    values |= {f"{name} time": s for name, s in seconds.items()}
    values["core time"] *= MICROSECONDS
    return Findings({key: values[key] for key in (claim.key for claim in _claims())})


def _claims() -> tuple[Claim, ...]:
    claims: list[Claim] = []
    for name, where in product((*SOLVERS, COMPILED), STARTS):
        paper, printed = TABLE_2.get(name), RELATIVE.get(name)
        line = f"{name} / {OURS[name]}, start {where}" if name in OURS else f"{name}, start {where}"
        key = f"{name}, {where}"
        claims += [
            Claim(f"{key} time", f"Table 2, {line}: time", "s", paper and paper[0], None, Cell(TABLE, line, "time [s]")),
            Claim(f"{key} error", f"Table 2, {line}: median error of a length", "cm", None, None,
                  Cell(TABLE, line, "error [cm]")),
            Claim(f"{key} relative", f"Table 2, {line}: time / time of the closed form", "x", printed, at_least(1.0),
                  Cell(TABLE, line, "time / closed form")),
        ]  # fmt: skip
    line = f"closed form / {OURS['closed form']}"
    claims += [
        Claim("closed form time", f"Table 2, {line}: time", "s", TABLE_2["closed form"][0], None, Cell(TABLE, line, "time [s]")),
        Claim("closed form error", f"Table 2, {line}: median error of a length", "cm", None, at_most(1e-7),
              Cell(TABLE, line, "error [cm]")),
        Claim("core time", "the closed form in the core, with all checks: time of a call", "us"),
    ]  # fmt: skip
    return tuple(claims)


EXPERIMENT = Experiment(
    name="Table 2",
    claims=_claims(),
    measure=measure,
    notes=(
        "the paper prints 110,034 for 3.2 s / 0.00029 s, which is 11,034, and errors of 1e-8, 1e-2 and 1e-8 without a unit. Its "
        "fsolve ran in Matlab on symbolic equations.",
        "Matlab's PCG is a trust-region method with conjugate gradients. SciPy's nearest is trf with lsmr; its fsolve is "
        "Powell's hybrid, so it has a row of its own. trf and the loop about lm are Python; the hybrid is Fortran that "
        "calls Python; 'compiled least squares' is limbik's core, set beside the closed form in the core.",
    ),
)
