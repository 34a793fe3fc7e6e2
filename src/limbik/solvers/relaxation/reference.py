"""A cycle of the network in plain Python: the equations as printed, for readers and for tests of the core."""

import math

from limbik.geometry.angles import TURN
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.triangles import Computation, Rule, segment_names


def reference_cycle(
    network: AngleNetwork, state: dict[str, float], inputs: dict[str, float], *, parallel: bool = False
) -> dict[str, float]:
    """Return a state after one cycle by the printed equations: arithmetic means, principal values, all computations."""
    lengths = dict(zip(segment_names(len(network.lengths)), network.lengths, strict=True))
    known: dict[str, float] = lengths | state | inputs
    ahead = dict(known)
    for name in network.variables:
        if name in inputs:
            continue
        seen = known if parallel else ahead
        found = []
        for c in network.triangles.computations:
            if c.target == name and (x := _value(c, seen, network)) is not None:
                turns = round((seen[name] - x) / TURN) if name not in network.triangles.distances else 0
                found.append(x + TURN * turns)
        ahead[name] = math.fsum(found) / len(found)
    return {name: ahead[name] for name in network.variables}


def _value(c: Computation, x: dict[str, float], network: AngleNetwork) -> float | None:
    if c.rule is Rule.LINEAR:
        return c.constant + sum(s * x[t] for s, t in zip(c.signs, c.terms, strict=True))
    a, b, other = (x[t] for t in c.terms)
    if c.rule is Rule.COSINE_SIDE:
        return math.sqrt(max(a * a + b * b - 2 * a * b * math.cos(other), 0.0))
    if min(a, b) < network.least_side:
        return _value(network.triangles.computations[c.instead], x, network) if c.instead >= 0 else None
    return math.acos(min(max((a * a + b * b - other * other) / (2 * a * b), -1.0), 1.0))
