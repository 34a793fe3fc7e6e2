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
from limbik.solvers.relaxation.angle_network import LOST, SETTLED, TURN
from limbik.solvers.relaxation.certificate import proof
from limbik.solvers.relaxation.finish import Cost, Finished, cheapest, finish, freedoms
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures

# An input is met when it is missed by no more than this: angles [rad], and lengths in lengths of the arm.
MET = 1e-8
# The error that the paper takes for arrived, in mean limbs.
ARRIVED = 0.01
# A network rests when nothing changes by more than this in a cycle.
REST = 1e-10
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


def defined(measures: Measures, inputs: Mapping[str, Range]) -> dict[str, Range]:
    """Return the inputs that say something: where a distance is to be 0, angles and directions along it may be anything."""
    net = measures.network
    gone = {ends for name, ends in net.triangles.distances.items() if name in inputs and inputs[name].high <= 0.0}
    n = len(net.lengths)
    sides = {name: ((c, a), (c, b)) for name, (c, a, b) in net.triangles.angles.items()} | {"rho": ((0, n), (0, n))}
    empty = {name for name, pair in sides.items() if any(tuple(sorted(side)) in gone for side in pair)}
    return {name: wanted for name, wanted in inputs.items() if name not in empty}


def clamps(measures: Measures, inputs: Mapping[str, Range]) -> tuple[Array, Array, Array]:
    """Return what each variable of the network is clamped to (NaN: free), and what it may not leave."""
    names = measures.network.variables
    fixed = {name: wanted.low for name, wanted in inputs.items() if wanted.fixed}
    if "x" in fixed and "y" in fixed:
        fixed.setdefault("R", math.hypot(fixed["x"], fixed["y"]))
        fixed.setdefault("rho", math.atan2(fixed["y"], fixed["x"]))
    if "alpha" in fixed and "rho" in fixed:
        fixed.setdefault("eps", math.remainder(fixed["alpha"] - fixed["rho"], TURN))
    elif "eps" in fixed and "rho" in fixed:
        fixed.setdefault("alpha", fixed["rho"] + fixed["eps"])
    elif "eps" in fixed and "alpha" in fixed:
        fixed.setdefault("rho", fixed["alpha"] - fixed["eps"])
    held = np.array([fixed.get(name, math.nan) for name in names])
    low = np.array([inputs[name].low if name in inputs else -math.inf for name in names])
    high = np.array([inputs[name].high if name in inputs else math.inf for name in names])
    return held, low, high


def relaxed(measures: Measures, inputs: Mapping[str, Range], start: Array, cycles: int) -> tuple[Array, bool, bool]:
    """Return the course of the network under inputs: states (k + 1, variables), whether it rests, whether it was lost."""
    net = measures.network
    held, low, high = clamps(measures, inputs)
    given = [inputs.get(axis) for axis in ("x", "y")]
    whole = all(wanted is not None and wanted.fixed for wanted in given)
    if whole or not any(given):
        run = net.run(start, held, low, high, cycles=cycles, tolerance=REST)
        return run.states, run.end == SETTLED, run.end == LOST
    states = [np.array(start)]
    R, rho = net.variables.index("R"), net.variables.index("rho")
    free_R, free_rho = math.isnan(held[R]), math.isnan(held[rho])
    for k in range(cycles):
        now = states[-1]
        place = [now[R] * math.cos(now[rho]), now[R] * math.sin(now[rho])]
        place = [p if w is None else min(max(p, w.low), w.high) for p, w in zip(place, given, strict=True)]
        moved = np.array(held)
        if free_R:
            moved[R] = min(math.hypot(*place), math.fsum(net.lengths))
        if free_rho:
            angle = math.atan2(place[1], place[0])
            moved[rho] = angle + TURN * round((now[rho] - angle) / TURN)
        run = net.run(now, moved, low, high, cycles=1, first_cycle=k)
        if run.end == LOST:
            return np.array(states), False, True
        ahead = run.states[-1]
        # what is clamped to the coordinates is free all the same: the network pulls it along them
        pulled = net.run(ahead, held, low, high, cycles=1, first_cycle=k)
        ahead = pulled.states[-1] if pulled.end != LOST else ahead
        states.append(ahead)
        if float(np.abs((ahead - now) / net.units).max()) <= REST:
            return np.array(states), True, False
    return np.array(states), False, False


def arrived(measures: Measures, inputs: Mapping[str, Range], course: Array) -> int:
    """Return the cycle from which on the network stands at a posture that meets the inputs, to ARRIVED; -1 for never.

    Its joint angles meet them, and its R and rho are where these put the tip.
    """
    net = measures.network
    bar = ARRIVED * math.fsum(net.lengths) / len(net.lengths)
    joints = course[:, [net.variables.index(name) for name in net.triangles.joints]]
    angles, lengths = measures.largest_misses(inputs, joints)
    tips = net.points(net.directions(joints))[:, -1]
    R, rho = (course[:, net.variables.index(name)] for name in ("R", "rho"))
    apart = np.linalg.norm(tips - np.stack([R * np.cos(rho), R * np.sin(rho)], -1), axis=1)
    late = np.flatnonzero((angles > ARRIVED) | (lengths > bar) | (apart > bar))
    return 0 if not len(late) else int(late[-1]) + 1 if late[-1] + 1 < len(course) else -1


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
