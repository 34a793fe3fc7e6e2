"""The descent of Figure 7 in plain Python, with what the paper leaves open as options.

Figure 7: for each muscle of Sub(i), decrease its length, compute the distance, the gradient and the velocity (17), and
update the length if the distance decreases. Figure 7 has no temperature. Section 4 has one, T <- b T, that rises again
where the distance stalls above a specified value; but it does not say what the temperature does. Three readings:

none        T does nothing, as in Figure 7.
step        T multiplies the term alpha grad of (17), as in limbik's own descent.
acceptance  a worse distance is accepted with the probability exp(-rise / T), as in Kirkpatrick et al., the paper's [22].

Figure 7 also does not say what becomes of the velocity of a length that was not updated. In (17) it stays and is halved;
limbik sets it to 0 (`keeps=False`). With "step" and `keeps=False` this loop is that of `core/muscle/fast_gradient.hpp`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from limbik.geometry.arrays import Array
from limbik.papers.gini.printed import MUCH_BETTER, VELOCITY

READINGS = ("none", "step", "acceptance")
# The least part of the probe, as in the core [m].
LEAST_PROBE = 1e-8


@dataclass(frozen=True)
class AsPrinted:
    """The settings. alpha: [m]. heat: the first temperature, a factor for "step", a distance [m] for "acceptance".

    cooling: b. reheating, far, still: whether, above which distance [m], and for which relative change it reheats.
    """

    sweeps: int
    alpha: float
    temperature: str = "none"
    keeps: bool = True
    heat: float = 1.0
    cooling: float = 0.7
    reheating: bool = False
    far: float = 0.01
    still: float = 1e-3
    probe: float = 1e-6
    part: float = 1e-3


def descend(
    distance: Callable[[Array], float], start: Array, ranges: tuple[Array, Array], settings: AsPrinted,
    rng: np.random.Generator, subsets: Sequence[Sequence[int]] = ((0, 1, 2, 3),),
) -> Array:  # fmt: skip
    """Return the best distances before the first sweep and after each, (sweeps + 1,) [m]."""
    s, (low, high) = settings, ranges
    L = np.clip(np.array(start, float), low, high)
    d, T = distance(L), s.heat
    v, eta = np.zeros(len(L)), np.full(len(L), VELOCITY["worse"])
    history = [d]
    for sweep in range(s.sweeps):
        before, refused = d, False
        for i in subsets[sweep % len(subsets)]:
            slope = _slope(distance, L, i, d, low, high, s)
            if not np.isfinite(slope):
                refused, v[i] = True, 0.0
                continue
            v[i] = eta[i] * v[i] - s.alpha * (T if s.temperature == "step" else 1.0) * slope
            trial = L.copy()
            trial[i] = np.clip(L[i] + v[i], low[i], high[i])
            tried = distance(trial)
            better = tried < d
            eta[i] = VELOCITY["worse" if not better else "much" if tried < MUCH_BETTER * d else "little"]
            if better or (s.temperature == "acceptance" and rng.random() < np.exp(-(tried - d) / max(T, 1e-300))):
                L, d = trial, tried
            else:
                refused = True
                if not s.keeps:
                    v[i] = 0.0
        if s.temperature == "acceptance" or (s.temperature == "step" and refused):
            T *= s.cooling
        if s.reheating and d > s.far and abs(d - before) < s.still * before:
            T = min(s.heat, T / s.cooling**3)
        history.append(min(history[-1], d))
    return np.array(history)


def _slope(
    distance: Callable[[Array], float], L: Array, i: int, d: float, low: Array, high: Array, s: AsPrinted
) -> float:
    """Return the change of the distance with a length: shortened, or lengthened where shortening is impossible."""
    h = -min(s.probe, s.part * d + LEAST_PROBE)
    if L[i] + h < low[i]:
        h = -h
    for step in (h, -h):
        trial = L.copy()
        trial[i] = np.clip(L[i] + step, low[i], high[i])
        slope = (distance(trial) - d) / step
        if np.isfinite(slope):
            return float(slope)
    return float("nan")
