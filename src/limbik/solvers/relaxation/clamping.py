"""A network with inputs: the clamped variables, and the sequence of states.

If two of alpha, rho and eps are clamped, the third follows and is clamped too: without that the network needs three times the
cycles. A tip given by x or y clamps R and rho: the coordinate that is not given is computed from them in every cycle.
"""

import math
from collections.abc import Mapping

import numpy as np

from limbik.geometry.angles import TURN, nearest_copy
from limbik.geometry.arrays import Array
from limbik.solvers.relaxation.angle_network import LOST, SETTLED
from limbik.solvers.relaxation.inputs import Range
from limbik.solvers.relaxation.measures import Measures

# The paper's tolerance for reaching the target [rad, or mean segments].
REACHED = 0.01
# A network rests if no variable changes by more than this in a cycle.
REST = 1e-10


def defined(measures: Measures, inputs: Mapping[str, Range]) -> dict[str, Range]:
    """Return the inputs without angles and directions along a distance that is given as 0: they are undefined."""
    net = measures.network
    zero = {ends for name, ends in net.triangles.distances.items() if name in inputs and inputs[name].high <= 0.0}
    n = len(net.lengths)
    sides = {name: ((c, a), (c, b)) for name, (c, a, b) in net.triangles.angles.items()} | {"rho": ((0, n), (0, n))}
    undefined = {name for name, pair in sides.items() if any(tuple(sorted(side)) in zero for side in pair)}
    return {name: wanted for name, wanted in inputs.items() if name not in undefined}


def clamps(measures: Measures, inputs: Mapping[str, Range]) -> tuple[Array, Array, Array]:
    """Return the clamped value of each variable (NaN: free), and its lower and upper bounds."""
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


def relaxed(
    measures: Measures, inputs: Mapping[str, Range], start: Array, cycles: int, first_cycle: int = 0
) -> tuple[Array, bool, bool]:
    """Return the states of the network with inputs, (k + 1, variables), whether it rests, and whether it diverged.

    first_cycle: the number of the first cycle, which keys the noise.
    """
    net = measures.network
    held, low, high = clamps(measures, inputs)
    given = [inputs.get(axis) for axis in ("x", "y")]
    both = all(wanted is not None and wanted.fixed for wanted in given)
    if both or not any(given):
        run = net.run(start, held, low, high, cycles=cycles, tolerance=REST, first_cycle=first_cycle)
        return run.states, run.end == SETTLED, run.end == LOST
    states = [np.array(start)]
    R, rho = net.variables.index("R"), net.variables.index("rho")
    free_R, free_rho = math.isnan(held[R]), math.isnan(held[rho])
    for k in range(cycles):
        now = states[-1]
        place = [now[R] * math.cos(now[rho]), now[R] * math.sin(now[rho])]
        place = [p if w is None else min(max(p, w.low), w.high) for p, w in zip(place, given, strict=True)]
        clamped = np.array(held)
        if free_R:
            clamped[R] = min(math.hypot(*place), net.longest)
        if free_rho:
            angle = math.atan2(place[1], place[0])
            clamped[rho] = nearest_copy(angle, now[rho])
        run = net.run(now, clamped, low, high, cycles=1, first_cycle=first_cycle + k)
        if run.end == LOST:
            return np.array(states), False, True
        ahead = run.states[-1]
        # R and rho remain free along the given coordinates: the network moves them
        released = net.run(ahead, held, low, high, cycles=1, first_cycle=first_cycle + k)
        ahead = released.states[-1] if released.end != LOST else ahead
        states.append(ahead)
        if float(np.abs((ahead - now) / net.units).max()) <= REST:
            return np.array(states), True, False
    return np.array(states), False, False


def reached_from(measures: Measures, inputs: Mapping[str, Range], states: Array) -> int:
    """Return the cycle from which on the state is a posture that meets the inputs within REACHED; -1 for never.

    Its joint angles meet the inputs, and its R and rho agree with the tip of these joint angles.
    """
    net = measures.network
    tolerance = REACHED * math.fsum(net.lengths) / len(net.lengths)
    joints = states[:, [net.variables.index(name) for name in net.coordinates]]
    angles, lengths = measures.largest_misses(inputs, joints)
    tips = net.points_at(joints)[:, -1]
    R, rho = (states[:, net.variables.index(name)] for name in ("R", "rho"))
    gaps = np.linalg.norm(tips - np.stack([R * np.cos(rho), R * np.sin(rho)], -1), axis=1)
    missed = np.flatnonzero((angles > REACHED) | (lengths > tolerance) | (gaps > tolerance))
    return 0 if not len(missed) else int(missed[-1]) + 1 if missed[-1] + 1 < len(states) else -1
