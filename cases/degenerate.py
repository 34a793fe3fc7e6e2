"""Postures where inverse kinematics is hardest: at singularities, at limits, on a grid, and 1e-12 ... 1e-3 from them.

Every posture lies inside the limits, so its pose is reachable: a status that denies it is a false proof.
"""

import math
from collections.abc import Callable

import numpy as np

import limbik as lk
from limbik.cli.contest import numpy_forward

Rng = np.random.Generator
Array = np.ndarray

# The step of the grid of special angles [rad].
GRID = math.pi / 4
# The distance of postures from a degeneracy: zero in this share of cases, else 10^-12 ... 10^-3 [rad].
EXACTLY, NEAREST, FARTHEST = 0.4, -12.0, -3.0
# Points along a joint at which the sign of a determinant is evaluated, and bisections between two of them.
SAMPLES, BISECTIONS = 25, 55


def bounds(arm: lk.Chain) -> tuple[Array, Array]:
    """Return finite ranges to draw from: the limits; for unlimited joints +-pi, or +-reach if prismatic."""
    span = np.where(arm.model.revolute, math.pi, arm.reach if math.isfinite(arm.reach) else 1.0)
    low, high = np.where(np.isfinite(arm.lower), arm.lower, -span), np.where(np.isfinite(arm.upper), arm.upper, span)
    return np.minimum(low, high), np.maximum(low, high)


def on_grid(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return postures whose joints are all multiples of 45 degrees (prismatic joints: eighths of their range)."""
    low, high = bounds(arm)
    step = np.where(arm.model.revolute, GRID, (high - low) / 8 + 1e-300)
    first, last = np.ceil(low / step), np.floor(high / step)
    pick = np.round(first + rng.random((count, arm.n)) * (last - first)) * step
    return np.clip(np.where(first <= last, pick, low), low, high)


def partly_on_grid(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return random postures with some joints on the grid: several degeneracies at once, in every combination."""
    share = rng.uniform(0.3, 1.0, (count, 1))
    return np.where(rng.random((count, arm.n)) < share, on_grid(arm, rng, count), arm.sample(rng, count))


def at_limits(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return random postures with one joint or more exactly at a limit."""
    low, high = bounds(arm)
    q = arm.sample(rng, count)
    chosen = rng.random((count, arm.n)) < rng.random((count, 1))
    chosen[np.arange(count), rng.integers(arm.n, size=count)] = True
    return np.where(chosen, np.where(rng.random((count, arm.n)) < 0.5, low, high), q)


def singular(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return postures in which the tip's Jacobian loses rank, found by bisection along one random joint.

    The sign change is that of a random 6x6 minor, or n x n for n < 6; a posture without one is returned as drawn. In half of
    them the other joints are on the grid, so that two degeneracies meet.
    """
    low, high = bounds(arm)
    q = np.where(rng.random((count, 1)) < 0.5, arm.sample(rng, count), on_grid(arm, rng, count))
    if arm.n < 3:
        return q
    joint = rng.integers(arm.n, size=count)
    rows = np.arange(count)

    def at(x: Array) -> Array:
        moved = q.copy()
        moved[rows, joint] = x
        return moved

    left = rng.permuted(np.broadcast_to(np.eye(6)[None], (count, 6, 6)), axis=1)[:, : min(arm.n, 6)]
    right = rng.permuted(np.broadcast_to(np.eye(arm.n)[None], (count, arm.n, arm.n)), axis=2)[:, :, : min(arm.n, 6)]

    def determinant(x: Array) -> Array:
        return np.linalg.det(left @ arm.jacobian(at(x)) @ right)

    ends = np.linspace(low[joint], high[joint], SAMPLES)
    values = np.array([determinant(x) for x in ends])
    change = (values[:-1] * values[1:]) < 0
    place = np.where(change.any(axis=0), (change * rng.random(change.shape)).argmax(axis=0), 0)
    a, b, f = ends[place, rows], ends[place + 1, rows], values[place, rows]
    for _ in range(BISECTIONS):
        middle = 0.5 * (a + b)
        same = determinant(middle) * f > 0
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    return np.where(change.any(axis=0)[:, None], at(0.5 * (a + b)), q)


def tool_along_first_axis(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return postures whose tool axis is parallel to the first joint's, if the other joints can align it."""
    low, high = bounds(arm)
    q = np.where(rng.random((count, 1)) < 0.5, arm.sample(rng, count), on_grid(arm, rng, count))
    if arm.n < 4:
        return q
    first = arm.jacobian(q)[:, 3:, 0]
    wanted = first * rng.choice([-1.0, 1.0], (count, 1))
    for _ in range(25):
        T, J = arm.forward_jacobian(q)
        z = T[:, :3, 2]
        miss = np.cross(z, wanted)
        miss = np.where((z * wanted).sum(-1, keepdims=True) < -0.999, q[:, :3] * 0 + np.roll(wanted, 1, axis=-1), miss)
        turn = J[:, 3:, 1:] - z[:, :, None] * np.einsum("ki,kij->kj", z, J[:, 3:, 1:])[:, None]
        step = np.einsum(
            "kji,kj->ki",
            turn,
            np.linalg.solve(turn @ turn.transpose(0, 2, 1) + 1e-12 * np.eye(3), miss[..., None])[..., 0],
        )
        q = q.copy()
        q[:, 1:] = np.clip(q[:, 1:] + np.clip(step, -0.5, 0.5), low[1:], high[1:])
    return q


def home(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return the home posture with a random subset of its joints moved."""
    return np.where(rng.random((count, arm.n)) < 0.3, arm.sample(rng, count), arm.home)


KINDS: dict[str, Callable[[lk.Chain, Rng, int], Array]] = {
    "grid": on_grid,
    "partly on the grid": partly_on_grid,
    "limits": at_limits,
    "singular": singular,
    "tool along first axis": tool_along_first_axis,
    "home": home,
}


def beside(arm: lk.Chain, rng: Rng, q: Array) -> Array:
    """Return postures moved by nothing or by 1e-12 ... 1e-3, one joint or all, inside the limits."""
    count = len(q)
    size = 10.0 ** rng.uniform(NEAREST, FARTHEST, (count, 1)) * (rng.random((count, 1)) >= EXACTLY)
    direction = rng.choice([-1.0, 1.0], q.shape) * np.where(
        rng.random((count, 1)) < 0.5, rng.random(q.shape) < 0.3, True
    )
    return np.clip(q + size * direction, np.maximum(arm.lower, -1e9), np.minimum(arm.upper, 1e9))


def postures(arm: lk.Chain, rng: Rng, count: int) -> Array:
    """Return degenerate postures of every kind, in random order: (count, n)."""
    each = -(-count // len(KINDS))
    q = np.concatenate([beside(arm, rng, make(arm, rng, each)) for make in KINDS.values()])
    return rng.permutation(q)[:count]


def targets(arm: lk.Chain, q: Array) -> Array:
    """Return the poses of postures by NumPy alone, which shares no code with the core."""
    return numpy_forward(arm, q)
