"""Fit the posture (configuration) of each frame to the measured markers, all frames in one batch.

Levenberg-Marquardt minimises sum w |m - p(q)|^2 + sum k |q - anchor|^2, with separate damping for each frame. Joint values at a
limit with a gradient pointing outwards are held; balls outside their cones are projected back. The anchor is weak: it only
determines the values without markers.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.model.joint import Kind
from limbik.model.ranges import Mask
from limbik.motion.capture.body import Body

# The weight of the anchor, relative to marker weights of 1/variance [1/rad^2, 1/m^2].
ANCHOR = 1.0
# Damping: initial, smallest and largest value, relative to the diagonal.
DAMPING, LEAST, MOST = 1e-2, 1e-9, 1e6
# The step below which the iteration stops [rad or m].
SHORT = 1e-7


def errors(body: Body, q: Array, measured: Array) -> tuple[Array, Array]:
    """Return measured - modelled (frames, markers, 3), 0 where missing, and their lengths, NaN where missing."""
    r = measured - body.positions(q)
    lengths = np.sqrt((r * r).sum(axis=-1))
    return np.where(np.isfinite(r), r, 0.0), lengths


def anchor_of(body: Body, q: Array) -> Array:
    """Return the anchor, (frames, n): the rest posture in every frame, with the floating root's values from q.

    Consecutive joints that rotate the same markers thus share the rotation in the same way in every frame.
    """
    out = np.tile(body.rest, (len(q), 1))
    for v in body.compiled.variables:
        if v.joint.kind is Kind.FLOATING:
            own = slice(v.first, v.first + v.joint.kind.size)
            out[:, own] = q[:, own]
    return out


def fit(
    body: Body, q: Array, measured: Array, weights: Array, anchor: Array, steps: int, damping: float = DAMPING
) -> tuple[Array, Array]:
    """Return the postures (frames, n) after at most `steps` steps from q, and their cost (frames,).

    measured: (frames, markers, 3), NaN where missing. weights: (frames, markers). anchor: (frames, n) or (n,).
    """
    kernel, ranges, n = body.compiled.kernel, body.ranges, body.n
    q = ranges.clamp(q)
    anchor = np.broadcast_to(anchor, q.shape)
    damped = np.full(len(q), damping)
    pull, _ = errors(body, q, measured)
    off = kernel.difference(anchor, q)
    cost = _cost(pull, weights, off)
    active = np.arange(len(q))
    for _ in range(steps):
        A, g = body.normal_equations(q[active], pull[active], weights[active])
        g = g - ANCHOR * off[active]
        diagonal = A[:, range(n), range(n)]
        A[:, range(n), range(n)] = (diagonal + ANCHOR) * (1 + damped[active, None])
        dq = solve_with_fixed(A, g, at_limit(ranges.lower, ranges.upper, q[active], g))
        trial = ranges.clamp(kernel.integrate(q[active], dq))
        pulled, _ = errors(body, trial, measured[active])
        away = kernel.difference(anchor[active], trial)
        after = _cost(pulled, weights[active], away)
        better = after < cost[active]
        took = active[better]
        gain = cost[took] - after[better]
        q[took], pull[took], off[took], cost[took] = trial[better], pulled[better], away[better], after[better]
        damped[active] = np.clip(damped[active] * np.where(better, 0.1, 8.0), LEAST, MOST)
        done = np.abs(dq).max(axis=1) < SHORT
        done[better] |= gain < 1e-9 * cost[took]
        done |= ~better & (damped[active] >= MOST)
        active = active[~done]
        if not len(active):
            break
    return q, cost


def at_limit(lower: Array, upper: Array, q: Array, g: Array) -> Mask:
    """Return which joint values are at a limit with a gradient pointing outwards."""
    out: Mask = ((q <= lower) & (g < 0)) | ((q >= upper) & (g > 0))
    return out


def solve_with_fixed(A: Array, g: Array, fixed: Mask) -> Array:
    """Solve A dq = g with some values held, by replacing their rows and columns by the identity. Changes A and g."""
    if fixed.any():
        A[fixed] = 0.0
        A.transpose(0, 2, 1)[fixed] = 0.0
        frame, number = np.nonzero(fixed)
        A[frame, number, number] = 1.0
        g = np.where(fixed, 0.0, g)
    solution: Array = np.asarray(np.linalg.solve(A, g[..., None])[..., 0], dtype=np.float64)
    return solution


def _cost(pull: Array, weights: Array, off: Array) -> Array:
    cost: Array = (weights * (pull * pull).sum(axis=-1)).sum(axis=-1) + ANCHOR * (off * off).sum(axis=-1)
    return cost


def fit_with_neighbours(
    body: Body, q: Array, measured: Array, weights: Array, anchor: Array, steps: int, rounds: int = 3
) -> tuple[Array, Array]:
    """Return postures and costs as `fit` does; each frame also tries the results of its neighbours as starts.

    A frame in a local minimum can thus be corrected by a neighbour that is not.
    """
    q, cost = fit(body, q, measured, weights, anchor, steps)
    for _ in range(rounds):
        changed = 0
        for offset in (1, -1):
            source = np.clip(np.arange(len(q)) - offset, 0, len(q) - 1)
            candidates = np.flatnonzero((cost > 1.5 * cost[source]) & (cost > 1.5 * np.median(cost)))
            if not len(candidates):
                continue
            other, lower = fit(
                body, q[source[candidates]], measured[candidates], weights[candidates], anchor[candidates], steps
            )
            better = lower < 0.99 * cost[candidates]
            q[candidates[better]], cost[candidates[better]] = other[better], lower[better]
            changed += int(better.sum())
        if not changed:
            break
    return q, cost
