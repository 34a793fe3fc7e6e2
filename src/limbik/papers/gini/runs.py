"""Descents from many starts to P1, P2 and random reachable targets: shared by Table 3, reheating and the ablation.

A descent keeps its best distance after every sweep, and its first sweeps do not depend on how many follow. So one run of
`MOST` sweeps gives the errors for every smaller number of sweeps.
"""

from functools import cache
from typing import Any

import numpy as np

from limbik.geometry.arrays import Array
from limbik.muscle.fast_gradient import PLAIN, FastGradient
from limbik.papers.gini.arm import CM, STARTS, arm, starts, targets

# Numbers of sweeps after which errors are compared: the default of `FastGradient` is 200.
SWEEPS = (50, 100, 200, 400)
USUAL = 200
MOST = max(SWEEPS)
# The parts of the method: (17), the temperature that scales its step, and reheating. Each variant leaves some out.
VARIANTS: dict[str, dict[str, Any]] = {
    "complete": {},
    "no reheating": {"reheating": False},
    "no annealing": {"annealing": False, "reheating": False},
    "no velocity": {"velocity": False},
    "classical": PLAIN,
}
# The paper gives no alpha. Steps at which a variant is run for its best one [m]; a constant step must be smaller than one
# that cools. The classical gradient has no other setting, so its grid is finer.
COOLING = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2)
LARGE = (1e-3, 1e-2, 3e-2, 1e-1, 3e-1)
CONSTANT = (1e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4)
FINE = (1e-5, 1.8e-5, 3e-5, 5.5e-5, 1e-4, 1.8e-4, 3e-4, 5.5e-4, 1e-3)
ALPHAS = dict.fromkeys(VARIANTS, COOLING) | {"no reheating": LARGE, "no annealing": CONSTANT, "classical": FINE}
# Sub(i) with fewer muscles per sweep needs more sweeps for the same number of direct kinematics.
PER_SWEEP = {"all": 1, "pairs": 2, "single": 4}


@cache
def errors(target: str, variant: str, alpha: float | None = None, count: int = STARTS, subsets: str = "all") -> Array:
    """Return the best distances so far, (count, MOST + 1) [cm], after as many direct kinematics as that many full sweeps.

    alpha: None for the default [m].
    """
    settings = {**VARIANTS[variant], **({} if alpha is None else {"alpha": alpha})}
    each = PER_SWEEP[subsets]
    chosen = FastGradient(sweeps=MOST * each, goal=0.0, subsets=subsets, **settings)
    pairs = zip(targets(target)[:count], starts(count), strict=True)
    found = [arm().muscles.descend_lengths(point, lengths, settings=chosen).history for point, lengths in pairs]
    return np.array(found)[:, ::each] / CM


def median(target: str, variant: str, sweeps: int, alpha: float | None = None, count: int = STARTS) -> float:
    """Return the median error after some sweeps [cm]."""
    return float(np.median(errors(target, variant, alpha, count)[:, sweeps]))


def best(target: str, variant: str, sweeps: int, count: int = STARTS) -> tuple[float, float]:
    """Return the step with the least median error after some sweeps [m], and that error [cm]."""
    found = [median(target, variant, sweeps, alpha, count) for alpha in ALPHAS[variant]]
    k = int(np.argmin(found))
    return ALPHAS[variant][k], found[k]
