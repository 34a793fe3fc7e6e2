"""A network under inputs: the clamped variables, and the sequence of states.

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

# The paper's tolerance for reaching the target, in mean segments.
ARRIVED = 0.01
# A network rests if no variable changes by more than this in a cycle.
REST = 1e-10


def defined(measures: Measures, inputs: Mapping[str, Range]) -> dict[str, Range]:
    """Return the inputs that constrain: at a distance of 0, angles and directions along it are free."""
    net = measures.network
    gone = {ends for name, ends in net.triangles.distances.items() if name in inputs and inputs[name].high <= 0.0}
    n = len(net.lengths)
    sides = {name: ((c, a), (c, b)) for name, (c, a, b) in net.triangles.angles.items()} | {"rho": ((0, n), (0, n))}
    empty = {name for name, pair in sides.items() if any(tuple(sorted(side)) in gone for side in pair)}
    return {name: wanted for name, wanted in inputs.items() if name not in empty}


def clamps(measures: Measures, inputs: Mapping[str, Range]) -> tuple[Array, Array, Array]:
    """Return the clamped value of each variable (NaN: free), and its bounds."""
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
    """Return the states of the network under inputs, (k + 1, variables), whether it rests, and whether it diverged.

    first_cycle: the number of the first cycle, which keys the noise.
    """
    net = measures.network
    held, low, high = clamps(measures, inputs)
    given = [inputs.get(axis) for axis in ("x", "y")]
    whole = all(wanted is not None and wanted.fixed for wanted in given)
    if whole or not any(given):
        run = net.run(start, held, low, high, cycles=cycles, tolerance=REST, first_cycle=first_cycle)
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
            moved[rho] = nearest_copy(angle, now[rho])
        run = net.run(now, moved, low, high, cycles=1, first_cycle=first_cycle + k)
        if run.end == LOST:
            return np.array(states), False, True
        ahead = run.states[-1]
        # R and rho remain free along the given coordinates: the network moves them
        pulled = net.run(ahead, held, low, high, cycles=1, first_cycle=first_cycle + k)
        ahead = pulled.states[-1] if pulled.end != LOST else ahead
        states.append(ahead)
        if float(np.abs((ahead - now) / net.units).max()) <= REST:
            return np.array(states), True, False
    return np.array(states), False, False


def arrived(measures: Measures, inputs: Mapping[str, Range], course: Array) -> int:
    """Return the cycle from which on the state is a posture that meets the inputs within ARRIVED; -1 for never.

    Its joint angles meet the inputs, and its R and rho agree with the tip of these joint angles.
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
