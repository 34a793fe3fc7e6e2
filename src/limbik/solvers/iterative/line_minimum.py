"""Approximate minimisation along a line: bracketing, then parabolic interpolation with golden-section steps.

From 0 and a first guess the search goes downhill in growing steps until the value rises. Three points, the middle one lowest,
then bracket a minimum. The vertex of the parabola through the three is tried next. If a vertex lies outside the bracket, or two
trials have not halved it, the larger part is cut by the golden section, so the bracket shrinks for any function. The search
ends when the vertex coincides with the middle point.

Brent (1973) gives the theory; this is a simpler variant of his method.
"""

from collections.abc import Callable
from math import isfinite, sqrt

# Growth of the step; share that the golden section cuts off the larger side.
STRIDE = (1 + sqrt(5)) / 2
GOLDEN = (3 - sqrt(5)) / 2
# Most steps to find a bracket, and most trials inside it.
MOST_STRIDES, MOST_TRIALS = 40, 60
# Least distance of a trial from the middle, relative to the accuracy.
NEAREST = 0.5

Line = Callable[[float], float]


def lowest(line: Line, at_zero: float, first: float, accuracy: float) -> tuple[float, float]:
    """Return (t, line(t)) with t near a local minimum, to a relative accuracy; never a higher value than at 0.

    at_zero: line(0). first: a guess of t, either sign.
    """
    bracket = _bracket(line, at_zero, first)
    if len(bracket) == 1:
        return bracket[0]
    (a, fa), (b, fb), (c, fc) = bracket
    width, slow = c - a, 0
    for _ in range(MOST_TRIALS):
        near = accuracy * max(abs(b), abs(c - a) * accuracy)
        t = _vertex(a, fa, b, fb, c, fc)
        if slow >= 2 or not a < t < c:
            t = b + GOLDEN * ((c - b) if c - b > b - a else (a - b))
            slow = 0
        elif abs(t - b) <= near:
            break
        if abs(t - b) < NEAREST * near or c - a <= near:
            break
        ft = line(t)
        if ft < fb:
            if t > b:
                a, fa = b, fb
            else:
                c, fc = b, fb
            b, fb = t, ft
        elif t > b:
            c, fc = t, ft
        else:
            a, fa = t, ft
        slow = slow + 1 if c - a > width / 2 else 0
        width = c - a
    return b, fb


def _bracket(line: Line, at_zero: float, first: float) -> tuple[tuple[float, float], ...]:
    """Return three points (t, value) in the order of t, the middle the lowest; or the best one if there is no bracket."""
    behind, here = (0.0, at_zero), (first, line(first))
    if not here[1] < at_zero:  # a flat or rising start: search between the points, or in the opposite direction
        other = (-first, line(-first))
        if not other[1] < at_zero:
            three = sorted([here, behind, other])
            finite = all(isfinite(f) for _, f in three)
            return tuple(three) if finite else (behind,)
        behind, here = (0.0, at_zero), other
    for _ in range(MOST_STRIDES):
        t = here[0] + STRIDE * (here[0] - behind[0])
        ahead = (t, line(t))
        if not isfinite(ahead[1]):
            return (here,)
        if ahead[1] >= here[1]:
            return tuple(sorted([behind, here, ahead]))
        behind, here = here, ahead
    return (here,)


def _vertex(a: float, fa: float, b: float, fb: float, c: float, fc: float) -> float:
    """Return the lowest point of the parabola through three points; b where it has none."""
    left, right = (b - a) * (fb - fc), (b - c) * (fb - fa)
    curve = left - right
    if curve == 0.0:
        return b
    return b - 0.5 * ((b - a) * left - (b - c) * right) / curve
