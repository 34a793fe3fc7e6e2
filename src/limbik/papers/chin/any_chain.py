"""Hypothesis 1 (section 4.1): which of the thesis' chains have a closed form that follows from their geometry."""

from typing import cast

from limbik.papers.claim import Claim, exactly
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The number of postures of a planar arm with three joints, and of an arm with a spherical wrist and an elbow.
LAWS = {3: 2, 6: 8}
# The catalogue's names of the chains, by their number of joints.
CHAINS = {3: "planar3_chin", 6: "human_arm_6", 8: "human_arm_8"}


def measure(setting: Setting) -> Findings:
    """Count the branches of the closed form of each chain."""
    return Findings({f"{n} branches": float(len(cast(Chain, load(name)).branch_names)) for n, name in CHAINS.items()})


EXPERIMENT = Experiment(
    name="any chain",
    claims=tuple(
        Claim(
            f"{n} branches",
            f"{n} joints: branches of the closed form that limbik derives from the geometry (0: none)",
            "branches",
            bar=exactly(LAWS[n]) if n in LAWS else None,
        )
        for n in CHAINS
    ),
    measure=measure,
)
