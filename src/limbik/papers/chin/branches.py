"""Eight postures for every pose, by two independent closed forms: limbik's, and the thesis' equations, corrected.

Each pose is that of random angles, which must be among the solutions. The thesis' alternatives of shoulder, elbow and wrist must
correspond one to one to limbik's branches, in the same way for all poses.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.chin import explicit
from limbik.papers.chin.arm import FOREARM, SIGNS, UPPER_ARM, K, a_chain, appendix_b, in_units, turn_gap
from limbik.papers.chin.pictures import draw_postures
from limbik.papers.claim import Claim, at_most, exactly
from limbik.papers.paper import Experiment, Findings, Picture, Setting
from limbik.robot.chain import Chain

POSES, QUICK_POSES = 10_000, 1_000
PERCENT = 100.0
# Bars: |FK - T| in entries and thesis units, and angles [rad].
POSE_BAR, ANGLE_BAR = 1e-10, 1e-8
# The smallest distance, in the joint that differs most, between two distinct postures [rad].
DISTINCT = 1e-7
# The pose whose eight postures are drawn [degrees, signs of appendix B].
DRAWN_DEG = (50.0, 30.0, 70.0, 20.0, 40.0, 10.0)


def explicit_a_chain(T: Array) -> Array:
    """Return the thesis' postures (..., 8, 6) of the A chain."""
    return explicit.postures(in_units(T), UPPER_ARM, FOREARM).q


def explicit_appendix_b(T: Array) -> Array:
    """Return the thesis' postures (..., 8, 6) of appendix B, by the conversion between the two chains."""
    return np.asarray(SIGNS * explicit_a_chain(T @ np.linalg.inv(K)))


# The chains under test: key, name, constructor, and the thesis' closed form.
CHAINS: tuple[tuple[str, str, Callable[[], Chain], Callable[[Array], Array]], ...] = (
    ("b", "appendix B", appendix_b, explicit_appendix_b),
    ("a", "section 5.1.2", a_chain, explicit_a_chain),
)


def measure(setting: Setting) -> Findings:
    """Solve random poses of both chains by both closed forms."""
    values: dict[str, float] = {}
    for key, _, make, by_thesis in CHAINS:
        found = compare(make(), by_thesis, setting.rng(), setting.size(POSES, QUICK_POSES))
        values |= {f"{key} {what}": value for what, value in found.items()}
    return Findings(values, (Picture("eight_postures", partial(draw_postures, np.radians(DRAWN_DEG))),))


def compare(arm: Chain, by_thesis: Callable[[Array], Array], rng: np.random.Generator, poses: int) -> dict[str, float]:
    """Return the values of the claims about one chain."""
    q = rng.uniform(-np.pi, np.pi, (poses, arm.n))
    T = arm.forward(q)
    every = arm.solve_all_batch(T, limits=False)
    full = every.count == explicit.BRANCHES
    ours, branches = every.q[full], every.branches[full]
    theirs = by_thesis(T[full])
    apart = turn_gap(ours[:, :, None], ours[:, None]).max(axis=-1) + np.pi * np.eye(explicit.BRANCHES)
    distinct = (apart.min(axis=(1, 2)) > DISTINCT) & (np.sort(branches) == np.arange(explicit.BRANCHES)).all(axis=1)
    # (poses, ours, theirs): the nearest of theirs to each of ours
    gaps = turn_gap(ours[:, :, None], theirs[:, None]).max(axis=-1)
    match = gaps.argmin(axis=2)
    table = np.take_along_axis(match, np.argsort(branches, axis=1), axis=1)
    return {
        "eight": PERCENT * float(distinct.sum()) / poses,
        "fk": float(np.abs(in_units(arm.forward(ours)) - in_units(T[full])[:, None]).max()),
        "thesis fk": float(np.abs(in_units(arm.forward(theirs)) - in_units(T[full])[:, None]).max()),
        "found": float(turn_gap(ours, q[full][:, None]).max(axis=-1).min(axis=1).max()),
        "agree": float(gaps.min(axis=2).max()),
        "labels": PERCENT * float((np.sort(table) == np.arange(explicit.BRANCHES)).all(axis=1).mean())
        if (table == table[:1]).all()
        else 0.0,
    }


def _claims(key: str, chain: str) -> tuple[Claim, ...]:
    return (
        Claim(f"{key} eight", f"{chain}: random poses with 8 distinct postures", "%", None, exactly(PERCENT)),
        Claim(f"{key} fk", f"{chain}: largest |FK - T|, solve_all", "units", None, at_most(POSE_BAR)),
        Claim(f"{key} thesis fk", f"{chain}: largest |FK - T|, the thesis' equations", "units", None, at_most(POSE_BAR)),
        Claim(f"{key} found", f"{chain}: largest distance of the generating posture from the solutions",
              "rad", None, at_most(ANGLE_BAR)),
        Claim(f"{key} agree", f"{chain}: largest distance between solve_all and the thesis' equations",
              "rad", None, at_most(ANGLE_BAR)),
        Claim(f"{key} labels", f"{chain}: alternatives of shoulder, elbow, wrist that are the branches",
              "%", None, exactly(PERCENT)),
    )  # fmt: skip


EXPERIMENT = Experiment(
    name="eight postures", claims=tuple(c for key, name, *_ in CHAINS for c in _claims(key, name)), measure=measure
)
