"""The time of all eight postures by closed form beside that of one by iteration (section 6.1).

The thesis: "algebraic solutions are significantly faster".
"""

from typing import Any

import numpy as np

from limbik.papers.chin.arm import appendix_b
from limbik.papers.claim import Claim, at_least
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.papers.timing import MICROSECONDS, seconds_per_call

POSES, QUICK_POSES = 1_000, 200
# Rounds over both methods; the median counts.
ROUNDS = 7


def measure(setting: Setting) -> Findings:
    """Time both methods alternately on the same random poses, without limits."""
    arm = appendix_b()
    Ts = arm.forward(setting.rng().uniform(-np.pi, np.pi, (setting.size(POSES, QUICK_POSES), arm.n)))

    def eight(T: Any) -> Any:
        return arm.solve_all(T, limits=False).q

    def one(T: Any) -> Any:
        return arm.solve(T, method="lm", limits=False).q

    rounds = [(seconds_per_call(eight, Ts), seconds_per_call(one, Ts)) for _ in range(ROUNDS)]
    closed, iterative = MICROSECONDS * np.median(rounds, axis=0)
    return Findings({"closed": closed, "iterative": iterative, "ratio": iterative / closed})


EXPERIMENT = Experiment(
    name="time",
    claims=(
        Claim("closed", "all 8 postures by closed form: time of a call", "us"),
        Claim("iterative", "1 posture by Levenberg-Marquardt from home: time of a call", "us"),
        Claim("ratio", "time of Levenberg-Marquardt / time of the closed form", "x", None, at_least(1.0)),
    ),
    measure=measure,
)
