"""The time of the closed form beside that of iteration, both compiled (section 6.1).

The thesis: "algebraic solutions are significantly faster". Levenberg-Marquardt of limbik's core is the iterative method: it is
compiled, as the closed form is, and has a table of starts. Both solve the same poses without limits, one call per pose, and as a
batch with one thread, where Levenberg-Marquardt solves several poses at once. Times are of the processor.
"""

from time import process_time

import numpy as np

from limbik.papers.chin.arm import appendix_b
from limbik.papers.claim import Claim
from limbik.papers.paper import Experiment, Findings, Setting

CALLS, QUICK_CALLS = 2_000, 500
BATCH, QUICK_BATCH = 20_000, 5_000
# Rounds over both methods; the median counts.
ROUNDS = 5
MICROSECONDS = 1e6
# The ratio of times from which one is significantly faster.
SIGNIFICANT = 1.5
HOW = {"single": "one call per pose", "batch": "in a batch"}


def measure(setting: Setting) -> Findings:
    """Time both methods alternately on the same random poses, without limits."""
    arm = appendix_b()
    values: dict[str, float] = {}
    for how, count in (
        ("single", setting.size(CALLS, QUICK_CALLS)),
        ("batch", setting.size(BATCH, QUICK_BATCH)),
    ):
        Ts = arm.forward(setting.rng().uniform(-np.pi, np.pi, (count, arm.n)))
        rounds = []
        for _ in range(ROUNDS):
            start = process_time()
            if how == "single":
                for T in Ts:
                    arm.solve_all(T, limits=False)
                middle = process_time()
                for T in Ts:
                    arm.solve(T, method="lm", limits=False)
            else:
                arm.solve_all_batch(Ts, threads=1, limits=False)
                middle = process_time()
                arm.solve_batch(Ts, threads=1, method="lm", limits=False)
            rounds.append((middle - start, process_time() - middle))
        closed, lm = np.median(rounds, axis=0) * MICROSECONDS / count
        values |= {f"{how} closed": closed, f"{how} lm": lm, f"{how} ratio": lm / closed}
    return Findings(values)


EXPERIMENT = Experiment(
    name="time",
    claims=tuple(
        claim
        for how, text in HOW.items()
        for claim in (
            Claim(f"{how} closed", f"all 8 postures by closed form, {text}: time per pose", "us"),
            Claim(f"{how} lm", f"1 posture by Levenberg-Marquardt, {text}: time per pose", "us"),
            Claim(f"{how} ratio", f"time of 1 posture by Levenberg-Marquardt / of all 8 by closed form, {text}", "x"),
        )
    ),
    measure=measure,
)
