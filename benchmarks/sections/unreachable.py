"""Targets that cannot be reached: how close the closest configuration is, and how soon it is found."""

from pathlib import Path

import numpy as np

import limbik as lk
from benchmarks import nearest
from benchmarks.measurement import SEED, Measurement, at_most, timed

# Targets per kind that cannot be reached, random starts that the closest configuration is compared with, and its bars.
UNREACHABLE, STARTS = 10_000, 1000
AS_NEAR, AS_FAST = 1.001, 20
# The reference itself is held against SciPy on these arms: so many targets of each kind, so many starts.
SPOT_ARMS = ("puma560", "ur5", "panda", "iiwa7", "kr6", "human_arm_6", "human_leg_7")
SPOT_TARGETS, SPOT_STARTS = 5, 24


def unreachable(arm: lk.Chain, name: str) -> list[Measurement]:
    """Time and quality of the closest configuration, for targets beyond reach, in the hollow, and blocked by limits.

    By attempts, which is what the cold median is of: a closed form proves most of these targets unreachable at once.
    """
    T, kinds = nearest.kinds(arm, np.random.default_rng(SEED), UNREACHABLE)
    solve = nearest.by_attempts(arm)
    solve(T[0])
    cold = np.median([timed(solve, t) for t in T])
    measured = []
    for kind in kinds:
        solve = nearest.by_attempts(kind.arm)
        solve(kind.targets[0])
        median = np.median([timed(solve, t) for t in kind.targets])
        batch = kind.arm.solve_batch(kind.targets, method="lm")
        ratios = nearest.ratios(kind.arm, batch, kind.targets, STARTS)
        proven = int((batch.status == lk.Status.OUT_OF_REACH).sum())
        note = (
            f"{len(ratios)} of {len(batch.ok)} not reached, {proven} proven so, {int((ratios > AS_NEAR).sum())} farther"
        )
        what = f"{name}, {kind.name}: position error against the best of {STARTS} starts"
        measured.append(at_most(what, max(ratios, default=1.0), AS_NEAR, "x", note))
        what = f"{name}, {kind.name}: median time against cold"
        measured.append(at_most(what, median / cold, AS_FAST, "x", f"{median * 1e6:.0f} us"))
    return measured


def reference(_: Path) -> list[Measurement]:
    """The reference for the closest configuration against SciPy: no farther than its best."""
    worst, compared = 1.0, 0
    for name in SPOT_ARMS:
        arm, rng = lk.load(name), np.random.default_rng(SEED)
        assert isinstance(arm, lk.Chain)
        for kind in nearest.kinds(arm, rng, SPOT_TARGETS)[1]:
            ours = nearest.least_positions(kind.arm, kind.targets, STARTS)
            for target, found in zip(kind.targets, ours, strict=True):
                theirs = nearest.least_by_scipy(kind.arm, target, rng, SPOT_STARTS)
                worst = max(worst, (found + 1e-8) / (theirs + 1e-8))
                compared += 1
    what = f"best of {STARTS} starts against SciPy's best of {SPOT_STARTS}: position error"
    return [at_most(what, worst, 1.0 + 1e-6, "x", f"{compared} targets on {len(SPOT_ARMS)} arms")]
