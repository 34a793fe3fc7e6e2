"""The choice of 2-pi copies of angle inputs: for inputs with one end, and for joints with limits.

An angle is defined modulo 2 pi, so "at most 1" has a meaning only for one of its copies. It refers to the reported copy: from 0
to 2 pi for interior joint angles, from -pi to pi for alpha and all other angles, between the limits for a joint with limits. An
input with one end therefore extends to the end of that interval, and is checked like any other range. A joint with limits takes
the 2-pi copy inside its limits, whichever copy is given as input.
"""

import math
from collections.abc import Mapping
from itertools import product

from limbik.errors import BadOption, NotFinite
from limbik.geometry.angles import TURN
from limbik.solvers.relaxation.inputs import Range

# Largest angle: beyond it too few digits determine a direction [rad].
LARGEST_ANGLE = 1e5
# Most combinations of 2-pi copies of inputs, over all joints.
MOST_COMBINATIONS = 8


def with_both_ends(name: str, wanted: Range, interval: Range) -> Range:
    """Return an angle's input with both ends. interval: the reported interval. Raises BadOption, NotFinite."""
    for end in (wanted.low, wanted.high):
        if LARGEST_ANGLE < abs(end) < math.inf:
            raise NotFinite(f"{name} is {end:g}; give an angle of at most {LARGEST_ANGLE:g} rad, without whole turns")
    if math.isfinite(wanted.low) and math.isfinite(wanted.high):
        return wanted
    low, high = max(wanted.low, interval.low), min(wanted.high, interval.high)
    if low > high:
        raise BadOption(
            f"{name} = {wanted}: the angle lies from {interval.low:.6g} to {interval.high:.6g}; give an end inside"
        )
    return Range(low, high)


def reported_interval(limit: Range | None, usual: Range) -> Range:
    """Return the reported interval of a joint angle: its limits, or 2 pi from its only limit; else the usual one."""
    if limit is None or limit.open:
        return usual
    low = limit.high - TURN if limit.low == -math.inf else limit.low
    return Range(low, low + TURN if limit.high == math.inf else limit.high)


def inside(wanted: Range, limit: Range, spare: float) -> list[Range]:
    """Return the intersections of an angle's 2-pi copies with a limit, the widest first. spare: tolerance at its ends [rad]."""
    if not (math.isfinite(wanted.low) and math.isfinite(wanted.high)):
        low, high = max(wanted.low, limit.low), min(wanted.high, limit.high)
        return [Range(low, high)] if low <= high else []
    found = []
    first = (limit.low - wanted.high - spare) / TURN if math.isfinite(limit.low) else -math.inf
    last = (limit.high - wanted.low + spare) / TURN if math.isfinite(limit.high) else math.inf
    if math.isinf(first):
        first = min(0.0, last - 1.0)
    if math.isinf(last):
        last = max(0.0, first + 1.0)
    for k in range(math.ceil(first), math.floor(last) + 1):
        low, high = wanted.low + TURN * k, wanted.high + TURN * k
        low, high = min(max(low, limit.low), limit.high), max(min(high, limit.high), limit.low)
        found.append((low - high, abs(k), Range(min(low, high), high)))
    return [r for _, _, r in sorted(found, key=lambda f: f[:2])]


def combinations(
    inputs: Mapping[str, Range], limits: Mapping[str, Range], spare: float
) -> tuple[list[dict[str, Range]], str]:
    """Return the combinations of inputs and limits over all 2-pi copies, the widest first.

    Joints with inputs take the copies inside their limits. If a joint has none, the list is empty and a sentence says why.
    """
    choices: dict[str, list[Range]] = {}
    for name, limit in limits.items():
        if name in inputs:
            choices[name] = inside(inputs[name], limit, spare)
            if not choices[name]:
                return [], f"{name} = {inputs[name]} lies outside the joint's limits, {limit}"
    merged = []
    for chosen in product(*choices.values()):
        own = {name: limit for name, limit in limits.items() if name not in inputs}
        merged.append({**inputs, **dict(zip(choices, chosen, strict=True)), **own})
        if len(merged) >= MOST_COMBINATIONS:
            break
    return merged, ""
