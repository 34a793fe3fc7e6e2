"""Hypothesis 1 (section 4.1): which of the thesis' chains have a closed form that is found from their geometry alone."""

from typing import cast

from limbik.papers.claim import Claim
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.robot.load import load

# The catalogue's chains by joints.
CHAINS = {3: "planar3_chin", 6: "human_arm_6", 8: "human_arm_8"}


def measure(setting: Setting) -> Findings:
    """Ask each chain for the branches of its closed form."""
    return Findings({f"{n} branches": float(len(cast(Chain, load(name)).branch_names)) for n, name in CHAINS.items()})


EXPERIMENT = Experiment(
    name="any chain",
    claims=tuple(
        Claim(f"{n} branches", f"{n} joints: branches of the closed form that the geometry gives, 0: none", "branches")
        for n in CHAINS
    ),
    measure=measure,
)
