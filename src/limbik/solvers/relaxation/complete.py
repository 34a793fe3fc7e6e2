"""Completing a state: inputs clamped, cycles until the network rests, then an exact finish that is checked.

What is said of the result is said of a posture, not of the network: the joint angles at which the network came to rest are
taken, brought to the inputs exactly (finish.py), and everything else is computed from them. Where the network rests away from
the inputs, or not at all, the finish starts from there too, and then from other postures; `why` tells which it was.

Two of alpha, rho and eps clamped fix the third, which is clamped with them: without that the network needs three times the
cycles. A tip given by x or y is fed to R and rho: the coordinate that is not given is read from them in every cycle.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from limbik.model.transform import Array
from limbik.solvers.answer import Status
from limbik.solvers.relaxation.angle_network import TURN
from limbik.solvers.relaxation.certificate import proof
from limbik.solvers.relaxation.clamping import arrived, defined, relaxed
from limbik.solvers.relaxation.finish import Cost, Finished, cheapest, finish, freedoms
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures

# An input is met when it is missed by no more than this: angles [rad], and lengths in lengths of the arm.
MET = 1e-8
# Postures that the finish is tried from after the network's own: the start, its mirror image, and random ones.
OTHER_STARTS = 48


@dataclass(frozen=True)
class Outcome:
    """The network's course, and the posture that was made of it."""

    status: Status
    joints: Array
    course: Array
    settled: bool
    lost: bool
    reached: int
    finished: int
    attempt: int
    reason: str


def met(measures: Measures, inputs: Mapping[str, Range], joints: Array) -> bool:
    """Tell whether a posture meets every input."""
    whole = math.fsum(measures.network.lengths)
    misses = measures.misses(inputs, joints)
    return all(m <= (MET if measures.is_angle(name) else MET * whole) for name, m in misses.items())


def complete(
    measures: Measures,
    inputs: Mapping[str, Range],
    limits: Mapping[str, Range],
    start: Array,
    cycles: int,
    cost: Cost | None = None,
) -> Outcome:
    """Return a posture that meets the inputs inside the limits of the joints, or the nearest to them that was found."""
    net = measures.network
    inputs = defined(measures, inputs)
    wanted = _both(inputs, limits, measures)
    impossible = proof(net, inputs)
    outside = _outside(inputs, limits)
    before = net.joints(start)
    if met(measures, inputs, before) and met(measures, limits, before) and cost is None:  # it rests where it is
        joints = _inside(measures, limits, before)
        return Outcome(Status.SOLVED, joints, start[None], True, False, 0, 0, 0, "")
    course, settled, lost = relaxed(measures, wanted or dict(inputs), start, cycles)
    reached = arrived(measures, inputs, course)
    best: Finished | None = None
    attempt = -1
    for k, joints in enumerate(_starts(measures, start, course[-1])):
        found = _finished(measures, inputs, limits, joints)
        found = Finished(_inside(measures, limits, found.joints), found.steps, found.missing)
        good = met(measures, inputs, found.joints) and met(measures, limits, found.joints)
        if best is None or found.missing < best.missing * (1 - 1e-6) or (good and attempt < 0):
            best = found
            attempt = k if good else attempt
        if good or impossible or outside:
            break
    assert best is not None
    joints = best.joints
    if attempt >= 0 and cost is not None:
        joints = _cheapest(measures, inputs, limits, joints, cost)
    if attempt >= 0:
        status, reason = Status.SOLVED, ""
    elif impossible:
        status, reason = Status.OUT_OF_REACH, impossible
    elif outside:
        status, reason = Status.LIMITS, outside
    else:
        status, reason = (Status.COMPROMISE if len(inputs) > 1 else Status.NOT_FOUND), ""
    if status != Status.SOLVED:
        joints = _held(measures, limits, joints)
    return Outcome(status, joints, course, settled, lost, reached, best.steps, attempt, reason)


def _both(inputs: Mapping[str, Range], limits: Mapping[str, Range], measures: Measures) -> dict[str, Range]:
    """Return inputs with the limits of joints that are not fixed by them; empty where the two exclude each other."""
    out = dict(inputs)
    for name, limit in limits.items():
        given = out.get(name)
        if given is None:
            out[name] = limit
        elif not given.fixed:
            low, high = max(given.low, limit.low), min(given.high, limit.high)
            if low > high:
                return {}
            out[name] = Range(low, high)
    return out


def _outside(inputs: Mapping[str, Range], limits: Mapping[str, Range]) -> str:
    """Return a sentence that proves an input outside a joint's limits, "" where there is none."""
    for name, limit in limits.items():
        given = inputs.get(name)
        if given is None or limit.high - limit.low >= TURN:
            continue
        if not given.fixed and not (math.isfinite(given.low) and math.isfinite(given.high)):
            continue
        turns = range(math.floor((limit.low - given.high) / TURN), math.ceil((limit.high - given.low) / TURN) + 1)
        inside = any(
            given.low + TURN * k <= limit.high + MET and given.high + TURN * k >= limit.low - MET for k in turns
        )
        if not inside:
            return f"{name} = {given} lies outside the joint's limits, {limit}"
    return ""


def _starts(measures: Measures, start: Array, end: Array) -> Iterator[Array]:
    """Yield postures to finish from: where the network stands, where it began, that mirrored, and others."""
    net = measures.network
    here, before = net.joints(end), net.joints(start)
    yield here
    yield before
    for joints, state in ((here, end), (before, start)):
        mirrored = TURN - joints
        mirrored[0] = 2.0 * state[net.variables.index("rho")] - joints[0]
        yield mirrored
    rng = np.random.default_rng([len(here), 9])
    for _ in range(OTHER_STARTS):
        yield np.array([rng.uniform(-math.pi, math.pi), *rng.uniform(0.0, TURN, len(here) - 1)])


def _finished(measures: Measures, inputs: Mapping[str, Range], limits: Mapping[str, Range], joints: Array) -> Finished:
    """Return the finish inside limits: those of joints that inputs name too are added after them."""
    own = {name: limit for name, limit in limits.items() if name not in inputs}
    return finish(measures, {**inputs, **own}, joints)


def _inside(measures: Measures, limits: Mapping[str, Range], joints: Array) -> Array:
    """Return joints at the whole turns that their limits hold, those outside by rounding put on the limit."""
    out = np.array(joints)
    for k, name in enumerate(measures.network.triangles.joints):
        limit = limits.get(name)
        if limit is None:
            continue
        x = out[k]
        if x < limit.low:
            x += TURN * math.ceil((limit.low - x) / TURN) if limit.high - limit.low >= TURN else 0.0
            other = out[k] + TURN * math.ceil((limit.low - out[k]) / TURN)
            x = other if limit.low <= other <= limit.high else x
        if x > limit.high:
            other = x - TURN * math.ceil((x - limit.high) / TURN)
            x = other if limit.low <= other <= limit.high else x
        edge = min(max(x, limit.low), limit.high)
        out[k] = edge if abs(edge - x) < MET else x
    return out


def _held(measures: Measures, limits: Mapping[str, Range], joints: Array) -> Array:
    """Return joints moved to the nearest end of a limit that they break."""
    out = np.array(joints)
    for k, name in enumerate(measures.network.triangles.joints):
        if name in limits:
            limit = limits[name]
            turns = [out[k] + TURN * t for t in (-1, 0, 1)]
            out[k] = min(
                (min(max(x, limit.low), limit.high) for x in turns), key=lambda x: abs(math.remainder(x - out[k], TURN))
            )
    return out


def _cheapest(
    measures: Measures, inputs: Mapping[str, Range], limits: Mapping[str, Range], joints: Array, cost: Cost
) -> Array:
    """Return the cheapest verified posture of several searches."""
    every = {**limits, **inputs} if not set(limits) & set(inputs) else {**limits, **_both(inputs, limits, measures)}
    best, least = joints, cost(joints)
    rng = np.random.default_rng([len(joints), 86])
    for k in range(6):
        begin = joints if k == 0 else joints + rng.normal(scale=0.6, size=len(joints))
        begin = finish(measures, every, begin).joints
        found = _inside(measures, limits, finish(measures, every, cheapest(measures, every, begin, cost)).joints)
        if met(measures, inputs, found) and met(measures, limits, found) and cost(found) < least:
            best, least = found, cost(found)
    return best


def free_directions(measures: Measures, inputs: Mapping[str, Range], limits: Mapping[str, Range], joints: Array) -> int:
    """Return how many directions inputs and limits leave free at a posture."""
    own = {name: limit for name, limit in limits.items() if name not in inputs}
    return freedoms(measures, {**inputs, **own}, joints)
