"""The choice of 2-pi copies of angle inputs: for inputs with one end, and for joints with limits. Lengths have no copies.

An angle is defined modulo 2 pi, so "at most 1" has a meaning only for one of its copies. It refers to the reported copy: from 0
to 2 pi for interior joint angles, from -pi to pi for alpha and all other angles, between the limits for a joint with limits. An
input with one end therefore extends to the end of that interval, and is checked like any other range. A joint with limits takes
the 2-pi copy inside its limits, whichever copy is given as input.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from limbik.errors import BadOption, NotFinite
from limbik.geometry.angles import TURN, nearest_copy
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.inputs import Range

# Largest angle: beyond it too few digits determine a direction [rad].
LARGEST_ANGLE = 1e5
# Most combinations of 2-pi copies of inputs, over all joints.
MOST_COMBINATIONS = 8


def nearest_turn(x: float, wanted: Range) -> float:
    """Return the 2-pi copy of an angle closest to a range with two ends; unchanged for a range with fewer ends."""
    if not (math.isfinite(wanted.low) and math.isfinite(wanted.high)) or wanted.low <= x <= wanted.high:
        return x
    return float(nearest_copy(x, 0.5 * (wanted.low + wanted.high)))


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


def is_length(name: str) -> bool:
    """Return whether the name of a coordinate is that of a segment's length."""
    return name[:1] == "L" and name[1:].isdigit()


def _overlap(wanted: Range, limit: Range, spare: float) -> list[Range]:
    """Return the part of a length's range inside its limits; an end of the limits if it is outside by rounding only."""
    low, high = max(wanted.low, limit.low), min(wanted.high, limit.high)
    if low > high + spare:
        return []
    edge = min(max(low, limit.low), limit.high)
    return [Range(low, high) if low <= high else Range(edge, edge)]


def combinations(
    inputs: Mapping[str, Range], limits: Mapping[str, Range], spare: float
) -> tuple[list[dict[str, Range]], str]:
    """Return the combinations of inputs and limits over all 2-pi copies, the widest first.

    Joints with inputs take the copies inside their limits. If a joint has none, the list is empty and a sentence says why.
    """
    choices: dict[str, list[Range]] = {}
    for name, limit in limits.items():
        if name in inputs:
            choices[name] = (_overlap if is_length(name) else inside)(inputs[name], limit, spare)
            if not choices[name]:
                return [], f"{name} = {inputs[name]} lies outside the joint's limits, {limit}"
    merged = []
    for chosen in product(*choices.values()):
        own = {name: limit for name, limit in limits.items() if name not in inputs}
        merged.append({**inputs, **dict(zip(choices, chosen, strict=True)), **own})
        if len(merged) >= MOST_COMBINATIONS:
            break
    return merged, ""


def reported(names: Sequence[str], inputs: Mapping[str, Range], limits: Mapping[str, Range], joints: Array) -> Array:
    """Return coordinates with the joint angles, by name, at the 2-pi copies that are reported.

    Joints with limits are inside them already and unchanged. Joints with inputs take the copies of their inputs. Of the others
    the first is wrapped to [-pi, pi], and interior angles to [0, 2 pi). Lengths follow the angles, and have no copies.
    """
    out = np.array(joints)
    for k, name in enumerate(names):
        given = inputs.get(name)
        if name in limits:
            continue
        if given is not None:
            out[k] = nearest_turn(float(out[k]), given)
            if given.fixed and abs(out[k] - given.low) <= 1e-12 * max(1.0, abs(given.low)):
                out[k] = given.low
        else:
            out[k] = math.remainder(out[k], TURN) if k == 0 else out[k] % TURN
    return out
