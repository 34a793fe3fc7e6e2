"""Redundancy: "the system finds a solution which is influenced by the earlier state" (section 5, figure 8).

And fixed points: a consistent state, which is a posture of the arm, does not change up to rounding.
"""

import math

import numpy as np

from limbik.geometry.angles import wrap
from limbik.papers.claim import Claim, at_most
from limbik.papers.cruse_steinkuehler.arm import BENT_BACK, COMFORTABLE, INVERSE, network, tour
from limbik.papers.cruse_steinkuehler.random_problems import ONE_WAY, drawn, is_convex
from limbik.papers.paper import Experiment, Findings, Setting

FULL, QUICK = 4000, 500


def measure(setting: Setting) -> Findings:
    """Compare the postures from two starts, and measure the change of postures in one cycle."""
    ends = [tour(INVERSE, start) for start in (COMFORTABLE, BENT_BACK)]
    net = network()
    apart = [
        float(np.degrees(np.abs(wrap(net.joints(a.states[-1]) - net.joints(b.states[-1]))).max()))
        for a, b in zip(ends[0].runs, ends[1].runs, strict=True)
    ]
    rng = setting.rng()
    convex, every = 0.0, 0.0
    nearest = network(branch="nearest")
    free = np.full(len(net.variables), math.nan)
    for _ in range(setting.size(FULL, QUICK)):
        state = net.state(drawn(rng, ONE_WAY))
        if is_convex(net, state):
            convex = max(convex, float(np.abs(net.run(state, free, cycles=1).states[1] - state).max()))
        if min(state[net.variables.index(side)] for side in ("D1", "D2", "R")) > net.least_side:
            every = max(every, float(np.abs(wrap(nearest.run(state, free, cycles=1).states[1] - state)).max()))
    return Findings({"apart": max(apart), "least": min(apart), "convex": convex, "any": every})


EXPERIMENT = Experiment(
    name="earlier states",
    claims=(
        Claim(
            "apart",
            "same target, two starts: largest difference of a joint, maximum over the nine targets",
            "deg",
        ),
        Claim("least", "same target, two starts: largest difference of a joint, minimum over the nine targets", "deg"),
        Claim(
            "convex",
            "convex postures: largest change of a variable in a cycle",
            "rad or segments",
            None,
            at_most(1e-9),
        ),
        Claim(
            "any",
            "all postures, nearest arc cosine: largest change of a variable in a cycle",
            "rad or segments",
            None,
            at_most(1e-9),
        ),
    ),
    measure=measure,
)
