"""All eight postures beside one by iteration, in one run (section 6.1: "algebraic solutions are significantly faster")."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from limbik.papers.chin.arm import appendix_b
from limbik.papers.claim import Claim, at_least
from limbik.papers.paper import Experiment, Findings, Setting

POSES, QUICK_POSES = 1_000, 200
# Rounds over both contestants; the median counts.
ROUNDS = 7
MICROSECONDS = 1e6


def measure(setting: Setting) -> Findings:
    """Time both on the same random poses, in turn, without limits."""
    arm = appendix_b()
    Ts = arm.forward(setting.rng().uniform(-np.pi, np.pi, (setting.size(POSES, QUICK_POSES), arm.n)))

    def eight(T: Any) -> Any:
        return arm.solve_all(T, limits=False).q

    def one(T: Any) -> Any:
        return arm.solve(T, method="lm", limits=False).q

    rounds = [(_each(eight, Ts), _each(one, Ts)) for _ in range(ROUNDS)]
    closed, iterative = np.median(rounds, axis=0)
    return Findings({"closed": closed, "iterative": iterative, "ratio": iterative / closed})


def _each(solve: Callable[[Any], Any], Ts: Any) -> float:
    """Return the time of one call [us]."""
    start = perf_counter()
    for T in Ts:
        solve(T)
    return (perf_counter() - start) / len(Ts) * MICROSECONDS


EXPERIMENT = Experiment(
    name="time",
    claims=(
        Claim("closed", "all 8 postures by closed form, one call", "us"),
        Claim("iterative", "1 posture by Levenberg-Marquardt from home, one call", "us"),
        Claim("ratio", "the closed form is faster by", "x", None, at_least(1.0)),
    ),
    measure=measure,
)
