"""Completion of a state: clamped inputs, cycles until the network rests, then a refinement that is verified.

The result describes a posture (configuration), not the network. The joint angles at which the network rests are refined until the
inputs are met exactly (finish.py), and all other variables are computed from them. If the network rests away from the inputs, or
does not rest, the refinement starts from its last state, then from other postures; `why` reports which.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from limbik._core import Status
from limbik.geometry.angles import TURN
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.certificate import proof
from limbik.solvers.relaxation.clamping import defined, reached_from, relaxed
from limbik.solvers.relaxation.finish import ZERO, Cost, Finished, cheapest, finish, freedoms
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures
from limbik.solvers.relaxation.turns import combinations, is_length

# Tolerance of inputs: angles [rad], and lengths [m], or relative to the arm's length for arms shorter than 1 m.
MET = 1e-8
# Least tolerance of lengths relative to a very long arm, the bound of rounding.
LEAST_LENGTH = 1e-13
# Further starts of the refinement: the start posture, its mirror image, and random ones.
OTHER_STARTS = 48
# Number of starts of the search for the least cost.
CHEAP_STARTS = 32


@dataclass(frozen=True)
class Outcome:
    """The states of the network, and the resulting posture.

    states: (k + 1, variables). rests, diverged: how the run of the network ended. reached: see `reached_from`. finished: steps of
    the refinement. attempt: number of its start, -1 without success. reason: a proof, or "".
    """

    status: Status
    joints: Array
    states: Array
    rests: bool
    diverged: bool
    reached: int
    finished: int
    attempt: int
    reason: str


def met(measures: Measures, inputs: Mapping[str, Range], joints: Array) -> bool:
    """Return whether a posture meets every input."""
    return all_met(measures, measures.misses(inputs, joints))


def all_met(measures: Measures, misses: Mapping[str, float]) -> bool:
    """Return whether every error is within the tolerance of inputs. misses: by name [rad or m]."""
    whole = math.fsum(measures.network.lengths)
    length = max(MET * min(whole, 1.0), LEAST_LENGTH * whole)
    return all(miss <= (MET if measures.is_angle(name) else length) for name, miss in misses.items())


def complete(
    measures: Measures,
    inputs: Mapping[str, Range],
    limits: Mapping[str, Range],
    start: Array,
    cycles: int,
    cost: Cost | None = None,
) -> Outcome:
    """Return a posture that meets the inputs inside the joint limits, or the closest one found."""
    net = measures.network
    inputs = defined(measures, inputs)
    every, outside = combinations(inputs, limits, MET)
    impossible = proof(net, inputs)
    if not impossible and not outside:
        outside = proof(net, {**inputs, **_lengths(every[0], limits)})
    before = net.joints(start)
    if met(measures, inputs, before) and met(measures, limits, before) and cost is None:  # the start is a fixed point
        joints = _inside(measures, limits, before)
        return Outcome(Status.SOLVED, joints, start[None], True, False, 0, 0, 0, "")
    states, rests, diverged = relaxed(measures, every[0] if every else dict(inputs), start, cycles)
    reached = reached_from(measures, inputs, states)
    best: Finished | None = None
    attempt = -1
    pairs = product(enumerate(_starts(measures, start, states[-1])), every or [{**limits, **inputs}])
    for (k, joints), wanted in pairs:
        found = finish(measures, wanted, joints)
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
        joints = _cheapest(measures, inputs, limits, every, joints, cost)
    if attempt >= 0:
        status, reason = Status.SOLVED, ""
    elif impossible:
        status, reason = Status.OUT_OF_REACH, impossible
    elif outside:
        status, reason = Status.LIMITS, outside
    else:
        status, reason = (Status.COMPROMISE if len(inputs) > 1 else Status.NOT_FOUND), ""
    if status != Status.SOLVED:
        joints = held(measures, limits, joints)
    return Outcome(status, joints, states, rests, diverged, reached, best.steps, attempt, reason)


def _lengths(inputs: Mapping[str, Range], limits: Mapping[str, Range]) -> dict[str, Range]:
    """Return the inputs for lengths of segments inside their limits."""
    return {name: inputs.get(name, limit) for name, limit in limits.items() if is_length(name)}


def _starts(measures: Measures, start: Array, end: Array) -> Iterator[Array]:
    """Yield starts of the refinement: the network's last state, its start, the mirrored start, and random postures."""
    net = measures.network
    last, first = net.joints(end), net.joints(start)
    yield last
    yield first
    for joints, state in ((last, end), (first, start)):
        n = len(net.lengths)
        mirrored = np.concatenate([TURN - joints[:n], joints[n:]])
        mirrored[0] = 2.0 * state[net.variables.index("rho")] - joints[0]
        yield mirrored
    rng = np.random.default_rng([len(last), 9])
    for _ in range(OTHER_STARTS):
        yield np.array([rng.uniform(-math.pi, math.pi), *rng.uniform(0.0, TURN, n - 1), *_random_lengths(net, rng)])


def _random_lengths(net: AngleNetwork, rng: np.random.Generator) -> Iterator[float]:
    """Yield a random value of each length that is a variable, inside its range and at most the stretched arm long."""
    for name in net.free:
        span = net.spans[int(name[1:]) - 1]
        yield float(rng.uniform(span.low, min(span.high, span.low + math.fsum(net.lengths))))


def _inside(measures: Measures, limits: Mapping[str, Range], joints: Array) -> Array:
    """Return joints at the 2-pi copies inside their limits, if there are any; values outside by rounding are set to the limit."""
    out = np.array(joints)
    for k, name in enumerate(measures.network.coordinates):
        limit = limits.get(name)
        if limit is None:
            continue
        x = out[k]
        if is_length(name):
            edge = min(max(x, limit.low), limit.high)
            out[k] = edge if abs(edge - x) < MET * measures.network.unit else x
            continue
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


def held(measures: Measures, limits: Mapping[str, Range], joints: Array) -> Array:
    """Return joints clipped to their limits, from the 2-pi copies that change least."""
    out = np.array(joints)
    for k, name in enumerate(measures.network.coordinates):
        if name in limits:
            limit = limits[name]
            if is_length(name):
                out[k] = min(max(out[k], limit.low), limit.high)
                continue
            copies = [out[k] + TURN * t for t in (-1, 0, 1)]
            out[k] = min(
                (min(max(x, limit.low), limit.high) for x in copies),
                key=lambda x: abs(math.remainder(x - out[k], TURN)),
            )
    return out


def _cheapest(
    measures: Measures,
    inputs: Mapping[str, Range],
    limits: Mapping[str, Range],
    every: list[dict[str, Range]],
    joints: Array,
    cost: Cost,
) -> Array:
    """Return the verified posture of least cost found by searches from the given one, from near it, and from random ones."""
    best, least = joints, cost(joints)
    rng = np.random.default_rng([len(joints), 86])
    for k in range(CHEAP_STARTS):
        net, n = measures.network, len(measures.network.lengths)
        begin = joints + (0.0 if k == 0 else rng.normal(scale=0.6, size=len(joints)) * net.scales)
        if k >= CHEAP_STARTS // 4:
            begin[:n] = rng.uniform(-math.pi, math.pi, n) + np.array([0.0, *[math.pi] * (n - 1)])
        wanted = every[k % len(every)]
        begun = finish(measures, wanted, begin)
        if begun.missing > ZERO * 1e6:
            continue
        found = finish(measures, wanted, cheapest(measures, wanted, begun.joints, cost)).joints
        found = _inside(measures, limits, found)
        if met(measures, inputs, found) and met(measures, limits, found) and cost(found) < least:
            best, least = found, cost(found)
    return best


def free_directions(measures: Measures, inputs: Mapping[str, Range], limits: Mapping[str, Range], joints: Array) -> int:
    """Return the number of free directions at a posture under inputs and limits."""
    every, _ = combinations(inputs, limits, MET)
    return freedoms(measures, every[0] if len(every) == 1 else {**limits, **inputs}, joints)
