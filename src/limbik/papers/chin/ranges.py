"""Table 5.2 leaves one posture of eight (section 6.1: "eliminating solutions which violate joint constraints").

The limits give the reason: the half turn of the shoulder, the elbow that bends in one direction only, and the wrist that stays
below a right angle each contain one alternative of two.
"""

import numpy as np

from limbik.papers.chin.arm import a_chain, appendix_b
from limbik.papers.chin.explicit import BRANCHES
from limbik.papers.claim import Claim, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain

TARGETS, QUICK_TARGETS = 3_000, 1_000
PERCENT = 100.0


def share_with_one(arm: Chain, rng: np.random.Generator, targets: int) -> float:
    """Return the share of reachable targets with one posture inside the limits and seven outside [%]."""
    every = arm.solve_all_batch(arm.forward(arm.sample(rng, targets)))
    return PERCENT * float(((every.count == 1) & (every.count + every.outside == BRANCHES)).mean())


def measure(setting: Setting) -> Findings:
    """Count the postures inside the limits for both chains."""
    targets = setting.size(TARGETS, QUICK_TARGETS)
    return Findings({key: share_with_one(make(), setting.rng(), targets)
                     for key, make in (("b", appendix_b), ("a", a_chain))})  # fmt: skip


EXPERIMENT = Experiment(
    name="Table 5.2",
    claims=(
        Claim("b", "appendix B: targets for which Table 5.2 leaves 1 posture of 8", "%", None, exactly(PERCENT)),
        Claim("a", "section 5.1.2: targets for which Table 5.2 leaves 1 posture of 8", "%", None, exactly(PERCENT)),
    ),
    measure=measure,
)
