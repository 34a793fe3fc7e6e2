"""Proofs that inputs cannot be met, by the triangle inequality.

Every distance between two joints lies in an interval. Segment lengths and inputs give the initial intervals, and each triangle
narrows them: no side is longer than the sum of the other two or shorter than their difference; a known angle bounds the opposite
side by the law of cosines. The intervals are narrowed until nothing changes. An empty interval proves that no posture
(configuration) exists. Non-empty intervals prove nothing.
"""

import math
from collections.abc import Mapping
from itertools import combinations

from limbik.geometry.angles import TURN
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.inputs import Range

# An interval is empty if its ends cross by more than this part of the arm's length, the bound of rounding.
CROSSED = 1e-9
# Most rounds of narrowing.
ROUNDS = 50


def proof(network: AngleNetwork, inputs: Mapping[str, Range]) -> str:
    """Return a sentence that proves the inputs impossible; "" without a proof."""
    n, whole = len(network.lengths), math.fsum(network.lengths)
    spare = CROSSED * whole
    low = dict.fromkeys(combinations(range(n + 1), 2), 0.0)
    high = dict.fromkeys(low, network.longest)
    for k, span in enumerate(network.spans):
        low[k, k + 1], high[k, k + 1] = max(span.low, 0.0), span.high
    _triangles(n, low, high)
    free_low, free_high = dict(low), dict(high)
    for name, (a, b) in network.triangles.distances.items():
        if name in inputs:
            wanted = inputs[name]
            if wanted.high < low[a, b] - spare:
                return f"{name} = {wanted} is below {low[a, b]:.6g}, the least that the segments allow"
            if wanted.low > high[a, b] + spare:
                return f"{name} = {wanted} is above {high[a, b]:.6g}, the most that the segments allow"
            low[a, b], high[a, b] = max(low[a, b], wanted.low), min(high[a, b], wanted.high)
    for k in range(1, n + 1):
        conflict = _place(k, n, inputs, low, high, spare)
        if conflict:
            return conflict
    # the law of cosines of sides without an upper end would subtract numbers of any size
    angles = _angles(network, inputs) if math.isfinite(network.longest) else []
    for _ in range(ROUNDS):
        before = dict(low), dict(high)
        _triangles(n, low, high)
        _cosines(angles, low, high)
        for name, (a, b) in network.triangles.distances.items():
            if low[a, b] > high[a, b] + spare:
                least, most = max(free_low[a, b], low[a, b]), min(free_high[a, b], high[a, b])
                return f"the distance {name} would have to be at least {least:.6g} and at most {most:.6g}"
        if before == (low, high):
            break
    return ""


def _place(
    k: int,
    n: int,
    inputs: Mapping[str, Range],
    low: dict[tuple[int, int], float],
    high: dict[tuple[int, int], float],
    spare: float,
) -> str:
    """Narrow the distance of a point from the shoulder by its x and y inputs; return a proof if they are impossible."""
    what, mark = ("the tip", "") if k == n else (f"joint {k + 1}", str(k))
    given = [inputs[axis + mark] for axis in ("x", "y") if axis + mark in inputs]
    far = math.hypot(*map(_least, given))
    if far > high[0, k] + spare:
        return f"{what} would be at least {far:.6g} away, and the segments allow {high[0, k]:.6g}"
    if len(given) == 2:
        near = math.hypot(*(max(abs(wanted.low), abs(wanted.high)) for wanted in given))
        if near < low[0, k] - spare:
            return f"{what} would be at most {near:.6g} away, and the segments allow no less than {low[0, k]:.6g}"
        high[0, k] = min(high[0, k], near)
    low[0, k] = max(low[0, k], far)
    return ""


def _least(wanted: Range) -> float:
    return 0.0 if wanted.low <= 0.0 <= wanted.high else min(abs(wanted.low), abs(wanted.high))


def _triangles(n: int, low: dict[tuple[int, int], float], high: dict[tuple[int, int], float]) -> None:
    for _ in range(n):
        for a, b, c in combinations(range(n + 1), 3):
            for one, two, third in (((a, b), (b, c), (a, c)), ((a, b), (a, c), (b, c)), ((a, c), (b, c), (a, b))):
                high[third] = min(high[third], high[one] + high[two])
                low[third] = max(low[third], low[one] - high[two], low[two] - high[one])


def _angles(network: AngleNetwork, inputs: Mapping[str, Range]) -> list[tuple[tuple[int, int, int], float, float]]:
    """Return the triangle angles that inputs fix or bound: (corner, from, to), least and greatest absolute value."""
    found = []
    for name, angle in network.triangles.angles.items():
        if name in inputs:
            found.append((angle, *_folded(inputs[name])))
    if "alpha" in inputs and "rho" in inputs:
        alpha, rho = inputs["alpha"], inputs["rho"]
        if alpha.fixed and rho.fixed:
            eps = alpha.low - rho.low
            found.append(((0, 1, len(network.lengths)), *_folded(Range(eps, eps))))
    return found


def _folded(wanted: Range) -> tuple[float, float]:
    """Return the least and greatest absolute value of a range of angles after wrapping, in [0, pi]."""
    if not (math.isfinite(wanted.low) and math.isfinite(wanted.high)) or wanted.high - wanted.low >= TURN:
        return 0.0, math.pi

    def fold(x: float) -> float:
        return abs(math.remainder(x, TURN))

    ends = fold(wanted.low), fold(wanted.high)
    whole = math.floor(wanted.high / TURN) >= math.ceil(wanted.low / TURN)
    half = math.floor((wanted.high - math.pi) / TURN) >= math.ceil((wanted.low - math.pi) / TURN)
    return (0.0 if whole else min(ends)), (math.pi if half else max(ends))


def _cosines(
    angles: list[tuple[tuple[int, int, int], float, float]],
    low: dict[tuple[int, int], float],
    high: dict[tuple[int, int], float],
) -> None:
    """Narrow the side opposite to each known angle."""

    def square(a: float, b: float, cosine: float) -> float:
        return a * a + b * b - 2.0 * a * b * cosine

    for (corner, start, end), least, greatest in angles:
        one, two = tuple(sorted((corner, start))), tuple(sorted((corner, end)))
        third = tuple(sorted((start, end)))
        ends = [(a, b) for a in (low[one], high[one]) for b in (low[two], high[two])]  # type: ignore[index]
        cosine = math.cos(least)
        inside = [(min(max(b * cosine, low[one]), high[one]), b) for _, b in ends]  # type: ignore[index]
        inside += [(a, min(max(a * cosine, low[two]), high[two])) for a, _ in ends]  # type: ignore[index]
        smallest = min(square(a, b, cosine) for a, b in (*ends, *inside))
        largest = max(square(a, b, math.cos(greatest)) for a, b in ends)
        low[third] = max(low[third], math.sqrt(max(smallest, 0.0)))  # type: ignore[index]
        high[third] = min(high[third], math.sqrt(max(largest, 0.0)))  # type: ignore[index]
