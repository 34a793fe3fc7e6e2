"""Which whole turn an angle is meant at: of inputs with one end only, and of inputs on joints that have limits.

An angle is the same after a whole turn, but "at most 1" says nothing unless it is one number. It is the number that is reported:
interior joint angles from 0 to 2 pi, alpha and every other angle from -pi to pi, a joint with limits inside these. An input with
one end therefore reaches from there to the end of that turn, and is checked like any other range. A joint with limits stands at
the turn that the limits hold, whatever turn an input is given at.
"""

import math
from collections.abc import Mapping
from itertools import product

from limbik.errors import BadOption, NotFinite
from limbik.geometry.angles import TURN
from limbik.solvers.relaxation.inputs import Range

# Angles beyond this have too few digits left to say where they point [rad].
LARGEST_ANGLE = 1e5
# Ways to meet an input inside limits at different turns that are tried at most, over all joints.
MOST_WAYS = 8


def one_turn(name: str, wanted: Range, turn: Range) -> Range:
    """Return an angle's input with both ends. turn: what the angle is reported in. Raises BadOption, NotFinite."""
    for end in (wanted.low, wanted.high):
        if LARGEST_ANGLE < abs(end) < math.inf:
            raise NotFinite(f"{name} is {end:g}; give an angle of at most {LARGEST_ANGLE:g} rad, whole turns left out")
    if math.isfinite(wanted.low) and math.isfinite(wanted.high):
        return wanted
    low, high = max(wanted.low, turn.low), min(wanted.high, turn.high)
    if low > high:
        raise BadOption(f"{name} = {wanted}: it lies from {turn.low:.6g} to {turn.high:.6g}; give an end in there")
    return Range(low, high)


def turn_of(limit: Range | None, usual: Range) -> Range:
    """Return what a joint angle is reported in: its limits where it has any, a turn from its limit where it has one."""
    if limit is None or limit.open:
        return usual
    low = limit.high - TURN if limit.low == -math.inf else limit.low
    return Range(low, low + TURN if limit.high == math.inf else limit.high)


def inside(wanted: Range, limit: Range, spare: float) -> list[Range]:
    """Return what of an angle's input lies inside a limit, the widest first, at every turn; ends may miss by `spare`."""
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


def ways(inputs: Mapping[str, Range], limits: Mapping[str, Range], spare: float) -> tuple[list[dict[str, Range]], str]:
    """Return inputs and limits put together, in every way that turns allow; or none, and a sentence why.

    Joints that inputs name stand at the turn of their limits; the first way is the widest.
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
        if len(merged) >= MOST_WAYS:
            break
    return merged, ""
